//! How an extraction set is scored (`evals/README.md`).
//!
//! A saved memory meets an expectation when action, file and every demanded word and date agree; each meets at most one.
//! The type is scored beside it, since some types can be argued about.

use std::collections::BTreeMap;

use serde::Serialize;

use super::extract::{ConversationCase, Expected};
use super::share;

/// One thing that was done to memory.
pub(super) struct SavedItem {
    /// `create`, `update` or `delete`.
    pub(super) action: &'static str,
    pub(super) file: String,
    /// The name it had, where that claimed an old value.
    pub(super) renamed_from: Option<String>,
    pub(super) kind: &'static str,
    pub(super) scope: &'static str,
    /// Name, description and body as they are now.
    pub(super) text: String,
}

/// The metrics of one kind of conversation, or of all. `None`: there was nothing to measure.
#[derive(Serialize)]
pub(super) struct KindScore {
    pub(super) cases: usize,
    /// Conversations with nothing to save.
    pub(super) empty: usize,
    /// The share of those in which nothing was saved.
    pub(super) clean: Option<f64>,
    pub(super) expected: usize,
    pub(super) saved: usize,
    pub(super) matched: usize,
    pub(super) precision: Option<f64>,
    pub(super) recall: Option<f64>,
    /// The same two where a match of another type is none.
    pub(super) precision_typed: Option<f64>,
    pub(super) recall_typed: Option<f64>,
    pub(super) type_right: Option<f64>,
    /// Of new memories; an update stays where the memory is.
    pub(super) scope_right: Option<f64>,
    pub(super) why_kept: Option<f64>,
    /// Conversations after which a saved memory held forbidden text.
    pub(super) forbidden: usize,
}

/// The metrics of a set.
#[derive(Serialize)]
pub(super) struct ExtractMetrics {
    pub(super) all: KindScore,
    pub(super) kinds: BTreeMap<String, KindScore>,
}

#[derive(Clone, Default)]
struct TallyCounts {
    cases: usize,
    empty: usize,
    clean: usize,
    expected: usize,
    saved: usize,
    matched: usize,
    typed: usize,
    scope: (usize, usize),
    why: (usize, usize),
    forbidden: usize,
}

#[derive(Default)]
pub(super) struct Tally {
    kinds: BTreeMap<String, TallyCounts>,
}

/// Whether a text holds words that it must not; those of a relative date may stay where their date is beside them (F4).
fn holds(text: &str, forbidden: &str) -> bool {
    let dated = |rest: &str| {
        let rest = rest.strip_prefix("'s").unwrap_or(rest).trim_start();
        rest.strip_prefix('(')
            .is_some_and(|rest| rest.trim_start_matches('~').starts_with(|c: char| c.is_ascii_digit()))
    };
    text.match_indices(forbidden).any(|(at, words)| !dated(&text[at + words.len()..]))
}

impl Tally {
    /// Counts one conversation. Returns what was wrong with it, in words.
    pub(super) fn add(&mut self, case: &ConversationCase, saved: &[SavedItem]) -> Vec<String> {
        let counts = self.kinds.entry(case.kind.clone()).or_default();
        let mut wrong = Vec::new();
        counts.cases += 1;
        counts.expected += case.expected.len();
        counts.saved += saved.len();
        if case.expected.is_empty() {
            counts.empty += 1;
            counts.clean += usize::from(saved.is_empty());
        }
        for text in &case.forbidden {
            if saved.iter().any(|saved| holds(&saved.text.to_lowercase(), &text.to_lowercase())) {
                wrong.push(format!("forbidden {text:?}"));
            }
        }
        counts.forbidden += usize::from(!wrong.is_empty());
        let mut free: Vec<&SavedItem> = saved.iter().collect();
        for expected in &case.expected {
            let meets = |saved: &&SavedItem| meets(saved, expected);
            let typed = |saved: &&SavedItem| meets(saved) && is_kind(saved, expected);
            let Some(at) = free.iter().position(typed).or_else(|| free.iter().position(meets)) else {
                let what = expected.must_mention.iter().map(|words| words.join("/")).collect::<Vec<_>>().join(" + ");
                let file = expected.file.as_deref().unwrap_or_default();
                wrong.push(format!("missing {} {file} {what} {}", expected.action, expected.dates.join(" ")));
                continue;
            };
            let found = free.remove(at);
            counts.matched += 1;
            counts.typed += usize::from(is_kind(found, expected));
            if !is_kind(found, expected) {
                wrong.push(format!("type {} for {}", found.kind, expected.kind.as_deref().unwrap_or_default()));
            }
            if let (Some(scope), "create") = (&expected.scope, expected.action.as_str()) {
                counts.scope.0 += usize::from(scope == found.scope);
                counts.scope.1 += 1;
            }
            if expected.why {
                counts.why.0 += usize::from(found.text.contains("**Why:**"));
                counts.why.1 += 1;
            }
        }
        wrong.extend(free.iter().map(|saved| format!("unwanted {} {}", saved.action, saved.file)));
        wrong
    }

    pub(super) fn metrics(&self) -> ExtractMetrics {
        let mut all = TallyCounts::default();
        for counts in self.kinds.values() {
            all.add(counts);
        }
        ExtractMetrics {
            all: all.score(),
            kinds: self.kinds.iter().map(|(kind, counts)| (kind.clone(), counts.score())).collect(),
        }
    }
}

impl TallyCounts {
    fn add(&mut self, other: &TallyCounts) {
        self.cases += other.cases;
        self.empty += other.empty;
        self.clean += other.clean;
        self.expected += other.expected;
        self.saved += other.saved;
        self.matched += other.matched;
        self.typed += other.typed;
        self.scope = (self.scope.0 + other.scope.0, self.scope.1 + other.scope.1);
        self.why = (self.why.0 + other.why.0, self.why.1 + other.why.1);
        self.forbidden += other.forbidden;
    }

    fn score(&self) -> KindScore {
        let of = |part: usize, all: usize| (all > 0).then(|| share(part, all));
        KindScore {
            cases: self.cases,
            empty: self.empty,
            clean: of(self.clean, self.empty),
            expected: self.expected,
            saved: self.saved,
            matched: self.matched,
            precision: of(self.matched, self.saved),
            recall: of(self.matched, self.expected),
            precision_typed: of(self.typed, self.saved),
            recall_typed: of(self.typed, self.expected),
            type_right: of(self.typed, self.matched),
            scope_right: of(self.scope.0, self.scope.1),
            why_kept: of(self.why.0, self.why.1),
            forbidden: self.forbidden,
        }
    }
}

fn meets(saved: &SavedItem, expected: &Expected) -> bool {
    let base = |file: &str| file.rsplit('/').next().unwrap_or(file).to_owned();
    let named = saved.renamed_from.as_ref().unwrap_or(&saved.file);
    let right_file = expected.file.as_ref().is_none_or(|file| base(file) == base(named));
    if saved.action != expected.action || !right_file {
        return false;
    }
    let text = saved.text.to_lowercase();
    let says = |word: &String| text.contains(&word.to_lowercase());
    expected.must_mention.iter().all(|words| words.iter().any(says)) && expected.dates.iter().all(says)
}

fn is_kind(saved: &SavedItem, expected: &Expected) -> bool {
    expected.action == "delete" || expected.kind.as_deref().is_none_or(|kind| kind == saved.kind)
}
