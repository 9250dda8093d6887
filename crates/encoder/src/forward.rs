//! The forward pass of a trunk: token numbers in, the last layer out.
//!
//! Matrices are integers; everything between them is `f32`. What one pass leaves behind never reaches the next: each thread keeps its
//! buffers, only because fresh pages cost up to a tenth of a pass, and every number in them is written before it is read.
#![allow(clippy::inline_always, reason = "compiled once per kernel, with that kernel's vector features")]

use crate::attention::{Attention, TokenRow};
use crate::blob::{self, LayerAt, MatrixAt, NormAt, Section};
use crate::kernel::{Arithmetic, Floats, LANES};
use crate::math;
use crate::shape::{EMBEDDING_ROW, HIDDEN, INNER, LAYERS, PANEL, ROWS};
use std::cell::Cell;

/// Rows of bytes made from rows of numbers: `number ≈ low + step * byte`.
#[derive(Default)]
struct Bytes {
    values: Vec<u8>,
    lows: Vec<f32>,
    steps: Vec<f32>,
}

/// The buffers of one pass.
#[derive(Default)]
struct Buffers {
    bytes: Bytes,
    sums: Vec<[i32; PANEL]>,
    attention: Attention,
    rows: Vec<TokenRow>,
    mixed: Vec<[f32; HIDDEN]>,
    inner: Vec<f32>,
    change: Vec<f32>,
}

thread_local! {
    static KEPT: Cell<Buffers> = Cell::default();
}

impl Buffers {
    /// Those of the last pass of this thread, as long as this one needs them.
    fn of(count: usize) -> Buffers {
        let mut buffers = KEPT.try_with(Cell::take).unwrap_or_default();
        let Buffers { bytes, sums, attention, rows, mixed, inner, change } = &mut buffers;
        bytes.values.resize(count * INNER, 0);
        bytes.lows.resize(count, 0.0);
        bytes.steps.resize(count, 0.0);
        sums.resize(count, [0; PANEL]);
        attention.resize(count);
        rows.resize(count, [0.0; 3 * HIDDEN]);
        mixed.resize(count, [0.0; HIDDEN]);
        inner.resize(count * INNER, 0.0);
        change.resize(count * HIDDEN, 0.0);
        buffers
    }

    fn keep(self) {
        // A thread that ends has no next pass.
        let _ = KEPT.try_with(|kept| kept.set(self));
    }
}

/// The layers of a model and where its inputs stand; all trunks share one table of words.
pub(crate) struct Trunk {
    pub(crate) layers: &'static [LayerAt; LAYERS],
    /// What each position adds; no input is longer.
    pub(crate) places: Section,
    /// What a token of a pair's second text adds, for a trunk that reads pairs.
    pub(crate) second: Option<Section>,
}

impl Trunk {
    /// The most tokens that it reads.
    pub(crate) fn positions(&self) -> usize {
        self.places.floats().len() / HIDDEN
    }
}

/// Computes the last layer, one row per token. Takes no more tokens than the trunk has positions; those from `second` on belong to
/// the second text.
#[inline(always)]
pub(crate) fn hidden<K: Arithmetic>(k: K, trunk: &Trunk, tokens: &[u32], second: usize) -> Vec<f32> {
    let tokens = &tokens[..tokens.len().min(trunk.positions())];
    let count = tokens.len();
    if count == 0 {
        return Vec::new();
    }
    let mut hidden = embed(k, trunk, tokens, second);
    let mut buffers = Buffers::of(count);
    for layer in trunk.layers {
        run_layer(k, layer, &mut hidden, &mut buffers);
    }
    buffers.keep();
    hidden
}

/// The mean of some rows of the last layer; no rows have the mean zero.
pub(crate) fn mean(hidden: &[f32]) -> [f32; HIDDEN] {
    let rows = hidden.as_chunks::<HIDDEN>().0;
    let mut mean = [0.0; HIDDEN];
    for row in rows {
        for (sum, value) in mean.iter_mut().zip(row) {
            *sum += value;
        }
    }
    mean.map(|sum| sum / rows.len().max(1) as f32)
}

