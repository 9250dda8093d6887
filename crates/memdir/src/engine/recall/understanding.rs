//! What memories are about, in files beside the segments, found by what a memory says.
//!
//! Enters: a store. Leaves: for a memory's content the bytes that [`understood`](super::action::understood) made of it. To understand a
//! memory takes longer than all else about it together, so nobody who saves or asks waits for it: the background does it, and before
//! a call only what is new is understood, if it is little. Kept by content, so that a memory that moves, or a segment that is merged,
//! costs nothing. Never trusts the bytes.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;

use memdir_core::limits::UNDERSTOOD_AT_ONCE_BYTES;
use memdir_guard::confine::RelPath;
use memdir_store::Store;
use memdir_store::fs;
use memdir_store::history::Hash;
use memdir_store::topic::Topic;

use super::action::understood::understand;
use super::merge::{FILES, tail};
use super::refresh::{remove_others, save};
use super::search_cache::{SearchCache, dir};
use crate::engine::Error;

const MAGIC: &[u8; 8] = b"mdsubj\x00\x02";
/// Magic and the number of entries.
const HEAD: usize = 16;
/// A hash, where its bytes begin, and how many there are.
const ENTRY: usize = 24;
/// This many memories are understood before they are saved.
const BATCH: usize = 256;
/// Hashes are spread evenly, so an entry stands about where its share of all entries ends; this many places off at most, nearly always.
const SPREAD: usize = 256;

/// What some memories are about, by their hashes.
pub(super) type SubjectsByHash = BTreeMap<[u8; 16], Vec<u8>>;

/// An open file of subjects.
#[derive(Clone, Copy)]
pub(super) struct SubjectFile<'s> {
    entries: &'s [[u8; ENTRY]],
    heap: &'s [u8],
}

impl<'s> SubjectFile<'s> {
    /// Opens a file; `None` when the bytes are not one.
    pub(super) fn open(bytes: &'s [u8]) -> Option<SubjectFile<'s>> {
        if bytes.get(..8)? != MAGIC {
            return None;
        }
        let count = usize::try_from(u64::from_le_bytes(bytes.get(8..HEAD)?.try_into().ok()?)).ok()?;
        let (entries, heap) = bytes.get(HEAD..)?.split_at_checked(count.checked_mul(ENTRY)?)?;
        Some(SubjectFile { entries: entries.as_chunks().0, heap })
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    /// What is written down for a content.
    fn get(&self, hash: &Hash) -> Option<&'s [u8]> {
        let share = u64::from_be_bytes(*hash.0.first_chunk()?);
        let about = ((u128::from(share) * self.len() as u128) >> 64) as usize;
        let (low, high) = (about.saturating_sub(SPREAD), about.saturating_add(SPREAD).min(self.len()));
        let near = self.entries.get(low..high)?;
        let within = near.first().is_none_or(|first| first[..16] <= hash.0[..]) || low == 0;
        let within = within && (near.last().is_none_or(|last| last[..16] >= hash.0[..]) || high == self.len());
        let (from, entries) = if within { (low, near) } else { (0, self.entries) };
        let at = entries.binary_search_by(|entry| entry[..16].cmp(&hash.0)).ok()?;
        self.bytes(from + at)
    }

    fn bytes(&self, at: usize) -> Option<&'s [u8]> {
        let entry = self.entries.get(at)?;
        let number = |from: usize| Some(u32::from_le_bytes(*entry.get(from..)?.first_chunk()?) as usize);
        let start = number(16)?;
        self.heap.get(start..start.checked_add(number(20)?)?)
    }

    fn all(&self) -> impl Iterator<Item = ([u8; 16], &'s [u8])> {
        (0..self.len()).filter_map(move |at| Some((*self.entries[at].first_chunk()?, self.bytes(at)?)))
    }
}

fn encode(made: &SubjectsByHash) -> Vec<u8> {
    let heap: usize = made.values().map(Vec::len).sum();
    let mut out = Vec::with_capacity(HEAD + made.len() * ENTRY + heap);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&(made.len() as u64).to_le_bytes());
    let mut start = 0_u32;
    for (hash, bytes) in made {
        out.extend_from_slice(hash);
        out.extend_from_slice(&start.to_le_bytes());
        out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        start = start.saturating_add(bytes.len() as u32);
    }
    for bytes in made.values() {
        out.extend_from_slice(bytes);
    }
    out
}

impl SearchCache {
    /// What a memory of this content is about; `None` until somebody has understood it.
    pub(super) fn subjects_of(&self, hash: &Hash) -> Option<&[u8]> {
        self.subject_files().find_map(|file| file.get(hash)).or_else(|| self.understood.get(&hash.0).map(Vec::as_slice))
    }

    /// Memories that nobody has understood yet, the newest first.
    pub(super) fn not_understood(&self) -> Vec<u32> {
        let mut missing: Vec<u32> =
            self.docs().filter(|(_, doc)| self.subjects_of(&doc.hash).is_none()).map(|(number, _)| number).collect();
        missing.reverse();
        missing
    }

