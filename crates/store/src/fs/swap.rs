//! Replacing one file by another, so that a crash leaves the old or the new (F6).
//!
//! A change is staged first: the new content goes into a temporary file beside its target and is
//! synced, which is where a full disk shows. Then it is swapped in. Where the system can exchange
//! two names at once, the old file comes out under the temporary name and is compared with what
//! the caller had read: an editor that saved in between is noticed and its text put back.

use std::io::{self, Write};

use super::{Dir, FsError, Root, system};
use memdir_guard::confine::RelPath;

/// How every temporary file of ours begins; hosts index `*.md`, so it never ends in that.
pub(crate) const TEMP_PREFIX: &str = ".memdir-";

/// A new content waiting beside its target, or a removal waiting to happen.
#[derive(Debug)]
pub struct Staged {
    file: RelPath,
    dir: Dir,
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
        self.stage_as(file, content, tag, true)
    }

    /// The same without syncing it: for many files, which [`sync_staged`](Root::sync_staged) syncs at once.
    pub(crate) fn stage_unsynced(&self, file: &RelPath, content: &[u8], tag: &str) -> Result<Staged, FsError> {
        self.stage_as(file, content, tag, !system::SYNCS_ALL)
    }

    /// Syncs all that was staged and not synced.
    pub(crate) fn sync_staged(&self) -> Result<(), FsError> {
        let failed = |error| FsError::io("sync", self.path.display().to_string(), error);
        self.handle().sync_file_system().map_err(failed)
    }

    fn stage_as(&self, file: &RelPath, content: &[u8], tag: &str, sync: bool) -> Result<Staged, FsError> {
        let dir = self.parent_for_writing(file)?;
        let temp = temp_name(tag, file);
        let failed = |doing, error: std::io::Error| FsError::io(doing, self.show(file), error);
        let mode = self.mode_for(&dir, file);
        let out = dir
            .create_new(&temp)
            .or_else(|error| match error.kind() {
                // Whoever left it under this name died: writers come one at a time.
                io::ErrorKind::AlreadyExists => dir.remove(&temp).and_then(|()| dir.create_new(&temp)),
                _ => Err(error),
            })
            .map_err(|error| failed("write", error))?;
        let staged = Staged { file: file.clone(), dir, temp, removal: false };
        let synced = |()| if sync { out.sync_all() } else { Ok(()) };
        let written = (&out).write_all(content).and_then(|()| system::set_mode(&out, mode)).and_then(synced);
        // Some systems do not exchange a file that is open for writing.
        drop(out);
        if let Err(error) = written {
            self.discard(&staged);
            return Err(failed("write", error));
        }
        Ok(staged)
    }

    /// Prepares the removal of a file.
    pub(crate) fn stage_removal(&self, file: &RelPath, tag: &str) -> Result<Staged, FsError> {
        let dir = self.parent(file)?.into_owned().map_err(|error| FsError::io("open", self.show(file), error))?;
        Ok(Staged { file: file.clone(), dir, temp: temp_name(tag, file), removal: true })
    }

    /// Puts staged content in its place if the target still is what the caller read.
    ///
    /// `expected` is the content the caller saw: `None` for no file.
    pub fn swap_in(&self, staged: &Staged, expected: Option<&[u8]>) -> Result<Swapped, FsError> {
        let target = staged.file.file_name();
        let failed = |error: io::Error| FsError::io("replace", self.show(&staged.file), error);
        if self.read(&staged.file)?.as_deref() != expected {
            return Ok(Swapped::Changed);
        }
        let Staged { dir, temp, .. } = staged;
        if staged.removal {
            dir.rename(target, temp).map_err(failed)?;
        } else if expected.is_none() {
            return match dir.rename_new(temp, target) {
                Ok(()) => Ok(Swapped::Done),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(Swapped::Changed),
                Err(error) => Err(failed(error)),
            };
        } else if !dir.exchange(temp, target).map_err(failed)? {
            // No exchange here: the comparison above is the guard.
            dir.rename(temp, target).map_err(failed)?;
            return Ok(Swapped::Done);
        }
        // The old content is under the temporary name now: was it what we thought?
        let came_out = self.read_beside(staged);
        if came_out.as_ref().is_ok_and(|content| content.as_deref() == expected) {
            return Ok(Swapped::Done);
        }
        let back = if staged.removal { dir.rename_new(temp, target) } else { exchange_back(staged) };
        back.map_err(failed)?;
        came_out.map(|_| Swapped::Changed)
    }

    /// Removes what is left under the temporary name. Says whether nothing is left.
    pub fn discard(&self, staged: &Staged) -> bool {
        staged.dir.remove(&staged.temp).or_else(gone).is_ok()
    }

    /// Takes a swap back, while nobody else can have seen it for long.
    pub(crate) fn swap_back(&self, staged: &Staged, existed: bool) -> Result<(), FsError> {
        let target = staged.file.file_name();
        match (staged.removal, existed) {
            (true, _) => staged.dir.rename_new(&staged.temp, target),
            (false, true) => exchange_back(staged),
            (false, false) => staged.dir.rename(target, &staged.temp),
        }
        .map_err(|error| FsError::io("restore", self.show(&staged.file), error))
    }

    /// Makes the renames survive a power cut: each directory is synced once.
    pub(crate) fn settle(&self, staged: &[Staged]) -> Result<(), FsError> {
        let mut settled: Vec<Option<&str>> = Vec::new();
        for one in staged {
            if !settled.contains(&one.file.parent()) {
                settled.push(one.file.parent());
                one.dir.sync().map_err(|error| FsError::io("sync", self.show(&one.file), error))?;
            }
        }
        Ok(())
    }

    /// Removes a leftover temporary file by its path, and only such a file.
    pub(crate) fn remove_leftover(&self, parent: Option<&str>, name: &str) -> Result<(), FsError> {
        if !name.starts_with(TEMP_PREFIX) {
            return Ok(());
        }
        let mut dir = self.handle().again().map_err(|error| FsError::io("open", name, error))?;
        for part in parent.into_iter().flat_map(|parent| parent.split('/')) {
            dir = dir.step(part).map_err(|error| FsError::io("open", part, error))?;
        }
        dir.remove(name).or_else(gone).map_err(|error| FsError::io("remove", name, error))
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

    pub(super) fn parent_for_writing(&self, file: &RelPath) -> Result<Dir, FsError> {
        let mut dir = self.handle().again().map_err(|error| FsError::io("open", self.show(file), error))?;
        for part in file.parent().into_iter().flat_map(|parent| parent.split('/')) {
            dir = match dir.step(part) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => match dir.make_dir(part) {
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                        return Err(FsError::io("make a directory for", self.show(file), error));
                    }
                    _ => dir.step(part),
                },
                other => other,
            }
            .map_err(|error| self.explain(error, file))?;
        }
        Ok(dir)
    }

    /// The permissions of the file that is there; 0600 for a new one (F6).
    fn mode_for(&self, dir: &Dir, file: &RelPath) -> u32 {
        dir.look(file.file_name()).ok().and_then(|look| look.mode).unwrap_or(0o600)
    }
}

/// Exchanges again what was exchanged before.
fn exchange_back(staged: &Staged) -> io::Result<()> {
    let exchanged = staged.dir.exchange(&staged.temp, staged.file.file_name())?;
    if exchanged { Ok(()) } else { Err(io::ErrorKind::Unsupported.into()) }
}

/// What is gone already need not be removed.
fn gone(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// One temporary name for one file of one change.
fn temp_name(tag: &str, file: &RelPath) -> String {
    let hash = blake3::hash(file.as_str().as_bytes()).to_hex();
    format!("{TEMP_PREFIX}{tag}-{}.tmp", &hash.as_str()[..8])
}

/// Whether a leftover is the temporary file of a target.
pub(crate) fn is_temp_of(leftover: &str, target: &str) -> bool {
    let hash = blake3::hash(target.as_bytes()).to_hex();
    leftover.ends_with(&format!("-{}.tmp", &hash.as_str()[..8]))
}
