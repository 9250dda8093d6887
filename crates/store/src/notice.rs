//! Noticing what others changed: an editor, the host, another tool.
//!
//! Looks at the directory and records real differences in the history as somebody else's change.
//! Nobody's edit is ever overwritten or lost: what was there before is in the history, what
//! is there now is too.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::Store;
use super::catalog::Catalog;
use super::fs::FsError;
use super::history::{Actor, Change, ChangeId, FileChange, Rewind, Visit};
use super::scan::DirScan;
use super::transaction::ChangeError;
use super::walk::UnusableEntry;

/// Files in one record of what others did: keeps a journal line readable.
const FILES_A_RECORD: usize = 256;
/// A catalog that lags behind by no more files than this is not written again.
const LAG: usize = 32;
/// A catalog of so few files is written whenever others changed something: that costs less than to read again.
const SMALL: usize = 2_000;
/// How long noticing waits for a writer; whoever comes next notices too.
const PATIENCE: Duration = Duration::from_millis(500);

/// What a look at the directory found.
#[derive(Clone, Debug, Default)]
pub struct Noticed {
    /// Changes by others that were recorded just now.
    pub changes: Vec<Change>,
    /// Entries that are not usable memory.
    pub odd: Vec<UnusableEntry>,
    /// Files that could not be read, and why.
    pub unreadable: Vec<(String, String)>,
    /// Directories that were listed, relative to the root, which itself is empty.
    pub directories: Vec<String>,
}

impl Store {
    /// Looks at the directory and records what others changed. Afterwards [`Store::known`] is true.
    ///
    /// `now` dates the record; files keep their own times.
    pub fn notice(&self, now: jiff::Timestamp) -> Result<Noticed, ChangeError> {
        if let Some(noticed) = self.news(now)? {
            self.looked.set(true);
            return Ok(noticed);
        }
        let look = DirScan::at(self, self.current_catalog()?)?;
        let noticed = if look.files.is_empty() && !self.needs_recovery() {
            self.keep(look)
        } else {
            drop(look);
            self.record_others(now)?
        };
        self.looked.set(true);
        self.start_watching(&noticed, now)?;
        Ok(noticed)
    }

    /// Looks only into directories that are known to have changed, and records what came, went or was replaced
    /// there: for a store that is too large to be looked at whole for every file. `known` says which directories
    /// the caller keeps an eye on. Fails where nothing can be recorded; [`Store::notice`] does not.
    pub fn notice_in(
        &self,
        changed: &[String],
        known: &dyn Fn(&str) -> bool,
        now: jiff::Timestamp,
    ) -> Result<Noticed, ChangeError> {
        if let Some(noticed) = self.news(now)? {
            return Ok(noticed);
        }
        let _lock = self.lock(PATIENCE)?;
        let look = DirScan::glance(self, self.current_catalog()?, changed, known)?;
        if look.files.is_empty() { Ok(self.keep(look)) } else { self.record(look, now) }
    }

    /// Looks at the directory if this handle has not done so yet. Later calls only take in what
    /// was changed by a transaction since: one command looks once, however many memories it saves.
    pub fn notice_once(&self, now: jiff::Timestamp) -> Result<(), ChangeError> {
        if self.looked.get() {
            let catalog = self.current_catalog()?;
            self.hold(catalog);
            return Ok(());
        }
        self.notice(now).map(drop)
    }

    /// Whether this handle has looked at the directory, so that [`Store::known`] is up to date.
    pub fn has_looked(&self) -> bool {
        self.looked.get()
    }

    /// The catalog as of the last look.
    pub fn known(&self) -> Result<Arc<Catalog>, FsError> {
        if let Some(catalog) = &*self.catalog.borrow() {
            return Ok(Arc::clone(catalog));
        }
        let catalog = self.current_catalog()?;
        Ok(self.hold(catalog))
    }

    /// How many files were known when the catalog was last saved; reads a few bytes.
    pub fn known_files(&self) -> usize {
        Catalog::count(&self.catalog_path())
    }

