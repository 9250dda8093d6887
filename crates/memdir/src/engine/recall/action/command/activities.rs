//! What a call does: its activities, and whether it only shows something.
//!
//! Enters: an operation with its whole words and options. Leaves: activities of the table of programs, by the longest form that is
//! known, by options, and by the name of the script that is run.

use std::collections::BTreeSet;

use memdir_guard::shell::Call;
use memdir_lexicon::programs;

use super::super::operation::Operation;
use super::super::things::has_subcommands;

/// What a call does: by its longest known form, by its options, and by the name of the script it runs.
pub(super) fn does(operation: &Operation) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for name in &operation.programs {
        let known = |form: &str| {
            programs::DOES.binary_search_by_key(&form, |(form, _)| form).ok().map(|at| programs::DOES[at].1)
        };
        let form = |count: usize| {
            std::iter::once(name.as_str())
                .chain(operation.told[..count].iter().map(String::as_str))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let longest = operation.told.len().min(3);
        let least = usize::from(has_subcommands(name) && !operation.told.is_empty());
        if let Some(does) = (least..=longest).rev().find_map(|count| known(&form(count))) {
            found.extend(does.iter().copied());
        }
        for option in &operation.options {
            for count in 0..=longest {
                found.extend(known(&format!("{} {option}", form(count))).unwrap_or_default().iter().copied());
            }
        }
    }
    if found.is_empty()
        || operation.called().is_some_and(|name| programs::RUNS_SCRIPTS.iter().any(|(runner, _)| *runner == name))
    {
        found.extend(script(operation).into_iter().flat_map(script_does));
    }
    if found.iter().any(|does| programs::REMOVES.contains(does)) {
        found.insert("delete-file");
    }
    found
}

/// The name of the script that a call runs: of the project's own, or a file.
fn script(operation: &Operation) -> Option<&str> {
    let called = operation.called()?;
    if let Some((_, words)) = programs::RUNS_SCRIPTS.iter().find(|(runner, _)| *runner == called) {
        let first = operation.told.first()?;
        return if words.contains(&first.as_str()) {
            operation.told.get(1).map(String::as_str)
        } else {
            words.contains(&"").then_some(first)
        };
    }
    let is_script =
        |word: &str| [".sh", ".py", ".js", ".ts", ".rb", ".mjs", ".pl"].iter().any(|end| word.ends_with(end));
    if is_script(called) {
        Some(called)
    } else {
        operation.told.first().map(String::as_str).filter(|word| is_script(word))
    }
}

fn script_does(name: &str) -> impl Iterator<Item = &'static str> {
    let stem = name.rsplit('/').next().unwrap_or(name).split('.').next().unwrap_or(name).to_owned();
    programs::SCRIPT_DOES
        .iter()
        .filter(move |(word, _)| stem.split(|letter: char| !letter.is_alphanumeric()).any(|part| part == *word))
        .flat_map(|(_, does)| does.iter().copied())
}

/// Whether a call only shows what is there.
pub(super) fn shows(operation: &Operation, call: &Call) -> bool {
    let Some(called) = operation.called() else { return false };
    let has = |list: &[&str]| operation.options.iter().any(|option| list.contains(&option.as_str()));
    let alone = call.words.len() == 2 && matches!(call.words[1].as_str(), "-h" | "-V" | "-v");
    if alone || has(programs::ASKS_FOR_HELP) {
        return true;
    }
    if programs::SHOWN_ONLY.contains(&called) || matches!(called, "sed" | "perl") {
        let changes = has(programs::WRITTEN_WITH)
            && matches!(called, "sed" | "perl" | "awk" | "gawk" | "exiftool" | "sort")
            || operation.options.iter().any(|option| option.starts_with("-i.")) && matches!(called, "sed" | "perl")
            || called == "exiftool" && call.words.iter().any(|word| word.starts_with('-') && word.contains('='))
            || called == "find" && ["-delete", "-exec"].iter().any(|word| operation.options.contains(*word));
        return !changes;
    }
    let lists = matches!((called, operation.told.as_slice()), ("git", [word]) if matches!(word.as_str(), "branch" | "tag" | "stash"))
        && !operation.options.iter().any(|option| matches!(option.as_str(), "--delete" | "--move"))
        && operation.told.first().is_none_or(|word| word != "stash");
    lists
        || !is_script_runner(called)
            && operation
                .told
                .iter()
                .take(2)
                .any(|word| programs::SHOWN_BY.contains(&word.as_str()) || shown_by_start(word))
}

/// `describe-instances`, `get-object`, `list-buckets`.
fn shown_by_start(word: &str) -> bool {
    word.split_once('-').is_some_and(|(verb, _)| matches!(verb, "describe" | "get" | "list"))
}

fn is_script_runner(called: &str) -> bool {
    matches!(called, "make" | "just" | "task" | "rake" | "python" | "python3" | "node" | "rm" | "cp" | "mv")
}
