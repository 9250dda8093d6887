//! Remembering many at once: one group, and the judge only where something near is known.
//!
//! Enters: memories to save, in the order they were written down. Leaves: what became of each. Everything is checked before anything is
//! saved: one that is refused stops all of them. One that shares half of its words with a memory, or with one before it, is judged like
//! any other; the rest are new, and many of them are one change. Vectors are left to the background.

use std::collections::{HashMap, HashSet};

use super::remember::{MemoryDraft, created};
use super::{Error, Files, Memory, MemoryRef, Remember, Remembered};
use memdir_core::kind::Scope;
use memdir_core::limits::BATCH_FILES;
use memdir_guard::confine::RelPath;
use memdir_reader::likeness;
use memdir_store::{ChangeError, Edit, Intent, Store};

/// A word that this many of a batch share tells nothing about any of them.
const COMMON: usize = 400;

/// Why a batch was not saved: nothing of it is there.
#[derive(Debug)]
pub struct BatchRefused {
    /// Which of them, from 0.
    pub at: usize,
    /// Why.
    pub error: Error,
}

impl Files<'_> {
    /// Saves many memories as one group. Nothing is saved where one of them is refused.
    pub fn remember_all(&self, wanted: &[Remember]) -> Result<Vec<Remembered>, BatchRefused> {
        let refused = |at: usize| move |error: Error| BatchRefused { at, error };
        let mut drafts = Vec::with_capacity(wanted.len());
        for (at, one) in wanted.iter().enumerate() {
            let draft = self.memory.checked_draft(one).map_err(refused(at))?;
            self.memory.writable(draft.scope).map_err(refused(at))?;
            drafts.push(draft);
        }
        let near = self.memory.which_are_near(&drafts).map_err(refused(0))?;
        let group = self.memory.history().group();
        let landed = self.land_all(wanted, &drafts, &near);
        let name = group.name();
        drop(group);
        landed.map_err(|refused| match name.map(|name| self.memory.history().undo(Some(&name.to_string()))) {
            // What did land is taken back, and where even that failed, the reader has to know.
            Some(Err(undo)) => {
                let why = format!("{}. What was saved before it could not be taken back: {undo}", refused.error);
                BatchRefused { error: Error::Refused(why), ..refused }
            }
            _ => refused,
        })
    }

    fn land_all(
        self,
        wanted: &[Remember],
        drafts: &[MemoryDraft],
        near: &[bool],
    ) -> Result<Vec<Remembered>, BatchRefused> {
        let refused = |at: usize| move |error: Error| BatchRefused { at, error };
        let mut saved: Vec<Option<Remembered>> = wanted.iter().map(|_| None).collect();
        let mut new: Vec<usize> = Vec::new();
        for (at, one) in wanted.iter().enumerate() {
            if near[at] || drafts[at].is_named() || self.memory.keeps_log() {
                // It may be about one that waits.
                self.memory.save_all_new(drafts, &mut new, &mut saved).map_err(refused(at))?;
                saved[at] = Some(self.remember(one).map_err(refused(at))?);
            } else {
                new.push(at);
                if new.len() >= BATCH_FILES {
                    self.memory.save_all_new(drafts, &mut new, &mut saved).map_err(refused(at))?;
                }
            }
        }
        self.memory.save_all_new(drafts, &mut new, &mut saved).map_err(refused(wanted.len().saturating_sub(1)))?;
        Ok(saved.into_iter().flatten().collect())
    }
}

impl Memory {
    /// Which of some drafts have much in common with a memory that is there, or with a draft before them.
    fn which_are_near(&self, drafts: &[MemoryDraft]) -> Result<Vec<bool>, Error> {
        let mut near = vec![false; drafts.len()];
        let texts: Vec<&str> = drafts.iter().map(MemoryDraft::text).collect();
        for (_, store) in self.stores()? {
            for (near, found) in near.iter_mut().zip(self.share_words(store, &texts)?) {
                *near |= found;
            }
        }
        let mut by_word: HashMap<String, Vec<u32>> = HashMap::new();
        for (at, near) in near.iter_mut().enumerate() {
            let words: HashSet<String> = likeness::words(texts[at]).into_iter().collect();
            let mut shared: HashMap<u32, usize> = HashMap::new();
            for have in words.iter().filter_map(|word| by_word.get(word)).filter(|have| have.len() < COMMON) {
                for other in have {
                    *shared.entry(*other).or_default() += 1;
                }
            }
            *near |= shared.values().any(|shared| shared * 2 >= words.len());
            for word in words {
                by_word.entry(word).or_default().push(at as u32);
            }
        }
        Ok(near)
    }

