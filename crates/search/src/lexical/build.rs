//! Memories → the bytes of a segment.
//!
//! Enters: the fields of each memory, or segments to be made one. Leaves: bytes for
//! [`Segment::open`](super::Segment::open). The order of adding is the order of document numbers.

use super::segment::{BLOCK_TERMS, HEADER_BYTES, MAGIC, Postings, Segment, VERSION};
use super::wire::{checksum, put_varint};
use super::{BadSegment, Counts, Field};
use crate::tokens::{TokenShape, Tokenizer};
use memdir_core::kind::Type;
use std::collections::HashMap;

/// What of a memory is indexed.
#[derive(Clone, Copy, Debug, Default)]
pub struct DocFields<'a> {
    /// The file, relative to its scope; comes back from [`Segment::key`].
    pub key: &'a str,
    /// `name` in the frontmatter.
    pub name: &'a str,
    /// `description` in the frontmatter.
    pub description: &'a str,
    /// What is below the frontmatter.
    pub body: &'a str,
}

/// Collects memories and writes a segment.
#[derive(Default)]
pub struct SegmentBuilder {
    tokenizer: Tokenizer,
    ids: HashMap<Box<str>, u32>,
    lists: Vec<PostingListBuilder>,
    docs: Vec<IndexedDoc>,
    body_tokens: u64,
}

struct IndexedDoc {
    key: Box<str>,
    length: u8,
}

#[derive(Default)]
struct PostingListBuilder {
    bytes: Vec<u8>,
    docs: u32,
    /// The smallest document number the next posting may have.
    next: u32,
    /// The document being counted, if `counts` is not all zero.
    doc: u32,
    counts: [u8; 4],
}

impl PostingListBuilder {
    fn count(&mut self, doc: u32, field: Field) {
        if self.doc != doc {
            self.flush();
            self.doc = doc;
        }
        let count = &mut self.counts[field as usize];
        *count = count.saturating_add(1);
    }

    fn flush(&mut self) {
        if self.counts != [0; 4] {
            let counts = Counts::from_counts(std::mem::take(&mut self.counts));
            self.push(self.doc, counts);
        }
    }

    fn push(&mut self, doc: u32, counts: Counts) {
        put_varint(&mut self.bytes, doc - self.next);
        self.bytes.push(counts.0);
        self.next = doc + 1;
        self.docs += 1;
    }
}

impl SegmentBuilder {
    /// Adds one memory and returns its number.
    pub fn add(&mut self, fields: &DocFields<'_>) -> u32 {
        let doc = self.docs.len() as u32;
        let file = fields.key.strip_suffix(".md").unwrap_or(fields.key);
        self.count(doc, Field::File, file);
        self.count(doc, Field::Name, fields.name);
        self.count(doc, Field::Description, fields.description);
        let tokens = self.count(doc, Field::Body, fields.body);
        self.body_tokens += u64::from(tokens);
        self.docs.push(IndexedDoc { key: fields.key.into(), length: length_code(tokens) });
        doc
    }

    /// Memories added so far.
    pub fn docs(&self) -> u32 {
        self.docs.len() as u32
    }

    fn count(&mut self, doc: u32, field: Field, text: &str) -> u32 {
        let (ids, lists) = (&mut self.ids, &mut self.lists);
        let mut tokens = 0;
        self.tokenizer.each(text, |token| {
            tokens += 1;
            // The type prefix of a file name is shared by a quarter of all memories and says nothing.
            if field == Field::File
                && matches!(token.shape, TokenShape::Word | TokenShape::Part)
                && Type::parse(token.spelled).is_some()
            {
                return;
            }
            let id = id_of(ids, lists, token.text);
            lists[id].count(doc, field);
        });
        tokens
    }

