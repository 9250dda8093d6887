//! The encoder's ear: what a message is, as far as a small network can hear it.
//!
//! Enters: a message, or a piece of one, and what it answers. Leaves: how likely it is each of fourteen
//! things. One signal among others: it has a good sense of tone and none of truth.

use memdir_encoder::{Encoder, LABELS, SAVE_LABELS};

use crate::kind::Type;

/// What a message can be; the order is the encoder's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Correction,
    Confirmation,
    Profile,
    Project,
    Reference,
    Remember,
    Forget,
    Ephemeral,
    Derivable,
    Question,
    Chitchat,
    OneOff,
    Secret,
    Quoted,
}

const ACTS: [Act; LABELS.len()] = [
    Act::Correction,
    Act::Confirmation,
    Act::Profile,
    Act::Project,
    Act::Reference,
    Act::Remember,
    Act::Forget,
    Act::Ephemeral,
    Act::Derivable,
    Act::Question,
    Act::Chitchat,
    Act::OneOff,
    Act::Secret,
    Act::Quoted,
];

impl Act {
    /// The type of memory that comes of it.
    pub(super) fn kind(self) -> Option<Type> {
        match self {
            Act::Correction | Act::Confirmation => Some(Type::Feedback),
            Act::Profile => Some(Type::User),
            Act::Project => Some(Type::Project),
            Act::Reference => Some(Type::Reference),
            _ => None,
        }
    }
}

/// How likely each act is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard([f32; LABELS.len()]);

impl Heard {
    pub(super) fn of(&self, act: Act) -> f32 {
        self.0[act as usize]
    }

    /// How likely it is worth saving.
    pub(super) fn save(&self) -> f32 {
        self.0[..SAVE_LABELS].iter().sum()
    }

    /// The likeliest act.
    pub(super) fn act(&self) -> Act {
        let best = (0..self.0.len()).max_by(|a, b| self.0[*a].total_cmp(&self.0[*b])).unwrap_or(0);
        ACTS[best]
    }
}

/// Listens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ear(Encoder);

impl Ear {
    pub(super) fn new() -> Ear {
        Ear(Encoder::new())
    }

    /// What a text is, said after `before`.
    pub(super) fn hear(self, text: &str, before: &str) -> Heard {
        Heard(self.0.utterance(text, before))
    }

    pub(super) fn encoder(self) -> Encoder {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acts_are_named_as_the_encoder_names_them() {
        let named = |act: Act| match act {
            Act::OneOff => "oneoff_correction".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        };
        assert_eq!(ACTS.map(named).each_ref().map(String::as_str), LABELS);
        assert_eq!(ACTS.iter().enumerate().filter(|(at, act)| **act as usize != *at).count(), 0);
        assert!(ACTS[..SAVE_LABELS].iter().all(|act| !matches!(act, Act::Ephemeral | Act::Quoted)));
    }
}
