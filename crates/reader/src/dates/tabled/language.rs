//! One language's words for dates, read from its table in the lexicon (`dates/`).
//!
//! Enters: a table. Leaves: its words and rules. In the lists of numbers and units `=` gives a word its value; a rule is a pattern and
//! what it means. Never fails while running: an entry that says nothing is not a rule, and a test reads every table to its last entry.

use std::collections::HashSet;

use jiff::civil::Weekday;
use memdir_lexicon::DateTable;

/// What a count counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CalendarUnit {
    Days(i64),
    Months(i32),
    Years,
}

/// A stretch of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stretch {
    Week,
    Weekend,
    Month,
    Quarter,
    Year,
}

/// What a pattern means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    /// This many days from today.
    Day(i64),
    /// The count ahead, behind, or as a limit.
    Ahead,
    Ago,
    Within,
    /// A week, month and so on, counted from this one.
    Period(Stretch, i64),
    /// Its first or last day.
    Start(Stretch, i64),
    End(Stretch, i64),
    /// The weekday of the week this many from this one.
    WeekdayOf(i64),
    /// The first such weekday after today, or the last before it.
    Coming,
    Gone,
    /// The first such weekday after today, and the same this many weeks later.
    WeeksAfter,
    /// A weekday that ends a time: "bis Freitag".
    By,
    /// A weekday that is one only if the words around say so.
    Once,
    /// A weekday in a form that says one day ("el viernes", where a habit is "los viernes"): unless the words around tell of a habit
    /// or forbid something.
    Single,
    /// A day and a month; a day of the month this many months away; one that the words around say; one that ends a time.
    MonthDay,
    DayOf(i32),
    DayOnce,
    DayBy,
    /// A month that is one only if the words around say so; one that ends a time; one this many years away.
    MonthOnce,
    MonthBy,
    MonthOf(i16),
    /// The last day of a named month; a named month of which only a part is meant.
    EndOfMonth,
    StartOfMonth,
    /// No date, however much it looks like one.
    Leave,
}

/// A piece of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PatternPiece {
    /// One of these words; `open` lets more letters follow.
    Words(Vec<(&'static str, bool)>),
    Count,
    Unit,
    Weekday,
    Month,
    Day,
}

/// How a piece belongs to its phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceRole {
    Needed,
    /// It may be missing: `zum?`.
    MayMiss,
    /// It must be there, and the phrase ends before it: `>まで`.
    Behind,
}

pub(super) struct DatePattern {
    pub(super) pieces: Vec<(PatternPiece, PieceRole)>,
    pub(super) sense: Sense,
}

