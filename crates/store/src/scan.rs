//! Scans a memory directory: which files are there, and which differ from what is known.
//!
//! Enters: a root and the catalog. Leaves: the catalog brought up to date, and what differed.
//! Compares each file's facts with the known ones and reads only files that differ. Records
//! nothing, takes no lock.
//!
//! A file whose facts are very recent is read again next time, since two saves within one tick of
//! the file system's clock can look alike.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};

use super::Store;
use super::catalog::{Catalog, CatalogEntry};
use super::fs::{self, FileStat, FsError};
use super::history::{FileChange, Hash, Version};
use super::notice::Noticed;
use super::topic::Header;
use super::walk;
use super::written::{SessionEnds, TimeSource, Written, came_together};
use memdir_core::limits;
use memdir_guard::confine::RelPath;

/// Facts younger than this against the file system's own clock are not trusted next time.
const RACY_NS: i64 = 100_000_000;

/// What a look brought.
pub(super) struct DirScan {
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
    /// Files of which nothing but their own time tells when they were written.
    by_time: Vec<(u32, FileStat)>,
    sessions: SessionEnds,
}

impl DirScan {
    /// Looks at every file of a store.
    pub(super) fn at(store: &Store, catalog: Catalog) -> Result<DirScan, FsError> {
        let mut look = DirScan::new(catalog);
        let passed = walk::each(&store.root, &mut |path, facts| look.meet(store, path, &facts))?;
        (look.noticed.odd, look.noticed.directories) = (passed.odd, passed.directories);
        look.miss();
        look.settle_times();
        Ok(look)
    }

    /// Looks only at directories that have changed, and reads of their files only what cannot be what is known:
    /// new names, and names that stand for another inode than before. What was saved in place is not seen.
    /// `known` says which directories have a time of their own to be told by.
    pub(super) fn glance(
        store: &Store,
        catalog: Catalog,
        changed: &[String],
        known: &dyn Fn(&str) -> bool,
    ) -> Result<DirScan, FsError> {
        let mut look = DirScan::new(catalog);
        let mut there = vec![false; look.catalog.places()];
        for dir in changed {
            let listed = walk::list(&store.root, dir, known, &mut |path, inode| {
                let number = look.catalog.number_of(path, look.next);
                look.next = number.map_or(look.next, |number| number + 1);
                match number {
                    Some(number) => there[number as usize] = true,
                    None => return look.read(store, path, None),
                }
                if !number.is_some_and(|number| look.catalog.has_inode(number, inode)) {
                    look.read(store, path, number);
                }
            })?;
            look.noticed.directories.extend(listed);
        }
        let in_changed = |path: &str| changed.iter().any(|dir| dir == path.rsplit_once('/').map_or("", |(dir, _)| dir));
        // What was just read for the first time has a number behind those.
        let missed = |number: &u32| there.get(*number as usize) == Some(&false);
        let gone: Vec<String> = look
            .catalog
            .numbers()
            .filter(missed)
            .map(|number| look.catalog.at(number).path)
            .filter(|path| in_changed(path))
            .map(str::to_owned)
            .collect();
        for path in gone {
            look.lose(&path);
            look.catalog.remove(&path);
        }
        look.met = look.catalog.numbers().collect();
        look.settle_times();
        Ok(look)
    }

    /// Looks at these files alone; `None` where one of them is not what a memory is.
    pub(super) fn named(store: &Store, catalog: Catalog, names: &BTreeSet<String>) -> Option<DirScan> {
        let mut look = DirScan::new(catalog);
        for name in names {
            match store.root.facts(&RelPath::parse(name).ok()?).ok()? {
                Some(facts) if facts.links > 1 => return None,
                Some(facts) => look.meet(store, name, &facts),
                None if look.catalog.get(name).is_some() => look.lose(name),
                None => {}
            }
        }
        look.settle_times();
        look.noticed.unreadable.is_empty().then_some(look)
    }

    /// Looks at nothing: what is known is known to be true.
    pub(super) fn none(catalog: Catalog) -> DirScan {
        DirScan::new(catalog)
    }

