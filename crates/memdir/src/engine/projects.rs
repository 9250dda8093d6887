//! The projects that memory is kept for, as far as memdir has written to them.
//!
//! Enters: the directories below the state directory. Leaves: each project that still has memory, with its path. Changes nothing.

use std::path::PathBuf;

use serde::Serialize;

use super::adopt::count;
use super::identity::MemoryOwner;
use super::{Error, Memory};
use memdir_store::fs;

/// A project with a memory of its own.
#[derive(Clone, Debug, Serialize)]
pub struct KnownProject {
    /// Its directory.
    pub path: String,
    /// Where its memory is.
    pub memory: PathBuf,
    /// How many memories are in it.
    pub memories: usize,
    /// Whether it is the one at hand.
    pub current: bool,
}

impl Memory {
    /// Every project whose memory is on this machine, the one at hand first.
    pub fn projects(&self) -> Result<Vec<KnownProject>, Error> {
        let here = self.private_dir().ok().map(|dir| fs::canonical(&dir).unwrap_or(dir));
        let stores = self.dirs.state.join("stores");
        let mut found = Vec::new();
        for name in fs::names(&stores)? {
            let Some(owner) = MemoryOwner::read(&stores.join(&name))? else { continue };
            let memory = PathBuf::from(&owner.memory);
            if memory.is_dir() {
                let current = here.as_ref() == Some(&memory);
                found.push(KnownProject { path: owner.identity.path, memories: count(&memory), memory, current });
            }
        }
        found.sort_by(|one, other| other.current.cmp(&one.current).then_with(|| one.path.cmp(&other.path)));
        Ok(found)
    }
}