#[derive(Default)]
pub(super) struct Language {
    /// Words are parted by blanks.
    pub(super) spaced: bool,
    /// Small words by which the language is told from others.
    pub(super) clues: Vec<&'static str>,
    /// The same, with all other words of the lists that stand whole.
    known: HashSet<&'static str>,
    pub(super) numbers: Vec<(&'static str, i64)>,
    pub(super) units: Vec<(&'static str, CalendarUnit)>,
    pub(super) weekdays: Vec<(&'static str, Weekday)>,
    pub(super) months: Vec<(&'static str, i8)>,
    /// What comes again and again.
    pub(super) often: Vec<&'static str>,
    /// What makes a rule of a sentence: "not on Friday".
    pub(super) denied: Vec<&'static str>,
    /// A plan, a change, a duty of one time.
    pub(super) planned: Vec<&'static str>,
    /// How verbs of a plan end.
    pub(super) planned_endings: Vec<&'static str>,
    pub(super) duty: Vec<&'static str>,
    pub(super) past: Vec<&'static str>,
    /// How verbs of the past end.
    pub(super) past_endings: Vec<&'static str>,
    /// Verbs that tell of the past with a participle, and how participles end.
    pub(super) perfect: Vec<&'static str>,
    pub(super) participles: Vec<&'static str>,
    /// What says, right before a phrase, that it is a name: "s'appelle Vendredi".
    pub(super) called: Vec<&'static str>,
    /// What may not stand right before or after a phrase.
    pub(super) not_after: Vec<&'static str>,
    pub(super) not_before: Vec<&'static str>,
    /// What may hang on a phrase without a blank.
    pub(super) endings: Vec<&'static str>,
    pub(super) rules: Vec<DatePattern>,
}

impl Language {
    /// Reads a table; what says nothing is handed to `odd`.
    pub(super) fn read(table: &DateTable, mut odd: impl FnMut(&'static str)) -> Language {
        let mut language = Language { spaced: table.spaced, ..Language::default() };
        for (name, words) in table.lists {
            for word in *words {
                if language.add(name, word).is_none() {
                    odd(word);
                }
            }
        }
        for (name, groups) in table.groups {
            if language.add_groups(name, groups).is_none() {
                odd(name);
            }
        }
        let told =
            [&language.clues, &language.often, &language.denied, &language.planned, &language.duty, &language.past];
        language.known = told.into_iter().flatten().copied().collect();
        language.known.extend(language.weekdays.iter().map(|(day, _)| *day));
        language.known.extend(language.units.iter().map(|(unit, _)| *unit));
        language.known.extend(language.months.iter().map(|(month, _)| *month));
        // The longest word is asked first.
        language.numbers.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
        language.units.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
        language.weekdays.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
        language.months.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
        language
    }

    /// Whether a word in lower case is one by which the language is told.
    pub(super) fn knows(&self, word: &str) -> bool {
        self.known.contains(word)
    }

    fn add(&mut self, list: &str, word: &'static str) -> Option<()> {
        match list {
            "clues" => self.clues.push(word),
            "often" => self.often.push(word),
            "denied" => self.denied.push(word),
            "planned" => self.planned.push(word),
            "planned_endings" => self.planned_endings.push(word),
            "duty" => self.duty.push(word),
            "past" => self.past.push(word),
            "past_endings" => self.past_endings.push(word),
            "perfect" => self.perfect.push(word),
            "participles" => self.participles.push(word),
            "called" => self.called.push(word),
            "not_after" => self.not_after.push(word),
            "not_before" => self.not_before.push(word),
            "endings" => self.endings.push(word),
            "numbers" => {
                let (word, number) = word.split_once('=')?;
                self.numbers.push((word, number.parse().ok()?));
            }
            "units" => {
                let (word, unit) = word.split_once('=')?;
                let unit = match unit {
                    "day" => CalendarUnit::Days(1),
                    "week" => CalendarUnit::Days(7),
                    "fortnight" => CalendarUnit::Days(14),
                    "month" => CalendarUnit::Months(1),
                    "quarter" => CalendarUnit::Months(3),
                    "year" => CalendarUnit::Years,
                    _ => return None,
                };
                self.units.push((word, unit));
            }
            "rules" => self.rules.push(rule(word)?),
            _ => return None,
        }
        Some(())
    }

    fn add_groups(&mut self, list: &str, groups: &[&'static [&'static str]]) -> Option<()> {
        match list {
            "weekdays" => {
                for (day, words) in Weekday::Monday.cycle_forward().take(7).zip(groups) {
                    self.weekdays.extend(words.iter().map(|word| (*word, day)));
                }
            }
            "months" => {
                for (month, words) in (1..=12).zip(groups) {
                    self.months.extend(words.iter().map(|word| (*word, month)));
                }
            }
            _ => return None,
        }
        Some(())
    }
}

/// `nächste/nächsten {wd} = weekday 1`.
fn rule(line: &'static str) -> Option<DatePattern> {
    let (pattern, sense) = line.rsplit_once(" = ")?;
    let pieces: Vec<(PatternPiece, PieceRole)> = pattern
        .split_whitespace()
        .map(|piece| {
            let (piece, part) = match (piece.strip_suffix('?'), piece.strip_prefix('>')) {
                (Some(piece), _) => (piece, PieceRole::MayMiss),
                (_, Some(piece)) => (piece, PieceRole::Behind),
                _ => (piece, PieceRole::Needed),
            };
            let piece = match piece {
                "{n}" => PatternPiece::Count,
                "{unit}" => PatternPiece::Unit,
                "{wd}" => PatternPiece::Weekday,
                "{month}" => PatternPiece::Month,
                "{day}" => PatternPiece::Day,
                words => PatternPiece::Words(
                    words.split('/').map(|w| w.strip_suffix('~').map_or((w, false), |w| (w, true))).collect(),
                ),
            };
            (piece, part)
        })
        .collect();
    Some(DatePattern { pieces, sense: sense_of(sense)? })
}

fn sense_of(sense: &str) -> Option<Sense> {
    let mut words = sense.split_whitespace();
    let name = words.next()?;
    let rest: Vec<&str> = words.collect();
    let stretch = || {
        Some(match *rest.first()? {
            "week" => Stretch::Week,
            "weekend" => Stretch::Weekend,
            "month" => Stretch::Month,
            "quarter" => Stretch::Quarter,
            "year" => Stretch::Year,
            _ => return None,
        })
    };
    let number = |at: usize| rest.get(at)?.parse::<i64>().ok();
    Some(match name {
        "day" => Sense::Day(number(0)?),
        "ahead" => Sense::Ahead,
        "ago" => Sense::Ago,
        "within" => Sense::Within,
        "period" => Sense::Period(stretch()?, number(1)?),
        "start" => Sense::Start(stretch()?, number(1)?),
        "end" => Sense::End(stretch()?, number(1)?),
        "weekday" => Sense::WeekdayOf(number(0)?),
        "coming" => Sense::Coming,
        "gone" => Sense::Gone,
        "weeks-after" => Sense::WeeksAfter,
        "by" => Sense::By,
        "once" => Sense::Once,
        "single" => Sense::Single,
        "month-day" => Sense::MonthDay,
        "day-of" => Sense::DayOf(number(0)? as i32),
        "day-once" => Sense::DayOnce,
        "day-by" => Sense::DayBy,
        "month-once" => Sense::MonthOnce,
        "month-by" => Sense::MonthBy,
        "month-of" => Sense::MonthOf(number(0)? as i16),
        "end-of-month" => Sense::EndOfMonth,
        "start-of-month" => Sense::StartOfMonth,
        "leave" => Sense::Leave,
        _ => return None,
    })
}
