//! Who owns a copy: a mark beside it, locked as long as its process lives.
//!
//! The system lets go of the lock when the process dies, however it dies. The mark is made before
//! the copy and removed after it, so there is never a copy without one.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use super::super::fs::{self, FsError, is_at, private};

/// What the mark of a copy is called behind the copy's name.
const MARK: &str = ".owner";
/// What is written down beside a copy that must outlive its owner.
const WILL: &str = ".will";

/// A claimed place for a copy; the copy goes when this goes.
#[derive(Debug)]
pub(super) struct CopyOwner {
    dir: PathBuf,
    mark: PathBuf,
    /// Held open: the lock goes with it.
    _lock: File,
}

impl CopyOwner {
    /// Claims a place that nobody has.
    pub(super) fn claim(dir: &Path) -> Result<CopyOwner, FsError> {
        fs::create_private_dir(dir)?;
        loop {
            let name = format!("{}-{}", std::process::id(), unique());
            let mark = dir.join(format!("{name}{MARK}"));
            let opened = private(OpenOptions::new().write(true).create_new(true)).open(&mark);
            let lock = match opened {
                Ok(lock) => lock,
                // Somebody with our number lives in another container, or died and is not swept yet.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(FsError::io("make", mark.display().to_string(), error)),
            };
            // Whoever sweeps may have been faster and taken a mark that nobody had locked yet.
            if lock.try_lock().is_ok() && is_at(&lock, &mark) {
                return Ok(CopyOwner { dir: dir.join(name), mark, _lock: lock });
            }
        }
    }

    /// Where the copy goes.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Writes down what whoever comes after needs to go back to this copy: it is not swept then, but taken over.
    pub(super) fn leave(&self, will: &[u8]) -> Result<(), FsError> {
        fs::replace(&will_of(&self.dir), will, fs::Durability::Synced)
    }

    /// Takes over the copies of dead owners that left a will.
    pub(super) fn inherit(dir: &Path) -> Result<Vec<(CopyOwner, Vec<u8>)>, FsError> {
        let mut inherited = Vec::new();
        for name in fs::names(dir)? {
            let Some(copy) = name.strip_suffix(WILL) else { continue };
            let mark = dir.join(format!("{copy}{MARK}"));
            let Ok(lock) = OpenOptions::new().write(true).open(&mark) else { continue };
            if lock.try_lock().is_err() || !is_at(&lock, &mark) {
                continue;
            }
            let will = fs::read_beside(&dir.join(&name))?;
            inherited.push((CopyOwner { dir: dir.join(copy), mark, _lock: lock }, will));
        }
        Ok(inherited)
    }

    /// The mark, locked as long as this lives.
    pub(super) fn mark(&self) -> &Path {
        &self.mark
    }
}

impl Drop for CopyOwner {
    fn drop(&mut self) {
        // What cannot be removed now is swept later: the mark stays, and nobody holds it.
        // The will goes first: a copy that is half gone is nothing to go back to.
        if fs::remove(&will_of(&self.dir)).is_ok() && fs::remove_tree(&self.dir).is_ok() {
            let _ = fs::remove(&self.mark);
        }
    }
}

/// Removes what belongs to an entry of the directory of copies if its owner is dead.
pub(super) fn remove_if_dead(dir: &Path, name: &str) -> Result<bool, FsError> {
    let Some(copy) = name.strip_suffix(MARK) else {
        return Ok(false);
    };
    if will_of(&dir.join(copy)).exists() {
        return Ok(false);
    }
    let mark = dir.join(name);
    let Ok(lock) = OpenOptions::new().write(true).open(&mark) else {
        return Ok(false);
    };
    if lock.try_lock().is_err() || !is_at(&lock, &mark) {
        return Ok(false);
    }
    fs::remove_tree(&dir.join(copy))?;
    fs::remove(&mark)?;
    Ok(true)
}

fn will_of(copy: &Path) -> PathBuf {
    copy.with_added_extension(&WILL[1..])
}

fn unique() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
