//! What came of telling a memory before → a small push for or against it.
//!
//! Enters: what a person said about being told it, how often it was told, how often an agent then went to it. Leaves: a shift of
//! its score in logits, and the reasons in words with their numbers. The shift is bounded, so that it decides between near equals
//! and moves what lies close to the floor: it never hides a sure match, and never brings what has nothing to do with the prompt.

use memdir_core::kind::Rating;

/// What a person said weighs more than what was only watched.
const NOT_USEFUL: f32 = -0.8;
const ALWAYS: f32 = 1.1;
/// Going to a memory after it was told is a sign of worth; four times say as much as can be said.
const PER_FOLLOWED: f32 = 0.08;
const MOST_FOLLOWED: u32 = 4;
/// A memory is told with its text, so nobody has to open it: silence counts late and little.
const UNUSED_FROM: u32 = 8;
const PER_UNUSED: f32 = -0.02;
const MOST_UNUSED: u32 = 15;
/// The bounds of all of it together.
const MOST_AGAINST: f32 = -1.0;
const MOST_FOR: f32 = 1.1;

/// What is known of a memory since it was first told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Experience {
    /// What a person said about being told it here.
    pub rating: Option<Rating>,
    /// In how many sessions it was told lately.
    pub told: u32,
    /// In how many of them the agent then opened or changed it.
    pub followed: u32,
}

impl Experience {
    /// How far its score is moved, in logits.
    pub fn shift(&self) -> f32 {
        (self.rated() + self.used()).clamp(MOST_AGAINST, MOST_FOR)
    }

    /// A score with all of this taken into account.
    pub fn applied(&self, score: f32) -> f32 {
        let shift = self.shift();
        // What is held back has no score, and without experience not even the last digit changes.
        if shift == 0.0 || score <= 0.0 || score >= 1.0 {
            return score;
        }
        let odds = score / (1.0 - score) * shift.exp();
        odds / (1.0 + odds)
    }

    /// Each signal with its number, for people.
    pub fn words(&self) -> Option<String> {
        let mut parts = Vec::new();
        if let Some(rating) = self.rating {
            parts.push(format!("you said “{}” ({:+.2})", rating.words(), self.rated()));
        }
        let used = self.used();
        if used > 0.0 {
            parts.push(format!("used {} after it was told ({used:+.2})", times(self.followed)));
        } else if used < 0.0 {
            parts.push(format!("told {} and never used ({used:+.2})", times(self.told)));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    fn rated(&self) -> f32 {
        match self.rating {
            Some(Rating::NotUseful) => NOT_USEFUL,
            Some(Rating::Always) => ALWAYS,
            None => 0.0,
        }
    }

    fn used(&self) -> f32 {
        if self.followed > 0 {
            return self.followed.min(MOST_FOLLOWED) as f32 * PER_FOLLOWED;
        }
        // Whoever asked for it always has said what it is worth.
        if self.rating == Some(Rating::Always) {
            return 0.0;
        }
        self.told.saturating_sub(UNUSED_FROM - 1).min(MOST_UNUSED) as f32 * PER_UNUSED
    }
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        many => format!("{many} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuse::{FIRST, floors};
    use crate::rank::NEAR;
    use proptest::prelude::*;

    /// From this score on a match is sure: the prompt is about it.
    const SURE: f32 = 0.3;

    fn any() -> impl Strategy<Value = Experience> {
        let rating = prop_oneof![Just(None), Just(Some(Rating::NotUseful)), Just(Some(Rating::Always))];
        (rating, any_count(), any_count()).prop_map(|(rating, told, followed)| Experience { rating, told, followed })
    }

    fn any_count() -> impl Strategy<Value = u32> {
        prop_oneof![0..40_u32, Just(u32::MAX)]
    }

    proptest! {
        #[test]
        fn a_sure_match_is_never_hidden(experience in any(), score in SURE..1.0_f32) {
            for floor in floors() {
                prop_assert!(experience.applied(score) >= floor * FIRST);
            }
        }

        #[test]
        fn what_is_not_near_never_comes(experience in any(), share in 0.0..NEAR) {
            for floor in floors() {
                prop_assert!(experience.applied(floor * share) < floor);
            }
        }

        #[test]
        fn it_keeps_the_order_of_what_has_the_same_experience(experience in any(), low in 0.0..1.0_f32, high in 0.0..1.0_f32) {
            let (low, high) = (low.min(high), low.max(high));
            prop_assert!(experience.applied(low) <= experience.applied(high));
        }

        #[test]
        fn the_shift_is_bounded(experience in any()) {
            prop_assert!((MOST_AGAINST..=MOST_FOR).contains(&experience.shift()));
        }
    }

    #[test]
    fn without_experience_nothing_changes() {
        for score in [0.0, 0.017_3, 0.113, 0.5, 0.999_99, 1.0] {
            assert_eq!(Experience::default().applied(score).to_bits(), f32::to_bits(score));
        }
        assert_eq!(Experience::default().words(), None);
        assert_eq!(Experience { told: UNUSED_FROM - 1, ..Experience::default() }.words(), None);
    }

    #[test]
    fn each_signal_is_named_with_its_number() {
        let rated = Experience { rating: Some(Rating::NotUseful), told: 10, followed: 0 };
        assert_eq!(rated.words().unwrap(), "you said “not useful here” (-0.80); told 10 times and never used (-0.06)");
        let followed = Experience { rating: None, told: 10, followed: 2 };
        assert_eq!(followed.words().unwrap(), "used twice after it was told (+0.16)");
        let always = Experience { rating: Some(Rating::Always), told: 90, followed: 0 };
        assert_eq!(always.words().unwrap(), "you said “always” (+1.10)");
    }
}