    /// Understands memories that nobody has, at most `limit`: work for the background. Returns how many are left.
    pub(super) fn understand(store: &Store, limit: usize, stop: &dyn Fn() -> bool) -> Result<usize, Error> {
        fs::create_private_dir(&dir(store))?;
        let Some(_working) = fs::try_hold(&dir(store).join("understanding"))? else { return Ok(0) };
        let (mut done, mut left) = (0, usize::MAX);
        loop {
            let cache = SearchCache::open(store);
            let missing = cache.not_understood();
            // What was saved and cannot be read back would be made for ever.
            if missing.len() >= std::mem::replace(&mut left, missing.len()) || done >= limit || stop() {
                return Ok(missing.len());
            }
            let made = cache.understand_each(store, &missing[..missing.len().min(BATCH).min(limit - done)]);
            done += made.len();
            if made.is_empty() {
                return Ok(missing.len());
            }
            SearchCache::add_subjects(store, made, &fs::hold(&dir(store).join("lock"))?)?;
        }
    }

    /// The same cache once the memories that nobody has understood are, if they are few. Whoever may not write keeps them to itself.
    pub(super) fn with_subjects_if_few(mut self, store: &Store) -> SearchCache {
        let missing = self.not_understood();
        let sizes = missing.iter().filter_map(|number| Some(self.doc(*number)?.facts.size));
        if missing.is_empty() || sizes.sum::<u64>() > UNDERSTOOD_AT_ONCE_BYTES {
            return self;
        }
        let made = self.understand_each(store, &missing);
        self.understood.extend(made.iter().map(|(hash, bytes)| (*hash, bytes.clone())));
        // A call does not wait for who is at work on the cache.
        if let Ok(Some(held)) = fs::try_hold(&dir(store).join("lock")) {
            let _ = SearchCache::add_subjects(store, made, &held);
        }
        self
    }

    /// Reads some memories one after the other and understands them side by side.
    fn understand_each(&self, store: &Store, numbers: &[u32]) -> SubjectsByHash {
        let texts: Vec<([u8; 16], Topic)> = numbers
            .iter()
            .filter_map(|number| {
                let doc = self.doc(*number)?;
                // What changed since is understood as what it is when the cache knows it.
                let bytes = store.root().read(&RelPath::parse(doc.path).ok()?).ok().flatten().unwrap_or_default();
                Some((doc.hash.0, Topic::parse(bytes)))
            })
            .collect();
        let hands = std::thread::available_parallelism().map_or(1, usize::from).min(texts.len().max(1));
        let understand_all = |texts: &[([u8; 16], Topic)]| -> Vec<([u8; 16], Vec<u8>)> {
            let one = |topic: &Topic| {
                let (name, description) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
                understand(&name, &description, &topic.body())
            };
            texts.iter().map(|(hash, topic)| (*hash, one(topic))).collect()
        };
        if hands == 1 {
            return understand_all(&texts).into_iter().collect();
        }
        std::thread::scope(|scope| {
            let parts: Vec<_> = texts
                .chunks(texts.len().div_ceil(hands))
                .map(|part| scope.spawn(move || understand_all(part)))
                .collect();
            parts.into_iter().filter_map(|part| part.join().ok()).flatten().collect()
        })
    }

    /// Puts what was understood beside what is there; small files are taken together, without what no memory says any more.
    fn add_subjects(store: &Store, mut made: SubjectsByHash, _held: &File) -> Result<(), Error> {
        let cache = SearchCache::open(store);
        let mut state = cache.state.clone();
        let sizes: Vec<usize> = cache.subject_files().map(|file| file.len()).chain([made.len()]).collect();
        let from = if sizes.len() > FILES { tail(&sizes) } else { sizes.len() - 1 };
        if from < sizes.len() - 1 {
            let alive: HashSet<[u8; 16]> = cache.docs().map(|(_, doc)| doc.hash.0).collect();
            for file in cache.subject_files().skip(from) {
                made.extend(
                    file.all().filter(|(hash, _)| alive.contains(hash)).map(|(hash, bytes)| (hash, bytes.to_vec())),
                );
            }
        }
        state.subjects.truncate(from);
        state.subjects.push(save(store, "subjects", &encode(&made))?);
        state.save(store)?;
        Ok(remove_others(store, &state)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(count: u32) -> SubjectsByHash {
        (0..count).map(|number| (Hash::of(&number.to_le_bytes()).0, number.to_string().into_bytes())).collect()
    }

    #[test]
    fn what_was_understood_is_found_by_its_content() {
        for count in [0, 1, 2, 700, 5_000] {
            let bytes = encode(&made(count));
            let file = SubjectFile::open(&bytes).unwrap();
            for number in 0..count {
                let found = file.get(&Hash::of(&number.to_le_bytes()));
                assert_eq!(found, Some(number.to_string().as_bytes()), "{number} of {count}");
            }
            assert_eq!(file.get(&Hash::of(b"something else")), None);
            assert_eq!(file.get(&Hash([0xff; 16])), None);
            assert_eq!(file.all().count(), count as usize);
        }
    }

    #[test]
    fn damaged_bytes_are_refused_or_harmless() {
        let bytes = encode(&made(40));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x81;
            for bytes in [&damaged[..], &bytes[..at]] {
                if let Some(file) = SubjectFile::open(bytes) {
                    file.all().for_each(drop);
                    let _ = file.get(&Hash::of(&7_u32.to_le_bytes()));
                }
            }
        }
    }
}
