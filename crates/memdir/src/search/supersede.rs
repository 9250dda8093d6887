//! Two versions of one fact: which of them is out of date.
//!
//! Enters: two candidates and how alike they are. Leaves: how likely it is that the older one was
//! replaced by the newer. The weights come from a logistic fit on the pairs of `training/stores` that are
//! marked as old and new, against all other pairs there that are alike.

use super::rank::Known;
use super::tokens::Tokenizer;
use super::wording::{self, CHANGE_WORDS};
use crate::kind::Type;
use std::collections::HashSet;

/// Held back when at least so likely.
pub(super) const LIKELY: f32 = 0.5;
/// Less alike ones are not looked at.
pub(super) const ALIKE: f32 = 0.4;

const BIAS: f32 = -26.3;
const LIKENESS: f32 = 9.2;
const GAP: f32 = 11.9;
const SAME_TYPE: f32 = 4.8;
const PROJECT: f32 = 2.3;
const MUTUAL: f32 = 2.2;
const SHARED_NAME: f32 = 5.9;
const CHANGE: f32 = 1.6;

/// What two candidates are to each other, the older first.
pub(super) struct Pair<'a> {
    pub(super) older: &'a Known<'a>,
    pub(super) newer: &'a Known<'a>,
    /// Cosine of the two.
    pub(super) likeness: f32,
    /// Whether no other candidate is more like either of them.
    pub(super) mutual: bool,
}

impl Pair<'_> {
    /// The numbers the weights are for, in their order.
    pub(super) fn features(&self, tokenizer: &mut Tokenizer) -> [f32; 7] {
        let header = wording::terms(tokenizer, &[self.newer.name, self.newer.description]);
        let gap = self.older.age_days.saturating_sub(self.newer.age_days);
        let (one, other) = (words(self.older.file), words(self.newer.file));
        let shared = one.intersection(&other).count() as f32 / one.len().min(other.len()).max(1) as f32;
        let same = self.older.kind == self.newer.kind;
        [
            self.likeness,
            (gap as f32).ln_1p() / 6.0,
            f32::from(same),
            f32::from(self.older.kind == Some(Type::Project)),
            f32::from(self.mutual),
            shared,
            f32::from(CHANGE_WORDS.any(&header)),
        ]
    }

    /// How likely the older one is out of date.
    pub(super) fn outdated(&self, tokenizer: &mut Tokenizer) -> f32 {
        let weights = [LIKENESS, GAP, SAME_TYPE, PROJECT, MUTUAL, SHARED_NAME, CHANGE];
        let sum: f32 = self.features(tokenizer).iter().zip(weights).map(|(value, weight)| value * weight).sum();
        1.0 / (1.0 + (-(sum + BIAS)).exp())
    }
}

/// The words of a file name, without the type.
fn words(file: &str) -> HashSet<&str> {
    let name = file.rsplit('/').next().unwrap_or(file);
    let name = name.strip_suffix(".md").unwrap_or(name);
    name.split(['_', '-', ' ', '.']).filter(|word| !word.is_empty() && Type::parse(word).is_none()).collect()
}
