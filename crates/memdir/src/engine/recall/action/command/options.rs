//! Options of a call in every form they have, and the whole words for short ones.
//!
//! Enters: an operation and the options as they were typed. Leaves: each option, the letters of a bundle, and the long forms that the
//! table of programs knows.

use std::collections::BTreeSet;

use memdir_lexicon::programs;

use super::super::operation::Operation;
use super::super::things::{has_subcommands, is_subcommand};

/// Whether an option before what a program is told to do takes the word behind it.
pub(super) fn takes(operation: &Operation, option: &str, word: &str) -> bool {
    let Some(called) = operation.called().filter(|_| operation.told.is_empty() && !option.contains('=')) else {
        return false;
    };
    match programs::VALUED_OPTION.iter().find(|(program, _)| *program == called) {
        Some((_, options)) => options.contains(&option),
        None => {
            has_subcommands(called) && !operation.programs.iter().any(|name| is_subcommand(name, &word.to_lowercase()))
        }
    }
}

/// Adds an option as it stands, each letter of a bundle, and the whole words for them.
pub(super) fn add_option(operation: &mut Operation, word: &str) {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    operation.options.insert(name.to_owned());
    if word != name {
        operation.options.insert(word.to_owned());
        operation.forms.insert(word.to_owned());
    }
    if !name.starts_with("--") && (3..=5).contains(&name.len()) {
        operation.forms.insert(name.to_owned());
        operation.options.extend(name[1..].chars().map(|letter| format!("-{letter}")));
    }
}

/// Puts whole words in place of short forms.
pub(super) fn whole_words(operation: &mut Operation) {
    for name in operation.programs.clone() {
        if let Some(told) = operation.told.first()
            && let Some((_, whole)) = programs::WHOLE_WORD.iter().find(|(short, _)| **short == format!("{name} {told}"))
        {
            (*whole).clone_into(&mut operation.told[0]);
        }
    }
    let told: Vec<String> = (0..=operation.told.len().min(2)).map(|count| operation.told[..count].join(" ")).collect();
    let mut whole = BTreeSet::new();
    for option in &operation.options {
        for name in &operation.programs {
            for told in &told {
                let short = [name.as_str(), told, option]
                    .iter()
                    .filter(|part| !part.is_empty())
                    .copied()
                    .collect::<Vec<_>>()
                    .join(" ");
                if let Some((_, long)) = programs::WHOLE_OPTION.iter().find(|(form, _)| *form == short) {
                    whole.insert((*long).to_owned());
                    operation.forms.insert(option.clone());
                }
            }
        }
    }
    operation.options.extend(whole);
}
