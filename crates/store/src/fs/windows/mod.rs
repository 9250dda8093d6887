//! Directory handles on Windows: `cap-std`, which opens by handle and name (`NtCreateFile`) and holds each
//! directory so that nobody can move it away meanwhile.
//!
//! Enters: names of one component. Leaves: open files, facts, changed names. No call follows a link: symbolic
//! links, junctions and mount points are all links. Has the same types and functions as `unix.rs`; nothing
//! outside of these two files knows the difference. What Windows does not have is said where it is missing:
//! permission bits (new files inherit what the user's directory allows) and the syncing of a directory.

mod calls;
mod map;

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::FileExt as _;
use std::path::Path;
use std::time::Duration;

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsMaybeDirExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir as CapDir, OpenOptions as CapOptions, OpenOptionsExt as _};
use windows_sys::Win32::Foundation::{
    ERROR_INVALID_FUNCTION, ERROR_LOCK_VIOLATION, ERROR_NOT_SUPPORTED, ERROR_SHARING_VIOLATION,
    ERROR_STOPPED_ON_SYMLINK,
};
use windows_sys::Win32::Storage::FileSystem::{FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT};

pub(crate) use calls::is_alive;
pub use map::Mapped;

use super::{FileKind, FileStat, NameLookup, TEMP_PREFIX};

/// How often a change of a name is tried while a virus scanner or an indexer has the file open.
const TRIES: u32 = 20;
/// How long to wait in between.
const PAUSE: Duration = Duration::from_millis(10);

/// No call syncs every file of a file system.
pub(super) const SYNCS_ALL: bool = false;

/// An open directory.
#[derive(Debug)]
pub(crate) struct Dir(CapDir);

impl Dir {
    /// Opens a directory by its path, through links.
    pub(super) fn open(path: &Path) -> io::Result<Dir> {
        CapDir::open_ambient_dir(path, ambient_authority()).map(Dir)
    }

    /// Opens a directory in this one, through no link.
    pub(crate) fn step(&self, name: &str) -> io::Result<Dir> {
        self.0.open_dir_nofollow(name).map(Dir)
    }

    /// A second handle.
    pub(crate) fn again(&self) -> io::Result<Dir> {
        self.0.try_clone().map(Dir)
    }

    /// Opens a file for reading and looks at it; it may turn out to be something else than a file.
    pub(super) fn read(&self, name: &str) -> io::Result<(File, NameLookup)> {
        let mut options = CapOptions::new();
        options.read(true).follow(FollowSymlinks::No).maybe_dir(true);
        let file = self.0.open_with(name, &options)?.into_std();
        let look = NameLookup::of(&file)?;
        Ok((file, look))
    }

    /// Makes a new file.
    pub(super) fn create_new(&self, name: &str) -> io::Result<File> {
        self.write(name, CapOptions::new().create_new(true))
    }

    /// Opens a file for writing it again.
    pub(super) fn overwrite(&self, name: &str) -> io::Result<File> {
        self.write(name, CapOptions::new().create(true).truncate(true))
    }

    fn write(&self, name: &str, options: &mut CapOptions) -> io::Result<File> {
        options.write(true).follow(FollowSymlinks::No);
        self.0.open_with(name, options).map(cap_std::fs::File::into_std)
    }