/// Looks up each token and adds its position, and which text it belongs to.
#[inline(always)]
fn embed<K: Floats>(k: K, trunk: &Trunk, tokens: &[u32], second: usize) -> Vec<f32> {
    let words = blob::WORDS.bytes();
    let places = trunk.places.floats().as_chunks::<HIDDEN>().0;
    let mut hidden = vec![0.0; tokens.len() * HIDDEN];
    for ((row, &token), place) in hidden.chunks_exact_mut(HIDDEN).zip(tokens).zip(places) {
        let at = (token as usize).min(ROWS - 1) * EMBEDDING_ROW;
        let (scale, integers) = words[at..at + EMBEDDING_ROW].split_at(4);
        let scale = f32::from_ne_bytes([scale[0], scale[1], scale[2], scale[3]]);
        for ((value, &integer), place) in row.iter_mut().zip(integers).zip(place) {
            *value = f32::from(integer.cast_signed()) * scale + place;
        }
    }
    if let (Some(added), Some(rows)) = (trunk.second, hidden.get_mut(second.saturating_mul(HIDDEN)..)) {
        for row in rows.chunks_exact_mut(HIDDEN) {
            add(k, row, added.floats());
        }
    }
    norm(k, &mut hidden, &blob::INPUT_NORM);
    hidden
}

#[inline(always)]
fn run_layer<K: Arithmetic>(k: K, layer: &LayerAt, hidden: &mut [f32], buffers: &mut Buffers) {
    let Buffers { bytes, sums, attention, rows, mixed, inner, change } = buffers;
    bytes.fill(k, hidden, HIDDEN);
    linear(k, bytes, &layer.attention, sums, rows.as_flattened_mut());
    attention.run(k, rows, mixed);
    bytes.fill(k, mixed.as_flattened(), HIDDEN);
    linear(k, bytes, &layer.mixed, sums, change);
    add(k, hidden, change);
    norm(k, hidden, &layer.mixed_norm);

    bytes.fill(k, hidden, HIDDEN);
    linear(k, bytes, &layer.widened, sums, inner);
    math::gelu_in_place(k, inner);
    bytes.fill(k, inner, INNER);
    linear(k, bytes, &layer.narrowed, sums, change);
    add(k, hidden, change);
    norm(k, hidden, &layer.output_norm);
}

impl Bytes {
    #[inline(always)]
    fn fill<K: Floats>(&mut self, k: K, rows: &[f32], width: usize) {
        let rows = rows.chunks_exact(width).zip(self.values.chunks_exact_mut(width));
        for ((row, bytes), (low, step)) in rows.zip(self.lows.iter_mut().zip(&mut self.steps)) {
            (*low, *step) = math::to_bytes(k, row, bytes);
        }
    }
}

/// Multiplies every row with a matrix and adds its bias.
#[inline(always)]
fn linear<K: Arithmetic>(k: K, input: &Bytes, matrix: &MatrixAt, sums: &mut [[i32; PANEL]], output: &mut [f32]) {
    let width = matrix.width;
    let rows = &input.values[..sums.len() * width];
    let weights = matrix.weights.integers();
    let [scales, weight_sums, bias] = [matrix.scales, matrix.sums, matrix.bias].map(blob::Section::floats);
    for first in (0..bias.len()).step_by(PANEL) {
        k.panel(rows, width, &weights[first * width..], sums);
        for (row, sums) in sums.iter().enumerate() {
            let (low, step) = (k.splat(input.lows[row]), k.splat(input.steps[row]));
            let output = &mut output[row * bias.len() + first..][..PANEL];
            let output = output.as_chunks_mut().0.iter_mut();
            let blocks = (first..first + PANEL).step_by(LANES);
            for ((output, sums), at) in output.zip(sums.as_chunks().0).zip(blocks) {
                let block = |values: &[f32]| k.load(values[at..].first_chunk().unwrap_or(&[0.0; LANES]));
                let product = k.mul(k.from_integers(sums), k.mul(block(scales), step));
                let offset = k.add(k.mul(block(weight_sums), low), block(bias));
                *output = k.array(k.add(product, offset));
            }
        }
    }
}

#[inline(always)]
fn add<K: Floats>(k: K, rows: &mut [f32], change: &[f32]) {
    for (value, change) in rows.as_chunks_mut().0.iter_mut().zip(change.as_chunks().0) {
        *value = k.array(k.add(k.load(value), k.load(change)));
    }
}

#[inline(always)]
fn norm<K: Floats>(k: K, rows: &mut [f32], norm: &NormAt) {
    let (gain, bias) = (norm.gain.floats(), norm.bias.floats());
    for row in rows.chunks_exact_mut(HIDDEN) {
        math::layer_norm(k, row, gain, bias);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Encoder, Reader, Relation};

    #[test]
    fn a_pass_says_the_same_whatever_its_thread_read_before() {
        let (short, long) = ("the tide gauge", "who keeps the keys of the lantern on the north pier? ".repeat(12));
        let read = || {
            let scores = Reader::new().relation(short, "The gauge is broken.");
            (Encoder::new().encode_query(short).0, Relation::ALL.map(|one| scores.of(one)))
        };
        let fresh = std::thread::spawn(read).join().ok();
        Encoder::new().encode_memory(&long, "", &long);
        assert_eq!(Some(read()), fresh);
    }
}
