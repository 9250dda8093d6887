//! Replacing one file by another, so that a crash leaves the old or the new (F6).
//!
//! A change is staged first: the new content goes into a temporary file beside its target and is
//! synced, which is where a full disk shows. Then it is swapped in. Where the system can exchange
//! two names at once, the old file comes out under the temporary name and is compared with what
//! the caller had read: an editor that saved in between is noticed and its text put back.

use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};

use super::{FsError, Root, step};
use crate::guard::confine::RelPath;

/// How every temporary file of ours begins; hosts index `*.md`, so it never ends in that.
pub const TEMP_PREFIX: &str = ".memdir-";

/// A new content waiting beside its target, or a removal waiting to happen.
#[derive(Debug)]
pub struct Staged {
    file: RelPath,
    dir: OwnedFd,
    temp: String,
    removal: bool,
}

/// What a swap found.
#[derive(Debug, PartialEq, Eq)]
pub enum Swapped {
    /// The target held what was expected and now holds the new content.
    Done,
    /// Somebody else changed the target in between; it is as they left it.
    Changed,
}

impl Root {
    /// Writes new content beside its target and syncs it. Directories in between are made (0700).
    pub fn stage(&self, file: &RelPath, content: &[u8], tag: &str) -> Result<Staged, FsError> {
        let dir = self.parent_for_writing(file)?;
        let temp = temp_name(tag, file);
        let failed = |doing, error: std::io::Error| FsError::io(doing, self.show(file), error);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = self.mode_for(&dir, file);
        let open = || rustix::fs::openat(&dir, temp.as_str(), flags, Mode::RUSR | Mode::WUSR);
        let handle = open()
            .or_else(|error| match error {
                // Whoever left it under this name died: writers come one at a time.
                rustix::io::Errno::EXIST => {
                    rustix::fs::unlinkat(&dir, temp.as_str(), AtFlags::empty()).and_then(|()| open())
                }
                other => Err(other),
            })
            .map_err(|error| failed("write", error.into()))?;
        let staged = Staged { file: file.clone(), dir, temp, removal: false };
        let mut out = File::from(handle);
        // Set after the fact: the process's umask would narrow what the user had chosen.
        let written =
            out.write_all(content).and_then(|()| Ok(rustix::fs::fchmod(&out, mode)?)).and_then(|()| out.sync_all());
        if let Err(error) = written {
            self.discard(&staged);
            return Err(failed("write", error));
        }
        Ok(staged)
    }

    /// Prepares the removal of a file.
    pub fn stage_removal(&self, file: &RelPath, tag: &str) -> Result<Staged, FsError> {
        let dir = self.parent(file)?.into_owned().map_err(|error| FsError::io("open", self.show(file), error))?;
        Ok(Staged { file: file.clone(), dir, temp: temp_name(tag, file), removal: true })
    }

