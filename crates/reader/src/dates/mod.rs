//! Relative dates become absolute ones (F4).
//!
//! Enters: prose in English or Chinese and the day it was said. Leaves: the same prose with
//! "tomorrow", "next Friday" or 下周三 written as ISO dates, and a list of what was changed. Never
//! touches code, addresses, file names, identifiers, absolute dates, durations ("two weeks of
//! hardening") or habits ("every Friday", 每周五), and never guesses at a phrase it does not know.
//!
//! Resolving is idempotent: what leaves holds no phrase that would be resolved again.

mod anchor;
mod calendar;
mod chinese;
mod english;
mod words;

use std::ops::Range;

use jiff::civil::Date;

pub use anchor::anchor;

use super::shield::shielded;

/// The months and weekdays of English, which are written with a capital and name nobody.
pub const CALENDAR_NAMES: &[&str] = &[
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

/// What a relative date means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meant {
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

impl std::fmt::Display for Meant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Meant::Day(day) => write!(f, "{day}"),
            Meant::About(day) => write!(f, "about {day}"),
            Meant::Days(first, last) => write!(f, "{first} to {last}"),
            Meant::Week(monday) => write!(f, "the week of {monday}"),
            Meant::Weekend(saturday) => write!(f, "the weekend of {saturday}"),
            Meant::Month(year, month) => write!(f, "{year}-{month:02}"),
            Meant::Quarter(year, quarter) => write!(f, "Q{quarter} {year}"),
            Meant::Year(year) => write!(f, "{year}"),
        }
    }
}

/// One phrase that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateChange {
    /// The words that stood there.
    pub said: String,
    /// The time they meant.
    pub meant: Meant,
    /// Where they began in the text that entered, in bytes.
    pub start: usize,
}

/// A text with absolute dates, and what was done to get there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The text that leaves.
    pub text: String,
    /// Each replaced phrase, in order; empty when nothing was relative.
    pub changes: Vec<DateChange>,
}

/// A phrase that was recognised: its place, its meaning and the words to put there.
struct Found {
    start: usize,
    end: usize,
    meant: Meant,
    put: String,
}

/// Rounds after which no phrase is left; prose needs one, and rarely a second.
const ROUNDS: usize = 6;

/// Writes every relative date of `text` as an absolute one, as seen from `today` (F4).
///
/// A phrase can hide its neighbour's meaning until it is an absolute date itself, so the text is
/// read again until nothing relative is found.
pub fn resolve(text: &str, today: Date) -> Resolved {
    let mut text = text.to_owned();
    let mut done = Vec::new();
    for _ in 0..ROUNDS {
        let found = find(&text, today);
        if found.is_empty() {
            break;
        }
        (text, done) = replace(&text, done, found);
    }
    Resolved { text, changes: done.into_iter().map(|d| d.change).collect() }
}

/// A change, and where it stands in the text so far.
struct Done {
    change: DateChange,
    at: Range<usize>,
}

/// Puts one round of phrases into `old`, between the changes of the rounds before.
fn replace(old: &str, done: Vec<Done>, found: Vec<Found>) -> (String, Vec<Done>) {
    let mut text = String::with_capacity(old.len() + 16);
    let mut all = Vec::with_capacity(done.len() + found.len());
    let mut done = done.into_iter().peekable();
    let mut copied = 0;
    // A place in `old`, and the same place in the text that first entered.
    let mut same = (0, 0);
    for found in found {
        while let Some(earlier) = done.next_if(|d| d.at.end <= found.start) {
            same = (earlier.at.end, earlier.change.start + earlier.change.said.len());
            all.push(earlier.moved(copied, text.len()));
        }
        if done.peek().is_some_and(|d| d.at.start < found.end) {
            continue;
        }
        let said = &old[found.start..found.end];
        let start = same.1 + found.start - same.0;
        text.push_str(&old[copied..found.start]);
        let at = text.len()..text.len() + found.put.len();
        text.push_str(&found.put);
        let change = DateChange { said: said.to_owned(), meant: found.meant, start };
        all.push(Done { change, at });
        copied = found.end;
        same = (found.end, start + said.len());
    }
    all.extend(done.map(|d| d.moved(copied, text.len())));
    text.push_str(&old[copied..]);
    (text, all)
}

impl Done {
    /// The same change after what stood at `from` has come to stand at `to`.
    fn moved(self, from: usize, to: usize) -> Done {
        let at = self.at.start - from + to..self.at.end - from + to;
        Done { at, ..self }
    }
}

/// Whether `text` holds a date that only makes sense on the day it was said.
pub fn has_relative(text: &str) -> bool {
    // The recogniser does not depend on the day, only the arithmetic does.
    !find(text, Date::constant(2026, 1, 1)).is_empty()
}

/// Every phrase of both languages, in order, without overlaps.
fn find(text: &str, today: Date) -> Vec<Found> {
    let shields = shielded(text);
    let mut all = english::find(text, &shields, today);
    all.extend(chinese::find(text, &shields, today));
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
