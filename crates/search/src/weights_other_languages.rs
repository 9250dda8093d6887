//! How much each number of [`features`](super::features) counts for a prompt in a language other than English and
//! Chinese.
//!
//! Written by `training/fit_other_languages.py` from prompts of eight fictional teams in eight languages. Do not edit:
//! change the script and run it again.

use super::features::COUNT;

/// Weights of the numbers, and what is added to every score.
pub(super) const PICK_OTHER: [f32; COUNT + 1] =
    [3.635, 4.363, 0.030, 3.268, 3.042, 1.665, -0.014, 0.000, 0.000, 0.000, 0.000, 0.000, 1.740, 0.077, 0.567, -6.676];
/// Whether any memory is needed: the prompt's own vector, the best and the second candidate, and a constant.
pub(super) const GATE_OTHER: [f32; 4] = [0.980, 0.470, 1.125, 3.463];
/// The least score that is shown.
pub(super) const FLOOR_OTHER: f32 = 0.082;
