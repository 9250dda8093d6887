//! One segment of the search cache: a table of memories and their lexical index, in one flat file.
//!
//! Enters: headers, facts and fields of memories. Leaves: bytes that are opened in place; what a
//! query touches is read and checked then. Never trusts the bytes: whatever does not fit reads as
//! "not there", and the cache is built again.

use memdir_core::kind::Type;
use memdir_search::lexical::{DocFields, Segment, SegmentBuilder};
use memdir_store::fs::FileStat;
use memdir_store::history::Hash;
use memdir_store::written::{nanoseconds, timestamp};
use memdir_store::{TimeSource, Written};

const MAGIC: &[u8; 8] = b"mdsheet\x04";
/// Magic, number of memories, length of the heap, length of the index.
const HEAD: usize = 32;
const RECORD: usize = 96;

/// A memory in a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doc<'s> {
    /// Relative to the root of its store.
    pub(crate) path: &'s str,
    pub(crate) name: &'s str,
    pub(crate) description: &'s str,
    pub(crate) kind: Option<Type>,
    pub(crate) pinned: bool,
    pub(crate) facts: FileStat,
    pub(crate) hash: Hash,
    pub(crate) written: Written,
}

/// Builds a segment. Memories are to be added in the order of their paths.
#[derive(Default)]
pub(crate) struct CacheSegmentBuilder {
    records: Vec<u8>,
    heap: Vec<u8>,
    index: SegmentBuilder,
}

impl CacheSegmentBuilder {
    pub(crate) fn add(&mut self, doc: &Doc<'_>, body: &str) {
        for text in [doc.path, doc.name, doc.description] {
            self.records.extend_from_slice(&(self.heap.len() as u32).to_le_bytes());
            self.records.extend_from_slice(&(text.len() as u32).to_le_bytes());
            self.heap.extend_from_slice(text.as_bytes());
        }
        let facts = doc.facts;
        for number in [facts.mtime_ns as u64, facts.ctime_ns as u64, facts.size, facts.inode, facts.links] {
            self.records.extend_from_slice(&number.to_le_bytes());
        }
        self.records.extend_from_slice(&doc.hash.0);
        let kind = doc.kind.and_then(|kind| Type::ALL.iter().position(|&other| other == kind));
        self.records.extend_from_slice(&[
            kind.map_or(0, |at| at as u8 + 1),
            u8::from(doc.pinned),
            doc.written.source.number(),
            0,
            0,
            0,
            0,
            0,
        ]);
        self.records.extend_from_slice(&nanoseconds(doc.written.at).to_le_bytes());
        self.index.add(&DocFields { key: doc.path, name: doc.name, description: doc.description, body });
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        let index = self.index.finish();
        assemble(&self.records, &self.heap, &index)
    }
}

fn assemble(records: &[u8], heap: &[u8], index: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEAD + records.len() + heap.len() + index.len());
    out.extend_from_slice(MAGIC);
    for length in [records.len() / RECORD, heap.len(), index.len()] {
        out.extend_from_slice(&(length as u64).to_le_bytes());
    }
    out.extend_from_slice(records);
    out.extend_from_slice(heap);
    out.extend_from_slice(index);
    out
}

/// An open segment.
#[derive(Clone, Copy)]
pub(crate) struct CacheSegment<'s> {
    records: &'s [u8],
    heap: &'s [u8],
    index: &'s [u8],
}

impl<'s> CacheSegment<'s> {
    /// Opens a segment; `None` when the bytes are not one.
    pub(crate) fn open(bytes: &'s [u8]) -> Option<CacheSegment<'s>> {
        if bytes.get(..8)? != MAGIC {
            return None;
        }
        let length = |at: usize| -> Option<usize> {
            usize::try_from(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?)).ok()
        };
        let (count, heap, index) = (length(8)?, length(16)?, length(24)?);
        let records = count.checked_mul(RECORD)?;
        let rest = bytes.get(HEAD..)?;
        if rest.len() != records.checked_add(heap)?.checked_add(index)? {
            return None;
        }
        let (records, rest) = rest.split_at_checked(records)?;
        let (heap, index) = rest.split_at_checked(heap)?;
        Some(CacheSegment { records, heap, index })
    }

    /// How many memories, dead ones included.
    pub(crate) fn len(&self) -> u32 {
        (self.records.len() / RECORD) as u32
    }

