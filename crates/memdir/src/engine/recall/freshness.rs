//! Whether a search cache still says what its directory says.
//!
//! Enters: a cache and its store. Leaves: yes or no, as far as can be told cheaply. It does when the journal has not grown and no
//! directory has changed since it was written; in a small store each file is looked at too, or those that were touched since,
//! because an editor that saves in place changes neither. In a large one that is left to the background, which looks at
//! every file now and then. Never reads a memory.

use std::collections::BTreeMap;

use super::search_cache::SearchCache;
use super::segment::Doc;
use crate::engine::Error;
use memdir_guard::confine::RelPath;
use memdir_store::Store;
use memdir_store::history::Hash;

/// Up to this many memories, each file is looked at before a cached answer is trusted.
pub(in crate::engine) const LOOK_AT_EACH: u32 = 2_000;
/// In a larger store every file is looked at again after this many seconds: a quarter of a second for 100,000
/// memories, and nobody's edit stays unseen for longer than a coffee.
const LOOK_EVERY: u64 = 600;

/// Whether a long-running process sees which files are touched ([`Store::touched`]), and compared each with this cache meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WatchState {
    Untried,
    Off,
    Watching,
}

impl SearchCache {
    /// Whether it is time to look at every file again, in a store where that is not done all the time.
    pub(super) fn look_is_due(&self, now: jiff::Timestamp) -> bool {
        self.alive() > LOOK_AT_EACH && now.as_second().abs_diff(self.state.looked) >= LOOK_EVERY
    }

    /// When each directory last changed, as of now; those that are gone are left out.
    pub(super) fn directory_times(&self, store: &Store) -> BTreeMap<String, i64> {
        let known = self.state.directories.keys().cloned().chain([String::new()]);
        known.filter_map(|path| store.directory_time(&path).map(|time| (path, time))).collect()
    }

    /// Whether the cache says what the directory says, as far as can be told cheaply.
    pub(super) fn is_fresh(&mut self, store: &Store, now: jiff::Timestamp) -> bool {
        if self.segments.is_empty() || store.journal().end().ok() != Some(self.state.position) {
            return false;
        }
        let same = |(path, changed): (&String, &i64)| store.directory_time(path) == Some(*changed);
        self.state.directories.iter().all(same) && (self.alive() > LOOK_AT_EACH || self.each_is_as_known(store, now))
    }

    /// Whether others changed a directory, as far as its time and memdir's own changes tell.
    pub(super) fn others_changed(&self, store: &Store) -> bool {
        let alone = |(path, listed): (&String, &i64)| store.only_own_changes(path, *listed);
        self.state.directories.is_empty() || !self.state.directories.iter().all(alone)
    }

    /// Whether each index says what the history says last of it. Every save writes one, so what somebody else saved into it in place,
    /// which no time of a directory tells, has to be known before.
    pub(super) fn indexes_are_as_recorded(&self, store: &Store) -> bool {
        let as_recorded = |(path, hash): (&String, &Hash)| {
            RelPath::parse(path).ok().and_then(|path| content_of(store, &path)) == Some(*hash)
        };
        self.state.indexes.iter().all(as_recorded)
    }

    /// Looks at each file, or at those that were touched since that was done. One that was only given another time keeps its
    /// age here until the cache is opened again.
    fn each_is_as_known(&mut self, store: &Store, now: jiff::Timestamp) -> bool {
        if self.watch_state == WatchState::Untried {
            self.watch_state = WatchState::Off;
            store.watch(now);
        }
        // Asked first: what is touched while the files are looked at is looked at again.
        let touched = store.touched(now);
        if let (Some(touched), WatchState::Watching) = (&touched, self.watch_state) {
            let doc = |path: &String| self.doc(self.number_of(path)?);
            return touched.iter().filter_map(doc).all(|doc| is_as_known(store, &doc));
        }
        // Whoever has just looked at every file need not do so again.
        let seen = if store.has_looked() { store.known().ok() } else { None };
        let facts = |doc: &Doc<'_>| seen.as_ref()?.get(doc.path)?.facts;
        let same = self.docs().all(|(_, doc)| match facts(&doc) {
            Some(facts) => facts == doc.facts,
            None => is_as_known(store, &doc),
        });
        self.watch_state = match (&touched, self.watch_state) {
            (Some(_), _) if same => WatchState::Watching,
            // It was watched until now, so that is worth trying again.
            (None, WatchState::Watching) => WatchState::Untried,
            _ => WatchState::Off,
        };
        same
    }
}

/// Whether a file still is what the cache says it was.
fn is_as_known(store: &Store, doc: &Doc<'_>) -> bool {
    let Ok(path) = RelPath::parse(doc.path) else { return false };
    matches!(store.root().facts(&path), Ok(Some(facts)) if facts == doc.facts)
}

/// Whether a memory and its index say what the history says last of them, by the cache and by the journal behind it.
pub(in crate::engine) fn are_as_recorded(store: &Store, file: &RelPath, index: &RelPath) -> Result<bool, Error> {
    let mut cache = SearchCache::open(store);
    let (changes, _) = store.journal().since(cache.state.position)?;
    cache.state.take_in_indexes(&changes);
    let last = changes.iter().rev().flat_map(|change| &change.files).find(|change| change.path == file.as_str());
    let recorded = match last {
        _ if file.is_index() => cache.state.indexes.get(file.as_str()).copied(),
        Some(change) => change.after.as_ref().map(|after| after.hash),
        None => cache.number_of(file.as_str()).and_then(|number| cache.doc(number)).map(|doc| doc.hash),
    };
    let as_recorded = |file: &RelPath, recorded: Option<Hash>| content_of(store, file) == recorded;
    Ok(as_recorded(file, recorded) && as_recorded(index, cache.state.indexes.get(index.as_str()).copied()))
}

/// What a file holds; nothing where it cannot be read.
fn content_of(store: &Store, file: &RelPath) -> Option<Hash> {
    store.root().read(file).ok().flatten().as_deref().map(Hash::of)
}
