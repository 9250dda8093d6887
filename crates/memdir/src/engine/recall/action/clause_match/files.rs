//! Files that a clause means: by their path, by the folder they are in, by their kind.
//!
//! Enters: a clause and an operation. Leaves: in the match, the path or kind that both speak of, where what the clause says is what is
//! done to the file.

use memdir_reader::subjects::{Clause, ClauseWord, Stance};

use super::super::operation::Operation;
use super::super::paths::{TouchKind, means};
use super::{ClauseMatch, TouchedPath, say};

/// A path, directory or pattern.
pub(super) fn path(said: &str, clause: &Clause, operation: &Operation, at: usize, matched: &mut ClauseMatch) -> bool {
    let Some(touch) =
        operation.touches.iter().filter(|touch| means(said, &touch.path)).max_by_key(|touch| touch.how as u8)
    else {
        return false;
    };
    if !may_touch(clause, operation, touch.how) {
        // It is this file, and what the clause says is not what is done to it.
        return true;
    }
    let is_pattern = said.contains('*') || said.starts_with('.') && !said.contains('/');
    matched.path = Some(TouchedPath { at, how: touch.how, is_pattern });
    true
}

/// Whether what a clause says about files concerns how this one is touched.
fn may_touch(clause: &Clause, operation: &Operation, how: TouchKind) -> bool {
    let says = |activity: &str| clause.activities.iter().any(|said| said == activity);
    let shared = clause.activities.iter().any(|said| operation.activities.contains(said.as_str()))
        || says("commit") && operation.activities.contains("stage");
    let (edit, remove, read, run) =
        (says("edit") || says("create"), says("delete-file") || says("move-file"), says("read"), says("run"));
    if says("any-use") {
        return true;
    }
    match how {
        TouchKind::Read => read && !edit && !remove || shared && says("copy-file"),
        TouchKind::Write => edit || !(remove || read || run && clause.stance == Stance::Forbids),
        TouchKind::Delete => edit || remove || !(read || run),
        TouchKind::Use => {
            shared
                || run
                || !(edit || remove || read) && (clause.stance != Stance::Forbids || !operation.activities.is_empty())
        }
    }
}

/// A directory by its plain name: "the legacy folder".
pub(super) fn folders(clause: &Clause, operation: &Operation, matched: &mut ClauseMatch) {
    if matched.path.is_some() || !clause.files.iter().any(|kind| kind == "folder") {
        return;
    }
    let folder = |word: &ClauseWord| {
        let named = word.code == 0 && word.text.len() > 2 && word.text.is_ascii();
        named.then(|| {
            operation.touches.iter().find(|touch| {
                let mut above = touch.path.rsplit('/').skip(1);
                above.any(|part| part == word.text)
            })
        })?
    };
    if let Some(touch) = clause.words.iter().find_map(folder)
        && may_touch(clause, operation, touch.how)
    {
        matched.path = Some(TouchedPath { at: 0, how: touch.how, is_pattern: false });
        say(matched, &touch.path);
    }
}

/// A kind of files.
pub(super) fn kinds(clause: &Clause, operation: &Operation, matched: &mut ClauseMatch) {
    // A path says better which files are meant.
    if matched.names_path {
        return;
    }
    for touch in
        operation.touches.iter().filter(|touch| touch.how != TouchKind::Use || operation.activities.contains("stage"))
    {
        if let Some(kind) = touch.kinds.iter().copied().find(|kind| clause.files.iter().any(|said| said == kind))
            && may_touch(clause, operation, touch.how)
        {
            matched.kind = Some(kind);
            say(matched, &kind.replace('-', " "));
        }
    }
}
