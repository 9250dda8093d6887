//! Whether a prohibition means an operation.
//!
//! Enters: a clause that forbids, and what of the operation it names. Leaves: yes or no. To look at something is not to change it, and what
//! is named by its activity alone is meant only where nothing else is named.

use memdir_reader::subjects::Clause;

use super::super::clause_match::ClauseMatch;
use super::super::operation::Operation;
use super::super::paths::{TouchKind, means};
use super::memory_traits::MemoryTraits;
use super::{first_activity, is_generic, names_program};

/// Whether a prohibition means this operation.
pub(super) fn forbidden(clause: &Clause, operation: &Operation, matched: &ClauseMatch, memory: &MemoryTraits) -> bool {
    if matched.options == (false, true) && matched.command.is_none() {
        return false;
    }
    // To look is not to change.
    if operation.shows
        && matched.path.is_none()
        && clause.activities.iter().any(|activity| !matches!(activity.as_str(), "run" | "fetch"))
    {
        return false;
    }
    if matched.command.is_some_and(|(_, whole)| whole) {
        return true;
    }
    if matched.options.0 && (names_program(clause, operation) || matched.words.starts_with("--")) {
        return true;
    }
    let specific = first_activity(clause);
    let same_activity =
        specific.is_none() || operation.activities.is_empty() || operation.wraps || matched.activity.is_some();
    if matched.program.is_some() {
        // "Packages are installed with pnpm, never with npm": what is forbidden is to install with it.
        if operation.shows && memory.doing.contains(&clause.sentence) {
            return false;
        }
        return same_activity || specific.is_some_and(|activity| activity == "install-package" && !operation.shows);
    }
    if let Some(place) = matched.path {
        // What must not be in a file is not there, as far as it is spelled out.
        let touches = clause
            .activities
            .iter()
            .any(|activity| matches!(activity.as_str(), "edit" | "delete-file" | "move-file" | "any-use"));
        return touches
            || place.how != TouchKind::Write
            || operation.written.is_none()
            || !memory.has_code
            || matched.written;
    }
    if operation.shows {
        return matched.host.is_some() || matched.tool.is_some_and(|(_, own)| own) && says_read(clause);
    }
    if matched.written {
        return places_fit(clause, operation, matched);
    }
    if matched.host.is_some() {
        return matched.named_host || !memory.names_hosts;
    }
    if let Some((_, own)) = matched.tool {
        return own || matched.verb || specific.is_none() || matched.activity.is_some();
    }
    let servers = || operation.tool.iter().flat_map(|tool| &tool.server);
    if matched.verb && !matched.names_other && servers().any(|name| memory.words.contains(name)) {
        return true;
    }
    if matched.own_name.is_some() && matched.activity.is_some() {
        return true;
    }
    if let Some(kind) = matched.kind {
        return !is_generic(kind) && !matched.names_other && !memory.names_paths;
    }
    // Named by what it does alone, and by nothing that it is not.
    // "Never delete scans", where the scans are those of a folder that the memory names.
    matched.activity.is_some_and(|activity| {
        Some(activity) == specific
            && is_in_place(activity, operation, memory)
            && !memory.own_named.iter().any(|does| does == activity)
    }) && !matched.names_other
        && !matched.names_path
        && clause_kinds(clause) == 0
}

/// Whether something is done where the memory says, as far as it names a place for it.
fn is_in_place(activity: &str, operation: &Operation, memory: &MemoryTraits) -> bool {
    let mut places = memory.placed.iter().filter(|(does, _)| does == activity).map(|(_, place)| place).peekable();
    operation.touches.is_empty()
        || places.peek().is_none()
        || places.any(|place| operation.touches.iter().any(|touch| means(place, &touch.path)))
}

fn says_read(clause: &Clause) -> bool {
    clause.activities.iter().any(|activity| matches!(activity.as_str(), "read" | "query-database" | "fetch"))
}

/// Kinds of files that a clause speaks of.
fn clause_kinds(clause: &Clause) -> usize {
    // "Migrations" are files and something that is done.
    let done = |kind: &String| {
        clause.activities.iter().any(|activity| kind.get(..5).is_some_and(|begin| activity.starts_with(begin)))
    };
    clause.files.iter().filter(|kind| *kind != "folder" && !done(kind)).count()
}

/// Whether a clause about what is written leaves out where, or means this file.
fn places_fit(clause: &Clause, operation: &Operation, matched: &ClauseMatch) -> bool {
    let kinds: Vec<&str> = operation.touches.iter().flat_map(|touch| touch.kinds.iter().copied()).collect();
    clause.files.is_empty()
        || matched.kind.is_some()
        || clause.files.iter().any(|kind| kind == "folder" || kinds.contains(&kind.as_str()))
        || operation.written.is_none()
}
