//! The search cache of one store: segments, vectors, and how far they reach.
//!
//! A cold process opens it in place and answers without listing the directory, where it is still true
//! ([`freshness`](super::freshness)). Everything here can be deleted: it is built again.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::freshness::WatchState;
use super::segment::{CacheSegment, Doc};
use super::understanding::{SubjectFile, SubjectsByHash};
use super::vectors;
use memdir_search::lexical::{DeletedDocs, Searcher};
use memdir_search::semantic::Vectors;
use memdir_store::Store;
use memdir_store::fs::{self, Durability, FsError, Mapped};
use memdir_store::history::{Hash, Position};

/// Another number means another layout: start over.
const VERSION: u32 = 5;

/// What the cache consists of, and what it knows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    version: u32,
    tokens: u32,
    /// Files of segments, the oldest first; memories are numbered through all of them.
    #[serde(rename = "sheets")]
    pub(super) segments: Vec<String>,
    /// Files of vectors; a memory is in none or one of them.
    pub(super) vectors: Vec<String>,
    /// Files of what memories are about.
    #[serde(default)]
    pub(super) subjects: Vec<String>,
    /// Memories that are gone or replaced.
    pub(super) dead: Vec<u32>,
    /// How far into the journal this reaches.
    pub(super) position: Position,
    /// What each index says, by the history.
    #[serde(default)]
    pub(super) indexes: BTreeMap<String, Hash>,
    /// Every directory and when it last changed.
    pub(super) directories: BTreeMap<String, i64>,
    /// When every file was last looked at, in seconds.
    pub(super) looked: i64,
}

/// The cache, open.
#[derive(Debug)]
pub(crate) struct SearchCache {
    pub(super) state: State,
    /// The state as it was read; nothing once this differs from what is on disk.
    read: Option<Vec<u8>>,
    pub(super) segments: Vec<SegmentBytes>,
    vectors: Vec<Mapped>,
    subjects: Vec<Mapped>,
    /// What was understood just now.
    pub(super) understood: SubjectsByHash,
    dead: DeletedDocs,
    pub(super) watch_state: WatchState,
}

#[derive(Debug)]
pub(super) enum SegmentBytes {
    Mapped(Mapped),
    Fresh(Vec<u8>),
}

impl SegmentBytes {
    fn bytes(&self) -> &[u8] {
        match self {
            SegmentBytes::Mapped(mapped) => mapped.bytes(),
            SegmentBytes::Fresh(bytes) => bytes,
        }
    }
}

impl State {
    pub(super) fn new() -> State {
        State { version: VERSION, tokens: memdir_search::tokens::TOKENS_VERSION, ..State::default() }
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

impl SearchCache {
    /// Opens what is there; whatever is missing or damaged makes an empty cache.
    pub(super) fn open(store: &Store) -> SearchCache {
        SearchCache::open_again(store, None)
    }

    /// The same for a process that has had it open before: what is mapped and checked already stays so. Files of the
    /// cache are named by their content, so the same state means the same bytes.
    pub(super) fn open_again(store: &Store, kept: Option<SearchCache>) -> SearchCache {
        let read = fs::read_beside(&dir(store).join("state.json")).ok();
        match kept {
            Some(kept) if kept.read.is_some() && kept.read == read => kept,
            _ => read.and_then(|read| SearchCache::try_open(store, read)).unwrap_or_else(SearchCache::empty),
        }
    }

    fn empty() -> SearchCache {
        SearchCache {
            state: State::new(),
            read: None,
            segments: Vec::new(),
            vectors: Vec::new(),
            subjects: Vec::new(),
            understood: SubjectsByHash::new(),
            dead: DeletedDocs::default(),
            watch_state: WatchState::Untried,
        }
    }

    fn try_open(store: &Store, read: Vec<u8>) -> Option<SearchCache> {
        let dir = dir(store);
        let mut state: State = serde_json::from_slice(&read).ok()?;
        let current = State::new();
        if (state.version, state.tokens) != (current.version, current.tokens)
            || state.segments.iter().any(|name| !plain(name))
        {
            return None;
        }
        let map = |name: &String| Mapped::open(&dir.join(name)).ok();
        let segments: Vec<SegmentBytes> =
            state.segments.iter().map(|name| Some(SegmentBytes::Mapped(map(name)?))).collect::<Option<_>>()?;
        // Each segment is looked into once, so that later reads need not fear a foreign file.
        let whole =
            |bytes: &SegmentBytes| CacheSegment::open(bytes.bytes()).is_some_and(|segment| segment.lexical().is_some());
        if !segments.iter().all(whole) {
            return None;
        }
        let mut cache = SearchCache { dead: dead_of(&state), segments, ..SearchCache::empty() };
        // A file of vectors that is no good is let go: its memories get new ones.
        let names = std::mem::take(&mut state.vectors).into_iter().filter(|name| plain(name));
        let good = names.filter_map(|name| Some((map(&name).filter(|mapped| cache.fits(mapped))?, name)));
        let (vectors, names) = good.unzip();
        (cache.vectors, state.vectors) = (vectors, names);
        let names = std::mem::take(&mut state.subjects).into_iter().filter(|name| plain(name));
        let sound = |mapped: &Mapped| SubjectFile::open(mapped.bytes()).is_some();
        let good = names.filter_map(|name| Some((map(&name).filter(sound)?, name)));
        (cache.subjects, state.subjects) = good.unzip();
        (cache.state, cache.read) = (state, Some(read));
        Some(cache)
    }

    /// Whether a file of vectors can be read, and knows no memory that does not exist.
    fn fits(&self, mapped: &Mapped) -> bool {
        let last = vectors::open(mapped.bytes()).map(|part| part.docs.last().copied());
        last.is_some_and(|last| last.is_none_or(|last| last < self.len()))
    }

    /// Puts a segment on top that is not on disk yet.
    pub(super) fn push(&mut self, bytes: Vec<u8>) {
        self.read = None;
        self.segments.push(SegmentBytes::Fresh(bytes));
    }

    /// Takes over the numbers of dead memories from the state.
    pub(super) fn settle_dead(&mut self) {
        self.read = None;
        self.dead = dead_of(&self.state);
    }

    /// How many memories, dead ones included.
    pub(super) fn len(&self) -> u32 {
        self.open_segments().map(|segment| segment.len()).sum()
    }

    /// How many memories are alive.
    pub(super) fn alive(&self) -> u32 {
        self.len().saturating_sub(self.state.dead.len() as u32)
    }

    pub(super) fn is_dead(&self, doc: u32) -> bool {
        self.dead.contains(doc)
    }

    pub(super) fn open_segments(&self) -> impl Iterator<Item = CacheSegment<'_>> {
        self.segments.iter().filter_map(|bytes| CacheSegment::open(bytes.bytes()))
    }

    /// One memory by its number.
    pub(super) fn doc(&self, doc: u32) -> Option<Doc<'_>> {
        let mut first = 0;
        for segment in self.open_segments() {
            if doc < first + segment.len() {
                return segment.doc(doc - first);
            }
            first += segment.len();
        }
        None
    }

