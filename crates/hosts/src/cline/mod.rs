//! Cline, on the command line and in editors. Its hooks take no answers, so it is told to ask memdir itself.

mod install;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
mod transcript;

use crate::definition::Definition;
use crate::profile::Profile;
use crate::table::Host;

pub(super) static HOST: Definition = Definition {
    name: "cline",
    profile: Profile::without_hooks(Host::Cline, "Cline", &["cline"], None),
    hook: None,
    transcripts: Some(transcript::TRANSCRIPTS),
    install: install::RECIPE,
    compacts_by_itself: None,
};
