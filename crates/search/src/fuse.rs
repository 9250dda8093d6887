//! Everything that speaks for a memory → one score.
//!
//! Enters: the candidates' numbers and the prompt's vector. Leaves: for each how likely it matters, and
//! the floor below which nothing is shown. Two questions are asked, since they have different answers:
//! does this prompt need any memory at all (most prompts of a working day do not), and if so, which?
//! The score is the product of both.

use super::rank::{Candidate, Prompt};
use super::weights::{FLOOR, GATE, NEED, NEED_BIAS, PICK, PICK_WORDS, Pick};
use memdir_core::kind::Scope;

/// What no training set can tell, set by hand: a pin is a person's word, use is a weaker one, and what
/// holds in every project is less likely about this one.
const PINNED: f32 = 0.7;
const PER_USE: f32 = 0.15;
const MOST_USES: u32 = 20;
const USER_SCOPE: f32 = -0.2;

/// The scores of a prompt's candidates.
pub(crate) struct Judgement {
    /// One a candidate, in their order; 0 for one held back.
    pub scores: Vec<f32>,
    /// How likely the prompt needs any memory.
    pub any: f32,
}

impl Judgement {
    /// Whether a score is enough to be shown.
    pub(crate) fn passes(&self, score: f32) -> bool {
        score >= FLOOR
    }

    /// The least score that is shown.
    pub(crate) fn floor(&self) -> f32 {
        FLOOR
    }
}

/// Judges all candidates of a prompt.
pub(crate) fn judge(prompt: &Prompt<'_>, candidates: &[Candidate<'_>]) -> Judgement {
    let picks: Vec<Option<f32>> =
        candidates.iter().map(|candidate| candidate.held.is_none().then(|| pick(candidate))).collect();
    let mut best = [f32::NEG_INFINITY; 2];
    let mut warns = false;
    for (candidate, pick) in candidates.iter().zip(&picks) {
        let Some(pick) = *pick else { continue };
        if pick > best[0] {
            best = [pick, best[0]];
            warns = candidate.warns;
        } else if pick > best[1] {
            best[1] = pick;
        }
    }
    let any = if best[0].is_finite() { sigmoid(gate(prompt, best, warns)) } else { 0.0 };
    let scores = picks.into_iter().map(|pick| pick.map_or(0.0, |pick| any * sigmoid(pick))).collect();
    Judgement { scores, any }
}

/// Whether the prompt needs a memory, as a logit.
fn gate(prompt: &Prompt<'_>, best: [f32; 2], warns: bool) -> f32 {
    let need = prompt.vector.map_or(0.0, |vector| {
        vector.0.iter().zip(&NEED).map(|(value, weight)| value * weight).sum::<f32>() + NEED_BIAS
    });
    let second = best[1].max(best[0] - 6.0);
    let tools = f32::from(!prompt.tools.is_empty());
    let values = [need, best[0], second, tools, f32::from(warns), 1.0];
    values.iter().zip(GATE).map(|(value, weight)| value * weight).sum()
}

/// Whether this memory is the one, given that one is needed, as a logit.
pub(crate) fn pick(candidate: &Candidate<'_>) -> f32 {
    let weights: &Pick = if candidate.embedded { &PICK } else { &PICK_WORDS };
    let fitted: f32 = candidate.row.iter().zip(weights).map(|(value, weight)| value * weight).sum();
    let known = &candidate.known;
    let by_hand = f32::from(known.pinned) * PINNED
        + known.uses.min(MOST_USES) as f32 / MOST_USES as f32 * PER_USE * 4.0
        + f32::from(known.scope == Scope::User) * USER_SCOPE;
    fitted + weights[weights.len() - 1] + by_hand
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
