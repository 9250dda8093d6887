//! One writer at a time: an advisory lock of the operating system on a file of ours.
//!
//! The system releases it when its holder dies, so no stale lock can wedge anybody. While it is
//! held the file names the holder; a name in a lock that nobody holds means that its holder died
//! in the middle, and whoever takes the lock next recovers the store first.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::fs::{FsError, private};

/// The lock, held until dropped.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    marked: std::cell::Cell<bool>,
    /// The holder before us died while writing.
    pub(super) after_crash: bool,
}

/// Why a lock was not had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// Somebody else is writing, for longer than anybody should.
    #[error(
        "the memory at {store} is being changed by process {holder}, and still was after {waited:?}. \
         Wait for it, or end it if it hangs; nothing was changed"
    )]
    Busy {
        /// Which store.
        store: String,
        /// Who holds it, as far as the lock file says.
        holder: String,
        /// How long we waited.
        waited: Duration,
    },
    /// The lock file could not be used.
    #[error(transparent)]
    Fs(#[from] FsError),
}

impl Lock {
    /// Takes the lock, waiting up to `patience`.
    pub(super) fn take(path: &Path, store: &Path, patience: Duration) -> Result<Lock, LockError> {
        let shown = || path.display().to_string();
        let mut file = private(OpenOptions::new().read(true).write(true).create(true).truncate(false))
            .open(path)
            .map_err(|error| FsError::io("open", shown(), error))?;
        let start = Instant::now();
        let mut pause = Duration::from_micros(200);
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if start.elapsed() < patience => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(10));
                }
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    let _ = file.read_to_string(&mut holder);
                    let holder = if holder.trim().is_empty() { "unknown".to_owned() } else { holder.trim().to_owned() };
                    return Err(LockError::Busy { store: store.display().to_string(), holder, waited: patience });
                }
                Err(TryLockError::Error(error)) => return Err(FsError::io("lock", shown(), error).into()),
            }
        }
        let after_crash = file.metadata().map_err(|error| FsError::io("look at", shown(), error))?.len() > 0;
        // Over the old name and never through an empty file: being killed here must not hide a crash.
        file.rewind()
            .and_then(|()| write!(file, "{:<10}", std::process::id()))
            .map_err(|error| FsError::io("write", shown(), error))?;
        Ok(Lock { file, marked: std::cell::Cell::new(false), after_crash })
    }

    /// Leaves the mark of a crash: a write failed half-way, and the next holder should look.
    pub(super) fn leave_marked(&self) {
        self.marked.set(true);
    }

    /// Whether the last holder died in the middle and nobody has healed the store since.
    pub(super) fn was_left(path: &Path) -> bool {
        let Ok(file) = File::open(path) else { return false };
        let named = file.metadata().is_ok_and(|facts| facts.len() > 0);
        named && file.try_lock_shared().is_ok()
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Emptying the file says that all is well; the lock itself goes with the handle.
        if !self.marked.get() {
            let _ = self.file.set_len(0);
        }
    }
}
