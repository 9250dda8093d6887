//! What a host says: which agents there are, and what was said in their conversations.
//!
//! Enters: files that other programs wrote. Leaves: messages, each with who spoke and whether the
//! words are that person's own. Never writes, and never trusts: a line that makes no sense is
//! stepped over, text that a host or a hook put in is marked as such.
//!
//! - [`transcript`]: conversations as the hosts keep them.

pub mod transcript;

use serde::Serialize;

/// An agent whose conversations can be read.
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
}

impl Host {
    /// All of them, in the order of listings.
    pub const ALL: [Host; 9] = [
        Host::ClaudeCode,
        Host::Codex,
        Host::Gemini,
        Host::Copilot,
        Host::Opencode,
        Host::Qwen,
        Host::Goose,
        Host::Cline,
        Host::Aider,
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
        }
    }

    /// The host of this name.
    pub fn named(name: &str) -> Option<Host> {
        Host::ALL.into_iter().find(|host| host.as_str() == name)
    }
}

impl std::fmt::Display for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
