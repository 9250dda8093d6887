//! Vectors for memories that have none: work for the background.
//!
//! Enters: a store and what makes vectors. Leaves: files of vectors beside those that are there, two vectors a memory and two more for
//! each passage of a long one. One process encodes
//! at a time, and holds the cache only while it adds what it made, so that others can keep it true meanwhile.

use std::collections::{BTreeSet, HashMap};

use memdir_encoder::Embedding;

use super::search_cache::{SearchCache, dir};
use super::vectors::VectorPair;
use crate::engine::Error;
use memdir_core::limits::ENCODED_FOR_A_PROMPT;
use memdir_guard::confine::RelPath;
use memdir_search::passages::passages;
use memdir_store::Store;
use memdir_store::fs;
use memdir_store::history::Hash;
use memdir_store::topic::Topic;

/// At least this many vectors are made before they are saved, and in a large store a share of it: each time, the cache
/// is opened again.
const BATCH: usize = 128;
const BATCH_SHARE: usize = 64;
/// This many memories get their vectors before a prompt is answered, a few milliseconds each: what was saved a moment ago is asked for
/// next. Where more are missing, the background is at work.
const NEWEST: usize = 4;
/// Rows of vectors that each of them may have on average; a longer memory is left to the background.
const ROWS: usize = 3;

/// What makes the two vectors of a memory (all of it; name and description) from name, description and body.
pub type Embed<'e> = &'e dyn Fn(&str, &str, &str) -> [Embedding; 2];

impl SearchCache {
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
            let cache = SearchCache::open(store);
            let missing = cache.without_vectors();
            // What was saved and cannot be read back would be made for ever.
            if missing.len() >= std::mem::replace(&mut left, missing.len()) {
                return Ok(missing.len());
            }
            let batch = missing.len().min(BATCH.max(missing.len() / BATCH_SHARE)).min(limit - made);
            let pairs = cache.make_pairs(store, &missing[..batch], embed, usize::MAX, stop);
            made += pairs.len();
            if pairs.is_empty() {
                return Ok(missing.len());
            }
            SearchCache::add_pairs(store, &pairs)?;
        }
    }

    /// The same cache once the few memories that have none, if they are few, have got theirs. Whoever may not write answers
    /// without.
    pub(super) fn with_the_newest(self, store: &Store, embed: Embed<'_>) -> SearchCache {
        self.with_vectors_if_few(store, embed, NEWEST)
    }

    /// The same for a prompt in a store most of which has none yet, as after a takeover: the memories that share most words with the prompt
    /// get theirs now, since those are the ones that meaning has to tell apart. The rest is left to the background.
    pub(super) fn with_those_for(self, prompt: &str, store: &Store, embed: Embed<'_>) -> SearchCache {
        let missing: BTreeSet<u32> = self.without_vectors().into_iter().collect();
        if missing.len() <= NEWEST {
            return self.with_the_newest(store, embed);
        }
        let spelled_right = |word: &str| memdir_encoder::tokens(word).len() == 3;
        let by_words = self.searcher().and_then(|searcher| {
            let found = searcher.lookup(prompt, &spelled_right).ok()?.top(ENCODED_FOR_A_PROMPT);
            Some(found.into_iter().map(|hit| hit.doc).filter(|doc| missing.contains(doc)).collect::<Vec<u32>>())
        });
        match by_words {
            Some(docs) if !docs.is_empty() => self.with_vectors_of(store, embed, &docs, ENCODED_FOR_A_PROMPT),
            _ => self,
        }
    }

    /// The same where it pays to make more of them at once.
    pub(super) fn with_vectors_if_few(self, store: &Store, embed: Embed<'_>, few: usize) -> SearchCache {
        let missing = self.without_vectors();
        if missing.len() > few { self } else { self.with_vectors_of(store, embed, &missing, ROWS * few) }
    }

    fn with_vectors_of(self, store: &Store, embed: Embed<'_>, docs: &[u32], rows: usize) -> SearchCache {
        let pairs = self.make_pairs(store, docs, embed, rows, &|| false);
        if pairs.is_empty() {
            return self;
        }
        let there = SearchCache::add_pairs(store, &pairs).map(|()| SearchCache::open(store)).ok();
        // What could not be saved just now, because somebody else was writing, is in this cache alone.
        there.filter(|there| there.state.position == self.state.position).unwrap_or(self)
    }

    /// The rows of some memories, each with all of its own, as long as there are no more than `most` of them.
    fn make_pairs(
        &self,
        store: &Store,
        numbers: &[u32],
        embed: Embed<'_>,
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> HashMap<Hash, Vec<VectorPair>> {
        let mut pairs = HashMap::new();
        let mut left = most;
        for doc in numbers.iter().take_while(|_| !stop()).filter_map(|number| self.doc(*number)) {
            let body = body_of(store, doc.path).unwrap_or_default();
            let pair = |description: &str, text: &str| {
                let [whole, header] = embed(doc.name, description, text);
                VectorPair { header: header.quantise(), whole: whole.quantise() }
            };
            let passages = passages(&body);
            let Some(rest) = left.checked_sub(1 + passages.len()) else { continue };
            left = rest;
            let mut rows = vec![pair(doc.description, &body)];
            rows.extend(passages.into_iter().map(|passage| {
                let heading = passage.heading.map_or(doc.description, |heading| &body[heading]);
                pair(heading, &body[passage.text])
            }));
            pairs.insert(doc.hash, rows);
        }
        pairs
    }

    /// Gives vectors to the memories they were made for, as the cache is now.
    fn add_pairs(store: &Store, pairs: &HashMap<Hash, Vec<VectorPair>>) -> Result<(), Error> {
        let _held = fs::hold(&dir(store).join("lock"))?;
        let cache = SearchCache::open(store);
        let rows_of = |number: u32| {
            let pairs = cache.doc(number).and_then(|doc| pairs.get(&doc.hash)).cloned().unwrap_or_default();
            pairs.into_iter().map(move |pair| (number, pair))
        };
        let rows: Vec<(u32, VectorPair)> = cache.without_vectors().into_iter().rev().flat_map(rows_of).collect();
        if rows.is_empty() { Ok(()) } else { cache.add_rows(store, rows) }
    }
}

