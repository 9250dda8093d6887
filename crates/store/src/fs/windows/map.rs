//! A file read whole in place of a map: Windows does not let go of a file that somebody has mapped.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::fs::FsError;

/// A file of ours, in memory.
#[derive(Debug)]
pub struct Mapped {
    /// In eights, so that numbers in it lie where numbers may.
    words: Vec<u64>,
    length: usize,
}

impl Mapped {
    /// Reads a file; an empty one has no bytes.
    pub fn open(path: &Path) -> Result<Mapped, FsError> {
        let failed = |error| FsError::io("open", path.display().to_string(), error);
        let mut file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len() as usize;
        let mut words = vec![0; length.div_ceil(size_of::<u64>())];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
        file.read_exact(&mut bytes[..length]).map_err(failed)?;
        Ok(Mapped { words, length })
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.length]
    }
}
