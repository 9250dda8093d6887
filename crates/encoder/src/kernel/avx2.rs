//! 256-bit kernel. Where the processor has the VNNI instructions on this width, see `avx_vnni`; elsewhere bytes are
//! widened to 16 bits first, because the 8-bit multiply of AVX2 saturates.
#![allow(
    clippy::inline_always,
    clippy::wildcard_imports,
    reason = "intrinsics have to end up in their caller, and their names say where they come from"
)]

use super::arithmetic::{Arithmetic, Floats, LANES, block_size};
use super::avx_vnni::AvxVnni;
use crate::forward::{self, Trunk};
use crate::shape::{GROUP, HIDDEN, INNER, PANEL};
use std::arch::x86_64::*;

/// Rows that are multiplied together; with two accumulators each they fill the 16 registers.
const MOST: usize = 6;

/// Bytes that the processor fetches at once.
const LINE: usize = 64;

/// Proof that the processor has AVX2, and of VNNI where that was found too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2 {
    vnni: Option<AvxVnni>,
}

impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self { vnni: None })
    }

    pub(crate) fn detect_vnni() -> Option<Self> {
        let vnni = AvxVnni::detect()?;
        Self::detect().map(|_| Self { vnni: Some(vnni) })
    }
}

/// Sixteen numbers in two registers.
type Lanes = [__m256; 2];

/// Applies an operation to both registers.
macro_rules! both {
    ($operation:ident, $left:expr, $right:expr) => {
        // SAFETY: a kernel's value, here `self`, proves its features.
        unsafe { [$operation($left[0], $right[0]), $operation($left[1], $right[1])] }
    };
}

impl Floats for Avx2 {
    type Lanes = Lanes;

    #[inline(always)]
    fn splat(self, value: f32) -> Lanes {
        // SAFETY: `self` proves AVX2.
        unsafe { [_mm256_set1_ps(value); 2] }
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> Lanes {
        // SAFETY: `self` proves AVX2; the array holds two registers.
        unsafe { [_mm256_loadu_ps(values.as_ptr()), _mm256_loadu_ps(values.as_ptr().add(8))] }
    }

    #[inline(always)]
    fn array(self, lanes: Lanes) -> [f32; LANES] {
        let mut values = [0.0; LANES];
        // SAFETY: `self` proves AVX2; the array holds two registers.
        unsafe {
            _mm256_storeu_ps(values.as_mut_ptr(), lanes[0]);
            _mm256_storeu_ps(values.as_mut_ptr().add(8), lanes[1]);
        }
        values
    }

    #[inline(always)]
    fn from_integers(self, values: &[i32; LANES]) -> Lanes {
        // SAFETY: `self` proves AVX2; the array holds two registers.
        unsafe {
            let first = _mm256_loadu_si256(values.as_ptr().cast());
            let second = _mm256_loadu_si256(values.as_ptr().add(8).cast());
            [_mm256_cvtepi32_ps(first), _mm256_cvtepi32_ps(second)]
        }
    }

    #[inline(always)]
    fn add(self, left: Lanes, right: Lanes) -> Lanes {
        both!(_mm256_add_ps, left, right)
    }

    #[inline(always)]
    fn sub(self, left: Lanes, right: Lanes) -> Lanes {
        both!(_mm256_sub_ps, left, right)
    }

    #[inline(always)]
    fn mul(self, left: Lanes, right: Lanes) -> Lanes {
        both!(_mm256_mul_ps, left, right)
    }

    #[inline(always)]
    fn div(self, left: Lanes, right: Lanes) -> Lanes {
        both!(_mm256_div_ps, left, right)
    }

    #[inline(always)]
    fn min(self, left: Lanes, right: Lanes) -> Lanes {
        both!(_mm256_min_ps, left, right)
    }

    #[inline(always)]
    fn max(self, left: Lanes, right: Lanes) -> Lanes {
        both!(_mm256_max_ps, left, right)
    }

    #[inline(always)]
    fn times_power(self, lanes: Lanes, power: Lanes) -> Lanes {
        let shifted = |lanes: __m256, power: __m256| {
            // SAFETY: `self` proves AVX2.
            unsafe {
                let power = _mm256_slli_epi32::<23>(_mm256_castps_si256(power));
                _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(lanes), power))
            }
        };
        [shifted(lanes[0], power[0]), shifted(lanes[1], power[1])]
    }

    #[inline(always)]
    fn low_bytes(self, lanes: Lanes) -> [u8; LANES] {
        let mut bytes = [0; LANES];
        // SAFETY: `self` proves AVX2; the array holds the 16 bytes that are stored.
        unsafe {
            let mask = _mm256_set1_epi32(0xff);
            let first = _mm256_and_si256(_mm256_castps_si256(lanes[0]), mask);
            let second = _mm256_and_si256(_mm256_castps_si256(lanes[1]), mask);
            // Packing works per 128-bit half and so leaves the quarters as 0 2 1 3.
            let words = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(first, second));
            let low = _mm256_castsi256_si128(words);
            let packed = _mm_packus_epi16(low, _mm256_extracti128_si256::<1>(words));
            _mm_storeu_si128(bytes.as_mut_ptr().cast(), packed);
        }
        bytes
    }
}

impl Arithmetic for Avx2 {
    fn hidden(self, trunk: &Trunk, tokens: &[u32], second: usize) -> Vec<f32> {
        #[target_feature(enable = "avx2")]
        fn compiled(kernel: Avx2, trunk: &Trunk, tokens: &[u32], second: usize) -> Vec<f32> {
            forward::hidden(kernel, trunk, tokens, second)
        }
        // SAFETY: `self` proves AVX2.
        unsafe { compiled(self, trunk, tokens, second) }
    }

