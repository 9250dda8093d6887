//! Undoes a change, whoever made it.
//!
//! Undo is a change like any other: it is a transaction, is in the history and can be
//! undone. A file that was changed again since is merged if the two changes do not touch; if they
//! do, nothing is written and the message names what stands in the way.

use std::collections::HashSet;

use super::{Author, Change, ChangeId, FileChange, Hash, Version, Visit};
use crate::{ChangeError, Edit, Intent, OnSecret, Store};
use memdir_guard::confine::RelPath;

/// Why a change was not found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FindError {
    /// No such change.
    #[error("there is no change {0} here")]
    Unknown(String),
    /// Several begin like that.
    #[error("several changes begin with {0}; give more letters")]
    Ambiguous(String),
    /// The history could not be read.
    #[error(transparent)]
    Fs(#[from] crate::fs::FsError),
}

impl Store {
    /// Finds a change by its id or a unique beginning of it.
    pub fn find_change(&self, id: &str) -> Result<Change, FindError> {
        if id.trim().is_empty() {
            return Err(FindError::Unknown("\"\"".to_owned()));
        }
        let mut found: Vec<Change> = Vec::new();
        self.journal().newest_first(|change| {
            let exact = change.id.0 == id;
            if change.id.0.starts_with(id) {
                found.push(change);
            }
            if exact { Visit::Enough } else { Visit::More }
        })?;
        if let Some(at) = found.iter().position(|change| change.id.0 == id) {
            return Ok(found.swap_remove(at));
        }
        match found.len() {
            0 => Err(FindError::Unknown(id.to_owned())),
            1 => Ok(found.remove(0)),
            _ => Err(FindError::Ambiguous(id.to_owned())),
        }
    }

    /// The changes of one group, newest first.
    pub fn group(&self, group: &ChangeId) -> Result<Vec<Change>, FindError> {
        let mut members = Vec::new();
        self.journal().newest_first(|change| {
            if change.group.as_ref() == Some(group) {
                members.push(change);
            }
            Visit::More
        })?;
        Ok(members)
    }

    /// The newest change that `undo` without an argument means: not somebody else's, not an undo,
    /// not taken back already, and none that was passed over.
    pub fn last_undoable(&self, passed: &HashSet<ChangeId>) -> Result<Option<Change>, FindError> {
        let mut taken_back = HashSet::new();
        let mut last = None;
        self.journal().newest_first(|change| {
            // What was taken back is named by its group, where it is part of one.
            let is_taken_back =
                [Some(&change.id), change.group.as_ref()].into_iter().flatten().any(|id| taken_back.contains(id));
            if let Some(undone) = change.undoes {
                // Taking an undo back restores the change it had undone.
                if !is_taken_back {
                    taken_back.insert(undone);
                }
                return Visit::More;
            }
            let is_anothers = change.baseline || change.actor == super::Actor::Outside;
            if is_anothers || is_taken_back || passed.contains(&change.id) {
                return Visit::More;
            }
            last = Some(change);
            Visit::Enough
        })?;
        Ok(last)
    }

    /// Takes changes back as one change; the newest must come first.
    pub fn undo(&self, changes: &[Change], author: &Author) -> Result<Option<Change>, ChangeError> {
        let Some(newest) = changes.first() else { return Ok(None) };
        if let Some(baseline) = changes.iter().find(|change| change.baseline) {
            return Err(ChangeError::Refused(format!(
                "{} only records what was in the directory at first sight; there is nothing to take back",
                baseline.id
            )));
        }
        let intent = Intent {
            reason: format!("undo {}: {}", newest.id, newest.reason),
            group: None,
            undoes: Some(newest.group.clone().unwrap_or_else(|| newest.id.clone())),
            on_secret: OnSecret::Restore,
        };
        let ((), change) = self.change(author, &intent, |edit| {
            for change in changes {
                revert(edit, change)?;
            }
            Ok(())
        })?;
        Ok(change)
    }
}

fn revert(edit: &mut Edit<'_>, change: &Change) -> Result<(), ChangeError> {
    for file in &change.files {
        let path = RelPath::parse(&file.path)?;
        let current = edit.read(&path)?;
        match reverted(file, current.as_deref())? {
            Some(content) => {
                // What comes back is as old as it was.
                if let Some(at) = edit.store().written_before(&file.path, Hash::of(&content)) {
                    edit.written_at(&path, at)?;
                }
                edit.write(&path, content)?;
            }
            None => edit.remove(&path)?,
        }
    }
    for pointer in &change.pointers {
        let index = RelPath::parse(&pointer.index)?;
        for made in pointer.edits.iter().rev() {
            edit.apply_pointer(&index, &made.reversed())?;
        }
    }
    Ok(())
}

/// What a file becomes when one change of it is taken back.
fn reverted(file: &FileChange, current: Option<&[u8]>) -> Result<Option<Vec<u8>>, ChangeError> {
    let content = |version: &Version| {
        version.content().ok_or_else(|| {
            ChangeError::Refused(format!(
                "{}: its former text is not in the history, or was purged from it, and cannot be brought back",
                file.path
            ))
        })
    };
    let before = file.before.as_ref().map(content).transpose()?;
    if current == before.as_deref() {
        return Ok(before);
    }
    let after = file.after.as_ref().map(content).transpose()?;
    if current == after.as_deref() {
        return Ok(before);
    }
    let changed_since = || ChangeError::ChangedSince(file.path.clone());
    let (Some(before), Some(after), Some(current)) = (before, after, current) else { return Err(changed_since()) };
    diffy::merge_bytes(&after, current, &before).map(Some).map_err(|_| changed_since())
}
