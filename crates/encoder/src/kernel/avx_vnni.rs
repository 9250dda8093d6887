//! The integer products of the 256-bit kernel on processors that have the VNNI instructions without AVX-512.

use super::arithmetic::block_size;
use super::avx2::add_lanes;
use crate::shape::{GROUP, HIDDEN, PANEL};
use std::arch::x86_64::{
    __m256i, _mm256_dpbusd_avx_epi32, _mm256_loadu_si256, _mm256_set1_epi8, _mm256_set1_epi32, _mm256_setzero_si256,
    _mm256_storeu_si256, _mm256_xor_si256,
};

/// Bytes of one register.
const REGISTER: usize = 32;
/// Registers of weights that are used together: 16 outputs.
const ACROSS: usize = 2;
/// Rows that are multiplied together; with two accumulators each they fill the 16 registers.
const MOST: usize = 6;

/// Proof that the processor has AVX2 and VNNI on 256 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct AvxVnni(());

#[allow(clippy::unused_self, reason = "`self` is the proof that the instructions are there")]
impl AvxVnni {
    pub(super) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("avxvnni");
        found.then_some(Self(()))
    }

    pub(super) fn panel(self, rows: &[u8], width: usize, weights: &[i8], sums: &mut [[i32; PANEL]]) {
        // SAFETY: `self` proves the features.
        unsafe { panel(rows, width, weights, sums) }
    }

    pub(super) fn scan(self, query: &[i8; HIDDEN], rows: &[[i8; HIDDEN]], sums: &mut [i32]) {
        // SAFETY: `self` proves the features.
        unsafe { scan(query, rows, sums) }
    }
}

#[target_feature(enable = "avx2,avxvnni")]
fn panel(rows: &[u8], width: usize, weights: &[i8], sums: &mut [[i32; PANEL]]) {
    let size = block_size(rows.len() / width, MOST);
    for (rows, sums) in rows.chunks(size * width).zip(sums.chunks_mut(size)) {
        match rows.len() / width {
            6 => block::<6>(rows, width, weights, sums),
            5 => block::<5>(rows, width, weights, sums),
            4 => block::<4>(rows, width, weights, sums),
            3 => block::<3>(rows, width, weights, sums),
            2 => block::<2>(rows, width, weights, sums),
            _ => block::<1>(rows, width, weights, sums),
        }
    }
}

/// Multiplies `N` rows with a panel, sixteen outputs at a time.
#[target_feature(enable = "avx2,avxvnni")]
fn block<const N: usize>(rows: &[u8], width: usize, weights: &[i8], sums: &mut [[i32; PANEL]]) {
    const OUTPUTS: usize = REGISTER / GROUP;
    assert!(width.is_multiple_of(GROUP) && rows.len() >= N * width && sums.len() >= N);
    assert!(weights.len() >= width * PANEL);
    for first in (0..PANEL).step_by(ACROSS * OUTPUTS) {
        let mut totals = [[_mm256_setzero_si256(); ACROSS]; N];
        for step in 0..width / GROUP {
            let mut loaded = [_mm256_setzero_si256(); ACROSS];
            for (register, loaded) in loaded.iter_mut().enumerate() {
                let at = (step * PANEL + first) * GROUP + register * REGISTER;
                // SAFETY: 32 weights of the panel, which the slice holds.
                *loaded = unsafe { _mm256_loadu_si256(weights.as_ptr().add(at).cast()) };
            }
            for (row, totals) in totals.iter_mut().enumerate() {
                // SAFETY: four inputs of one of `N` rows, which the slice holds.
                let inputs = unsafe {
                    let at = rows.as_ptr().add(row * width + step * GROUP);
                    at.cast::<i32>().read_unaligned()
                };
                let inputs = _mm256_set1_epi32(inputs);
                for (total, weights) in totals.iter_mut().zip(loaded) {
                    *total = _mm256_dpbusd_avx_epi32(*total, inputs, weights);
                }
            }
        }
        for (totals, sums) in totals.iter().zip(sums.iter_mut()) {
            let sums = sums[first..].as_chunks_mut::<OUTPUTS>().0;
            for (total, sums) in totals.iter().zip(sums) {
                // SAFETY: the chunk is one register long.
                unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), *total) };
            }
        }
    }
}

/// The left side of the instruction is unsigned, so each row is shifted up by 128 and the surplus, the same for all, taken off.
#[target_feature(enable = "avx2,avxvnni")]
fn scan(query: &[i8; HIDDEN], rows: &[[i8; HIDDEN]], sums: &mut [i32]) {
    let surplus = 128 * query.iter().map(|&value| i32::from(value)).sum::<i32>();
    let shift = _mm256_set1_epi8(i8::MIN);
    for (row, sum) in rows.iter().zip(sums) {
        let mut total = _mm256_setzero_si256();
        for (row, query) in row.as_chunks().0.iter().zip(query.as_chunks().0) {
            total = _mm256_dpbusd_avx_epi32(total, _mm256_xor_si256(load(row), shift), load(query));
        }
        *sum = add_lanes(total) - surplus;
    }
}

#[target_feature(enable = "avx2")]
fn load(bytes: &[i8; REGISTER]) -> __m256i {
    // SAFETY: the array is exactly one register long.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}
