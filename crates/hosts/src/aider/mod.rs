//! aider. It has neither hooks nor tools: it is told to suggest the commands.

mod install;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
mod transcript;

use crate::definition::Definition;
use crate::profile::Profile;
use crate::table::Host;

pub(super) static HOST: Definition = Definition {
    name: "aider",
    profile: Profile::without_hooks(Host::Aider, "aider", &["aider"], None),
    hook: None,
    transcripts: Some(transcript::TRANSCRIPTS),
    install: install::RECIPE,
    compacts_by_itself: None,
};
