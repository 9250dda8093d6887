//! The memories of a large store that a new one may be about, from the search cache alone.
//!
//! Enters: a store and a text. Leaves: paths, how near they are in meaning where that is known, and when they were written. The cache is
//! brought up to date from the journal; directories are listed only where somebody else changed one.

use std::collections::HashSet;

use memdir_reader::likeness;
use memdir_store::history::Hash;
use memdir_store::{Store, Written};

use super::refresh::Depth;
use super::search_cache::SearchCache;
use super::text_meaning::TextMeaning;
use crate::engine::{Error, Memory};

/// Up to this many memories without vectors get theirs first: what was saved a moment ago.
const FEW: usize = 12;
/// Found by words that are looked at more closely: one that says the same shares nearly all words.
const CLOSEST: usize = 48;

/// This many of those found by words are compared word by word, to tell whether a text says anything near.
const MUCH_ALIKE: usize = 8;

/// A memory near to a text.
pub(in crate::engine) struct Neighbour {
    pub(in crate::engine) path: String,
    /// Its cosine with the text; `None` where it has no vector.
    pub(in crate::engine) cosine: Option<f32>,
    pub(in crate::engine) written: Written,
    /// What its file holds, by the history.
    pub(in crate::engine) hash: Hash,
}

impl Memory {
    /// The memories nearest to a text that `wanted` lets through: this many by meaning, and this many more by words.
    pub(in crate::engine) fn neighbours(
        &self,
        store: &Store,
        asked: &TextMeaning<'_>,
        (by_meaning, by_words): (usize, usize),
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<Neighbour>, Error> {
        let mut cache = self.cache_for_saving(store)?;
        if cache.lacks_vectors() {
            let encoder = asked.encoder();
            let embed = |name: &str, description: &str, body: &str| encoder.encode_memory(name, description, body);
            cache = cache.with_vectors_if_few(store, &embed, FEW);
        }
        let (vectors, text) = (cache.vectors(), asked.text);
        let fits = |doc: u32| !cache.is_dead(doc) && cache.doc(doc).is_some_and(|doc| wanted(doc.path));
        let mut near: Vec<(u32, Option<f32>)> = Vec::new();
        let meant = (!vectors.is_empty()).then(|| asked.vector().quantise());
        if let Some(meant) = &meant {
            let nearest = vectors.nearest(meant, by_meaning, fits);
            near.extend(nearest.into_iter().map(|(doc, cosine)| (doc, Some(cosine))));
        }
        let said: HashSet<String> = likeness::words(text).into_iter().collect();
        let shares = |doc: u32| {
            let about = cache.doc(doc).map(|doc| format!("{} {}", doc.name, doc.description)).unwrap_or_default();
            likeness::words(&about).iter().any(|word| said.contains(word))
        };
        let searcher = cache.searcher();
        let lookup = searcher.as_ref().and_then(|searcher| searcher.lookup(text, &|_| true).ok());
        let by_words = lookup
            .iter()
            .flat_map(|lookup| lookup.top(CLOSEST))
            .map(|found| found.doc)
            .filter(|doc| fits(*doc) && shares(*doc))
            .take(by_words);
        for doc in by_words.collect::<Vec<_>>() {
            if !near.iter().any(|(known, _)| *known == doc) {
                near.push((doc, meant.as_ref().and_then(|meant| vectors.cosine(meant, doc))));
            }
        }
        let named = |(doc, cosine)| {
            let doc = cache.doc(doc)?;
            Some(Neighbour { path: doc.path.to_owned(), cosine, written: doc.written, hash: doc.hash })
        };
        let found = near.into_iter().filter_map(named).collect();
        drop(lookup);
        self.put_back(store, cache);
        Ok(found)
    }

    /// Which of some texts share half of their words with a memory of a store, by name and description.
    pub(in crate::engine) fn share_words(&self, store: &Store, texts: &[&str]) -> Result<Vec<bool>, Error> {
        let cache = self.cache_for_saving(store)?;
        let Some(searcher) = cache.searcher() else { return Ok(vec![true; texts.len()]) };
        let shares = |text: &&str| {
            let said: HashSet<String> = likeness::words(text).into_iter().collect();
            let found = searcher.lookup(text, &|_| true).map(|lookup| lookup.top(MUCH_ALIKE)).unwrap_or_default();
            found.into_iter().filter_map(|found| cache.doc(found.doc)).any(|doc| {
                let about: HashSet<String> =
                    likeness::words(&format!("{} {}", doc.name, doc.description)).into_iter().collect();
                said.intersection(&about).count() * 2 >= said.len()
            })
        };
        let hands = std::thread::available_parallelism().map_or(1, usize::from);
        let parts = texts.chunks(texts.len().div_ceil(hands).max(1));
        Ok(std::thread::scope(|scope| {
            let parts: Vec<_> =
                parts.map(|part| scope.spawn(|| part.iter().map(shares).collect::<Vec<bool>>())).collect();
            // Where something went wrong, the judge looks.
            let all = texts.chunks(texts.len().div_ceil(hands).max(1)).zip(parts);
            all.flat_map(|(texts, part)| part.join().unwrap_or_else(|_| vec![true; texts.len()])).collect()
        }))
    }

    /// The first memory by its path of which `is_it` says so, given path and name.
    pub(in crate::engine) fn first_called(
        &self,
        store: &Store,
        is_it: impl Fn(&str, &str) -> bool,
    ) -> Result<Option<Neighbour>, Error> {
        let cache = self.cache_for_saving(store)?;
        let found = cache.docs().map(|(_, doc)| doc).filter(|doc| is_it(doc.path, doc.name));
        let found = found.min_by_key(|doc| doc.path).map(|doc| Neighbour {
            path: doc.path.to_owned(),
            cosine: Some(1.0),
            written: doc.written,
            hash: doc.hash,
        });
        self.put_back(store, cache);
        Ok(found)
    }

    /// The cache as true as the journal and the directories' times can make it; everything is looked at where an index is not what
    /// the history says.
    fn cache_for_saving(&self, store: &Store) -> Result<SearchCache, Error> {
        let kept = self.search_caches.borrow_mut().remove(store.root().path());
        let mut cache = SearchCache::open_again(store, kept);
        let now = self.now.timestamp();
        let cache = match cache.is_fresh(store, now) {
            true => cache,
            false if cache.others_changed(store) => SearchCache::refresh(store, now, cache.usual_depth())?,
            false => cache.followed(store)?,
        };
        if cache.indexes_are_as_recorded(store) {
            Ok(cache)
        } else {
            SearchCache::refresh(store, now, Depth::Everything)
        }
    }
}
