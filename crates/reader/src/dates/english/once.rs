//! Whether the words around a weekday, a day of the month or a month say which one of the many is meant.
//!
//! Enters: a phrase and its clause. Leaves: the tense of the one that is meant, or nothing where it may come again and
//! again: "standup is Monday", "releases are cut on Thursday", "no deploys on Friday". One that is meant takes a sign: the
//! past, a plan ("will"), a change ("moves to", "starts"), a deadline ("due", "by", "until"). Never guesses without one (F4).

use std::ops::Range;

use super::super::calendar::Tense;
use super::{Gap, Page, names, one_of, sense};
use memdir_lexicon as lexicon;

/// The tense of the one that is meant by the word at `from`, if one is.
pub(super) fn meant_once(page: &Page, from: usize) -> Option<Tense> {
    meant_in(page, from..from + 1)
}

/// The same for a phrase of several words, none of which speaks for itself.
pub(super) fn meant_in(page: &Page, phrase: Range<usize>) -> Option<Tense> {
    let from = phrase.start;
    let clause = sense::clause(&page.words, from);
    let sentence = sense::sentence(&page.words, from);
    let around = || clause.clone().filter(|at| !phrase.contains(at));
    let has = |words: &[&str]| around().any(|at| page.is(at, words));
    if page.previous_is(from, &["since"]) {
        return Some(Tense::Past);
    }
    let past = tells_past(page, from, &clause);
    let conditional = (sentence.start..from).any(|at| page.is(at, &["if", "unless", "whenever"]));
    if conditional
        || !past && page.is(sentence.start, lexicon::en::DATE_CONDITION)
        || page.is(clause.start, lexicon::en::DATE_ANY)
    {
        return None;
    }
    // "closed from Friday evening until Monday" comes around; one border alone does not.
    let spans = around().any(|at| page.word(at).is_some_and(|word| names::weekday(word).is_some()));
    if page.previous_is(from, lexicon::en::DATE_UNTIL) || page.previous_is(from, &["coming", "upcoming"]) {
        return (!spans && !has(&["open", "opens", "available", "works", "only"])).then_some(Tense::Future);
    }
    if page.previous_is(from, &["from", "starting"]) && has(&["away", "out", "leave", "vacation", "holiday", "on"]) {
        return Some(if past { Tense::Past } else { Tense::Future });
    }
    let due = page.previous_is(from, lexicon::en::DATE_BY) || by_hour_of(page, from) || is_latest(page, from);
    let to = page.previous_is(from, &["to", "for", "from"]) || due;
    let general = is_general(page, &clause);
    let weekday = names::weekday(page.word(from).unwrap_or_default()).is_some();
    let rule = general || !weekday && has(lexicon::en::DATE_MONTHLY);
    let moved = page.previous_is(from, &["to"]) && sentence.clone().any(|at| page.is(at, lexicon::en::DATE_MOVED));
    let planned = around()
        .any(|at| page.is(at, lexicon::en::DATE_PLANNED) && !(rule && page.is(at, lexicon::en::DATE_PLANNED_IN_RULES)))
        || to && has(&["set", "arranged", "fixed", "ready"])
        || moved;
    if planned && (to || !past || has(&["will", "ll", "due"])) {
        return Some(Tense::Future);
    }
    if past {
        return (!has(lexicon::en::DATE_USED_TO)).then_some(Tense::Past);
    }
    if general {
        return None;
    }
    let rounds = if weekday { lexicon::en::DATE_ROUND } else { lexicon::en::DATE_MONTHLY };
    let comes_around = around().any(|at| one_of(page.words[at].text, rounds));
    let proposed = has(&["let", "lets"]) && !has(&["never", "not", "always", "no", "every", "only", "stop"]);
    if begins_then(page, &phrase) || proposed || until_then(page, from, &sentence) {
        return Some(Tense::Future);
    }
    if has(lexicon::en::DATE_BORDER) && !comes_around && !spans && !has(&["every", "no"]) {
        return Some(Tense::Future);
    }
    if has(&["going"]) && has(&["to"])
        || is_doing(page, &clause)
        || has(&["deploying", "shipping", "leaving", "flying", "presenting", "launching", "switching", "migrating"])
    {
        return Some(Tense::Future);
    }
    let ended =
        has(lexicon::en::DATE_ENDED) && has(lexicon::en::DATE_ONE_THING) && !has(&["every", "no", "not", "don"]);
    // "ignore it until they replace it on the 22nd"
    let until = (clause.start..from).any(|at| page.is(at, lexicon::en::DATE_UNTIL));
    if !spans && (ended || until || due) {
        return Some(Tense::Future);
    }
    (has(lexicon::en::DATE_DUTY) && clause.clone().any(|at| page.is(at, lexicon::en::DATE_SOMEBODY)) && has(&["to"]))
        .then_some(Tense::Future)
}

