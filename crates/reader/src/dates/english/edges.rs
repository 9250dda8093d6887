//! "the end of the month", "the last day of June", "start of next week", EOD, EOW, EOM.
//!
//! Enters: a place in a page. Leaves: the first or last day of the period. "End of the week" is its
//! Friday. Never takes "at the end of the day" or "at the end of each month".

use jiff::civil::Date;

use super::super::DateMeaning;
use super::super::calendar::{
    end_of_week, last_of_month, last_of_quarter, monday, month, month_after, plus_days, quarter, quarter_after,
};
use super::{Gap, Hit, Page, names, once, one_of, sense};
use memdir_lexicon as lexicon;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Start,
    Middle,
    End,
}

pub(super) fn edge(page: &Page, from: usize) -> Option<Hit> {
    short(page, from).or_else(|| turned(page, from)).or_else(|| spelled(page, from))
}

/// "by year end", "until month-end".
fn turned(page: &Page, from: usize) -> Option<Hit> {
    let unit = page.word(from)?;
    let joined = page.words.get(from + 1).is_some_and(|w| matches!(w.gap, Gap::Space | Gap::Hyphen));
    let governed = page.previous_is(from, &["by", "until", "till", "before"]);
    if !(joined && governed && page.is(from + 1, &["end"]) && page.stands_alone(from + 2)) {
        return None;
    }
    let day = match unit {
        w if one_of(w, &["month"]) => last_of_month(month_after(page.today, 0)?)?,
        w if one_of(w, &["quarter"]) => last_of_quarter(quarter_after(page.today, 0)?)?,
        w if one_of(w, &["year"]) => last_of_month((page.today.year(), 12))?,
        _ => return None,
    };
    (!sense::habit(page, from) && !once::in_general(page, from)).then(|| Hit::day(from + 2, day))
}

/// EOD and its kin. Before a day ("EOD Friday") it only says when on that day.
fn short(page: &Page, from: usize) -> Option<Hit> {
    let word = page.word(from)?;
    let today = page.today;
    let end = match word.to_ascii_lowercase().as_str() {
        // "tomorrow COB": the day is named already.
        "eod" | "cob" if !day_follows(page, from + 1) && page.last.is_none_or(|(to, _)| to != from) => today,
        "eow" => end_of_week(today, 0)?,
        "eom" => last_of_month(month_after(today, 0)?)?,
        "eoq" => last_of_quarter(quarter_after(today, 0)?)?,
        "eoy" => last_of_month((today.year(), 12))?,
        _ => return None,
    };
    let habit = sense::habit(page, from) || once::in_general(page, from);
    (!habit && (page.stands_alone(from + 1) || page.previous(from).is_some())).then(|| Hit::day(from + 1, end))
}

fn spelled(page: &Page, from: usize) -> Option<Hit> {
    let mut at = from;
    let place = page.is(at, &["at"]);
    // What "at" did not make a date of, its words alone do not either.
    if page.previous_is(at, &["at"]) {
        return None;
    }
    if place {
        page.next(at + 1)?;
        at += 1;
    }
    if page.is(at, &["the"]) {
        page.next(at + 1)?;
        at += 1;
    }
    let edge = match page.word(at)? {
        // "the last day of the month"
        w if one_of(w, &["last", "first"]) && page.next_is(at + 1, &["day"]) => {
            at += 1;
            if one_of(w, &["last"]) { Edge::End } else { Edge::Start }
        }
        w if one_of(w, &["end", "close"]) => Edge::End,
        w if one_of(w, &["start", "beginning"]) => Edge::Start,
        w if one_of(w, &["middle"]) => Edge::Middle,
        _ => return None,
    };
    at += 1;
    if !page.next_is(at, &["of"]) {
        return None;
    }
    let (to, day) = period(page, from, at + 1, edge)?;
    let told = page.is(to - 2, &["next", "this", "last", "current"]);
    if sense::habit(page, from) || !told && once::in_general(page, from) {
        return None;
    }
    // "at the end of the month" comes around; "by" and "the end of June" do not.
    let around = place && page.is(to - 1, &["week", "month", "quarter", "year"]) && page.is(to - 2, &["the", "of"]);
    if around && once::meant_in(page, from..to).is_none() {
        return None;
    }
    let meant = if edge == Edge::Middle { DateMeaning::About(day) } else { DateMeaning::Day(day) };
    Some(Hit::new(to, meant))
}

