//! Which new times of directories are memdir's own doing.
//!
//! Enters: the times of the directories of a change, from before and after it. Leaves: whether a directory that has another time than
//! when it was last listed was changed by memdir alone, which is in the journal. So a save need not list a large directory because of
//! the save before it. What somebody else does within the milliseconds of a change is not told from it: the background lists every
//! directory that has another time, whoever changed it. A cache: without it, directories are listed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Store;
use super::fs::{self, Durability};
use memdir_guard::confine::RelPath;

/// Beyond this the file is begun again; a line has about fifty bytes.
const FILE_BYTES: u64 = 16 * 1024;

/// Times of directories, relative to the root.
pub(super) type Times = BTreeMap<String, i64>;

impl Store {
    /// When a directory below the root last changed: a file came, went or was replaced.
    pub fn directory_time(&self, dir: &str) -> Option<i64> {
        let path = if dir.is_empty() { self.root.path().to_path_buf() } else { self.root.path().join(dir) };
        let facts = std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_dir)?;
        Some(fs::modified_ns(&facts))
    }

    /// Whether a directory that had a certain time when it was listed was changed by memdir alone since.
    pub fn only_own_changes(&self, dir: &str, listed_at: i64) -> bool {
        let Some(now) = self.directory_time(dir) else { return false };
        let text = fs::read_beside(&self.own_times_path()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let mut wanted = now;
        for line in text.lines().rev() {
            if wanted == listed_at {
                break;
            }
            let Some((before, after)) = parsed(line, dir) else { continue };
            if after == wanted {
                wanted = before;
            } else if wanted == now {
                // The last change of ours did not leave it like this.
                return false;
            }
        }
        wanted == listed_at
    }

    /// The times of the directories that a change writes into.
    pub(super) fn times_of<'p>(&self, paths: impl Iterator<Item = &'p RelPath>) -> Times {
        let dirs = paths.map(|path| path.parent().unwrap_or_default().to_owned());
        dirs.filter_map(|dir| Some((dir.clone(), self.directory_time(&dir)?))).collect()
    }

    /// Notes that a change of ours, and nothing that was seen of others, gave directories another time.
    pub(super) fn note_own_times(&self, before: &Times) {
        let mut lines = String::new();
        for (dir, before) in before {
            if let Some(after) = self.directory_time(dir).filter(|after| after != before) {
                lines.push_str(&format!("{before} {after} {dir}\n"));
            }
        }
        let path = self.own_times_path();
        if lines.is_empty() {
            return;
        }
        // A cache that cannot be written costs time, nothing else.
        let _ = fs::create_private_dir(&self.cache).and_then(|()| match fs::length(&path) {
            Ok(1..FILE_BYTES) => fs::append(&path, lines.as_bytes()),
            // None yet, or too much of it.
            _ => fs::replace(&path, lines.as_bytes(), Durability::Cache),
        });
    }

    fn own_times_path(&self) -> PathBuf {
        self.cache.join("own-times")
    }
}

fn parsed(line: &str, wanted: &str) -> Option<(i64, i64)> {
    let (before, rest) = line.split_once(' ')?;
    let (after, dir) = rest.split_once(' ')?;
    (dir == wanted).then_some(())?;
    Some((before.parse().ok()?, after.parse().ok()?))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests {
    use super::*;
    use crate::history::{Actor, Author};
    use crate::{Dirs, Intent};

    fn world() -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let dirs = Dirs { state: dir.path().join("state"), cache: dir.path().join("cache") };
        let store = Store::create(&dir.path().join("memory"), &dirs).unwrap();
        (dir, store)
    }

    fn write(store: &Store, name: &str) {
        let author = Author { actor: Actor::User, session: None, message: None, time: jiff::Timestamp::UNIX_EPOCH };
        let path = RelPath::parse(name).unwrap();
        store.change(&author, &Intent::new("test"), |edit| edit.write(&path, b"text\n".to_vec())).unwrap();
    }

    #[test]
    fn a_directory_that_only_memdir_changed_is_told_from_one_that_others_changed() {
        let (dir, store) = world();
        write(&store, "a.md");
        let listed = store.directory_time("").unwrap();
        assert!(store.only_own_changes("", listed), "nothing happened");
        write(&store, "b.md");
        write(&store, "c.md");
        assert_ne!(store.directory_time("").unwrap(), listed);
        assert!(store.only_own_changes("", listed));
        assert!(!store.only_own_changes("", listed - 1), "nobody knows what happened before");
        std::fs::write(dir.path().join("memory/d.md"), "by hand\n").unwrap();
        assert!(!store.only_own_changes("", listed), "somebody else did the last change");
        write(&store, "e.md");
        assert!(!store.only_own_changes("", listed), "somebody else did one in between");
        assert!(!store.only_own_changes("nowhere", 0));
    }

    #[test]
    fn without_its_file_every_change_may_be_somebody_elses() {
        let (_dir, store) = world();
        write(&store, "a.md");
        let listed = store.directory_time("").unwrap();
        write(&store, "b.md");
        std::fs::remove_file(store.own_times_path()).unwrap();
        assert!(!store.only_own_changes("", listed));
    }
}
