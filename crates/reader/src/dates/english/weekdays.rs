//! "on Thursday", "next Wednesday", "last Monday", "Tuesday next week", "Friday week".
//!
//! Enters: a place in a page. Leaves: the day. "Next Wednesday" is that of the next Monday-based
//! week, "this Friday" that of the current one; a weekday alone is one day only where the words around
//! it say so (`once`). Never takes a habit ("on Fridays", "Monday to Wednesday", "every Friday", "standup is Monday"), a name ("Black Friday"), or a weekday that only explains a date ("Thursday, 16 April").

use jiff::civil::{Date, Weekday};

use super::super::calendar::{self, Tense, following, in_week, plus_days, preceding};
use super::month_days::chained;
use super::{Gap, Hit, Page, names, once, one_of, sense};
use memdir_lexicon as lexicon;

pub(super) fn weekday(page: &Page, from: usize) -> Option<Hit> {
    modified(page, from)
        .or_else(|| of_week(page, from))
        .or_else(|| week_then_day(page, from))
        .or_else(|| several(page, from))
        .or_else(|| alone(page, from))
}

fn named(page: &Page, at: usize) -> Option<Weekday> {
    names::weekday(page.word(at)?)
}

/// this / next / last / coming Friday.
fn modified(page: &Page, from: usize) -> Option<Hit> {
    let word = page.word(from)?;
    let coming = one_of(word, &["this"]) && page.next_is(from + 1, &["coming", "past"]);
    let at = if coming { from + 2 } else { from + 1 };
    let day = names::weekday(page.next(at)?)?;
    // "the last Friday of the month" is a habit, "the next Friday" follows something told before.
    let counted = page.previous_is(from, &["the", "every", "each"]) || page.next_is(at + 1, &["of"]);
    let word = if coming { page.word(from + 1)? } else { word };
    let coming_one = one_of(word, &["coming", "upcoming"]);
    if (counted && !coming_one) || plural_part(page, at + 1) {
        return None;
    }
    let today = page.today;
    let found = match word {
        w if one_of(w, &["this"]) => this_one(page, from, day)?,
        w if one_of(w, &["next"]) => in_week(today, 1, day)?,
        w if one_of(w, &["last"]) || coming && one_of(w, &["past"]) => preceding(today, day)?,
        _ if coming_one => following(today, day)?,
        _ => return None,
    };
    Some(Hit::day(at + 1, found))
}

/// "This Monday" is in this week; where it is gone and a plan speaks of it, the next one.
fn this_one(page: &Page, from: usize, day: Weekday) -> Option<Date> {
    let found = in_week(page.today, 0, day)?;
    let planned = once::meant_once(page, from) == Some(Tense::Future);
    if found < page.today && planned { following(page.today, day) } else { Some(found) }
}

/// "Tuesday next week", "Monday of this week", "Friday week".
fn of_week(page: &Page, from: usize) -> Option<Hit> {
    let day = named(page, from)?;
    let at = if page.next_is(from + 1, &["of", "in"]) { from + 2 } else { from + 1 };
    if at == from + 1 && page.next_is(at, &["week"]) && page.stands_alone(at + 1) {
        return Some(Hit::day(at + 1, plus_days(following(page.today, day)?, 7)?));
    }
    if page.next_is(from + 1, &["after"]) && page.next_is(from + 2, &["next"]) && page.stands_alone(from + 3) {
        return Some(Hit::day(from + 3, in_week(page.today, 2, day)?));
    }
    if page.next_is(from + 1, &["before"]) && page.next_is(from + 2, &["last"]) && page.stands_alone(from + 3) {
        return Some(Hit::day(from + 3, plus_days(preceding(page.today, day)?, -7)?));
    }
    let weeks = week_shift(page, at)?;
    Some(Hit::day(at + 2, in_week(page.today, weeks, day)?))
}

/// "next week Wednesday", "next week on Wednesday".
fn week_then_day(page: &Page, from: usize) -> Option<Hit> {
    let weeks = shift(page.word(from)?).filter(|_| page.next_is(from + 1, &["week"]))?;
    let at = if page.next_is(from + 2, &["on"]) { from + 3 } else { from + 2 };
    let day = names::weekday(page.next(at)?)?;
    Some(Hit::day(at + 1, in_week(page.today, weeks, day)?))
}

/// "two Fridays from now", "three Mondays ago".
fn several(page: &Page, from: usize) -> Option<Hit> {
    let count = names::count(page.word(from)?).filter(|count| *count > 1)?;
    let day = names::weekday(page.next(from + 1)?.strip_suffix('s')?)?;
    let weeks = 7 * (count - 1);
    if page.next_is(from + 2, &["from"]) && page.next_is(from + 3, &["now", "today"]) {
        Some(Hit::day(from + 4, plus_days(following(page.today, day)?, weeks)?))
    } else if page.next_is(from + 2, &["ago"]) {
        Some(Hit::day(from + 3, plus_days(preceding(page.today, day)?, -weeks)?))
    } else {
        None
    }
}

