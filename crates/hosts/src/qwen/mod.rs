//! Qwen Code. Its own memory is on unless the user switched it off.

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
    name: "qwen",
    profile: Profile {
        host: Host::Qwen,
        title: "Qwen Code",
        programs: &["qwen"],
        shape: Some(AnswerShape::Nested),
        message: Some("systemMessage"),
        start_bytes: HOST_START_BYTES,
        prompt_bytes: HOST_PROMPT_BYTES,
        loads: &[],
        hears_start: true,
        actions: ActionTime::After,
        refuses: false,
        compaction: Compaction::SaysBefore,
        project_variable: None,
        unattended: None,
        native: Some(NativeMemory {
            what: "Qwen Code keeps a memory of its own in ~/.qwen and learns after every turn.",
            switch: "`memory.enableManagedAutoMemory: false` and `memory.enableManagedAutoDream: false` in ~/.qwen/settings.json",
            on_by_default: true,
        }),
    },
    hook: Some(wire::read),
    transcripts: Some(transcript::TRANSCRIPTS),
    install: install::RECIPE,
    compacts_by_itself: None,
};
