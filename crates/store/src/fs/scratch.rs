//! Writing into a copy: no syncing, no exchange, as nobody else reads it and a crash throws it away.
//!
//! Paths are walked like everywhere else, from the root's handle and without following links.

use std::io::{self, Write as _};

use super::{FileKind, FsError, Root};
use memdir_guard::confine::RelPath;

impl Root {
    /// Writes a file of a copy, its directories made if need be.
    pub(crate) fn scratch(&self, file: &RelPath, content: &[u8]) -> Result<(), FsError> {
        let dir = self.parent_for_writing(file)?;
        let mut open = dir.overwrite(file.file_name()).map_err(|error| self.explain(error, file))?;
        open.write_all(content).map_err(|error| FsError::io("write", self.show(file), error))
    }

    /// Removes a link, and only a link; what it points to stays.
    pub(crate) fn remove_link(&self, file: &RelPath) -> Result<(), FsError> {
        let dir = self.parent(file)?;
        let failed = |error: io::Error| FsError::io("remove", self.show(file), error);
        if dir.look(file.file_name()).map_err(failed)?.kind != FileKind::Link {
            return Err(FsError::NotAFile(self.show(file)));
        }
        dir.remove(file.file_name()).map_err(failed)
    }
}
