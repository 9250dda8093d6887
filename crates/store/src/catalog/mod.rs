//! What is known of each file: its facts, its hash, its header. A cache.
//!
//! Enters: files as they were last read, and changes from the journal. Leaves: headers without
//! opening a file, and the answer to "is this still what we know?". It remembers how far into the
//! journal it has got, so our own writes need not touch it: the next reader catches up. If it is
//! missing, damaged or of another version, it is empty and everything is read once more.
//!
//! All texts are in one piece and files are numbers, in the order in which the last look met them:
//! a directory is usually listed the same way again, so the next look finds each file where it
//! expects it and a hundred thousand of them cost no search and no allocation.

mod file;
mod table;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use super::fs::{self, Durability, FileStat, FsError};
use super::history::{Change, Hash, Position};
use super::topic::Header;
use super::written::Written;
use memdir_core::kind::Type;
use table::PathTable;

/// The length of a text that is not there.
const NONE: u32 = u32::MAX;

/// What is known of one file, as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogEntry {
    /// What `stat` said when it was read; `None`: read it again before trusting the rest.
    pub facts: Option<FileStat>,
    /// Hash of the content.
    pub hash: Hash,
    /// Its header.
    pub header: Header,
    /// When it was written.
    pub written: Written,
}

/// What is known of one file, as the catalog holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownFile<'c> {
    /// Relative to the root. Indexes are in the catalog too.
    pub path: &'c str,
    /// What `stat` said when it was read; `None`: read it again before trusting the rest.
    pub facts: Option<FileStat>,
    /// Hash of the content.
    pub hash: Hash,
    /// The title.
    pub name: Option<&'c str>,
    /// What recall goes by.
    pub description: Option<&'c str>,
    /// The type, if it is one of the four.
    pub kind: Option<Type>,
    /// Whether automation must leave it alone.
    pub pinned: bool,
    /// When it was written.
    pub written: Written,
}

/// What is known of every file of a store.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Every text of every file, one after the other; also those of files that are gone.
    text: String,
    slots: Vec<Slot>,
    /// By path; made when somebody asks by path.
    table: OnceLock<PathTable>,
    gone: usize,
    generation: CatalogGeneration,
    /// Numbers that were set in this generation, in that order.
    touched: Vec<u32>,
    /// How far into the journal this knowledge reaches.
    pub position: Position,
}

/// The numbers of files keep their meaning withwithin one generation; when they are assigned again, a new one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CatalogGeneration(u64);

impl Default for CatalogGeneration {
    fn default() -> CatalogGeneration {
        use std::sync::atomic::{AtomicU64, Ordering};
        static NEXT: AtomicU64 = AtomicU64::new(0);
        CatalogGeneration(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// One file, its texts by their places.
#[derive(Clone, Debug)]
struct Slot {
    /// Where its texts begin: path, name, description.
    start: u32,
    lengths: [u32; 3],
    facts: Option<FileStat>,
    hash: Hash,
    kind: Option<Type>,
    pinned: bool,
    written: Written,
    /// The file was removed; the slot stays, so that numbers keep their meaning.
    gone: bool,
}

impl Slot {
    fn texts(&self) -> [Option<Range<usize>>; 3] {
        let mut at = self.start as usize;
        self.lengths.map(|length| {
            let from = at;
            at = if length == NONE { return None } else { at.saturating_add(length as usize) };
            Some(from..at)
        })
    }
}

impl Catalog {
    /// Loads the catalog, or an empty one: a cache that cannot be read is no cache.
    pub fn load(path: &Path) -> Catalog {
        fs::read_beside(path).ok().and_then(file::decode).unwrap_or_default()
    }

    /// How many files a saved catalog knows, without loading it.
    pub fn count(path: &Path) -> usize {
        fs::tail(path, file::COUNT_BYTES).ok().and_then(|tail| file::count(&tail)).unwrap_or(0)
    }

    /// Saves the catalog. Readers see the old one or the new one.
    pub fn save(&self, path: &Path) -> Result<(), FsError> {
        let Some(bytes) = file::encode(self) else { return Ok(()) };
        if let Some(dir) = path.parent() {
            fs::create_private_dir(dir)?;
        }
        fs::replace(path, &bytes, Durability::Cache)
    }

    /// How many files are known.
    pub fn len(&self) -> usize {
        self.slots.len() - self.gone
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every file, in no order that means anything.
    pub fn iter(&self) -> impl Iterator<Item = KnownFile<'_>> {
        self.numbers().map(|number| self.at(number))
    }

    /// The numbers of all files; they keep their meaning within an generation.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        (0_u32..).zip(&self.slots).filter(|(_, slot)| !slot.gone).map(|(number, _)| number)
    }

    /// Every path, sorted.
    pub fn paths(&self) -> Vec<&str> {
        let mut paths: Vec<&str> = self.iter().map(|known| known.path).collect();
        paths.sort_unstable();
        paths
    }

    /// What is known of a file.
    pub fn get(&self, path: &str) -> Option<KnownFile<'_>> {
        self.find(path).map(|number| self.at(number))
    }

    /// What the numbers mean now.
    pub fn generation(&self) -> CatalogGeneration {
        self.generation
    }

    /// Numbers that were set in this generation, in that order: whoever follows along need not start over.
    pub fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// The file of a number, unless it is gone.
    pub fn still(&self, number: u32) -> Option<KnownFile<'_>> {
        self.slots.get(number as usize).filter(|slot| !slot.gone).map(|_| self.at(number))
    }

