//! The integer products of the NEON kernel on processors with dot-product instructions (Apple's, and most since 2018).

use super::arithmetic::block_size;
use super::neon::{inputs, surplus};
use crate::shape::{GROUP, HIDDEN, PANEL};
use std::arch::aarch64::{
    int8x16_t, int32x4_t, vaddq_s32, vaddvq_s32, vdupq_n_s8, vdupq_n_s32, vld1q_s8, vld1q_s32, vst1q_s32,
};
use std::arch::{asm, is_aarch64_feature_detected};

/// Bytes of one register.
const REGISTER: usize = 16;
/// Registers of weights that are used together: 16 outputs.
const ACROSS: usize = 4;

/// Rows that are multiplied together; with four accumulators each they fill half of the 32 registers.
const MOST: usize = 4;

/// Proof that the processor has NEON and the dot-product instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dot(());

#[allow(clippy::unused_self, reason = "`self` is the proof that the instructions are there")]
impl Dot {
    pub(super) fn detect() -> Option<Self> {
        let found = is_aarch64_feature_detected!("neon") && is_aarch64_feature_detected!("dotprod");
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

/// Adds the products of four neighbouring bytes to each of the four totals. The intrinsic is not stable yet.
#[inline]
#[target_feature(enable = "neon,dotprod")]
fn dot(mut totals: int32x4_t, left: int8x16_t, right: int8x16_t) -> int32x4_t {
    // SAFETY: the instruction only reads and writes the registers named.
    unsafe {
        asm!(
            "sdot {0:v}.4s, {1:v}.16b, {2:v}.16b",
            inout(vreg) totals,
            in(vreg) left,
            in(vreg) right,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    totals
}

#[target_feature(enable = "neon,dotprod")]
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

/// Adds the products of `N` rows with a panel to `sums`, sixteen outputs at a time.
#[target_feature(enable = "neon,dotprod")]
fn block<const N: usize>(rows: &[u8], width: usize, weights: &[i8], sums: &mut [[i32; PANEL]]) {
    const OUTPUTS: usize = REGISTER / GROUP;
    assert!(width.is_multiple_of(GROUP) && rows.len() >= N * width && sums.len() >= N);
    assert!(weights.len() >= width * PANEL);
    for first in (0..PANEL).step_by(ACROSS * OUTPUTS) {
        let mut totals = [[vdupq_n_s32(0); ACROSS]; N];
        for step in 0..width / GROUP {
            let mut loaded = [vdupq_n_s8(0); ACROSS];
            for (register, loaded) in loaded.iter_mut().enumerate() {
                let at = (step * PANEL + first) * GROUP + register * REGISTER;
                // SAFETY: 16 weights of the panel, which the slice holds.
                *loaded = unsafe { vld1q_s8(weights.as_ptr().add(at)) };
            }
            for (row, totals) in totals.iter_mut().enumerate() {
                // SAFETY: four inputs of one of `N` rows, which the slice holds.
                let inputs = unsafe { inputs(rows.as_ptr(), row * width + step * GROUP) };
                for (total, weights) in totals.iter_mut().zip(loaded) {
                    *total = dot(*total, weights, inputs);
                }
            }
        }
        for (totals, sums) in totals.iter().zip(sums.iter_mut()) {
            let sums = sums[first..].as_chunks_mut::<OUTPUTS>().0;
            for (total, sums) in totals.iter().zip(sums) {
                // SAFETY: the chunk is one register long.
                unsafe {
                    let sum = vaddq_s32(vld1q_s32(sums.as_ptr()), *total);
                    vst1q_s32(sums.as_mut_ptr(), sum);
                };
            }
        }
    }
}

#[target_feature(enable = "neon,dotprod")]
fn scan(query: &[i8; HIDDEN], rows: &[[i8; HIDDEN]], sums: &mut [i32]) {
    for (row, sum) in rows.iter().zip(sums) {
        let mut totals = vdupq_n_s32(0);
        for (row, query) in row.as_chunks::<16>().0.iter().zip(query.as_chunks::<16>().0) {
            // SAFETY: each array is one register long.
            let (row, query) = unsafe { (vld1q_s8(row.as_ptr()), vld1q_s8(query.as_ptr())) };
            totals = dot(totals, row, query);
        }
        *sum = vaddvq_s32(totals);
    }
}
