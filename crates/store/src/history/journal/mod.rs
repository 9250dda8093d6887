//! The journal: an append-only file of changes, which is both the history and the write-ahead log.
//!
//! A change is appended and synced before any file is touched, and marked done afterwards. After a
//! crash the last change without its mark is finished from the record (redo). A torn last line was
//! never acted upon and is cut off. Damaged lines in the middle are skipped and counted, never fatal.
//!
//! Segments of about [`SEGMENT_BYTES`] keep reading bounded: the newest is read first.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use memchr::memmem::Finder;
use serde::{Deserialize, Serialize};

use super::record::{Change, ChangeId};
use crate::fs::{self, FsError, ReverseLines};

/// A segment that has grown past this is closed.
const SEGMENT_BYTES: u64 = 8 * 1024 * 1024;

/// Up to this many names are looked for as text, before a line is read.
const FEW_NAMES: usize = 8;

/// Where a reader has got to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// Which segment, from 1.
    pub segment: u32,
    /// Which byte of it.
    pub offset: u64,
}

/// The journal of one store.
#[derive(Debug)]
pub struct Journal {
    dir: PathBuf,
}

/// One line: a change, or the mark that it has been carried out.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line<'c> {
    Change(Cow<'c, Change>),
    Done(Cow<'c, ChangeId>),
}

impl Journal {
    /// The journal kept in a directory, which need not exist yet.
    pub fn at(dir: PathBuf) -> Journal {
        Journal { dir }
    }

    /// Appends a change and syncs it. What is returned takes it back.
    pub(crate) fn append(&self, change: &Change) -> Result<Position, FsError> {
        fs::create_private_dir(&self.dir)?;
        let segment = match self.segments()?.last() {
            Some(&last) if self.length(last)? < SEGMENT_BYTES => last,
            Some(&last) => last.saturating_add(1),
            None => 1,
        };
        let offset = fs::append_synced(&self.path(segment), &line(&Line::Change(Cow::Borrowed(change))))?;
        Ok(Position { segment, offset })
    }

    /// Appends changes that somebody else has carried out already, with their marks; synced once
    /// a segment.
    pub(crate) fn append_done(&self, changes: &[Change]) -> Result<(), FsError> {
        if changes.is_empty() {
            return Ok(());
        }
        fs::create_private_dir(&self.dir)?;
        let mut segment = self.segments()?.last().copied().unwrap_or(1);
        let mut room = SEGMENT_BYTES.saturating_sub(self.length(segment)?);
        let mut bytes = Vec::new();
        for change in changes {
            if bytes.len() as u64 >= room {
                self.flush(segment, &mut bytes)?;
                (segment, room) = (segment + 1, SEGMENT_BYTES);
            }
            bytes.extend(line(&Line::Change(Cow::Borrowed(change))));
            bytes.extend(line(&Line::Done(Cow::Borrowed(&change.id))));
        }
        self.flush(segment, &mut bytes)
    }

    fn flush(&self, segment: u32, bytes: &mut Vec<u8>) -> Result<(), FsError> {
        if !bytes.is_empty() {
            fs::append_synced(&self.path(segment), bytes)?;
            bytes.clear();
        }
        Ok(())
    }

    /// Takes the newest change back: it was not carried out.
    pub(crate) fn take_back(&self, position: Position) -> Result<(), FsError> {
        fs::truncate(&self.path(position.segment), position.offset)
    }

    /// Marks a change as carried out. Losing the mark costs a needless check, so nobody syncs it.
    pub(crate) fn mark_done(&self, position: Position, id: &ChangeId) -> Result<(), FsError> {
        fs::append(&self.path(position.segment), &line(&Line::Done(Cow::Borrowed(id))))
    }

    /// The last change if it was not carried out to the end, after cutting off a torn line.
    ///
    /// The usual case costs one read of a few bytes: the journal ends in a mark.
    pub(crate) fn unfinished(&self) -> Result<Option<(Position, Change)>, FsError> {
        let Some(&segment) = self.segments()?.last() else { return Ok(None) };
        let path = self.path(segment);
        if fs::tail(&path, 64)?.windows(8).rev().any(|window| window == b"{\"done\":") && ends_in_newline(&path)? {
            return Ok(None);
        }
        let mut bytes = fs::read_beside(&path)?;
        let whole = memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1);
        if whole < bytes.len() {
            fs::truncate(&path, whole as u64)?;
            bytes.truncate(whole);
        }
        let Some(last) = bytes.strip_suffix(b"\n") else { return Ok(None) };
        let start = memchr::memrchr(b'\n', last).map_or(0, |end| end + 1);
        let change = parse(&last[start..]).and_then(Line::change);
        Ok(change.map(|change| (Position { segment, offset: start as u64 }, change)))
    }

    /// Where the journal ends: costs a listing and one look.
    pub fn end(&self) -> Result<Position, FsError> {
        match self.segments()?.last() {
            Some(&segment) => Ok(Position { segment, offset: self.length(segment)? }),
            None => Ok(Position::default()),
        }
    }

    /// Changes after a position, oldest first, and where the next read begins.
    ///
    /// A position that is not at the end of a line of this journal came from another one (the
    /// state directory was deleted, the cache was not): then everything is read again.
    pub fn since(&self, from: Position) -> Result<(Vec<Change>, Position), FsError> {
        match self.after(from)? {
            Some(found) => Ok(found),
            None => Ok(self.after(Position::default())?.unwrap_or_default()),
        }
    }

    /// The same, or `None` when no line of this journal ends at the position.
    fn after(&self, from: Position) -> Result<Option<(Vec<Change>, Position)>, FsError> {
        let segments = self.segments()?;
        if from != Position::default() && !segments.contains(&from.segment) {
            return Ok(None);
        }
        let mut changes = Vec::new();
        let mut end = from;
        for segment in segments.into_iter().filter(|&segment| segment >= from.segment) {
            let skip = if segment == from.segment { from.offset } else { 0 };
            // With the byte before: there a line must end.
            let read = fs::read_from(&self.path(segment), skip.saturating_sub(1))?;
            let bytes = match read.split_first() {
                _ if skip == 0 => &read[..],
                Some((b'\n', rest)) => rest,
                _ => return Ok(None),
            };
            let whole = memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
            changes.extend(bytes[..whole].split(|&byte| byte == b'\n').filter_map(|line| parse(line)?.change()));
            end = Position { segment, offset: skip + whole as u64 };
        }
        Ok(Some((changes, end)))
    }

    /// Visits changes newest first until the visitor has seen enough. Returns the damaged lines met.
    pub fn newest_first(&self, mut visit: impl FnMut(Change) -> Visit) -> Result<usize, FsError> {
        let mut damaged = 0;
        for segment in self.segments()?.into_iter().rev() {
            let mut lines = ReverseLines::open(&self.path(segment))?;
            while let Some(raw) = lines.next_line()? {
                match parse(&raw) {
                    Some(Line::Change(change)) => {
                        if visit(change.into_owned()) == Visit::Enough {
                            return Ok(damaged);
                        }
                    }
                    Some(_) => {}
                    None => damaged += 1,
                }
            }
        }
        Ok(damaged)
    }

    /// The same for changes that have to do with one of a few files: lines that do not say such a name are not
    /// read, and may be damaged.
    pub(crate) fn newest_first_naming(
        &self,
        names: &[String],
        mut visit: impl FnMut(Change) -> Visit,
    ) -> Result<(), FsError> {
        if names.len() > FEW_NAMES {
            return self.newest_first(visit).map(drop);
        }
        // As they are in the journal: a name may hold what JSON writes in another way.
        let written: Vec<Vec<u8>> = names.iter().filter_map(|name| serde_json::to_vec(name).ok()).collect();
        let written: Vec<Finder<'_>> = written.iter().map(Finder::new).collect();
        for segment in self.segments()?.into_iter().rev() {
            let mut lines = ReverseLines::open(&self.path(segment))?;
            while let Some(raw) = lines.next_line()? {
                if written.iter().any(|name| name.find(&raw).is_some())
                    && parse(&raw).and_then(Line::change).is_some_and(|change| visit(change) == Visit::Enough)
                {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Rewrites every change through `edit`; segments nobody edited stay as they are (`purge`).
    pub(crate) fn rewrite(&self, mut edit: impl FnMut(&mut Change) -> bool) -> Result<usize, FsError> {
        let mut edited = 0;
        for segment in self.segments()? {
            let path = self.path(segment);
            let bytes = fs::read_beside(&path)?;
            let mut out = Vec::with_capacity(bytes.len());
            let mut dirty = false;
            for raw in bytes.split_inclusive(|&byte| byte == b'\n') {
                let mut change = parse(raw).and_then(Line::change);
                if let Some(change) = &mut change
                    && edit(change)
                {
                    dirty = true;
                    edited += 1;
                    out.extend(line(&Line::Change(Cow::Borrowed(change))));
                } else {
                    out.extend_from_slice(raw);
                }
            }
            if dirty {
                fs::replace(&path, &out, fs::Durability::Synced)?;
            }
        }
        Ok(edited)
    }

    /// The files of the journal, for searching their bytes.
    pub fn files(&self) -> Result<Vec<PathBuf>, FsError> {
        Ok(self.segments()?.into_iter().map(|segment| self.path(segment)).collect())
    }

    fn segments(&self) -> Result<Vec<u32>, FsError> {
        // Only names as we write them: `+1.jsonl` or `1.jsonl` would read segment 1 a second time.
        let mut segments: Vec<u32> = fs::names(&self.dir)?
            .iter()
            .filter_map(|name| name.strip_suffix(".jsonl")?.parse().ok().filter(|&segment| *name == file_name(segment)))
            .collect();
        segments.sort_unstable();
        Ok(segments)
    }

    fn path(&self, segment: u32) -> PathBuf {
        self.dir.join(file_name(segment))
    }

    fn length(&self, segment: u32) -> Result<u64, FsError> {
        fs::length(&self.path(segment))
    }
}

fn file_name(segment: u32) -> String {
    format!("{segment:06}.jsonl")
}

/// What a visitor says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// Go on.
    More,
    /// Stop here.
    Enough,
}

fn ends_in_newline(path: &Path) -> Result<bool, FsError> {
    Ok(fs::tail(path, 1)?.last() == Some(&b'\n'))
}

impl Line<'_> {
    fn change(self) -> Option<Change> {
        match self {
            Line::Change(change) => Some(change.into_owned()),
            Line::Done(_) => None,
        }
    }
}

fn parse(raw: &[u8]) -> Option<Line<'static>> {
    if raw.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    serde_json::from_slice(raw).ok()
}

fn line(line: &Line<'_>) -> Vec<u8> {
    // A record of ours always serialises: its maps have string keys. An empty line reads as nothing.
    let mut bytes = serde_json::to_vec(line).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests;
