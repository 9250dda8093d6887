//! 128-bit kernel for 64-bit ARM, where NEON is always there. Where the processor has the dot-product instructions, see
//! `neon_dot`; elsewhere bytes are multiplied to 16 bits and added in pairs.
#![allow(
    clippy::inline_always,
    clippy::wildcard_imports,
    reason = "small wrappers, and the names of intrinsics say where they come from"
)]

use super::arithmetic::{Arithmetic, Floats, LANES, block_size};
use super::neon_dot::Dot;
use crate::forward::{self, Trunk};
use crate::shape::{GROUP, HIDDEN, PANEL};
use std::arch::aarch64::*;
use std::arch::is_aarch64_feature_detected;

/// Rows that are multiplied together.
const MOST: usize = 4;
/// Outputs that one register of weights covers.
const OUTPUTS: usize = 4;

/// Proof that the processor has NEON, and of the dot-product instructions where they were found too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon {
    dot: Option<Dot>,
}

impl Neon {
    pub(crate) fn detect() -> Option<Self> {
        is_aarch64_feature_detected!("neon").then_some(Self { dot: None })
    }

    pub(crate) fn detect_dot() -> Option<Self> {
        let dot = Dot::detect()?;
        Self::detect().map(|_| Self { dot: Some(dot) })
    }
}

/// Sixteen numbers in four registers.
type Lanes = [float32x4_t; 4];

/// Applies an operation to each of the four registers.
macro_rules! each {
    ($operation:ident, $left:expr, $right:expr) => {
        // SAFETY: a kernel's value, here `self`, proves its features.
        unsafe {
            [
                $operation($left[0], $right[0]),
                $operation($left[1], $right[1]),
                $operation($left[2], $right[2]),
                $operation($left[3], $right[3]),
            ]
        }
    };
}

#[inline]
#[target_feature(enable = "neon")]
fn times_power(value: float32x4_t, power: float32x4_t) -> float32x4_t {
    let power = vshlq_n_s32::<23>(vreinterpretq_s32_f32(power));
    vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(value), power))
}

impl Floats for Neon {
    type Lanes = Lanes;

    #[inline(always)]
    fn splat(self, value: f32) -> Lanes {
        // SAFETY: `self` proves NEON.
        unsafe { [vdupq_n_f32(value); 4] }
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> Lanes {
        // SAFETY: `self` proves NEON; the array holds four registers.
        unsafe {
            let at = values.as_ptr();
            [vld1q_f32(at), vld1q_f32(at.add(4)), vld1q_f32(at.add(8)), vld1q_f32(at.add(12))]
        }
    }

    #[inline(always)]
    fn array(self, lanes: Lanes) -> [f32; LANES] {
        let mut values = [0.0; LANES];
        for (values, lanes) in values.as_chunks_mut::<4>().0.iter_mut().zip(lanes) {
            // SAFETY: `self` proves NEON; the chunk is one register long.
            unsafe { vst1q_f32(values.as_mut_ptr(), lanes) };
        }
        values
    }

    #[inline(always)]
    fn from_integers(self, values: &[i32; LANES]) -> Lanes {
        let convert = |first: usize| {
            // SAFETY: `self` proves NEON; the slice is checked to be one register long.
            unsafe { vcvtq_f32_s32(vld1q_s32(values[first..first + 4].as_ptr())) }
        };
        [convert(0), convert(4), convert(8), convert(12)]
    }

    #[inline(always)]
    fn add(self, left: Lanes, right: Lanes) -> Lanes {
        each!(vaddq_f32, left, right)
    }

    #[inline(always)]
    fn sub(self, left: Lanes, right: Lanes) -> Lanes {
        each!(vsubq_f32, left, right)
    }

    #[inline(always)]
    fn mul(self, left: Lanes, right: Lanes) -> Lanes {
        each!(vmulq_f32, left, right)
    }

    #[inline(always)]
    fn div(self, left: Lanes, right: Lanes) -> Lanes {
        each!(vdivq_f32, left, right)
    }

    #[inline(always)]
    fn min(self, left: Lanes, right: Lanes) -> Lanes {
        each!(vminq_f32, left, right)
    }

    #[inline(always)]
    fn max(self, left: Lanes, right: Lanes) -> Lanes {
        each!(vmaxq_f32, left, right)
    }

    #[inline(always)]
    fn times_power(self, lanes: Lanes, power: Lanes) -> Lanes {
        each!(times_power, lanes, power)
    }

    #[inline(always)]
    fn low_bytes(self, lanes: Lanes) -> [u8; LANES] {
        let mut bytes = [0; LANES];
        // SAFETY: `self` proves NEON; the array is one register long.
        unsafe {
            let words = lanes.map(|lanes| vmovn_u32(vreinterpretq_u32_f32(lanes)));
            let low = vmovn_u16(vcombine_u16(words[0], words[1]));
            let high = vmovn_u16(vcombine_u16(words[2], words[3]));
            vst1q_u8(bytes.as_mut_ptr(), vcombine_u8(low, high));
        }
        bytes
    }
}

impl Arithmetic for Neon {
    fn hidden(self, trunk: &Trunk, tokens: &[u32], second: usize) -> Vec<f32> {
        #[target_feature(enable = "neon")]
        fn compiled(kernel: Neon, trunk: &Trunk, tokens: &[u32], second: usize) -> Vec<f32> {
            forward::hidden(kernel, trunk, tokens, second)
        }
        // SAFETY: `self` proves NEON.
        unsafe { compiled(self, trunk, tokens, second) }
    }

