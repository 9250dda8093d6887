//! "in two weeks", "3 days ago", "a week from Friday".
//!
//! Enters: a place in a page. Leaves: the day so far away; months and years away are named as
//! months and years. "Within a week" is its last day where one thing is promised. Never takes a length: "answered within
//! 30 days", "we wrote it in two weeks".

use super::super::DateMeaning;
use super::super::calendar::{Tense, following, month_after, plus_days};
use super::{Gap, Hit, Page, names, once, one_of, sense};
use memdir_lexicon as lexicon;

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
    article: bool,
}

pub(super) fn counted(page: &Page, from: usize) -> Option<Hit> {
    if page.is(from, &["in"]) {
        return ahead(page, from);
    }
    if page.is(from, &["within"]) {
        return within(page, from);
    }
    if page.is(from, &["over", "during"]) {
        return during(page, from);
    }
    let amount = amount(page, from, false)?;
    // "a week on Tuesday": said of weeks only, and "twice a week on Tuesday" is a habit.
    if page.next_is(amount.to, &["on"])
        && matches!(amount.unit, Unit::Days(7 | 14))
        && !page.previous_is(from, &["once", "twice", "times", "time", "day", "days", "hour", "hours"])
        && !sense::habit(page, from)
    {
        let weekday = names::weekday(page.next(amount.to + 1)?)?;
        return from_day(&amount, following(page.today, weekday)?);
    }
    if page.next_is(amount.to, &["ago"]) {
        return placed(page, amount.to + 1, &amount, -1);
    }
    if page.next_is(amount.to, &["from"]) {
        let base = page.next(amount.to + 1)?;
        let days = if one_of(base, &["now", "today"]) {
            0
        } else if one_of(base, lexicon::en::TOMORROW) {
            1
        } else if let Some(weekday) = names::weekday(base) {
            return from_day(&amount, following(page.today, weekday)?);
        } else {
            return None;
        };
        if days == 0 {
            return placed(page, amount.to + 2, &amount, 1);
        }
        return from_day(&amount, plus_days(page.today, days)?);
    }
    None
}

fn from_day(amount: &Amount, base: jiff::civil::Date) -> Option<Hit> {
    match amount.unit {
        Unit::Days(days) if !amount.rough => Some(Hit::day(amount.to + 2, plus_days(base, days * amount.count)?)),
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
    // "in a week from today" is one phrase.
    let from_now = page.next_is(amount.to, &["from"]) && page.next_is(amount.to + 1, &["now", "today"]);
    let to = amount.to + if from_now { 2 } else { usize::from(time) };
    if page.next_is(to, &["of", "or", "at", "max", "flat", "straight"])
        || apostrophe && page.is(to, &["worth", "work", "notice"])
        || page.words.get(to).is_some_and(|w| w.gap == Gap::Hyphen)
    {
        return None;
    }
    let repeated = page.previous_is(from, &["once", "twice", "times", "even", "earlier", "only"]);
    let lasting = amount.article && !matches!(amount.unit, Unit::Days(7 | 14) | Unit::Months);
    let past = sense::clause_tense(page, from) == Tense::Past;
    if repeated || lasting || past || sense::habit(page, from) || once::in_general(page, from) {
        return None;
    }
    placed(page, to, &amount, 1)
}

/// "within a week" as the last day of it. A duty that holds for each of many has no such day: "refunds are paid within
/// two weeks", "within two days of the report".
fn within(page: &Page, from: usize) -> Option<Hit> {
    let amount = next_amount(page, from + 1)?;
    let measured = page.next_is(amount.to, &["of", "or", "after", "from"]);
    let clause = sense::clause(&page.words, from);
    let rule = sense::habit(page, from) || once::is_general(page, &clause);
    let meant =
        clause.clone().any(|at| page.is(at, lexicon::en::DATE_PROMISED)) || begins_with_order(page, clause.start, from);
    // What was promised is one thing: "we promised the customer a fix".
    let promised = clause.clone().any(|at| page.is(at, &["promised", "agreed"]));
    let of_many = clause.clone().any(|at| {
        let article = promised && page.is(at, &["a", "an"]);
        !(from..amount.to).contains(&at) && !article && page.is(at, lexicon::en::DATE_OF_MANY)
    });
    if measured || rule || !meant || of_many || sense::clause_tense(page, from) == Tense::Past {
        return None;
    }
    placed(page, amount.to, &amount, 1)
}

/// "over the next two weeks", from today on.
fn during(page: &Page, from: usize) -> Option<Hit> {
    let forward = page.next_is(from + 1, &["the"]) && page.next_is(from + 2, &["next", "coming"]);
    let amount = if forward { amount(page, from + 3, true)? } else { return None };
    let Unit::Days(days) = amount.unit else { return None };
    if amount.rough || sense::habit(page, from) {
        return None;
    }
    let last = plus_days(page.today, days * amount.count)?;
    Some(Hit::new(amount.to, DateMeaning::Days(page.today, last)))
}

/// "two weeks", "the next two weeks".
fn next_amount(page: &Page, at: usize) -> Option<Amount> {
    let article = usize::from(page.next_is(at, &["the"]));
    let next = usize::from(page.next_is(at + article, &["next", "coming"]));
    if next == 1
        && let Some(unit) = unit(page.next(at + article + 1)?)
    {
        return Some(Amount { to: at + article + 2, count: 1, unit, rough: false, article: false });
    }
    amount(page, at + if next == 1 { article + next } else { 0 }, true)
}

/// "Fix this within two weeks".
fn begins_with_order(page: &Page, start: usize, from: usize) -> bool {
    start + 2 <= from && page.is(start + 1, &["this", "that", "it", "the"])
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
    let mut count = names::count(word);
    let mut couple = false;
    at += 1;
    // "a few days ago" names no day.
    if article && page.next_is(at, &["couple"]) {
        (couple, count, at) = (true, Some(2), at + 1);
        article = false;
        if page.next_is(at, &["of"]) {
            at += 1;
        }
    }
    let count = count?;
    let unit = unit(page.next(at)?)?;
    let rough = rough || couple;
    Some(Amount { to: at + 1, count, unit, rough, article })
}

fn unit(word: &str) -> Option<Unit> {
    match word {
        w if one_of(w, &["day", "days"]) => Some(Unit::Days(1)),
        w if one_of(w, &["week", "weeks"]) => Some(Unit::Days(7)),
        w if one_of(w, &["fortnight", "fortnights"]) => Some(Unit::Days(14)),
        w if one_of(w, &["month", "months"]) => Some(Unit::Months),
        w if one_of(w, &["year", "years"]) => Some(Unit::Years),
        _ => None,
    }
}

/// An amount counted from today, forwards or backwards.
fn placed(page: &Page, to: usize, amount: &Amount, sign: i64) -> Option<Hit> {
    let today = page.today;
    let count = sign * amount.count;
    let meant = match amount.unit {
        Unit::Days(days) => {
            let day = plus_days(today, days * count)?;
            if amount.rough { DateMeaning::About(day) } else { DateMeaning::Day(day) }
        }
        Unit::Months => {
            let (year, month) = month_after(today, count as i32)?;
            DateMeaning::Month(year, month)
        }
        Unit::Years => {
            let (year, _) = month_after(today, count as i32 * 12)?;
            DateMeaning::Year(year)
        }
    };
    Some(Hit::new(to, meant))
}