    /// Puts staged content in its place if the target still is what the caller read.
    ///
    /// `expected` is the content the caller saw: `None` for no file.
    pub fn swap_in(&self, staged: &Staged, expected: Option<&[u8]>) -> Result<Swapped, FsError> {
        let target = staged.file.file_name();
        let failed = |error: rustix::io::Errno| FsError::io("replace", self.show(&staged.file), error);
        if self.read(&staged.file)?.as_deref() != expected {
            return Ok(Swapped::Changed);
        }
        if staged.removal {
            rustix::fs::renameat(&staged.dir, target, &staged.dir, staged.temp.as_str()).map_err(failed)?;
        } else if expected.is_none() {
            return match rename(staged, RenameFlags::NOREPLACE) {
                Ok(()) => Ok(Swapped::Done),
                Err(rustix::io::Errno::EXIST) => Ok(Swapped::Changed),
                Err(error) => Err(failed(error)),
            };
        } else {
            match rename(staged, RenameFlags::EXCHANGE) {
                Ok(()) => {}
                // No exchange here (some network and FUSE file systems): the comparison above is the guard.
                Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::OPNOTSUPP) => {
                    rustix::fs::renameat(&staged.dir, staged.temp.as_str(), &staged.dir, target).map_err(failed)?;
                    return Ok(Swapped::Done);
                }
                Err(error) => return Err(failed(error)),
            }
        }
        // The old content is under the temporary name now: was it what we thought?
        let came_out = self.read_beside(staged);
        if came_out.as_ref().is_ok_and(|content| content.as_deref() == expected) {
            return Ok(Swapped::Done);
        }
        let back = if staged.removal { RenameFlags::NOREPLACE } else { RenameFlags::EXCHANGE };
        rename(staged, back).map_err(failed)?;
        came_out.map(|_| Swapped::Changed)
    }

    /// Removes what is left under the temporary name. Says whether nothing is left.
    pub fn discard(&self, staged: &Staged) -> bool {
        let removed = rustix::fs::unlinkat(&staged.dir, staged.temp.as_str(), AtFlags::empty());
        matches!(removed, Ok(()) | Err(rustix::io::Errno::NOENT))
    }

    /// Takes a swap back, while nobody else can have seen it for long.
    pub fn swap_back(&self, staged: &Staged, existed: bool) -> Result<(), FsError> {
        let failed = |error: rustix::io::Errno| FsError::io("restore", self.show(&staged.file), error);
        match (staged.removal, existed) {
            (true, _) => rename(staged, RenameFlags::NOREPLACE).map_err(failed),
            (false, true) => rename(staged, RenameFlags::EXCHANGE).map_err(failed),
            (false, false) => {
                let target = staged.file.file_name();
                rustix::fs::renameat(&staged.dir, target, &staged.dir, staged.temp.as_str()).map_err(failed)
            }
        }
    }

    /// Makes the renames survive a power cut: each directory is synced once.
    pub fn settle(&self, staged: &[Staged]) -> Result<(), FsError> {
        let mut settled: Vec<Option<&str>> = Vec::new();
        for one in staged {
            if !settled.contains(&one.file.parent()) {
                settled.push(one.file.parent());
                rustix::fs::fsync(&one.dir).map_err(|error| FsError::io("sync", self.show(&one.file), error))?;
            }
        }
        Ok(())
    }

    /// Removes a leftover temporary file by its path, and only such a file.
    pub fn remove_leftover(&self, parent: Option<&str>, name: &str) -> Result<(), FsError> {
        if !name.starts_with(TEMP_PREFIX) {
            return Ok(());
        }
        let mut dir = self.handle().try_clone().map_err(|error| FsError::io("open", name, error))?;
        for part in parent.into_iter().flat_map(|parent| parent.split('/')) {
            dir = step(&dir, part).map_err(|error| FsError::io("open", part, error))?;
        }
        match rustix::fs::unlinkat(&dir, name, AtFlags::empty()) {
            Ok(()) | Err(rustix::io::Errno::NOENT) => Ok(()),
            Err(error) => Err(FsError::io("remove", name, error)),
        }
    }

    fn read_beside(&self, staged: &Staged) -> Result<Option<Vec<u8>>, FsError> {
        let beside = match staged.file.parent() {
            Some(parent) => format!("{parent}/{}", staged.temp),
            None => staged.temp.clone(),
        };
        match RelPath::parse(&beside) {
            Ok(path) => self.read(&path),
            Err(_) => Ok(None),
        }
    }

    pub(super) fn parent_for_writing(&self, file: &RelPath) -> Result<OwnedFd, FsError> {
        let mut dir = self.handle().try_clone().map_err(|error| FsError::io("open", self.show(file), error))?;
        for part in file.parent().into_iter().flat_map(|parent| parent.split('/')) {
            dir = match step(&dir, part) {
                Err(rustix::io::Errno::NOENT) => {
                    match rustix::fs::mkdirat(&dir, part, Mode::RWXU) {
                        Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                        Err(error) => return Err(FsError::io("make a directory for", self.show(file), error)),
                    }
                    step(&dir, part)
                }
                other => other,
            }
            .map_err(|error| self.explain(error, file))?;
        }
        Ok(dir)
    }

    /// The permissions of the file that is there; 0600 for a new one (F6).
    fn mode_for(&self, dir: &OwnedFd, file: &RelPath) -> Mode {
        match rustix::fs::statat(dir, file.file_name(), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Mode::from_raw_mode(stat.st_mode & 0o777),
            Err(_) => Mode::RUSR | Mode::WUSR,
        }
    }
}

/// Renames the temporary file onto its target, exchanging or refusing to replace.
fn rename(staged: &Staged, flags: RenameFlags) -> Result<(), rustix::io::Errno> {
    let (temp, target) = (staged.temp.as_str(), staged.file.file_name());
    match rustix::fs::renameat_with(&staged.dir, temp, &staged.dir, target, flags) {
        // Where the system cannot refuse, the comparison just made has to do.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) if flags == RenameFlags::NOREPLACE => {
            rustix::fs::renameat(&staged.dir, temp, &staged.dir, target)
        }
        other => other,
    }
}

/// One temporary name for one file of one change.
fn temp_name(tag: &str, file: &RelPath) -> String {
    let hash = blake3::hash(file.as_str().as_bytes()).to_hex();
    format!("{TEMP_PREFIX}{tag}-{}.tmp", &hash.as_str()[..8])
}

/// Whether a leftover is the temporary file of a target.
pub(in crate::store) fn is_temp_of(leftover: &str, target: &str) -> bool {
    let hash = blake3::hash(target.as_bytes()).to_hex();
    leftover.ends_with(&format!("-{}.tmp", &hash.as_str()[..8]))
}
