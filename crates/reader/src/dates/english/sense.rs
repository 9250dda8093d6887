//! Whether a phrase speaks of the past, of a plan, or of a habit.
//!
//! Enters: the words of a text and where a phrase stands. Leaves: a tense, or "this happens again
//! and again". Judged by the nearest telling word of the clause, then of the sentence; never by
//! more than [`REACH`] words, so that a text without full stops costs no more.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::super::calendar::Tense;
use super::super::words::{DateWord, Gap};
use super::{Page, names, one_of};
use memdir_lexicon as lexicon;

/// Words looked at on either side.
const REACH: usize = 30;

/// What a word tells of the clause it is in; looked up once for each word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ClauseSense(u16);

impl ClauseSense {
    /// A plan, or the present.
    const PLAN: ClauseSense = ClauseSense(1);
    /// A past form, or a thing that is only spoken of once it happened.
    const PAST: ClauseSense = ClauseSense(1 << 1);
    /// A past form that is a participle after "is" or "the".
    const REGULAR: ClauseSense = ClauseSense(1 << 2);
    /// Forms of "be" and others after which a past form is a participle: "is switched off".
    const AUXILIARY: ClauseSense = ClauseSense(1 << 3);
    /// Words after which a word in "ed" describes a thing: "the signed contract".
    const DETERMINER: ClauseSense = ClauseSense(1 << 4);
    /// Makes a habit of what its clause says.
    const HABIT: ClauseSense = ClauseSense(1 << 5);
    /// "every" and "each", which make a habit with the right word after them.
    const EVERY: ClauseSense = ClauseSense(1 << 6);
    /// Words that speak of time after "every": "every byte" does not.
    const CYCLE: ClauseSense = ClauseSense(1 << 7);
    /// A weekday in the plural.
    const PLURAL: ClauseSense = ClauseSense(1 << 8);
    /// Opens a thought of its own.
    const CONJUNCTION: ClauseSense = ClauseSense(1 << 9);

    fn has(self, other: ClauseSense) -> bool {
        self.0 & other.0 != 0
    }
}

const LISTS: &[(ClauseSense, &[&str])] = &[
    (ClauseSense::PLAN, lexicon::en::DATE_PLAN),
    (ClauseSense::PAST, lexicon::en::DATE_PAST),
    (ClauseSense::AUXILIARY, lexicon::en::DATE_AUXILIARY),
    (ClauseSense::DETERMINER, lexicon::en::DATE_DETERMINER),
    (ClauseSense::HABIT, lexicon::en::DATE_HABIT),
    (ClauseSense::EVERY, lexicon::en::DATE_EVERY),
    (ClauseSense::CYCLE, lexicon::en::DATE_CYCLE),
    (ClauseSense::CONJUNCTION, lexicon::en::DATE_CONJUNCTION),
];

static TELLING: LazyLock<HashMap<&'static str, ClauseSense>> = LazyLock::new(|| {
    let mut map: HashMap<&'static str, ClauseSense> = HashMap::new();
    for (telling, words) in LISTS {
        for word in *words {
            map.entry(word).or_default().0 |= telling.0;
        }
    }
    map
});

/// What each word tells.
pub(super) fn tellings(words: &[DateWord]) -> Vec<ClauseSense> {
    words.iter().map(|w| if w.sealed { ClauseSense::default() } else { telling(w.text) }).collect()
}

fn telling(word: &str) -> ClauseSense {
    // The longest listed or derived word; a longer one tells nothing.
    if word.len() > 20 || word == "May" {
        return ClauseSense::default();
    }
    let lower = word.to_ascii_lowercase();
    let mut told = TELLING.get(lower.as_str()).copied().unwrap_or_default();
    let regular = lower.len() > 3 && lower.ends_with("ed") && !lower.starts_with("un");
    if regular && !lexicon::en::NOT_PAST_FORM.contains(&lower.as_str()) {
        told.0 |= ClauseSense::REGULAR.0;
    }
    if lower.strip_suffix('s').is_some_and(|d| d.len() > 5 && names::weekday(d).is_some()) {
        told.0 |= ClauseSense::PLURAL.0;
    }
    if names::weekday(word).is_some() || names::month(word).is_some() || names::count(word).is_some() {
        told.0 |= ClauseSense::CYCLE.0;
    }
    told
}

