//! A segment opened in place.
//!
//! Enters: bytes, mapped or read. Leaves: dictionary entries, posting lists, keys. Opening reads the
//! header and one byte a document; everything else is checked when it is touched.
//!
//! ```text
//! header   magic, version, counts, total body length, section starts, checksum
//! postings for each term: (document gap, counts)*
//! terms    blocks of 16, each term as (shared prefix, rest, documents, bytes of postings, their checksum)
//! blocks   where each block of terms starts
//! lengths  one byte a document: body length, logarithmic
//! keys     for each document its file, with a checksum
//! starts   where each key starts
//! ```

use super::wire::{ByteReader, checksum};
use super::{BadSegment, Counts};
use crate::tokens::TOKENS_VERSION;

pub(super) const MAGIC: &[u8; 8] = b"memdirLX";
/// Layout and tokenizer together: either changing makes old segments useless.
pub(super) const VERSION: u32 = 100 + TOKENS_VERSION;
pub(super) const HEADER_BYTES: usize = 8 + 4 * 4 + 8 + 8 * 6 + 4 + 4;
pub(super) const BLOCK_TERMS: u32 = 16;

/// An opened segment; cheap to copy, borrows the bytes.
#[derive(Clone, Copy)]
pub struct Segment<'a> {
    docs: u32,
    body_tokens: u64,
    block_count: u32,
    postings: &'a [u8],
    terms: &'a [u8],
    blocks: &'a [u8],
    lengths: &'a [u8],
    keys: &'a [u8],
    starts: &'a [u8],
}

impl<'a> Segment<'a> {
    /// Opens a segment without reading it through.
    pub fn open(bytes: &'a [u8]) -> Result<Segment<'a>, BadSegment> {
        let mut header = ByteReader::new(bytes.get(..HEADER_BYTES).ok_or(BadSegment::Truncated)?);
        if header.take(8)? != MAGIC {
            return Err(BadSegment::Foreign);
        }
        let found = header.u32()?;
        if found != VERSION {
            return Err(BadSegment::Version { found });
        }
        let docs = header.u32()?;
        let _terms = header.u32()?;
        let block_count = header.u32()?;
        let body_tokens = header.u64()?;
        let mut ends = [0usize; 6];
        for end in &mut ends {
            *end = usize::try_from(header.u64()?).map_err(|_| BadSegment::Damaged("header"))?;
        }
        let lengths_sum = header.u32()?;
        if header.u32()? != checksum(&bytes[..HEADER_BYTES - 4]) {
            return Err(BadSegment::Damaged("header"));
        }
        let mut sections = [&bytes[..0]; 6];
        let mut start = HEADER_BYTES;
        for (section, end) in sections.iter_mut().zip(ends) {
            *section = bytes.get(start..end).ok_or(BadSegment::Truncated)?;
            start = end;
        }
        let [postings, terms, blocks, lengths, keys, starts] = sections;
        let exact = |section: &[u8], count: u32| section.len() as u64 == u64::from(count) * 4;
        if start != bytes.len() || lengths.len() != docs as usize || !exact(blocks, block_count) || !exact(starts, docs)
        {
            return Err(BadSegment::Damaged("sections"));
        }
        if checksum(lengths) != lengths_sum {
            return Err(BadSegment::Damaged("lengths"));
        }
        Ok(Segment { docs, body_tokens, block_count, postings, terms, blocks, lengths, keys, starts })
    }

    /// Documents in it, dead ones included.
    pub fn docs(&self) -> u32 {
        self.docs
    }

    /// The key a document was added with.
    pub fn key(&self, doc: u32) -> Result<&'a str, BadSegment> {
        let start = number(self.starts, doc).ok_or(BadSegment::Damaged("document number"))?;
        let mut reader = ByteReader::new(self.keys.get(start as usize..).ok_or(BadSegment::Damaged("key"))?);
        let length = reader.varint()? as usize;
        let key = reader.take(length)?;
        if reader.u32()? != checksum(key) ^ doc {
            return Err(BadSegment::Damaged("key"));
        }
        std::str::from_utf8(key).map_err(|_| BadSegment::Damaged("key"))
    }

    pub(super) fn body_tokens(&self) -> u64 {
        self.body_tokens
    }

