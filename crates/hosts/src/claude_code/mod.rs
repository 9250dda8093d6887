//! Claude Code, whose memory directory is memdir's own: it loads the index and writes topics by itself.

mod compacting;
mod install;
mod obstacles;
mod settings_values;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
mod transcript;
mod wire;

use crate::definition::Definition;
use crate::profile::{ActionTime, AnswerShape, Compaction, Profile};
use crate::table::Host;
use memdir_core::limits::INLINE_BYTES;

pub(super) static HOST: Definition = Definition {
    name: "claude-code",
    profile: Profile {
        host: Host::ClaudeCode,
        title: "Claude Code",
        programs: &["claude"],
        shape: Some(AnswerShape::Nested),
        message: Some("systemMessage"),
        // One character more, and the text goes into a file.
        start_bytes: INLINE_BYTES,
        prompt_bytes: INLINE_BYTES,
        // It has a manual of its own and reads MEMORY.md of the same directory.
        loads: &["manual", "index"],
        hears_start: true,
        actions: ActionTime::Before,
        refuses: true,
        compaction: Compaction::SaysAfterwards,
        project_variable: Some("CLAUDE_PROJECT_DIR"),
        unattended: Some(("CLAUDE_CODE_ENTRYPOINT", "sdk")),
        native: None,
    },
    hook: Some(wire::read),
    transcripts: Some(transcript::TRANSCRIPTS),
    install: install::RECIPE,
    compacts_by_itself: Some(compacting::by_itself),
};
