//! A session of a recall set → a transcript as Claude Code writes it.
//!
//! Enters: what was said and done, step by step. Leaves: the lines of the transcript, so that the session is read as it is behind a hook.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

/// What was said or done before a prompt (`evals/FORMAT.md`).
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SessionStep {
    /// The person asked.
    Prompt(String),
    /// The agent answered.
    Answer(String),
    /// It read a file of the project.
    Read(String),
    /// It changed one.
    Write(String),
    /// It ran a command.
    Run(String),
}

/// The steps as lines of a transcript in a project.
pub(super) fn transcript(steps: &[SessionStep], session: &str, project: &Path) -> String {
    let mut lines = String::new();
    let mut parent = Value::Null;
    for (at, step) in steps.iter().enumerate() {
        let tool = |name: &str, input: Value| {
            ("assistant", json!([{ "type": "tool_use", "id": format!("call-{at}"), "name": name, "input": input }]))
        };
        let (role, content) = match step {
            SessionStep::Prompt(text) => ("user", json!(text)),
            SessionStep::Answer(text) => ("assistant", json!([{ "type": "text", "text": text }])),
            SessionStep::Read(file) => tool("Read", json!({ "file_path": project.join(file) })),
            SessionStep::Write(file) => {
                tool("Edit", json!({ "file_path": project.join(file), "old_string": "", "new_string": "" }))
            }
            SessionStep::Run(command) => tool("Bash", json!({ "command": command })),
        };
        let id = format!("{session}-{at}");
        let line = json!({ "type": role, "uuid": id, "parentUuid": parent, "sessionId": session, "cwd": project,
            "timestamp": "2026-04-10T09:00:00Z", "message": { "role": role, "content": content } });
        lines.push_str(&format!("{line}\n"));
        parent = json!(id);
    }
    lines
}
