//! How much each number of [`features`](super::features) counts.
//!
//! Set by hand around the encoder's own calibration (its published scale and bias), with a little
//! for agreement of words; chosen among seven variants by the totals of the development set.

use super::features::COUNT;
use memdir_encoder::DIMENSIONS;

/// Weights of the numbers, and what is added to every score.
pub(super) type Pick = [f32; COUNT + 1];

/// For a memory that has vectors.
pub(super) const PICK: Pick = [8.0, 8.0, 2.0, 3.0, 1.0, 0.8, 0.4, -0.3, 0.0, 0.0, 0.0, 0.0, -6.2];
/// For a memory that has none yet: words alone.
pub(super) const PICK_WORDS: Pick = [0.0, 0.0, 0.0, 6.5, 1.5, 1.5, 0.8, -0.3, 0.0, 0.0, 0.0, 0.0, -3.8];
/// Whether any memory is needed: the prompt's own vector, the best and the second candidate, tools in
/// use, a warning about one of them, and a constant.
pub(super) const GATE: [f32; 6] = [0.0, 1.0, 0.0, -2.5, 2.5, 0.8];
/// The least score that is shown.
pub(super) const FLOOR: f32 = 0.18;
/// A direction in which prompts lie that need a memory; none is fitted yet.
pub(super) const NEED: [f32; DIMENSIONS] = [0.0; DIMENSIONS];
/// Its offset.
pub(super) const NEED_BIAS: f32 = 0.0;