    /// Every memory that is alive, with its number.
    pub(super) fn docs(&self) -> impl Iterator<Item = (u32, Doc<'_>)> {
        let mut first = 0;
        let ranges: Vec<(u32, CacheSegment<'_>)> = self
            .open_segments()
            .map(|segment| {
                let start = first;
                first += segment.len();
                (start, segment)
            })
            .collect();
        ranges
            .into_iter()
            .flat_map(|(start, segment)| (0..segment.len()).filter_map(move |at| Some((start + at, segment.doc(at)?))))
            .filter(|(number, _)| !self.is_dead(*number))
    }

    /// The lexical index over all segments; nothing when one was damaged since, which would give the rest wrong numbers.
    pub(super) fn searcher(&self) -> Option<Searcher<'_>> {
        let segments = self.segments.iter().map(|bytes| CacheSegment::open(bytes.bytes())?.lexical());
        let segments: Vec<_> = segments.collect::<Option<_>>()?;
        Some(Searcher::new(&segments, self.dead.clone()))
    }

    /// The vectors that are there, those of dead memories included.
    pub(super) fn vectors(&self) -> Vectors<'_> {
        Vectors::of(self.vectors.iter().filter_map(|mapped| vectors::open(mapped.bytes())).collect())
    }

    /// What memories are about, as far as somebody has understood them.
    pub(super) fn subject_files(&self) -> impl Iterator<Item = SubjectFile<'_>> {
        self.subjects.iter().filter_map(|mapped| SubjectFile::open(mapped.bytes()))
    }

    /// The living memory with this path.
    pub(super) fn number_of(&self, path: &str) -> Option<u32> {
        let mut first = 0;
        let mut found = None;
        for segment in self.open_segments() {
            let number = segment.find(path).map(|at| first + at).filter(|number| !self.is_dead(*number));
            found = number.or(found);
            first += segment.len();
        }
        found
    }

    /// Memories that have no vectors, the newest first: what was just written is asked for first.
    pub(super) fn without_vectors(&self) -> Vec<u32> {
        let mut there = vec![false; self.len() as usize];
        for doc in self.vectors().docs() {
            if let Some(place) = there.get_mut(doc as usize) {
                *place = true;
            }
        }
        (0..self.len()).rev().filter(|doc| !there[*doc as usize] && !self.is_dead(*doc)).collect()
    }

    /// Whether a memory has no vectors yet.
    pub(super) fn lacks_vectors(&self) -> bool {
        let vectors = self.vectors();
        let mut last = None;
        // A long memory has several rows, one behind the other.
        let there = vectors.docs().filter(|doc| last.replace(*doc) != Some(*doc) && !self.is_dead(*doc)).count();
        there < self.alive() as usize
    }
}

fn dead_of(state: &State) -> DeletedDocs {
    let mut dead = DeletedDocs::default();
    state.dead.iter().for_each(|doc| dead.insert(*doc));
    dead
}

/// A file name of ours: nothing in a damaged state file may lead out of the cache.
fn plain(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.')
        && !name.starts_with('.')
}
