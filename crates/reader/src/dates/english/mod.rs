//! English phrases.
//!
//! Enters: text, what is not prose in it, and the day. Leaves: recognised phrases. Each rule looks
//! at one word and those after it and says how far it reaches; the first rule that knows the
//! phrase wins, so the longer phrases are asked first. Never looks further than a sentence.

mod counted;
mod edges;
mod month_days;
mod names;
mod once;
mod ordinals;
mod periods;
mod sense;
mod weekdays;

use std::ops::Range;

use jiff::civil::Date;

use super::calendar::plus_days;
use super::words::{DateWord, Gap, words};
use super::{DateMeaning, Found};
use memdir_lexicon as lexicon;

/// The words of a text, the day, and the phrase found last.
struct Page<'t> {
    words: Vec<DateWord<'t>>,
    /// What each word tells of its clause.
    tellings: Vec<sense::ClauseSense>,
    today: Date,
    /// The word after the last phrase, and what it meant: "from Monday to *Wednesday*".
    last: Option<(usize, DateMeaning)>,
    /// The last date that named its month: "on 14 November, rehearsal on *the 7th*".
    dated: Option<(usize, Date)>,
}

/// A recognised phrase: the word after it, and its meaning.
struct Hit {
    to: usize,
    meant: DateMeaning,
}

type Rule = fn(&Page, usize) -> Option<Hit>;

/// Longer phrases before their parts.
const RULES: &[Rule] = &[
    edges::edge,
    counted::counted,
    day_word,
    month_days::month_day,
    ordinals::ordinal,
    weekdays::weekday,
    periods::period,
];

pub(super) fn find(text: &str, excluded: &[Range<usize>], today: Date) -> Vec<Found> {
    let words = words(text, excluded, names::may_be_part);
    let tellings = sense::tellings(&words);
    let mut page = Page { words, tellings, today, last: None, dated: None };
    let mut found = Vec::new();
    let mut at = 0;
    while at < page.words.len() {
        let word = page.words[at];
        let passed = word.sealed || is_argument(&page, text, at) || page.previous_is(at, lexicon::en::DATE_CALLED);
        let hit = if passed { None } else { RULES.iter().find_map(|rule| rule(&page, at)) };
        let Some(hit) = hit else {
            if let Some(day) = word.iso_day() {
                page.dated = Some((at, day));
            }
            at += 1;
            continue;
        };
        if let (true, DateMeaning::Day(day)) = (names_month(&page, at, hit.to), hit.meant) {
            page.dated = Some((at, day));
        }
        page.last = Some((hit.to, hit.meant));
        let end = page.words[hit.to - 1].end();
        found.push(Found { start: word.start, end, meant: hit.meant });
        at = hit.to;
    }
    found
}

/// Whether a word is the value of a command-line option: "--day yesterday".
fn is_argument(page: &Page, text: &str, at: usize) -> bool {
    page.words[at].gap == Gap::Space && at.checked_sub(1).is_some_and(|b| text[..page.words[b].start].ends_with("--"))
}

fn names_month(page: &Page, from: usize, to: usize) -> bool {
    page.words[from..to].iter().any(|w| names::month(w.text).is_some())
}

