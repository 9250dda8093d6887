//! opencode. Its plugins are programs inside it, so memdir brings one (`memdir.js`).

mod install;
mod rows;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
mod transcript;
mod wire;

use crate::definition::Definition;
use crate::profile::{ActionTime, AnswerShape, Compaction, Profile};
use crate::table::Host;
use memdir_core::limits::{HOST_PROMPT_BYTES, HOST_START_BYTES};

pub(super) static HOST: Definition = Definition {
    name: "opencode",
    profile: Profile {
        host: Host::Opencode,
        title: "opencode",
        programs: &["opencode"],
        shape: Some(AnswerShape::Top),
        message: None,
        start_bytes: HOST_START_BYTES,
        prompt_bytes: HOST_PROMPT_BYTES,
        loads: &[],
        hears_start: false,
        actions: ActionTime::After,
        refuses: false,
        compaction: Compaction::SaysAfterwards,
        project_variable: None,
        unattended: None,
        native: None,
    },
    hook: Some(wire::read),
    transcripts: Some(transcript::TRANSCRIPTS),
    install: install::RECIPE,
    compacts_by_itself: None,
};
