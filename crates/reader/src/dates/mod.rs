//! Relative dates get the day they mean, beside the words (F4).
//!
//! Enters: prose in one of twenty languages and the day it was said. Leaves: the same prose with the date in brackets
//! after "tomorrow", "next Friday" or 下周三, and a list of what was found. Never changes a byte of what was there, never
//! touches code, quotations, addresses, file names, identifiers, absolute dates, lengths ("two weeks of hardening") or
//! habits ("every Friday", 每周五). A weekday or a day of the month alone is a habit until the sentence says which one is
//! meant: a wrong date is worse than none.
//!
//! Resolving is idempotent: text is read without the dates that are beside their words, and what has one gets no second.

mod anchor;
mod calendar;
mod chinese;
mod english;
mod marks;
mod tabled;
mod words;

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::civil::Date;

pub use anchor::anchor;

use super::non_prose::non_prose;

/// The months and weekdays of English, which are written with a capital and name nobody.
pub(crate) const CALENDAR_NAMES: &[&str] = &[
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// The weekdays that a text names, in any of the languages, once or as a habit; Monday is 1.
pub fn weekdays(text: &str) -> BTreeSet<i8> {
    let mut found = BTreeSet::new();
    let mut before = ['\0'; 2];
    for letter in text.chars() {
        let in_week = before[1] == '周' || before[1] == '週' || (before == ['星', '期']) || (before == ['礼', '拜']);
        if let Some(day) = "一二三四五六日".chars().position(|day| day == if letter == '天' { '日' } else { letter })
            && in_week
        {
            found.insert(day as i8 + 1);
        }
        before = [before[1], letter];
    }
    for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
        let lower = word.to_lowercase();
        let day = lower.strip_suffix('s').unwrap_or(&lower);
        let english = CALENDAR_NAMES[12..].iter().position(|name| name.eq_ignore_ascii_case(day));
        found.extend(english.map(|at| at as i8 + 1));
    }
    found.extend(tabled::weekdays(text));
    found
}

/// Whether a full stop behind these words belongs to a day of the month ("zum 1. Juli") and ends no sentence.
pub(crate) fn is_day_before_month(before: &str, after: &str) -> bool {
    let number = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let next = after.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    number.parse().is_ok_and(|day: u8| (1..=31).contains(&day)) && tabled::is_month(next)
}

/// The whole dates that a text names (`2026-04-14`), and where they stand.
pub fn whole_dates(text: &str) -> impl Iterator<Item = (Range<usize>, Date)> + '_ {
    text.match_indices('-').filter_map(|(at, _)| {
        let place = at.checked_sub(4)?..at + 6;
        let day = text.get(place.clone())?.parse().ok()?;
        Some((place, day))
    })
}

/// What a relative date means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateMeaning {
    /// One day.
    Day(Date),
    /// A day that was only named roughly: "in about five weeks", "mid-June".
    About(Date),
    /// The first and the last day of a span.
    Days(Date, Date),
    /// The Monday of a week.
    Week(Date),
    /// The Saturday of a weekend.
    Weekend(Date),
    /// A year and a month.
    Month(i16, i8),
    /// A year and a quarter, 1 to 4.
    Quarter(i16, i8),
    /// A year.
    Year(i16),
}

/// As it is written beside the words, the same in every language.
impl std::fmt::Display for DateMeaning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let span = |f: &mut std::fmt::Formatter<'_>, first: Date, days: i64| match calendar::plus_days(first, days) {
            Some(last) => write!(f, "{first} – {last}"),
            None => write!(f, "{first}"),
        };
        match *self {
            DateMeaning::Day(day) => write!(f, "{day}"),
            DateMeaning::About(day) => write!(f, "~{day}"),
            DateMeaning::Days(first, last) => write!(f, "{first} – {last}"),
            DateMeaning::Week(monday) => span(f, monday, 6),
            DateMeaning::Weekend(saturday) => span(f, saturday, 1),
            DateMeaning::Month(year, month) => write!(f, "{year:04}-{month:02}"),
            DateMeaning::Quarter(year, quarter) => write!(f, "{year:04}-Q{quarter}"),
            DateMeaning::Year(year) => write!(f, "{year:04}"),
        }
    }
}

impl DateMeaning {
    /// The year it begins in.
    fn year(self) -> i16 {
        match self {
            DateMeaning::Day(day)
            | DateMeaning::About(day)
            | DateMeaning::Days(day, _)
            | DateMeaning::Week(day)
            | DateMeaning::Weekend(day) => day.year(),
            DateMeaning::Month(year, _) | DateMeaning::Quarter(year, _) | DateMeaning::Year(year) => year,
        }
    }
}

