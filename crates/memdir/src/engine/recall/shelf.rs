//! The search cache of one store: sheets, vectors, and how far they reach.
//!
//! A cold process opens it in place and answers without listing the directory. It is fresh when the
//! journal has not grown and no directory has changed since it was written; in a small store each
//! file is looked at too, because an editor that saves in place changes neither. Everything here can
//! be deleted: it is built again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::sheet::{Doc, Sheet};
use super::vectors;
use crate::guard::confine::RelPath;
use crate::search::lexical::{Dead, Searcher};
use crate::search::semantic::Vectors;
use crate::store::Store;
use crate::store::fs::{self, Durability, FsError, Mapped};
use crate::store::history::Position;

/// Another number means another layout: start over.
const VERSION: u32 = 1;
/// Up to so many memories, each file is looked at before a cached answer is trusted.
pub(super) const LOOK_AT_EACH: u32 = 2_000;

/// What the cache consists of, and what it knows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    version: u32,
    tokens: u32,
    /// Files of sheets, the oldest first; memories are numbered through all of them.
    pub(super) sheets: Vec<String>,
    /// The file of vectors.
    pub(super) vectors: Option<String>,
    /// Memories that are gone or replaced.
    pub(super) dead: Vec<u32>,
    /// How far into the journal this reaches.
    pub(super) position: Position,
    /// Every directory and when it last changed.
    pub(super) directories: BTreeMap<String, i64>,
}

/// The cache, open.
pub(super) struct Shelf {
    pub(super) state: State,
    sheets: Vec<Bytes>,
    vectors: Option<Mapped>,
    dead: Dead,
}

enum Bytes {
    Mapped(Mapped),
    Fresh(Vec<u8>),
}

impl Bytes {
    fn bytes(&self) -> &[u8] {
        match self {
            Bytes::Mapped(mapped) => mapped.bytes(),
            Bytes::Fresh(bytes) => bytes,
        }
    }
}

impl State {
    pub(super) fn new() -> State {
        State { version: VERSION, tokens: crate::search::tokens::TOKENS_VERSION, ..State::default() }
    }

    pub(super) fn save(&self, store: &Store) -> Result<(), FsError> {
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        fs::replace(&dir(store).join("state.json"), &bytes, Durability::Cache)
    }
}

/// Where a store's search cache is.
pub(super) fn dir(store: &Store) -> PathBuf {
    store.cache_dir().join("search")
}

impl Shelf {
    /// Opens what is there; whatever is missing or damaged makes an empty shelf.
    pub(super) fn open(store: &Store) -> Shelf {
        Shelf::try_open(store).unwrap_or_else(Shelf::empty)
    }

    fn empty() -> Shelf {
        Shelf { state: State::new(), sheets: Vec::new(), vectors: None, dead: Dead::default() }
    }

    fn try_open(store: &Store) -> Option<Shelf> {
        let dir = dir(store);
        let state: State = serde_json::from_slice(&fs::read_beside(&dir.join("state.json")).ok()?).ok()?;
        let current = State::new();
        if (state.version, state.tokens) != (current.version, current.tokens)
            || state.sheets.iter().any(|name| !plain(name))
        {
            return None;
        }
        let map = |name: &String| Mapped::open(&dir.join(name)).ok();
        let sheets: Vec<Bytes> =
            state.sheets.iter().map(|name| Some(Bytes::Mapped(map(name)?))).collect::<Option<_>>()?;
        let vectors = state.vectors.as_ref().filter(|name| plain(name)).and_then(map);
        let shelf = Shelf { dead: dead_of(&state), state, sheets, vectors };
        // Each sheet is looked into once, so that later reads need not fear a foreign file.
        shelf
            .sheets
            .iter()
            .all(|bytes| Sheet::open(bytes.bytes()).is_some_and(|sheet| sheet.segment().is_some()))
            .then_some(shelf)
    }

    /// Puts a sheet on top that is not on disk yet.
    pub(super) fn push(&mut self, bytes: Vec<u8>) {
        self.sheets.push(Bytes::Fresh(bytes));
    }

    /// Takes every sheet and vector away.
    pub(super) fn clear(&mut self) {
        self.sheets.clear();
        self.vectors = None;
    }

