//! Recovers a store after a crash.
//!
//! Runs under the lock, before anything else. The usual case reads a few bytes and does nothing.
//! A change that was recorded but not carried out to the end is finished from its record; files
//! that somebody changed since are left alone. Temporary files of dead writers are removed, but
//! what an editor may have saved into one of them is put into the history first.

use super::Store;
use super::fs::{FsError, Swapped, TEMP_PREFIX, is_temp_of};
use super::history::{Actor, Change, ChangeId, FileChange, Hash, Version};
use super::index::Index;
use super::lock::Lock;
use super::transaction::ChangeError;
use super::walk;
use memdir_guard::confine::RelPath;

impl Store {
    pub(super) fn recover(&self, lock: &Lock) -> Result<(), ChangeError> {
        let unfinished = self.journal.unfinished()?;
        if let Some((position, change)) = &unfinished {
            // What somebody else did is only recorded; it is not for us to do it again.
            if change.actor != Actor::Outside {
                self.finish(change)?;
            }
            self.journal.mark_done(*position, &change.id)?;
        }
        if lock.after_crash || unfinished.is_some() {
            self.clear_leftovers(unfinished.as_ref().map(|(_, change)| change))?;
        }
        Ok(())
    }

    /// Whether a dead writer left something to recover; costs one look at the lock file.
    pub fn needs_recovery(&self) -> bool {
        Lock::was_left(&self.lock_path())
    }

    /// Brings every file of a recorded change to its recorded end, unless somebody else did more.
    fn finish(&self, change: &Change) -> Result<(), ChangeError> {
        let tag = format!("{}-heal", change.id);
        for file in &change.files {
            let Ok(path) = RelPath::parse(&file.path) else { continue };
            let current = self.root.read(&path)?;
            let is_before = current.as_deref().map(Hash::of) == file.before.as_ref().map(|version| version.hash);
            if !is_before {
                continue;
            }
            let staged = match &file.after {
                Some(version) => match version.content() {
                    Some(content) => self.root.stage(&path, &content, &tag)?,
                    None => continue,
                },
                None if current.is_none() => continue,
                None => self.root.stage_removal(&path, &tag)?,
            };
            if self.root.swap_in(&staged, current.as_deref())? == Swapped::Done {
                self.root.settle(std::slice::from_ref(&staged))?;
            }
            self.root.discard(&staged);
        }
        for pointer in &change.pointers {
            let Ok(path) = RelPath::parse(&pointer.index) else { continue };
            let current = self.root.read(&path)?;
            let mut index = Index::parse(current.clone().unwrap_or_default());
            for edit in &pointer.edits {
                index.apply(edit);
            }
            if current.as_deref() == Some(index.as_bytes()) {
                continue;
            }
            let staged = self.root.stage(&path, index.as_bytes(), &tag)?;
            if self.root.swap_in(&staged, current.as_deref())? == Swapped::Done {
                self.root.settle(std::slice::from_ref(&staged))?;
            }
            self.root.discard(&staged);
        }
        Ok(())
    }

    fn clear_leftovers(&self, unfinished: Option<&Change>) -> Result<(), ChangeError> {
        for leftover in walk::leftovers(&self.root)? {
            self.rescue(&leftover, unfinished)?;
            let (parent, name) = match leftover.rsplit_once('/') {
                Some((parent, name)) => (Some(parent), name),
                None => (None, leftover.as_str()),
            };
            if name.starts_with(TEMP_PREFIX) {
                self.root.remove_leftover(parent, name)?;
            }
        }
        Ok(())
    }

    /// Keeps in the history what is in a leftover and nowhere else: text that an editor saved at
    /// the very moment of a swap comes out under the temporary name.
    fn rescue(&self, leftover: &str, unfinished: Option<&Change>) -> Result<(), ChangeError> {
        let (Some(change), Ok(path)) = (unfinished, RelPath::parse(leftover)) else { return Ok(()) };
        let content = match self.root.read(&path) {
            Ok(Some(content)) => content,
            Ok(None) | Err(FsError::Link(_) | FsError::NotAFile(_)) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let hash = Hash::of(&content);
        let files = change.files.iter().map(|file| {
            let hashes = file.before.iter().chain(&file.after).map(|version| version.hash);
            (file.path.as_str(), hashes.collect::<Vec<_>>())
        });
        let indexes = change
            .pointers
            .iter()
            .map(|pointer| (pointer.index.as_str(), pointer.before.into_iter().chain([pointer.after]).collect()));
        let Some((target, known)) = files.chain(indexes).find(|(target, _)| is_temp_of(leftover, target)) else {
            return Ok(());
        };
        if known.contains(&hash) {
            return Ok(());
        }
        let found = Change {
            id: ChangeId::derive(&[change.id.0.as_bytes(), &content]),
            time: change.time,
            actor: Actor::Outside,
            session: None,
            message: None,
            reason: format!("saved by somebody else at the moment of change {}", change.id),
            group: None,
            undoes: None,
            baseline: false,
            files: vec![FileChange {
                path: target.to_owned(),
                before: Some(Version::of(&content)),
                after: None,
                written: None,
                from: None,
            }],
            pointers: Vec::new(),
        };
        let position = self.journal.append(&found)?;
        self.journal.mark_done(position, &found.id)?;
        Ok(())
    }
}
