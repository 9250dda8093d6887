//! The day that a phrase of a table means.
//!
//! Enters: a phrase, what it named and the sentence around it. Leaves: its time, or nothing where the clause speaks of a
//! habit or gives no sign that one day is meant. Never takes a date that has its year.

use std::ops::Range;

use jiff::civil::{Date, Weekday};

use super::super::DateMeaning;
use super::super::calendar::{self, Tense, following, in_week, last_of_month, month_after, plus_days, preceding};
use super::language::{CalendarUnit, Language, Sense, Stretch};
use super::matcher::{NamedDate, ends_word, same};

/// Bytes looked at on either side, so that a text without full stops costs no more.
const REACH: usize = 240;

/// The bytes in which "s'appelle" and its like stand before a name.
const NAMING: usize = 40;

/// Where a phrase stands.
pub(super) struct PhraseContext<'t> {
    pub(super) language: &'t Language,
    pub(super) text: &'t str,
    pub(super) sentence: Range<usize>,
    pub(super) today: Date,
}

impl PhraseContext<'_> {
    /// Where the phrase begins and ends, and what it means.
    pub(super) fn meant(&self, start: usize, sense: Sense, said: NamedDate) -> Option<(usize, usize, DateMeaning)> {
        if self.has_year(start, said.end) || self.is_called(start) {
            return None;
        }
        // The full stop of the last sentence is no part of "le 20.".
        let stop = self.text[..said.end].ends_with('.') && self.text[said.end..].trim_start_matches(' ').is_empty();
        let end = said.phrase.unwrap_or(said.end - usize::from(stop));
        Some((start, end, self.time(start, sense, said)?))
    }

    fn time(&self, start: usize, sense: Sense, said: NamedDate) -> Option<DateMeaning> {
        let today = self.today;
        let here = start..said.end;
        if !self.is_meant(&here, sense) {
            return None;
        }
        let day = |day: Option<Date>| day.map(DateMeaning::Day);
        match sense {
            Sense::Leave => None,
            Sense::Day(days) => day(plus_days(today, days)),
            Sense::Ago => self.counted(said, -1),
            Sense::Ahead | Sense::Within => self.counted(said, 1),
            Sense::Period(stretch, shift) => period(today, stretch, shift),
            Sense::Start(stretch, shift) => day(border(today, stretch, shift, false)),
            Sense::End(stretch, shift) => day(border(today, stretch, shift, true)),
            Sense::WeekdayOf(weeks) => day(in_week(today, weeks, said.weekday?)),
            Sense::Coming | Sense::By => day(following(today, said.weekday?)),
            Sense::Gone => day(preceding(today, said.weekday?)),
            Sense::WeeksAfter => day(plus_days(following(today, said.weekday?)?, 7 * said.count.unwrap_or(1))),
            Sense::Once => day(calendar::weekday(today, said.weekday?, self.tense(&here)?)),
            Sense::Single => {
                let tense = self.tense(&here).unwrap_or(Tense::Future);
                day(calendar::weekday(today, said.weekday?, tense))
            }
            Sense::MonthDay => {
                let tense = self.tense(&here).unwrap_or(Tense::Open);
                day(calendar::month_day(today, said.month?, said.day?, tense))
            }
            Sense::DayOf(months) => {
                let (year, month) = month_after(today, months)?;
                day(Date::new(year, month, said.day?).ok())
            }
            Sense::DayOnce => day(calendar::day_of_month(today, said.day?, self.told_once(&here)?)),
            Sense::DayBy => day(calendar::day_of_month(today, said.day?, Tense::Future)),
            Sense::MonthOnce => month(calendar::month(today, said.month?, self.tense(&here)?)),
            Sense::MonthBy => month(calendar::month(today, said.month?, Tense::Future)),
            Sense::MonthOf(years) => Some(DateMeaning::Month(today.year().checked_add(years)?, said.month?)),
            Sense::EndOfMonth => {
                day(last_of_month(calendar::month(today, said.month?, self.tense(&here).unwrap_or(Tense::Future))?))
            }
            Sense::StartOfMonth => {
                month(calendar::month(today, said.month?, self.tense(&here).unwrap_or(Tense::Future)))
            }
        }
    }

    /// Whether the clause lets the phrase be one time: it tells of no habit, and a length is a duty or lies ahead.
    fn is_meant(&self, here: &Range<usize>, sense: Sense) -> bool {
        let often = || self.tells(here, &self.language.often);
        match sense {
            Sense::Ahead => !often() && self.tense(here) != Some(Tense::Past),
            Sense::Within => !often() && self.tells(here, &self.language.duty),
            Sense::By | Sense::Once => !often() && !self.explains(here),
            Sense::Single => {
                let rule = || self.tells(here, &self.language.denied) || self.names_another_day(here);
                !often() && !self.explains(here) && (self.tense(here).is_some() || !rule())
            }
            Sense::DayOnce => !often() && self.stands_alone(here.end),
            Sense::End(..)
            | Sense::EndOfMonth
            | Sense::StartOfMonth
            | Sense::MonthDay
            | Sense::DayBy
            | Sense::MonthOnce
            | Sense::MonthBy => !often(),
            _ => true,
        }
    }

    /// An amount from today.
    fn counted(&self, said: NamedDate, sign: i64) -> Option<DateMeaning> {
        // "In a week" has no number where a language has no article.
        let count = sign * said.count.unwrap_or(1);
        match said.unit? {
            CalendarUnit::Days(days) => plus_days(self.today, days * count).map(DateMeaning::Day),
            CalendarUnit::Months(months) => month(month_after(self.today, months * count as i32)),
            CalendarUnit::Years => month_after(self.today, 12 * count as i32).map(|(year, _)| DateMeaning::Year(year)),
        }
    }

    /// The tense that the clause gives one time, if it speaks of one.
    fn tense(&self, here: &Range<usize>) -> Option<Tense> {
        if self.tells(here, &self.language.planned) || self.has_ending(here, &self.language.planned_endings) {
            Some(Tense::Future)
        } else {
            let told = self.tells(here, &self.language.past) || self.has_ending(here, &self.language.past_endings);
            let perfect =
                || self.tells(here, &self.language.perfect) && self.has_ending(here, &self.language.participles);
            (told || perfect()).then_some(Tense::Past)
        }
    }

    /// The tense of a day that has no month: the present alone may tell of every month, "la paie part le 28".
    fn told_once(&self, here: &Range<usize>) -> Option<Tense> {
        if self.tells(here, &self.language.duty) || self.has_ending(here, &self.language.planned_endings) {
            Some(Tense::Future)
        } else {
            self.tense(here).filter(|tense| *tense == Tense::Past)
        }
    }

    /// Whether a verb of the clause ends like this; short words and names do not count.
    fn has_ending(&self, here: &Range<usize>, endings: &[&str]) -> bool {
        let (before, after) = self.clause(here);
        let mut words = before.split(|c: char| !c.is_alphanumeric()).chain(after.split(|c: char| !c.is_alphanumeric()));
        words.any(|word| {
            let verb = word.chars().count() > 3 && word.starts_with(char::is_lowercase);
            verb && endings.iter().any(|ending| word.ends_with(ending))
        })
    }

    /// Whether one of `words` is in the clause around the phrase; `word~` stands for all that begin so.
    fn tells(&self, here: &Range<usize>, words: &[&str]) -> bool {
        let (before, after) = self.clause(here);
        [before, after].into_iter().any(|part| words.iter().any(|word| says(part, word, self.language.spaced)))
    }

    /// The clause on both sides of the phrase. A comma right behind a phrase that opens the sentence parts nothing.
    fn clause(&self, here: &Range<usize>) -> (&str, &str) {
        const ENDS: &[char] = &[',', ':', '(', ')', '，', '：', '（', '）'];
        let start = self.text.ceil_char_boundary(here.start.saturating_sub(REACH)).max(self.sentence.start);
        let end = self.text.floor_char_boundary(here.end + REACH).min(self.sentence.end);
        let before = &self.text[start.min(here.start)..here.start];
        let after = &self.text[here.end..end.max(here.end)];
        let opens = before.trim().is_empty();
        let after_comma = after.trim_start_matches([',', '、', '，']);
        let after = if opens || !self.language.spaced { after_comma } else { after };
        let before = before.rsplit(ENDS).next().unwrap_or_default();
        (before, after.split(ENDS).next().unwrap_or_default())
    }

    /// Whether the sentence names a second weekday: several days in a row are a timetable.
    fn names_another_day(&self, here: &Range<usize>) -> bool {
        let (before, after) = (&self.text[self.sentence.start..here.start], &self.text[here.end..self.sentence.end]);
        let mut words = before
            .split(|c: char| !c.is_alphabetic() && c != '-')
            .chain(after.split(|c: char| !c.is_alphabetic() && c != '-'));
        words.any(|word| self.language.weekdays.iter().any(|(day, _)| *day == word.to_lowercase()))
    }

    /// Whether a date stands right behind a weekday, which then only explains it.
    fn explains(&self, here: &Range<usize>) -> bool {
        let after = self.text[here.end..].trim_start_matches([',', ' ', '(']);
        let article = ["den ", "dem ", "le ", "il ", "de ", "dia "];
        let after = article.iter().find_map(|word| after.strip_prefix(word)).unwrap_or(after);
        let dated = after.starts_with(|c: char| c.is_ascii_digit());
        let hour =
            after.find(|c: char| !c.is_ascii_digit()).is_some_and(|end| after[end..].starts_with([':', 'h', 'H']));
        let explained =
            self.text[..here.start].trim_end_matches([' ', '(', ',']).ends_with(|c: char| c.is_ascii_digit());
        dated && !hour || explained
    }

    /// Whether the words right before the phrase say that it is the name of something.
    fn is_called(&self, start: usize) -> bool {
        let from = self.text.ceil_char_boundary(start.saturating_sub(NAMING)).max(self.sentence.start).min(start);
        let before = self.text[from..start].trim_end().to_lowercase();
        self.language
            .called
            .iter()
            .any(|word| before.strip_suffix(word).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric)))
    }

    /// Whether no noun follows that the number could count: the clause ends, or a small word goes on.
    fn stands_alone(&self, end: usize) -> bool {
        let after = self.text[end..self.sentence.end.max(end)].trim_start_matches(' ');
        let word = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if word.is_empty() {
            return after.is_empty() || after.starts_with(['.', ',', ';', ':', '!', '?', ')', '\n']);
        }
        self.language.clues.contains(&word.to_lowercase().as_str())
    }

    /// Whether a year stands beside the phrase.
    fn has_year(&self, start: usize, end: usize) -> bool {
        let after = self.text[end..].trim_start_matches([' ', ',', '.']);
        let after = ["de ", "del ", "do ", "năm "].iter().find_map(|word| after.strip_prefix(word)).unwrap_or(after);
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let before = self.text[..start].trim_end_matches([' ', '年', '년']);
        let year_before = before.len() < start && before.bytes().rev().take_while(u8::is_ascii_digit).count() == 4;
        digits == 4 || year_before && !self.language.spaced
    }
}

