//! Zed. It reaches memory through our tools; its conversations are not read.

mod install;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;

use crate::definition::Definition;
use crate::profile::Profile;
use crate::table::Host;

pub(super) static HOST: Definition = Definition {
    name: "zed",
    profile: Profile::without_hooks(Host::Zed, "Zed", &["zed", "zeditor"], None),
    hook: None,
    transcripts: None,
    install: install::RECIPE,
    compacts_by_itself: None,
};
