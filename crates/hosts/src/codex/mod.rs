//! The Codex CLI. New hooks must be trusted once by the user; until then it skips them.

mod hooks_file;
mod install;
mod obstacles;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
mod transcript;
mod wire;

use crate::definition::Definition;
use crate::profile::{ActionTime, AnswerShape, Compaction, NativeMemory, Profile};
use crate::table::Host;
use memdir_core::limits::INLINE_BYTES;

pub(super) static HOST: Definition = Definition {
    name: "codex",
    profile: Profile {
        host: Host::Codex,
        title: "Codex",
        programs: &["codex"],
        shape: Some(AnswerShape::Nested),
        message: Some("systemMessage"),
        // It cuts the middle out of what is longer.
        start_bytes: INLINE_BYTES,
        prompt_bytes: INLINE_BYTES,
        loads: &[],
        hears_start: true,
        actions: ActionTime::Before,
        refuses: true,
        compaction: Compaction::SaysAfterwards,
        project_variable: None,
        unattended: None,
        native: Some(NativeMemory {
            what: "Codex can keep memories of its own in ~/.codex/memories.",
            switch: "`[features] memories = false` in ~/.codex/config.toml",
            on_by_default: false,
        }),
    },
    hook: Some(wire::read),
    transcripts: Some(transcript::TRANSCRIPTS),
    install: install::RECIPE,
    compacts_by_itself: None,
};
