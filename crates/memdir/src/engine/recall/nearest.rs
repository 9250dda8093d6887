//! The memories nearest to a text in meaning, for whoever has to compare it with them.
//!
//! Enters: a store and a text. Leaves: paths with their cosines, the nearest first. No floor and no ranking: what is near need not
//! matter. Memories without vectors are not in it, unless they are few.

use memdir_encoder::Encoder;

use crate::engine::{Error, Memory};
use memdir_store::Store;

/// Up to so many memories without vectors get theirs first: enough for a directory that somebody has just begun.
const FEW: usize = 12;

impl Memory {
    /// The memories of a store nearest to a text that `wanted` lets through.
    pub(in crate::engine) fn nearest(
        &self,
        store: &Store,
        encoder: Encoder,
        text: &str,
        limit: usize,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<(String, f32)>, Error> {
        let mut behind = false;
        let mut cache = self.search_cache_of(store, &mut behind)?;
        if cache.lacks_vectors() {
            let embed = |name: &str, description: &str, body: &str| encoder.encode_memory(name, description, body);
            cache = cache.with_vectors_if_few(store, &embed, FEW);
        }
        let wanted = |doc: u32| !cache.is_dead(doc) && cache.doc(doc).is_some_and(|doc| wanted(doc.path));
        let nearest = cache.vectors().nearest(&encoder.encode_query(text).quantise(), limit, wanted);
        let named = |(doc, near): (u32, f32)| Some((cache.doc(doc)?.path.to_owned(), near));
        let found = nearest.into_iter().filter_map(named).collect();
        self.put_back(store, cache);
        Ok(found)
    }
}
