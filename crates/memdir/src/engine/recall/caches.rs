//! The search caches of a memory: opened for a question, left open for the next one, brought up to date.
//!
//! Enters: a store. Leaves: its [`Shelf`], as true as it can be had without delay, and for the background one that is complete.
//! Never makes a prompt wait for a large store.

use memdir_encoder::Encoder;

use super::shelf::Shelf;
use super::upkeep::Depth;
use super::vectors;
use super::{Embed, Pair};
use crate::engine::{Error, Memory};
use memdir_store::Store;

/// Up to so many memories a cache that is behind is brought up to date before it is asked; above,
/// it is asked as it is, and the background brings it up to date.
const REFRESH_FIRST: u32 = 5_000;

impl Memory {
    /// The cache of a store, as true as it can be had without delay.
    pub(super) fn shelf_of(&self, store: &Store, behind: &mut bool) -> Result<Shelf, Error> {
        let kept = self.shelves.borrow_mut().remove(store.root().path());
        let mut shelf = Shelf::open_again(store, kept);
        if !shelf.is_fresh(store, self.now.timestamp()) {
            if shelf.alive() <= REFRESH_FIRST {
                shelf = Shelf::refresh(store, self.now.timestamp(), shelf.usual_depth())?;
            } else {
                shelf.follow(store)?;
                *behind = true;
            }
        }
        *behind |= shelf.look_is_due(self.now.timestamp());
        Ok(shelf)
    }

    /// Leaves the cache open for the next question.
    pub(super) fn put_back(&self, store: &Store, shelf: Shelf) {
        self.shelves.borrow_mut().insert(store.root().path().to_path_buf(), shelf);
    }

    /// The vectors that a store's cache has, by path.
    pub(in crate::engine) fn cached_vectors(store: &Store) -> std::collections::HashMap<String, Pair> {
        let shelf = Shelf::open(store);
        let vectors = shelf.vectors();
        let pair = |number: u32| vectors::pair(&vectors, vectors.place(number)?);
        shelf.docs().filter_map(|(number, doc)| Some((doc.path.to_owned(), pair(number)?))).collect()
    }

    /// Brings the search caches up to date and makes missing vectors: work for the background.
    ///
    /// Returns how many memories still lack vectors.
    pub fn refresh_search(&self, limit: usize, stop: &dyn Fn() -> bool) -> Result<usize, Error> {
        let encoder = Encoder::new();
        self.refresh_search_with(&|name, description, body| encoder.encode_memory(name, description, body), limit, stop)
    }

    /// The same with vectors from elsewhere.
    pub fn refresh_search_with(&self, embed: Embed<'_>, limit: usize, stop: &dyn Fn() -> bool) -> Result<usize, Error> {
        let mut missing = 0;
        for (_, store) in self.stores()? {
            missing += self.refresh_store(store, embed, limit, stop)?;
        }
        Ok(missing)
    }

    /// The same for one store.
    pub(in crate::engine) fn refresh_store(
        &self,
        store: &Store,
        embed: Embed<'_>,
        limit: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<usize, Error> {
        let mut shelf = Shelf::open(store);
        let now = self.now.timestamp();
        if shelf.look_is_due(now) {
            Shelf::refresh(store, now, Depth::Everything)?;
        } else if !shelf.is_fresh(store, now) {
            Shelf::refresh(store, now, shelf.usual_depth())?;
        }
        Shelf::embed(store, embed, limit, stop)
    }
}
