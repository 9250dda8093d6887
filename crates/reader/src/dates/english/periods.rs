//! "next week", "last month", "this quarter", "in March", "mid-June", "last night".
//!
//! Enters: a place in a page. Leaves: the week, month, quarter or year. Never takes a duration
//! ("over the last week", "the next two months") or a month that only describes ("the June
//! release").

use jiff::civil::{Date, Weekday};

use super::super::DateMeaning;
use super::super::calendar::{Tense, in_week, monday, month, month_after, plus_days, quarter, quarter_after};
use super::{Gap, Hit, Page, names, once, one_of, sense};
use memdir_lexicon as lexicon;

pub(super) fn period(page: &Page, from: usize) -> Option<Hit> {
    after_next(page, from)
        .or_else(|| shifted(page, from))
        .or_else(|| part(page, from))
        .or_else(|| month_alone(page, from))
        .or_else(|| quarter_alone(page, from))
}

/// "in Q1", "by Q3": the one that is meant, not the quarter of every year.
fn quarter_alone(page: &Page, from: usize) -> Option<Hit> {
    let number = names::quarter(page.word(from)?)?;
    let free = page.previous_is(from, lexicon::en::BEFORE_MONTH)
        && !page.year_follows(from + 1)
        && page.stands_alone(from + 1);
    if !free || sense::habit(page, from) {
        return None;
    }
    let told = once::meant_once(page, from).or_else(|| {
        let somebody = sense::clause(&page.words, from).any(|at| page.is(at, &["we", "i", "they"]));
        (somebody && sense::tense(page, from) != Tense::Past).then_some(Tense::Future)
    })?;
    let (year, number) = quarter(page.today, number, told)?;
    Some(Hit::new(from + 1, DateMeaning::Quarter(year, number)))
}

/// "the week after next", "the month before last".
fn after_next(page: &Page, from: usize) -> Option<Hit> {
    let at = if page.is(from, &["the"]) && page.next(from + 1).is_some() { from + 1 } else { from };
    let ahead = page.next_is(at + 1, &["after"]) && page.next_is(at + 2, &["next"]);
    let back = page.next_is(at + 1, &["before"]) && page.next_is(at + 2, &["last"]);
    let shift: i32 = match (ahead, back) {
        (true, _) => 2,
        (_, true) => -2,
        _ => return None,
    };
    page.stands_alone(at + 3).then_some(())?;
    let meant = match page.word(at)? {
        w if one_of(w, &["week"]) => DateMeaning::Week(monday(page.today, shift.into())?),
        w if one_of(w, &["weekend"]) => DateMeaning::Weekend(in_week(page.today, shift.into(), Weekday::Saturday)?),
        w if one_of(w, &["quarter"]) => {
            let (year, quarter) = quarter_after(page.today, shift)?;
            DateMeaning::Quarter(year, quarter)
        }
        w if one_of(w, &["month"]) => {
            let (year, month) = month_after(page.today, shift)?;
            DateMeaning::Month(year, month)
        }
        _ => return None,
    };
    Some(Hit::new(at + 3, meant))
}

/// this / next / last + week, weekend, month, quarter, year, a month's name, a part of the day.
fn shifted(page: &Page, from: usize) -> Option<Hit> {
    let shift = match page.word(from)? {
        w if one_of(w, &["this"]) => 0,
        w if one_of(w, &["next"]) => 1,
        w if one_of(w, &["last"]) => -1,
        _ => return None,
    };
    // "the last week of May", "over the next month": counted or lasting, not a point in time.
    if (shift != 0 && page.previous_is(from, &["the"])) || page.next_is(from + 2, &["of"]) {
        return None;
    }
    let unit = page.next(from + 1)?;
    if page.words.get(from + 2).is_some_and(|w| w.gap == Gap::Hyphen) {
        return None;
    }
    let today = page.today;
    let to = from + 2;
    // "by this time next week" is a day; "this may take a while" is none.
    let same_time = page.previous_is(from, &["time"]) && from >= 2 && page.is(from - 2, &["this"]);
    if shift == 0 && unit == "may" {
        return None;
    }
    let meant = match unit {
        w if same_time && one_of(w, &["week"]) => DateMeaning::Day(plus_days(today, 7 * shift)?),
        w if one_of(w, &["week"]) => DateMeaning::Week(monday(today, shift)?),
        w if one_of(w, &["weekend"]) => DateMeaning::Weekend(in_week(today, shift, Weekday::Saturday)?),
        w if one_of(w, &["month"]) => {
            let (year, month) = month_after(today, shift as i32)?;
            DateMeaning::Month(year, month)
        }
        w if one_of(w, &["quarter"]) => {
            let (year, quarter) = quarter_after(today, shift as i32)?;
            DateMeaning::Quarter(year, quarter)
        }
        w if one_of(w, &["year"]) => DateMeaning::Year(today.year().checked_add(shift as i16)?),
        w if one_of(w, &["night"]) && shift == -1 => DateMeaning::Day(plus_days(today, -1)?),
        w if one_of(w, &["morning", "afternoon", "evening"]) && shift == 0 => DateMeaning::Day(today),
        w => {
            let (number, short) = names::month(w)?;
            if short || page.year_follows(to) || names::day(page.next(to).unwrap_or("")).is_some() {
                return None;
            }
            let (year, number) = relative_month(today, number, shift)?;
            DateMeaning::Month(year, number)
        }
    };
    Some(Hit::new(to, meant))
}

