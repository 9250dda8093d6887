//! Files beside the memory: journals, locks, caches, in directories that are ours alone (P10).
//!
//! Their paths come from the platform's state and cache directories and from hashes, never from
//! a repository, so they need no confinement; they do need privacy (0600, 0700) and durability.

#![allow(clippy::disallowed_methods)] // the one module that may

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::{FsError, private, system};

/// Makes a directory and its missing parents, all 0700.
pub fn create_private_dir(path: &Path) -> Result<(), FsError> {
    system::private_dirs()
        .create(path)
        .map_err(|error| FsError::io("make the directory", path.display().to_string(), error))
}

/// Appends bytes and syncs them. When that fails, the file is cut back to what it was, so that
/// a half-written record never comes before a whole one. Returns where the bytes begin.
pub fn append_synced(path: &Path, bytes: &[u8]) -> Result<u64, FsError> {
    let failed = |doing, error| FsError::io(doing, path.display().to_string(), error);
    let mut file =
        private(OpenOptions::new().append(true).create(true)).open(path).map_err(|error| failed("open", error))?;
    let start = file.metadata().map_err(|error| failed("look at", error))?.len();
    if let Err(error) = file.write_all(bytes).and_then(|()| file.sync_data()) {
        let _ = file.set_len(start);
        return Err(failed("write", error));
    }
    if start == 0 {
        sync_parent(path)?;
    }
    Ok(start)
}

/// Cuts a file back to a length.
pub fn truncate(path: &Path, length: u64) -> Result<(), FsError> {
    OpenOptions::new()
        .write(true)
        .open(path)
        .and_then(|file| file.set_len(length).and_then(|()| file.sync_data()))
        .map_err(|error| FsError::io("shorten", path.display().to_string(), error))
}

/// How much a replaced file is worth after a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// State: synced before it takes its place.
    Synced,
    /// A cache: if it is torn it is rebuilt, so nobody waits for the disk.
    Cache,
}

/// Replaces a whole file by renaming a new one over it.
pub fn replace(path: &Path, bytes: &[u8], durability: Durability) -> Result<(), FsError> {
    swap_in(path, bytes, 0o600, durability).map_err(|error| FsError::io("write", path.display().to_string(), error))?;
    if durability == Durability::Synced { sync_parent(path) } else { Ok(()) }
}

/// The same for a program: everybody may run it.
pub fn replace_program(path: &Path, bytes: &[u8]) -> Result<(), FsError> {
    swap_in(path, bytes, 0o755, Durability::Synced)
        .map_err(|error| FsError::io("write", path.display().to_string(), error))?;
    sync_parent(path)
}

/// Writes a file of that mode beside the old one and renames it over it; what fails leaves nothing behind.
pub(super) fn swap_in(path: &Path, bytes: &[u8], mode: u32, durability: Durability) -> std::io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let temp = path.with_file_name(name);
    let written = private(OpenOptions::new().write(true).create(true).truncate(true))
        .open(&temp)
        .and_then(|mut file| {
            file.write_all(bytes)?;
            system::set_mode(&file, mode)?;
            if durability == Durability::Synced { file.sync_all() } else { Ok(()) }
        })
        .and_then(|()| system::rename(&temp, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&temp);
    }
    written
}

/// Makes an empty file; `false` when there is one already.
pub fn claim(path: &Path) -> Result<bool, FsError> {
    match private(OpenOptions::new().write(true).create_new(true)).open(path) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(FsError::io("make", path.display().to_string(), error)),
    }
}

/// Removes a file that may not be there.
pub fn remove(path: &Path) -> Result<(), FsError> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(FsError::io("remove", path.display().to_string(), error)),
    }
}

/// Moves a directory to a new name that must not exist yet.
pub fn rename_dir(from: &Path, to: &Path) -> Result<(), FsError> {
    system::rename(from, to).map_err(|error| FsError::io("move", from.display().to_string(), error))
}

