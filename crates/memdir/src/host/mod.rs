//! What a host says: which agents there are, what they tell a hook, and what a hook may answer.
//!
//! Enters: JSON that an agent gives a hook, and files that agents wrote. Leaves: events in words of
//! our own, and the answer in the agent's own shape. Hosts are data ([`Profile`]); what differs in
//! their JSON is one small file each. Never opens memory, never writes, and never trusts: what makes
//! no sense is an event that is ignored.
//!
//! - [`profile`]: the table of hosts: limits, shapes, what they load themselves.
//! - [`event`]: what happened, in words of our own.
//! - [`wire`]: JSON of a host ⇄ event and answer.
//! - [`transcript`]: conversations as the hosts keep them: messages, each with who spoke and whose words they are.
//! - [`install`]: what is put into a host's configuration, and how it is taken out again.

pub mod event;
pub mod install;
pub mod profile;
pub mod transcript;
pub mod wire;

pub use event::{Action, Event, HookCall, Start};
pub use profile::{ActionTime, Compaction, Native, Profile, Shape};

use serde::Serialize;

/// An agent that memdir works with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Host {
    /// Claude Code.
    ClaudeCode,
    /// The Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// GitHub Copilot CLI.
    Copilot,
    /// opencode.
    Opencode,
    /// Qwen Code.
    Qwen,
    /// goose.
    Goose,
    /// Cline.
    Cline,
    /// aider.
    Aider,
    /// Cursor.
    Cursor,
    /// Zed.
    Zed,
}

impl Host {
    /// All of them, in the order of listings.
    pub const ALL: [Host; 11] = [
        Host::ClaudeCode,
        Host::Codex,
        Host::Gemini,
        Host::Copilot,
        Host::Opencode,
        Host::Qwen,
        Host::Goose,
        Host::Cline,
        Host::Aider,
        Host::Cursor,
        Host::Zed,
    ];

    /// The word on the command line and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Host::ClaudeCode => "claude-code",
            Host::Codex => "codex",
            Host::Gemini => "gemini",
            Host::Copilot => "copilot",
            Host::Opencode => "opencode",
            Host::Qwen => "qwen",
            Host::Goose => "goose",
            Host::Cline => "cline",
            Host::Aider => "aider",
            Host::Cursor => "cursor",
            Host::Zed => "zed",
        }
    }

    /// The host of this name.
    pub fn named(name: &str) -> Option<Host> {
        Host::ALL.into_iter().find(|host| host.as_str() == name)
    }

    /// What is known about it.
    pub fn profile(self) -> &'static Profile {
        profile::of(self)
    }
}

impl std::fmt::Display for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
