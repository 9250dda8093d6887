//! One worker at a time for one memory.
//!
//! The lease is a lock of the system, which lets go when its holder dies, with the holder's token beside it
//! and a heartbeat. A holder that lives and does not beat has hung: the next one starts a new generation, and
//! the old one finds its token gone and stops before it writes again.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use memdir_core::limits;
use memdir_store::fs::{self, Durability, FsError};

/// What is beside the lock.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Holder {
    generation: u64,
    token: String,
    /// When it last showed that it lives, by the file system's clock.
    beat_ns: i64,
}

/// The right to work, held until dropped.
#[derive(Debug)]
pub(super) struct Lease {
    dir: PathBuf,
    holder: Holder,
    _lock: File,
}

impl Lease {
    /// Takes the lease, or `None` while somebody else has it and lives.
    pub(super) fn take(extract: &Path) -> Result<Option<Lease>, FsError> {
        let dir = extract.join("lease");
        fs::create_private_dir(&dir)?;
        let _guard = fs::hold(&dir.join("guard"))?;
        let now = fs::touch(&dir.join("clock"))?;
        let mut holder = read(&dir)?;
        let lock = match fs::try_hold(&lock_path(&dir, holder.generation))? {
            Some(lock) => lock,
            None if now - holder.beat_ns < limits::LEASE_SECONDS * 1_000_000_000 => return Ok(None),
            // It holds the lock of its generation for ever; that one is not used any more.
            None => {
                holder.generation += 1;
                match fs::try_hold(&lock_path(&dir, holder.generation))? {
                    Some(lock) => lock,
                    None => return Ok(None),
                }
            }
        };
        holder.token = format!("{}-{now}", std::process::id());
        holder.beat_ns = now;
        write(&dir, &holder)?;
        Ok(Some(Lease { dir, holder, _lock: lock }))
    }

    /// Shows that the holder lives. `false`: the lease is somebody else's by now.
    pub(super) fn beat(&mut self) -> Result<bool, FsError> {
        let _guard = fs::hold(&self.dir.join("guard"))?;
        if read(&self.dir)?.token != self.holder.token {
            return Ok(false);
        }
        self.holder.beat_ns = fs::touch(&self.dir.join("clock"))?;
        write(&self.dir, &self.holder)?;
        Ok(true)
    }
}

/// Whether somebody has the lease.
pub(super) fn is_held(extract: &Path) -> bool {
    let dir = extract.join("lease");
    let Ok(holder) = read(&dir) else { return false };
    let path = lock_path(&dir, holder.generation);
    path.exists() && fs::try_hold(&path).is_ok_and(|lock| lock.is_none())
}

fn lock_path(dir: &Path, generation: u64) -> PathBuf {
    dir.join(format!("lock-{generation}"))
}

fn read(dir: &Path) -> Result<Holder, FsError> {
    Ok(serde_json::from_slice(&fs::read_beside(&dir.join("holder.json"))?).unwrap_or_default())
}

fn write(dir: &Path, holder: &Holder) -> Result<(), FsError> {
    fs::replace(&dir.join("holder.json"), &serde_json::to_vec(holder).unwrap_or_default(), Durability::Cache)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time_and_the_next_when_it_is_gone() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!is_held(dir.path()));
        let mut first = Lease::take(dir.path()).unwrap().unwrap();
        assert!(is_held(dir.path()) && Lease::take(dir.path()).unwrap().is_none());
        assert!(first.beat().unwrap());
        drop(first);
        assert!(!is_held(dir.path()) && Lease::take(dir.path()).unwrap().is_some());
    }

    #[test]
    fn a_holder_that_hangs_is_passed_by_and_stops_when_it_wakes() {
        let dir = tempfile::tempdir().unwrap();
        let mut hung = Lease::take(dir.path()).unwrap().unwrap();
        hung.holder.beat_ns -= (limits::LEASE_SECONDS + 1) * 1_000_000_000;
        write(&hung.dir, &hung.holder).unwrap();
        let mut next = Lease::take(dir.path()).unwrap().unwrap();
        assert!(!hung.beat().unwrap());
        assert!(next.beat().unwrap());
        assert!(Lease::take(dir.path()).unwrap().is_none());
    }
}
