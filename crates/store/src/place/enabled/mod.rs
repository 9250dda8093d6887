//! Whether memory is on, and which rule said so (E1–E5).
//!
//! Enters: the surroundings and the host's word. Leaves: on or off, the first rule that spoke, and
//! a warning for a switch whose word means nothing. Never looks at the memory itself.

use serde::Serialize;

use memdir_core::settings::{HostSettings, HostSource};
use memdir_core::surroundings::Surroundings;
use memdir_core::warning::{Warning, quoted};

const DISABLE: &str = "CLAUDE_CODE_DISABLE_AUTO_MEMORY";
const SIMPLE: &str = "CLAUDE_CODE_SIMPLE";
const REMOTE: &str = "CLAUDE_CODE_REMOTE";
pub(super) const REMOTE_DIR: &str = "CLAUDE_CODE_REMOTE_MEMORY_DIR";

/// The rule that decided whether memory is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnabledRule {
    /// E1: the variable says yes to disabling.
    DisableVariable,
    /// E2: bare mode.
    Bare,
    /// E2: the variable says no to disabling.
    EnableVariable,
    /// E3: remote mode with nowhere to keep memory.
    RemoteWithoutDirectory,
    /// E4: a settings file.
    Setting(HostSource),
    /// E5: nobody spoke.
    Default,
}

impl EnabledRule {
    /// Stable and kebab-case, for JSON.
    pub const fn id(self) -> &'static str {
        match self {
            EnabledRule::DisableVariable => "disable-variable",
            EnabledRule::Bare => "bare",
            EnabledRule::EnableVariable => "enable-variable",
            EnabledRule::RemoteWithoutDirectory => "remote-without-directory",
            EnabledRule::Setting(HostSource::Managed) => "setting:managed",
            EnabledRule::Setting(HostSource::Flag) => "setting:flag",
            EnabledRule::Setting(HostSource::Local) => "setting:local",
            EnabledRule::Setting(HostSource::Project) => "setting:project",
            EnabledRule::Setting(HostSource::User) => "setting:user",
            EnabledRule::Default => "default",
        }
    }

    /// What it means, for a person.
    pub const fn sentence(self) -> &'static str {
        match self {
            EnabledRule::DisableVariable => "CLAUDE_CODE_DISABLE_AUTO_MEMORY switches memory off.",
            EnabledRule::Bare => "Bare mode (--bare or CLAUDE_CODE_SIMPLE) runs without memory.",
            EnabledRule::EnableVariable => "CLAUDE_CODE_DISABLE_AUTO_MEMORY says that memory is not disabled.",
            EnabledRule::RemoteWithoutDirectory => {
                "A remote session (CLAUDE_CODE_REMOTE) keeps no memory unless CLAUDE_CODE_REMOTE_MEMORY_DIR says where."
            }
            EnabledRule::Setting(HostSource::Managed) => "autoMemoryEnabled in the administrator's settings decides.",
            EnabledRule::Setting(HostSource::Flag) => "autoMemoryEnabled on the command line decides.",
            EnabledRule::Setting(HostSource::Local) => "autoMemoryEnabled in .claude/settings.local.json decides.",
            EnabledRule::Setting(HostSource::Project) => {
                "autoMemoryEnabled in the project's .claude/settings.json switches memory off."
            }
            EnabledRule::Setting(HostSource::User) => "autoMemoryEnabled in the user's settings.json decides.",
            EnabledRule::Default => "Memory is on unless something switches it off.",
        }
    }
}

impl Serialize for EnabledRule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

/// The first rule that speaks, and what it says.
pub(super) fn decide(around: &Surroundings, host: &HostSettings) -> (bool, EnabledRule) {
    let disable = around.switch(DISABLE);
    if disable == Some(true) {
        return (false, EnabledRule::DisableVariable);
    }
    if around.flags.bare || around.switch(SIMPLE) == Some(true) {
        return (false, EnabledRule::Bare);
    }
    if disable == Some(false) {
        return (true, EnabledRule::EnableVariable);
    }
    if around.switch(REMOTE) == Some(true) && around.var(REMOTE_DIR).is_none() {
        return (false, EnabledRule::RemoteWithoutDirectory);
    }
    match &host.memory_enabled {
        Some(said) => (said.value, EnabledRule::Setting(said.source)),
        None => (true, EnabledRule::Default),
    }
}

/// Switches that are set to a word which is neither yes nor no. The client takes them for unset;
/// a person who wrote `CLAUDE_CODE_DISABLE_AUTO_MEMORY=y` should hear of it.
pub(super) fn odd_words(around: &Surroundings) -> impl Iterator<Item = Warning> {
    [DISABLE, SIMPLE, REMOTE].into_iter().filter_map(|name| {
        let word = around.var(name).filter(|_| around.switch(name).is_none())?;
        let message = format!("{} is neither yes nor no; it counts as not set (use 1 or 0)", quoted(word));
        Some(Warning::new("odd-word", name, message))
    })
}

#[cfg(test)]
mod tests;
