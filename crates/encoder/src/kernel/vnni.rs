//! 512-bit kernel for processors with the VNNI instructions, which multiply and add four bytes per lane at once.
#![allow(
    clippy::inline_always,
    clippy::wildcard_imports,
    reason = "intrinsics have to end up in their caller, and their names say where they come from"
)]

use super::arithmetic::{Arithmetic, Floats, LANES, block_size};
use crate::forward::{self, Trunk};
use crate::shape::{GROUP, HIDDEN, PANEL};
use std::arch::x86_64::*;

/// Bytes, and four times the outputs, of one register.
const REGISTER: usize = 64;
/// Bytes that the processor fetches at once.
const LINE: usize = 64;
/// Registers that hold one step of a panel.
const ACROSS: usize = PANEL * GROUP / REGISTER;
/// Rows that are multiplied together; with four accumulators each they fill the 32 registers.
const MOST: usize = 6;

/// Proof that the processor has AVX-512 with VNNI.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vnni(());

impl Vnni {
    pub(crate) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vnni");
        found.then_some(Self(()))
    }
}

impl Floats for Vnni {
    type Lanes = __m512;

    #[inline(always)]
    fn splat(self, value: f32) -> __m512 {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_set1_ps(value) }
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> __m512 {
        // SAFETY: `self` proves AVX-512; the array is one register long.
        unsafe { _mm512_loadu_ps(values.as_ptr()) }
    }

    #[inline(always)]
    fn array(self, lanes: __m512) -> [f32; LANES] {
        let mut values = [0.0; LANES];
        // SAFETY: `self` proves AVX-512; the array is one register long.
        unsafe { _mm512_storeu_ps(values.as_mut_ptr(), lanes) };
        values
    }

    #[inline(always)]
    fn from_integers(self, values: &[i32; LANES]) -> __m512 {
        // SAFETY: `self` proves AVX-512; the array is one register long.
        unsafe { _mm512_cvtepi32_ps(_mm512_loadu_si512(values.as_ptr().cast())) }
    }

    #[inline(always)]
    fn add(self, left: __m512, right: __m512) -> __m512 {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_add_ps(left, right) }
    }

    #[inline(always)]
    fn sub(self, left: __m512, right: __m512) -> __m512 {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_sub_ps(left, right) }
    }

    #[inline(always)]
    fn mul(self, left: __m512, right: __m512) -> __m512 {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_mul_ps(left, right) }
    }

    #[inline(always)]
    fn div(self, left: __m512, right: __m512) -> __m512 {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_div_ps(left, right) }
    }

    #[inline(always)]
    fn min(self, left: __m512, right: __m512) -> __m512 {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_min_ps(left, right) }
    }

    #[inline(always)]
    fn max(self, left: __m512, right: __m512) -> __m512 {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_max_ps(left, right) }
    }

    #[inline(always)]
    fn times_power(self, lanes: __m512, power: __m512) -> __m512 {
        // SAFETY: `self` proves AVX-512.
        unsafe {
            let power = _mm512_slli_epi32::<23>(_mm512_castps_si512(power));
            _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(lanes), power))
        }
    }

    #[inline(always)]
    fn low_bytes(self, lanes: __m512) -> [u8; LANES] {
        let mut bytes = [0; LANES];
        // SAFETY: `self` proves AVX-512; the array holds the 16 bytes that are stored.
        unsafe {
            let packed = _mm512_cvtepi32_epi8(_mm512_castps_si512(lanes));
            _mm_storeu_si128(bytes.as_mut_ptr().cast(), packed);
        }
        bytes
    }
}

impl Arithmetic for Vnni {
    fn hidden(self, trunk: &Trunk, tokens: &[u32], second: usize) -> Vec<f32> {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
        fn compiled(kernel: Vnni, trunk: &Trunk, tokens: &[u32], second: usize) -> Vec<f32> {
            forward::hidden(kernel, trunk, tokens, second)
        }
        // SAFETY: `self` proves the features.
        unsafe { compiled(self, trunk, tokens, second) }
    }

    #[inline]
    fn panel(self, rows: &[u8], width: usize, weights: &[i8], sums: &mut [[i32; PANEL]]) {
        // SAFETY: `self` proves the features.
        unsafe { panel(rows, width, weights, sums) }
    }

