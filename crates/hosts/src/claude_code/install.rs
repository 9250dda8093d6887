//! Claude Code's hooks in its `settings.json`. It needs no server: it writes memory with its own tools, which need no
//! permission in the memory directory. Who wants our tools as well finds them in `.claude.json`, where it lists servers.

use serde_json::json;

use crate::install::{ConfigDir, FileEdit, Recipe, Target};
use memdir_core::limits::HOOK_PATIENCE_SECONDS;

/// Tools whose input names what a memory can speak about: a command, a file, an address, or anything at all where the tool
/// is a server's. It is a pattern, and it is bound at both ends: a plain `Read` in one would match `ReadMcpResourceTool`.
const TOOLS: &str = "^(Bash|Read|Edit|MultiEdit|Write|NotebookEdit|WebFetch|WebSearch|mcp__.*)$";

pub(super) const RECIPE: Recipe = Recipe {
    serves: false,
    tools: Some(tools),
    obstacles: Some(super::obstacles::find),
    ..Recipe::of(ConfigDir::Variable("CLAUDE_CONFIG_DIR", ".claude"), changes)
};

/// It starts a command that has arguments of its own without a shell in between.
fn changes(target: &Target<'_>) -> Vec<FileEdit> {
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
        plain("SubagentStart"),
    ];
    vec![target.json(target.file("settings.json"), hooks, None)]
}

fn tools(target: &Target<'_>) -> FileEdit {
    let file = super::compacting::state_file(target.machine.around, &target.config);
    target.json(file, Vec::new(), target.server("mcpServers"))
}