    /// The bytes of the newest sheet.
    pub(super) fn top(&self) -> &[u8] {
        self.sheets.last().map_or(&[], Bytes::bytes)
    }

    /// Takes over the numbers of dead memories from the state.
    pub(super) fn settle_dead(&mut self) {
        self.dead = dead_of(&self.state);
    }

    /// How many memories, dead ones included.
    pub(super) fn len(&self) -> u32 {
        self.open_sheets().map(|sheet| sheet.len()).sum()
    }

    /// How many memories are alive.
    pub(super) fn alive(&self) -> u32 {
        self.len().saturating_sub(self.state.dead.len() as u32)
    }

    pub(super) fn is_dead(&self, doc: u32) -> bool {
        self.dead.contains(doc)
    }

    fn open_sheets(&self) -> impl Iterator<Item = Sheet<'_>> {
        self.sheets.iter().filter_map(|bytes| Sheet::open(bytes.bytes()))
    }

    /// One memory by its number.
    pub(super) fn doc(&self, doc: u32) -> Option<Doc<'_>> {
        let mut first = 0;
        for sheet in self.open_sheets() {
            if doc < first + sheet.len() {
                return sheet.doc(doc - first);
            }
            first += sheet.len();
        }
        None
    }

    /// Every memory that is alive, with its number.
    pub(super) fn docs(&self) -> impl Iterator<Item = (u32, Doc<'_>)> {
        let mut first = 0;
        let ranges: Vec<(u32, Sheet<'_>)> = self
            .open_sheets()
            .map(|sheet| {
                let start = first;
                first += sheet.len();
                (start, sheet)
            })
            .collect();
        ranges
            .into_iter()
            .flat_map(|(start, sheet)| (0..sheet.len()).filter_map(move |at| Some((start + at, sheet.doc(at)?))))
            .filter(|(number, _)| !self.is_dead(*number))
    }

    /// The lexical index over all sheets.
    pub(super) fn searcher(&self) -> Searcher<'_> {
        let segments: Vec<_> = self.open_sheets().filter_map(|sheet| sheet.segment()).collect();
        Searcher::new(&segments, dead_of(&self.state))
    }

    /// The vectors that are there.
    pub(super) fn vectors(&self) -> Vectors<'_> {
        let open = self.vectors.as_ref().and_then(|mapped| vectors::open(mapped.bytes()));
        // Rows of memories that do not exist belong to another cache.
        open.filter(|vectors| vectors.docs.last().is_none_or(|last| *last < self.len())).unwrap_or_default()
    }

    /// Whether the cache says what the directory says, as far as can be told cheaply.
    pub(super) fn is_fresh(&self, store: &Store) -> bool {
        if self.sheets.is_empty() || store.journal().end().ok() != Some(self.state.position) {
            return false;
        }
        let same = |(path, changed): (&String, &i64)| directory_time(store, path) == Some(*changed);
        if !self.state.directories.iter().all(same) {
            return false;
        }
        self.alive() > LOOK_AT_EACH || self.docs().all(|(_, doc)| is_as_known(store, &doc))
    }
}

/// Whether a file still is what the cache says it was.
fn is_as_known(store: &Store, doc: &Doc<'_>) -> bool {
    let Ok(path) = RelPath::parse(doc.path) else { return false };
    matches!(store.root().facts(&path), Ok(Some(facts)) if facts == doc.facts)
}

/// When a directory below the root last changed: a file came, went or was replaced.
pub(super) fn directory_time(store: &Store, path: &str) -> Option<i64> {
    let full = if path.is_empty() { store.root().path().to_path_buf() } else { store.root().path().join(path) };
    changed(&full)
}

fn changed(dir: &Path) -> Option<i64> {
    use std::os::unix::fs::MetadataExt as _;
    let facts = std::fs::symlink_metadata(dir).ok().filter(std::fs::Metadata::is_dir)?;
    Some(facts.mtime().saturating_mul(1_000_000_000).saturating_add(facts.mtime_nsec()))
}

fn dead_of(state: &State) -> Dead {
    let mut dead = Dead::default();
    state.dead.iter().for_each(|doc| dead.insert(*doc));
    dead
}

/// A file name of ours: nothing in a damaged state file may lead out of the cache.
fn plain(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.')
        && !name.starts_with('.')
}
