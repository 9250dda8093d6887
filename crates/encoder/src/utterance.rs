//! What a user's message is: a correction, a project fact, small talk. The mean of its last layer in, a probability per label out.

use crate::blob::{CLASS_BIAS, CLASS_NAMES, CLASS_WEIGHTS};
use crate::shape::{CLASSES, HIDDEN};
use crate::vector;

/// What a user message can be, in the order of [`Encoder::utterance`](crate::Encoder::utterance).
pub const LABELS: [&str; CLASSES] = CLASS_NAMES;

/// The first labels are those worth saving; this many.
pub const SAVE_LABELS: usize = 7;

/// Characters of the assistant's message before that are looked at.
const BEFORE_CHARS: usize = 160;

/// The tokens of a message in the form of the training: the text, then what it answers.
pub(crate) fn tokens(text: &str, before: &str, limit: usize) -> Vec<u32> {
    let before = if before.is_empty() { "nothing" } else { before };
    let end = before.char_indices().nth(BEFORE_CHARS).map_or(before.len(), |(at, _)| at);
    crate::tokens::parts(["user: ", text, " | before: ", &before[..end]], limit)
}

/// Returns the probability of each label.
pub(crate) fn classify(mean: &[f32; HIDDEN]) -> [f32; CLASSES] {
    let weights = CLASS_WEIGHTS.floats().as_chunks::<HIDDEN>().0;
    let mut scores = [0.0; CLASSES];
    for ((score, weights), bias) in scores.iter_mut().zip(weights).zip(CLASS_BIAS.floats()) {
        *score = vector::dot(mean, weights) + bias;
    }
    let largest = scores.iter().copied().fold(f32::MIN, f32::max);
    let powers = scores.map(|score| (score - largest).exp());
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}
