//! What differs: a copy from the root it was made of, or the root from its copy.

use std::collections::BTreeMap;

use super::Staging;
use crate::fs::{FsError, Root};
use crate::history::Hash;
use crate::walk::{self, EntryFault};
use memdir_core::limits;
use memdir_guard::confine::RelPath;

/// One file that should change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StagedChange {
    /// Which one.
    pub file: RelPath,
    /// What it was; `None`: there was none.
    pub before: Option<Vec<u8>>,
    /// What it should be; `None`: it should go.
    pub after: Option<Vec<u8>>,
}

/// Everything that differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// By path.
    pub made: Vec<StagedChange>,
    /// What was changed and cannot be taken over.
    pub unusable: Vec<Unusable>,
}

/// A file that cannot be taken over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// Relative to the root.
    pub path: String,
    /// Why.
    pub why: UnusableReason,
}

/// Why a file cannot be taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnusableReason {
    /// It is not what it was when the copy was made.
    ChangedMeanwhile,
    /// A link is in its place, or on the way to it.
    Link,
    /// A directory or device is in its place.
    NotAFile,
    /// It is larger than a memory may be.
    TooLarge,
    /// No file may have this name.
    Name,
}

impl Changes {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty() && self.unusable.is_empty()
    }
}

impl Staging {
    /// What was done to the copy, against the root as it is now. A file that was emptied is one
    /// that should go: there is no tool that removes.
    pub fn changes(&self, root: &Root) -> Result<Changes, FsError> {
        let mut changes = Changes::default();
        let mut left: BTreeMap<&RelPath, &Hash> = self.seen.iter().collect();
        let mut staged = walk::walk(&self.copy)?.files;
        staged.sort_by(|a, b| a.path.cmp(&b.path));
        for found in staged {
            let Ok(file) = RelPath::parse(&found.path) else {
                changes.unusable.push(Unusable { path: found.path, why: UnusableReason::Name });
                continue;
            };
            let was = left.remove(&file);
            if found.facts.size > limits::TOPIC_BYTES as u64 || self.left_out.contains(&file) {
                changes.unusable.push(Unusable { path: found.path, why: UnusableReason::TooLarge });
                continue;
            }
            let Some(content) = self.copy.read(&file)? else { continue };
            if was.is_some_and(|was| *was == Hash::of(&content)) {
                continue;
            }
            let after = (!content.trim_ascii().is_empty()).then_some(content);
            if was.is_none() && after.is_none() {
                continue;
            }
            changes.add(root, file, was, after)?;
        }
        for (file, was) in left {
            changes.add(root, file.clone(), Some(was), None)?;
        }
        Ok(changes)
    }

    /// What was done to the root since the copy was made. The copy itself must not have been touched.
    pub fn drift(&self, root: &Root) -> Result<Changes, FsError> {
        let mut changes = Changes::default();
        let mut left: BTreeMap<&RelPath, &Hash> = self.seen.iter().collect();
        let walk = walk::walk(root)?;
        for found in walk.files {
            let Ok(file) = RelPath::parse(&found.path) else {
                changes.unusable.push(Unusable { path: found.path, why: UnusableReason::Name });
                continue;
            };
            if self.left_out.contains(&file) {
                continue;
            }
            let was = left.remove(&file);
            if found.facts.size > limits::TOPIC_BYTES as u64 {
                changes.unusable.push(Unusable { path: found.path, why: UnusableReason::TooLarge });
                continue;
            }
            let Some(content) = root.read(&file)? else { continue };
            if was.is_some_and(|was| *was == Hash::of(&content)) {
                continue;
            }
            let before = was.map(|_| self.copy.read(&file)).transpose()?.flatten();
            changes.made.push(StagedChange { file, before, after: Some(content) });
        }
        for odd in walk.odd {
            let why = match odd.why {
                EntryFault::Link if !self.links.contains(&odd.path) => UnusableReason::Link,
                EntryFault::NotAFile if RelPath::parse(&odd.path).is_ok_and(|file| self.seen.contains_key(&file)) => {
                    UnusableReason::NotAFile
                }
                _ => continue,
            };
            changes.unusable.push(Unusable { path: odd.path, why });
        }
        for file in left.into_keys() {
            let before = self.copy.read(file)?;
            changes.made.push(StagedChange { file: file.clone(), before, after: None });
        }
        changes.made.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(changes)
    }
}

impl Changes {
    /// Adds one change of a copy if the root's file still is what was copied.
    fn add(&mut self, root: &Root, file: RelPath, was: Option<&Hash>, after: Option<Vec<u8>>) -> Result<(), FsError> {
        let why = match root.read(&file) {
            Ok(before) if before.as_deref().map(Hash::of).as_ref() == was => {
                self.made.push(StagedChange { file, before, after });
                return Ok(());
            }
            Ok(_) => UnusableReason::ChangedMeanwhile,
            Err(FsError::Link(_)) => UnusableReason::Link,
            Err(FsError::NotAFile(_)) => UnusableReason::NotAFile,
            Err(FsError::TooLarge { .. }) => UnusableReason::TooLarge,
            Err(error) => return Err(error),
        };
        self.unusable.push(Unusable { path: file.to_string(), why });
        Ok(())
    }
}
