//! What a long-running process keeps of a store between two requests.
//!
//! Enters: a look at every file. Leaves: the same knowledge later on, brought up to date from the journal and from what a
//! [`Watcher`] has seen, without another look. Whenever anything cannot be told cheaply it says so, and the caller
//! looks as always. Never answers from what it has not checked.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Store;
use super::catalog::{Catalog, KnownFile};
use super::notice::Noticed;
use super::scan::DirScan;
use super::transaction::ChangeError;
use super::watcher::Watcher;
use memdir_guard::confine::RelPath;

/// Seconds after which every file is looked at all the same: the kernel does not report writes through a mapped file.
const LOOK_EVERY: u64 = 600;
/// With more touched files than this, a whole look costs no more.
const TOUCHED: usize = 256;

/// Whether this handle keeps what it has seen.
#[derive(Debug, Default)]
pub(super) enum Retention {
    /// It is opened for one command.
    #[default]
    No,
    /// It should, and has not looked yet.
    Wanted,
    /// It does.
    Watching(Box<Watching>),
}

/// What is known, and the watcher that keeps it true.
#[derive(Debug)]
pub(super) struct Watching {
    watcher: Watcher,
    /// Files that were touched and not looked at yet.
    touched: BTreeSet<String>,
    /// What the last look met besides changes.
    last: Noticed,
    /// When that was.
    looked: jiff::Timestamp,
}

/// What outlives a handle, to be given to the next one of the same store.
#[derive(Debug)]
pub struct CachedStore {
    root: PathBuf,
    catalog: Arc<Catalog>,
    watching: Box<Watching>,
}

impl Watching {
    fn is_fresh(&self, now: jiff::Timestamp) -> bool {
        self.looked.as_second().abs_diff(now.as_second()) < LOOK_EVERY
    }

    /// Takes in what was touched; `false` when that cannot be told any more.
    fn see(&mut self) -> bool {
        let told = self.watcher.news().map(|names| self.touched.extend(names)).is_some();
        told && self.touched.len() <= TOUCHED
    }
}

impl CachedStore {
    /// Of which directory this is.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

impl Store {
    /// From now on what was seen is kept; `kept` is what an earlier handle of this store left.
    pub fn resume(&self, kept: Option<CachedStore>) {
        *self.retention.borrow_mut() = match kept {
            Some(CachedStore { root, catalog, watching }) if root == self.root.path() => {
                *self.catalog.borrow_mut() = Some(catalog);
                Retention::Watching(watching)
            }
            _ => Retention::Wanted,
        };
    }

    /// Gives away what was kept, for the next handle.
    pub fn suspend(&self) -> Option<CachedStore> {
        let catalog = self.catalog.borrow().clone()?;
        match self.retention.take() {
            Retention::Watching(watching) => {
                Some(CachedStore { root: self.root.path().to_path_buf(), catalog, watching })
            }
            Retention::No | Retention::Wanted => None,
        }
    }

    /// Starts watching with a whole look, where what is seen should be kept and nothing is yet. Best effort: whoever needs
    /// to know asks [`Store::touched`].
    pub fn watch(&self, now: jiff::Timestamp) {
        if matches!(*self.retention.borrow(), Retention::Wanted) {
            let _ = self.notice(now);
        }
    }

    /// The files that were touched since the last look and may differ from it; `None` where nobody watches.
    pub fn touched(&self, now: jiff::Timestamp) -> Option<Vec<String>> {
        let mut retention = self.retention.borrow_mut();
        let Retention::Watching(watching) = &mut *retention else { return None };
        if watching.is_fresh(now) && watching.see() {
            return Some(watching.touched.iter().cloned().collect());
        }
        *retention = Retention::Wanted;
        None
    }

    /// What a whole look would find, if that can be told without one.
    pub(super) fn news(&self, now: jiff::Timestamp) -> Result<Option<Noticed>, ChangeError> {
        let mut retention = self.retention.borrow_mut();
        let Retention::Watching(watching) = &mut *retention else { return Ok(None) };
        let generation = self.catalog.borrow().as_ref().map(|catalog| catalog.generation());
        let told = watching.is_fresh(now) && generation.is_some() && !self.needs_recovery() && watching.see();
        if told {
            let names = std::mem::take(&mut watching.touched);
            let catalog = self.current_catalog()?;
            if Some(catalog.generation()) != generation {
                // Its history is gone: what is there has to be recorded again.
                *retention = Retention::Wanted;
                return Ok(None);
            }
            let look =
                if names.is_empty() { Some(DirScan::none(catalog)) } else { DirScan::named(self, catalog, &names) };
            if let Some(look) = look.filter(|look| look.files.is_empty()) {
                self.hold(look.catalog);
                return Ok(Some(watching.last.clone()));
            }
        }
        // What others changed is recorded under the lock, after a look at everything.
        *retention = Retention::Wanted;
        Ok(None)
    }

    /// Starts watching after a look. What was touched between the two is found by another.
    pub(super) fn start_watching(&self, noticed: &Noticed, now: jiff::Timestamp) -> Result<(), ChangeError> {
        if !matches!(*self.retention.borrow(), Retention::Wanted) || !noticed.unreadable.is_empty() {
            return Ok(());
        }
        let Some(watcher) = Watcher::over(self.root.path(), &noticed.directories) else { return Ok(()) };
        let before = self.known()?;
        let mut look = DirScan::at(self, self.current_catalog()?)?;
        look.tidy();
        let same = look.files.is_empty() && look.noticed.directories == noticed.directories;
        // A file with a second name can be written through that one, unseen.
        let alone = look.catalog.iter().all(|known| self.has_one_name(&known));
        if !same {
            // Not recorded yet, so not known yet.
            *self.catalog.borrow_mut() = Some(before);
            return Ok(());
        }
        let last = look.noticed;
        self.hold(look.catalog);
        if alone {
            *self.retention.borrow_mut() =
                Retention::Watching(Box::new(Watching { watcher, touched: BTreeSet::new(), last, looked: now }));
        }
        Ok(())
    }
}

impl Store {
    fn has_one_name(&self, known: &KnownFile<'_>) -> bool {
        // Facts that are too young to be trusted are not in the catalog.
        let look = || self.root.facts(&RelPath::parse(known.path).ok()?).ok().flatten();
        known.facts.or_else(look).is_some_and(|facts| facts.links <= 1)
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
#[allow(clippy::disallowed_methods)]
mod tests;
