//! What a long-running process keeps between two requests, so that each is about the present and none starts from nothing.
//!
//! Enters: what an earlier [`Memory`] of the same project left. Leaves: the same for the next one. All of it can be thrown away at
//! any time, and none of it is believed unchecked: catalogs are brought up to date ([`CachedStore`]), words and trigram
//! filters belong to a content's hash.

use std::collections::HashMap;
use std::path::PathBuf;

use super::Memory;
use super::duplicate_candidates::DuplicateCandidates;
use super::recall::SearchCache;
use memdir_core::kind::Scope;
use memdir_search::trigram_filter::{Needle, TrigramFilter};
use memdir_store::CachedStore;
use memdir_store::catalog::{Catalog, CatalogGeneration};
use memdir_store::history::Hash;

/// What outlives a [`Memory`].
#[derive(Debug, Default)]
pub struct SessionCache {
    stores: Vec<CachedStore>,
    duplicate_candidates: HashMap<Scope, DuplicateCandidates>,
    trigram_filters: HashMap<PathBuf, TrigramFilters>,
    search_caches: HashMap<PathBuf, SearchCache>,
}

impl Memory {
    /// Keeps from now on what is learned on the way; `cache` is what an earlier one left.
    pub fn resume(&self, cache: SessionCache) {
        let SessionCache { mut stores, duplicate_candidates, trigram_filters, search_caches } = cache;
        for (_, store) in self.stores().unwrap_or_default() {
            let kept = stores.iter().position(|kept| kept.root() == store.root().path());
            store.resume(kept.map(|at| stores.swap_remove(at)));
        }
        *self.duplicate_candidates.borrow_mut() = duplicate_candidates;
        *self.trigram_filters.borrow_mut() = Some(trigram_filters);
        *self.search_caches.borrow_mut() = search_caches;
    }

    /// Gives away what was kept.
    pub fn suspend(&self) -> SessionCache {
        let stores = self.stores().unwrap_or_default();
        SessionCache {
            stores: stores.into_iter().filter_map(|(_, store)| store.suspend()).collect(),
            duplicate_candidates: self.duplicate_candidates.take(),
            trigram_filters: self.trigram_filters.take().unwrap_or_default(),
            search_caches: self.search_caches.take(),
        }
    }
}

/// The trigram filters of a store's files.
#[derive(Debug, Default)]
pub(super) struct TrigramFilters {
    /// What the numbers mean, and how much of its news is in the order.
    of: Option<(CatalogGeneration, usize, usize)>,
    /// The numbers of all files, in the order of their paths.
    order: Vec<u32>,
    /// By number: the content a filter is of, and the filter.
    known: Vec<Option<(Hash, TrigramFilter)>>,
}

impl TrigramFilters {
    /// The files of a catalog in the order of their paths.
    pub(super) fn order(&mut self, catalog: &Catalog) -> Vec<u32> {
        let now = (catalog.generation(), catalog.touched().len(), catalog.len());
        if self.of != Some(now) {
            if self.of.is_none_or(|(generation, ..)| generation != now.0) {
                self.renumber(catalog);
            }
            self.order = sorted(catalog);
            self.of = Some(now);
        }
        self.order.clone()
    }

    /// Whether a file certainly does not hold a text.
    pub(super) fn rule_out(&self, number: u32, hash: Hash, needle: &Needle) -> bool {
        let filter = self.known.get(number as usize).and_then(Option::as_ref);
        filter.is_some_and(|(of, filter)| *of == hash && !filter.may_hold(needle))
    }

    /// Keeps the filter of what a file holds, unless it is there.
    pub(super) fn take(&mut self, number: u32, hash: Hash, bytes: &[u8]) {
        let place = number as usize;
        if self.known.len() <= place {
            self.known.resize(place + 1, None);
        }
        let is_known = self.known[place].as_ref().is_some_and(|(of, _)| *of == hash);
        // What was read may be newer than what is known.
        if !is_known && Hash::of(bytes) == hash {
            self.known[place] = Some((hash, TrigramFilter::of(&String::from_utf8_lossy(bytes))));
        }
    }

    /// Gives the filters the numbers that their contents have now.
    fn renumber(&mut self, catalog: &Catalog) {
        let mut by_hash: HashMap<Hash, TrigramFilter> = self.known.drain(..).flatten().collect();
        for number in catalog.numbers() {
            let hash = catalog.at(number).hash;
            if let Some(filter) = by_hash.remove(&hash) {
                self.known.resize((number as usize + 1).max(self.known.len()), None);
                self.known[number as usize] = Some((hash, filter));
            }
        }
    }
}