/// "last October" is the one gone by, "next June" the one to come, this month excluded.
fn relative_month(today: Date, number: i8, shift: i64) -> Option<(i16, i8)> {
    let same = number == today.month();
    match shift {
        0 => Some((today.year(), number)),
        1 if same => Some((today.year().checked_add(1)?, number)),
        1 => month(today, number, Tense::Future),
        _ if same => Some((today.year().checked_sub(1)?, number)),
        _ => month(today, number, Tense::Past),
    }
}

/// "mid-June", "early June", "late next month" without its modifier's noun.
fn part(page: &Page, from: usize) -> Option<Hit> {
    let word = page.word(from)?;
    if !one_of(word, &["mid", "early", "late"]) {
        return None;
    }
    let hyphen = page.words.get(from + 1).is_some_and(|w| w.gap == Gap::Hyphen);
    let name = if hyphen { page.word(from + 1)? } else { page.next(from + 1)? };
    let (number, short) = names::month(name)?;
    if (short && !hyphen) || page.year_follows(from + 2) || sense::habit(page, from) {
        return None;
    }
    let (year, number) = month(page.today, number, sense::tense(page, from))?;
    if one_of(word, &["mid"]) {
        let day = Date::new(year, number, 15).ok()?;
        return Some(Hit::new(from + 2, DateMeaning::About(day)));
    }
    Some(Hit::new(from + 2, DateMeaning::Month(year, number)))
}

/// "in March", "until September", "June next year".
fn month_alone(page: &Page, from: usize) -> Option<Hit> {
    let word = page.word(from)?;
    let (number, short) = names::month(word)?;
    if page.next_is(from + 1, &["next", "last", "this"]) && page.next_is(from + 2, &["year"]) {
        let years = match page.word(from + 1)? {
            w if one_of(w, &["next"]) => 1,
            w if one_of(w, &["last"]) => -1,
            _ => 0,
        };
        let meant = DateMeaning::Month(page.today.year().checked_add(years)?, number);
        return Some(Hit::new(from + 3, meant));
    }
    let carried = carried(page, from);
    if !(page.previous_is(from, lexicon::en::BEFORE_MONTH) || carried.is_some())
        || short
        || page.year_follows(from + 1)
        || !page.stands_alone(from + 1)
        || names::day(page.next(from + 1).unwrap_or("")).is_some()
        || sense::habit(page, from)
    {
        return None;
    }
    let (year, number) = match carried {
        Some(first) => month(first, number, Tense::Future)?,
        None => month(page.today, number, once::meant_once(page, from).or_else(|| once::is_duty(page, from))?)?,
    };
    Some(Hit::new(from + 1, DateMeaning::Month(year, number)))
}

/// The month before, when this one goes on from it: "from February to *May*", "in May and *June*".
fn carried(page: &Page, from: usize) -> Option<Date> {
    let (to, DateMeaning::Month(year, month)) = page.last? else {
        return None;
    };
    let joined = to + 1 == from && page.previous_is(from, lexicon::en::DATE_JOINT) && page.next(to).is_some();
    joined.then(|| Date::new(year, month, 1).ok()).flatten()
}
