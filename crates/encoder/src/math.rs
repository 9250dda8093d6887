//! The floating-point parts of the model: rows in, rows out, sixteen numbers side by side.
//!
//! Each sum runs over sixteen lanes and multiply-adds are never fused, so the results are the same, bit for bit, on every
//! kernel. Rows must be whole blocks of [`LANES`]; all rows of the model are. Always inlined, to be compiled with the
//! features of the kernel that is used.
#![allow(clippy::inline_always, reason = "a function only uses its caller's vector features when inlined into it")]

use crate::kernel::{Floats, LANES};

/// Adding it to a small number leaves the nearest integer in the low bits.
const ROUNDER: f32 = 12_582_912.0;

/// Joins the lanes pairwise: the first half with the second, until one is left.
#[inline(always)]
pub(crate) fn join(mut lanes: [f32; LANES], join: impl Fn(f32, f32) -> f32) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] = join(lanes[lane], lanes[lane + width]);
        }
        width /= 2;
    }
    lanes[0]
}

#[inline(always)]
pub(crate) fn sum_lanes<K: Floats>(kernel: K, lanes: K::Lanes) -> f32 {
    join(kernel.array(lanes), |left, right| left + right)
}

#[inline(always)]
pub(crate) fn largest_lane<K: Floats>(kernel: K, lanes: K::Lanes) -> f32 {
    join(kernel.array(lanes), |left, right| if left > right { left } else { right })
}

/// Computes e^x for x ≤ 88; anything below -87 counts as -87.
#[inline(always)]
pub(crate) fn exp<K: Floats>(k: K, x: K::Lanes) -> K::Lanes {
    // Cephes' coefficients for e^r on ±ln 2 / 2, highest power first.
    const TAIL: [f32; 5] = [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5];
    let x = k.max(x, k.splat(-87.0));
    let rounded = k.add(k.mul(x, k.splat(std::f32::consts::LOG2_E)), k.splat(ROUNDER));
    let power = k.sub(rounded, k.splat(ROUNDER));
    // ln 2 in two parts, the first exact in few bits, so that the difference loses nothing.
    let rest = k.sub(x, k.mul(power, k.splat(0.693_359_4)));
    let rest = k.sub(rest, k.mul(power, k.splat(-2.121_944_4e-4)));
    let mut value = k.splat(1.987_569_1e-4);
    for factor in TAIL {
        value = k.add(k.mul(value, rest), k.splat(factor));
    }
    let value = k.add(k.mul(k.mul(value, rest), rest), rest);
    k.times_power(k.add(value, k.splat(1.0)), rounded)
}

/// Computes x · Φ(x), with the error function good to seven digits (Abramowitz and Stegun 7.1.26).
#[inline(always)]
fn gelu<K: Floats>(k: K, x: K::Lanes) -> K::Lanes {
    const TAIL: [f32; 4] = [-1.453_152, 1.421_413_8, -0.284_496_72, 0.254_829_6];
    let magnitude = k.max(x, k.sub(k.splat(0.0), x));
    let z = k.mul(magnitude, k.splat(std::f32::consts::FRAC_1_SQRT_2));
    let t = k.div(k.splat(1.0), k.add(k.splat(1.0), k.mul(k.splat(0.327_591_1), z)));
    let mut tail = k.splat(1.061_405_4);
    for factor in TAIL {
        tail = k.add(k.mul(tail, t), k.splat(factor));
    }
    let falling = exp(k, k.mul(k.sub(k.splat(0.0), z), z));
    let erf = k.sub(k.splat(1.0), k.mul(k.mul(tail, t), falling));
    // x · Φ(x) = (x + |x| · erf(|x|/√2)) / 2, since erf is odd.
    k.mul(k.splat(0.5), k.add(x, k.mul(magnitude, erf)))
}

#[inline(always)]
pub(crate) fn gelu_in_place<K: Floats>(k: K, values: &mut [f32]) {
    for block in values.as_chunks_mut().0 {
        *block = k.array(gelu(k, k.load(block)));
    }
}

/// Brings a row to mean 0 and variance 1, then applies the learned gain and bias.
#[inline(always)]
pub(crate) fn layer_norm<K: Floats>(k: K, row: &mut [f32], gain: &[f32], bias: &[f32]) {
    let inverse_width = 1.0 / row.len() as f32;
    let row = row.as_chunks_mut().0;
    let mut sums = k.splat(0.0);
    for block in row.iter() {
        sums = k.add(sums, k.load(block));
    }
    let mean = k.splat(sum_lanes(k, sums) * inverse_width);
    let mut squares = k.splat(0.0);
    for block in row.iter_mut() {
        let centred = k.sub(k.load(block), mean);
        squares = k.add(squares, k.mul(centred, centred));
        *block = k.array(centred);
    }
    let variance = sum_lanes(k, squares) * inverse_width;
    let inverse = k.splat(1.0 / (variance + 1e-12).sqrt());
    for ((block, gain), bias) in row.iter_mut().zip(gain.as_chunks().0).zip(bias.as_chunks().0) {
        let scaled = k.mul(k.mul(k.load(block), inverse), k.load(gain));
        *block = k.array(k.add(scaled, k.load(bias)));
    }
}

/// Rounds a row to bytes: `value ≈ low + step * byte`. Returns `(low, step)`.
#[inline(always)]
pub(crate) fn to_bytes<K: Floats>(k: K, row: &[f32], bytes: &mut [u8]) -> (f32, f32) {
    let row = row.as_chunks().0;
    let (mut low, mut high) = (k.splat(f32::MAX), k.splat(f32::MIN));
    for block in row {
        let values = k.load(block);
        low = k.min(low, values);
        high = k.max(high, values);
    }
    let low = join(k.array(low), |left, right| if left < right { left } else { right });
    let span = largest_lane(k, high) - low;
    let factor = k.splat(if span > 0.0 { 255.0 / span } else { 0.0 });
    for (bytes, block) in bytes.as_chunks_mut().0.iter_mut().zip(row) {
        let steps = k.mul(k.sub(k.load(block), k.splat(low)), factor);
        *bytes = k.low_bytes(k.add(steps, k.splat(ROUNDER)));
    }
    (low, span / 255.0)
}