/// The numbers of all files, in the order of their paths.
pub(super) fn sorted(catalog: &Catalog) -> Vec<u32> {
    let mut numbers: Vec<u32> = catalog.numbers().collect();
    numbers.sort_unstable_by_key(|number| catalog.at(*number).path);
    numbers
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests are the other program that changes files")]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;
    use crate::engine::test_memory::TestMemory;
    use crate::engine::{MatchingLine, RecallRequest, Remember};

    fn found(memory: &Memory, term: &str) -> Vec<(String, usize, String)> {
        let mut hits = Vec::new();
        let mut keep = |hit: MatchingLine| {
            hits.push((hit.file, hit.line, hit.text));
            true
        };
        memory.recall().search(term, false, false, &mut keep).unwrap();
        hits
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        #[test]
        fn a_search_that_reads_less_finds_the_same(
            texts in prop::collection::vec("([a-cA-C\u{212a}\u{df}\u{e9}]{1,4}[ \n]){0,12}", 1..8),
            terms in prop::collection::vec("[a-cA-Ck\u{df}\u{e9} ]{1,6}", 1..6),
            edited in 0_usize..8,
        ) {
            let bench = TestMemory::new();
            for (at, text) in texts.iter().enumerate() {
                bench.put(&format!("m{at}.md"), text);
            }
            let mut cache = SessionCache::default();
            for round in 0..3 {
                for term in terms.iter().filter(|term| !term.trim().is_empty()) {
                    let staying = bench.memory();
                    staying.resume(std::mem::take(&mut cache));
                    prop_assert_eq!(found(&staying, term), found(&bench.memory(), term), "{} {:?}", round, term);
                    cache = staying.suspend();
                }
                bench.put(&format!("m{edited}.md"), format!("abc {} cab\n", terms[0]));
            }
        }
    }

    /// What a prompt brings back, as it is read.
    fn recalled(memory: &Memory) -> (Vec<String>, String) {
        let answer = memory.recall().for_prompt(RecallRequest::new("who keeps the keys of the lighthouse")).unwrap();
        (answer.selected.into_iter().map(|one| one.file).collect(), answer.reminder)
    }

    fn keys(keeper: &str) -> String {
        format!(
            "---\nname: lighthouse keys\ndescription: who keeps the keys of the lighthouse\ntype: project\n---\n\n\
             {keeper} keeps the keys of the lighthouse.\n"
        )
    }

    #[test]
    fn a_recall_in_a_process_that_stays_sees_what_others_do_to_the_files() {
        let bench = TestMemory::new();
        let mut cache = SessionCache::default();
        let mut ask = |what: &str| {
            let staying = bench.memory();
            staying.resume(std::mem::take(&mut cache));
            let stayed = recalled(&staying);
            // Afterwards, since a new process brings the cache up to date.
            assert_eq!(stayed, recalled(&bench.memory()), "{what}");
            cache = staying.suspend();
            stayed
        };
        assert_eq!(ask("nothing is there").0.len(), 0);
        bench.put("project_keys.md", keys("Ann"));
        bench.put(
            "project_fees.md",
            "---\nname: fees\ndescription: harbour fees\ntype: project\n---\n\nFees are due in May.\n",
        );
        for round in ["a new file", "the same again", "and again, with open eyes"] {
            assert!(ask(round).1.contains("Ann keeps"), "{round}");
        }
        // In place and of the same length: neither the directory nor the size tells.
        bench.put("project_keys.md", keys("Bob"));
        assert!(ask("edited in place").1.contains("Bob keeps"));
        assert!(ask("once more").1.contains("Bob keeps"));
        std::fs::write(bench.dir().join(".new"), keys("Eve")).unwrap();
        std::fs::rename(bench.dir().join(".new"), bench.dir().join("project_keys.md")).unwrap();
        assert!(ask("replaced").1.contains("Eve keeps"));
        std::fs::remove_file(bench.dir().join("project_keys.md")).unwrap();
        assert_eq!(ask("removed").0.len(), 0);
    }

    #[test]
    fn a_process_that_stays_maps_a_cache_once_and_a_damaged_one_gives_nothing_wrong() {
        let bench = TestMemory::new();
        bench.put("project_keys.md", keys("Ann"));
        bench.put("project_more.md", keys("Bob").replace("lighthouse", "lightship"));
        let memory = bench.memory();
        memory.resume(SessionCache::default());
        assert!(recalled(&memory).1.contains("Ann keeps"));
        let cache = memory.private_store().unwrap().unwrap().cache_dir().join("search");
        let segments = || std::fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path());
        let segment = segments().find(|path| path.display().to_string().contains("sheet-")).unwrap();
        // In place, as a broken disk would: whoever has it mapped sees it.
        let bytes = std::fs::read(&segment).unwrap();
        std::fs::OpenOptions::new().write(true).open(&segment).unwrap().write_all(&vec![0; bytes.len()]).unwrap();
        let answer = memory.recall().for_prompt(RecallRequest::new("who keeps the keys of the lighthouse")).unwrap();
        assert!(answer.selected.is_empty() && answer.behind, "{answer:?}");
    }

    #[test]
    fn what_is_saved_in_between_is_found_and_known() {
        let bench = TestMemory::new();
        let mut cache = SessionCache::default();
        let wanted =
            |text: &str, name: &str| Remember { text: text.into(), name: Some(name.into()), ..Remember::default() };
        for (at, name) in ["lighthouse keys", "harbour fees", "tide tables"].into_iter().enumerate() {
            let memory = bench.memory();
            memory.resume(std::mem::take(&mut cache));
            let text = format!("The {name} are kept by Ann in room {at}.");
            memory.files().remember(&wanted(&text, name)).unwrap();
            let term = format!("{name} are KEPT");
            let hits = found(&memory, &term);
            assert!(!hits.is_empty() && hits == found(&bench.memory(), &term), "{hits:?}");
            let again = memory.files().remember(&wanted(&text, name)).unwrap();
            assert_eq!(again.action, crate::engine::RememberOutcome::Unchanged, "{name}");
            cache = memory.suspend();
        }
        let memory = bench.memory();
        memory.resume(cache);
        let hits = found(&memory, "in room");
        assert!(hits.len() >= 3 && hits == found(&bench.memory(), "in room"), "{hits:?}");
        let again =
            memory.files().remember(&wanted("The harbour fees are kept by Ann in room 1.", "harbour fees")).unwrap();
        assert_eq!(again.action, crate::engine::RememberOutcome::Unchanged);
    }
}
