//! The entries of an open directory, one after the other, as the system lists them.
//!
//! Enters: a directory handle. Leaves: names, kinds and inodes, without `.` and `..`. Keeps nothing: where
//! the system allows it, names are read from the buffer it filled, so that a hundred thousand files
//! cost no allocation. Never follows or opens an entry.

use std::ffi::CStr;
use std::os::fd::OwnedFd;

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

/// What one call to the system may fill: some six hundred names.
#[cfg(target_os = "linux")]
const BUFFER: usize = 32 * 1024;

/// Hands every entry to `met`. The handle itself is not used up: listing it twice gives the same.
#[cfg(target_os = "linux")]
pub(crate) fn entries(dir: &OwnedFd, met: &mut dyn FnMut(&CStr, FileType, u64)) -> Result<(), Errno> {
    let mut buffer: Vec<u8> = Vec::with_capacity(BUFFER);
    let mut listed = rustix::fs::RawDir::new(again(dir)?, buffer.spare_capacity_mut());
    while let Some(entry) = listed.next() {
        let entry = entry?;
        if !is_self_or_parent(entry.file_name()) {
            met(entry.file_name(), entry.file_type(), entry.ino());
        }
    }
    Ok(())
}

/// The same, where the system lists a directory in another way.
#[cfg(not(target_os = "linux"))]
pub(crate) fn entries(dir: &OwnedFd, met: &mut dyn FnMut(&CStr, FileType, u64)) -> Result<(), Errno> {
    for entry in rustix::fs::Dir::new(again(dir)?)? {
        let entry = entry?;
        if !is_self_or_parent(entry.file_name()) {
            met(entry.file_name(), entry.file_type(), entry.ino());
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