/// The words around `at` up to the next comma, bracket or full stop.
pub(super) fn clause(words: &[DateWord], at: usize) -> Range<usize> {
    bounded(words, at, |gap| matches!(gap, Gap::Comma | Gap::Bracket | Gap::Break))
}

/// The words around `at` up to the next full stop.
pub(super) fn sentence(words: &[DateWord], at: usize) -> Range<usize> {
    bounded(words, at, |gap| gap == Gap::Break)
}

fn bounded(words: &[DateWord], at: usize, ends: fn(Gap) -> bool) -> Range<usize> {
    let mut start = at;
    while start > 0 && at - start < REACH && !ends(words[start].gap) {
        start -= 1;
    }
    let mut end = at + 1;
    while end < words.len() && end - at < REACH && !ends(words[end].gap) {
        end += 1;
    }
    start..end
}

/// The tense of the phrase that starts at `from`.
pub(super) fn tense(page: &Page, from: usize) -> Tense {
    match clause_tense(page, from) {
        Tense::Open => told_in(&page.tellings, from, sentence(&page.words, from)).unwrap_or(Tense::Open),
        told => told,
    }
}

/// The tense that its own clause gives the phrase at `from`.
pub(super) fn clause_tense(page: &Page, from: usize) -> Tense {
    let words = &page.words;
    if let Some(before) = from.checked_sub(1).filter(|_| words[from].gap == Gap::Space) {
        if one_of(words[before].text, lexicon::en::DATE_AHEAD) || moved_from(words, before) {
            return Tense::Future;
        }
        if one_of(words[before].text, &["since"]) {
            return Tense::Past;
        }
    }
    told_in(&page.tellings, from, clause(words, from)).unwrap_or(Tense::Open)
}

/// The nearest word before tells, then the nearest after; beyond a conjunction only a plan does.
fn told_in(tellings: &[ClauseSense], from: usize, range: Range<usize>) -> Option<Tense> {
    let joint = (from..range.end).find(|i| tellings[*i].has(ClauseSense::CONJUNCTION)).unwrap_or(range.end);
    let mut left = (range.start..from).rev().filter_map(|i| told_by(tellings, i));
    let mut right = (from..joint).filter_map(|i| told_by(tellings, i));
    let mut beyond = (joint..range.end).filter_map(|i| told_by(tellings, i));
    left.next().or_else(|| right.next()).or_else(|| beyond.next().filter(|tense| *tense == Tense::Future))
}

/// "moved from May to October": the day it was planned for.
fn moved_from(words: &[DateWord], before: usize) -> bool {
    one_of(words[before].text, &["from"])
        && before.checked_sub(1).is_some_and(|b| one_of(words[b].text, lexicon::en::MOVED_FROM))
}

fn told_by(tellings: &[ClauseSense], at: usize) -> Option<Tense> {
    let told = tellings[at];
    let before = at.checked_sub(1).map(|b| tellings[b]).unwrap_or_default();
    let participle =
        before.has(ClauseSense::AUXILIARY) || (told.has(ClauseSense::REGULAR) && before.has(ClauseSense::DETERMINER));
    if told.has(ClauseSense::PLAN) {
        Some(Tense::Future)
    } else if (told.has(ClauseSense::PAST) || told.has(ClauseSense::REGULAR)) && !participle {
        Some(Tense::Past)
    } else {
        None
    }
}

/// Whether the word at `at` tells of the past.
pub(super) fn is_past(page: &Page, at: usize) -> bool {
    told_by(&page.tellings, at) == Some(Tense::Past)
}

/// Whether the clause around `at` speaks of something that comes again and again.
pub(super) fn habit(page: &Page, at: usize) -> bool {
    clause(&page.words, at).any(|i| {
        let told = page.tellings[i];
        let cycle = page.tellings.get(i + 1).is_some_and(|next| next.has(ClauseSense::CYCLE));
        told.has(ClauseSense::HABIT) || (told.has(ClauseSense::EVERY) && cycle)
    })
}

/// The same for a weekday: one in the plural nearby makes habits of the others, as in "not on
/// Fridays; hand over on Thursday".
pub(super) fn weekday_habit(page: &Page, at: usize) -> bool {
    let end = page.words.len().min(at + REACH);
    let mut near = page.tellings[at.saturating_sub(REACH)..end].iter();
    habit(page, at) || near.any(|told| told.has(ClauseSense::PLURAL))
}
