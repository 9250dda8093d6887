//! Writing into a copy: no syncing, no exchange, as nobody else reads it and a crash throws it away.
//!
//! Paths are walked like everywhere else, from the root's handle and without following links.

use std::fs::File;
use std::io::Write as _;

use rustix::fs::{AtFlags, FileType, Mode, OFlags};

use super::{FsError, Root};
use crate::guard::confine::RelPath;

impl Root {
    /// Writes a file of a copy, its directories made if need be.
    pub(in crate::store) fn scratch(&self, file: &RelPath, content: &[u8]) -> Result<(), FsError> {
        let dir = self.parent_for_writing(file)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = rustix::fs::openat(&dir, file.file_name(), flags, Mode::RUSR | Mode::WUSR)
            .map_err(|error| self.explain(error, file))?;
        File::from(handle).write_all(content).map_err(|error| FsError::io("write", self.show(file), error))
    }

    /// Removes a link, and only a link; what it points to stays.
    pub(in crate::store) fn remove_link(&self, file: &RelPath) -> Result<(), FsError> {
        let dir = self.parent(file)?;
        let failed = |error: rustix::io::Errno| FsError::io("remove", self.show(file), error);
        let stat = rustix::fs::statat(&dir, file.file_name(), AtFlags::SYMLINK_NOFOLLOW).map_err(failed)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::Symlink {
            return Err(FsError::NotAFile(self.show(file)));
        }
        rustix::fs::unlinkat(&dir, file.file_name(), AtFlags::empty()).map_err(failed)
    }
}