    fn new(catalog: Catalog) -> DirScan {
        DirScan {
            met: Vec::with_capacity(catalog.len()),
            catalog,
            files: Vec::new(),
            noticed: Noticed::default(),
            reread: 0,
            strayed: 0,
            next: 0,
            clock: OnceCell::new(),
            by_time: Vec::new(),
            sessions: SessionEnds::default(),
        }
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

    fn meet(&mut self, store: &Store, path: &str, facts: &FileStat) {
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
                written: None,
                from: None,
            });
        }
        let head = &content[..content.len().min(limits::HEADER_BYTES)];
        let header = Header::read(head);
        let former = known.map(|number| self.catalog.at(number).written);
        let written =
            Written::of_day(path).unwrap_or_else(|| self.written(store, &header, &facts, former, before == Some(hash)));
        let entry = CatalogEntry { facts: trusted(facts, clock), hash, header, written };
        let number = self.catalog.set(path, &entry);
        self.met.extend(number);
        // What the history has is settled.
        let by_time = number.filter(|_| written.source == TimeSource::FileTime && former != Some(written));
        self.by_time.extend(by_time.map(|number| (number, facts)));
    }

    /// When a file was written that is not as it was last seen. Another time alone is not another text.
    fn written(
        &mut self,
        store: &Store,
        header: &Header,
        facts: &FileStat,
        former: Option<Written>,
        same_text: bool,
    ) -> Written {
        let by_file = Written::of_file(facts);
        match former {
            Some(former) if same_text => match former.source {
                TimeSource::FileTime | TimeSource::Unknown if by_file.at < former.at => by_file,
                _ => former,
            },
            _ => Written::claimed(header).unwrap_or_else(|| {
                // What somebody edited later is not from the conversation it once came from.
                let ended = if former.is_none() { self.sessions.end_of(store, header) } else { None };
                ended.map_or(by_file, |end| Written { at: end.min(by_file.at), source: TimeSource::Transcript })
            }),
        }
    }

    /// Takes back what only the times of files told, where they came in one go, and notes for the history what is known.
    fn settle_times(&mut self) {
        if !self.by_time.is_empty() {
            let undated = self.catalog.iter().filter(|known| known.written.source == TimeSource::Unknown);
            let undated = undated.filter_map(|known| known.facts);
            let all: Vec<FileStat> = self.by_time.iter().map(|(_, facts)| *facts).chain(undated).collect();
            let together = came_together(&all);
            for (number, facts) in self.by_time.drain(..).filter(|(_, facts)| together(facts)) {
                self.catalog.date(number, Written::unknown(Written::of_file(&facts).at));
            }
        }
        for file in self.files.iter_mut().filter(|file| file.after.is_some()) {
            let known = self.catalog.get(&file.path).map(|known| known.written);
            let told = known.filter(|written| !matches!(written.source, TimeSource::Unknown | TimeSource::Frontmatter));
            file.written = told.map(|written| written.at);
        }
    }

    /// Finds out which known files are gone.
    fn miss(&mut self) {
        if self.met.len() == self.catalog.len() {
            return;
        }
        let met: HashSet<u32> = self.met.iter().copied().collect();
        let unreadable: HashSet<&str> = self.noticed.unreadable.iter().map(|(path, _)| path.as_str()).collect();
        let gone: Vec<String> = self
            .catalog
            .numbers()
            .filter(|number| !met.contains(number))
            .map(|number| self.catalog.at(number).path)
            .filter(|path| !unreadable.contains(path))
            .map(str::to_owned)
            .collect();
        for path in &gone {
            self.lose(path);
        }
    }

    /// Takes down that a known file is gone.
    fn lose(&mut self, path: &str) {
        let before = self.catalog.get(path).map(|known| Version::only(known.hash));
        self.files.push(FileChange { path: path.to_owned(), before, after: None, written: None, from: None });
    }
}

/// What time the file system thinks it is, from a file it just touched for us. Where that cannot
/// be had, no facts are old enough: files are read again, which is slow and right.
fn file_system_clock(store: &Store) -> i64 {
    let touched = fs::create_private_dir(&store.cache).and_then(|()| fs::touch(&store.cache.join("clock")));
    touched.unwrap_or(i64::MIN)
}

/// Facts that are too young to tell two saves apart are not kept.
fn trusted(facts: FileStat, clock: i64) -> Option<FileStat> {
    (facts.ctime_ns.saturating_add(RACY_NS) < clock).then_some(facts)
}
