//! What a case or an explanation has to say about an operation.
//!
//! Enters: a clause that says when something holds or why, and what of the operation it names. Leaves: nothing, or that it is told. Beside
//! something that is forbidden an explanation is the reason for it, and says nothing of its own.

use memdir_reader::subjects::{Clause, Stance};

use super::super::clause_match::ClauseMatch;
use super::super::operation::Operation;
use super::super::things::has_subcommands;
use super::memory_traits::MemoryTraits;
use super::{ClauseVerdict, first_activity, tells_of_kind};

/// What a case or an explanation has to say; `topic`: whether it is what the memory is about.
pub(super) fn explained(
    clause: &Clause,
    operation: &Operation,
    matched: &ClauseMatch,
    topic: bool,
    memory: &MemoryTraits,
) -> ClauseVerdict {
    if matched.variables.0 {
        return ClauseVerdict::Fulfilled;
    }
    if matched.host.is_some() && !matched.named_host && memory.names_hosts {
        return ClauseVerdict::Nothing;
    }
    let case = clause.stance == Stance::When;
    // Beside something that is forbidden it is what to do instead, or the reason.
    if (matched.command.is_some() || matched.program.is_some())
        && memory.forbids_else
        && !case
        && matched.host.is_none()
    {
        return ClauseVerdict::Nothing;
    }
    if matched.command.is_some() || matched.host.is_some() || matched.options.0 {
        return ClauseVerdict::Tells(0.8);
    }
    if matched.program.is_some() {
        let told = operation.told.first().is_some_and(|told| clause.words.iter().any(|word| word.text == *told));
        let generic = operation.programs.iter().any(|name| has_subcommands(name));
        return if !generic || told || case || matched.activity.is_some() {
            ClauseVerdict::Tells(0.7)
        } else {
            ClauseVerdict::Nothing
        };
    }
    if matched.path.is_some() || matched.own_name.is_some() {
        return ClauseVerdict::Tells(0.7);
    }
    if let Some((_, own)) = matched.tool {
        return if own || matched.activity.is_some() || topic && first_activity(clause).is_none() {
            ClauseVerdict::Tells(0.7)
        } else {
            ClauseVerdict::Nothing
        };
    }
    if matched.kind.is_some_and(|kind| tells_of_kind(kind, memory)) && topic {
        return ClauseVerdict::Tells(0.5);
    }
    if matched.activity.is_some()
        && topic
        && !matched.names_other
        && (clause.stance == Stance::When || !memory.forbids_else)
    {
        ClauseVerdict::Tells(0.5)
    } else {
        ClauseVerdict::Nothing
    }
}
