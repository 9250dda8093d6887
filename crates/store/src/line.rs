//! One line of a file, as spans into its bytes: the one way in which both file formats cut lines.
//!
//! Enters: bytes and a position. Leaves: where the line's text ends and where the next line starts. A line ends at
//! `\n` or `\r\n`; the last one may end with the bytes. Never copies and never fails.

use memchr::memchr;

/// Where a line starts, where its text ends and where the next line starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineSpan {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) next: usize,
}

impl LineSpan {
    /// The line that starts at `start`, or nothing at the end of the bytes.
    pub(super) fn at(bytes: &[u8], start: usize) -> Option<LineSpan> {
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let (mut end, next) = match memchr(b'\n', rest) {
            Some(found) => (start + found, start + found + 1),
            None => (bytes.len(), bytes.len()),
        };
        if next > end && end > start && bytes[end - 1] == b'\r' {
            end -= 1;
        }
        Some(LineSpan { start, end, next })
    }

    /// Its text, without what ends it.
    pub(super) fn text<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start..self.end]
    }
}