    /// What is under a name.
    pub(crate) fn look(&self, name: &str) -> io::Result<NameLookup> {
        let mut options = CapOptions::new();
        options.access_mode(0).follow(FollowSymlinks::No);
        // The link itself where there is one, and directories too.
        options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS);
        NameLookup::of(&self.0.open_with(name, &options)?.into_std())
    }

    /// What is under the name of an entry.
    pub(crate) fn look_at(&self, entry: &DirEntry<'_>) -> io::Result<NameLookup> {
        match entry.name() {
            Some(name) => self.look(name),
            None => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    /// What the directory itself is.
    pub(super) fn look_here(&self) -> io::Result<NameLookup> {
        NameLookup::of(&self.0.try_clone()?.into_std_file())
    }

    /// Makes a directory.
    pub(super) fn make_dir(&self, name: &str) -> io::Result<()> {
        self.0.create_dir(name)
    }

    /// Removes a file or a link.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        patiently(|| self.0.remove_file_or_symlink(name))
    }

    /// Gives a file another name, replacing what had it.
    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        patiently(|| self.0.rename(from, &self.0, to))
    }

    /// Gives a file a name that nothing has: a second name first, which the system refuses where there is one.
    pub(super) fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        match self.0.hard_link(from, &self.0, to) {
            Ok(()) => self.remove(from),
            Err(error) if has_no_links(&error) => match self.look(to) {
                Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
                Err(_) => self.rename(from, to),
            },
            Err(error) => Err(error),
        }
    }

    /// Exchanges a temporary file and its target; `false` where the file system has no second names (FAT).
    ///
    /// There is no call for it. The target gets a second name, is replaced at once under its own, and the second
    /// name becomes the temporary one. Whoever reads meanwhile finds the old or the new; whoever is killed leaves
    /// a temporary file, which the next holder of the lock removes.
    pub(super) fn exchange(&self, temp: &str, target: &str) -> io::Result<bool> {
        let aside = temp.replacen(TEMP_PREFIX, &format!("{TEMP_PREFIX}aside-"), 1);
        let linked = match self.0.hard_link(target, &self.0, &aside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.remove(&aside)?;
                self.0.hard_link(target, &self.0, &aside)
            }
            other => other,
        };
        match linked {
            Ok(()) => {}
            Err(error) if has_no_links(&error) => return Ok(false),
            Err(error) => return Err(error),
        }
        if let Err(error) = self.rename(temp, target) {
            let _ = self.remove(&aside);
            return Err(error);
        }
        self.rename(&aside, temp).map(|()| true)
    }

    /// Every file was synced when it was written.
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "other systems do something here")]
    pub(super) fn sync_file_system(&self) -> io::Result<()> {
        Ok(())
    }

    /// A directory cannot be synced here; NTFS keeps a log of its names itself.
    #[allow(clippy::unnecessary_wraps)] // elsewhere it can fail
    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    /// Hands every entry to `met`. The handle itself is not used up: listing it twice gives the same.
    pub(crate) fn entries(&self, met: &mut dyn FnMut(&DirEntry<'_>)) -> io::Result<()> {
        for entry in self.0.entries()? {
            let entry = entry?;
            let kind = entry.file_type().map_or(FileKind::Unknown, |said| {
                if said.is_symlink() {
                    FileKind::Link
                } else if said.is_dir() {
                    FileKind::Directory
                } else if said.is_file() {
                    FileKind::File
                } else {
                    FileKind::Other
                }
            });
            met(&DirEntry { dir: self, name: entry.file_name(), kind });
        }
        Ok(())
    }

    /// There are no such permissions here.
    #[allow(clippy::unnecessary_wraps)] // elsewhere it can fail
    pub(super) fn narrow(&self, _name: &str, _mode: u32) -> io::Result<()> {
        Ok(())
    }

    /// Nor for the directory itself.
    #[allow(clippy::unnecessary_wraps)] // elsewhere it can fail
    pub(super) fn narrow_here(&self, _mode: u32) -> io::Result<()> {
        Ok(())
    }
}

/// One entry, as long as it is met.
pub(crate) struct DirEntry<'d> {
    dir: &'d Dir,
    name: OsString,
    kind: FileKind,
}

impl DirEntry<'_> {
    /// Its name, where that is Unicode.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.to_str()
    }

    /// Its name for people.
    pub(crate) fn shown(&self) -> Cow<'_, str> {
        self.name.to_string_lossy()
    }

    /// What it is.
    pub(crate) fn kind(&self) -> FileKind {
        self.kind
    }

    /// Which number the file system has for it. A listing does not say it: it has to be looked at.
    pub(crate) fn inode(&self) -> u64 {
        self.dir.look_at(self).map_or(0, |look| look.facts.inode)
    }
}

