//! A command line as operations.
//!
//! Enters: the command. Leaves: an operation for each program it calls, also behind `cd`, `sudo`, `poetry run`, `npx`, `bash -c` and
//! the like: for those an operation of their own, then what they run. Short forms become whole words, and what each program does comes
//! from the table of programs (`lexicon::programs`).

mod activities;
mod nested;
mod options;
mod touched;

use memdir_guard::shell::{Call, calls};
use memdir_lexicon::programs;

use super::operation::{Operation, host_of};
use super::paths::{Touch, is_host, is_path};
use super::written::NewContent;
use activities::{does, shows};
use nested::{SHELLS, interpreted, script_of, wrapped};
use options::{add_option, takes, whole_words};
use touched::{joined, outputs, touch};

/// Programs inside programs are looked into this deep.
const DEPTH: usize = 4;
/// Options whose value is a host.
const HOST_OPTIONS: [&str; 2] = ["-h", "--host"];
/// Options whose value is the text of a commit or a release, which names things without doing them.
const PROSE_OPTIONS: [&str; 7] = ["-m", "--message", "--title", "--body", "-b", "--notes", "-t"];
/// Options whose value is a file that is written.
const OUTPUT_OPTIONS: [&str; 4] = ["-o", "--output", "-O", "--out"];

/// The operations of a command line.
pub(super) fn operations(command: &str, root: &str) -> Vec<Operation> {
    let mut found = Vec::new();
    add_line(command, root, "", 0, &mut found);
    found
}

fn add_line(command: &str, root: &str, folder: &str, depth: usize, found: &mut Vec<Operation>) {
    let mut folder = folder.to_owned();
    let mut branch: Option<String> = None;
    for call in calls(command) {
        if call.words.first().is_some_and(|word| word == "cd" || word == "pushd") {
            if let Some(to) = call.words.get(1) {
                folder = joined(&folder, to);
            }
            continue;
        }
        let first = found.len();
        add_call(&call, root, &folder, depth, found);
        for operation in found[first..].iter_mut().filter(|operation| operation.called() == Some("git")) {
            branch = switched_to(operation).or(branch.take());
            // What follows in the same line happens on the branch that was switched to.
            if let Some(branch) = branch.as_deref().filter(|_| operation.told.len() <= 2) {
                operation.add_pieces(branch);
            }
        }
    }
}

/// The branch that a call of git switches to, where it is one that exists.
fn switched_to(operation: &Operation) -> Option<String> {
    match operation.told.as_slice() {
        [does, branch] if matches!(does.as_str(), "checkout" | "switch") => Some(branch.clone()),
        _ => None,
    }
}

fn add_call(call: &Call, root: &str, folder: &str, depth: usize, found: &mut Vec<Operation>) {
    let mut operation = read(call, root, folder);
    let Some(called) = operation.called().map(str::to_owned) else {
        if !operation.touches.is_empty() {
            found.push(operation);
        }
        return;
    };
    if depth >= DEPTH {
        found.push(operation);
        return;
    }
    if let Some(inner) = wrapped(&call.words) {
        operation.wraps = true;
        operation.touches.clear();
        operation.told.truncate(call.words.len().saturating_sub(inner.len() + 1));
        // What it is told belongs to what it runs.
        operation.activities.clear();
        found.push(operation);
        let inner = Call {
            words: inner,
            variables: call.variables.clone(),
            outputs: call.outputs.clone(),
            input: call.input.clone(),
        };
        return add_call(&inner, root, folder, depth + 1, found);
    }
    if let Some(at) = interpreted(&called, &call.words) {
        operation.wraps = true;
        operation.touches.clear();
        operation.activities.clear();
        operation.told.clear();
        found.push(operation);
        let inner = Call { words: call.words[at..].to_vec(), ..call.clone() };
        return add_call(&inner, root, folder, depth + 1, found);
    }
    let script = script_of(&called, &call.words);
    operation.wraps = script.is_some() && SHELLS.contains(&called.as_str());
    if operation.wraps {
        operation.touches.clear();
        operation.activities.clear();
    }
    found.push(operation);
    if let Some(script) = script {
        add_line(&script, root, folder, depth + 1, found);
    }
    let exec = |word: &String| matches!(word.as_str(), "-exec" | "-execdir" | "-ok");
    if let Some(at) = call.words.iter().position(exec).filter(|_| called == "find") {
        let words =
            call.words[at + 1..].iter().take_while(|word| !matches!(word.as_str(), ";" | "+")).cloned().collect();
        let paths = call.words[1..at].iter().take_while(|word| !word.starts_with('-')).cloned();
        let mut inner = Call { words, ..Call::default() };
        inner.words.extend(paths);
        add_call(&inner, root, folder, depth + 1, found);
    }
}

