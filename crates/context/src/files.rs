//! How instruction files are reached: a small trait, so that tests can watch every read.
//!
//! Enters: paths. Leaves: real paths, file names, bytes up to a limit. Never writes, never opens
//! anything but a regular file (a pipe would block for ever), never reads past the limit.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// A regular file that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// Its path with every link resolved.
    pub real: PathBuf,
    /// Its size when it was looked at.
    pub bytes: u64,
}

/// Reading access to a file system.
pub trait FileAccess {
    /// The file at `path`, or `None` when there is no regular file.
    fn find(&self, path: &Path) -> io::Result<Option<FoundFile>>;
    /// The first bytes of a file, at most `limit` of them.
    fn read(&self, real: &Path, limit: usize) -> io::Result<Vec<u8>>;
    /// The names in a directory; none when it does not exist.
    fn names(&self, dir: &Path) -> io::Result<Vec<OsString>>;
    /// A directory with every link resolved.
    fn real_dir(&self, dir: &Path) -> io::Result<PathBuf>;
}

/// The machine's own file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl FileAccess for Disk {
    fn find(&self, path: &Path) -> io::Result<Option<FoundFile>> {
        let real = match memdir_store::fs::canonical(path) {
            Ok(real) => real,
            Err(error) if is_absence(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        let metadata = real.metadata()?;
        Ok(metadata.is_file().then_some(FoundFile { real, bytes: metadata.len() }))
    }

    fn read(&self, real: &Path, limit: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(real)?.take(limit as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn names(&self, dir: &Path) -> io::Result<Vec<OsString>> {
        match dir.read_dir() {
            Ok(entries) => entries.map(|entry| entry.map(|entry| entry.file_name())).collect(),
            Err(error) if is_absence(&error) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    fn real_dir(&self, dir: &Path) -> io::Result<PathBuf> {
        memdir_store::fs::canonical(dir)
    }
}

/// Whether an error says that nothing is there, in any of the ways a path can miss.
fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidInput | ErrorKind::InvalidFilename
    )
}
