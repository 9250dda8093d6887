//! Which sessions have notes.

use crate::engine::{Error, Sessions};
use memdir_store::fs;

impl Sessions<'_> {
    /// The sessions of this project that have notes, the last written first; at most `limit`.
    pub fn noted_sessions(&self, limit: usize) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        for session in fs::names(&self.memory.place.project_dir()?)? {
            // A name that is none of a session, and one without notes, are something else's.
            let Ok(path) = self.notes_path(&session) else { continue };
            let Ok(meta) = std::fs::symlink_metadata(&path) else { continue };
            if meta.is_file() {
                found.push((meta.modified().ok(), session));
            }
        }
        found.sort_by(|one, other| other.cmp(one));
        Ok(found.into_iter().take(limit).map(|(_, session)| session).collect())
    }
}
