//! What a kernel can do: the operations that the forward pass is made of.
//!
//! A value of an implementing type is the proof that the processor can run it, so the operations are safe to call.

use crate::forward::Trunk;
use crate::shape::{HIDDEN, PANEL};

/// Numbers that a kernel treats side by side, whatever the width of its registers.
pub(crate) const LANES: usize = 16;

/// The floating-point arithmetic of one kernel: what every processor computes alike, lane by lane.
#[allow(clippy::wrong_self_convention, reason = "`self` is the kernel, not the value")]
pub(crate) trait Floats: Copy {
    /// Sixteen numbers.
    type Lanes: Copy;

    fn splat(self, value: f32) -> Self::Lanes;
    fn load(self, values: &[f32; LANES]) -> Self::Lanes;
    fn array(self, lanes: Self::Lanes) -> [f32; LANES];
    fn from_integers(self, values: &[i32; LANES]) -> Self::Lanes;
    fn add(self, left: Self::Lanes, right: Self::Lanes) -> Self::Lanes;
    fn sub(self, left: Self::Lanes, right: Self::Lanes) -> Self::Lanes;
    fn mul(self, left: Self::Lanes, right: Self::Lanes) -> Self::Lanes;
    fn div(self, left: Self::Lanes, right: Self::Lanes) -> Self::Lanes;
    fn min(self, left: Self::Lanes, right: Self::Lanes) -> Self::Lanes;
    fn max(self, left: Self::Lanes, right: Self::Lanes) -> Self::Lanes;
    /// Multiplies by two to the power that is in the low bits of `power`.
    fn times_power(self, lanes: Self::Lanes, power: Self::Lanes) -> Self::Lanes;
    /// Returns the lowest byte of each number's bits.
    fn low_bytes(self, lanes: Self::Lanes) -> [u8; LANES];
}

/// The integer arithmetic of one kernel, and the pass that uses it.
pub(crate) trait Arithmetic: Floats {
    /// Runs the whole forward pass, compiled for this kernel: a row of the last layer per token.
    fn hidden(self, trunk: &Trunk, tokens: &[u32], second: usize) -> Vec<f32>;

    /// Multiplies rows of bytes, `width` long, with the packed panel that `weights` starts with.
    ///
    /// What follows the panel is needed next and may be fetched early.
    fn panel(self, rows: &[u8], width: usize, weights: &[i8], sums: &mut [[i32; PANEL]]);

    /// Multiplies each row with the query.
    fn scan(self, query: &[i8; HIDDEN], rows: &[[i8; HIDDEN]], sums: &mut [i32]);
}

/// Splits `count` rows into blocks of nearly equal size, at most `most` each, so that none is left almost empty.
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
pub(super) fn block_size(count: usize, most: usize) -> usize {
    count.div_ceil(count.div_ceil(most).max(1)).max(1)
}
