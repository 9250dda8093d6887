//! One look at a memory directory: which files are there, and which are not what we know.
//!
//! Enters: a root and the catalog. Leaves: the catalog brought up to date, and what differed.
//! Compares each file's facts with the known ones and reads only files that differ. Records
//! nothing, takes no lock.
//!
//! A file whose facts are very recent is read again next time, since two saves within one tick of
//! the file system's clock can look alike.

use std::cell::OnceCell;
use std::collections::HashSet;

use super::Store;
use super::catalog::{Catalog, Entry};
use super::fs::{self, Facts, FsError};
use super::history::{FileChange, Hash, Version};
use super::notice::Noticed;
use super::topic::Header;
use super::walk;
use crate::guard::confine::RelPath;
use crate::limits;

/// Facts younger than this against the file system's own clock are not trusted next time.
const RACY_NS: i64 = 100_000_000;

/// What a look brought.
pub(super) struct Look {
    /// What is known now.
    pub(super) catalog: Catalog,
    /// What differs from what was known.
    pub(super) files: Vec<FileChange>,
    pub(super) noticed: Noticed,
    /// How many files had to be read.
    pub(super) reread: usize,
    /// How many were not where the catalog expects them.
    strayed: usize,
    /// Numbers of the files that are there, in the order they were met.
    met: Vec<u32>,
    /// Where the next file is expected.
    next: u32,
    /// The file system's time, from before the first file was read.
    clock: OnceCell<i64>,
}

impl Look {
    /// Looks at every file of a store.
    pub(super) fn at(store: &Store, catalog: Catalog) -> Result<Look, FsError> {
        let mut look = Look {
            met: Vec::with_capacity(catalog.len()),
            catalog,
            files: Vec::new(),
            noticed: Noticed::default(),
            reread: 0,
            strayed: 0,
            next: 0,
            clock: OnceCell::new(),
        };
        look.noticed.odd = walk::each(&store.root, &mut |path, facts| look.meet(store, path, &facts))?;
        look.miss();
        Ok(look)
    }

    /// How far the catalog on disk is behind, in files.
    pub(super) fn lag(&self) -> usize {
        self.reread.max(self.strayed)
    }

    /// Leaves in the catalog only what is there, in the order it was met.
    pub(super) fn tidy(&mut self) {
        if self.lag() > 0 || self.met.len() != self.catalog.len() {
            self.catalog.arrange(&self.met);
        }
    }

    fn meet(&mut self, store: &Store, path: &str, facts: &Facts) {
        let number = self.catalog.number_of(path, self.next);
        match number {
            Some(number) if self.catalog.is_current(number, facts) => {
                self.strayed += usize::from(number != self.next);
                self.met.push(number);
            }
            known => self.read(store, path, known),
        }
        self.next = number.map_or(self.next, |number| number + 1);
    }

    fn read(&mut self, store: &Store, path: &str, known: Option<u32>) {
        self.reread += 1;
        let clock = *self.clock.get_or_init(|| file_system_clock(store));
        let read = RelPath::parse(path)
            .map_err(|refusal| refusal.to_string())
            .and_then(|path| store.root.read_with_facts(&path).map_err(|error| error.to_string()));
        let (content, facts) = match read {
            Ok(Some(read)) => read,
            Ok(None) => return,
            Err(why) => {
                self.noticed.unreadable.push((path.to_owned(), why));
                return;
            }
        };
        let hash = Hash::of(&content);
        let before = known.map(|number| self.catalog.at(number).hash);
        if before != Some(hash) {
            self.files.push(FileChange {
                path: path.to_owned(),
                before: before.map(Version::only),
                after: Some(Version::of(&content)),
            });
        }
        let head = &content[..content.len().min(limits::HEADER_BYTES)];
        let entry = Entry { facts: trusted(facts, clock), hash, header: Header::read(head) };
        self.met.extend(self.catalog.set(path, &entry));
    }

    /// Finds out which known files are gone.
    fn miss(&mut self) {
        if self.met.len() == self.catalog.len() {
            return;
        }
        let met: HashSet<u32> = self.met.iter().copied().collect();
        let unreadable: HashSet<&str> = self.noticed.unreadable.iter().map(|(path, _)| path.as_str()).collect();
        let gone = self.catalog.numbers().filter(|number| !met.contains(number)).map(|number| self.catalog.at(number));
        self.files.extend(gone.filter(|known| !unreadable.contains(known.path)).map(|known| FileChange {
            path: known.path.to_owned(),
            before: Some(Version::only(known.hash)),
            after: None,
        }));
    }
}

/// What time the file system thinks it is, from a file it just touched for us. Where that cannot
/// be had, no facts are old enough: files are read again, which is slow and right.
fn file_system_clock(store: &Store) -> i64 {
    let touched = fs::create_private_dir(&store.cache).and_then(|()| fs::touch(&store.cache.join("clock")));
    touched.unwrap_or(i64::MIN)
}

/// Facts that are too young to tell two saves apart are not kept.
fn trusted(facts: Facts, clock: i64) -> Option<Facts> {
    (facts.ctime_ns.saturating_add(RACY_NS) < clock).then_some(facts)
}
