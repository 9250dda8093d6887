//! Commands under the names that other programs give them.
//!
//! Enters: what the parser did not understand. Leaves: the same, with the command that was probably meant. Never runs one
//! command for another: `rm` elsewhere removes for good, and `forget` does not.

use clap::error::{ContextKind, ContextValue, Error};

/// What people type, and the command that does it.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["rm", "remove", "delete", "del", "drop", "archive"], "forget"),
    (&["ls", "all", "memories", "browse"], "list"),
    (&["cat", "view", "get", "read", "open", "print"], "show"),
    (&["add", "save", "new", "create", "store", "note", "learn"], "remember"),
    (&["find", "grep", "query"], "search"),
    (&["ask"], "recall"),
    (&["mv", "rename"], "move"),
    (&["revert", "restore", "rollback", "back"], "undo"),
    (&["change", "set", "update"], "edit"),
    (&["config", "configure", "options", "preferences"], "settings"),
    (&["install", "setup", "uninstall", "wire", "hooks"], "init"),
    (&["check", "fix", "repair", "lint"], "doctor"),
    (&["consolidate", "tidy", "clean", "gc"], "dream"),
    (&["changes", "journal"], "history"),
    (&["sync", "push", "pull", "share"], "team"),
    (&["proposals", "review", "pending"], "inbox"),
    (&["ui", "web", "page", "server"], "serve"),
    (&["info", "where"], "status"),
    (&["erase", "shred", "destroy"], "purge"),
];

/// Adds the command that was probably meant.
pub(crate) fn with_synonym(mut error: Error) -> Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let typed = typed.to_lowercase();
    if let Some((_, command)) = COMMANDS.iter().find(|(words, _)| words.contains(&typed.as_str())) {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![(*command).to_owned()]));
    }
    error
}