/// One phrase that got its date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateChange {
    /// The words that are there.
    pub said: String,
    /// The time they mean.
    pub meant: DateMeaning,
    /// Where they begin in the text that entered, in bytes.
    pub start: usize,
}

/// A text with dates beside its relative ones, and what was done to get there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The text that leaves.
    pub text: String,
    /// Each phrase that got a date, in order; empty when nothing was relative.
    pub changes: Vec<DateChange>,
}

/// A phrase that was recognised: its place and its meaning.
struct Found {
    start: usize,
    end: usize,
    meant: DateMeaning,
}

/// Years that a memory can speak of as near its own time; others come of arithmetic, not of what was said.
const YEARS: std::ops::RangeInclusive<i16> = 1970..=9998;

/// Puts its date beside every relative date of `text`, as seen from `today` (F4).
pub fn resolve(text: &str, today: Date) -> Resolved {
    let mut resolved = Resolved { text: String::with_capacity(text.len() + 16), changes: Vec::new() };
    let mut copied = 0;
    for found in undated(text, today) {
        let said = &text[found.start..found.end];
        let at = found.end + marks::possessive(&text[found.end..]);
        resolved.text.push_str(&text[copied..at]);
        marks::write(&mut resolved.text, found.meant);
        resolved.changes.push(DateChange { said: said.to_owned(), meant: found.meant, start: found.start });
        copied = at;
    }
    resolved.text.push_str(&text[copied..]);
    resolved
}

/// The same text with each dated phrase given by its date alone, for a name, where words that go stale would be all that
/// is read: "The freeze starts on Thursday (2026-04-16)" is named "The freeze starts on 2026-04-16".
pub(crate) fn without_words(text: &str) -> String {
    rewritten(text, |date| Some(date.replace(" – ", "/")))
}

/// The same text with `new` wherever `old` stands. Words that only meant the old date go with it: "until june 30
/// (2026-06-30)" becomes "until 2026-07-15" and never "until june 30 (2026-07-15)".
pub fn replaced(text: &str, old: &str, new: &str) -> String {
    rewritten(text, |date| date.contains(old).then(|| date.replace(old, new))).replace(old, new)
}

/// Puts something in the place of dated phrases and their brackets; `None` leaves one as it is.
fn rewritten(text: &str, put: impl Fn(&str) -> Option<String>) -> String {
    let bare = marks::without(text);
    let mut written = String::with_capacity(text.len());
    let mut copied = 0;
    // The day does not matter: what is in the brackets is taken.
    for found in find(&bare.text, Date::constant(2026, 1, 1)) {
        let Some((start, mark)) = bare.dated(&found).filter(|(start, _)| *start >= copied) else { continue };
        let Some(date) = put(text[mark.clone()].trim_matches([' ', '(', ')'])) else { continue };
        written.push_str(&text[copied..start]);
        written.push_str(&date);
        copied = mark.end;
    }
    written.push_str(&text[copied..]);
    written
}

/// Whether `text` holds a date that only makes sense on the day it was said.
pub fn has_relative(text: &str) -> bool {
    // The recogniser does not depend on the day, only the arithmetic does.
    !undated(text, Date::constant(2026, 1, 1)).is_empty()
}

/// Every phrase that has no date beside it yet.
fn undated(text: &str, today: Date) -> Vec<Found> {
    let bare = marks::without(text);
    let found = find(&bare.text, today);
    found.into_iter().filter_map(|found| bare.place(found)).collect()
}

/// Every phrase of all languages, in order, without overlaps; of two that clash the longer one.
fn find(text: &str, today: Date) -> Vec<Found> {
    let mut excluded = non_prose(text);
    marks::add_quotations(text, &mut excluded);
    marks::add_file_names(text, &mut excluded);
    let mut all = tabled::find(text, &excluded, today);
    all.extend(english::find(text, &excluded, today));
    all.extend(chinese::find(text, &excluded, today));
    all.retain(|found| YEARS.contains(&found.meant.year()));
    all.sort_by_key(|f| (f.start, std::cmp::Reverse(f.end)));
    let mut end = 0;
    all.retain(|f| {
        let free = f.start >= end;
        if free {
            end = f.end;
        }
        free
    });
    all
}

#[cfg(test)]
mod tests;
