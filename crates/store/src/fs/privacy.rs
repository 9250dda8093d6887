//! Who else can write the files: finding and closing permissions that are too wide.
//!
//! Enters: a root. Leaves: what everybody on the machine can write to. What the user's group may do is the user's umask: where
//! that is 002, as on many systems on which each user has a group of their own, hosts write files that the group may write.

use super::{FsError, Root};
use memdir_guard::confine::RelPath;

/// The permission of everybody to write.
const WRITABLE: u32 = 0o002;

/// What is taken back where everybody had it: a group that nobody chose goes with it.
const CLOSED: u32 = 0o022;

/// A file or directory that others on the machine can write to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExposedPath {
    /// Relative to the root; the root itself is `.`.
    pub path: String,
    /// Its permissions.
    pub mode: u32,
    directory: bool,
}

impl Root {
    /// The root and every memory below it that others can write to.
    pub fn widened(&self) -> Result<Vec<ExposedPath>, FsError> {
        let mut found = Vec::new();
        let here = self
            .handle()
            .look_here()
            .map_err(|error| FsError::io("look at", self.path().display().to_string(), error))?;
        if let Some(mode) = writable_by_others(here.mode) {
            found.push(ExposedPath { path: ".".to_owned(), mode, directory: true });
        }
        for file in crate::walk::walk(self)?.files {
            let Ok(path) = RelPath::parse(&file.path) else { continue };
            let dir = self.parent(&path)?;
            let Ok(look) = dir.look(path.file_name()) else { continue };
            if let Some(mode) = writable_by_others(look.mode) {
                found.push(ExposedPath { path: file.path, mode, directory: false });
            }
        }
        Ok(found)
    }

    /// Closes one of them to others.
    pub fn narrow(&self, widened: &ExposedPath) -> Result<(), FsError> {
        let mode = widened.mode & 0o777 & !CLOSED;
        let failed = |error| FsError::io("close to others", widened.path.clone(), error);
        if widened.directory {
            return self.handle().narrow_here(mode).map_err(failed);
        }
        let Ok(path) = RelPath::parse(&widened.path) else { return Ok(()) };
        self.parent(&path)?.narrow(path.file_name(), mode).map_err(failed)
    }
}

/// The permissions, where they let everybody write. Whether others may read, and the group write, is what the user's umask says. Where a
/// system has no such permissions, what a new file allows comes from the directory of the user, and there is nothing
/// to find.
fn writable_by_others(mode: Option<u32>) -> Option<u32> {
    mode.filter(|mode| mode & WRITABLE != 0)
}