    #[inline]
    fn panel(self, rows: &[u8], width: usize, weights: &[i8], sums: &mut [[i32; PANEL]]) {
        match self.vnni {
            Some(vnni) => vnni.panel(rows, width, weights, sums),
            // SAFETY: `self` proves AVX2.
            None => unsafe { panel(rows, width, weights, sums) },
        }
    }

    fn scan(self, query: &[i8; HIDDEN], rows: &[[i8; HIDDEN]], sums: &mut [i32]) {
        match self.vnni {
            Some(vnni) => vnni.scan(query, rows, sums),
            // SAFETY: `self` proves AVX2.
            None => unsafe { scan(query, rows, sums) },
        }
    }
}

#[target_feature(enable = "avx2")]
#[allow(clippy::large_stack_arrays, reason = "18 KiB, in no recursion")]
fn panel(rows: &[u8], width: usize, weights: &[i8], sums: &mut [[i32; PANEL]]) {
    let mut wide = [0i16; MOST * INNER];
    let size = block_size(rows.len() / width, MOST);
    let (weights, next) = weights.split_at(width * PANEL);
    // Each block of rows fetches its share of the next panel while it works on this one.
    let mut next = next.chunks(weights.len().div_ceil(sums.len().div_ceil(size)));
    for (rows, sums) in rows.chunks(size * width).zip(sums.chunks_mut(size)) {
        for (wide, &byte) in wide.iter_mut().zip(rows) {
            *wide = i16::from(byte);
        }
        let wide = &wide[..rows.len()];
        let next = next.next().unwrap_or_default();
        match rows.len() / width {
            6 => block::<6>(wide, width, weights, next, sums),
            5 => block::<5>(wide, width, weights, next, sums),
            4 => block::<4>(wide, width, weights, next, sums),
            3 => block::<3>(wide, width, weights, next, sums),
            2 => block::<2>(wide, width, weights, next, sums),
            _ => block::<1>(wide, width, weights, next, sums),
        }
    }
}

/// Multiplies `N` widened rows with a panel, eight outputs at a time, and fetches `next` on the way.
#[target_feature(enable = "avx2")]
fn block<const N: usize>(rows: &[i16], width: usize, weights: &[i8], next: &[i8], sums: &mut [[i32; PANEL]]) {
    const OUTPUTS: usize = 8;
    assert!(width.is_multiple_of(GROUP) && rows.len() >= N * width && sums.len() >= N);
    assert!(weights.len() >= width * PANEL);
    let mut next = next.chunks(next.len().div_ceil(PANEL / OUTPUTS).max(1));
    for first in (0..PANEL).step_by(OUTPUTS) {
        for line in next.next().unwrap_or_default().chunks(LINE) {
            _mm_prefetch::<_MM_HINT_T1>(line.as_ptr());
        }
        // Each lane pair of an accumulator holds one output: inputs 0 and 1, inputs 2 and 3.
        let mut totals = [[_mm256_setzero_si256(); 2]; N];
        for step in 0..width / GROUP {
            let at = (step * PANEL + first) * GROUP;
            // SAFETY: `at` + 32 ≤ `width` * PANEL, which the slice holds.
            let (low, high) = unsafe {
                let at = weights.as_ptr().add(at);
                (_mm_loadu_si128(at.cast()), _mm_loadu_si128(at.add(16).cast()))
            };
            let (low, high) = (_mm256_cvtepi8_epi16(low), _mm256_cvtepi8_epi16(high));
            for (row, totals) in totals.iter_mut().enumerate() {
                // SAFETY: four inputs of one of `N` rows, which the slice holds.
                let inputs = unsafe { rows.as_ptr().add(row * width + step * GROUP).cast::<i64>().read_unaligned() };
                let inputs = _mm256_set1_epi64x(inputs);
                totals[0] = _mm256_add_epi32(totals[0], _mm256_madd_epi16(low, inputs));
                totals[1] = _mm256_add_epi32(totals[1], _mm256_madd_epi16(high, inputs));
            }
        }
        for (totals, sums) in totals.iter().zip(sums.iter_mut()) {
            // hadd works per 128-bit half and so leaves the quarters as 0 2 1 3.
            let joined = _mm256_hadd_epi32(totals[0], totals[1]);
            let joined = _mm256_permute4x64_epi64::<0b11_01_10_00>(joined);
            let out = &mut sums[first..first + OUTPUTS];
            // SAFETY: `out` is eight `i32` long.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), joined) };
        }
    }
}

#[target_feature(enable = "avx2")]
fn scan(query: &[i8; HIDDEN], rows: &[[i8; HIDDEN]], sums: &mut [i32]) {
    let query = query.map(i16::from);
    for (row, sum) in rows.iter().zip(sums) {
        let mut totals = [_mm256_setzero_si256(); 2];
        for (step, (row, query)) in row.as_chunks::<16>().0.iter().zip(query.as_chunks::<16>().0).enumerate() {
            // SAFETY: both chunks hold exactly 16 numbers.
            let (row, query) =
                unsafe { (_mm_loadu_si128(row.as_ptr().cast()), _mm256_loadu_si256(query.as_ptr().cast())) };
            let products = _mm256_madd_epi16(_mm256_cvtepi8_epi16(row), query);
            totals[step % 2] = _mm256_add_epi32(totals[step % 2], products);
        }
        *sum = add_lanes(_mm256_add_epi32(totals[0], totals[1]));
    }
}

/// Adds up the eight lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn add_lanes(lanes: __m256i) -> i32 {
    let lanes = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let lanes = _mm_add_epi32(lanes, _mm_shuffle_epi32::<0b01_00_11_10>(lanes));
    _mm_cvtsi128_si32(_mm_add_epi32(lanes, _mm_shuffle_epi32::<0b10_11_00_01>(lanes)))
}
