//! Whether a dream may change anything here: in a directory that others filled it first shows what it would do (H4).
//!
//! Enters: a store. Leaves: yes or no. Yes when memdir has landed a dream here, when somebody accepted what one proposed or
//! said `--yes`, when a dream looked and found nothing to propose, or when every memory is our own log's. Kept in
//! the state directory, never in the memory directory.

use std::collections::HashSet;

use super::Dreaming;
use crate::engine::Error;
use crate::engine::listing::{FileRole, role};
use memdir_core::settings::Mode;
use memdir_store::Store;
use memdir_store::history::{Actor, Visit};

impl Dreaming<'_> {
    /// Whether a dream may land in a store without being asked for.
    pub(super) fn is_allowed(&self, store: &Store) -> Result<bool, Error> {
        if self.memory.dreams_allowed(store)? {
            return Ok(true);
        }
        let mut ours: HashSet<String> = HashSet::new();
        let mut dreamt = false;
        store.journal().newest_first(|change| {
            dreamt |= change.actor == Actor::Dream;
            if !matches!(change.actor, Actor::Outside | Actor::Team | Actor::Unknown) {
                ours.extend(change.paths().into_iter().map(str::to_owned));
            }
            if dreamt { Visit::Enough } else { Visit::More }
        })?;
        let known = store.known()?;
        let mut topics = known.paths().into_iter().filter(|path| role(path) == FileRole::Topic);
        Ok(dreamt || (self.memory.settings.mode == Mode::Log && topics.all(|path| ours.contains(path))))
    }
}