    /// Saves drafts of which nothing like them is there, one change for each store.
    fn save_all_new(
        &self,
        drafts: &[MemoryDraft],
        new: &mut Vec<usize>,
        saved: &mut [Option<Remembered>],
    ) -> Result<(), Error> {
        for scopes in [&[Scope::Private, Scope::Team][..], &[Scope::User]] {
            let here: Vec<usize> = new.iter().copied().filter(|at| scopes.contains(&drafts[*at].scope)).collect();
            let Some(first) = here.first() else { continue };
            let store = self.writable(drafts[*first].scope)?;
            let (files, change) = store.change(&self.author(), &Intent::new("remember"), |edit| {
                self.write_all_new(edit, store, &here.iter().map(|at| &drafts[*at]).collect::<Vec<_>>())
            })?;
            for (at, file) in here.into_iter().zip(files) {
                saved[at] = Some(created(&drafts[at], store, &file, change.clone()));
            }
        }
        new.clear();
        Ok(())
    }

    /// Writes the files of new memories, and their pointers at once.
    fn write_all_new(
        &self,
        edit: &mut Edit<'_>,
        store: &Store,
        drafts: &[&MemoryDraft],
    ) -> Result<Vec<RelPath>, ChangeError> {
        let mut files = Vec::with_capacity(drafts.len());
        let mut pointers: Vec<(RelPath, Vec<[String; 3]>)> = Vec::new();
        for draft in drafts {
            let (file, topic) = draft.write_new(edit)?;
            let memory_ref = MemoryRef { scope: draft.scope, store, file };
            let index = memory_ref.index()?;
            let (title, hook) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
            let pointer = [memory_ref.target().to_owned(), title.into_owned(), hook.into_owned()];
            match pointers.iter_mut().find(|(known, _)| *known == index) {
                Some((_, all)) => all.push(pointer),
                None => pointers.push((index, vec![pointer])),
            }
            files.push(memory_ref.file);
        }
        for (index, new) in pointers.iter().filter(|_| self.settings.index_required) {
            edit.point_all(index, new)?;
        }
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::test_memory::TestMemory;
    use crate::engine::{Remember, RememberOutcome};

    fn said(text: &str) -> Remember {
        Remember { text: text.into(), ..Remember::default() }
    }

    #[test]
    fn many_are_one_act_and_what_is_known_is_not_saved_twice() {
        let bench = TestMemory::new();
        let memory = bench.memory();
        memory.files().remember(&said("Deployments run on Tuesdays from the release branch")).unwrap();
        let wanted: Vec<Remember> = [
            "The billing service keeps its ledger in Postgres",
            "Deployments run on Tuesdays from the release branch",
            "Mara reviews every migration before lunch",
            "The billing service keeps its ledger in Postgres",
        ]
        .map(said)
        .into();
        let saved = memory.files().remember_all(&wanted).unwrap();
        let actions: Vec<RememberOutcome> = saved.iter().map(|one| one.action).collect();
        assert_eq!(
            actions,
            [
                RememberOutcome::Created,
                RememberOutcome::Unchanged,
                RememberOutcome::Created,
                RememberOutcome::Unchanged
            ]
        );
        let index = bench.read("MEMORY.md");
        for one in saved.iter().filter(|one| one.action == RememberOutcome::Created) {
            assert_eq!(index.matches(&format!("({})", one.file)).count(), 1, "{index}");
        }
        let act = memory.history().newest().unwrap().unwrap();
        memory.history().undo(Some(&act)).unwrap();
        assert_eq!(bench.memory().files().list().unwrap().len(), 1, "one undo takes all of it back");
    }

    #[test]
    fn where_the_index_cannot_hold_all_those_before_are_taken_back() {
        let bench = TestMemory::new();
        let index = format!("{}\n", "x".repeat(999)).repeat((memdir_core::limits::TOPIC_BYTES - 60_000) / 1000);
        bench.put("MEMORY.md", &index);
        let one = |number: usize| Remember {
            kind: Some(memdir_core::kind::Type::Project),
            ..said(&format!("Pump{number} quay{number} serves{number} harbour{number}"))
        };
        let wanted: Vec<Remember> = (0..2 * memdir_core::limits::BATCH_FILES).map(one).collect();
        let refused = bench.memory().files().remember_all(&wanted).unwrap_err();
        assert!(refused.at > memdir_core::limits::BATCH_FILES, "the first change landed");
        assert!(refused.error.to_string().contains("MEMORY.md"), "{}", refused.error);
        assert!(bench.memory().files().list().unwrap().is_empty());
        assert_eq!(bench.read("MEMORY.md"), index);
    }

    #[test]
    fn where_one_is_refused_nothing_is_saved() {
        let bench = TestMemory::new();
        let refused = bench.memory().files().remember_all(&[said("Mara likes tea"), said("  ")]).unwrap_err();
        assert_eq!(refused.at, 1);
        assert!(refused.error.to_string().contains("empty"), "{}", refused.error);
        assert!(bench.memory().files().list().unwrap().is_empty());
    }
}
