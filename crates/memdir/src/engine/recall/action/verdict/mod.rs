//! What a memory has to say about what is about to be done: nothing, something, or that it must not be done.
//!
//! Enters: what a memory is about, and the operations of a call. Leaves: a [`ActionVerdict`] with its reason. A prohibition that matches an operation
//! holds it; an advice speaks when something else is used than what it advises; a case and an explanation speak when they name the
//! operation. Who already does what is advised is told nothing.

mod advice;
mod explanation;
mod memory_traits;
mod prohibition;

use memdir_core::kind::Type;
use memdir_lexicon::programs;
use memdir_reader::subjects::{Clause, Stance, Subjects};

use super::clause_match::{ClauseMatch, match_clause};
use super::operation::Operation;
use super::target::{TargetMatch, compare_targets};
use super::things::{NamedThing, things};
use advice::advised;
use explanation::explained;
use memory_traits::MemoryTraits;
use prohibition::forbidden;

/// What a memory has to say.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ActionVerdict {
    /// Whether it forbids what is about to be done.
    pub(super) forbids: bool,
    /// How sure that is, 0 to 1.
    pub(super) score: f32,
    /// The words of the memory that the call is about.
    pub(super) words: String,
}

/// What one clause has to say about one operation.
enum ClauseVerdict {
    Nothing,
    Tells(f32),
    Forbids(f32),
    /// It is done as the memory wants it.
    Fulfilled,
    /// What is done is near what is forbidden, and is not it.
    Avoided,
}

/// By what it does alone an operation is not as surely forbidden as by its name.
const BY_ACTIVITY: f32 = 0.8;

/// Holds a memory against the operations of a call.
pub(super) fn judge(subjects: &Subjects, kind: Option<Type>, operations: &[Operation]) -> Option<ActionVerdict> {
    let memory = MemoryTraits::of(subjects, kind);
    let mut best: Option<ActionVerdict> = None;
    let (mut fulfilled, mut avoided) = (false, false);
    for operation in operations {
        for (clause, things) in subjects.clauses.iter().zip(&memory.things) {
            let matched = match_clause(clause, things, operation);
            let (forbids, score) = match say(clause, things, operation, &matched, &memory) {
                ClauseVerdict::Nothing => continue,
                ClauseVerdict::Fulfilled => {
                    fulfilled = true;
                    continue;
                }
                ClauseVerdict::Avoided => {
                    avoided = true;
                    continue;
                }
                ClauseVerdict::Tells(score) => (false, score),
                ClauseVerdict::Forbids(score) => (true, score),
            };
            if forbids && is_exempt(subjects, clause, operation) {
                fulfilled = true;
                continue;
            }
            if best.as_ref().is_none_or(|best| (forbids, score) > (best.forbids, best.score)) {
                let program = || operation.called().unwrap_or_default().to_owned();
                let words = Some(matched.words).filter(|words| !words.is_empty()).unwrap_or_else(program);
                best = Some(ActionVerdict { forbids, score, words });
            }
        }
    }
    best.filter(|best| if best.forbids && best.score > BY_ACTIVITY { true } else { !fulfilled && !avoided })
}

/// Whether a clause of the same sentence takes the operation out.
fn is_exempt(subjects: &Subjects, clause: &Clause, operation: &Operation) -> bool {
    let exceptions =
        subjects.clauses.iter().filter(|other| other.sentence == clause.sentence && other.stance == Stance::Exempts);
    exceptions.into_iter().any(|other| {
        let named = things(other);
        let matched = match_clause(other, &named, operation);
        matched.options.0
            || matched.variables.0
            || matched.command.is_some_and(|(_, whole)| whole)
            || matched.path.is_some()
            || matched.written
            || matched.host.is_some()
    })
}

