//! One change while it is put together.
//!
//! Enters: what a caller reads, writes, removes and points to, under the lock. Leaves: for each file what was seen and what it
//! should become. Reads files and writes none: landing is [`transaction`](super)'s.

use std::collections::BTreeMap;

use super::ChangeError;
use crate::Store;
use crate::index::{Index, PointerEdit, Rewording};
use memdir_guard::confine::RelPath;

/// A change being put together, under the lock.
pub struct Edit<'s> {
    store: &'s Store,
    pub(super) plans: BTreeMap<RelPath, FilePlan>,
    pub(super) pointers: BTreeMap<RelPath, Vec<PointerEdit>>,
}

/// What becomes of one file.
pub(super) struct FilePlan {
    /// What was read; the file must still be this when the change lands.
    pub(super) seen: Option<Vec<u8>>,
    /// What it should become.
    pub(super) wanted: Option<Vec<u8>>,
    /// The history is told that something was there, not what.
    pub(super) unkept: bool,
    /// When that was written, where it is not the time of the change.
    pub(super) written: Option<jiff::Timestamp>,
    /// The name it had until now.
    pub(super) from: Option<RelPath>,
}

impl<'s> Edit<'s> {
    /// Nothing yet.
    pub(super) fn of(store: &'s Store) -> Edit<'s> {
        Edit { store, plans: BTreeMap::new(), pointers: BTreeMap::new() }
    }

    /// The store that is changed.
    pub(crate) fn store(&self) -> &'s Store {
        self.store
    }

    /// Reads a file as it will be: with this change's own writes.
    pub fn read(&mut self, file: &RelPath) -> Result<Option<Vec<u8>>, ChangeError> {
        Ok(self.plan(file)?.wanted.clone())
    }

    /// Writes a file.
    pub fn write(&mut self, file: &RelPath, content: Vec<u8>) -> Result<(), ChangeError> {
        self.plan(file)?.wanted = Some(content);
        Ok(())
    }

    /// Removes a file; its content stays in the history.
    pub fn remove(&mut self, file: &RelPath) -> Result<(), ChangeError> {
        self.plan(file)?.wanted = None;
        Ok(())
    }

    /// Gives a file another name, under which its history goes on. Its pointers are [`rename`](Self::rename)d by themselves.
    pub fn rename_file(&mut self, from: &RelPath, to: &RelPath) -> Result<(), ChangeError> {
        let content = self.read(from)?;
        self.remove(from)?;
        let plan = self.plan(to)?;
        plan.wanted = content;
        plan.from = Some(from.clone());
        Ok(())
    }

    /// Keeps what was there out of the history: it holds a secret. Undo cannot bring it back.
    pub fn keep_out(&mut self, file: &RelPath) -> Result<(), ChangeError> {
        self.plan(file)?.unkept = true;
        Ok(())
    }

    /// Says when what a file becomes was written, where that is not now: it is put back, moved, or was said earlier (K6).
    pub fn written_at(&mut self, file: &RelPath, at: jiff::Timestamp) -> Result<(), ChangeError> {
        self.plan(file)?.written = Some(at);
        Ok(())
    }

    /// Makes sure that an index points to a file (I4); a line that does stays as it is.
    pub fn point(&mut self, index: &RelPath, target: &str, title: &str, hook: &str) -> Result<(), ChangeError> {
        self.edit_index(index, |index| vec![index.keep(target, title, hook)])
    }

    /// The same for many files that are new, each with its title and hook: the index is read once.
    pub fn point_all(&mut self, index: &RelPath, new: &[[String; 3]]) -> Result<(), ChangeError> {
        let mut changed = Index::parse(self.read(index)?.unwrap_or_default());
        let made = changed.point_new(new);
        if !made.is_empty() {
            self.plan(index)?.wanted = Some(changed.into_bytes());
            self.pointers.entry(index.clone()).or_default().extend(made);
        }
        Ok(())
    }

    /// Points to a file with a line that was written for it elsewhere.
    pub fn carry(&mut self, index: &RelPath, target: &str, line: &str) -> Result<(), ChangeError> {
        self.edit_index(index, |index| vec![index.carry(line, target)])
    }

    /// Lets the pointers to a file follow it to another name.
    pub fn rename(&mut self, index: &RelPath, from: &str, to: &str) -> Result<(), ChangeError> {
        self.edit_index(index, |index| index.rename(from, to))
    }

    /// Lets the pointers to a file follow what has changed in it.
    pub fn follow(&mut self, index: &RelPath, target: &str, change: &Rewording<'_>) -> Result<(), ChangeError> {
        self.edit_index(index, |index| index.follow(target, change))
    }

    /// The line of an index that points to a file.
    pub fn line_to(&mut self, index: &RelPath, target: &str) -> Result<Option<String>, ChangeError> {
        Ok(Index::parse(self.read(index)?.unwrap_or_default()).line_to(target))
    }

    /// Removes the pointer to a file from an index.
    pub fn unpoint(&mut self, index: &RelPath, target: &str) -> Result<(), ChangeError> {
        if self.read(index)?.is_none() {
            return Ok(());
        }
        self.edit_index(index, |index| vec![index.unpoint(target)])
    }

    /// Applies recorded pointer edits, as finishing and undoing a change do.
    pub(crate) fn apply_pointer(&mut self, index: &RelPath, edit: &PointerEdit) -> Result<(), ChangeError> {
        self.edit_index(index, |_| vec![edit.clone()])
    }

    fn edit_index(
        &mut self,
        path: &RelPath,
        edits: impl FnOnce(&Index) -> Vec<PointerEdit>,
    ) -> Result<(), ChangeError> {
        let mut index = Index::parse(self.read(path)?.unwrap_or_default());
        for made in edits(&index).into_iter().filter(|made| !made.is_empty()) {
            index.apply(&made);
            self.plan(path)?.wanted = Some(index.as_bytes().to_vec());
            self.pointers.entry(path.clone()).or_default().push(made);
        }
        Ok(())
    }

    fn plan(&mut self, file: &RelPath) -> Result<&mut FilePlan, ChangeError> {
        if !self.plans.contains_key(file) {
            let seen = self.store.root.read(file)?;
            self.plans.insert(
                file.clone(),
                FilePlan { wanted: seen.clone(), seen, unkept: false, written: None, from: None },
            );
        }
        // Just inserted when it was missing.
        self.plans.get_mut(file).ok_or_else(|| ChangeError::Contended(file.to_string()))
    }
}
