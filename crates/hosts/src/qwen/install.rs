//! Qwen Code's hooks and our server in its `settings.json`; times are in milliseconds.

use serde_json::json;

use crate::install::{Change, ConfigDir, Recipe, Target};
use memdir_core::limits::{HOOK_PATIENCE_SECONDS, SERVER_PATIENCE_SECONDS};

pub(super) const RECIPE: Recipe = Recipe {
    config: ConfigDir::Home(".qwen"),
    signs: &[],
    serves: true,
    changes,
    tools: None,
    obstacles: Some(super::obstacles::find),
    notes: &[],
};

fn changes(target: &Target<'_>) -> Vec<Change> {
    let hooks = target.shell_hooks(
        &["SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop"],
        HOOK_PATIENCE_SECONDS * 1000,
    );
    // It begins when every server has answered, and would wait for ten minutes.
    let server = target.server("mcpServers").with(json!({ "timeout": SERVER_PATIENCE_SECONDS * 1000 }));
    vec![target.json(target.file("settings.json"), hooks, server)]
}
