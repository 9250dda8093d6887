//! Which memories memdir itself has handed to the model, by a tool of its server or on a command line (R4).
//!
//! Enters: the tool's name, its input, what it answered. Leaves: the memories as they are named there, by file or by path. A
//! listing hands out nothing: of what was searched for, the model has seen a line.

use serde_json::Value;

use super::action::texts;

/// Tools whose answer is the text of memories, or that were given it.
const TOOLS: [&str; 3] = ["recall", "read", "remember"];

/// The memories that the model knows after this call.
pub(crate) fn handed_out(tool: Option<&str>, input: Option<&Value>, answer: Option<&Value>) -> Vec<String> {
    let mut named = Vec::new();
    let tool = tool.unwrap_or_default();
    if tool.contains("memdir") && TOOLS.iter().any(|one| tool.ends_with(one)) {
        input.into_iter().chain(answer).for_each(|value| files(value, &mut named));
    } else if remembers(input) {
        let mut said = Vec::new();
        if let Some(answer) = answer {
            texts(answer, &mut said);
        }
        let lines = said.iter().flat_map(|text| text.lines()).filter(|line| line.contains("undo: "));
        named.extend(lines.filter_map(memory_in).map(str::to_owned));
    }
    named.sort();
    named.dedup();
    named
}

/// Whether a command line calls `memdir remember`, whatever stands around it.
fn remembers(input: Option<&Value>) -> bool {
    let mut said = Vec::new();
    if let Some(input) = input {
        texts(input, &mut said);
    }
    said.iter().any(|text| {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.windows(2).any(|pair| pair[0].rsplit('/').next() == Some("memdir") && pair[1] == "remember")
    })
}

/// Every `file` of a document, and the path in each header of a reminder. Some hosts pass documents on as text.
fn files(value: &Value, named: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            named.extend(fields.get("file").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| files(field, named));
        }
        Value::Array(items) => items.iter().for_each(|item| files(item, named)),
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(document @ (Value::Object(_) | Value::Array(_))) => files(&document, named),
            _ => {
                let tells = |line: &&str| {
                    line.starts_with("Memory") && line.ends_with(".md:") || line.starts_with("Remembered in ")
                };
                named.extend(text.lines().filter(tells).filter_map(memory_in).map(str::to_owned));
            }
        },
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The file that a line names: a path goes on to the colon at its end, a name to the next space.
fn memory_in(line: &str) -> Option<&str> {
    match line.strip_suffix(':').and_then(|header| header.split_once(": ")) {
        Some((_, path)) => Some(path),
        None => line.split_whitespace().find(|word| word.ends_with(".md")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn r4_what_a_tool_of_ours_gave_is_named() {
        let reminder = "Memory (saved today): /h/a b/x.md:\n\nThe ports, see y.md\nMemory: /h/z.md:\n\nOld.";
        let structured = json!({ "memories": [{ "file": "x.md" }, { "file": "user:z.md" }] });
        for (tool, input, answer, want) in [
            ("mcp__memdir__read", json!({ "file": "x.md" }), json!(null), vec!["x.md"]),
            ("memdir_read", json!("{\"file\": \"x.md\"}"), json!(null), vec!["x.md"]),
            (
                "mcp__plugin_memdir_memdir__recall",
                json!({ "query": "q" }),
                json!([{ "type": "text", "text": reminder }]),
                vec!["/h/a b/x.md", "/h/z.md"],
            ),
            ("mcp__memdir__recall", json!({ "query": "q" }), json!(structured.to_string()), vec!["user:z.md", "x.md"]),
            ("mcp__memdir__remember", json!({ "text": "t" }), json!("Remembered in x.md (change abc)."), vec!["x.md"]),
            ("mcp__memdir__search", json!({ "term": "t" }), structured, vec![]),
            ("mcp__other__read", json!({ "file": "x.md" }), json!(null), vec![]),
            (
                "Bash",
                json!({ "command": "cd a && /usr/bin/memdir remember 'the port' --type project" }),
                json!({ "stdout": "remembered x.md (project, private)  undo: memdir undo abc\n  see y.md\n" }),
                vec!["x.md"],
            ),
            ("Bash", json!({ "command": "memdir list" }), json!({ "stdout": "x.md  undo: x\n" }), vec![]),
        ] {
            assert_eq!(handed_out(Some(tool), Some(&input), Some(&answer)), want, "{tool} {input}");
        }
    }
}
