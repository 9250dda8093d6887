//! Codex's hooks in `hooks.json`, and our server in `config.toml`.

use serde_json::json;

use crate::install::{ConfigDir, FileEdit, Recipe, ServerEntry, Target, place_variables};
use memdir_core::limits::HOOK_PATIENCE_SECONDS;

pub(super) const RECIPE: Recipe = Recipe {
    obstacles: Some(super::obstacles::find),
    ..Recipe::of(ConfigDir::Variable("CODEX_HOME", ".codex"), changes)
};

fn changes(target: &Target<'_>) -> Vec<FileEdit> {
    let events =
        ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop", "SubagentStart"];
    let hooks = target.shell_hooks(&events, HOOK_PATIENCE_SECONDS);
    vec![
        target.json(target.file("hooks.json"), hooks, None),
        FileEdit::Toml { path: target.file("config.toml"), server: server(target) },
    ]
}

/// It hands its servers a clean environment, so it is told to pass on what decides where memory is.
fn server(target: &Target<'_>) -> ServerEntry {
    let server = target.server("mcp_servers").with(json!({ "startup_timeout_sec": HOOK_PATIENCE_SECONDS }));
    match place_variables(target.machine.around) {
        none if none.is_empty() => server,
        set => server.with(json!({ "env_vars": set })),
    }
}
