//! What an advice has to say about an operation.
//!
//! Enters: a clause that prescribes, with its things, and what of the operation it names. Leaves: nothing, that it is followed, or that
//! something else is used than what it advises: another program or library for the same job, or the right one in another way.

use memdir_lexicon::programs;
use memdir_reader::subjects::Clause;

use super::super::clause_match::ClauseMatch;
use super::super::operation::Operation;
use super::super::paths::TouchKind;
use super::super::things::{NamedThing, ThingKind};
use super::memory_traits::{MemoryTraits, singular};
use super::{ClauseVerdict, first_activity, tells_of_kind};

/// What an advice has to say.
pub(super) fn advised(
    clause: &Clause,
    things: &[NamedThing],
    operation: &Operation,
    matched: &ClauseMatch,
    memory: &MemoryTraits,
) -> ClauseVerdict {
    let behind = |at: usize| clause.marker.is_none_or(|marker| at >= usize::from(marker));
    if matched.written_at.is_some_and(behind) || matched.variables.0 {
        return ClauseVerdict::Fulfilled;
    }
    if let Some((at, whole)) = matched.command {
        return match (behind(at), whole && matched.options != (false, true)) {
            _ if operation.shows => ClauseVerdict::Nothing,
            (true, true) => ClauseVerdict::Fulfilled,
            _ => ClauseVerdict::Tells(0.9),
        };
    }
    if let Some(at) = matched.program.or(matched.host) {
        if operation.shows && matched.host.is_none() {
            return ClauseVerdict::Nothing;
        }
        return if behind(at) && matched.options != (false, true) {
            ClauseVerdict::Fulfilled
        } else {
            ClauseVerdict::Tells(0.8)
        };
    }
    if operation.shows || operation.wraps && !has_family(things, operation, clause) {
        return ClauseVerdict::Nothing;
    }
    if let Some((at, own)) = matched.tool {
        let fits = own || matched.activity.is_some() || first_activity(clause).is_none();
        // "Use Linear", and not "write pages in Notion in Spanish".
        let direct = clause
            .marker
            .is_some_and(|marker| at >= usize::from(marker) && (at <= usize::from(marker) + 2 || matched.verb));
        return match (direct, fits) {
            (true, _) => ClauseVerdict::Fulfilled,
            (false, true) => ClauseVerdict::Tells(0.8),
            (false, false) => ClauseVerdict::Nothing,
        };
    }
    if has_family(things, operation, clause) {
        return ClauseVerdict::Tells(0.8);
    }
    let creates = clause.activities.iter().any(|activity| activity == "create");
    if let Some(place) = matched.path.filter(|place| place.how != TouchKind::Read) {
        // What is to lie in a directory is put there.
        let location = !place.is_pattern && clause.marker.is_some() && behind(place.at);
        return if creates || location { ClauseVerdict::Fulfilled } else { ClauseVerdict::Tells(0.8) };
    }
    if let Some(at) = matched.own_name {
        return if behind(at) { ClauseVerdict::Fulfilled } else { ClauseVerdict::Tells(0.7) };
    }
    if let Some(kind) = matched.kind.filter(|_| !memory.is_user) {
        return if tells_of_kind(kind, memory) { ClauseVerdict::Tells(0.6) } else { ClauseVerdict::Nothing };
    }
    if memory.is_feedback && !matched.names_path && !memory.forbids_else && is_written_in(operation, memory) {
        return ClauseVerdict::Tells(0.6);
    }
    // Beside something that is forbidden it says what to do instead.
    if matched.activity.is_some() && !memory.is_user {
        return if memory.forbids_else { ClauseVerdict::Nothing } else { ClauseVerdict::Tells(0.6) };
    }
    if library(things, clause, operation) { ClauseVerdict::Tells(0.6) } else { ClauseVerdict::Nothing }
}

/// Whether a file is written in a folder that the memory is called after: "New handlers …" and `http/handlers/label.go`.
fn is_written_in(operation: &Operation, memory: &MemoryTraits) -> bool {
    let written = operation.touches.iter().filter(|touch| touch.how == TouchKind::Write);
    written.flat_map(|touch| touch.path.rsplit('/').skip(1)).any(|folder| memory.head_words.contains(singular(folder)))
}

/// Whether an advice names a program that does the same job as the operation's.
fn has_family(things: &[NamedThing], operation: &Operation, clause: &Clause) -> bool {
    let specific = first_activity(clause);
    let same_job =
        specific.is_none_or(|activity| operation.activities.is_empty() || operation.activities.contains(activity));
    let advised = things.iter().filter(|thing| clause.marker.is_none_or(|marker| thing.at >= usize::from(marker)));
    let mut names = advised.flat_map(|thing| match &thing.what {
        ThingKind::Command(said) => said.programs.clone(),
        ThingKind::Name => vec![thing.text.to_lowercase()],
        _ => Vec::new(),
    });
    same_job
        && names.any(|name| {
            programs::FAMILY.iter().any(|(_, members)| {
                members.contains(&name.as_str())
                    && operation.programs.iter().any(|program| members.contains(&program.as_str()))
            })
        })
}

/// Whether an advice names a library that does the same job as one that is brought in.
fn library(things: &[NamedThing], clause: &Clause, operation: &Operation) -> bool {
    let packages = if operation.activities.contains("install-package") {
        operation.told.get(1..).unwrap_or_default()
    } else {
        &[]
    };
    let brings = |name: &str| {
        packages.iter().any(|told| told == name)
            || operation.written.as_ref().is_some_and(|written| written.modules.contains(name))
    };
    let says = |name: &str| {
        things.iter().any(|thing| thing.text.to_lowercase() == name)
            || clause.words.iter().any(|word| word.text == name)
    };
    programs::LIBRARY_FAMILY.iter().any(|(_, members)| {
        members.iter().any(|name| says(name))
            && members.iter().any(|name| brings(name) && !says(name))
            && !members.iter().any(|name| says(name) && brings(name))
    })
}
