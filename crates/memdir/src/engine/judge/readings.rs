//! Readings of pairs that stand, kept by the content of both so that a second run costs nothing.
//!
//! Enters: pairs of texts. Leaves: their readings, from the cache of the store or read now, and the cache with the pairs that were
//! asked for this time. So many new pairs are read in one run and no more: a large directory is read over several. Private to one reader:
//! another one reads anew. Can be deleted at any time.

use std::collections::BTreeMap;

use memdir_encoder::RELATION_ID;

use super::Judge;
use super::standing::{BothWays, ComparedMemory, Reading};
use memdir_store::Store;
use memdir_store::fs::{self, Durability};
use memdir_store::history::ChangeId;

/// New pairs that one run reads: a few seconds.
const NEW_PAIRS: usize = 300;
/// Readings that are kept at most before those that nobody asked for go.
const KEPT: usize = 20_000;
const FILE: &str = "pair-readings.json";

/// Readings of pairs of one store.
pub(in crate::engine) struct Readings<'s> {
    store: &'s Store,
    judge: Judge,
    known: BTreeMap<String, [u8; 4]>,
    asked: BTreeMap<String, [u8; 4]>,
    left: usize,
}

impl<'s> Readings<'s> {
    pub(in crate::engine) fn of(store: &'s Store) -> Readings<'s> {
        let bytes = fs::read_beside(&store.cache_dir().join(FILE)).unwrap_or_default();
        let known = serde_json::from_slice(&bytes).unwrap_or_default();
        Readings { store, judge: Judge::default(), known, asked: BTreeMap::new(), left: NEW_PAIRS }
    }

    /// The reading of a pair; `None` when this run has read enough.
    pub(in crate::engine) fn of_pair(&mut self, one: &ComparedMemory, other: &ComparedMemory) -> Option<BothWays> {
        let key = key(one, other);
        let numbers = match self.known.get(&key).or_else(|| self.asked.get(&key)) {
            Some(numbers) => *numbers,
            None if self.left == 0 => return None,
            None => {
                self.left -= 1;
                let BothWays { first_later, second_later } = self.judge.both_ways(one, other);
                [first_later.update, first_later.apart, second_later.update, second_later.apart]
            }
        };
        self.asked.insert(key, numbers);
        let [update, apart, other_update, other_apart] = numbers;
        Some(BothWays {
            first_later: Reading { update, apart },
            second_later: Reading { update: other_update, apart: other_apart },
        })
    }

    /// Keeps what is known; where that has become much, only what was asked for this time. A cache that cannot be written costs the next run its time, and nothing else.
    pub(in crate::engine) fn keep(self) {
        let Readings { store, mut known, asked, .. } = self;
        let is_new = asked.keys().any(|key| !known.contains_key(key));
        if known.len() > KEPT {
            known.clear();
        }
        known.extend(asked);
        if is_new
            && let Ok(bytes) = serde_json::to_vec(&known)
            && fs::create_private_dir(store.cache_dir()).is_ok()
        {
            let _ = fs::replace(&store.cache_dir().join(FILE), &bytes, Durability::Cache);
        }
    }
}

fn key(one: &ComparedMemory, other: &ComparedMemory) -> String {
    let parts = [one, other].map(|told| [&told.name, &told.description, &told.statement]);
    let mut bytes: Vec<&[u8]> = vec![&RELATION_ID];
    bytes.extend(parts.as_flattened().iter().map(|part| part.as_bytes()));
    ChangeId::derive(&bytes).to_string()
}
