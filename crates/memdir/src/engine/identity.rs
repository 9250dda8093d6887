//! Whose directory is it? The slug of a path is lossy, so the project is recorded beside it (P3).
//!
//! The record is made when memory is first written and compared before every write. The usual
//! comparison costs one small read: same path, same repository directory. Only when something
//! differs is `git` asked for the root commits.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Error, Memory, OwnerError};
use memdir_store::Store;
use memdir_store::fs::{self, Durability, FsError};
use memdir_store::place::{DirRule, Identity, Match, same_project};

const OWNER: &str = "owner.json";

/// Who a memory directory belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryOwner {
    /// The memory directory.
    pub memory: String,
    /// The project.
    pub identity: Identity,
    /// The inode of the repository's own directory and when it was made: a cheap sign that it is
    /// still the same one. The inode alone may have been given to another directory since.
    #[serde(default)]
    repository: Option<(u64, u128)>,
}

impl MemoryOwner {
    /// Reads the record of a store's state directory.
    pub(super) fn read(state: &Path) -> Result<Option<MemoryOwner>, FsError> {
        Ok(serde_json::from_slice(&fs::read_beside(&state.join(OWNER))?).ok())
    }

    pub(super) fn write(&self, state: &Path) -> Result<(), FsError> {
        fs::create_private_dir(state)?;
        let bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        fs::replace(&state.join(OWNER), &bytes, Durability::Synced)
    }
}

impl Memory {
    /// The identity of this project, root commits included.
    pub(super) fn identity(&self) -> Identity {
        Identity::of(&self.place.project, |dir, args| (self.git)(dir, args))
    }

    pub(super) fn owner_here(&self, store: &Store) -> MemoryOwner {
        MemoryOwner {
            memory: store.root().path().display().to_string(),
            identity: self.identity(),
            repository: self.repository(),
        }
    }

    /// Refuses to write into the directory of another project; records this one at first.
    pub(super) fn require_owner(&self, store: &Store) -> Result<(), Error> {
        if self.place.memory_rule != DirRule::Default {
            // A directory that was named on purpose may serve several projects.
            return Ok(());
        }
        match self.ownership(store).map_err(OwnerError::Fs)? {
            Ownership::Ours => Ok(()),
            Ownership::Nobodys => Ok(self.owner_here(store).write(store.state_dir()).map_err(OwnerError::Fs)?),
            Ownership::Others(owner) => Err(OwnerError::Other {
                memory: store.root().path().display().to_string(),
                owner: describe(&owner.identity),
                here: describe(&self.identity()),
            }
            .into()),
        }
    }

    /// Compares the record with this project.
    pub(super) fn ownership(&self, store: &Store) -> Result<Ownership, FsError> {
        let Some(owner) = MemoryOwner::read(store.state_dir())? else { return Ok(Ownership::Nobodys) };
        let path = self.place.project.root.to_string_lossy();
        let known = owner.repository.is_some() || !self.place.project.is_git();
        if owner.identity.path == path && known && owner.repository == self.repository() {
            return Ok(Ownership::Ours);
        }
        let here = self.owner_here(store);
        // A project without git that stays where it is stays itself, and so does one that became a repository.
        let grew =
            owner.identity.path == path && owner.identity.root_commits.is_empty() && owner.identity.remote.is_none();
        match same_project(&owner.identity, &here.identity) {
            Match::Same => {
                here.write(store.state_dir())?;
                Ok(Ownership::Ours)
            }
            _ if grew => {
                here.write(store.state_dir())?;
                Ok(Ownership::Ours)
            }
            Match::Different | Match::Unknown => Ok(Ownership::Others(owner)),
        }
    }

    fn repository(&self) -> Option<(u64, u128)> {
        let dir = self.place.project.common_git_dir()?;
        let facts = std::fs::metadata(dir).ok()?;
        let made = facts.created().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some((fs::number(dir, &facts)?, made.as_nanos()))
    }
}

/// What a comparison said.
pub(super) enum Ownership {
    Ours,
    Nobodys,
    Others(MemoryOwner),
}

pub(super) fn describe(identity: &Identity) -> String {
    match &identity.remote {
        Some(remote) => format!("{} ({remote})", identity.path),
        None => identity.path.clone(),
    }
}
