//! Whether something happened, at the price of a few looks at file times.
//!
//! Enters: an opened memory. Leaves: a value that differs after any change made through memdir
//! and after files came or went. An edit in place by another program shows once somebody lists,
//! reads or recalls, since that records it.

use std::path::PathBuf;
use std::time::SystemTime;

use memdir::engine::Memory;

/// The state of the directories and of the history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pulse(Vec<(PathBuf, u64, Option<SystemTime>)>);

impl Pulse {
    /// How it is now.
    pub fn of(memory: &Memory) -> Pulse {
        let mut seen = Vec::new();
        let mut look = |path: PathBuf| {
            if let Ok(meta) = std::fs::metadata(&path) {
                seen.push((path, meta.len(), meta.modified().ok()));
            }
        };
        for (_, store) in memory.stores().unwrap_or_default() {
            let root = store.root().path();
            for below in ["", "MEMORY.md", "team", "team/MEMORY.md"] {
                look(root.join(below));
            }
            let journal = std::fs::read_dir(store.state_dir().join("journal"));
            let mut files: Vec<PathBuf> = journal.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
            files.sort();
            files.into_iter().for_each(&mut look);
        }
        Pulse(seen)
    }
}
