//! Who else can get at the files: finding and closing permissions that are too wide.

use rustix::fs::{AtFlags, Mode, RawMode};

use super::{FsError, Root};
use crate::guard::confine::RelPath;

/// A file or directory that others on the machine can read or write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widened {
    /// Relative to the root; the root itself is `.`.
    pub path: String,
    /// Its permissions.
    pub mode: u32,
    directory: bool,
}

impl Root {
    /// The root and every memory below it that others can get at.
    pub fn widened(&self) -> Result<Vec<Widened>, FsError> {
        let mut found = Vec::new();
        let stat = rustix::fs::fstat(self.handle())
            .map_err(|error| FsError::io("look at", self.path().display().to_string(), error))?;
        if let Some(mode) = open_to_others(stat.st_mode) {
            found.push(Widened { path: ".".to_owned(), mode, directory: true });
        }
        for file in crate::store::walk::walk(self)?.files {
            let Ok(path) = RelPath::parse(&file.path) else { continue };
            let dir = self.parent(&path)?;
            let Ok(stat) = rustix::fs::statat(&dir, path.file_name(), AtFlags::SYMLINK_NOFOLLOW) else { continue };
            if let Some(mode) = open_to_others(stat.st_mode) {
                found.push(Widened { path: file.path, mode, directory: false });
            }
        }
        Ok(found)
    }

    /// Closes one of them to others.
    pub fn narrow(&self, widened: &Widened) -> Result<(), FsError> {
        let mode = Mode::from_raw_mode((widened.mode & 0o700) as RawMode);
        let failed = |error: rustix::io::Errno| FsError::io("close to others", widened.path.clone(), error);
        if widened.directory {
            return rustix::fs::fchmod(self.handle(), mode).map_err(failed);
        }
        let Ok(path) = RelPath::parse(&widened.path) else { return Ok(()) };
        let dir = self.parent(&path)?;
        // By an open handle: `chmod` on a name would follow a link that took its place.
        let flags = rustix::fs::OFlags::RDONLY
            | rustix::fs::OFlags::NOFOLLOW
            | rustix::fs::OFlags::NONBLOCK
            | rustix::fs::OFlags::CLOEXEC;
        let file = rustix::fs::openat(&dir, path.file_name(), flags, Mode::empty()).map_err(failed)?;
        rustix::fs::fchmod(&file, mode).map_err(failed)
    }
}

/// The permissions, where they let others in.
#[allow(clippy::unnecessary_cast, clippy::cast_lossless)] // macOS has 16 bits for them
fn open_to_others(mode: RawMode) -> Option<u32> {
    (mode & 0o077 != 0).then_some(mode as u32 & 0o777)
}
