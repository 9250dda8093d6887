//! GitHub Copilot CLI. It hides keys from hooks.

mod install;
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
    name: "copilot",
    profile: Profile {
        host: Host::Copilot,
        title: "Copilot CLI",
        programs: &["copilot"],
        shape: Some(AnswerShape::Top),
        message: None,
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
            what: "Copilot can keep memories on GitHub's servers.",
            switch: "leave out `--enable-memory`",
            on_by_default: false,
        }),
    },
    hook: Some(wire::read),
    transcripts: Some(transcript::TRANSCRIPTS),
    install: install::RECIPE,
    compacts_by_itself: None,
};
