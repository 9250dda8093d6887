//! What a prompt's words found: the best documents by BM25F, and for any documents which term stands where.
//!
//! Enters: terms with their posting lists ([`Searcher::lookup`]). Leaves: scores and places. Reads each list once and keeps
//! nothing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::build::length_of;
use super::searcher::{Searcher, Term, idf};
use super::segment::Postings;
use super::{Counts, Field};

/// What a hit is worth by field: a file name is chosen with care, a body holds a hundred words.
const FIELD_WEIGHT: [f32; 4] = [3.0, 2.5, 2.0, 1.0];
/// What the four levels of [`Counts`] stand for.
const LEVEL: [f32; 4] = [0.0, 1.0, 2.4, 5.0];
/// BM25: how fast repetition stops counting, and how much a long body is held against a hit.
const K1: f32 = 1.2;
const B: f32 = 0.5;

/// A prompt looked up in the dictionaries.
pub struct Lookup<'s, 'a> {
    pub(super) searcher: &'s Searcher<'a>,
    /// The prompt's terms, in the order they were written.
    pub terms: Vec<Term<'a>>,
}

/// A document and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundDoc {
    /// Its number.
    pub doc: u32,
    /// BM25F as a share of what a document with every term everywhere would get.
    pub score: f32,
}

/// For some documents, where each term of the prompt is in them.
pub struct TermCounts {
    terms: usize,
    counts: Vec<Counts>,
}

impl TermCounts {
    /// One entry per term of the lookup, for the document at this place of the asked list.
    pub fn of(&self, place: usize) -> &[Counts] {
        let start = place * self.terms;
        self.counts.get(start..start + self.terms).unwrap_or(&[])
    }
}

impl Lookup<'_, '_> {
    /// The idf of a term that one document holds: the most a term can tell in this store.
    pub(crate) fn highest_idf(&self) -> f32 {
        idf(self.searcher.docs, 1).max(f32::EPSILON)
    }

    /// The best living documents, best first; equal ones by number.
    pub fn top(&self, limit: usize) -> Vec<FoundDoc> {
        let best: f32 = self.terms.iter().map(|term| term.weight).sum();
        if best <= 0.0 || limit == 0 {
            return Vec::new();
        }
        let mut scores = vec![0.0f32; self.searcher.docs as usize];
        let worth = Worth::new(self.searcher.average);
        for term in &self.terms {
            for list in &term.lists {
                let gain = term.weight * list.worth / best;
                let Some(scores) = scores.get_mut(list.first as usize..) else {
                    continue;
                };
                for (doc, counts) in Postings::new(list.postings) {
                    let doc = doc as usize;
                    let (Some(score), Some(length)) = (scores.get_mut(doc), list.lengths.get(doc)) else {
                        break;
                    };
                    *score += gain * worth.of(counts, *length);
                }
            }
        }
        let mut heap: BinaryHeap<Reverse<(Rank, Reverse<u32>)>> = BinaryHeap::with_capacity(limit + 1);
        let mut least = 0.0;
        for (doc, score) in scores.iter().enumerate() {
            if *score > least && !self.searcher.dead.contains(doc as u32) {
                heap.push(Reverse((Rank(*score), Reverse(doc as u32))));
                if heap.len() > limit {
                    heap.pop();
                    least = heap.peek().map_or(0.0, |worst| worst.0.0.0);
                }
            }
        }
        heap.into_sorted_vec()
            .into_iter()
            .map(|Reverse((score, Reverse(doc)))| FoundDoc { doc, score: score.0.min(1.0) })
            .collect()
    }

    /// Where each term is in the given documents.
    pub(crate) fn evidence(&self, docs: &[u32]) -> TermCounts {
        let terms = self.terms.len();
        let mut counts = vec![Counts::default(); terms * docs.len()];
        let mut order: Vec<(u32, usize)> = docs.iter().copied().zip(0..).collect();
        order.sort_unstable();
        for (number, term) in self.terms.iter().enumerate() {
            for list in &term.lists {
                let mut wanted = &order[order.partition_point(|(doc, _)| *doc < list.first)..];
                for (doc, found) in Postings::new(list.postings) {
                    let doc = list.first.saturating_add(doc);
                    while let Some(((next, _), rest)) = wanted.split_first()
                        && *next < doc
                    {
                        wanted = rest;
                    }
                    match wanted.first() {
                        None => break,
                        Some((next, place)) if *next == doc => {
                            let slot = &mut counts[place * terms + number];
                            *slot = slot.max(found);
                        }
                        Some(_) => {}
                    }
                }
            }
        }
        TermCounts { terms, counts }
    }
}

/// BM25F's share of a term's idf, from tables.
struct Worth {
    /// File, name and description together.
    header: [f32; 64],
    /// A body hit by the length of the body.
    body: [f32; 256],
}

impl Worth {
    fn new(average: f32) -> Worth {
        let mut worth = Worth { header: [0.0; 64], body: [0.0; 256] };
        for (byte, value) in (0..).zip(&mut worth.header) {
            let counts = Counts(byte);
            *value = [Field::File, Field::Name, Field::Description]
                .into_iter()
                .map(|field| FIELD_WEIGHT[field as usize] * LEVEL[usize::from(counts.level(field))])
                .sum();
        }
        for (code, value) in (0..=255).zip(&mut worth.body) {
            *value = FIELD_WEIGHT[Field::Body as usize] / (1.0 - B + B * length_of(code) / average);
        }
        worth
    }

    #[inline]
    fn of(&self, counts: Counts, length: u8) -> f32 {
        let body = LEVEL[usize::from(counts.0 >> 6)] * self.body[usize::from(length)];
        let hits = self.header[usize::from(counts.0 & 63)] + body;
        hits / (hits + K1)
    }
}

#[derive(PartialEq)]
struct Rank(f32);

impl Eq for Rank {}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
