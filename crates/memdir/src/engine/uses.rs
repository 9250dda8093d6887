//! How often a memory was opened, told, and gone to after it was told: what came of it lately.
//!
//! Enters: the memories that a person or a model asks to read in full, those that an agent is told, and those of them that it then
//! opens or changes. Leaves: counts, signals among others for recall. Only the last few thousand of each are kept, so what was useful
//! years ago fades by itself. Nothing depends on it: a record that cannot be written or read counts nothing.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::{Error, Files, Memory, MemoryRef};
use memdir_core::limits::USES_BYTES;
use memdir_store::Store;
use memdir_store::fs::{self, Durability, FsError};

/// What is counted, each in a file of its own: a path a line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counted {
    /// It was read in full.
    Opened,
    /// An agent was told it.
    Told,
    /// An agent that was told it went to its file.
    Followed,
}

impl Counted {
    const ALL: [Counted; 3] = [Counted::Opened, Counted::Told, Counted::Followed];

    fn record(self, store: &Store) -> PathBuf {
        store.state_dir().join(match self {
            Counted::Opened => "uses",
            Counted::Told => "told",
            Counted::Followed => "followed",
        })
    }
}

/// The counts of a store, by the path of a memory there.
#[derive(Debug, Default)]
pub(super) struct Uses {
    opened: HashMap<String, u32>,
    told: HashMap<String, u32>,
    followed: HashMap<String, u32>,
}

impl Uses {
    /// Reads the records of a store.
    pub(super) fn of(store: &Store) -> Uses {
        let read = |counted: Counted| {
            let mut counts = HashMap::new();
            let text = fs::read_beside(&counted.record(store)).unwrap_or_default();
            for path in String::from_utf8_lossy(&text).lines() {
                *counts.entry(path.to_owned()).or_default() += 1;
            }
            counts
        };
        Uses { opened: read(Counted::Opened), told: read(Counted::Told), followed: read(Counted::Followed) }
    }

    /// How often this one was opened.
    pub(super) fn opened(&self, path: &str) -> u32 {
        count(&self.opened, path)
    }

    /// In how many sessions an agent was told this one.
    pub(super) fn told(&self, path: &str) -> u32 {
        count(&self.told, path)
    }

    /// In how many of them it went to the file.
    pub(super) fn followed(&self, path: &str) -> u32 {
        count(&self.followed, path)
    }
}

fn count(counts: &HashMap<String, u32>, path: &str) -> u32 {
    counts.get(path).copied().unwrap_or_default()
}

impl Files<'_> {
    /// Notes that a memory was opened.
    pub fn note_use(&self, memory_ref: &MemoryRef<'_>) {
        // It is a hint for ranking; reading must not fail for it.
        let _ = append(&Counted::Opened.record(memory_ref.store), memory_ref.store, memory_ref.file.as_str());
    }
}

impl Memory {
    /// Counts memories by their full paths; what is in no store of ours counts nothing.
    pub(super) fn count_uses<'p>(&self, counted: Counted, paths: impl Iterator<Item = &'p str>) {
        let Ok(stores) = self.stores() else { return };
        for path in paths {
            let inside = |store: &Store| Some(Path::new(path).strip_prefix(store.root().path()).ok()?.to_owned());
            let Some((store, file)) = stores.iter().find_map(|(_, store)| Some((*store, inside(store)?))) else {
                continue;
            };
            if let Some(file) = file.to_str() {
                // A hint for ranking, as above.
                let _ = append(&counted.record(store), store, file);
            }
        }
    }

    /// Takes a purged memory out of every count: its name was made from what it said.
    pub(super) fn drop_uses(&self, store: &Store, file: &str) -> Result<(), Error> {
        for counted in Counted::ALL {
            let record = counted.record(store);
            let bytes = fs::read_beside(&record)?;
            let kept: Vec<u8> = bytes
                .split_inclusive(|byte| *byte == b'\n')
                .filter(|line| line.trim_ascii_end() != file.as_bytes())
                .flatten()
                .copied()
                .collect();
            if kept != bytes {
                fs::replace(&record, &kept, Durability::Cache)?;
            }
        }
        Ok(())
    }
}

fn append(record: &Path, store: &Store, path: &str) -> Result<(), FsError> {
    let line = format!("{path}\n");
    let length = fs::length(record)?;
    if length == 0 {
        fs::create_private_dir(store.state_dir())?;
        return fs::replace(record, line.as_bytes(), Durability::Cache);
    }
    if length > USES_BYTES {
        let tail = fs::tail(record, USES_BYTES / 2)?;
        let whole = tail.iter().position(|byte| *byte == b'\n').map_or(tail.len(), |at| at + 1);
        fs::replace(record, &tail[whole..], Durability::Cache)?;
    }
    fs::append(record, line.as_bytes())
}