impl<'t> Page<'t> {
    /// The word at `at`, if rules may look at it.
    fn word(&self, at: usize) -> Option<&'t str> {
        self.words.get(at).filter(|w| !w.sealed).map(|w| w.text)
    }

    /// The word at `at` when only blanks come before it.
    fn next(&self, at: usize) -> Option<&'t str> {
        self.words.get(at).filter(|w| w.gap == Gap::Space)?;
        self.word(at)
    }

    /// The word before `at` when only blanks are between.
    fn previous(&self, at: usize) -> Option<&'t str> {
        self.words.get(at).filter(|w| w.gap == Gap::Space)?;
        self.word(at.checked_sub(1)?)
    }

    fn is(&self, at: usize, options: &[&str]) -> bool {
        self.word(at).is_some_and(|w| one_of(w, options))
    }

    fn next_is(&self, at: usize, options: &[&str]) -> bool {
        self.next(at).is_some_and(|w| one_of(w, options))
    }

    fn previous_is(&self, at: usize, options: &[&str]) -> bool {
        self.previous(at).is_some_and(|w| one_of(w, options))
    }

    /// Whether a four-digit year follows: then the date is absolute.
    fn year_follows(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|w| {
            matches!(w.gap, Gap::Space | Gap::Comma)
                && w.text.len() == 4
                && (w.text.starts_with("19") || w.text.starts_with("20"))
                && w.text.bytes().all(|b| b.is_ascii_digit())
        })
    }

    /// Whether a clause ends before the word at `at`, or a word goes on that is not a noun.
    fn stands_alone(&self, at: usize) -> bool {
        match self.words.get(at) {
            None => true,
            Some(w) if w.gap == Gap::Space => !w.sealed && one_of(w.text, lexicon::en::DATE_FUNCTION_WORD),
            Some(w) => !matches!(w.gap, Gap::Hyphen | Gap::Apostrophe | Gap::Tight),
        }
    }
}

impl Hit {
    /// A phrase up to before the word `to`.
    fn new(to: usize, meant: DateMeaning) -> Hit {
        Hit { to, meant }
    }

    /// The same for one that means a day.
    fn day(to: usize, day: Date) -> Hit {
        Hit::new(to, DateMeaning::Day(day))
    }
}

fn one_of(word: &str, options: &[&str]) -> bool {
    options.iter().any(|o| word.eq_ignore_ascii_case(o))
}

/// today, tonight, tomorrow, yesterday, and the days beyond them.
fn day_word(page: &Page, from: usize) -> Option<Hit> {
    let start = if page.is(from, &["the"]) { from + 1 } else { from };
    if page.is(start, &["day"]) && (start == from || page.next(start).is_some()) {
        let days = match (page.next(start + 1)?, page.next(start + 2)?) {
            (a, b) if one_of(a, &["after"]) && one_of(b, lexicon::en::TOMORROW) => 2,
            (a, b) if one_of(a, &["before"]) && one_of(b, &["yesterday"]) => -2,
            _ => return None,
        };
        return Some(Hit::day(start + 3, plus_days(page.today, days)?));
    }
    let word = page.word(from)?;
    if one_of(word, &["today", "tonight"]) {
        let name = page.previous_is(from, &["usa", "psychology"]) || shouted_name(page, from);
        if name {
            return None;
        }
        return Some(Hit::day(from + 1, page.today));
    }
    let days = if one_of(word, lexicon::en::TOMORROW) {
        1
    } else if one_of(word, &["yesterday"]) {
        -1
    } else {
        return None;
    };
    // "Tomorrow's menu is always posted tonight" speaks of every day.
    let owns = page.words.get(from + 1).is_some_and(|word| word.gap == Gap::Apostrophe && word.text == "s");
    // "Return null if yesterday is a holiday" speaks of any day.
    let any =
        page.previous_is(from, &["if", "whether", "unless", "when"]) && page.next_is(from + 1, &["is", "was", "falls"]);
    if any || shouted_name(page, from) || owns && sense::habit(page, from) {
        return None;
    }
    Some(Hit::day(from + 1, plus_days(page.today, days)?))
}

/// A word in capitals beside another one in a sentence that is not: a name such as USA TODAY.
fn shouted_name(page: &Page, at: usize) -> bool {
    let shouted = |i: usize| {
        page.words.get(i).is_some_and(|w| w.text.len() > 1 && w.text.bytes().all(|b| b.is_ascii_uppercase()))
    };
    let beside = |i: usize, gap: usize| shouted(i) && page.words.get(gap).is_some_and(|w| w.gap == Gap::Space);
    let sentence = sense::sentence(&page.words, at);
    shouted(at)
        && (beside(at.wrapping_sub(1), at) || beside(at + 1, at + 1))
        && sentence.into_iter().any(|i| page.words[i].text.contains(|c: char| c.is_ascii_lowercase()))
}