fn say(
    clause: &Clause,
    things: &[NamedThing],
    operation: &Operation,
    matched: &ClauseMatch,
    memory: &MemoryTraits,
) -> ClauseVerdict {
    let target = compare_targets(clause, operation);
    if target == TargetMatch::Other {
        return if clause.stance == Stance::Forbids && is_near(clause, operation, matched) {
            ClauseVerdict::Avoided
        } else {
            ClauseVerdict::Nothing
        };
    }
    if clause.stance == Stance::Forbids && matched.options == (false, true) && is_near(clause, operation, matched) {
        return ClauseVerdict::Avoided;
    }
    match clause.stance {
        // The branch of a file that is edited is the one that is checked out; its path says which file is meant.
        Stance::Forbids if target == TargetMatch::Unsaid && names_edited_file(operation, matched) => {
            if forbidden(clause, operation, matched, memory) {
                ClauseVerdict::Forbids(1.0)
            } else {
                ClauseVerdict::Nothing
            }
        }
        Stance::Forbids if forbidden(clause, operation, matched, memory) => match target {
            TargetMatch::Unsaid => ClauseVerdict::Tells(0.8),
            _ => ClauseVerdict::Forbids(if matched.is_concrete() { 1.0 } else { BY_ACTIVITY }),
        },
        Stance::Disfavours if forbidden(clause, operation, matched, memory) => ClauseVerdict::Tells(0.9),
        // What has a name of its own is what the prohibition is about, whatever is done to it.
        Stance::Forbids | Stance::Disfavours
            if matched.own_name.is_some() && may_be_meant(clause, operation, matched) =>
        {
            ClauseVerdict::Tells(0.7)
        }
        Stance::Prescribes => advised(clause, things, operation, matched, memory),
        Stance::When | Stance::Explains if memory.is_user => ClauseVerdict::Nothing,
        Stance::When if !operation.shows && !operation.wraps => explained(clause, operation, matched, true, memory),
        Stance::Explains if !operation.shows && !operation.wraps => {
            explained(clause, operation, matched, clause.head, memory)
        }
        _ => ClauseVerdict::Nothing,
    }
}

/// Whether an operation that changes something may be what a clause speaks of, as far as either says what is done.
fn may_be_meant(clause: &Clause, operation: &Operation, matched: &ClauseMatch) -> bool {
    !operation.shows
        && (first_activity(clause).is_none() || operation.activities.is_empty() || matched.activity.is_some())
}

/// Whether a file is edited that the clause names by its path.
fn names_edited_file(operation: &Operation, matched: &ClauseMatch) -> bool {
    operation.programs.is_empty() && operation.tool.is_none() && matched.path.is_some()
}

/// Whether a clause speaks of the program or of what it does.
fn is_near(clause: &Clause, operation: &Operation, matched: &ClauseMatch) -> bool {
    matched.is_concrete() || matched.activity.is_some() || names_program(clause, operation)
}

fn names_program(clause: &Clause, operation: &Operation) -> bool {
    clause.words.iter().any(|word| operation.programs.contains(&word.text))
}

/// Whether a rule about a kind of files is told where one of them is written. Of kinds that projects are full of only where the memory
/// is called after them and what it asks for cannot be seen in the text.
fn tells_of_kind(kind: &str, memory: &MemoryTraits) -> bool {
    if memory.names_paths {
        return false;
    }
    !is_generic(kind)
        || memory.is_feedback && memory.head_kinds.iter().any(|head| head == kind) && !memory.forbids_names
}

/// The first thing that a clause speaks of doing, how files are touched aside.
fn first_activity(clause: &Clause) -> Option<&str> {
    clause.activities.iter().map(String::as_str).find(|activity| !is_plain(activity))
}

/// Whether an activity says only how files are touched or that something runs.
pub(super) fn is_plain(activity: &str) -> bool {
    ["run", "edit", "create", "read", "fetch", "force", "write-tests"].contains(&activity)
}

fn is_generic(kind: &str) -> bool {
    programs::GENERIC_KIND.binary_search(&kind).is_ok()
}
