//! What a host's folder says about it: one value of data, with a function wherever hosts really differ.
//!
//! Enters: nothing. Leaves: [`Definition`], of which each folder has one, `HOST`. What is `None` a host does not have.

use serde_json::Value;

use super::event::HookCall;
use super::install::Recipe;
use super::profile::Profile;
use super::transcript::Transcripts;
use memdir_core::surroundings::Surroundings;

/// Everything that memdir knows about one agent.
pub(crate) struct Definition {
    /// Its word on the command line, in JSON and in the names of fixtures.
    pub(crate) name: &'static str,
    /// Its limits and habits.
    pub(crate) profile: Profile,
    /// Reads what it says to a hook.
    pub(crate) hook: Option<ReadHook>,
    /// Where its conversations are and how they are read.
    pub(crate) transcripts: Option<Transcripts>,
    /// What is written into its configuration.
    pub(crate) install: Recipe,
    /// Whether it compacts conversations by itself, where its settings say so.
    pub(crate) compacts_by_itself: Option<fn(&Surroundings) -> bool>,
}

/// Makes an event of what a host says. The second argument is the event's name where the host does not say it in
/// its JSON.
pub(crate) type ReadHook = fn(&Value, Option<&str>) -> HookCall;