/// "starting Monday", "as of Monday", "from Monday on", "Come Monday, it is gone".
fn begins_then(page: &Page, phrase: &Range<usize>) -> bool {
    let from = phrase.start;
    let come = page.previous_is(from, &["come"]) && page.words[from - 1].gap != Gap::Space;
    come || page.previous_is(from, &["starting", "effective"])
        || page.previous_is(from, &["of"]) && page.previous_is(from - 1, &["as"])
        || page.previous_is(from, &["from"]) && page.next_is(phrase.end, &["on", "onward", "onwards", "forward"])
}

/// "by noon on Monday": the hour has the deadline, the weekday says of which day.
fn by_hour_of(page: &Page, from: usize) -> bool {
    let Some(hour) = from.checked_sub(2).filter(|_| page.previous_is(from, &["on"])) else { return false };
    let timed =
        page.is(hour, lexicon::en::PART_OF_DAY) || page.words[hour].text.starts_with(|c: char| c.is_ascii_digit());
    let tied = page.words[hour].gap == Gap::Space && page.words[from - 1].gap == Gap::Space;
    tied && timed && hour.checked_sub(1).is_some_and(|by| page.is(by, lexicon::en::DATE_BY))
}

/// "no later than Wednesday".
pub(super) fn is_latest(page: &Page, from: usize) -> bool {
    page.previous_is(from, &["than"]) && from >= 2 && page.is(from - 2, &["later"])
}

/// "I'm meeting the bank": what somebody is about to do, unless it is what they usually do.
fn is_doing(page: &Page, clause: &Range<usize>) -> bool {
    clause.clone().skip(1).any(|at| {
        let doing = page.words[at].text.len() > 5 && page.words[at].text.ends_with("ing");
        doing && page.word(at).is_some() && page.previous_is(at, &["m", "re"])
    })
}

/// "The phones arrive on Monday, use the emulator until then": what is waited for comes once.
fn until_then(page: &Page, from: usize, sentence: &Range<usize>) -> bool {
    (from + 1..sentence.end)
        .any(|at| page.is(at, &["then"]) && page.previous_is(at, &["until", "till", "before", "by"]))
}

/// A month in which something has to be done, which a rule for all of its kind would not say of one thing.
pub(super) fn is_duty(page: &Page, from: usize) -> Option<Tense> {
    let clause = sense::clause(&page.words, from);
    let duty = clause.clone().any(|at| page.is(at, lexicon::en::DATE_DUTY));
    (duty && !is_general(page, &clause)).then_some(Tense::Future)
}

/// Whether the nearest telling word says that it has happened.
fn tells_past(page: &Page, from: usize, clause: &Range<usize>) -> bool {
    let past = |at: &usize| sense::is_past(page, *at) && !shares_verb(page, clause.start, *at);
    // "They told us that it goes away in May": the verb of its own clause is nearer.
    let tells =
        |at: &usize| past(at) || page.is(*at, lexicon::en::DATE_PRESENT) || page.is(*at, lexicon::en::DATE_BORDER);
    let told = (clause.start..from).rev().find(tells).or_else(|| (from..clause.end).find(tells));
    let opens = from == clause.start || from == clause.start + 1;
    match told {
        Some(at) => past(&at),
        // "On Monday, staging was wiped": the clause is only the day.
        None => opens && sense::tense(page, from) == Tense::Past,
    }
}

/// "Releases are cut and *deployed*": the second participle hangs on the verb of the first.
fn shares_verb(page: &Page, start: usize, at: usize) -> bool {
    page.previous_is(at, &["and", "or", "then"])
        && (start..at).any(|before| page.is(before, &["is", "are", "be", "get", "gets"]))
}

/// Whether a clause speaks of things of a kind: a bare plural with a verb in the present, "refunds are paid".
pub(super) fn is_general(page: &Page, clause: &Range<usize>) -> bool {
    let Some(verb) = clause.clone().find(|at| *at > clause.start && page.is(*at, lexicon::en::DATE_PRESENT)) else {
        return false;
    };
    let noun = page.word(verb - 1).unwrap_or_default();
    let plural = noun.len() > 3 && noun.ends_with('s') && !noun.ends_with("ss") && !noun.ends_with("us")
        || one_of(noun, &["people", "everyone", "nobody", "prs", "PRs"]);
    plural && (clause.start..verb).all(|at| !page.is(at, lexicon::en::DATE_SINGLED))
}

/// The same for the clause around `at`.
pub(super) fn in_general(page: &Page, at: usize) -> bool {
    is_general(page, &sense::clause(&page.words, at))
}
