//! What a session has been shown already, and how much (R4, R8).
//!
//! One small file a session, changed under its own lock, since two hooks of one session may run at
//! once. Compaction and clearing remove it.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::engine::{Error, Memory};
use memdir_store::fs::{self, Durability, FsError};

/// What a session has seen.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SessionSeen {
    /// Memories, by their full path.
    pub(crate) files: BTreeSet<String>,
    /// Those of them for which a call was held.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) held: BTreeSet<String>,
    /// Bytes put before the model.
    pub(crate) bytes: usize,
    /// Memories that the model has read or written itself, or that were made of what was said here.
    #[serde(default)]
    pub(crate) read: BTreeSet<String>,
    /// Tools used lately, the newest last.
    #[serde(default)]
    pub(crate) tools: Vec<String>,
    /// The last message of the conversation that was looked at for these.
    #[serde(default)]
    pub(crate) cursor: Option<String>,
}

impl SessionSeen {
    /// Whether the conversation holds a memory already.
    pub(crate) fn knows(&self, path: &str) -> bool {
        self.files.contains(path) || self.read.contains(path)
    }
}

/// A session's record, held until dropped.
pub(crate) struct SeenFile {
    path: PathBuf,
    pub(crate) seen: SessionSeen,
    _lock: File,
}

impl Memory {
    /// Opens the record of a session; whoever comes second waits for the first.
    pub(crate) fn seen(&self, session: &str) -> Result<SeenFile, Error> {
        let dir = self.session_dir(session);
        fs::create_private_dir(&dir)?;
        let path = dir.join("recall.json");
        let lock = fs::hold(&dir.join("lock"))?;
        let seen = serde_json::from_slice(&fs::read_beside(&path)?).unwrap_or_default();
        Ok(SeenFile { path, seen, _lock: lock })
    }
}

impl SeenFile {
    /// Keeps what was shown just now.
    pub(crate) fn save(&self) -> Result<(), FsError> {
        fs::replace(&self.path, &serde_json::to_vec(&self.seen).unwrap_or_default(), Durability::Cache)
    }
}