/// The period whose edge is meant: the word after it, and the day.
fn period(page: &Page, from: usize, at: usize, edge: Edge) -> Option<(usize, Date)> {
    let today = page.today;
    let word = page.next(at)?;
    if let Some((number, _)) = names::month(word) {
        let said = if page.year_follows(at + 1) {
            return None;
        } else if page.next_is(at + 1, &["next"]) && page.next_is(at + 2, &["year"]) {
            return Some((at + 3, in_month((today.year().checked_add(1)?, number), edge)?));
        } else {
            month(today, number, sense::tense(page, from))?
        };
        return Some((at + 1, in_month(said, edge)?));
    }
    if let Some(number) = names::quarter(word) {
        if page.year_follows(at + 1) {
            return None;
        }
        let said = quarter(today, number, sense::tense(page, from))?;
        return Some((at + 1, in_quarter(said, edge)?));
    }
    let (shift, named) = match word {
        w if one_of(w, &["the", "this", "current"]) => (0, at + 1),
        w if one_of(w, &["next"]) => (1, at + 1),
        w if one_of(w, &["last"]) => (-1, at + 1),
        _ => (0, at),
    };
    let determined = named > at;
    let unit = page.next(named)?;
    let day = match unit {
        w if one_of(w, &["day"]) => {
            let governed = page.previous_is(from, &["by", "until", "till", "before"]);
            if determined || edge != Edge::End || !governed || day_follows(page, named + 1) {
                return None;
            }
            today
        }
        w if one_of(w, &["week"]) => match edge {
            Edge::End => end_of_week(today, shift)?,
            Edge::Start => monday(today, shift)?,
            Edge::Middle => plus_days(monday(today, shift)?, 2)?,
        },
        w if one_of(w, &["month"]) => in_month(month_after(today, shift as i32)?, edge)?,
        w if one_of(w, &["quarter"]) => in_quarter(quarter_after(today, shift as i32)?, edge)?,
        w if one_of(w, &["year"]) => {
            let year = today.year().checked_add(shift as i16)?;
            match edge {
                Edge::End => in_month((year, 12), edge)?,
                Edge::Start => in_month((year, 1), edge)?,
                Edge::Middle => in_month((year, 7), Edge::Start)?,
            }
        }
        _ => return None,
    };
    // "end of year 2" and "end of month report" are not dates of ours.
    let plain = determined || page.stands_alone(named + 1);
    plain.then_some((named + 1, day))
}

fn in_month(month: (i16, i8), edge: Edge) -> Option<Date> {
    match edge {
        Edge::End => last_of_month(month),
        Edge::Start => Date::new(month.0, month.1, 1).ok(),
        Edge::Middle => Date::new(month.0, month.1, 15).ok(),
    }
}

fn in_quarter((year, quarter): (i16, i8), edge: Edge) -> Option<Date> {
    match edge {
        Edge::End => last_of_quarter((year, quarter)),
        Edge::Start => Date::new(year, quarter * 3 - 2, 1).ok(),
        Edge::Middle => Date::new(year, quarter * 3 - 1, 15).ok(),
    }
}

/// Whether a day, relative or absolute, is named right after.
fn day_follows(page: &Page, at: usize) -> bool {
    let on = usize::from(page.next_is(at, &["on", "this", "next"]));
    page.words.get(at + on).is_some_and(super::DateWord::is_iso)
        || page.next(at + on).is_some_and(|w| {
            names::weekday(w).is_some()
                || names::month(w).is_some()
                || names::day(w).is_some()
                || one_of(w, lexicon::en::TOMORROW)
                || one_of(w, &["today"])
        })
}
