//! A prompt's words against all segments of a store.
//!
//! Enters: segments, the dead, a prompt. Leaves: the prompt's telling terms with their posting lists, for
//! [`Lookup`] to rank by. Document numbers run through the segments in order: those of the second begin where
//! the first ends.

use super::BadSegment;
use super::lookup::Lookup;
use super::segment::{DictionaryEntry, Postings, Segment};
use super::typo::{near, slips_allowed};
use crate::tokens::{TokenShape, Tokenizer};

/// A prompt's rarest terms decide; a pasted log has thousands.
const TERMS: usize = 32;
/// Postings read for one prompt, the rarest terms first: what is left out is in so many memories
/// that it tells nothing. Keeps a search below a millisecond at any size of store.
const POSTINGS: u32 = 100_000;
/// Of a long prompt the beginning and the end are read: what is asked comes before or after a paste.
const PROMPT_HEAD: usize = 4096;
const PROMPT_TAIL: usize = 1024;
/// An identifier gives several terms, a Chinese word overlapping pairs; together they count little more
/// than one word.
const PART_WORTH: f32 = 0.5;
const WHOLE_WORTH: f32 = 0.7;
const PAIR_WORTH: f32 = 0.6;
/// Spellings tried for an unknown word, and what a hit by one is worth.
const SPELLINGS: usize = 3;
const SLIP_WORTH: f32 = 0.7;

/// A memory that is changed often leaves this many dead versions in a segment before it is merged.
const DEAD_BESIDE: u32 = 8;

/// Documents that are not to be found any more.
#[derive(Clone, Debug, Default)]
pub struct DeletedDocs {
    bits: Vec<u64>,
}

impl DeletedDocs {
    /// Marks a document dead.
    pub fn insert(&mut self, doc: u32) {
        let word = doc as usize / 64;
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        self.bits[word] |= 1 << (doc % 64);
    }

    /// Whether it is dead.
    pub fn contains(&self, doc: u32) -> bool {
        self.bits.get(doc as usize / 64).is_some_and(|word| word >> (doc % 64) & 1 == 1)
    }
}

/// The segments of a store as one.
pub struct Searcher<'a> {
    parts: Vec<(u32, Segment<'a>)>,
    pub(super) docs: u32,
    pub(super) average: f32,
    pub(super) dead: DeletedDocs,
}

/// A term of the prompt and where it was found.
pub struct Term<'a> {
    /// As indexed.
    pub text: String,
    /// As written, folded to lower case.
    pub spelled: String,
    /// What it is made of.
    pub shape: TokenShape,
    /// Documents that hold it; 0 when it is unknown here.
    pub docs: u32,
    /// How telling it is in this store.
    pub idf: f32,
    /// Its idf, less what it shares with its neighbours; the scale of all scores.
    pub weight: f32,
    /// Whether it was only found by forgiving slips.
    pub misspelt: bool,
    entries: Vec<(usize, f32, DictionaryEntry)>,
    pub(super) lists: Vec<PostingList<'a>>,
}

/// A term's postings in one segment.
pub(super) struct PostingList<'a> {
    pub(super) first: u32,
    pub(super) worth: f32,
    pub(super) lengths: &'a [u8],
    pub(super) postings: &'a [u8],
}