/// One call, read with the table of programs.
fn read(call: &Call, root: &str, folder: &str) -> Operation {
    let mut operation = Operation::default();
    let Some(first) = call.words.first() else {
        outputs(&mut operation, call, root, folder);
        return operation;
    };
    operation.programs = names(first);
    for (name, value) in &call.variables {
        operation.variables.push(format!("{name}={value}").to_lowercase());
        operation.add_pieces(value);
    }
    let mut files: Vec<String> = Vec::new();
    let mut written: Vec<String> = Vec::new();
    let mut prose = false;
    let mut before: Option<&str> = None;
    let mut only_words = false;
    for word in &call.words[1..] {
        let option = word.starts_with('-') && word.len() > 1 && !only_words;
        if word == "--" {
            only_words = true;
            continue;
        }
        if option {
            prose = PROSE_OPTIONS.contains(&word.as_str())
                && !operation.programs.iter().any(|name| name == "python" || name == "git-checkout");
            add_option(&mut operation, word);
            if let Some((name, value)) = word.split_once('=')
                && !PROSE_OPTIONS.contains(&name)
            {
                operation.add_pieces(value);
                if is_path(value) {
                    files.push(value.to_owned());
                }
            }
            before = Some(word);
            continue;
        }
        if std::mem::take(&mut prose) {
            before = None;
            continue;
        }
        operation.add_pieces(word);
        operation.hosts.extend(host_of(word));
        if is_host(word) {
            operation.hosts.extend(word.split(['/', ':']).next().map(str::to_lowercase));
        }
        let option = before.take();
        if option.is_some_and(|option| takes(&operation, option, word)) {
            continue;
        }
        if option.is_some_and(|option| OUTPUT_OPTIONS.contains(&option)) {
            written.push(word.clone());
        } else {
            files.push(word.clone());
        }
        operation.told.push(word.to_lowercase());
    }
    whole_words(&mut operation);
    add_hosts(&mut operation, &call.words);
    operation.activities = does(&operation);
    if call.words.iter().any(|word| word.contains(' ')) {
        call.words[1..].iter().filter(|word| word.contains(' ')).for_each(|word| operation.add_sql(word));
    }
    operation.shows = shows(&operation, call);
    if !operation.shows
        && let Some(text) = operation.told.iter().find(|word| word.contains(' '))
    {
        operation.written = Some(NewContent::of("", text, ""));
    }
    touch(&mut operation, call.words.first(), &files, root, folder);
    operation.touches.extend(written.iter().map(|file| Touch::write(&joined(folder, file), root)));
    outputs(&mut operation, call, root, folder);
    operation
}

/// The name of a program without its directory.
fn base(word: &str) -> String {
    word.rsplit('/').next().unwrap_or(word).to_lowercase()
}

fn names(word: &str) -> Vec<String> {
    let called = base(word);
    let same = programs::SAME_PROGRAM.iter().find(|(name, _)| *name == called).map(|(_, same)| (*same).to_owned());
    std::iter::once(called).chain(same).collect()
}

fn add_hosts(operation: &mut Operation, words: &[String]) {
    let remote = operation.called().is_some_and(|name| programs::REMOTE_SHELL.contains(&name));
    if remote && let Some(host) = operation.told.first() {
        let host = host.rsplit('@').next().unwrap_or(host).split(':').next().unwrap_or(host);
        operation.hosts.insert(host.to_owned());
    }
    for pair in words.windows(2) {
        if HOST_OPTIONS.contains(&pair[0].as_str()) {
            operation.hosts.insert(pair[1].to_lowercase());
        }
    }
}
