//! The former text of an index, from the edits of its lines.
//!
//! Enters: the changes of the history, newest first, and the hash of the text that is wanted.
//! Leaves: that text, or nothing. The journal keeps an index as edits of single lines, so its text
//! is made again: from the last text that was recorded whole, with every edit since. What does not
//! have the wanted hash is never given out: an edit that somebody slipped in between, or one that
//! was purged, makes an end of it.

use super::{Change, Hash, Version};
use crate::index::{Index, PointerEdit};
use memdir_core::limits;

/// An index on its way back.
#[derive(Debug)]
pub(crate) struct Rewind {
    path: String,
    wanted: Hash,
    /// The edits that led to the wanted text, the newest change first.
    edits: Vec<Vec<PointerEdit>>,
    started: bool,
}

impl Rewind {
    /// Looks for the text of the index at `path` that has this hash.
    pub(crate) fn to(path: &str, wanted: Hash) -> Rewind {
        Rewind { path: path.to_owned(), wanted, edits: Vec::new(), started: false }
    }

    /// Takes in the next older change. Gives the text as soon as enough is known of it.
    pub(crate) fn step(&mut self, change: &Change) -> Option<Version> {
        for file in change.files.iter().filter(|file| file.path == self.path) {
            let versions = file.after.iter().chain(&file.before);
            let exact = versions.clone().find(|version| version.hash == self.wanted && version.content().is_some());
            if let Some(version) = exact {
                return Some(version.clone());
            }
            if self.started {
                let base = file.after.as_ref().map_or_else(|| Some(Vec::new()), Version::content);
                return self.replayed(base);
            }
        }
        let pointer = change.pointers.iter().find(|pointer| pointer.index == self.path)?;
        self.started |= pointer.after == self.wanted;
        if !self.started {
            return None;
        }
        self.edits.push(pointer.edits.clone());
        if pointer.before.is_none() { self.replayed(Some(Vec::new())) } else { None }
    }

    /// The base with every edit since, if that is the wanted text. Begins again if it is not: the
    /// same text may have been there earlier.
    fn replayed(&mut self, base: Option<Vec<u8>>) -> Option<Version> {
        self.started = false;
        let edits = std::mem::take(&mut self.edits);
        let mut index = Index::parse(base?);
        let mut left = limits::REWIND_BYTES;
        for edit in edits.iter().rev().flatten() {
            left = left.checked_sub(index.as_bytes().len())?;
            index.apply(edit);
        }
        (Hash::of(index.as_bytes()) == self.wanted).then(|| Version::of(index.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Actor, ChangeId, FileChange, PointerChange};

    fn change(files: Vec<FileChange>, pointers: Vec<PointerChange>) -> Change {
        Change {
            id: ChangeId("x".into()),
            time: jiff::Timestamp::UNIX_EPOCH,
            actor: Actor::User,
            session: None,
            message: None,
            reason: String::new(),
            group: None,
            undoes: None,
            baseline: false,
            files,
            pointers,
        }
    }

    /// Points to a file and records it as a transaction does.
    fn pointed(index: &mut Index, there: bool, target: &str) -> Change {
        let before = there.then(|| Hash::of(index.as_bytes()));
        let edit = index.point(target, "A title", "a hook");
        index.apply(&edit);
        let after = Hash::of(index.as_bytes());
        change(Vec::new(), vec![PointerChange { index: "MEMORY.md".into(), edits: vec![edit], before, after }])
    }

    fn rewound(wanted: &Index, newest_first: &[Change]) -> Option<Vec<u8>> {
        let mut rewind = Rewind::to("MEMORY.md", Hash::of(wanted.as_bytes()));
        newest_first.iter().find_map(|change| rewind.step(change))?.content()
    }

    #[test]
    fn from_nothing_or_from_the_last_whole_text() {
        let mut index = Index::default();
        let mut changes = vec![pointed(&mut index, false, "a.md"), pointed(&mut index, true, "b.md")];
        changes.reverse();
        assert_eq!(rewound(&index, &changes).as_deref(), Some(index.as_bytes()));
        let mut index = Index::parse(b"# mine\r\n- [A](a.md)\r\n\r\nlast".to_vec());
        let whole = FileChange {
            path: "MEMORY.md".into(),
            before: None,
            after: Some(Version::of(index.as_bytes())),
            written: None,
            from: None,
        };
        let mut changes = vec![change(vec![whole], Vec::new())];
        changes.extend(["b.md", "c.md", "b.md"].map(|target| pointed(&mut index, true, target)));
        changes.reverse();
        assert_eq!(rewound(&index, &changes).as_deref(), Some(index.as_bytes()));
    }

    #[test]
    fn a_text_that_cannot_be_proven_is_not_given_out() {
        let mut index = Index::default();
        let first = pointed(&mut index, false, "a.md");
        // Somebody adds a line that the history never saw.
        let mut index = Index::parse([index.as_bytes(), b"mine\n"].concat());
        let second = pointed(&mut index, true, "b.md");
        assert_eq!(rewound(&index, &[second.clone(), first.clone()]), None);
        // And without the beginning there is nothing to begin with.
        assert_eq!(rewound(&index, &[second]), None);
    }
}
