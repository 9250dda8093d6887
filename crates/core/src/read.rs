//! Reading small files that somebody else wrote.
//!
//! Enters: a path and the most bytes it may hold. Leaves: the bytes, nothing, or why not. Never
//! opens what is not a plain file (a pipe would block for ever, a device never ends) and never
//! holds more than the limit.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read},
    path::Path,
};

/// Why a file that is there was not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A directory, pipe, device or socket.
    #[error("it is not a plain file")]
    NotAFile,
    /// Larger than the caller takes.
    #[error("it is larger than {0} bytes")]
    TooLarge(usize),
    /// The system said no.
    #[error("it cannot be read ({0})")]
    Io(ErrorKind),
}

/// The whole file, or `None` when there is no such file.
pub fn small(path: &Path, limit: usize) -> Result<Option<Vec<u8>>, ReadError> {
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) => return absent_or(error),
    };
    if !meta.is_file() {
        return Err(ReadError::NotAFile);
    }
    if meta.len() > limit as u64 {
        return Err(ReadError::TooLarge(limit));
    }
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return absent_or(error),
    };
    // The file may grow between the two calls, and files in /proc report no size at all.
    let mut bytes = Vec::with_capacity(meta.len() as usize);
    file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(|error| ReadError::Io(error.kind()))?;
    if bytes.len() > limit { Err(ReadError::TooLarge(limit)) } else { Ok(Some(bytes)) }
}

fn absent_or(error: io::Error) -> Result<Option<Vec<u8>>, ReadError> {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
        kind => Err(ReadError::Io(kind)),
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests {
    use super::*;

    #[test]
    fn a_small_file_is_read_and_a_large_one_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        fs::write(&path, "12345").unwrap();
        assert_eq!(small(&path, 5), Ok(Some(b"12345".to_vec())));
        assert_eq!(small(&path, 4), Err(ReadError::TooLarge(4)));
    }

    #[test]
    fn nothing_there_is_not_an_error() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("f"), "").unwrap();
        assert_eq!(small(&dir.path().join("none"), 9), Ok(None));
        assert_eq!(small(&dir.path().join("f/below"), 9), Ok(None));
        assert_eq!(small(dir.path(), 9), Err(ReadError::NotAFile));
        assert!(matches!(small(Path::new("a\0b"), 9), Err(ReadError::Io(_))));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_and_a_device_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        assert_eq!(small(&pipe, 9), Err(ReadError::NotAFile));
        assert_eq!(small(Path::new("/dev/zero"), 9), Err(ReadError::NotAFile));
    }
}
