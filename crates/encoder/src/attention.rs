//! Lets each token gather from all tokens: queries, keys and values in, a mix of values per token out.
//!
//! Head by head, two tokens at a time, in plain loops: the closure of an array's `map` is compiled without the kernel's vector
//! features, and each register would go to it through memory. Tokens are padded to whole blocks of [`LANES`], so that scores are
//! computed side by side without a rest.
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
#[derive(Default)]
pub(crate) struct Attention {
    keys: Vec<KeyBlock>,
    scores: Vec<[[f32; LANES]; TOGETHER]>,
}

impl Attention {
    /// Makes room for so many tokens.
    pub(crate) fn resize(&mut self, tokens: usize) {
        let blocks = tokens.div_ceil(LANES);
        self.keys.resize(blocks, [[0.0; LANES]; HEAD]);
        self.scores.resize(blocks, [[0.0; LANES]; TOGETHER]);
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
                for at in (0..HEAD).step_by(LANES) {
                    let gathered = self.gather(k, rows, 2 * HIDDEN + head + at);
                    for (token, mixed) in mixed.iter_mut().enumerate() {
                        let values = k.array(k.mul(gathered[token], k.splat(1.0 / sums[token])));
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
            for (query, scores) in scores.iter_mut().enumerate() {
                *scores = k.array(sums[query]);
                if let Some(padding) = scores.get_mut(tokens.saturating_sub(block * LANES)..) {
                    padding.fill(f32::MIN);
                }
                largest[query] = k.max(largest[query], k.load(scores));
            }
        }
        for largest in &mut largest {
            *largest = k.splat(math::largest_lane(k, *largest));
        }
        let mut sums = [k.splat(0.0); TOGETHER];
        for scores in &mut self.scores {
            for (query, scores) in scores.iter_mut().enumerate() {
                let shares = math::exp(k, k.sub(k.load(scores), largest[query]));
                sums[query] = k.add(sums[query], shares);
                *scores = k.array(shares);
            }
        }
        let mut added = [0.0; TOGETHER];
        for (added, sum) in added.iter_mut().zip(sums) {
            *added = math::sum_lanes(k, sum);
        }
        added
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
