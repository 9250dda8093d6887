//! Files of other programs that a person asked us to change: their configuration.
//!
//! A link is followed and its target written, since dotfiles are often links; the mode is kept, and a
//! file that its owner made read-only stays as it is. Old or new, never half.

#![allow(clippy::disallowed_methods)] // a module that may

use std::io;
use std::path::{Path, PathBuf};

use super::beside::{Durability, swap_in};
use super::{FsError, canonical, system};

/// The file that a path leads to; one that is not there is itself.
pub fn real_path(path: &Path) -> Result<PathBuf, FsError> {
    match canonical(path) {
        Ok(real) => Ok(real),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => Ok(path.to_path_buf()),
        Err(error) => Err(FsError::io("follow", path.display().to_string(), error)),
    }
}

/// Writes a whole file, through links, with the mode it had.
pub fn rewrite(path: &Path, bytes: &[u8]) -> Result<(), FsError> {
    let target = real_path(path)?;
    let failed = |error| FsError::io("write", target.display().to_string(), error);
    let mode = match std::fs::metadata(&target) {
        Ok(facts) if facts.permissions().readonly() => {
            return Err(failed(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only")));
        }
        Ok(facts) => system::mode_of(&facts),
        Err(_) => 0o600,
    };
    swap_in(&target, bytes, mode, Durability::Synced).map_err(failed)
}
