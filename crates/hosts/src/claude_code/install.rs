//! Claude Code's hooks in its `settings.json`. It needs no server: it writes memory with its own tools, which need no
//! permission in the memory directory.

use serde_json::json;

use crate::install::{Change, ConfigDir, Recipe, Target};
use memdir_core::limits::HOOK_PATIENCE_SECONDS;

/// Tools whose input names a command, a file or a page, and those of servers.
const TOOLS: &str = "Bash|Read|Edit|MultiEdit|Write|NotebookEdit|WebFetch|mcp__.*";

pub(super) const RECIPE: Recipe = Recipe {
    config: ConfigDir::Variable("CLAUDE_CONFIG_DIR", ".claude"),
    signs: &[],
    serves: false,
    changes,
    notes: &[],
};

/// It starts a command that has arguments of its own without a shell in between.
fn changes(target: &Target<'_>) -> Vec<Change> {
    let args = ["hook", super::HOST.name];
    let program = target.machine.memdir;
    let call = json!({ "type": "command", "command": program, "args": args, "timeout": HOOK_PATIENCE_SECONDS });
    let plain = |event: &'static str| (event, json!({ "hooks": [call] }));
    let hooks = vec![
        plain("SessionStart"),
        plain("UserPromptSubmit"),
        ("PreToolUse", json!({ "matcher": TOOLS, "hooks": [call] })),
        plain("PostToolUse"),
        plain("PreCompact"),
        plain("Stop"),
    ];
    vec![target.json(target.file("settings.json"), hooks, None)]
}
