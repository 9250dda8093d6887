//! Everything that speaks for a memory → one score.
//!
//! Enters: the candidates' numbers and the prompt's vector. Leaves: for each how likely it matters, and
//! the floor below which nothing is shown. Two questions are asked, since they have different answers:
//! does this prompt need any memory at all (most prompts of a working day do not), and if so, which?
//! The score is the product of both.

use super::rank::{Candidate, Prompt};
use super::weights::{FLOOR, GATE, NEED, NEED_BIAS, PICK, PICK_WORDS};
use super::weights_other_languages::{FLOOR_OTHER, GATE_OTHER, PICK_OTHER};
use memdir_core::kind::Scope;

/// What no training set can tell, set by hand: a pin is a person's word, use is a weaker one, and what
/// holds in every project is less likely about this one.
const PINNED: f32 = 0.7;
const PER_USE: f32 = 0.15;
const MOST_USES: u32 = 20;
const USER_SCOPE: f32 = -0.2;

/// The first memory must be this far above the floor, since every passage is one more chance to be near; beside it the floor is
/// enough, since a task that needs one memory often needs others.
pub(crate) const FIRST: f32 = 1.2;

/// What a prompt names outright matters, whatever its other words are: of the memories that hold a rare identifier of a prompt, 7 of 10
/// were wanted in the training stores.
const NAMED: f32 = 0.3;

/// The scores of a prompt's candidates.
pub(crate) struct Judgement {
    /// One a candidate, in their order, with what came of telling it before; 0 for one held back.
    pub scores: Vec<f32>,
    /// How likely the prompt needs any memory.
    pub any: f32,
    /// The least score that is shown.
    floor: f32,
}

impl Judgement {
    /// Whether a score is enough to be shown.
    pub(crate) fn passes(&self, score: f32) -> bool {
        score >= self.floor
    }

    /// The least score that is shown.
    pub(crate) fn floor(&self) -> f32 {
        self.floor
    }
}

/// Judges all candidates of a prompt.
pub(crate) fn judge(prompt: &Prompt<'_>, candidates: &[Candidate<'_>]) -> Judgement {
    let fitted = prompt.in_fitted_language();
    let picks: Vec<Option<f32>> =
        candidates.iter().map(|candidate| candidate.held.is_none().then(|| pick(candidate, fitted))).collect();
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
    let needed = if fitted { gate(prompt, best, warns) } else { gate_other(prompt, best) };
    let any = if best[0].is_finite() { sigmoid(needed) } else { 0.0 };
    let score = |(pick, candidate): (Option<f32>, &Candidate<'_>)| {
        let Some(pick) = pick else { return 0.0 };
        let least = if candidate.named.is_some() { NAMED } else { 0.0 };
        (any * sigmoid(pick)).max(least)
    };
    let scores: Vec<f32> = picks.into_iter().zip(candidates).map(score).collect();
    let floor = if fitted { FLOOR } else { FLOOR_OTHER };
    let sure = scores.iter().any(|score| *score >= floor * FIRST);
    // Experience with one memory says nothing about the others, so it comes after what decides for all.
    let scores = scores.iter().zip(candidates).map(|(score, one)| one.known.experience.applied(*score)).collect();
    Judgement { scores, any, floor: if sure { floor } else { floor * FIRST } }
}

/// The floors that there are.
#[cfg(test)]
pub(crate) fn floors() -> [f32; 2] {
    [FLOOR, FLOOR_OTHER]
}

/// Whether the prompt needs a memory, as a logit.
fn gate(prompt: &Prompt<'_>, best: [f32; 2], warns: bool) -> f32 {
    let second = best[1].max(best[0] - 6.0);
    let tools = f32::from(!prompt.tools.is_empty());
    let values = [need(prompt), best[0], second, tools, f32::from(warns), 1.0];
    values.iter().zip(GATE).map(|(value, weight)| value * weight).sum()
}

/// The same for a prompt in another language.
fn gate_other(prompt: &Prompt<'_>, best: [f32; 2]) -> f32 {
    let second = best[1].max(best[0] - 6.0);
    [need(prompt), best[0], second, 1.0].iter().zip(GATE_OTHER).map(|(value, weight)| value * weight).sum()
}

/// How far the prompt's own vector lies in the direction of those that need a memory.
fn need(prompt: &Prompt<'_>) -> f32 {
    prompt
        .vector
        .map_or(0.0, |vector| vector.0.iter().zip(&NEED).map(|(value, weight)| value * weight).sum::<f32>() + NEED_BIAS)
}

/// Whether this memory is the one, given that one is needed, as a logit.
fn pick(candidate: &Candidate<'_>, fitted: bool) -> f32 {
    let weights: &[f32] = match (candidate.embedded, fitted) {
        (false, _) => &PICK_WORDS,
        (true, true) => &PICK,
        (true, false) => &PICK_OTHER,
    };
    let (constant, weights) = weights.split_last().unwrap_or((&0.0, &[]));
    let fitted: f32 = candidate.row.iter().zip(weights).map(|(value, weight)| value * weight).sum();
    let known = &candidate.known;
    let by_hand = f32::from(known.pinned) * PINNED
        + known.uses.min(MOST_USES) as f32 / MOST_USES as f32 * PER_USE * 4.0
        + f32::from(known.scope == Scope::User) * USER_SCOPE;
    fitted + constant + by_hand
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
