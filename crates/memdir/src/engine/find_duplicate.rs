//! Finds the memory that already says what a new one would say, if there is one.
//!
//! Enters: a memory that somebody wants to save. Leaves: the file of the same scope that is it:
//! one of the same name, else the one that says it in other words. Judged by words alone.

use super::duplicate_candidates::DuplicateCandidates;
use super::{Error, Memory};
use memdir_core::kind::{Scope, Type};
use memdir_guard::confine::RelPath;
use memdir_reader::likeness::{self, Note};
use memdir_store::Store;
use memdir_store::catalog::KnownFile;
use memdir_store::topic::Topic;

/// What should be saved.
pub(super) struct WantedMemory<'a> {
    pub(super) scope: Scope,
    /// Its type; memories of other types are other memories.
    pub(super) kind: Option<Type>,
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) body: &'a str,
}

impl WantedMemory<'_> {
    /// The same, read for comparing.
    pub(super) fn note(&self) -> Note {
        Note::read(&format!("{}\n{}\n{}", self.name, self.description, self.body))
    }

    fn may_be(&self, known: &KnownFile<'_>) -> bool {
        known.kind.is_none() || self.kind.is_none() || known.kind == self.kind
    }
}

impl Memory {
    /// The memory that says the same thing, among those that `may` be it.
    pub(super) fn find_duplicate(
        &self,
        store: &Store,
        wanted: &WantedMemory<'_>,
        may: impl Fn(&str) -> bool,
    ) -> Result<Option<RelPath>, Error> {
        store.notice_once(self.now.timestamp())?;
        let catalog = store.known()?;
        let mut all = self.duplicate_candidates.borrow_mut();
        let candidates = all.entry(wanted.scope).or_insert_with(|| DuplicateCandidates::of(wanted.scope, &catalog));
        candidates.follow(&catalog);
        if let Some(known) = candidates.named(wanted.name, &catalog, |known| wanted.may_be(known) && may(known.path)) {
            return Ok(RelPath::parse(known.path).ok());
        }
        let note = wanted.note();
        let about = format!("{} {}", wanted.name, wanted.description);
        let mut best: Option<(f32, RelPath)> = None;
        let closest: Vec<KnownFile<'_>> =
            candidates.closest(&about, &catalog).filter(|known| may(known.path)).collect();
        for known in closest {
            let Ok(file) = RelPath::parse(known.path) else { continue };
            let read = || {
                let bytes = store.root().read(&file).ok()??;
                let (name, description) = (known.name.unwrap_or_default(), known.description.unwrap_or_default());
                Some(Note::read(&format!("{name}\n{description}\n{}", Topic::parse(bytes).body())))
            };
            let Some(other) = candidates.note(&known, read) else { continue };
            let alike = note.likeness(&other);
            if alike >= likeness::SAME && best.as_ref().is_none_or(|(score, _)| alike > *score) {
                best = Some((alike, file));
            }
        }
        Ok(best.map(|(_, file)| file))
    }
}