impl NameLookup {
    fn of(file: &File) -> io::Result<NameLookup> {
        let said = file.metadata()?.file_type();
        let kind = if said.is_symlink() {
            FileKind::Link
        } else if said.is_dir() {
            FileKind::Directory
        } else if said.is_file() {
            FileKind::File
        } else {
            FileKind::Other
        };
        Ok(NameLookup { kind, facts: facts(file)?, mode: None })
    }
}

fn facts(file: &File) -> io::Result<FileStat> {
    let said = winapi_util::file::information(file)?;
    Ok(FileStat {
        mtime_ns: since_epoch(said.last_write_time().unwrap_or(0)),
        ctime_ns: since_epoch(calls::change_time(file)?),
        size: said.file_size(),
        inode: said.file_index(),
        links: said.number_of_links(),
    })
}

/// Windows counts tenths of microseconds since 1601.
fn since_epoch(time: u64) -> i64 {
    const EPOCH: i128 = 116_444_736_000_000_000;
    i64::try_from((i128::from(time) - EPOCH) * 100).unwrap_or(0)
}

/// Does something again while somebody else has the file open in a way that forbids it.
fn patiently(act: impl Fn() -> io::Result<()>) -> io::Result<()> {
    for _ in 1..TRIES {
        match act() {
            Err(error) if is_busy(&error) => std::thread::sleep(PAUSE),
            other => return other,
        }
    }
    act()
}

fn is_busy(error: &io::Error) -> bool {
    // A file that is about to go is denied, and so is one that is being replaced.
    is_code(error, &[ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION]) || error.kind() == io::ErrorKind::PermissionDenied
}

fn has_no_links(error: &io::Error) -> bool {
    is_code(error, &[ERROR_INVALID_FUNCTION, ERROR_NOT_SUPPORTED])
}

fn is_code(error: &io::Error, codes: &[u32]) -> bool {
    error.raw_os_error().and_then(|code| u32::try_from(code).ok()).is_some_and(|code| codes.contains(&code))
}

/// Whether an error means that a link, or a file, stood where a directory was expected.
pub(crate) fn met_a_link(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotADirectory || is_code(error, &[ERROR_STOPPED_ON_SYMLINK])
}

/// A file allows what its directory does; the user's own are for the user.
pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// The same for directories.
pub(super) fn private_dirs() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    builder
}

/// There are no such permissions here.
pub(super) fn mode_of(_facts: &Metadata) -> u32 {
    0
}

/// There are no such permissions here.
#[allow(clippy::unnecessary_wraps)] // elsewhere it can fail
pub(super) fn set_mode(_file: &File, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// Renames by path, replacing what had the name.
#[allow(clippy::disallowed_methods)] // the one module that may
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    patiently(|| std::fs::rename(from, to))
}

/// A directory cannot be synced here.
#[allow(clippy::unnecessary_wraps)] // elsewhere it can fail
pub(super) fn sync_dir(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Gives an open file the time that the file system thinks it is, and says which. Writing does it.
pub fn touch(file: &File) -> io::Result<i64> {
    file.seek_write(b".", 0)?;
    file.sync_all()?;
    Ok(facts(file)?.ctime_ns)
}

/// Whether an open file is still the one that a path names.
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    let Ok(there) = winapi_util::Handle::from_path_any(path) else { return false };
    let of = |said: winapi_util::file::Information| (said.volume_serial_number(), said.file_index());
    match (winapi_util::file::information(file), winapi_util::file::information(&there)) {
        (Ok(open), Ok(named)) => of(open) == of(named),
        _ => false,
    }
}

/// The number that the file system has for a file or directory.
pub(super) fn number(path: &Path, _facts: &Metadata) -> Option<u64> {
    let there = winapi_util::Handle::from_path_any(path).ok()?;
    Some(winapi_util::file::information(&there).ok()?.file_index())
}

/// Whether a file may be run; its ending says it.
pub(super) fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Reads at a place of a file.
pub fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    file.seek_read(buffer, at)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
