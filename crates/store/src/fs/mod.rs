//! File access for the store: files below one root, by directory handle.
//!
//! Enters: a root directory and checked relative paths ([`RelPath`]). Leaves: bytes, or a change
//! on disk that is old or new and never half. A path is walked from the root's open handle one
//! component at a time without following symlinks, so nothing that happens between a check and
//! its use can lead outside (P8). Never decides what to write, never takes a lock.
//!
//! This is the only module of the library that creates, renames or removes files (invariant 1).
//!
//! What a system does in its own way is in one file for each: `unix.rs` and `windows.rs` have the same functions.

mod beside;
mod foreign;
mod map;
mod privacy;
mod reverse_lines;
mod scratch;
mod swap;

#[cfg(unix)]
mod unix;
#[cfg(unix)]
use unix as system;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

pub(crate) use beside::read_from;
pub use beside::{
    Durability, append, append_synced, claim, create_private_dir, hold, length, names, read_beside, remove,
    remove_empty_dir, remove_tree, rename_dir, replace, replace_program, set_modified, tail, touch, truncate, try_hold,
};
pub use foreign::{real_path, rewrite};
pub use map::Mapped;
pub use privacy::ExposedPath;
pub use reverse_lines::ReverseLines;
pub use swap::{Staged, Swapped};
pub(crate) use swap::{TEMP_PREFIX, is_temp_of};
pub use system::read_at;
pub(crate) use system::{Dir, DirEntry, is_alive, met_a_link};
pub(crate) use system::{is_at, private};

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use memdir_core::limits;
use memdir_guard::confine::RelPath;

/// Why a file could not be read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FsError {
    /// The root is not there.
    #[error("{} does not exist", .0.display())]
    NoRoot(PathBuf),
    /// A link where a file or directory was expected.
    #[error(
        "{0} is a symbolic link; memdir does not follow links inside a memory directory. Replace it by the file itself"
    )]
    Link(String),
    /// A directory, socket or device where a file was expected.
    #[error("{0} is not a regular file; move it away, or name another file")]
    NotAFile(String),
    /// Too large to be handled whole.
    #[error("{path} has {bytes} bytes, more than the {limit} memdir handles in one file; split it")]
    TooLarge {
        /// Which file.
        path: String,
        /// How large it is.
        bytes: u64,
        /// The limit.
        limit: usize,
    },
    /// The system said no.
    #[error("could not {doing} {path}: {source}{}", advice(.source))]
    Io {
        /// What was being done, as a verb.
        doing: &'static str,
        /// To which file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
}

impl FsError {
    /// The system said no: what was being done, to which file, and its reason.
    pub fn io(doing: &'static str, path: impl Into<String>, source: impl Into<io::Error>) -> FsError {
        FsError::Io { doing, path: path.into(), source: source.into() }
    }

    /// Whether this is the system saying that something is not there.
    pub(crate) fn is_not_found(&self) -> bool {
        match self {
            FsError::NoRoot(_) => true,
            FsError::Io { source, .. } => source.kind() == io::ErrorKind::NotFound,
            _ => false,
        }
    }
}

/// What a person can do about the usual refusals of a system.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ". The disk is full: free some space and try again; nothing was lost"
        }
        io::ErrorKind::IsADirectory | io::ErrorKind::DirectoryNotEmpty => {
            ". There is a directory where a file of memdir's belongs: move it away and try again"
        }
        io::ErrorKind::NotADirectory => ". There is a file where a directory belongs: move it away and try again",
        io::ErrorKind::ReadOnlyFilesystem => ". The file system is read-only: nothing was changed",
        io::ErrorKind::PermissionDenied => ". Check who owns the directory and its permissions; nothing was changed",
        _ => "",
    }
}

/// An open memory root. All paths are relative to it.
#[derive(Debug)]
pub struct Root {
    path: PathBuf,
    handle: Dir,
}

/// What `stat` says of a file, as far as the store cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStat {
    /// Last change of the content, nanoseconds since the epoch.
    pub mtime_ns: i64,
    /// Last change of the inode; an editor cannot set it back.
    pub ctime_ns: i64,
    /// Size in bytes.
    pub size: u64,
    /// Which inode.
    pub inode: u64,
    /// How many names the inode has.
    pub links: u64,
}

/// What a directory entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    File,
    Directory,
    Link,
    /// A device, pipe or socket.
    Other,
    /// The listing does not say; looking at it does.
    Unknown,
}

/// What looking at a name says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameLookup {
    pub(crate) kind: FileKind,
    pub(crate) facts: FileStat,
    /// Its permissions, where the system has those of Unix.
    mode: Option<u32>,
}