fn body_of(store: &Store, path: &str) -> Option<String> {
    let bytes = store.root().read(&RelPath::parse(path).ok()?).ok()??;
    Some(Topic::parse(bytes).body().into_owned())
}

#[cfg(test)]
mod tests {
    use super::NEWEST;
    use crate::engine::test_memory::{TestMemory, topic};
    use crate::engine::{RecallRequest, Remember};

    #[test]
    fn what_was_saved_a_moment_ago_is_recalled_by_its_meaning() {
        let bench = TestMemory::new();
        let text = "Integration tests use a real database, never mocks";
        bench.memory().files().remember(&Remember { text: text.into(), ..Remember::default() }).unwrap();
        // They share one word, which is not enough by itself.
        let answer =
            bench.memory().recall().for_prompt(RecallRequest::new("write a test for the orders table")).unwrap();
        assert_eq!(answer.selected.len(), 1, "{answer:?}");
        assert!(answer.reminder.contains("never mocks") && !answer.behind);
    }

    #[test]
    fn many_new_memories_are_left_to_the_background() {
        let bench = TestMemory::new();
        for number in 0..=NEWEST {
            let text = format!("The {number}th pump of the harbour is served by team {number}");
            bench.put(&format!("pump_{number}.md"), topic("project", &format!("pump {number}"), &text));
        }
        let ask = || bench.memory().recall().for_prompt(RecallRequest::new("what do we eat today")).unwrap();
        assert!(ask().behind);
        assert_eq!(bench.memory().recall().refresh(1, &|| false).unwrap(), NEWEST);
        let told = bench.memory().status().unwrap().search;
        assert_eq!((told.by_words, told.by_meaning), (NEWEST + 1, 1));
        assert!(!ask().behind);
        assert_eq!(bench.memory().recall().refresh(usize::MAX, &|| false).unwrap(), 0);
    }
}