    /// Writes the segment.
    pub fn finish(mut self) -> Vec<u8> {
        let mut order: Vec<(Box<str>, u32)> = self.ids.drain().collect();
        order.sort_unstable();
        let (mut postings, mut terms, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        for block in order.chunks(BLOCK_TERMS as usize) {
            let start = terms.len();
            let number = (blocks.len() / 4) as u32;
            blocks.extend((start as u32).to_le_bytes());
            terms.extend((postings.len() as u64).to_le_bytes());
            let mut before: &[u8] = b"";
            for (term, id) in block {
                let list = &mut self.lists[*id as usize];
                list.flush();
                let term = term.as_bytes();
                let shared = before.iter().zip(term).take_while(|(a, b)| a == b).count();
                put_varint(&mut terms, shared as u32);
                put_varint(&mut terms, (term.len() - shared) as u32);
                terms.extend(&term[shared..]);
                put_varint(&mut terms, list.docs);
                put_varint(&mut terms, list.bytes.len() as u32);
                terms.extend(checksum(&list.bytes).to_le_bytes());
                postings.append(&mut list.bytes);
                before = term;
            }
            terms.extend((checksum(&terms[start..]) ^ number).to_le_bytes());
        }
        let (mut keys, mut starts) = (Vec::new(), Vec::new());
        for (number, doc) in self.docs.iter().enumerate() {
            starts.extend((keys.len() as u32).to_le_bytes());
            put_varint(&mut keys, doc.key.len() as u32);
            keys.extend(doc.key.as_bytes());
            keys.extend((checksum(doc.key.as_bytes()) ^ number as u32).to_le_bytes());
        }
        let lengths: Vec<u8> = self.docs.iter().map(|doc| doc.length).collect();
        let counts = [self.docs.len() as u32, order.len() as u32, (blocks.len() / 4) as u32];
        assemble(counts, self.body_tokens, [&postings, &terms, &blocks, &lengths, &keys, &starts])
    }
}

fn id_of(ids: &mut HashMap<Box<str>, u32>, lists: &mut Vec<PostingListBuilder>, term: &str) -> usize {
    if let Some(id) = ids.get(term) {
        return *id as usize;
    }
    let id = lists.len();
    ids.insert(term.into(), id as u32);
    lists.push(PostingListBuilder::default());
    id
}

fn assemble(counts: [u32; 3], body_tokens: u64, sections: [&[u8]; 6]) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEADER_BYTES + sections.iter().map(|s| s.len()).sum::<usize>());
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    for count in counts {
        out.extend(count.to_le_bytes());
    }
    out.extend(body_tokens.to_le_bytes());
    let mut end = HEADER_BYTES as u64;
    for section in sections {
        end += section.len() as u64;
        out.extend(end.to_le_bytes());
    }
    out.extend(checksum(sections[3]).to_le_bytes());
    out.extend(checksum(&out).to_le_bytes());
    for section in sections {
        out.extend(section);
    }
    out
}

/// Makes one segment of several, without the dead. Documents keep their order; `keep` is asked with
/// the number of the segment and of the document in it.
pub fn merge(segments: &[Segment<'_>], keep: impl Fn(usize, u32) -> bool) -> Result<Vec<u8>, BadSegment> {
    let mut out = SegmentBuilder::default();
    for (number, segment) in segments.iter().enumerate() {
        let mut renumbered = Vec::with_capacity(segment.docs() as usize);
        for doc in 0..segment.docs() {
            let kept = keep(number, doc);
            renumbered.push(kept.then_some(out.docs.len() as u32));
            if kept {
                let length = segment.lengths()[doc as usize];
                out.body_tokens += length_of(length) as u64;
                out.docs.push(IndexedDoc { key: segment.key(doc)?.into(), length });
            }
        }
        for block in 0..segment.block_count() {
            let mut entries = segment.entries(block)?;
            while let Some(entry) = entries.next()? {
                let term = std::str::from_utf8(entries.term()).map_err(|_| BadSegment::Damaged("terms"))?;
                let mut list = None;
                for (doc, counts) in Postings::new(segment.postings(entry)?) {
                    let Some(Some(doc)) = renumbered.get(doc as usize) else {
                        continue;
                    };
                    let id = *list.get_or_insert_with(|| id_of(&mut out.ids, &mut out.lists, term));
                    if *doc < out.lists[id].next {
                        return Err(BadSegment::Damaged("terms"));
                    }
                    out.lists[id].push(*doc, counts);
                }
            }
        }
    }
    Ok(out.finish())
}

/// Body length in one byte, in steps of about 4 %.
fn length_code(tokens: u32) -> u8 {
    (f64::from(tokens).ln_1p() * 16.0 / std::f64::consts::LN_2).round().min(255.0) as u8
}

/// The length a code stands for.
pub(super) fn length_of(code: u8) -> f32 {
    (f32::from(code) * (std::f32::consts::LN_2 / 16.0)).exp_m1()
}
