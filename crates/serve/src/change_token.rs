//! A token that differs after memory has changed; it costs a few looks at file times.
//!
//! Enters: an opened memory. Leaves: a value that differs after any change made through memdir, after
//! files came or went, and after notes of a session were written. An edit in place by another program shows once somebody lists,
//! reads or recalls, since that records it.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use memdir::engine::Memory;
use memdir::limits::MCP_NOTES;

/// The state of the directories and of the history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeToken(Vec<(PathBuf, u64, Option<SystemTime>)>);

impl ChangeToken {
    /// How it is now.
    pub fn of(memory: &Memory) -> ChangeToken {
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
        for session in memory.sessions().noted_sessions(MCP_NOTES).unwrap_or_default() {
            memory.sessions().notes_path(&session).ok().into_iter().for_each(&mut look);
        }
        ChangeToken(seen)
    }

    /// The sessions whose notes are others than before.
    pub(crate) fn noted_since(&self, before: &ChangeToken) -> Vec<String> {
        let session = |path: &Path| {
            let dir = (path.file_name()? == "summary.md").then(|| path.parent()?.parent()).flatten()?;
            Some(dir.file_name()?.to_string_lossy().into_owned())
        };
        self.0.iter().filter(|seen| !before.0.contains(seen)).filter_map(|(path, ..)| session(path)).collect()
    }
}
