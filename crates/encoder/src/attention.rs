//! Lets each token gather from all tokens: queries, keys and values in, a mix of values per token out.
//!
//! Head by head, four tokens at a time. Tokens are padded to whole blocks of [`LANES`], so that scores are computed side by
//! side without a rest.
#![allow(clippy::inline_always, reason = "compiled once per kernel, with that kernel's vector features")]

use crate::kernel::{Floats, LANES};
use crate::math;
use crate::shape::{HEAD, HEADS, HIDDEN};

/// The query, the key and the value of one token, in this order.
pub(crate) type TokenRow = [f32; 3 * HIDDEN];

/// The keys of one head for a block of tokens, input by input.
type KeyBlock = [[f32; LANES]; HEAD];

/// Tokens that are treated together, to keep the processor's adders busy.
const TOGETHER: usize = 2;

/// The buffers of one pass.
pub(crate) struct Attention {
    keys: Vec<KeyBlock>,
    scores: Vec<[[f32; LANES]; TOGETHER]>,
}

impl Attention {
    pub(crate) fn new(tokens: usize) -> Self {
        let blocks = tokens.div_ceil(LANES);
        Self { keys: vec![[[0.0; LANES]; HEAD]; blocks], scores: vec![[[0.0; LANES]; TOGETHER]; blocks] }
    }

    #[inline(always)]
    pub(crate) fn run<K: Floats>(&mut self, k: K, rows: &[TokenRow], mixed: &mut [[f32; HIDDEN]]) {
        for head in (0..HEADS).map(|head| head * HEAD) {
            transpose(rows, HIDDEN + head, &mut self.keys);
            for (queries, mixed) in rows.chunks(TOGETHER).zip(mixed.chunks_mut(TOGETHER)) {
                // Where tokens are left over, the last one is computed more than once.
                let queries = std::array::from_fn(|at| &queries[at.min(queries.len() - 1)]);
                let queries = queries.map(|row: &TokenRow| &row[head..head + HEAD]);
                let sums = self.score(k, queries, rows.len());
                let inverses = sums.map(|sum| k.splat(1.0 / sum));
                for at in (0..HEAD).step_by(LANES) {
                    let gathered = self.gather(k, rows, 2 * HIDDEN + head + at);
                    let gathered = gathered.into_iter().zip(inverses);
                    for (mixed, (gathered, inverse)) in mixed.iter_mut().zip(gathered) {
                        let values = k.array(k.mul(gathered, inverse));
                        mixed[head + at..][..LANES].copy_from_slice(&values);
                    }
                }
            }
        }
    }

    /// Fills the scores of the queries with e^(query · key - largest) and returns their sums.
    #[inline(always)]
    fn score<K: Floats>(&mut self, k: K, queries: [&[f32]; TOGETHER], tokens: usize) -> [f32; TOGETHER] {
        let mut largest = [k.splat(f32::MIN); TOGETHER];
        for (block, (keys, scores)) in self.keys.iter().zip(&mut self.scores).enumerate() {
            let mut sums = [k.splat(0.0); TOGETHER];
            for (input, keys) in keys.iter().enumerate() {
                let keys = k.load(keys);
                for (sum, query) in sums.iter_mut().zip(queries) {
                    *sum = k.add(*sum, k.mul(k.splat(query[input]), keys));
                }
            }
            *scores = sums.map(|sums| k.array(sums));
            for (scores, largest) in scores.iter_mut().zip(&mut largest) {
                if let Some(padding) = scores.get_mut(tokens.saturating_sub(block * LANES)..) {
                    padding.fill(f32::MIN);
                }
                *largest = k.max(*largest, k.load(scores));
            }
        }
        let largest = largest.map(|lanes| k.splat(math::largest_lane(k, lanes)));
        let mut sums = [k.splat(0.0); TOGETHER];
        for scores in &mut self.scores {
            for ((scores, largest), sum) in scores.iter_mut().zip(largest).zip(&mut sums) {
                let shares = math::exp(k, k.sub(k.load(scores), largest));
                *sum = k.add(*sum, shares);
                *scores = k.array(shares);
            }
        }
        sums.map(|lanes| math::sum_lanes(k, lanes))
    }

    /// Adds up a block of values of all tokens, each times its score.
    #[inline(always)]
    fn gather<K: Floats>(&self, k: K, rows: &[TokenRow], at: usize) -> [K::Lanes; TOGETHER] {
        let mut sums = [k.splat(0.0); TOGETHER];
        for (rows, scores) in rows.chunks(LANES).zip(&self.scores) {
            for (token, row) in rows.iter().enumerate() {
                let values = k.load(row[at..].first_chunk().unwrap_or(&[0.0; LANES]));
                for (sum, scores) in sums.iter_mut().zip(scores) {
                    *sum = k.add(*sum, k.mul(k.splat(scores[token]), values));
                }
            }
        }
        sums
    }
}

/// Lays the keys of one head out in blocks.
#[inline(always)]
fn transpose(rows: &[TokenRow], at: usize, blocks: &mut [KeyBlock]) {
    for (rows, block) in rows.chunks(LANES).zip(blocks) {
        for (token, row) in rows.iter().enumerate() {
            for (keys, key) in block.iter_mut().zip(&row[at..at + HEAD]) {
                keys[token] = *key;
            }
        }
    }
}
