//! goose. Its hooks fire, and what they answer reaches nobody, so it is told to ask memdir itself.

mod install;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
mod transcript;

use crate::definition::Definition;
use crate::profile::{NativeMemory, Profile};
use crate::table::Host;

pub(super) static HOST: Definition = Definition {
    name: "goose",
    profile: Profile::without_hooks(
        Host::Goose,
        "goose",
        &["goose"],
        Some(NativeMemory {
            what: "goose has an extension `memory` that keeps notes of its own in ~/.config/goose/memory.",
            switch: "`goose configure`, Toggle Extensions, memory",
            on_by_default: false,
        }),
    ),
    hook: None,
    transcripts: Some(transcript::TRANSCRIPTS),
    install: install::RECIPE,
    compacts_by_itself: None,
};
