//! "June 5", "5 June", "the 5th of June", "9 to 20 March", without a year.
//!
//! Enters: a place in a page. Leaves: the day or the span of days, with the year the tense asks
//! for. Never touches a date that has its year.

use jiff::civil::Date;

use super::super::DateMeaning;
use super::super::calendar::{self, Tense, month_after};
use super::{Gap, Hit, Page, names, one_of, sense};
use memdir_lexicon as lexicon;

pub(super) fn month_day(page: &Page, from: usize) -> Option<Hit> {
    let start = if page.is(from, &["the"]) && page.next(from + 1).is_some() { from + 1 } else { from };
    let found = if start == from { month_first(page, from) } else { None };
    let found = found.or_else(|| day_first(page, start))?;
    // "Leap years have a 29th of February."
    if page.previous_is(from, &["a", "any"]) || page.year_follows(found.to) || sense::habit(page, from) {
        return None;
    }
    place(page, from, &found)
}

/// A month with one or two days, as it is in the text.
struct Said {
    to: usize,
    first: i8,
    last: Option<Second>,
    month: Named,
}

/// The second day of "9 to 20" or "24th and 25th".
struct Second {
    to: usize,
    day: i8,
}

/// How the month was named.
enum Named {
    Number(i8),
    After(i32),
}

fn month_first(page: &Page, from: usize) -> Option<Said> {
    let word = page.word(from)?;
    let (number, _) = names::month(word)?;
    let at = from + 1;
    let day = names::day(page.next(at)?)?;
    let last = second_day(page, at + 1);
    let to = last.as_ref().map_or(at + 1, |l| l.to);
    // "may" is also a verb: "it may 5 times" is not a date.
    if word == "may" && !page.stands_alone(to) {
        return None;
    }
    Some(Said { to, first: day, last, month: Named::Number(number) })
}

fn day_first(page: &Page, from: usize) -> Option<Said> {
    let word = page.word(from)?;
    let spelled = || names::day_spelled(word).filter(|_| page.next_is(from + 1, &["of"]));
    let first = names::day(word).or_else(spelled)?;
    // "11, 12 and 19 December": a list that is not taken apart.
    let number = |at: usize| page.word(at).is_some_and(|w| names::day(w).is_some());
    let in_list = (from >= 1 && page.words[from].gap == Gap::Comma && number(from - 1))
        || (from >= 2 && page.previous_is(from, &["and", "or"]) && number(from - 2));
    if in_list {
        return None;
    }
    let last = second_day(page, from + 1);
    let at = last.as_ref().map_or(from + 1, |l| l.to);
    let at = if page.next_is(at, &["of"]) { at + 1 } else { at };
    let word = page.next(at)?;
    if let Some((number, _)) = names::month(word) {
        let verb = word == "may" && !page.stands_alone(at + 1);
        return (!verb).then_some(Said { to: at + 1, first, last, month: Named::Number(number) });
    }
    let shift = match word {
        w if one_of(w, &["next"]) => 1,
        w if one_of(w, &["this"]) => 0,
        w if one_of(w, &["last"]) => -1,
        _ => return None,
    };
    let ordinal = names::day_ordinal(page.word(from)?).is_some();
    (ordinal && page.next_is(at + 1, &["month"])).then_some(Said {
        to: at + 2,
        first,
        last,
        month: Named::After(shift),
    })
}

/// "to 20", "-7", "and 25th" after a day.
fn second_day(page: &Page, at: usize) -> Option<Second> {
    let hyphen = page.words.get(at).is_some_and(|w| w.gap == Gap::Hyphen);
    let joint = at;
    let (at, word) = if hyphen {
        (at, page.word(at)?)
    } else if page.next_is(at, lexicon::en::DATE_JOINT) {
        let article = usize::from(page.next_is(at + 1, &["the"]));
        (at + 1 + article, page.next(at + 1 + article)?)
    } else {
        return None;
    };
    // "5 June to 9 July" names two months; its second half is a phrase of its own.
    let other = page.next(at + 1).is_some_and(|w| names::month(w).is_some());
    let before = page.words[..joint].iter().rev().nth(1);
    let month_before = before.is_some_and(|w| names::month(w.text).is_some());
    let day = names::day(word)?;
    (!(other && month_before)).then_some(Second { to: at + 1, day })
}

fn place(page: &Page, from: usize, said: &Said) -> Option<Hit> {
    let today = page.today;
    let day = |day: i8, base: Date, tense: Tense| match said.month {
        Named::Number(month) => calendar::month_day(base, month, day, tense),
        Named::After(months) => {
            let (year, month) = month_after(today, months)?;
            Date::new(year, month, day).ok()
        }
    };
    let chained = chained(page, from);
    let tense = if chained.is_some() { Tense::Future } else { sense::tense(page, from) };
    let first = day(said.first, chained.unwrap_or(today), tense)?;
    let Some(second) = &said.last else {
        return Some(Hit::day(said.to, first));
    };
    let last = day(second.day, first, Tense::Future).filter(|l| *l > first)?;
    Some(Hit::new(said.to, DateMeaning::Days(first, last)))
}

/// The day named just before, when this phrase goes on from it: "18 December to *4 January*",
/// "from Monday night until *Wednesday*".
pub(super) fn chained(page: &Page, from: usize) -> Option<Date> {
    let (to, DateMeaning::Day(day) | DateMeaning::About(day) | DateMeaning::Days(_, day)) = page.last? else {
        return None;
    };
    if from == to {
        return (page.words[from].gap == Gap::Hyphen).then_some(day);
    }
    let hour = page.next_is(to, lexicon::en::PART_OF_DAY)
        || page.words.get(to).is_some_and(|w| w.sealed && w.gap == Gap::Space && w.text.contains(':'));
    let joint = to + usize::from(hour);
    let article = usize::from(page.next_is(joint + 1, &["the"]));
    let reaches = joint + 1 + article == from && page.next(from).is_some();
    (reaches && page.next_is(joint, lexicon::en::DATE_JOINT)).then_some(day)
}