    /// The file of a number that came from here.
    pub fn at(&self, number: u32) -> KnownFile<'_> {
        let slot = &self.slots[number as usize];
        let mut from = slot.start as usize;
        let mut next = |length: u32| {
            if length == NONE {
                return None;
            }
            let start = from;
            from = from.saturating_add(length as usize);
            self.text.get(start..from)
        };
        let [path, name, description] = slot.lengths;
        KnownFile {
            path: next(path).unwrap_or_default(),
            name: next(name),
            description: next(description),
            written: slot.written,
            facts: slot.facts,
            hash: slot.hash,
            kind: slot.kind,
            pinned: slot.pinned,
        }
    }

    /// The number of a path. `guess` is tried first.
    pub(super) fn number_of(&self, path: &str, guess: u32) -> Option<u32> {
        let guessed =
            self.slots.get(guess as usize).is_some_and(|slot| !slot.gone && path_of(&self.text, slot) == path);
        if guessed { Some(guess) } else { self.find(path) }
    }

    /// Whether a file still has the facts it had when it was read.
    pub(super) fn is_current(&self, number: u32, facts: &FileStat) -> bool {
        self.slots.get(number as usize).is_some_and(|slot| slot.facts.as_ref() == Some(facts))
    }

    /// Whether a file still stands under the inode it was read from; not so when that is not known.
    pub(super) fn has_inode(&self, number: u32, inode: u64) -> bool {
        self.slots.get(number as usize).and_then(|slot| slot.facts).is_some_and(|facts| facts.inode == inode)
    }

    /// How many numbers have been dealt out, those of files that are gone included.
    pub(super) fn places(&self) -> usize {
        self.slots.len()
    }

    /// Sets what is known of a file. Returns its number, or `None` when there is no room for it.
    pub fn set(&mut self, path: &str, entry: &CatalogEntry) -> Option<u32> {
        let place = self.place(path);
        let slot = self.write(path, entry)?;
        let number = place.unwrap_or(self.slots.len() as u32);
        self.touched.push(number);
        if let Some(number) = place {
            let old = std::mem::replace(&mut self.slots[number as usize], slot);
            self.gone -= usize::from(old.gone);
            return Some(number);
        }
        self.slots.push(slot);
        let (text, slots) = (&self.text, &self.slots);
        if let Some(table) = self.table.get_mut() {
            table.add(number, |number| path_of(text, &slots[number as usize]));
        }
        Some(number)
    }

    /// Corrects when a file was written.
    pub(super) fn date(&mut self, number: u32, written: Written) {
        self.slots[number as usize].written = written;
    }

    /// Forgets a file.
    pub fn remove(&mut self, path: &str) {
        if let Some(number) = self.find(path) {
            self.slots[number as usize].gone = true;
            self.gone += 1;
        }
    }

    /// Takes in what memdir itself changed since. The facts of those files are not known.
    ///
    /// A position that lies before ours is the end of another journal: this knowledge belongs to
    /// one that was deleted, and what was in the directory has to be recorded again.
    pub fn catch_up(&mut self, changes: &[Change], position: Position) {
        if position < self.position {
            *self = Catalog::default();
        }
        for change in changes {
            for file in &change.files {
                match &file.after {
                    Some(version) => {
                        let header = version.content().map(|content| Header::read(&content)).unwrap_or_default();
                        let before = self.get(&file.path).map(|known| known.written);
                        let written = Written::of_change(change, file, &header, before);
                        self.set(&file.path, &CatalogEntry { facts: None, hash: version.hash, header, written });
                    }
                    None => self.remove(&file.path),
                }
            }
            for pointer in &change.pointers {
                let written = Written::unknown(change.time);
                let header = Header::default();
                self.set(&pointer.index, &CatalogEntry { facts: None, hash: pointer.after, header, written });
            }
        }
        self.position = position;
    }

    /// Puts the files into the order in which a look met them; whoever is not in it is forgotten.
    pub(super) fn arrange(&mut self, order: &[u32]) {
        self.slots = order.iter().map(|&number| self.slots[number as usize].clone()).collect();
        self.gone = 0;
        self.table = OnceLock::new();
        self.generation = CatalogGeneration::default();
        self.touched.clear();
    }

    fn find(&self, path: &str) -> Option<u32> {
        self.place(path).filter(|&number| !self.slots[number as usize].gone)
    }

    /// The slot of a path, also of one that is gone.
    fn place(&self, path: &str) -> Option<u32> {
        let of = |number: u32| path_of(&self.text, &self.slots[number as usize]);
        self.table.get_or_init(|| PathTable::of(self.slots.len(), of)).find(path, of)
    }

    /// Appends the texts of a file. A header that the catalog has no room for is left out; `None`:
    /// there is not even room for the path.
    fn write(&mut self, path: &str, entry: &CatalogEntry) -> Option<Slot> {
        let CatalogEntry { facts, hash, header, written } = entry;
        let start = u32::try_from(self.text.len()).ok()?;
        let texts = [Some(path), header.name.as_deref(), header.description.as_deref()];
        let room = (NONE - start) as usize;
        let all: usize = texts.iter().flatten().map(|text| text.len()).sum();
        if path.len() >= room {
            return None;
        }
        let texts = if all < room { texts } else { [Some(path), None, None] };
        texts.iter().flatten().for_each(|text| self.text.push_str(text));
        Some(Slot {
            start,
            lengths: texts.map(|text| text.map_or(NONE, |text| text.len() as u32)),
            facts: *facts,
            hash: *hash,
            kind: header.kind,
            pinned: header.pinned,
            written: *written,
            gone: false,
        })
    }
}

fn path_of<'t>(text: &'t str, slot: &Slot) -> &'t str {
    let start = slot.start as usize;
    text.get(start..start.saturating_add(slot.lengths[0] as usize)).unwrap_or_default()
}