impl Root {
    /// Opens an existing root. The root itself may be reached through links: the user chose it.
    pub fn open(path: &Path) -> Result<Root, FsError> {
        let shown = || path.display().to_string();
        let real = canonical(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => FsError::NoRoot(path.to_path_buf()),
            _ => FsError::io("open", shown(), error),
        })?;
        let handle = Dir::open(&real).map_err(|error| FsError::io("open", shown(), error))?;
        Ok(Root { path: real, handle })
    }

    /// Opens a root, making it (0700) and its parents when they are missing (P7).
    pub fn create(path: &Path) -> Result<Root, FsError> {
        match Root::open(path) {
            Err(FsError::NoRoot(_)) => {
                create_private_dir(path)?;
                Root::open(path)
            }
            other => other,
        }
    }

    /// Where it is, links resolved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The absolute path of a file, for people and models.
    pub fn show(&self, file: &RelPath) -> String {
        let mut path = self.path.clone();
        path.extend(file.components());
        path.display().to_string()
    }

    pub(crate) fn handle(&self) -> &Dir {
        &self.handle
    }

    /// The open parent directory of a file, reached without following links.
    pub(crate) fn parent(&self, file: &RelPath) -> Result<Folder<'_>, FsError> {
        let mut dir = Folder::Root(&self.handle);
        for part in file.parent().into_iter().flat_map(|parent| parent.split('/')) {
            dir = Folder::Below(dir.step(part).map_err(|error| self.explain(error, file))?);
        }
        Ok(dir)
    }

    /// A link in the middle of a path gives an error of its own: say so in words.
    pub(crate) fn explain(&self, error: io::Error, file: &RelPath) -> FsError {
        if met_a_link(&error) { FsError::Link(self.show(file)) } else { FsError::io("open", self.show(file), error) }
    }

    /// Reads a file whole; `None` when there is none. Links are refused, huge files too.
    pub fn read(&self, file: &RelPath) -> Result<Option<Vec<u8>>, FsError> {
        Ok(self.open_file(file)?.map(|open| open.bytes(usize::MAX, self, file)).transpose()?.map(|(bytes, _)| bytes))
    }

    /// Reads at most `limit` bytes from the start of a file, with its facts.
    pub fn read_head(&self, file: &RelPath, limit: usize) -> Result<Option<(Vec<u8>, FileStat)>, FsError> {
        self.open_file(file)?.map(|open| open.bytes(limit, self, file)).transpose()
    }

    /// Reads a file whole with its facts; `None` when there is none.
    pub fn read_with_facts(&self, file: &RelPath) -> Result<Option<(Vec<u8>, FileStat)>, FsError> {
        self.read_head(file, usize::MAX)
    }

    /// The facts of a file without opening it; links and directories are `None`.
    pub fn facts(&self, file: &RelPath) -> Result<Option<FileStat>, FsError> {
        let dir = match self.parent(file) {
            Err(error) if error.is_not_found() => return Ok(None),
            other => other?,
        };
        match dir.look(file.file_name()) {
            Ok(look) => Ok((look.kind == FileKind::File).then_some(look.facts)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FsError::io("look at", self.show(file), error)),
        }
    }

    fn open_file(&self, file: &RelPath) -> Result<Option<OpenFile>, FsError> {
        let dir = match self.parent(file) {
            Err(error) if error.is_not_found() => return Ok(None),
            other => other?,
        };
        match dir.read(file.file_name()) {
            Ok((open, look)) if look.kind == FileKind::File => Ok(Some(OpenFile { file: open, facts: look.facts })),
            Ok(_) => Err(FsError::NotAFile(self.show(file))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.explain(error, file)),
        }
    }
}

/// An open directory: the root itself, or one below it.
pub(crate) enum Folder<'r> {
    Root(&'r Dir),
    Below(Dir),
}

impl std::ops::Deref for Folder<'_> {
    type Target = Dir;

    fn deref(&self) -> &Dir {
        match self {
            Folder::Root(handle) => handle,
            Folder::Below(handle) => handle,
        }
    }
}

impl Folder<'_> {
    /// A handle of its own.
    fn into_owned(self) -> io::Result<Dir> {
        match self {
            Folder::Root(handle) => handle.again(),
            Folder::Below(handle) => Ok(handle),
        }
    }
}

struct OpenFile {
    file: File,
    facts: FileStat,
}

impl OpenFile {
    fn bytes(self, limit: usize, root: &Root, name: &RelPath) -> Result<(Vec<u8>, FileStat), FsError> {
        if limit == usize::MAX && self.facts.size > limits::READ_BYTES as u64 {
            return Err(FsError::TooLarge { path: root.show(name), bytes: self.facts.size, limit: limits::READ_BYTES });
        }
        let wanted = limit.min(limits::READ_BYTES);
        let mut bytes = Vec::with_capacity(wanted.min(self.facts.size as usize + 1));
        self.file
            .take(wanted as u64)
            .read_to_end(&mut bytes)
            .map_err(|error| FsError::io("read", root.show(name), error))?;
        Ok((bytes, self.facts))
    }
}

/// The path with every link resolved, in the spelling people use: on Windows without `\\\\?\\` where it can be
/// left out.
pub fn canonical(path: &Path) -> io::Result<PathBuf> {
    dunce::canonicalize(path)
}

/// When the content of a file last changed, in nanoseconds since the epoch.
pub fn modified_ns(facts: &Metadata) -> i64 {
    let Ok(time) = facts.modified() else { return 0 };
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |nanos| -nanos),
    }
}

/// The number that the file system has for a file or directory.
pub fn number(path: &Path, facts: &Metadata) -> Option<u64> {
    system::number(path, facts)
}

/// The program of a name in a directory, in the spelling of the system (`name.exe`, `name.cmd`).
pub fn program_in(dir: &Path, name: &str) -> Option<PathBuf> {
    let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[""] };
    endings.iter().map(|ending| dir.join(format!("{name}{ending}"))).find(|file| system::is_program(file))
}