fn week_shift(page: &Page, at: usize) -> Option<i64> {
    shift(page.next(at)?).filter(|_| page.next_is(at + 1, &["week"]))
}

fn shift(word: &str) -> Option<i64> {
    match word {
        w if one_of(w, &["this"]) => Some(0),
        w if one_of(w, &["next"]) => Some(1),
        w if one_of(w, &["last"]) => Some(-1),
        _ => None,
    }
}

/// A weekday with nothing but a preposition or a verb before it.
fn alone(page: &Page, from: usize) -> Option<Hit> {
    let day = named(page, from)?;
    if let Some(base) = chained(page, from) {
        return Some(Hit::day(from + 1, following(base, day)?));
    }
    if let Some(weeks) = week_of_span(page, from) {
        return Some(Hit::day(from + 1, in_week(page.today, weeks, day)?));
    }
    let governed = page.previous_is(from, lexicon::en::BEFORE_WEEKDAY) || once::is_latest(page, from);
    let spelled = page.word(from)?.len() > 5;
    let owner = spelled && possessive(page, from);
    let after_verb = spelled && page.previous_is(from, lexicon::en::VERB_WITH_WEEKDAY) && ends_or_hour(page, from + 1);
    let opens = spelled && page.words[from].gap == Gap::Break && page.next(from + 1).is_some();
    let explains = page.previous_is(from, &["is", "was"])
        && from >= 2
        && (page.words[from - 2].is_iso() || page.is(from - 2, &["today", "it", "this", "tomorrow", "yesterday"]));
    if !(governed || owner || after_verb || opens)
        || explains
        || page.previous_is(from, lexicon::en::NAME_WITH_WEEKDAY)
        || beside_date(page, from)
        || listed(page, from)
        || plural_part(page, from + 1)
        || page.next_is(from + 1, &["of", "before", "after", "is", "are"])
        || !page.previous_is(from, &["since"]) && sense::weekday_habit(page, from)
    {
        return None;
    }
    let tense = once::meant_once(page, from)?;
    Some(Hit::day(from + 1, calendar::weekday(page.today, day, tense)?))
}

/// "Monday to Thursday next week": the week of a span is told at its end.
fn week_of_span(page: &Page, from: usize) -> Option<i64> {
    let joined = page.next_is(from + 1, &["to", "through", "until", "till", "and", "or"]);
    (joined && named(page, from + 2).is_some()).then(|| week_shift(page, from + 3)).flatten()
}

fn possessive(page: &Page, from: usize) -> bool {
    page.words.get(from + 1).is_some_and(|w| w.gap == Gap::Apostrophe && w.text == "s")
}

/// The clause ends, or an hour or a part of the day follows.
fn ends_or_hour(page: &Page, at: usize) -> bool {
    page.stands_alone(at) || page.words.get(at).is_some_and(|w| w.sealed && w.text.contains(':'))
}

/// "Friday afternoons", "Sunday nights".
fn plural_part(page: &Page, at: usize) -> bool {
    page.next_is(at, &["afternoons", "mornings", "evenings", "nights", "lunches"])
}

/// Whether a date is beside it, which the weekday only explains.
fn beside_date(page: &Page, from: usize) -> bool {
    let near = |at: usize, gap_at: usize| {
        page.words.get(gap_at).is_some_and(|w| matches!(w.gap, Gap::Space | Gap::Comma | Gap::Bracket))
            && page.words.get(at).is_some_and(|w| {
                w.is_iso() || (!w.sealed && (names::day(w.text).is_some() || names::month(w.text).is_some()))
            })
    };
    let after_the =
        page.next_is(from + 1, &["the"]) && page.next(from + 2).is_some_and(|w| names::day_ordinal(w).is_some());
    let before = from.checked_sub(1).is_some_and(|b| near(b, from));
    before || near(from + 1, from + 1) || after_the
}

/// "Tuesday and Thursday" and "Monday to Wednesday" tell of habits, unless "from" opens the span.
fn listed(page: &Page, from: usize) -> bool {
    let comma = |at: usize| page.words.get(at).is_some_and(|w| w.gap == Gap::Comma);
    let hyphen = |at: usize| page.words.get(at).is_some_and(|w| w.gap == Gap::Hyphen);
    let span = &["to", "through", "till", "until"];
    let and = &["and", "or"];
    let weekday_at = |at: usize| named(page, at).is_some();
    let opens = page.previous_is(from, &["from"]);
    let next_span =
        (page.next_is(from + 1, span) && weekday_at(from + 2)) || (hyphen(from + 1) && weekday_at(from + 1));
    let next_list = (page.next_is(from + 1, and) && weekday_at(from + 2)) || (comma(from + 1) && weekday_at(from + 1));
    let previous = from >= 1
        && ((hyphen(from) || comma(from)) && weekday_at(from - 1)
            || (from >= 2
                && (page.is(from - 1, span) || page.is(from - 1, and))
                && (weekday_at(from - 2) || (from >= 3 && weekday_at(from - 3)))));
    next_list || previous || (next_span && !opens)
}
