//! An agent's own tool calls in the names of ours, so that one check answers for all of them (X6).
//!
//! Enters: a tool and its input, as the agent's hook tells them. Leaves: the same as calls that our tool loop knows;
//! a patch is one for each file of it. What nobody here knows keeps its name, and is denied by it.

use serde_json::{Value, json};

use super::Agent;
use super::patch::{self, PatchStep};

/// A tool and its input.
pub(super) type ToolCall = (String, Value);

/// The calls that one call of an agent comes to.
pub(super) fn ours(agent: Agent, tool: &str, input: &Value) -> Vec<ToolCall> {
    let one = |name: &str, input: Value| vec![(name.to_owned(), input)];
    let same = || one(tool, input.clone());
    // A tool of theirs that has one of our names is another tool.
    let unknown = || one(&format!("{agent}:{tool}"), input.clone());
    // The agents have had several names for a place to look in.
    let place =
        || ["dir_path", "path"].iter().map(|key| &input[*key]).find(|place| !place.is_null()).unwrap_or(&Value::Null);
    match (agent, tool) {
        (Agent::Claude, _) => same(),
        (Agent::Codex, "apply_patch") => {
            let text = input["command"].as_str().or_else(|| input["patch"].as_str()).unwrap_or_default();
            patched(text).unwrap_or_else(same)
        }
        (Agent::Codex, "Bash") => {
            let command = input["command"].as_str().unwrap_or_default();
            patch::handed_over(command).and_then(patched).unwrap_or_else(same)
        }
        (Agent::Gemini | Agent::Qwen, _) => match tool {
            "read_file" => one("Read", json!({ "file_path": input["file_path"] })),
            "list_directory" => one("Glob", json!({ "pattern": "*", "path": place() })),
            "glob" => one("Glob", json!({ "pattern": input["pattern"], "path": place() })),
            "grep_search" | "search_file_content" => {
                one("Grep", json!({ "pattern": input["pattern"], "path": place() }))
            }
            "edit" | "replace" => one(
                "Edit",
                json!({
                    "file_path": input["file_path"], "old_string": input["old_string"],
                    "new_string": input["new_string"],
                }),
            ),
            "write_file" => one("Write", json!({ "file_path": input["file_path"], "content": input["content"] })),
            "run_shell_command" => one(
                "Bash",
                json!({ "command": input["command"], "directory": input["directory"], "dir_path": input["dir_path"] }),
            ),
            _ => unknown(),
        },
        (Agent::Codex, _) => unknown(),
    }
}

fn patched(text: &str) -> Option<Vec<ToolCall>> {
    let call = |step: PatchStep| match step {
        PatchStep::Add(file, content) => ("Write", json!({ "file_path": file, "content": content })),
        PatchStep::Update(file) => ("Edit", json!({ "file_path": file, "old_string": "a", "new_string": "b" })),
        // A file without content is one that should go, whichever way an agent is run.
        PatchStep::Delete(file) | PatchStep::MoveTo(file) => ("Write", json!({ "file_path": file, "content": "" })),
    };
    let steps = patch::read(text)?;
    Some(
        steps
            .into_iter()
            .map(|step| {
                let (name, input) = call(step);
                (name.to_owned(), input)
            })
            .collect(),
    )
}
