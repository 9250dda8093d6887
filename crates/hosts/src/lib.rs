//! The agents that memdir works with: what they say, where they keep conversations, how they are set up.
//!
//! Enters: JSON that an agent gives a hook, and files that agents wrote. Leaves: events in words of our own, messages,
//! the answer in the agent's own shape, and a plan for its configuration. Never opens memory, and never trusts: what
//! makes no sense is an event that is ignored, or a line that is stepped over.
//!
//! **A host is one folder**, and the `table` has one line for each. A folder holds
//!
//! - `mod.rs`: its `Definition`: name, limits, habits, and what the other files provide;
//! - `wire.rs`, if it has hooks: its JSON as an event;
//! - `transcript.rs`, if its conversations are read: where they are, how they are recognised, their messages;
//! - `install.rs`: what goes into its configuration, and what the user should know;
//! - `tests.rs`.
//!
//! What several hosts share knows none of them:
//!
//! - [`profile`]: limits and habits as data.
//! - [`event`]: what happened, in words of our own.
//! - [`wire`]: JSON of a host ⇄ event and answer.
//! - [`transcript`]: formats of conversations: messages, each with who spoke and whose words they are.
//! - [`install`]: adding to JSON, TOML, YAML and text, and taking out again.

mod aider;
mod claude_code;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod goose;
mod opencode;
mod qwen;
mod zed;

mod definition;
pub mod event;
pub mod install;
pub mod profile;
mod table;
pub mod transcript;
pub mod wire;

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod testing;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests read the repository")]
mod tests;

pub use event::{Action, ConversationStart, Event, HookCall};
pub use profile::{ActionTime, AnswerShape, Compaction, NativeMemory, Profile};
pub use table::Host;
