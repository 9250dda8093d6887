//! Directory handles on Unix: `openat` and its relatives.
//!
//! Enters: names of one component. Leaves: open files, facts, changed names. No call follows a link. Has the
//! same types and functions as `windows.rs`; nothing outside of these two files knows the difference.

mod entries;
mod map;

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawMode, RenameFlags, Stat};
use rustix::io::Errno;

pub(crate) use entries::DirEntry;
pub use map::Mapped;

use super::{FileKind, FileStat, NameLookup};

/// Whether one call syncs every file of a file system; reports of errors included.
pub(super) const SYNCS_ALL: bool = cfg!(target_os = "linux");

/// An open directory.
#[derive(Debug)]
pub(crate) struct Dir(OwnedFd);

impl Dir {
    /// Opens a directory by its path, through links.
    pub(super) fn open(path: &Path) -> io::Result<Dir> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Dir(rustix::fs::openat(CWD, path, flags, Mode::empty())?))
    }

    /// Opens a directory in this one, through no link.
    pub(crate) fn step(&self, name: &str) -> io::Result<Dir> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(Dir(rustix::fs::openat(&self.0, name, flags, Mode::empty())?))
    }

    /// A second handle.
    pub(crate) fn again(&self) -> io::Result<Dir> {
        Ok(Dir(self.0.try_clone()?))
    }

    /// Opens a file for reading and looks at it; it may turn out to be something else than a file.
    pub(super) fn read(&self, name: &str) -> io::Result<(File, NameLookup)> {
        // NONBLOCK: a FIFO in a memory directory must not hang whoever lists it.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let handle = rustix::fs::openat(&self.0, name, flags, Mode::empty())?;
        let look = NameLookup::of(&rustix::fs::fstat(&handle)?);
        Ok((File::from(handle), look))
    }

    /// Makes a new file for its owner alone.
    pub(super) fn create_new(&self, name: &str) -> io::Result<File> {
        self.write(name, OFlags::EXCL)
    }

    /// Opens a file for writing it again.
    pub(super) fn overwrite(&self, name: &str) -> io::Result<File> {
        self.write(name, OFlags::TRUNC)
    }

    fn write(&self, name: &str, how: OFlags) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC | how;
        Ok(File::from(rustix::fs::openat(&self.0, name, flags, Mode::RUSR | Mode::WUSR)?))
    }

    /// What is under a name.
    pub(crate) fn look(&self, name: &str) -> io::Result<NameLookup> {
        Ok(NameLookup::of(&rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// What is under the name of an entry.
    pub(crate) fn look_at(&self, entry: &DirEntry<'_>) -> io::Result<NameLookup> {
        Ok(NameLookup::of(&rustix::fs::statat(&self.0, entry.raw(), AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// What the directory itself is.
    pub(super) fn look_here(&self) -> io::Result<NameLookup> {
        Ok(NameLookup::of(&rustix::fs::fstat(&self.0)?))
    }

    /// Makes a directory for its owner alone.
    pub(super) fn make_dir(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(&self.0, name, Mode::RWXU)?)
    }

    /// Removes a file or a link.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Gives a file another name, replacing what had it.
    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, from, &self.0, to)?)
    }

    /// Gives a file a name that nothing has.
    pub(super) fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        match rustix::fs::renameat_with(&self.0, from, &self.0, to, RenameFlags::NOREPLACE) {
            // Where the system cannot refuse, the comparison that the caller has just made has to do.
            Err(Errno::INVAL | Errno::NOSYS) => self.rename(from, to),
            other => Ok(other?),
        }
    }

    /// Exchanges a temporary file and its target at once; `false` where the system cannot
    /// (some network and FUSE file systems).
    pub(super) fn exchange(&self, temp: &str, target: &str) -> io::Result<bool> {
        match rustix::fs::renameat_with(&self.0, temp, &self.0, target, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(true),
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes everything that was written survive a power cut, where [`SYNCS_ALL`] says that this can be done.
    pub(super) fn sync_file_system(&self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        rustix::fs::syncfs(&self.0)?;
        Ok(())
    }

    /// Makes names survive a power cut.
    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(&self.0)?)
    }

    /// Hands every entry to `met`. The handle itself is not used up: listing it twice gives the same.
    pub(crate) fn entries(&self, met: &mut dyn FnMut(&DirEntry<'_>)) -> io::Result<()> {
        Ok(entries::entries(&self.0, met)?)
    }

    /// Gives a file in here other permissions. By an open handle: `chmod` on a name would follow a link that
    /// took its place.
    pub(super) fn narrow(&self, name: &str, mode: u32) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        set_mode(&rustix::fs::openat(&self.0, name, flags, Mode::empty())?, mode)
    }

    /// Gives the directory itself other permissions.
    pub(super) fn narrow_here(&self, mode: u32) -> io::Result<()> {
        set_mode(&self.0, mode)
    }
}

impl NameLookup {
    fn of(stat: &Stat) -> NameLookup {
        NameLookup {
            kind: kind(FileType::from_raw_mode(stat.st_mode)),
            facts: facts(stat),
            #[allow(clippy::unnecessary_cast, clippy::cast_lossless)] // macOS has 16 bits for them
            mode: Some(stat.st_mode as u32 & 0o777),
        }
    }
}

fn kind(said: FileType) -> FileKind {
    match said {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Directory,
        FileType::Symlink => FileKind::Link,
        FileType::Unknown => FileKind::Unknown,
        _ => FileKind::Other,
    }
}

#[allow(clippy::useless_conversion, clippy::unnecessary_cast)] // field types differ between platforms
fn facts(stat: &Stat) -> FileStat {
    FileStat {
        mtime_ns: (stat.st_mtime as i64).saturating_mul(1_000_000_000).saturating_add(stat.st_mtime_nsec as i64),
        ctime_ns: (stat.st_ctime as i64).saturating_mul(1_000_000_000).saturating_add(stat.st_ctime_nsec as i64),
        size: u64::try_from(stat.st_size).unwrap_or(0),
        inode: stat.st_ino as u64,
        links: stat.st_nlink as u64,
    }
}

/// Whether an error means that a link, or a file, stood where a directory was expected.
pub(crate) fn met_a_link(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::LOOP | Errno::NOTDIR))
}

