//! A copy of a memory directory for a model to work on, and what became of it.
//!
//! Enters: a root. Leaves: a copy of its Markdown files below the state directory (P10), and, at
//! the end, what differs: as the copy was changed (our own tool loop works on it), or as the root
//! was (a host's own program works there, and the copy is what to go back to). Never changes a
//! memory: whatever comes of it lands as a transaction.
//!
//! Links are not copied, nor is what is larger than a memory may be. A copy belongs to the process
//! that made it and goes with it: each has a mark that is locked as long as its owner lives, so
//! the copy of one that was killed is found and removed by whoever makes the next. One that is the
//! way back of a root that somebody else works on is taken over instead (`Staging::inherit`).

mod differ;
mod owner;

#[cfg(test)]
mod tests;

pub use differ::{Changes, StagedChange, Unusable, UnusableReason};

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::fs::{self, FsError, Root};
use super::history::Hash;
use super::walk::{self, EntryFault};
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use owner::CopyOwner;

/// Where copies are, below the state directory of a store.
const DIR: &str = "staging";

/// A copy, removed when dropped.
#[derive(Debug)]
pub struct Staging {
    copy: Root,
    /// What was copied.
    seen: BTreeMap<RelPath, Hash>,
    /// What was there and was not: too large, or no room left.
    left_out: BTreeSet<RelPath>,
    /// Links that were there.
    links: BTreeSet<String>,
    /// Removes the copy; the last field, as it goes last.
    owner: CopyOwner,
}

/// What a copy leaves for whoever takes it over.
#[derive(Serialize, Deserialize)]
struct Will {
    word: String,
    left_out: BTreeSet<String>,
    links: BTreeSet<String>,
}

impl Staging {
    /// Copies every Markdown file of a root. Copies whose owners died are removed first.
    pub fn of(root: &Root, state: &Path) -> Result<Staging, FsError> {
        let walk = walk::walk(root)?;
        let mut staging = Staging::empty(state)?;
        let mut room = limits::STAGING_BYTES;
        for found in walk.files {
            // A name that memdir would not write is not offered to a model either.
            let Ok(path) = RelPath::parse(&found.path) else { continue };
            if found.facts.size > limits::TOPIC_BYTES as u64 || found.facts.size > room {
                staging.left_out.insert(path);
                continue;
            }
            room -= found.facts.size;
            staging.take(root, path)?;
        }
        let links = walk.odd.into_iter().filter(|odd| odd.why == EntryFault::Link);
        staging.links = links.map(|odd| odd.path).collect();
        Ok(staging)
    }

    /// Copies one file of a root, which may not be there yet.
    pub fn of_file(root: &Root, file: &RelPath, state: &Path) -> Result<Staging, FsError> {
        let mut staging = Staging::empty(state)?;
        staging.take(root, file.clone())?;
        Ok(staging)
    }

    fn empty(state: &Path) -> Result<Staging, FsError> {
        let dir = state.join(DIR);
        sweep(state)?;
        let owner = CopyOwner::claim(&dir)?;
        let copy = Root::create(owner.dir())?;
        Ok(Staging { copy, seen: BTreeMap::new(), left_out: BTreeSet::new(), links: BTreeSet::new(), owner })
    }

    fn take(&mut self, root: &Root, file: RelPath) -> Result<(), FsError> {
        let content = match root.read_head(&file, limits::TOPIC_BYTES + 1) {
            Ok(Some((content, _))) => content,
            // Gone, or became a link, since the directory was listed.
            Ok(None) | Err(FsError::Link(_) | FsError::NotAFile(_)) => return Ok(()),
            Err(error) => return Err(error),
        };
        if content.len() > limits::TOPIC_BYTES {
            self.left_out.insert(file);
            return Ok(());
        }
        self.copy.scratch(&file, &content)?;
        self.seen.insert(file, Hash::of(&content));
        Ok(())
    }

    /// The directory of the copy.
    pub fn path(&self) -> &Path {
        self.copy.path()
    }

    /// Makes the copy outlive its owner, with a word for whoever takes it over: somebody else works on the root
    /// meanwhile, and this is the way back.
    pub fn outlive(&self, word: &str) -> Result<(), FsError> {
        let left_out = self.left_out.iter().map(ToString::to_string).collect();
        let will = Will { word: word.to_owned(), left_out, links: self.links.clone() };
        self.owner.leave(&serde_json::to_vec(&will).unwrap_or_default())
    }

    /// The copies of dead owners that were to outlive them, each with its word. They go when they are dropped.
    pub fn inherit(state: &Path) -> Result<Vec<(Staging, String)>, FsError> {
        let mut found = Vec::new();
        for (owner, will) in CopyOwner::inherit(&state.join(DIR))? {
            // Half a will was written before anybody could have worked on the root.
            let Ok(will) = serde_json::from_slice::<Will>(&will) else { continue };
            let copy = Root::open(owner.dir())?;
            let mut seen = BTreeMap::new();
            for file in walk::walk(&copy)?.files.iter().filter_map(|found| RelPath::parse(&found.path).ok()) {
                if let Some(content) = copy.read(&file)? {
                    seen.insert(file, Hash::of(&content));
                }
            }
            let left_out = will.left_out.iter().filter_map(|file| RelPath::parse(file).ok()).collect();
            found.push((Staging { copy, seen, left_out, links: will.links, owner }, will.word));
        }
        Ok(found)
    }

    /// A file that is locked as long as this copy's owner lives.
    pub fn mark(&self) -> &Path {
        self.owner.mark()
    }

    /// Whether a file was there and could not be copied.
    pub fn is_left_out(&self, file: &RelPath) -> bool {
        self.left_out.contains(file)
    }

    /// What a file was when the copy was made, as long as nobody changes the copy.
    pub fn original(&self, file: &RelPath) -> Result<Option<Vec<u8>>, FsError> {
        if self.seen.contains_key(file) { self.copy.read(file) } else { Ok(None) }
    }

    /// Reads a file of the copy.
    pub fn read(&self, file: &RelPath) -> Result<Option<Vec<u8>>, FsError> {
        self.copy.read(file)
    }

    /// Writes a file of the copy. Without content it is a file that should go.
    pub fn write(&self, file: &RelPath, content: &[u8]) -> Result<(), FsError> {
        self.copy.scratch(file, content)
    }
}

/// Removes the copies of owners that died. Says how many there were.
pub(crate) fn sweep(state: &Path) -> Result<usize, FsError> {
    let dir = state.join(DIR);
    let mut swept = 0;
    for name in fs::names(&dir)? {
        swept += usize::from(owner::remove_if_dead(&dir, &name)?);
    }
    Ok(swept)
}
