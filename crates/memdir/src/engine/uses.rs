//! How often a memory was opened lately: being shown is our doing, being opened is a sign of worth.
//!
//! Enters: the memories that a person or a model asks to read in full. Leaves: a count each, one signal
//! among others for recall. Only the last few thousand openings are kept, so what was useful years ago
//! fades by itself. Nothing depends on it: a record that cannot be written or read counts nothing.

use std::collections::HashMap;
use std::path::PathBuf;

use super::{Files, MemoryRef};
use memdir_core::limits::USES_BYTES;
use memdir_store::Store;
use memdir_store::fs::{self, Durability, FsError};

/// How often each memory of a store was opened, by its path there.
#[derive(Debug, Default)]
pub(super) struct Uses(HashMap<String, u32>);

impl Uses {
    /// Reads the record of a store.
    pub(super) fn of(store: &Store) -> Uses {
        let mut counts = HashMap::new();
        let text = fs::read_beside(&record(store)).unwrap_or_default();
        for path in String::from_utf8_lossy(&text).lines() {
            *counts.entry(path.to_owned()).or_default() += 1;
        }
        Uses(counts)
    }

    /// How often this one was opened.
    pub(super) fn count(&self, path: &str) -> u32 {
        self.0.get(path).copied().unwrap_or_default()
    }
}

impl Files<'_> {
    /// Notes that a memory was opened.
    pub fn note_use(&self, memory_ref: &MemoryRef<'_>) {
        // It is a hint for ranking; reading must not fail for it.
        let _ = append(memory_ref.store, memory_ref.file.as_str());
    }
}

fn record(store: &Store) -> PathBuf {
    store.state_dir().join("uses")
}

fn append(store: &Store, path: &str) -> Result<(), FsError> {
    let record = record(store);
    let line = format!("{path}\n");
    let length = fs::length(&record)?;
    if length == 0 {
        fs::create_private_dir(store.state_dir())?;
        return fs::replace(&record, line.as_bytes(), Durability::Cache);
    }
    if length > USES_BYTES {
        let tail = fs::tail(&record, USES_BYTES / 2)?;
        let whole = tail.iter().position(|byte| *byte == b'\n').map_or(tail.len(), |at| at + 1);
        fs::replace(&record, &tail[whole..], Durability::Cache)?;
    }
    fs::append(&record, line.as_bytes())
}
