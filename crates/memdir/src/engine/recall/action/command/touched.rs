//! Which files a call touches, and how: what it removes, moves, copies, writes, shows or uses.
//!
//! Enters: an operation, the words that may be files, and the folder it runs in. Leaves: its touches, and what goes into the files that
//! its output is sent to.

use memdir_guard::shell::Call;
use memdir_lexicon::programs;

use super::super::operation::Operation;
use super::super::paths::{Touch, TouchKind, is_path};
use super::super::written::NewContent;

/// How the files of a call are touched.
pub(super) fn touch(operation: &mut Operation, path: Option<&String>, files: &[String], root: &str, folder: &str) {
    let Some(called) = operation.called().map(str::to_owned) else { return };
    let git = called == "git";
    let sub = operation.told.first().cloned().unwrap_or_default();
    let files = if git || programs::DOES.iter().any(|(form, _)| *form == format!("{called} {sub}")) {
        files.get(1..).unwrap_or_default()
    } else {
        files
    };
    let is = |list: &[&str]| list.contains(&called.as_str());
    let in_place = operation.options.iter().any(|option| programs::WRITTEN_WITH.contains(&option.as_str()))
        && !is(&["grep", "rg", "wc", "docker", "kubectl", "psql", "ssh", "curl"]);
    let last = files.len().saturating_sub(1);
    let how = |at: usize| {
        if is(programs::REMOVED_BY) || git && sub == "rm" || called == "find" && operation.options.contains("-delete") {
            TouchKind::Delete
        } else if is(&["mv", "rename"]) || git && sub == "mv" {
            if at == last { TouchKind::Write } else { TouchKind::Delete }
        } else if is(programs::COPIED_FROM) {
            if at == last && files.len() > 1 { TouchKind::Write } else { TouchKind::Read }
        } else if is(programs::WRITTEN_BY) || git && matches!(sub.as_str(), "checkout" | "restore") {
            TouchKind::Write
        } else if operation.shows {
            TouchKind::Read
        } else if in_place || operation.activities.contains("format-code") {
            TouchKind::Write
        } else {
            TouchKind::Use
        }
    };
    let strict = is(programs::REMOVED_BY) || is(programs::WRITTEN_BY) || is(programs::COPIED_FROM);
    let mut touches: Vec<Touch> = files
        .iter()
        .enumerate()
        .filter(|(_, file)| {
            (strict || is_path(file) || file.starts_with('.')) && !file.contains("://") && !file.contains(' ')
        })
        .map(|(at, file)| Touch::new(&joined(folder, file.strip_prefix("of=").unwrap_or(file)), root, how(at)))
        .collect();
    operation.touches.append(&mut touches);
    // A script that is called by its path is a file that is used.
    if let Some(path) = path.filter(|path| path.contains('/') || path.contains('.')) {
        operation.touches.push(Touch::new(&joined(folder, path), root, TouchKind::Use));
    }
}

/// Files that the output goes to, and what is written into them.
pub(super) fn outputs(operation: &mut Operation, call: &Call, root: &str, folder: &str) {
    for file in &call.outputs {
        let touch = Touch::write(&joined(folder, file), root);
        let text = call.input.clone().or_else(|| {
            let says = operation.called().is_some_and(|name| matches!(name, "echo" | "printf"));
            says.then(|| call.words[1..].join(" "))
        });
        operation.written = text.map(|text| NewContent::of(&touch.path, &text, ""));
        operation.touches.push(touch);
        operation.shows = false;
    }
}

pub(super) fn joined(folder: &str, path: &str) -> String {
    if folder.is_empty() || path.starts_with(['/', '~', '$']) { path.to_owned() } else { format!("{folder}/{path}") }
}
