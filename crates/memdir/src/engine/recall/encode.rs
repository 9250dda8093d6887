//! Vectors for memories that have none: work for the background.
//!
//! Enters: a store and what makes vectors. Leaves: files of vectors beside those that are there. One process encodes
//! at a time, and holds the cache only while it adds what it made, so that others can keep it true meanwhile.

use std::collections::HashMap;

use memdir_encoder::Embedding;

use super::shelf::{Shelf, dir};
use super::vectors::Pair;
use crate::engine::Error;
use crate::guard::confine::RelPath;
use crate::store::Store;
use crate::store::fs;
use crate::store::history::Hash;
use crate::store::topic::Topic;

/// At least so many vectors are made before they are saved, and in a large store a share of it: each time, the cache
/// is opened anew.
const BATCH: usize = 128;
const BATCH_SHARE: usize = 64;

/// What makes the two vectors of a memory (all of it; name and description) from name, description and body.
pub type Embed<'e> = &'e dyn Fn(&str, &str, &str) -> [Embedding; 2];

impl Shelf {
    /// Makes vectors for memories that have none, at most `limit`, the newest first. Returns how many are still
    /// missing.
    pub(super) fn embed(
        store: &Store,
        embed: Embed<'_>,
        limit: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<usize, Error> {
        fs::create_private_dir(&dir(store))?;
        let Some(_working) = fs::try_hold(&dir(store).join("encoding"))? else { return Ok(0) };
        let (mut made, mut left) = (0, usize::MAX);
        loop {
            let shelf = Shelf::open(store);
            let missing = shelf.without_vectors();
            // What was saved and cannot be read back would be made for ever.
            if missing.len() >= std::mem::replace(&mut left, missing.len()) {
                return Ok(missing.len());
            }
            let batch = missing.len().min(BATCH.max(missing.len() / BATCH_SHARE)).min(limit - made);
            let mut pairs: HashMap<Hash, Pair> = HashMap::new();
            for number in missing[..batch].iter().take_while(|_| !stop()) {
                let Some(doc) = shelf.doc(*number) else { continue };
                let body = body_of(store, doc.path).unwrap_or_default();
                let [whole, header] = embed(doc.name, doc.description, &body);
                pairs.insert(doc.hash, Pair { header: header.quantise(), whole: whole.quantise() });
                made += 1;
            }
            if pairs.is_empty() {
                return Ok(missing.len());
            }
            Shelf::add_pairs(store, &pairs)?;
        }
    }

    /// Gives vectors to the memories they were made for, as the cache is now.
    fn add_pairs(store: &Store, pairs: &HashMap<Hash, Pair>) -> Result<(), Error> {
        let _held = fs::hold(&dir(store).join("lock"))?;
        let shelf = Shelf::open(store);
        let pair = |number: u32| Some((number, pairs.get(&shelf.doc(number)?.hash)?.clone()));
        let rows: Vec<(u32, Pair)> = shelf.without_vectors().into_iter().rev().filter_map(pair).collect();
        if rows.is_empty() { Ok(()) } else { shelf.add_rows(store, rows) }
    }
}

fn body_of(store: &Store, path: &str) -> Option<String> {
    let bytes = store.root().read(&RelPath::parse(path).ok()?).ok()??;
    Some(Topic::parse(bytes).body().into_owned())
}
