//! What git and an object store have in common, as far as sharing needs it.
//!
//! Enters: questions of [`crate::sync`]. Leaves: what is there, and whether a change was accepted. Everything that
//! comes out of a transport was written by somebody else: paths are unchecked text, contents are bytes.
//! Never merges, never decides what may be shared.

use serde::{Deserialize, Serialize};

/// A state of the shared side, as its transport names it: kept and given back, never understood.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SharedRevision(pub String);

/// What a look brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SharedState {
    /// It is what it was.
    Same,
    /// It is this now.
    Now(SharedRevision),
}

/// One path of the shared side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteEntry {
    /// As somebody wrote it; unchecked.
    pub path: String,
    /// What is there.
    pub kind: EntryKind,
    /// Who put it there.
    pub author: Authorship,
}

/// What can be at a path of the shared side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A file: how the transport names its content, and its size.
    File {
        /// The transport's name of the content: equal for equal contents.
        id: String,
        /// Its size in bytes, as it is claimed to be.
        bytes: u64,
    },
    /// It was deleted; this was the content.
    Gone {
        /// The transport's name of the last content.
        id: String,
    },
    /// Something that is not a file: a link, a module.
    Odd {
        /// What it is.
        what: &'static str,
    },
}

impl EntryKind {
    /// A name for this state of the path: it differs when the state does.
    pub fn id(&self) -> String {
        match self {
            EntryKind::File { id, .. } => id.clone(),
            EntryKind::Gone { id } => format!("gone:{id}"),
            EntryKind::Odd { what } => format!("odd:{what}"),
        }
    }
}

/// Who wrote something, and how that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Authorship {
    /// As they call themselves.
    pub name: String,
    /// The key that vouches for it, if one does.
    pub key: Option<String>,
    /// Whether that could be verified.
    pub verified: bool,
}

/// A change to publish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteChange {
    /// Where.
    pub path: String,
    /// The new content; nothing when it goes.
    pub content: Option<Vec<u8>>,
}

/// What became of a publication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Published {
    /// It is there, and the shared side is this now.
    As(SharedRevision),
    /// Somebody was faster: look again. A part of it may be there.
    Overtaken,
}

/// Why the shared side could not be reached or understood.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// No way there, now.
    #[error("{place} cannot be reached: {why}. Nothing is lost; the next sync tries again")]
    Unreachable {
        /// Where.
        place: String,
        /// What the system said.
        why: String,
    },
    /// It does not let us in.
    #[error("{place} refused: {why}. Check the address and the credentials")]
    Refused {
        /// Where.
        place: String,
        /// What it said.
        why: String,
    },
    /// What is there is not what memdir writes.
    #[error("{place} holds something that memdir does not understand: {why}")]
    Malformed {
        /// Where.
        place: String,
        /// What is wrong.
        why: String,
    },
}

/// Why one memory is held back: the name of the reason, and what was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HeldReason(pub String);

impl From<String> for HeldReason {
    fn from(reason: String) -> HeldReason {
        HeldReason(reason)
    }
}

impl From<&str> for HeldReason {
    fn from(reason: &str) -> HeldReason {
        HeldReason(reason.to_owned())
    }
}

/// A way to the shared side.
pub trait Transport {
    /// One round trip: is it still what it was?
    fn look(&mut self, known: Option<&SharedRevision>) -> Result<SharedState, TransportError>;

    /// What differs between a state known earlier and this one; everything, if none is known.
    fn entries(
        &mut self,
        since: Option<&SharedRevision>,
        now: &SharedRevision,
    ) -> Result<Vec<RemoteEntry>, TransportError>;

    /// The contents of files of at most `limit` bytes, in the order they are asked for; for one that cannot be had, the name of the reason.
    fn read(
        &mut self,
        wanted: &[&RemoteEntry],
        limit: usize,
    ) -> Result<Vec<Result<Vec<u8>, HeldReason>>, TransportError>;

    /// Puts changes there if the shared side is still `on`.
    fn publish(&mut self, on: &SharedRevision, changes: &[RemoteChange]) -> Result<Published, TransportError>;

    /// How this side names a content, to tell whether a deletion meant it.
    fn id_of(&self, content: &[u8]) -> String;
}
