//! "on the 5th", "from the 5th to the 16th", "the 24th and 25th": days without a month.
//!
//! Enters: a place in a page. Leaves: the day in the month the tense asks for. Never takes "the
//! 5th attempt", "every 12th" or "on the 1st and 15th", which speak of counts and habits.

use jiff::civil::Date;

use super::super::DateMeaning;
use super::super::calendar::{Tense, day_of_month, days_of_month, month_after};
use super::month_days::chained;
use super::{Gap, Hit, Page, names, once, one_of, sense};
use memdir_lexicon as lexicon;

/// How many words after a date its month still counts.
const REACH: usize = 30;

pub(super) fn ordinal(page: &Page, from: usize) -> Option<Hit> {
    let article = page.is(from, &["the"]);
    let at = if article { from + 1 } else { from };
    let word = if article { page.next(at)? } else { page.word(at)? };
    let first = names::day_ordinal(word)?;
    if !introduced(page, from, article) || sense::habit(page, from) {
        return None;
    }
    if let Some(day) = on_weekday(page, from, first) {
        return Some(Hit::day(at + 1, day));
    }
    let known = chained(page, from).is_some() || beside_a_month(page, from, first).is_some();
    let tense = if known { Tense::Future } else { once::meant_once(page, from)? };
    if let Some((to, last, span)) = second(page, at + 1) {
        let spoken_of = page.stands_alone(to) && (span || last == first + 1);
        let (first, last) = days_of_month(page.today, first, last, tense)?;
        return spoken_of.then(|| Hit::new(to, DateMeaning::Days(first, last)));
    }
    if !page.stands_alone(at + 1) || page.next_is(at + 1, &["of", "is"]) {
        return None;
    }
    let day = match chained(page, from) {
        Some(base) => day_of_month(base, first, Tense::Future)?,
        None => beside_a_month(page, from, first).or_else(|| day_of_month(page.today, first, tense))?,
    };
    Some(Hit::day(at + 1, day))
}

/// "Tuesday the 24th": the nearest month in which that day is that weekday.
fn on_weekday(page: &Page, from: usize, day: i8) -> Option<Date> {
    let weekday = names::weekday(page.previous(from)?)?;
    let months = (0..=2).chain([-1, 3, -2]);
    let days = months.filter_map(|months| month_after(page.today, months));
    days.filter_map(|(year, month)| Date::new(year, month, day).ok())
        .find(|date| date.weekday() == weekday && (*date >= page.today || date.month() != page.today.month()))
}

/// The same month as a date to come that was named shortly before.
fn beside_a_month(page: &Page, from: usize, day: i8) -> Option<Date> {
    let (at, named) = page.dated?;
    let near = from - at <= REACH && named >= page.today;
    near.then(|| Date::new(named.year(), named.month(), day).ok()).flatten()
}

/// Whether the words before make a date of it.
fn introduced(page: &Page, from: usize, article: bool) -> bool {
    let weekday = page.previous(from).is_some_and(|w| names::weekday(w).is_some());
    // "between the 28th and the 1st": a span whose first half was not a date has no second half.
    let hangs = page.previous_is(from, lexicon::en::DATE_JOINT)
        && from >= 2
        && page.next(from - 1).is_some()
        && page.word(from - 2).is_some_and(|w| names::day_ordinal(w).is_some());
    if chained(page, from).is_some() {
        true
    } else if article {
        weekday || (page.previous_is(from, lexicon::en::BEFORE_ORDINAL) && !hangs)
    } else {
        // "28th now", said at the start of a clause, corrects a date.
        let opens = !matches!(page.words[from].gap, Gap::Space | Gap::Hyphen | Gap::Apostrophe);
        let corrected = page.next_is(from + 1, &["now", "instead"]);
        weekday || (opens && corrected) || page.previous_is(from, &["until", "till", "by"])
    }
}

/// "to the 16th", "and 25th", "-16th": the word after, the day, and whether it is a span.
fn second(page: &Page, at: usize) -> Option<(usize, i8, bool)> {
    if page.words.get(at).is_some_and(|w| w.gap == Gap::Hyphen) {
        return Some((at + 1, names::day_ordinal(page.word(at)?)?, true));
    }
    let joint = page.next(at)?;
    let span = one_of(joint, &["to", "until", "till", "through"]);
    if !span && !one_of(joint, &["and"]) {
        return None;
    }
    let at = if page.next_is(at + 1, &["the"]) { at + 2 } else { at + 1 };
    let day = names::day_ordinal(page.next(at)?)?;
    // "the 5th to the 16th of June" has its month and is another rule's.
    (!page.next_is(at + 1, &["of"])).then_some((at + 1, day, span))
}
