//! The lines of a file, one at a time, in a buffer that does not grow with the file.
//!
//! Enters: an open file and the part of it that is wanted. Leaves: each line with where it begins.
//! A line longer than [`limits::TRANSCRIPT_LINE_BYTES`] is stepped over: nobody typed it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use memdir_core::limits;

/// A part of a file, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// Bytes read at once.
const BUFFER: usize = 256 * 1024;

/// Hands every line of a region to `each`, without its end, and where it begins. Stops when told
/// so. Returns how many lines were too long.
pub(crate) fn for_each(
    file: &File,
    region: Region,
    mut each: impl FnMut(&[u8], u64) -> io::Result<bool>,
) -> io::Result<usize> {
    let mut file = file;
    file.seek(SeekFrom::Start(region.start))?;
    let mut reader = BufReader::with_capacity(BUFFER, file.take(region.end.saturating_sub(region.start)));
    let mut line: Vec<u8> = Vec::new();
    let (mut at, mut long, mut skipping) = (region.start, 0, false);
    let mut begin = at;
    loop {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            break;
        }
        let end = memchr::memchr(b'\n', chunk);
        let used = end.map_or(chunk.len(), |end| end + 1);
        let part = &chunk[..end.unwrap_or(chunk.len())];
        if line.len() + part.len() > limits::TRANSCRIPT_LINE_BYTES {
            long += usize::from(!skipping);
            skipping = true;
            line.clear();
        }
        // A line that is whole in the buffer is not copied.
        let whole = end.is_some() && line.is_empty() && !skipping;
        if whole {
            if !each(part, begin)? {
                return Ok(long);
            }
        } else if !skipping {
            line.extend_from_slice(part);
        }
        at += used as u64;
        reader.consume(used);
        if end.is_some() {
            if !whole && !skipping && !each(&line, begin)? {
                return Ok(long);
            }
            line.clear();
            line.shrink_to(BUFFER);
            skipping = false;
            begin = at;
        }
    }
    // The last line may be torn; whoever reads it finds out.
    if !line.is_empty() && !skipping {
        each(&line, begin)?;
    }
    Ok(long)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn lines(content: &[u8], start: u64) -> (Vec<(Vec<u8>, u64)>, usize) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        let mut got = Vec::new();
        let region = Region { start, end: content.len() as u64 };
        let long = for_each(&file, region, |line, at| {
            got.push((line.to_vec(), at));
            Ok(true)
        })
        .unwrap();
        (got, long)
    }

    #[test]
    fn lines_come_with_their_places_and_a_torn_one_at_the_end() {
        let (got, long) = lines(b"a\n\nbc\r\nd", 0);
        assert_eq!(got, [(b"a".to_vec(), 0), (b"".to_vec(), 2), (b"bc\r".to_vec(), 3), (b"d".to_vec(), 7)]);
        assert_eq!(long, 0);
        assert_eq!(lines(b"a\nbc\n", 2).0, [(b"bc".to_vec(), 2)]);
        assert_eq!(lines(b"", 0).0, []);
    }

    #[test]
    fn lines_across_buffers_are_whole_and_endless_ones_are_stepped_over() {
        let long_line = vec![b'x'; BUFFER * 3 + 17];
        let endless = vec![b'y'; limits::TRANSCRIPT_LINE_BYTES + 1];
        let content = [b"a".as_slice(), &long_line, &endless, b"z"].join(&b'\n');
        let (got, long) = lines(&content, 0);
        assert_eq!((got.len(), long), (3, 1));
        assert_eq!(got[1].0, long_line);
        assert_eq!(got[2], (b"z".to_vec(), (content.len() - 1) as u64));
    }
}
