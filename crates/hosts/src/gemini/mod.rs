//! Gemini CLI. It announces a compaction on every turn, whether or not one follows.

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
use memdir_core::limits::{HOST_PROMPT_BYTES, HOST_START_BYTES};

pub(super) static HOST: Definition = Definition {
    name: "gemini",
    profile: Profile {
        host: Host::Gemini,
        title: "Gemini CLI",
        programs: &["gemini"],
        shape: Some(AnswerShape::Nested),
        message: Some("systemMessage"),
        start_bytes: HOST_START_BYTES,
        prompt_bytes: HOST_PROMPT_BYTES,
        loads: &[],
        // Without a terminal it puts the text before the prompt, and a slash command is none any more.
        hears_start: false,
        actions: ActionTime::After,
        refuses: false,
        compaction: Compaction::SaysEveryTurn,
        project_variable: Some("GEMINI_PROJECT_DIR"),
        unattended: None,
        native: Some(NativeMemory {
            what: "Gemini CLI can learn from conversations by itself.",
            switch: "`experimental.autoMemory: false` in ~/.gemini/settings.json",
            on_by_default: false,
        }),
    },
    hook: Some(wire::read),
    transcripts: Some(transcript::TRANSCRIPTS),
    install: install::RECIPE,
    compacts_by_itself: None,
};
