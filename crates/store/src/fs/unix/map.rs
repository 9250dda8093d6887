//! A file mapped into memory.

#![allow(unsafe_code)] // mapping a file is unsafe by nature; the reason is given where it happens

use std::fs::File;
use std::path::Path;

use crate::fs::FsError;

/// A file of ours, mapped read-only.
#[derive(Debug)]
pub struct Mapped(Option<memmap2::Mmap>);

impl Mapped {
    /// Maps a file; an empty one has no bytes.
    pub fn open(path: &Path) -> Result<Mapped, FsError> {
        let failed = |error| FsError::io("open", path.display().to_string(), error);
        let file = File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.len() == 0 {
            return Ok(Mapped(None));
        }
        // SAFETY: the map is only sound while nobody changes the file. It lies in our own private
        // cache directory, is written under a temporary name and renamed, and is never opened for
        // writing afterwards. Everything read from it is bounds-checked and may be any bytes, so even
        // a user who rewrites it by hand gets a wrong cache and not undefined references; truncating
        // it under a running process is the one thing that ends that process (SIGBUS).
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(failed)?;
        Ok(Mapped(Some(map)))
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}
