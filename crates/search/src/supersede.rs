//! Two versions of one fact: which of them is out of date.
//!
//! Enters: two candidates and how alike they are. Leaves: whether the older one was more likely than not
//! replaced by the newer. The weights come from a logistic fit on the pairs of `training/stores` that are
//! marked as old and new, against all other pairs there that are alike.

use super::rank::Known;
use super::tokens::Tokenizer;
use super::wording::{self, CHANGE_WORDS};
use memdir_core::kind::Type;
use std::collections::HashSet;

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
pub(super) struct CandidatePair<'a> {
    pub(super) older: &'a Known<'a>,
    pub(super) newer: &'a Known<'a>,
    /// Days between the two.
    pub(super) gap: u32,
    /// Cosine of the two.
    pub(super) likeness: f32,
    /// Whether no other candidate is more like either of them.
    pub(super) mutual: bool,
}

impl CandidatePair<'_> {
    /// Whether the older one is more likely out of date than not.
    pub(super) fn is_outdated(&self, tokenizer: &mut Tokenizer) -> bool {
        if self.are_of_a_series() {
            return false;
        }
        let sum = BIAS
            + LIKENESS * self.likeness
            + GAP * (self.gap as f32).ln_1p() / 6.0
            + SAME_TYPE * f32::from(self.older.kind == self.newer.kind)
            + PROJECT * f32::from(self.older.kind == Some(Type::Project))
            + MUTUAL * f32::from(self.mutual);
        // Reading words costs more than all the rest, and for most pairs decides nothing.
        if sum + SHARED_NAME + CHANGE < 0.0 {
            return false;
        }
        let sum = sum + SHARED_NAME * self.shared_name();
        sum >= 0.0 || (sum + CHANGE >= 0.0 && self.tells_of_change(tokenizer))
    }

    /// Whether the file names are the same but for a number that more words follow: "kiosk-03-setup" is no later version of
    /// "kiosk-05-setup", as `min_ios_17` is of `min_ios_16`.
    fn are_of_a_series(&self) -> bool {
        let own = |one: &str, other: &str| -> Vec<String> {
            let other = words(other);
            words(one).into_iter().filter(|word| !other.contains(word)).map(str::to_owned).collect()
        };
        let is_number = |word: &str, file: &str| {
            let last = file.trim_end_matches(".md").ends_with(word);
            !last && word.chars().all(|c| c.is_ascii_digit())
        };
        let (older, newer) = (self.older.file, self.newer.file);
        match (own(older, newer).as_slice(), own(newer, older).as_slice()) {
            ([one], [other]) => is_number(one, older) && is_number(other, newer),
            _ => false,
        }
    }

    /// How much of the shorter file name is in the other.
    fn shared_name(&self) -> f32 {
        let (one, other) = (words(self.older.file), words(self.newer.file));
        one.intersection(&other).count() as f32 / one.len().min(other.len()).max(1) as f32
    }

    fn tells_of_change(&self, tokenizer: &mut Tokenizer) -> bool {
        CHANGE_WORDS.any(&wording::terms(tokenizer, &[self.newer.name, self.newer.description]))
    }
}

/// The words of a file name, without the type.
fn words(file: &str) -> HashSet<&str> {
    let name = file.rsplit('/').next().unwrap_or(file);
    let name = name.strip_suffix(".md").unwrap_or(name);
    name.split(['_', '-', ' ', '.']).filter(|word| !word.is_empty() && Type::parse(word).is_none()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experience::Experience;
    use memdir_core::kind::Scope;

    fn known(file: &str, age_days: u32) -> Known<'_> {
        Known {
            file,
            name: "",
            description: "",
            kind: Some(Type::Reference),
            scope: Scope::Private,
            age_days: Some(age_days),
            uses: 0,
            pinned: false,
            experience: Experience::default(),
        }
    }

    #[test]
    fn k6_one_of_a_series_does_not_replace_another() {
        for (older, newer, outdated) in [
            ("kiosk-05-setup.md", "kiosk-03-setup.md", false),
            ("min_ios_16.md", "min_ios_17.md", true),
            ("project_oncall_rotation_2025.md", "project_oncall_rotation_2026.md", true),
        ] {
            let (older, newer) = (known(older, 300), known(newer, 20));
            let pair = CandidatePair { older: &older, newer: &newer, gap: 280, likeness: 0.93, mutual: true };
            assert_eq!(pair.is_outdated(&mut Tokenizer::default()), outdated, "{}", newer.file);
        }
    }
}
