//! The memories nearest to a text in meaning, for whoever has to compare it with them.
//!
//! Enters: a store and a text. Leaves: paths with their cosines, the nearest first. No floor and no ranking: what is near need not
//! matter. Memories without vectors are not in it, unless they are few.

use super::text_meaning::TextMeaning;
use crate::engine::{Error, Memory};
use memdir_store::Store;

/// Up to this many memories without vectors get theirs first: enough for a directory that somebody has just begun.
const FEW: usize = 12;

impl Memory {
    /// The memories of a store nearest to a text that `wanted` lets through, and behind them those of `also` that have vectors.
    pub(in crate::engine) fn nearest(
        &self,
        store: &Store,
        asked: &TextMeaning<'_>,
        limit: usize,
        wanted: impl Fn(&str) -> bool,
        also: &[String],
    ) -> Result<Vec<(String, f32)>, Error> {
        let mut behind = false;
        let mut cache = self.search_cache_of(store, &mut behind)?;
        if cache.lacks_vectors() {
            let encoder = asked.encoder();
            let embed = |name: &str, description: &str, body: &str| encoder.encode_memory(name, description, body);
            cache = cache.with_vectors_if_few(store, &embed, FEW);
        }
        let wanted = |doc: u32| !cache.is_dead(doc) && cache.doc(doc).is_some_and(|doc| wanted(doc.path));
        let (vectors, text) = (cache.vectors(), asked.vector().quantise());
        let named = |(doc, near): (u32, f32)| Some((cache.doc(doc)?.path.to_owned(), near));
        let mut found: Vec<(String, f32)> =
            vectors.nearest(&text, limit, wanted).into_iter().filter_map(named).collect();
        for path in also {
            let cosine = || vectors.cosine(&text, cache.number_of(path)?);
            if !found.iter().any(|(known, _)| known == path)
                && let Some(cosine) = cosine()
            {
                found.push((path.clone(), cosine));
            }
        }
        self.put_back(store, cache);
        Ok(found)
    }
}
