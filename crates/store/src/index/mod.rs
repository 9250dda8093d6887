//! MEMORY.md, the index: one pointer line a memory, `- [Title](file.md) — hook` (I1–I4, I6).
//!
//! Enters: the bytes of the file, and what should be pointed to. Leaves: its pointers, the part a
//! session loads, drift against the files, and new bytes in which only the lines concerned
//! differ. Never touches a file, never reorders lines, and never changes one the user wrote.
//!
//! A line is memdir's own if it is exactly what memdir makes of a memory's name and description. Every other line is
//! the user's, whether it is a pointer or not: headings, notes, links to the web, anything. A pointer of theirs is
//! only changed where it leads to nothing, or says a value that their memory no longer holds.

mod choose;
mod compose;
mod drift;
mod edit;
mod foreign;
mod line;
mod load;
mod mention;
mod repair;
mod titles;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use memchr::memchr;

use super::line::LineSpan;

pub use drift::{Drift, drift};
pub use edit::{PointerEdit, Rewording};
pub use foreign::{ForeignIndex, bare_pointer, read_foreign, target_of};
pub use load::{Cut, DroppedLine, Loaded, SizeUnit, load};
pub use repair::{PointerTarget, Removed, Repaired, repair};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The index: its exact bytes, read again for each question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index {
    bytes: Vec<u8>,
}

/// One pointer line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// Its line, counted from 1.
    pub line: usize,
    /// The text in the brackets.
    pub title: String,
    /// The file, relative to the memory directory and without URL escapes.
    pub target: String,
    /// What follows the link; empty if nothing does.
    pub hook: String,
    /// Characters in the whole line.
    pub chars: usize,
}

impl Index {
    /// Takes any bytes.
    pub fn parse(bytes: Vec<u8>) -> Index {
        Index { bytes }
    }

    /// The file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The file, given away.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// All pointers in file order, doubled ones too.
    pub fn pointers(&self) -> Vec<Pointer> {
        let read = |(number, row): (usize, LineSpan)| {
            let text = lossy(row.text(&self.bytes));
            let link = line::read(&text)?;
            Some(Pointer {
                line: number + 1,
                title: link.title.into_owned(),
                target: link.target.into_owned(),
                hook: link.hook.to_owned(),
                chars: text.chars().count(),
            })
        };
        rows(&self.bytes).enumerate().filter_map(read).collect()
    }

    /// The files that are pointed to, in file order; less work than [`Index::pointers`].
    pub fn targets(&self) -> impl Iterator<Item = Cow<'_, str>> {
        rows(&self.bytes).filter_map(|row| match lossy(row.text(&self.bytes)) {
            Cow::Borrowed(text) => line::read(text).map(|link| link.target),
            Cow::Owned(text) => line::read(&text).map(|link| Cow::Owned(link.target.into_owned())),
        })
    }

    /// The line ending the file uses: that of its first line.
    fn ending(&self) -> &'static str {
        match memchr(b'\n', &self.bytes) {
            Some(at) if at > 0 && self.bytes[at - 1] == b'\r' => "\r\n",
            _ => "\n",
        }
    }
}

/// Bytes as text. They are nearly always sound, and the lossy way is slow for those.
fn lossy(raw: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(raw).map_or_else(|_| String::from_utf8_lossy(raw), Cow::Borrowed)
}

/// The lines of the file; a BOM in front belongs to none.
fn rows(bytes: &[u8]) -> impl Iterator<Item = LineSpan> {
    let start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    std::iter::successors(LineSpan::at(bytes, start), |line| LineSpan::at(bytes, line.next))
}

/// Where a new pointer goes: behind the last line if that is a list item, leaving blank lines at
/// the end where they are; else at the very end, so that a heading keeps its distance.
fn end_of_list<'a>(lines: impl DoubleEndedIterator<Item = &'a [u8]> + ExactSizeIterator) -> usize {
    let count = lines.len();
    let last = lines.enumerate().rev().find(|(_, text)| !text.trim_ascii().is_empty());
    match last {
        Some((at, text)) if line::is_item(text) => at + 1,
        _ => count,
    }
}
