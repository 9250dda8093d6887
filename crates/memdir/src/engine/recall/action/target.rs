//! What a clause and an operation are aimed at: a branch, an environment, a channel.
//!
//! Enters: a clause and an operation. Leaves: whether both mean the same target. The names of targets come from the table of programs.

use memdir_lexicon::programs;
use memdir_reader::subjects::{Clause, ClauseWord};

use super::operation::Operation;

/// Whether what a clause and an operation are aimed at is the same, another, or not said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TargetMatch {
    Same,
    Other,
    Unsaid,
}

/// Compares what a clause and an operation are aimed at: a branch, an environment, a channel.
pub(super) fn compare_targets(clause: &Clause, operation: &Operation) -> TargetMatch {
    let group =
        |word: &str| programs::TARGET.iter().find(|(_, words)| words.contains(&word)).map(|(target, _)| *target);
    let in_unspaced = |word: &ClauseWord| {
        let text = word.text.as_str();
        programs::TARGET
            .iter()
            .find(|(_, words)| words.iter().any(|name| !name.is_ascii() && text.contains(name)))
            .map(|(target, _)| *target)
    };
    let said: Vec<&str> = clause
        .words
        .iter()
        .filter_map(|word| {
            let bare = word.text.trim_start_matches('#');
            group(bare).or_else(|| bare.split(['-', '_', '/', '.']).find_map(group)).or_else(|| in_unspaced(word))
        })
        .collect();
    let channels: Vec<&str> =
        clause.words.iter().filter_map(|word| word.text.strip_prefix('#')).filter(|name| !name.is_empty()).collect();
    if !channels.is_empty() && operation.tool.is_some() {
        return if channels
            .iter()
            .any(|name| operation.pieces.contains(*name) || operation.pieces.contains(&format!("#{name}")))
        {
            TargetMatch::Same
        } else {
            TargetMatch::Other
        };
    }
    if said.is_empty() {
        return TargetMatch::Same;
    }
    let aimed: Vec<&str> = operation
        .pieces
        .iter()
        .filter_map(|piece| group(piece))
        .chain(operation.hosts.iter().flat_map(|host| host.split(['.', '-'])).filter_map(group))
        .chain(operation.touches.iter().flat_map(|touch| touch.path.split(['/', '.', '-', '_'])).filter_map(group))
        .collect();
    if aimed.iter().any(|target| said.contains(target)) {
        return TargetMatch::Same;
    }
    // A push that names its branch goes nowhere else.
    let named_branch = operation.called() == Some("git") && operation.told.len() > 2;
    if aimed.is_empty() && !named_branch { TargetMatch::Unsaid } else { TargetMatch::Other }
}
