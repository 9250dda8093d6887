//! The catalog as a file: all texts in one piece, then one record of fixed size a file, then a
//! trailer that says how many of each. Loading is one read and no copy of any text.
//!
//! Enters and leaves: bytes. Damage of any kind is "no catalog", never a panic: every number that
//! was read is checked before it is used.

use super::{Catalog, Slot};
use crate::fs::FileStat;
use crate::history::{Hash, Position};
use crate::written::{TimeSource, Written, nanoseconds, timestamp};
use memdir_core::kind::Type;

/// Bumped with every change of the layout below, or of what stands in it; another number means "start over".
const MAGIC: &[u8; 8] = b"mdcat\x00\x00\x04";
/// Bytes of one record.
const RECORD: usize = 7 * 4 + 6 * 8 + 16;
/// Bytes of the trailer.
const TRAILER: usize = 6 * 8;

/// How much of what is in a file.
struct Trailer {
    sum: u64,
    position: Position,
    records: usize,
    text: usize,
}

/// How many files a catalog knows, from the last bytes of its file alone.
pub(super) fn count(tail: &[u8]) -> Option<usize> {
    Trailer::read(tail).map(|trailer| trailer.records)
}

/// How many bytes [`count`] needs.
pub(super) const COUNT_BYTES: u64 = TRAILER as u64;

impl Trailer {
    fn read(bytes: &[u8]) -> Option<Trailer> {
        let mut fields = Fields(bytes.get(bytes.len().checked_sub(TRAILER)?..)?);
        let (sum, segment, offset) = (fields.long()?, fields.long()?, fields.long()?);
        let (records, text) = (fields.long()?, fields.long()?);
        if fields.0 != MAGIC {
            return None;
        }
        let position = Position { segment: u32::try_from(segment).ok()?, offset };
        Some(Trailer { sum, position, records: usize::try_from(records).ok()?, text: usize::try_from(text).ok()? })
    }

    fn write(&self, out: &mut Vec<u8>) {
        [self.sum].into_iter().chain(self.fields()).for_each(|field| out.extend_from_slice(&field.to_le_bytes()));
        out.extend_from_slice(MAGIC);
    }

    /// The sum of a file with this trailer.
    fn sum_of(&self, bytes: &[u8]) -> u64 {
        self.fields().into_iter().fold(checksum(bytes), |sum, field| mix(sum, &field.to_le_bytes()))
    }

    fn fields(&self) -> [u64; 4] {
        [u64::from(self.position.segment), self.position.offset, self.records as u64, self.text as u64]
    }
}

/// Reads a catalog; `None` when it is damaged or of another version.
pub(super) fn decode(mut bytes: Vec<u8>) -> Option<Catalog> {
    let trailer = Trailer::read(&bytes)?;
    let whole = trailer.records.checked_mul(RECORD)?.checked_add(trailer.text)?.checked_add(TRAILER)?;
    if whole != bytes.len() {
        return None;
    }
    // No fuzzer guesses the sum, and behind it is what it should reach.
    if !cfg!(fuzzing) && trailer.sum_of(&bytes[..bytes.len() - TRAILER]) != trailer.sum {
        return None;
    }
    let mut records = Fields(bytes.get(trailer.text..bytes.len() - TRAILER)?);
    let mut slots = Vec::with_capacity(trailer.records);
    for _ in 0..trailer.records {
        slots.push(Slot::read(&mut records)?);
    }
    bytes.truncate(trailer.text);
    let text = String::from_utf8(bytes).ok()?;
    // A path must be there; the other texts may be absent, never outside.
    let inside = |slot: &Slot| {
        slot.lengths[0] != super::NONE && slot.texts().into_iter().flatten().all(|range| text.get(range).is_some())
    };
    if !slots.iter().all(inside) {
        return None;
    }
    Some(Catalog { text, slots, position: trailer.position, ..Catalog::default() })
}

/// Writes a catalog, without the texts that nobody needs any more. `None`: too large to be kept.
pub(super) fn encode(catalog: &Catalog) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(catalog.text.len() + catalog.slots.len() * RECORD + TRAILER);
    let mut records = Vec::with_capacity(catalog.slots.len() * RECORD);
    for slot in catalog.slots.iter().filter(|slot| !slot.gone) {
        let start = u32::try_from(out.len()).ok()?;
        for range in slot.texts().into_iter().flatten() {
            out.extend_from_slice(catalog.text.get(range)?.as_bytes());
        }
        slot.write(start, &mut records);
    }
    let mut trailer = Trailer { sum: 0, position: catalog.position, records: catalog.len(), text: out.len() };
    out.append(&mut records);
    trailer.sum = trailer.sum_of(&out);
    trailer.write(&mut out);
    Some(out)
}

impl Slot {
    fn read(fields: &mut Fields<'_>) -> Option<Slot> {
        let start = fields.short()?;
        let lengths = [fields.short()?, fields.short()?, fields.short()?];
        let kind = (fields.short()? as usize).checked_sub(1).and_then(|at| Type::ALL.get(at).copied());
        let pinned = fields.short()? == 1;
        let source = TimeSource::numbered(u8::try_from(fields.short()?).unwrap_or_default());
        let facts = FileStat {
            mtime_ns: fields.long()? as i64,
            ctime_ns: fields.long()? as i64,
            size: fields.long()?,
            inode: fields.long()?,
            links: fields.long()?,
        };
        let written = Written { at: timestamp(fields.long()? as i64), source };
        let hash = Hash(fields.take()?);
        let facts = (facts.inode != 0).then_some(facts);
        Some(Slot { start, lengths, kind, pinned, written, gone: false, facts, hash })
    }

    fn write(&self, start: u32, out: &mut Vec<u8>) {
        let kind = self.kind.and_then(|kind| Type::ALL.iter().position(|&other| other == kind));
        let marks =
            [kind.map_or(0, |at| at as u32 + 1), u32::from(self.pinned), u32::from(self.written.source.number())];
        for number in [start].into_iter().chain(self.lengths).chain(marks) {
            out.extend_from_slice(&number.to_le_bytes());
        }
        let facts = self.facts.unwrap_or(FileStat { mtime_ns: 0, ctime_ns: 0, size: 0, inode: 0, links: 0 });
        let written = nanoseconds(self.written.at) as u64;
        for number in [facts.mtime_ns as u64, facts.ctime_ns as u64, facts.size, facts.inode, facts.links, written] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&self.hash.0);
    }
}

/// A quick sum against torn and bit-rotten caches; nobody is kept out by it.
///
/// Four sums side by side, since a processor multiplies several numbers at once.
fn checksum(bytes: &[u8]) -> u64 {
    let mut sums = [1, 2, 3, bytes.len() as u64];
    let mut blocks = bytes.chunks_exact(32);
    for block in &mut blocks {
        for (sum, word) in sums.iter_mut().zip(block.chunks_exact(8)) {
            *sum = mix(*sum, word);
        }
    }
    let rest = blocks.remainder().chunks(8).fold(0, mix);
    sums.iter().fold(rest, |all, sum| mix(all, &sum.to_le_bytes()))
}

/// Takes up to eight bytes into a sum.
fn mix(sum: u64, word: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut long = [0; 8];
    long[..word.len()].copy_from_slice(word);
    (sum ^ u64::from_le_bytes(long)).wrapping_mul(ODD).rotate_left(29)
}

struct Fields<'b>(&'b [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }

    fn short(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn long(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }
}
