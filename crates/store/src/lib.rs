//! The files: where memory lives, its format, and every change of it.
//!
//! Enters: a directory and what should become of its files. Leaves: memories, and the history of
//! each change. This is the only room that writes, in transactions ([`Store::change`]), and it
//! knows no other room but `guard` and `core`. It never asks what a memory means.
//!
//! - [`place`]: which directory, and whether memory is on.
//! - [`topic`], [`index`]: the two kinds of file, read tolerantly and edited byte by byte.
//! - [`fs`]: every read and write, by handle; [`walk`]: what is in a directory.
//! - [`transaction`]: one change, all of it or nothing.
//! - [`history`]: the journal, which is history and write-ahead log in one.
//! - [`catalog`]: what is known of each file, a cache.
//! - [`dream_lock`]: the lock of a dream.
//! - `watcher`, `session_cache`: what a long-running process need not look at again.
//! - [`written`]: when a memory was written.
//! - [`staging`]: a copy to work on, and what differs from it.

pub mod catalog;
mod change_group;
pub mod daily_log;
pub mod dream_lock;
pub mod fs;
pub mod history;
pub mod index;
mod line;
mod lock;
mod notice;
mod own_directory_times;
pub mod place;
mod recovery;
mod scan;
mod session_cache;
pub mod staging;
pub mod topic;
pub mod transaction;
pub mod walk;
mod watcher;
pub mod written;

pub use change_group::{ChangeGroup, CurrentGroup};
pub use lock::LockError;
pub use notice::Noticed;
pub use session_cache::CachedStore;
pub use transaction::{ChangeError, Edit, Intent, OnSecret};
pub use written::{TimeSource, Written};

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use catalog::Catalog;
use fs::{FsError, Root};
use history::Journal;
use memdir_guard::confine::RelPath;

/// One memory root with its history and its catalog.
///
/// Private and team memory are one store, because team memory is a folder of the private
/// directory; user and agent memory are stores of their own.
#[derive(Debug)]
pub struct Store {
    root: Root,
    state: PathBuf,
    cache: PathBuf,
    journal: Journal,
    catalog: RefCell<Option<Arc<Catalog>>>,
    /// Whether this handle has looked at the directory yet.
    looked: Cell<bool>,
    /// Whether what it has seen outlives it.
    retention: RefCell<session_cache::Retention>,
    /// The group that changes belong to.
    group: CurrentGroup,
}

/// The platform's directories for what is not memory itself (P10).
#[derive(Clone, Debug)]
pub struct Dirs {
    /// History and jobs.
    pub state: PathBuf,
    /// Catalogs, which can be deleted.
    pub cache: PathBuf,
}

impl Store {
    /// Opens the store of an existing directory.
    pub fn open(dir: &Path, dirs: &Dirs) -> Result<Store, FsError> {
        Ok(Store::of(Root::open(dir)?, dirs))
    }

    /// Opens the store of a directory, making it when it is missing (P7).
    pub fn create(dir: &Path, dirs: &Dirs) -> Result<Store, FsError> {
        Ok(Store::of(Root::create(dir)?, dirs))
    }

    fn of(root: Root, dirs: &Dirs) -> Store {
        let key = key(root.path());
        let state = dirs.state.join("stores").join(&key);
        let cache = dirs.cache.join("stores").join(&key);
        let journal = Journal::at(state.join("journal"));
        Store {
            root,
            state,
            cache,
            journal,
            catalog: RefCell::new(None),
            looked: Cell::new(false),
            retention: RefCell::default(),
            group: CurrentGroup::default(),
        }
    }

    /// The same store, sharing its groups with others.
    #[must_use]
    pub fn sharing(self, group: &CurrentGroup) -> Store {
        Store { group: group.clone(), ..self }
    }

    /// The directory of the memories.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// Its history.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Where its history and jobs are.
    pub fn state_dir(&self) -> &Path {
        &self.state
    }

    /// Where its caches are.
    pub fn cache_dir(&self) -> &Path {
        &self.cache
    }

    /// Removes a link that somebody put into the directory; what it points to stays.
    pub fn remove_link(&self, file: &RelPath) -> Result<(), FsError> {
        self.root.remove_link(file)
    }

    fn lock_path(&self) -> PathBuf {
        self.state.join("lock")
    }
}

/// The name of a root's state: a hash of its real path, so that no path can collide or escape.
pub fn key(root: &Path) -> String {
    blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex().as_str()[..20].to_owned()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
