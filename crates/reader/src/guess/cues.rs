//! The words and phrases that tell a type, each with its weight.
//!
//! Never read by anything but the guess.

use memdir_core::kind::Type;
use memdir_lexicon::{self as lexicon, Weights};

/// Signs of a type in lower-case text whose marks are blanks; each counts once.
///
/// The weights were fitted to labelled memories and remarks, and rounded.
pub(super) struct Cues {
    pub(super) kind: Type,
    /// What the type is worth before anything is said.
    pub(super) weight: i32,
    /// Where a line begins.
    pub(super) opening: &'static Weights,
    /// Anywhere in the text.
    pub(super) inside: &'static Weights,
}

pub(super) const CUES: &[Cues] = &[
    Cues { kind: Type::User, weight: 0, opening: &lexicon::USER_OPENING, inside: &lexicon::USER_SIGN },
    Cues { kind: Type::Feedback, weight: 4, opening: &lexicon::FEEDBACK_OPENING, inside: &lexicon::FEEDBACK_SIGN },
    Cues { kind: Type::Project, weight: 5, opening: &lexicon::PROJECT_OPENING, inside: &lexicon::PROJECT_SIGN },
    Cues { kind: Type::Reference, weight: 1, opening: &lexicon::REFERENCE_OPENING, inside: &lexicon::REFERENCE_SIGN },
];