/// A file made with these options is for its owner alone.
pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(0o600)
}

/// Directories made with it are for their owner alone.
pub(super) fn private_dirs() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(0o700);
    builder
}

/// The permissions of a file that others made.
pub(super) fn mode_of(facts: &Metadata) -> u32 {
    facts.permissions().mode() & 0o7777
}

/// Sets permissions after the fact: the process's umask would narrow what the user had chosen.
pub(super) fn set_mode(file: &impl AsFd, mode: u32) -> io::Result<()> {
    Ok(rustix::fs::fchmod(file, Mode::from_raw_mode(mode as RawMode))?)
}

/// Renames by path, replacing what had the name.
#[allow(clippy::disallowed_methods)] // the one module that may
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)
}

/// Syncs a directory, so that a new name in it survives a power cut.
pub(super) fn sync_dir(path: &Path) -> io::Result<()> {
    File::open(path).and_then(|dir| dir.sync_all())
}

/// Gives an open file the time that the file system thinks it is, and says which.
pub(crate) fn touch(file: &File) -> io::Result<i64> {
    let now = rustix::fs::Timespec { tv_sec: 0, tv_nsec: rustix::fs::UTIME_NOW };
    rustix::fs::futimens(file, &rustix::fs::Timestamps { last_access: now, last_modification: now })?;
    Ok(facts(&rustix::fs::fstat(file)?).ctime_ns)
}

/// Whether an open file is still the one that a path names.
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(open), Ok(named)) = (file.metadata(), std::fs::symlink_metadata(path)) else { return false };
    (open.dev(), open.ino()) == (named.dev(), named.ino())
}

/// The number that the file system has for a file or directory.
#[allow(clippy::unnecessary_wraps)] // elsewhere it can fail
pub(super) fn number(_path: &Path, facts: &Metadata) -> Option<u64> {
    Some(facts.ino())
}

/// Whether a file may be run.
pub(super) fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
}

/// Whether a process is there. PIDs come back: whoever asks also looks at the time.
pub(crate) fn is_alive(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) else { return false };
    match rustix::process::test_kill_process(pid) {
        Ok(()) => true,
        // Somebody else's process is one, too.
        Err(error) => error == Errno::PERM,
    }
}

/// Reads at a place of a file, wherever its own place is.
pub fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}
