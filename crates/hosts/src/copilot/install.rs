//! Copilot's hooks in a file of their own, and our server in `mcp-config.json`.

use serde_json::{Map, Value, json};

use crate::install::{ConfigDir, FileEdit, Recipe, ServerEntry, Target, shell_command};
use memdir_core::limits::HOOK_PATIENCE_SECONDS;

pub(super) const RECIPE: Recipe = Recipe {
    notes: &[
        "Copilot hides keys from hooks. Where background work may use a model, name a file that holds the key (model.key_file); without it the built-in engine learns.",
    ],
    ..Recipe::of(ConfigDir::Home(".copilot"), changes)
};

fn changes(target: &Target<'_>) -> Vec<FileEdit> {
    let program = target.machine.memdir;
    let entry = json!({ "type": "local", "command": program, "args": target.server_args(), "tools": ["*"] });
    let server = ServerEntry { list: "mcpServers", entry };
    vec![
        FileEdit::Own { path: target.file("hooks/memdir.json"), text: hooks(program) },
        target.json(target.file("mcp-config.json"), Vec::new(), server),
    ]
}

/// It names no event in its JSON, so the command does.
fn hooks(program: &str) -> String {
    let events = ["sessionStart", "userPromptSubmitted", "postToolUse", "preCompact", "agentStop"];
    let hook = |event: &str| {
        let command = shell_command(program, &format!("{} {event}", super::HOST.name));
        json!([{ "type": "command", "bash": command, "timeoutSec": HOOK_PATIENCE_SECONDS }])
    };
    let hooks: Map<String, Value> = events.iter().map(|event| ((*event).to_owned(), hook(event))).collect();
    format!("{:#}\n", json!({ "version": 1, "hooks": hooks }))
}
