//! The entries of an open directory, one after the other, as the system lists them.
//!
//! Enters: a directory handle. Leaves: names, kinds and inodes, without `.` and `..`. Keeps nothing: where
//! the system allows it, names are read from the buffer it filled, so that a hundred thousand files
//! cost no allocation. Never follows or opens an entry.

use std::borrow::Cow;
use std::ffi::CStr;
use std::os::fd::OwnedFd;

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

use super::FileKind;

/// One entry, as long as it is met.
pub(crate) struct DirEntry<'d> {
    name: &'d CStr,
    kind: FileType,
    inode: u64,
}

impl DirEntry<'_> {
    /// Its name, where that is UTF-8.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.to_str().ok()
    }

    /// Its name for people.
    pub(crate) fn shown(&self) -> Cow<'_, str> {
        self.name.to_string_lossy()
    }

    /// What it is, where the file system says so in a listing.
    pub(crate) fn kind(&self) -> FileKind {
        super::kind(self.kind)
    }

    /// Which inode.
    pub(crate) fn inode(&self) -> u64 {
        self.inode
    }

    pub(super) fn raw(&self) -> &CStr {
        self.name
    }
}

/// What one call to the system may fill: some six hundred names.
#[cfg(target_os = "linux")]
const BUFFER: usize = 32 * 1024;

/// Hands every entry to `met`. The handle itself is not used up: listing it twice gives the same.
#[cfg(target_os = "linux")]
pub(super) fn entries(dir: &OwnedFd, met: &mut dyn FnMut(&DirEntry<'_>)) -> Result<(), Errno> {
    let mut buffer: Vec<u8> = Vec::with_capacity(BUFFER);
    let mut listed = rustix::fs::RawDir::new(again(dir)?, buffer.spare_capacity_mut());
    while let Some(entry) = listed.next() {
        let entry = entry?;
        if !is_self_or_parent(entry.file_name()) {
            met(&DirEntry { name: entry.file_name(), kind: entry.file_type(), inode: entry.ino() });
        }
    }
    Ok(())
}

/// The same, where the system lists a directory in another way.
#[cfg(not(target_os = "linux"))]
pub(super) fn entries(dir: &OwnedFd, met: &mut dyn FnMut(&DirEntry<'_>)) -> Result<(), Errno> {
    for entry in rustix::fs::Dir::new(again(dir)?)? {
        let entry = entry?;
        if !is_self_or_parent(entry.file_name()) {
            met(&DirEntry { name: entry.file_name(), kind: entry.file_type(), inode: entry.ino() });
        }
    }
    Ok(())
}

/// A second handle with a place of its own in the list.
fn again(dir: &OwnedFd) -> Result<OwnedFd, Errno> {
    rustix::fs::openat(dir, c".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

fn is_self_or_parent(name: &CStr) -> bool {
    matches!(name.to_bytes(), b"." | b"..")
}