    /// Its lexical index; `None` when it is damaged or does not belong to this table.
    pub(crate) fn lexical(&self) -> Option<Segment<'s>> {
        Segment::open(self.index).ok().filter(|segment| segment.docs() == self.len())
    }

    /// The number of a path. Memories are in the order of their paths.
    pub(crate) fn find(&self, path: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.path(middle)?.cmp(path) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    fn path(&self, at: u32) -> Option<&'s str> {
        let start = (at as usize).checked_mul(RECORD)?;
        let number = |at: usize| Some(u32::from_le_bytes(self.records.get(at..at + 4)?.try_into().ok()?) as usize);
        let (start, length) = (number(start)?, number(start + 4)?);
        std::str::from_utf8(self.heap.get(start..start.checked_add(length)?)?).ok()
    }

    /// One memory.
    pub(crate) fn doc(&self, at: u32) -> Option<Doc<'s>> {
        let start = (at as usize).checked_mul(RECORD)?;
        let record = self.records.get(start..start.checked_add(RECORD)?)?;
        let small = |at: usize| -> Option<usize> {
            Some(u32::from_le_bytes(record.get(at..at + 4)?.try_into().ok()?) as usize)
        };
        let number = |at: usize| -> Option<u64> { Some(u64::from_le_bytes(record.get(at..at + 8)?.try_into().ok()?)) };
        let text = |at: usize| -> Option<&'s str> {
            let (start, length) = (small(at)?, small(at + 4)?);
            std::str::from_utf8(self.heap.get(start..start.checked_add(length)?)?).ok()
        };
        Some(Doc {
            path: text(0)?,
            name: text(8)?,
            description: text(16)?,
            facts: FileStat {
                mtime_ns: number(24)? as i64,
                ctime_ns: number(32)? as i64,
                size: number(40)?,
                inode: number(48)?,
                links: number(56)?,
            },
            hash: Hash(record.get(64..80)?.try_into().ok()?),
            kind: usize::from(record[80]).checked_sub(1).and_then(|at| Type::ALL.get(at).copied()),
            pinned: record[81] == 1,
            written: Written { at: timestamp(number(88)? as i64), source: TimeSource::numbered(record[82]) },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WRITTEN: Written = Written { at: jiff::Timestamp::UNIX_EPOCH, source: TimeSource::Transcript };

    fn segment() -> Vec<u8> {
        let mut builder = CacheSegmentBuilder::default();
        for (at, path) in (0..5_u8).zip(["a.md", "b.md", "feedback_x.md", "m/c.md", "z.md"]) {
            let doc = Doc {
                path,
                name: "No mocks",
                description: "tests use a real database",
                kind: Some(Type::Feedback),
                pinned: at == 2,
                facts: FileStat { mtime_ns: -5, ctime_ns: 7, size: 9, inode: u64::from(at), links: 1 },
                hash: Hash([at; 16]),
                written: WRITTEN,
            };
            builder.add(&doc, "a body");
        }
        builder.finish()
    }

    #[test]
    fn what_was_put_in_comes_out() {
        let bytes = segment();
        let segment = CacheSegment::open(&bytes).unwrap();
        assert_eq!(segment.len(), 5);
        let doc = segment.doc(2).unwrap();
        assert_eq!((doc.path, doc.name, doc.description), ("feedback_x.md", "No mocks", "tests use a real database"));
        assert_eq!(
            (doc.kind, doc.pinned, doc.facts.mtime_ns, doc.hash, doc.written),
            (Some(Type::Feedback), true, -5, Hash([2; 16]), WRITTEN)
        );
        assert!(segment.doc(5).is_none());
        assert_eq!((segment.find("a.md"), segment.find("m/c.md"), segment.find("z.md")), (Some(0), Some(3), Some(4)));
        assert_eq!((segment.find(""), segment.find("c.md"), segment.find("zz")), (None, None, None));
        assert_eq!(segment.lexical().unwrap().docs(), 5);
    }

    proptest! {
        #[test]
        fn damaged_bytes_are_refused_or_harmless(at in 0_usize..2_000, bit in 0_u8..8, cut in 0_usize..2_000) {
            let mut bytes = segment();
            let length = bytes.len();
            bytes[at % length] ^= 1 << bit;
            for bytes in [&bytes[..], &bytes[..cut % length]] {
                if let Some(segment) = CacheSegment::open(bytes) {
                    for at in 0..segment.len().min(100) {
                        let _ = segment.doc(at);
                        let _ = segment.find("feedback_x.md");
                    }
                    let _ = segment.lexical();
                }
            }
        }
    }
}