    pub(super) fn lengths(&self) -> &'a [u8] {
        self.lengths
    }

    /// The documents that hold a term.
    pub(super) fn find(&self, term: &str) -> Result<Option<DictionaryEntry>, BadSegment> {
        let Some(block) = self.block_of(term.as_bytes())? else {
            return Ok(None);
        };
        let mut entries = self.entries(block)?;
        while let Some(entry) = entries.next()? {
            match entries.term().cmp(term.as_bytes()) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => return Ok(Some(entry)),
                std::cmp::Ordering::Greater => break,
            }
        }
        Ok(None)
    }

    pub(super) fn block_count(&self) -> u32 {
        self.block_count
    }

    /// The last block whose first term is not after `term`.
    pub(super) fn block_of(&self, term: &[u8]) -> Result<Option<u32>, BadSegment> {
        let (mut low, mut high) = (0, self.block_count);
        while low < high {
            let middle = low + (high - low) / 2;
            let mut entries = self.entries(middle)?;
            entries.next()?;
            if entries.term() <= term {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low.checked_sub(1))
    }

    /// The terms of one block, once its checksum was found right.
    pub(super) fn entries(&self, block: u32) -> Result<Entries<'a>, BadSegment> {
        let bad = BadSegment::Damaged("terms");
        let start = number(self.blocks, block).ok_or(bad)? as usize;
        let end = match number(self.blocks, block + 1) {
            Some(end) => end as usize,
            None => self.terms.len(),
        };
        let bytes = self.terms.get(start..end).ok_or(bad)?;
        let (bytes, sum) = bytes.split_last_chunk::<4>().ok_or(bad)?;
        if u32::from_le_bytes(*sum) != checksum(bytes) ^ block {
            return Err(bad);
        }
        let mut reader = ByteReader::new(bytes);
        let at = reader.u64()?;
        Ok(Entries { reader, at, term: Vec::new() })
    }

    /// A term's postings, once their checksum was found right.
    pub(super) fn postings(&self, entry: DictionaryEntry) -> Result<&'a [u8], BadSegment> {
        let bad = BadSegment::Damaged("postings");
        let start = usize::try_from(entry.at).map_err(|_| bad)?;
        let end = start.checked_add(entry.bytes as usize).ok_or(bad)?;
        let list = self.postings.get(start..end).ok_or(bad)?;
        if checksum(list) != entry.sum || entry.docs > self.docs {
            return Err(bad);
        }
        Ok(list)
    }
}

fn number(section: &[u8], index: u32) -> Option<u32> {
    let start = (index as usize).checked_mul(4)?;
    let bytes = section.get(start..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*bytes))
}

/// Walks the terms of a block.
pub(super) struct Entries<'a> {
    reader: ByteReader<'a>,
    at: u64,
    term: Vec<u8>,
}

/// What the dictionary says of a term.
#[derive(Clone, Copy)]
pub(super) struct DictionaryEntry {
    /// Leading bytes it shares with the term before it.
    pub(super) shared: usize,
    pub(super) docs: u32,
    at: u64,
    bytes: u32,
    sum: u32,
}

impl Entries<'_> {
    /// The term that the last entry was for.
    pub(super) fn term(&self) -> &[u8] {
        &self.term
    }

    pub(super) fn next(&mut self) -> Result<Option<DictionaryEntry>, BadSegment> {
        if self.reader.is_empty() {
            return Ok(None);
        }
        let shared = self.reader.varint()? as usize;
        let rest = self.reader.varint()? as usize;
        let rest = self.reader.take(rest)?;
        if shared > self.term.len() {
            return Err(BadSegment::Damaged("terms"));
        }
        self.term.truncate(shared);
        self.term.extend_from_slice(rest);
        let (docs, bytes) = (self.reader.varint()?, self.reader.varint()?);
        let entry = DictionaryEntry { shared, docs, at: self.at, bytes, sum: self.reader.u32()? };
        self.at = self.at.saturating_add(u64::from(bytes));
        Ok(Some(entry))
    }
}

/// Decodes a posting list; stops at the first number that makes no sense.
pub(super) struct Postings<'a> {
    reader: ByteReader<'a>,
    next: u32,
}

impl<'a> Postings<'a> {
    pub(super) fn new(list: &'a [u8]) -> Self {
        Postings { reader: ByteReader::new(list), next: 0 }
    }
}

impl Iterator for Postings<'_> {
    type Item = (u32, Counts);

    #[inline]
    fn next(&mut self) -> Option<(u32, Counts)> {
        let gap = self.reader.varint().ok()?;
        let counts = Counts(self.reader.byte().ok()?);
        let doc = self.next.checked_add(gap)?;
        self.next = doc.checked_add(1)?;
        Some((doc, counts))
    }
}
