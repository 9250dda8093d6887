//! What the main agent wrote into memory itself (X4).
//!
//! Enters: messages and the directories of memory. Leaves: which messages need no extraction because the
//! agent saved what was said in them, and the texts it saved. Seen are the file tools of the hosts,
//! memdir's own tools, and `memdir` on a command line. Never looks at the disk.

use std::path::{Path, PathBuf};

use serde_json::Value;

use memdir_hosts::transcript::{Message, ToolUse};

/// How many of the person's messages before a write it is taken to answer.
const REACH: usize = 6;

/// What was written.
#[derive(Debug, Default, PartialEq)]
pub(super) struct WrittenByAgent {
    /// For each message, whether the agent took care of it.
    pub(super) covered: Vec<bool>,
    /// The texts that were written.
    pub(super) texts: Vec<String>,
}

impl WrittenByAgent {
    pub(super) fn any(&self) -> bool {
        self.covered.iter().any(|covered| *covered)
    }
}

/// Finds the writes of a conversation.
pub(super) fn written(messages: &[Message], dirs: &[PathBuf]) -> WrittenByAgent {
    let mut found = WrittenByAgent { covered: vec![false; messages.len()], texts: Vec::new() };
    for (at, message) in messages.iter().enumerate() {
        for used in &message.tool_uses {
            let Some(text) = saved(used, dirs) else { continue };
            found.texts.push(text);
            cover(&mut found.covered, messages, at);
        }
    }
    found
}

/// Marks the turn of a write, and the few before it that it may answer.
fn cover(covered: &mut [bool], messages: &[Message], at: usize) {
    let mut turns = 0;
    for before in (0..at).rev() {
        if turns == REACH {
            break;
        }
        covered[before] = true;
        turns += usize::from(messages[before].is_own());
    }
    let end = messages[at..].iter().position(Message::is_own).map_or(messages.len(), |own| at + own);
    covered[at..end].fill(true);
}

/// What a tool call writes into memory, if it does.
fn saved(used: &ToolUse, dirs: &[PathBuf]) -> Option<String> {
    let name = used.name.to_lowercase();
    let of_memdir = name.contains("memdir") && ["remember", "forget", "undo"].iter().any(|verb| name.ends_with(verb));
    let writes = ["write", "edit", "create", "patch", "replace", "insert"].iter().any(|verb| name.contains(verb));
    let shell = ["bash", "shell", "exec", "command", "terminal"].iter().any(|verb| name.contains(verb));
    let mut strings = Vec::new();
    collect(&used.input, &mut strings, 0);
    let inside = |text: &str| dirs.iter().any(|dir| names(text, dir));
    let saves = of_memdir
        || (writes && strings.iter().any(|text| inside(text)))
        || (shell && strings.iter().any(|text| runs_memdir(text) || (redirects(text) && inside(text))));
    saves.then(|| strings.join("\n"))
}

/// Whether a text names a file below a directory.
fn names(text: &str, dir: &Path) -> bool {
    let dir = dir.to_string_lossy();
    let dir = dir.trim_end_matches('/');
    !dir.is_empty() && text.match_indices(dir).any(|(at, _)| text[at + dir.len()..].starts_with('/'))
}

fn runs_memdir(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    words.windows(2).any(|pair| {
        pair[0].rsplit('/').next() == Some("memdir") && ["remember", "forget", "edit", "log"].contains(&pair[1])
    })
}

fn redirects(command: &str) -> bool {
    [">", "tee ", "sed -i", "cp ", "mv ", "rm "].iter().any(|sign| command.contains(sign))
}

fn collect<'v>(value: &'v Value, strings: &mut Vec<&'v str>, depth: usize) {
    match value {
        _ if depth > 6 => {}
        Value::String(text) => strings.push(text),
        Value::Array(values) => values.iter().for_each(|value| collect(value, strings, depth + 1)),
        Value::Object(fields) => fields.values().for_each(|value| collect(value, strings, depth + 1)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use memdir_hosts::transcript::{Origin, Role};

    fn message(role: Role, tool: Option<(&str, Value)>) -> Message {
        let tool_uses =
            tool.map(|(name, input)| ToolUse { name: name.to_owned(), input }).into_iter().collect::<Vec<_>>();
        Message { id: String::new(), role, origin: Origin::Own, text: "x".into(), tool_uses, time: None }
    }

    fn covered(tool: &str, input: Value) -> Vec<bool> {
        let messages = [
            message(Role::User, None),
            message(Role::Assistant, Some((tool, input))),
            message(Role::Tool, None),
            message(Role::User, None),
        ];
        written(&messages, &[PathBuf::from("/m/memory")]).covered
    }

    #[test]
    fn x4_a_turn_in_which_the_agent_wrote_memory_is_covered() {
        for (tool, input) in [
            ("Write", json!({"file_path": "/m/memory/a.md", "content": "x"})),
            ("Edit", json!({"file_path": "/m/memory/team/a.md", "old_string": "a", "new_string": "b"})),
            ("apply_patch", json!("*** Update File: /m/memory/a.md\n+x")),
            ("mcp__memdir__remember", json!({"text": "x"})),
            ("memdir-forget", json!({"file": "a.md"})),
            ("Bash", json!({"command": "cd /w && memdir remember \"tabs\""})),
            ("run_shell_command", json!({"command": "echo x >> /m/memory/MEMORY.md"})),
        ] {
            assert_eq!(covered(tool, input), [true, true, true, false], "{tool}");
        }
    }

    #[test]
    fn x4_reading_memory_or_writing_elsewhere_covers_nothing() {
        for (tool, input) in [
            ("Read", json!({"file_path": "/m/memory/a.md"})),
            ("Write", json!({"file_path": "/m/memory2/a.md"})),
            ("Write", json!({"file_path": "/w/a.md", "content": "see notes"})),
            ("Bash", json!({"command": "cat /m/memory/a.md"})),
            ("mcp__memdir__recall", json!({"query": "x"})),
            ("Bash", json!({"command": "memdir list"})),
        ] {
            assert_eq!(covered(tool, input), [false; 4], "{tool}");
        }
    }
}