/// Syncs the directory that holds a path, so that a new name in it survives a power cut.
fn sync_parent(path: &Path) -> Result<(), FsError> {
    let Some(parent) = path.parent() else { return Ok(()) };
    system::sync_dir(parent).map_err(|error| FsError::io("sync", parent.display().to_string(), error))
}

/// Appends bytes without waiting for the disk.
pub fn append(path: &Path, bytes: &[u8]) -> Result<(), FsError> {
    OpenOptions::new()
        .append(true)
        .open(path)
        .and_then(|mut file| file.write_all(bytes))
        .map_err(|error| FsError::io("write", path.display().to_string(), error))
}

/// Reads a whole file of ours; one that is not there is empty.
pub fn read_beside(path: &Path) -> Result<Vec<u8>, FsError> {
    read_from(path, 0)
}

/// Reads a file of ours from a byte on.
pub(crate) fn read_from(path: &Path, start: u64) -> Result<Vec<u8>, FsError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut file| {
        file.seek(SeekFrom::Start(start))?;
        file.read_to_end(&mut bytes)
    });
    match read {
        Ok(_) => Ok(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(FsError::io("read", path.display().to_string(), error)),
    }
}

/// The last bytes of a file of ours.
pub fn tail(path: &Path, bytes: u64) -> Result<Vec<u8>, FsError> {
    read_from(path, length(path)?.saturating_sub(bytes))
}

/// The length of a file of ours; one that is not there has none.
pub fn length(path: &Path) -> Result<u64, FsError> {
    match std::fs::metadata(path) {
        Ok(facts) => Ok(facts.len()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(FsError::io("look at", path.display().to_string(), error)),
    }
}

/// The names in a directory of ours; one that is not there has none.
pub fn names(dir: &Path) -> Result<Vec<String>, FsError> {
    let failed = |error| FsError::io("list", dir.display().to_string(), error);
    match std::fs::read_dir(dir) {
        Ok(entries) => entries
            .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()).map_err(failed))
            .collect(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(failed(error)),
    }
}

/// Touches a file of ours and says when the file system thinks that was, in nanoseconds.
pub fn touch(path: &Path) -> Result<i64, FsError> {
    let failed = |error| FsError::io("touch", path.display().to_string(), error);
    let file = private(OpenOptions::new().write(true).create(true).truncate(true)).open(path).map_err(failed)?;
    system::touch(&file).map_err(failed)
}

/// Holds a lock of the system on a file of ours; whoever dies lets go. Waits for whoever has it.
pub fn hold(path: &Path) -> Result<File, FsError> {
    let failed = |error| FsError::io("lock", path.display().to_string(), error);
    let file = lock_file(path).map_err(failed)?;
    file.lock().map_err(failed)?;
    Ok(file)
}

/// The same without waiting; `None` while somebody has it.
pub fn try_hold(path: &Path) -> Result<Option<File>, FsError> {
    let failed = |error| FsError::io("lock", path.display().to_string(), error);
    let file = lock_file(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

fn lock_file(path: &Path) -> std::io::Result<File> {
    private(OpenOptions::new().create(true).truncate(false).write(true)).open(path)
}

/// Gives a file another time.
pub fn set_modified(path: &Path, time: jiff::Timestamp) -> Result<(), FsError> {
    let failed = |error| FsError::io("set the time of", path.display().to_string(), error);
    let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
    file.set_modified(time.into()).map_err(failed)
}

/// Removes a directory that must be empty.
pub fn remove_empty_dir(dir: &Path) -> Result<(), FsError> {
    std::fs::remove_dir(dir).map_err(|error| FsError::io("remove", dir.display().to_string(), error))
}

/// Removes a directory of ours with all that is in it; links in it are removed, not followed.
pub fn remove_tree(dir: &Path) -> Result<(), FsError> {
    match std::fs::remove_dir_all(dir) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(FsError::io("remove", dir.display().to_string(), error)),
    }
}
