//! Merges small segments, and small files of vectors, into larger ones.
//!
//! Enters: a cache that is up to date, held by this process. Leaves: the same memories in fewer files. Only files at
//! the end that are no larger than twice what follows them are taken together, so that a large one is left alone
//! until as much has come after it, and one change costs the same however many memories there are. When too many memories
//! are dead, all is written again.

use std::collections::HashMap;
use std::ops::Range;

use super::refresh::{remove_others, save, write_segment};
use super::search_cache::SearchCache;
use super::segment::CacheSegment;
use super::vectors::{self, VectorPair};
use crate::engine::Error;
use memdir_store::Store;
use memdir_store::history::Hash;

/// From this many segments on the small ones are taken together, and the same for files of vectors.
pub(super) const FILES: usize = 12;
/// More dead memories than this share of all, and all are written again.
const DEAD_SHARE: f32 = 0.25;

impl SearchCache {
    /// Takes small segments together when there are many. The state on disk is up to date before and after.
    pub(super) fn tidy(self, store: &Store) -> Result<SearchCache, Error> {
        let sizes: Vec<usize> = self.open_segments().map(|segment| segment.len() as usize).collect();
        let from = if self.state.dead.len() as f32 > DEAD_SHARE * self.len() as f32 {
            0
        } else if sizes.len() >= FILES {
            tail(&sizes)
        } else {
            return Ok(self);
        };
        self.merge(store, from)
    }

    /// Makes one segment of all from a certain one on. Vectors are carried over by content.
    fn merge(self, store: &Store, from: usize) -> Result<SearchCache, Error> {
        let first: u32 = self.open_segments().take(from).map(|segment| segment.len()).sum();
        let mut paths = Vec::new();
        let mut carried: HashMap<Hash, Range<usize>> = HashMap::new();
        let vectors = self.vectors();
        for (number, doc) in self.docs().filter(|(number, _)| *number >= first) {
            paths.push(doc.path.to_owned());
            let rows = vectors.places(number);
            if !rows.is_empty() {
                carried.insert(doc.hash, rows);
            }
        }
        paths.sort_unstable();
        let written = |path: &str| Some(self.doc(self.number_of(path)?)?.written);
        let segment = write_segment(store, &paths, &written);
        let mut state = self.state.clone();
        state.segments.truncate(from);
        state.segments.push(save(store, "sheet", &segment)?);
        state.dead.retain(|number| *number < first);
        let moved: Vec<(u32, VectorPair)> = CacheSegment::open(&segment)
            .into_iter()
            .flat_map(|segment| (0..segment.len()).filter_map(move |at| Some((first + at, segment.doc(at)?.hash))))
            .flat_map(|(number, hash)| carried.get(&hash).cloned().unwrap_or_default().map(move |row| (number, row)))
            .filter_map(|(number, row)| Some((number, vectors::pair(&vectors, row)?)))
            .collect();
        // Files with rows behind `first` are written again: those numbers mean other memories now.
        let mut stayed: Vec<(u32, VectorPair)> = Vec::new();
        let mut place = 0;
        state.vectors.clear();
        for (part, name) in vectors.parts().iter().zip(&self.state.vectors) {
            if part.docs.last().is_none_or(|last| *last < first) {
                state.vectors.push(name.clone());
            } else {
                let old = part.docs.iter().enumerate().filter(|(_, doc)| **doc < first && !self.is_dead(**doc));
                stayed.extend(old.filter_map(|(at, doc)| Some((*doc, vectors::pair(&vectors, place + at)?))));
            }
            place += part.docs.len();
        }
        // A memory's passages keep their order.
        stayed.sort_by_key(|(doc, _)| *doc);
        // Two files, so that the next time only the second has to be written.
        for rows in [stayed, moved].iter().filter(|rows| !rows.is_empty()) {
            state.vectors.push(save(store, "vectors", &vectors::encode(rows))?);
        }
        state.save(store)?;
        remove_others(store, &state)?;
        Ok(SearchCache::open(store))
    }

    /// Puts new rows, in the order of their memories, beside those that are there.
    pub(super) fn add_rows(&self, store: &Store, mut rows: Vec<(u32, VectorPair)>) -> Result<(), Error> {
        let vectors = self.vectors();
        let sizes: Vec<usize> = vectors.parts().iter().map(|part| part.docs.len()).chain([rows.len()]).collect();
        let dead = vectors.docs().filter(|doc| self.is_dead(*doc)).count();
        let from = if dead as f32 > DEAD_SHARE * vectors.len() as f32 {
            0
        } else if sizes.len() > FILES {
            tail(&sizes)
        } else {
            sizes.len() - 1
        };
        let skipped: usize = sizes[..from].iter().sum();
        let old = vectors.docs().enumerate().skip(skipped).filter(|(_, doc)| !self.is_dead(*doc));
        rows.extend(old.filter_map(|(place, doc)| Some((doc, vectors::pair(&vectors, place)?))));
        rows.sort_by_key(|(doc, _)| *doc);
        let mut state = self.state.clone();
        state.vectors.truncate(from);
        state.vectors.push(save(store, "vectors", &vectors::encode(&rows))?);
        state.save(store)?;
        Ok(remove_others(store, &state)?)
    }
}

/// Where the files begin that are taken together: each is at most twice as large as all behind it.
pub(super) fn tail(sizes: &[usize]) -> usize {
    let mut from = sizes.len().saturating_sub(2);
    let mut behind: usize = sizes[from..].iter().sum();
    while from > 0 && sizes[from - 1] <= 2 * behind {
        from -= 1;
        behind += sizes[from];
    }
    from
}