/// Whether `part` has `word` in it.
fn says(part: &str, word: &str, spaced: bool) -> bool {
    let (word, open) = word.strip_suffix('~').map_or((word, false), |word| (word, true));
    part.char_indices().any(|(at, _)| {
        let begins = !spaced || !part[..at].ends_with(char::is_alphanumeric);
        begins && same(part, at, word).is_some_and(|end| !spaced || open || ends_word(part, end))
    })
}

fn month(month: Option<(i16, i8)>) -> Option<DateMeaning> {
    month.map(|(year, month)| DateMeaning::Month(year, month))
}

/// A stretch this many after the one that `today` is in.
fn period(today: Date, stretch: Stretch, shift: i64) -> Option<DateMeaning> {
    Some(match stretch {
        Stretch::Week => DateMeaning::Week(calendar::monday(today, shift)?),
        Stretch::Weekend => DateMeaning::Weekend(in_week(today, shift, Weekday::Saturday)?),
        Stretch::Month => return month(month_after(today, shift as i32)),
        Stretch::Quarter => {
            let (year, quarter) = calendar::quarter_after(today, shift as i32)?;
            DateMeaning::Quarter(year, quarter)
        }
        Stretch::Year => DateMeaning::Year(today.year().checked_add(shift as i16)?),
    })
}

/// Its last day, or its first.
fn border(today: Date, stretch: Stretch, shift: i64, last: bool) -> Option<Date> {
    match (period(today, stretch, shift)?, last) {
        (DateMeaning::Week(_), true) => calendar::end_of_week(today, shift),
        (DateMeaning::Weekend(saturday), true) => plus_days(saturday, 1),
        (DateMeaning::Week(first) | DateMeaning::Weekend(first), _) => Some(first),
        (DateMeaning::Month(year, month), true) => last_of_month((year, month)),
        (DateMeaning::Month(year, month), false) => Date::new(year, month, 1).ok(),
        (DateMeaning::Quarter(year, quarter), true) => calendar::last_of_quarter((year, quarter)),
        (DateMeaning::Quarter(year, quarter), false) => Date::new(year, quarter * 3 - 2, 1).ok(),
        (DateMeaning::Year(year), true) => last_of_month((year, 12)),
        (DateMeaning::Year(year), false) => Date::new(year, 1, 1).ok(),
        _ => None,
    }
}
