//! "in two weeks", "3 days ago", "a week from Friday".
//!
//! Enters: a place in a page. Leaves: the day so far away; months and years away are named as
//! months and years. Never takes a duration: "within 30 days", "we wrote it in two weeks".

use super::super::Meant;
use super::super::calendar::{Tense, following, month_after, plus_days};
use super::{Gap, Hit, Page, names, one_of, sense};

#[derive(Clone, Copy)]
enum Unit {
    Days(i64),
    Months,
    Years,
}

/// A count and its unit: where it ends, how many, how sure.
struct Amount {
    to: usize,
    count: i64,
    unit: Unit,
    rough: bool,
    vague: bool,
    article: bool,
}

pub(super) fn counted(page: &Page, from: usize) -> Option<Hit> {
    if page.is(from, &["in"]) {
        return ahead(page, from);
    }
    let amount = amount(page, from, false)?;
    if page.next_is(amount.to, &["ago"]) {
        return placed(page, from, amount.to + 1, &amount, -1);
    }
    if page.next_is(amount.to, &["from"]) {
        let base = page.next(amount.to + 1)?;
        let days = if one_of(base, &["now", "today"]) {
            0
        } else if one_of(base, names::TOMORROW) {
            1
        } else if let Some(weekday) = names::weekday(base) {
            return from_day(page, from, &amount, following(page.today, weekday)?);
        } else {
            return None;
        };
        if days == 0 {
            return placed(page, from, amount.to + 2, &amount, 1);
        }
        return from_day(page, from, &amount, plus_days(page.today, days)?);
    }
    None
}

fn from_day(page: &Page, from: usize, amount: &Amount, base: jiff::civil::Date) -> Option<Hit> {
    match amount.unit {
        Unit::Days(days) if !amount.vague && !amount.rough => {
            Some(page.day(from, amount.to + 2, plus_days(base, days * amount.count)?))
        }
        _ => None,
    }
}

/// "in N units" as a point in time.
fn ahead(page: &Page, from: usize) -> Option<Hit> {
    page.next(from + 1)?;
    let amount = amount(page, from + 1, true)?;
    // "in two weeks' time"
    let apostrophe = page.words.get(amount.to).is_some_and(|w| matches!(w.gap, Gap::Apostrophe | Gap::Bracket));
    let time = page.next_is(amount.to, &["time"]) || (apostrophe && page.is(amount.to, &["time"]));
    let to = amount.to + usize::from(time);
    if page.next_is(to, &["of", "or", "at", "max", "flat", "straight"])
        || page.words.get(to).is_some_and(|w| w.gap == Gap::Hyphen)
    {
        return None;
    }
    let repeated = page.previous_is(from, &["once", "twice", "times", "even", "earlier", "only"]);
    let lasting = amount.article && !matches!(amount.unit, Unit::Days(7) | Unit::Months);
    let past = sense::clause_tense(page, from) == Tense::Past;
    if repeated || lasting || past || sense::habit(page, from) {
        return None;
    }
    placed(page, from, to, &amount, 1)
}

/// Reads "[about] N units" at `at`; `inside` when the word before belongs to the phrase.
fn amount(page: &Page, from: usize, inside: bool) -> Option<Amount> {
    let mut at = from;
    let rough = page.is(at, &["about", "around", "roughly", "approximately", "some"]);
    if rough {
        page.next(at + 1)?;
        at += 1;
    }
    let word = if at == from && !inside { page.word(at)? } else { page.next(at)? };
    let mut article = one_of(word, &["a", "an"]);
    let (mut count, mut vague) = (names::count(word), one_of(word, &["several"]));
    let mut couple = false;
    at += 1;
    if article && page.next_is(at, &["few"]) {
        (vague, at) = (true, at + 1);
    } else if article && page.next_is(at, &["couple"]) {
        (couple, count, at) = (true, Some(2), at + 1);
        article = false;
        if page.next_is(at, &["of"]) {
            at += 1;
        }
    }
    if !vague && count.is_none() {
        return None;
    }
    let unit = match page.next(at)? {
        w if one_of(w, &["day", "days"]) => Unit::Days(1),
        w if one_of(w, &["week", "weeks"]) => Unit::Days(7),
        w if one_of(w, &["fortnight", "fortnights"]) => Unit::Days(14),
        w if one_of(w, &["month", "months"]) => Unit::Months,
        w if one_of(w, &["year", "years"]) => Unit::Years,
        _ => return None,
    };
    let rough = rough || couple;
    Some(Amount { to: at + 1, count: count.unwrap_or(0), unit, rough, vague, article })
}

/// Writes an amount counted from today, forwards or backwards.
fn placed(page: &Page, from: usize, to: usize, amount: &Amount, sign: i64) -> Option<Hit> {
    let today = page.today;
    if amount.vague {
        let said = page.words[amount.to - 1].text;
        let side = if sign < 0 { "before" } else { "after" };
        let put = page.capitalised(from, format!("a few {said} {side} {today}"));
        return Some(Hit { to, meant: Meant::About(today), put });
    }
    let count = sign * amount.count;
    let meant = match amount.unit {
        Unit::Days(days) => {
            let day = plus_days(today, days * count)?;
            if amount.rough { Meant::About(day) } else { Meant::Day(day) }
        }
        Unit::Months => {
            let (year, month) = month_after(today, count as i32)?;
            Meant::Month(year, month)
        }
        Unit::Years => {
            let (year, _) = month_after(today, count as i32 * 12)?;
            Meant::Year(year)
        }
    };
    let mut hit = page.hit(from, to, meant);
    // The "in" of "in two weeks" is part of the phrase and gives way to the right preposition.
    if page.is(from, &["in"]) && !matches!(meant, Meant::About(_)) {
        let word = if matches!(meant, Meant::Day(_)) { "on" } else { "in" };
        hit.put = page.capitalised(from, format!("{word} {}", super::written(meant)));
    }
    Some(hit)
}