    /// Under the lock: look again, since somebody may have been faster, and record.
    fn record_others(&self, now: jiff::Timestamp) -> Result<Noticed, ChangeError> {
        let Ok(_lock) = self.lock(PATIENCE) else {
            // Reading must work where writing does not: a read-only state directory, a busy store.
            let mut look = DirScan::at(self, self.current_catalog()?)?;
            look.tidy();
            self.hold(look.catalog);
            return Ok(look.noticed);
        };
        let look = DirScan::at(self, self.current_catalog()?)?;
        self.record(look, now)
    }

    /// Puts what a look found into the history; under the lock.
    fn record(&self, mut look: DirScan, now: jiff::Timestamp) -> Result<Noticed, ChangeError> {
        let first = self.journal.files()?.is_empty();
        let mut files = std::mem::take(&mut look.files);
        self.fill_in_before(&mut files)?;
        let mut changes = Vec::with_capacity(files.len().div_ceil(FILES_A_RECORD));
        while !files.is_empty() {
            let rest = files.split_off(files.len().min(FILES_A_RECORD));
            changes.push(others(std::mem::replace(&mut files, rest), now, first));
        }
        self.journal.append_done(&changes)?;
        look.noticed.changes = changes;
        look.catalog.position = self.journal.end()?;
        if look.catalog.len() <= SMALL {
            look.reread += LAG;
        }
        Ok(self.keep(look))
    }

    /// What we know, our own writes since the last save included.
    pub(super) fn current_catalog(&self) -> Result<Catalog, FsError> {
        let held = self.catalog.borrow_mut().take();
        let mut catalog = match held {
            Some(catalog) => Arc::unwrap_or_clone(catalog),
            None => Catalog::load(&self.catalog_path()),
        };
        let (changes, position) = self.journal.since(catalog.position)?;
        catalog.catch_up(&changes, position);
        Ok(catalog)
    }

    fn keep(&self, mut look: DirScan) -> Noticed {
        look.tidy();
        if look.lag() > LAG {
            // A cache that cannot be written costs time, nothing else.
            let _ = look.catalog.save(&self.catalog_path());
        }
        self.hold(look.catalog);
        look.noticed
    }

    pub(super) fn hold(&self, catalog: Catalog) -> Arc<Catalog> {
        let catalog = Arc::new(catalog);
        *self.catalog.borrow_mut() = Some(Arc::clone(&catalog));
        catalog
    }

    fn catalog_path(&self) -> std::path::PathBuf {
        self.cache.join("catalog")
    }

    /// Finds what the files held before, in one pass through the history. Where the history does not
    /// have it, the hash alone is left.
    fn fill_in_before(&self, files: &mut [FileChange]) -> Result<(), FsError> {
        let mut wanted: HashMap<String, (Rewind, usize)> = HashMap::new();
        for (at, file) in files.iter().enumerate() {
            if let Some(before) = &file.before {
                wanted.insert(file.path.clone(), (Rewind::to(&file.path, before.hash), at));
            }
        }
        if wanted.is_empty() {
            return Ok(());
        }
        let paths: Vec<String> = wanted.keys().cloned().collect();
        self.journal.newest_first_naming(&paths, |change| {
            for path in change.paths() {
                let Some((rewind, at)) = wanted.get_mut(path) else { continue };
                if let Some(version) = rewind.step(&change) {
                    files[*at].before = Some(version);
                    wanted.remove(path);
                }
            }
            if wanted.is_empty() { Visit::Enough } else { Visit::More }
        })?;
        Ok(())
    }
}

fn others(files: Vec<FileChange>, now: jiff::Timestamp, first: bool) -> Change {
    let reason =
        match (first, files.iter().all(|file| file.before.is_none()), files.iter().all(|file| file.after.is_none())) {
            (true, _, _) => "found here at first sight",
            (_, true, _) => "written by somebody else",
            (_, _, true) => "removed by somebody else",
            _ => "edited by somebody else",
        };
    let mut change = Change {
        id: ChangeId(String::new()),
        time: now,
        actor: Actor::Outside,
        session: None,
        message: None,
        reason: reason.to_owned(),
        group: None,
        undoes: None,
        baseline: first,
        files,
        pointers: Vec::new(),
    };
    change.id = ChangeId::derive(&[&serde_json::to_vec(&change).unwrap_or_default()]);
    change
}