    fn scan(self, query: &[i8; HIDDEN], rows: &[[i8; HIDDEN]], sums: &mut [i32]) {
        // SAFETY: `self` proves the features.
        unsafe { scan(query, rows, sums) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn panel(rows: &[u8], width: usize, weights: &[i8], sums: &mut [[i32; PANEL]]) {
    let size = block_size(rows.len() / width, MOST);
    let (weights, next) = weights.split_at(width * PANEL);
    // Each block of rows fetches its share of the next panel while it works on this one.
    let share = (weights.len() / sums.len().div_ceil(size)).next_multiple_of(LINE);
    let mut next = next.chunks(share);
    for (rows, sums) in rows.chunks(size * width).zip(sums.chunks_mut(size)) {
        let next = next.next().unwrap_or_default();
        match rows.len() / width {
            6 => block::<6>(rows, width, weights, next, sums),
            5 => block::<5>(rows, width, weights, next, sums),
            4 => block::<4>(rows, width, weights, next, sums),
            3 => block::<3>(rows, width, weights, next, sums),
            2 => block::<2>(rows, width, weights, next, sums),
            _ => block::<1>(rows, width, weights, next, sums),
        }
    }
}

/// Multiplies `N` rows with a whole panel and fetches `next` on the way.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn block<const N: usize>(rows: &[u8], width: usize, weights: &[i8], next: &[i8], sums: &mut [[i32; PANEL]]) {
    let steps = width / GROUP;
    assert!(width.is_multiple_of(GROUP) && rows.len() >= N * width && sums.len() >= N);
    assert!(weights.len() >= width * PANEL);
    let per_step = next.len().div_ceil(steps);
    let mut totals = [[_mm512_setzero_si512(); ACROSS]; N];
    for step in 0..steps {
        let mut at = (step * per_step).next_multiple_of(LINE);
        while at < ((step + 1) * per_step).min(next.len()) {
            _mm_prefetch::<_MM_HINT_T1>(next[at..].as_ptr());
            at += LINE;
        }
        let mut loaded = [_mm512_setzero_si512(); ACROSS];
        for (at, loaded) in loaded.iter_mut().enumerate() {
            let at = step * PANEL * GROUP + at * REGISTER;
            // SAFETY: `at` + 64 ≤ `width` * PANEL, which the slice holds.
            *loaded = unsafe { _mm512_loadu_si512(weights.as_ptr().add(at).cast()) };
        }
        for (row, totals) in totals.iter_mut().enumerate() {
            // SAFETY: four inputs of one of `N` rows, which the slice holds.
            let inputs = unsafe {
                let at = rows.as_ptr().add(row * width + step * GROUP);
                at.cast::<i32>().read_unaligned()
            };
            let inputs = _mm512_set1_epi32(inputs);
            for (total, weights) in totals.iter_mut().zip(loaded) {
                *total = _mm512_dpbusd_epi32(*total, inputs, weights);
            }
        }
    }
    for (totals, sums) in totals.iter().zip(sums) {
        for (total, sums) in totals.iter().zip(sums.chunks_exact_mut(REGISTER / GROUP)) {
            // SAFETY: the chunk is 16 `i32` long.
            unsafe { _mm512_storeu_si512(sums.as_mut_ptr().cast(), *total) };
        }
    }
}

/// The left side of the instruction is unsigned, so each row is shifted up by 128 and the surplus, the same for all, taken off.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn scan(query: &[i8; HIDDEN], rows: &[[i8; HIDDEN]], sums: &mut [i32]) {
    const REGISTERS: usize = HIDDEN / REGISTER;
    let mut loaded = [_mm512_setzero_si512(); REGISTERS];
    for (loaded, query) in loaded.iter_mut().zip(query.as_chunks::<REGISTER>().0) {
        *loaded = load(query);
    }
    let surplus = 128 * query.iter().map(|&value| i32::from(value)).sum::<i32>();
    let shift = _mm512_set1_epi8(i8::MIN);
    for (row, sum) in rows.iter().zip(sums) {
        let mut total = _mm512_setzero_si512();
        for (row, query) in row.as_chunks::<REGISTER>().0.iter().zip(loaded) {
            total = _mm512_dpbusd_epi32(total, _mm512_xor_si512(load(row), shift), query);
        }
        *sum = _mm512_reduce_add_epi32(total) - surplus;
    }
}

#[target_feature(enable = "avx512f")]
fn load(bytes: &[i8; REGISTER]) -> __m512i {
    // SAFETY: the array is exactly one register long.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}
