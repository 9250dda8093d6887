//! The lines of a file of ours from its end to its start, a piece at a time.
//!
//! A reader that wants the newest lines stops early, and one that wants them all holds one piece and never the
//! file. The file stays open: whoever replaces it meanwhile does not mix two versions in one reading.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::FsError;

/// How much is read at first. A line longer than this doubles it until it fits.
const PIECE: u64 = 64 * 1024;

/// The lines of a file, the last one first.
#[derive(Debug)]
pub struct ReverseLines {
    file: Option<File>,
    path: PathBuf,
    /// This many bytes at the start of the file were not read yet.
    unread: u64,
    /// What was read and not handed out: the end of it is next.
    held: Vec<u8>,
    piece: u64,
}

impl ReverseLines {
    /// A file that is not there has no lines.
    pub fn open(path: &Path) -> Result<ReverseLines, FsError> {
        let failed = |error| FsError::io("read", path.display().to_string(), error);
        let (file, unread) = match File::open(path) {
            Ok(file) => {
                let length = file.metadata().map_err(failed)?.len();
                (Some(file), length)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => (None, 0),
            Err(error) => return Err(failed(error)),
        };
        Ok(ReverseLines { file, path: path.to_owned(), unread, held: Vec::new(), piece: PIECE })
    }

    /// The line before the last one, without its end; empty ones are left out.
    pub(crate) fn next_line(&mut self) -> Result<Option<Vec<u8>>, FsError> {
        loop {
            if let Some(end) = memchr::memrchr(b'\n', &self.held) {
                let line = self.held.split_off(end + 1);
                self.held.truncate(end);
                if !line.is_empty() {
                    return Ok(Some(line));
                }
            } else if self.unread > 0 {
                self.read_before()?;
            } else {
                let line = std::mem::take(&mut self.held);
                return Ok((!line.is_empty()).then_some(line));
            }
        }
    }

    /// Puts the piece before `held` in front of it.
    fn read_before(&mut self) -> Result<(), FsError> {
        let take = self.unread.min(self.piece);
        if !self.held.is_empty() {
            self.piece = self.piece.saturating_mul(2);
        }
        self.unread -= take;
        let mut bytes = Vec::with_capacity(usize::try_from(take).unwrap_or_default() + self.held.len());
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(self.unread))
                .and_then(|_| file.take(take).read_to_end(&mut bytes))
                .map_err(|error| FsError::io("read", self.path.display().to_string(), error))?;
        }
        bytes.append(&mut self.held);
        self.held = bytes;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fs::{Durability, replace};

    fn lines(path: &Path, piece: u64) -> Vec<Vec<u8>> {
        let mut reader = ReverseLines { piece, ..ReverseLines::open(path).unwrap() };
        std::iter::from_fn(|| reader.next_line().unwrap()).collect()
    }

    proptest! {
        #[test]
        fn whatever_the_pieces_the_lines_are_those_of_the_file(bytes in "[a-c\n]{0,200}", piece in 1_u64..40) {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("x");
            replace(&path, bytes.as_bytes(), Durability::Cache).unwrap();
            let expected: Vec<Vec<u8>> =
                bytes.split('\n').rev().filter(|line| !line.is_empty()).map(|line| line.as_bytes().to_vec()).collect();
            prop_assert_eq!(lines(&path, piece), expected);
        }
    }

    #[test]
    fn a_file_that_is_not_there_has_no_lines() {
        let dir = tempfile::tempdir().unwrap();
        assert!(lines(&dir.path().join("x"), PIECE).is_empty());
    }

    #[test]
    fn a_replaced_file_is_read_on_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        replace(&path, b"one\ntwo\n", Durability::Cache).unwrap();
        let mut reader = ReverseLines { piece: 4, ..ReverseLines::open(&path).unwrap() };
        assert_eq!(reader.next_line().unwrap().unwrap(), b"two");
        replace(&path, b"six\nsix\n", Durability::Cache).unwrap();
        assert_eq!(reader.next_line().unwrap().unwrap(), b"one");
    }
}
