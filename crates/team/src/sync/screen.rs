//! What is new on the shared side, as far as it may come in.
//!
//! Enters: entries of the shared side. Leaves: those that may come in with their contents, the rest with a reason. Reads no more than the
//! limits allow.

use std::collections::{BTreeMap, HashMap, HashSet};

use unicode_normalization::UnicodeNormalization as _;

use super::plan::IncomingFile;
use super::{RuleVerdict, Sync, SyncError};
use crate::base::Base;
use crate::transport::{EntryKind, RemoteEntry};
use memdir_core::limits;

/// Files whose names only case or the spelling of an accent tells apart: on some systems they are one file, and the second would
/// replace the first.
struct Twins {
    taken: HashMap<String, String>,
}

impl Twins {
    fn new(base: &Base, entries: &[RemoteEntry]) -> Twins {
        let gone: HashSet<&str> = entries
            .iter()
            .filter(|entry| matches!(entry.kind, EntryKind::Gone { .. }))
            .map(|entry| &*entry.path)
            .collect();
        let known = base
            .files
            .iter()
            .filter(|(path, known)| known.held.is_none() && known.common.is_some() && !gone.contains(path.as_str()));
        let mut taken: HashMap<String, String> = known.map(|(path, _)| (folded(path), path.clone())).collect();
        // The same one of two new names everywhere: the one in small letters, as memdir writes them, so that whoever adds
        // another spelling later does not take the name of what is there.
        let mut new: Vec<&str> = entries
            .iter()
            .filter(|entry| matches!(entry.kind, EntryKind::File { .. }))
            .map(|entry| &*entry.path)
            .collect();
        new.sort_unstable_by_key(|path| (*path != folded(path), *path));
        for path in new {
            taken.entry(folded(path)).or_insert_with(|| path.to_owned());
        }
        Twins { taken }
    }

    /// Why a file stays outside, if another has its name already.
    fn of(&self, entry: &RemoteEntry) -> Option<String> {
        let first = self.taken.get(&folded(&entry.path)).filter(|first| **first != entry.path)?;
        let is_file = matches!(entry.kind, EntryKind::File { .. });
        is_file.then(|| format!("same-name: only case tells it from {first}"))
    }
}

fn folded(path: &str) -> String {
    path.nfc().collect::<String>().to_lowercase()
}

impl Sync<'_> {
    /// Screens what is new on the shared side and reads what may come in.
    pub(super) fn take_in(
        &mut self,
        base: &Base,
        entries: Vec<RemoteEntry>,
    ) -> Result<BTreeMap<String, IncomingFile>, SyncError> {
        let new = |entry: &RemoteEntry| base.files.get(&entry.path).is_none_or(|known| known.remote != entry.kind.id());
        let mut theirs = BTreeMap::new();
        let mut wanted = Vec::new();
        let twins = Twins::new(base, &entries);
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
                _ => self.rules.may_arrive(&entry).err().map(|held| held.0).or_else(|| twins.of(&entry)),
            };
            match (held, &entry.kind) {
                (Some(reason), _) => drop(theirs.insert(entry.path.clone(), IncomingFile::held(&entry, reason))),
                (None, EntryKind::Gone { id }) => {
                    let id = id.clone();
                    theirs.insert(entry.path.clone(), IncomingFile::gone(&entry, id));
                }
                (None, _) => wanted.push(entry),
            }
        }
        let asked: Vec<&RemoteEntry> = wanted.iter().collect();
        let contents =
            if asked.is_empty() { Vec::new() } else { self.transport.read(&asked, limits::TEAM_FILE_BYTES)? };
        for (entry, content) in wanted.into_iter().zip(contents) {
            let their = match content {
                Err(reason) => IncomingFile::held(&entry, reason.0),
                Ok(content) => match self.rules.may_land(&entry, &content) {
                    RuleVerdict::Welcome(marks) => IncomingFile::file(&entry, content, marks),
                    RuleVerdict::Held(reason) => IncomingFile::held(&entry, reason),
                },
            };
            theirs.insert(entry.path, their);
        }
        Ok(theirs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::Authorship;

    #[test]
    fn of_two_names_that_only_case_tells_apart_one_arrives() {
        let entry = |path: &str| RemoteEntry {
            path: path.to_owned(),
            kind: EntryKind::File { id: path.to_owned(), bytes: 1 },
            author: Authorship::default(),
        };
        let entries = [entry("build.md"), entry("Build.md"), entry("other.md")];
        let twins = Twins::new(&Base::default(), &entries);
        let held: Vec<bool> = entries.iter().map(|entry| twins.of(entry).is_some()).collect();
        assert_eq!(held, [false, true, false]);
        // A rename that only changes case is one name after the other.
        let gone = RemoteEntry { kind: EntryKind::Gone { id: "x".into() }, ..entry("Build.md") };
        let entries = [gone, entry("build.md")];
        assert_eq!(Twins::new(&Base::default(), &entries).of(&entries[1]), None);
    }
}
