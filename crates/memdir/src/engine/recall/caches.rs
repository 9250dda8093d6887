//! The search caches of a memory: opened for a question, left open for the next one, brought up to date.
//!
//! Enters: a store. Leaves: its [`SearchCache`], as true as it can be had without delay, and for the background one that is complete.
//! Never makes a prompt wait for a large store.

use memdir_encoder::Encoder;
use serde::Serialize;

use super::refresh::Depth;
use super::search_cache::SearchCache;
use super::vectors;
use super::{Embed, VectorPair};
use crate::engine::{Error, Memory, Recall};
use memdir_store::Store;

/// Up to this many memories a cache that is behind is brought up to date before it is asked; above,
/// it is asked as it is, and the background brings it up to date.
const REFRESH_FIRST: u32 = 5_000;

impl Recall<'_> {
    /// Brings the search caches up to date and makes missing vectors: work for the background.
    ///
    /// Returns how many memories still lack vectors.
    pub fn refresh(&self, limit: usize, stop: &dyn Fn() -> bool) -> Result<usize, Error> {
        let encoder = Encoder::new();
        let missing =
            self.refresh_with(&|name, description, body| encoder.encode_memory(name, description, body), limit, stop)?;
        for (_, store) in self.memory.stores()? {
            SearchCache::understand(store, limit, stop)?;
        }
        Ok(missing)
    }

    /// The same with vectors from elsewhere.
    pub fn refresh_with(&self, embed: Embed<'_>, limit: usize, stop: &dyn Fn() -> bool) -> Result<usize, Error> {
        let mut missing = 0;
        for (_, store) in self.memory.recalled_stores()? {
            missing += self.memory.refresh_store(store, embed, limit, stop)?;
        }
        Ok(missing)
    }
}

/// How far the background is with what search goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SearchProgress {
    /// Memories that are found by their words.
    pub by_words: usize,
    /// Memories among them that are found by their meaning too.
    pub by_meaning: usize,
}

impl Memory {
    /// How far search is, as far as the caches tell; nothing is looked at.
    pub(in crate::engine) fn search_progress(&self) -> SearchProgress {
        let mut progress = SearchProgress::default();
        for (_, store) in self.recalled_stores().unwrap_or_default() {
            let cache = SearchCache::open(store);
            let all = cache.alive() as usize;
            progress.by_words += all;
            progress.by_meaning += all.saturating_sub(cache.without_vectors().len());
        }
        progress
    }

    /// The cache of a store, as true as it can be had without delay.
    pub(super) fn search_cache_of(&self, store: &Store, behind: &mut bool) -> Result<SearchCache, Error> {
        let kept = self.search_caches.borrow_mut().remove(store.root().path());
        let mut cache = SearchCache::open_again(store, kept);
        if !cache.is_fresh(store, self.now.timestamp()) {
            if cache.alive() <= REFRESH_FIRST {
                cache = SearchCache::refresh(store, self.now.timestamp(), cache.usual_depth())?;
            } else {
                cache.follow(store)?;
                *behind = true;
            }
        }
        *behind |= cache.look_is_due(self.now.timestamp());
        Ok(cache)
    }

    /// Leaves the cache open for the next question.
    pub(super) fn put_back(&self, store: &Store, cache: SearchCache) {
        self.search_caches.borrow_mut().insert(store.root().path().to_path_buf(), cache);
    }

    /// The vectors that a store's cache has, by path.
    pub(in crate::engine) fn cached_vectors(store: &Store) -> std::collections::HashMap<String, VectorPair> {
        let cache = SearchCache::open(store);
        let vectors = cache.vectors();
        let pair = |number: u32| vectors::pair(&vectors, vectors.place(number)?);
        cache.docs().filter_map(|(number, doc)| Some((doc.path.to_owned(), pair(number)?))).collect()
    }

    /// The same for one store.
    pub(in crate::engine) fn refresh_store(
        &self,
        store: &Store,
        embed: Embed<'_>,
        limit: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<usize, Error> {
        let mut cache = SearchCache::open(store);
        let now = self.now.timestamp();
        if cache.look_is_due(now) {
            SearchCache::refresh(store, now, Depth::Everything)?;
        } else if !cache.is_fresh(store, now) {
            SearchCache::refresh(store, now, cache.usual_depth())?;
        }
        SearchCache::embed(store, embed, limit, stop)
    }
}
