//! What is new on the shared side, as far as it may come in.

use std::collections::BTreeMap;

use super::plan::Theirs;
use super::{Sync, SyncError, Verdict};
use crate::base::Base;
use crate::transport::{Entry, EntryKind};
use memdir_core::limits;

impl Sync<'_> {
    /// Screens what is new on the shared side and reads what may come in.
    pub(super) fn take_in(&mut self, base: &Base, entries: Vec<Entry>) -> Result<BTreeMap<String, Theirs>, SyncError> {
        let new = |entry: &Entry| base.files.get(&entry.path).is_none_or(|known| known.remote != entry.kind.id());
        let mut theirs = BTreeMap::new();
        let mut wanted = Vec::new();
        for mut entry in entries.into_iter().filter(new) {
            entry.author = self.rules.known_as(entry.author);
            if entry.author.name.is_empty() {
                // Without a name it would pass for our own.
                "unknown".clone_into(&mut entry.author.name);
            }
            let held = match &entry.kind {
                EntryKind::File { bytes, .. } if *bytes > limits::TEAM_FILE_BYTES as u64 => {
                    Some(if *bytes == u64::MAX {
                        "too-large: it was not fetched".to_owned()
                    } else {
                        format!("too-large: {bytes} bytes")
                    })
                }
                _ => self.rules.may_arrive(&entry).err().map(|held| held.0),
            };
            match (held, &entry.kind) {
                (Some(reason), _) => drop(theirs.insert(entry.path.clone(), Theirs::held(&entry, reason))),
                (None, EntryKind::Gone { id }) => {
                    let id = id.clone();
                    theirs.insert(entry.path.clone(), Theirs::gone(&entry, id));
                }
                (None, _) => wanted.push(entry),
            }
        }
        let asked: Vec<&Entry> = wanted.iter().collect();
        let contents =
            if asked.is_empty() { Vec::new() } else { self.transport.read(&asked, limits::TEAM_FILE_BYTES)? };
        for (entry, content) in wanted.into_iter().zip(contents) {
            let their = match content {
                Err(reason) => Theirs::held(&entry, reason.0),
                Ok(content) => match self.rules.may_land(&entry, &content) {
                    Verdict::Welcome(marks) => Theirs::file(&entry, content, marks),
                    Verdict::Held(reason) => Theirs::held(&entry, reason),
                },
            };
            theirs.insert(entry.path, their);
        }
        Ok(theirs)
    }
}