impl<'a> Searcher<'a> {
    /// Takes the segments in the order of their document numbers.
    pub fn new(segments: &[Segment<'a>], dead: DeletedDocs) -> Searcher<'a> {
        let (mut parts, mut docs, mut tokens) = (Vec::with_capacity(segments.len()), 0u32, 0.0f64);
        for segment in segments {
            parts.push((docs, *segment));
            docs = docs.saturating_add(segment.docs());
            tokens += segment.body_tokens() as f64;
        }
        let average = (tokens / f64::from(docs.max(1))).max(1.0) as f32;
        Searcher { parts, docs, average, dead }
    }

    /// Documents in all segments, dead ones included.
    pub fn docs(&self) -> u32 {
        self.docs
    }

    /// Whether a document is dead.
    pub(crate) fn is_dead(&self, doc: u32) -> bool {
        self.dead.contains(doc)
    }

    /// The key a document was added with.
    pub fn key(&self, doc: u32) -> Result<&'a str, BadSegment> {
        let place = self.parts.partition_point(|(first, _)| *first <= doc);
        let (first, segment) =
            place.checked_sub(1).and_then(|n| self.parts.get(n)).ok_or(BadSegment::Damaged("document number"))?;
        segment.key(doc - first)
    }

    /// Looks a prompt's terms up. `spelled_right` is asked before an unknown word is taken for a slip:
    /// a word of the language that no memory uses must not be bent into one that they do use.
    pub fn lookup(&self, prompt: &str, spelled_right: &dyn Fn(&str) -> bool) -> Result<Lookup<'_, 'a>, BadSegment> {
        let mut terms: Vec<Term<'a>> = Vec::new();
        let mut tokenizer = Tokenizer::default();
        let (head, tail) = ends(prompt);
        for text in [head, tail] {
            tokenizer.each(text, |token| {
                // Enough to choose the rarest from; keeps the search for repeats short.
                if terms.len() < 16 * TERMS && !terms.iter().any(|term| term.text == token.text) {
                    let (text, spelled) = (token.text.to_string(), token.spelled.to_string());
                    terms.push(Term {
                        text,
                        spelled,
                        shape: token.shape,
                        docs: 0,
                        idf: 0.0,
                        weight: 0.0,
                        misspelt: false,
                        entries: Vec::new(),
                        lists: Vec::new(),
                    });
                }
            });
        }
        for term in &mut terms {
            self.find(term)?;
        }
        keep_telling(&mut terms);
        for term in &mut terms {
            let slip = term.docs == 0
                && matches!(term.shape, TokenShape::Word | TokenShape::Part)
                && slips_allowed(&term.text) > 0;
            if slip && !spelled_right(&term.spelled) {
                self.find_misspelt(term)?;
            }
            self.list(term)?;
        }
        Ok(Lookup { searcher: self, terms })
    }

    /// The living documents that hold a term as it is indexed; none where more than `most` do.
    pub(crate) fn holders(&self, term: &str, most: u32) -> Result<Vec<u32>, BadSegment> {
        let mut found = Vec::new();
        for (first, segment) in &self.parts {
            let Some(entry) = segment.find(term)? else { continue };
            // Many of those may be dead, and each is looked at.
            if entry.docs > most.saturating_mul(DEAD_BESIDE) {
                return Ok(Vec::new());
            }
            let docs = Postings::new(segment.postings(entry)?).map(|(doc, _)| first.saturating_add(doc));
            found.extend(docs.filter(|doc| !self.dead.contains(*doc)));
            if found.len() > most as usize {
                return Ok(Vec::new());
            }
        }
        Ok(found)
    }

    fn find(&self, term: &mut Term<'a>) -> Result<(), BadSegment> {
        for (part, (_, segment)) in self.parts.iter().enumerate() {
            if let Some(entry) = segment.find(&term.text)? {
                term.docs += entry.docs;
                term.entries.push((part, 1.0, entry));
            }
        }
        self.weigh(term);
        Ok(())
    }

    fn list(&self, term: &mut Term<'a>) -> Result<(), BadSegment> {
        for (part, worth, entry) in term.entries.drain(..) {
            let (first, segment) = &self.parts[part];
            term.lists.push(PostingList {
                first: *first,
                worth,
                lengths: segment.lengths(),
                postings: segment.postings(entry)?,
            });
        }
        Ok(())
    }

    fn find_misspelt(&self, term: &mut Term<'a>) -> Result<(), BadSegment> {
        let mut found = Vec::new();
        for (part, (_, segment)) in self.parts.iter().enumerate() {
            found.extend(near(segment, &term.text)?.into_iter().map(|near| (part, near)));
        }
        let Some(least) = found.iter().map(|(_, near)| near.slips).min() else {
            return Ok(());
        };
        found.retain(|(_, near)| near.slips == least);
        found.sort_by(|(_, a), (_, b)| (b.entry.docs, &a.term).cmp(&(a.entry.docs, &b.term)));
        let mut spellings: Vec<String> = Vec::new();
        for (part, near) in found {
            if !spellings.contains(&near.term) {
                if spellings.len() == SPELLINGS {
                    continue;
                }
                spellings.push(near.term);
            }
            term.docs += near.entry.docs;
            term.entries.push((part, SLIP_WORTH.powi(i32::from(least)), near.entry));
        }
        term.misspelt = true;
        self.weigh(term);
        Ok(())
    }

    fn weigh(&self, term: &mut Term<'_>) {
        term.idf = idf(self.docs, term.docs);
        term.weight = term.idf
            * match term.shape {
                TokenShape::Word => 1.0,
                TokenShape::Part => PART_WORTH,
                // Nobody else writes this identifier: that says nothing about its parts.
                TokenShape::Whole if term.docs == 0 => 0.0,
                TokenShape::Whole => WHOLE_WORTH,
                TokenShape::Pair => PAIR_WORTH,
            };
    }
}

/// How telling a term is that this many of all documents hold.
pub(super) fn idf(all: u32, docs: u32) -> f32 {
    let (all, docs) = (all as f32, docs as f32);
    ((all - docs + 0.5).max(0.5) / (docs + 0.5)).ln_1p()
}

/// Leaves out the terms that cost much and tell little, the rest in their order.
fn keep_telling(terms: &mut Vec<Term<'_>>) {
    let mut order: Vec<usize> = (0..terms.len()).filter(|n| terms[*n].docs > 0).collect();
    order.sort_by_key(|n| terms[*n].docs);
    let mut kept = vec![false; terms.len()];
    let (mut count, mut postings) = (0, 0u32);
    for n in order {
        postings = postings.saturating_add(terms[n].docs);
        kept[n] = count < TERMS && (count == 0 || postings <= POSTINGS);
        count += 1;
    }
    // An unknown word costs nothing, and says that the prompt is about something else.
    for n in 0..terms.len() {
        if terms[n].docs == 0 && count < TERMS {
            kept[n] = true;
            count += 1;
        }
    }
    let mut keep = kept.into_iter();
    terms.retain(|_| keep.next().unwrap_or(false));
}

/// The beginning and the end of a long prompt, or all of a short one.
pub(crate) fn ends(prompt: &str) -> (&str, &str) {
    if prompt.len() <= PROMPT_HEAD + PROMPT_TAIL {
        return (prompt, "");
    }
    let (head, tail) = (prompt.floor_char_boundary(PROMPT_HEAD), prompt.ceil_char_boundary(prompt.len() - PROMPT_TAIL));
    (&prompt[..head], &prompt[tail..])
}