    fn panel(self, rows: &[u8], width: usize, weights: &[i8], sums: &mut [[i32; PANEL]]) {
        match self.dot {
            Some(dot) => dot.panel(rows, width, weights, sums),
            // SAFETY: `self` proves NEON.
            None => unsafe { panel(rows, width, weights, sums) },
        }
    }

    fn scan(self, query: &[i8; HIDDEN], rows: &[[i8; HIDDEN]], sums: &mut [i32]) {
        match self.dot {
            Some(dot) => dot.scan(query, rows, sums),
            // SAFETY: `self` proves NEON.
            None => unsafe { scan(query, rows, sums) },
        }
    }
}

#[target_feature(enable = "neon")]
fn panel(rows: &[u8], width: usize, weights: &[i8], sums: &mut [[i32; PANEL]]) {
    let surplus = surplus(&weights[..width * PANEL]);
    let size = block_size(rows.len() / width, MOST);
    for (rows, sums) in rows.chunks(size * width).zip(sums.chunks_mut(size)) {
        sums.fill(surplus);
        match rows.len() / width {
            4 => block::<4>(rows, width, weights, sums),
            3 => block::<3>(rows, width, weights, sums),
            2 => block::<2>(rows, width, weights, sums),
            _ => block::<1>(rows, width, weights, sums),
        }
    }
}

#[target_feature(enable = "neon")]
fn scan(query: &[i8; HIDDEN], rows: &[[i8; HIDDEN]], sums: &mut [i32]) {
    for (row, sum) in rows.iter().zip(sums) {
        let mut totals = [vdupq_n_s32(0); 2];
        for (row, query) in row.as_chunks::<16>().0.iter().zip(query.as_chunks::<16>().0) {
            // SAFETY: each array is one register long.
            let (row, query) = unsafe { (vld1q_s8(row.as_ptr()), vld1q_s8(query.as_ptr())) };
            totals = multiply(totals, row, query);
        }
        *sum = vaddvq_s32(vaddq_s32(totals[0], totals[1]));
    }
}

/// Multiplies bytes and adds neighbours to the totals of the lower and the upper half.
#[inline]
#[target_feature(enable = "neon")]
fn multiply(totals: [int32x4_t; 2], left: int8x16_t, right: int8x16_t) -> [int32x4_t; 2] {
    let low = vmull_s8(vget_low_s8(left), vget_low_s8(right));
    [vpadalq_s16(totals[0], low), vpadalq_s16(totals[1], vmull_high_s8(left, right))]
}

/// Rows are shifted down by 128 to make them signed; this is what each output then lacks.
pub(super) fn surplus(weights: &[i8]) -> [i32; PANEL] {
    let mut sums = [0i32; PANEL];
    for step in weights.as_chunks::<{ PANEL * GROUP }>().0 {
        for (sum, weights) in sums.iter_mut().zip(step.as_chunks::<GROUP>().0) {
            *sum += weights.iter().map(|&weight| i32::from(weight)).sum::<i32>();
        }
    }
    sums.map(|sum| 128 * sum)
}

/// Reads four bytes of a row, shifted down by 128, into each quarter of a register.
///
/// # Safety
/// `row` must have four bytes at `at`.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn inputs(row: *const u8, at: usize) -> int8x16_t {
    // SAFETY: the caller says that the bytes are there.
    let four = unsafe { row.add(at).cast::<u32>().read_unaligned() };
    vreinterpretq_s8_u32(vdupq_n_u32(four ^ 0x8080_8080))
}

/// Adds the products of `N` rows with a panel to `sums`, four outputs at a time.
#[target_feature(enable = "neon")]
fn block<const N: usize>(rows: &[u8], width: usize, weights: &[i8], sums: &mut [[i32; PANEL]]) {
    assert!(width.is_multiple_of(GROUP) && rows.len() >= N * width && sums.len() >= N);
    assert!(weights.len() >= width * PANEL);
    for first in (0..PANEL).step_by(OUTPUTS) {
        let mut totals = [[vdupq_n_s32(0); 2]; N];
        for step in 0..width / GROUP {
            // SAFETY: 16 weights of the panel, which the slice holds.
            let weights = unsafe { vld1q_s8(weights.as_ptr().add((step * PANEL + first) * GROUP)) };
            for (row, totals) in totals.iter_mut().enumerate() {
                // SAFETY: four inputs of one of `N` rows, which the slice holds.
                let inputs = unsafe { inputs(rows.as_ptr(), row * width + step * GROUP) };
                *totals = multiply(*totals, weights, inputs);
            }
        }
        for (totals, sums) in totals.iter().zip(sums.iter_mut()) {
            let products = vpaddq_s32(totals[0], totals[1]);
            let out = &mut sums[first..first + OUTPUTS];
            // SAFETY: `out` is one register long.
            unsafe {
                let sums = vaddq_s32(vld1q_s32(out.as_ptr()), products);
                vst1q_s32(out.as_mut_ptr(), sums);
            };
        }
    }
}
