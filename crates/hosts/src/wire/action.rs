//! What a tool is about to do, by its name and the names that hosts give its input.
//!
//! Enters: the tool's name and its input. Leaves: an [`Action`]. What is no command, file, address or tool of a server is
//! something else, and nobody looks into it.

use std::path::PathBuf;

use serde_json::Value;

use super::text;
use crate::event::Action;

/// Where the new text of a file stands.
const NEW: [&str; 7] = ["content", "new_string", "newString", "new_source", "new_str", "file_text", "insert_text"];
/// Where the text stands that it replaces.
const OLD: [&str; 3] = ["old_string", "oldString", "old_str"];
/// How the name of a tool begins that belongs to a server.
const SERVER: &str = "mcp__";

/// What a tool does.
pub(crate) fn action(tool: Option<&str>, input: Option<&Value>) -> Action {
    // Some hosts pass the input as text that is JSON.
    let parsed = input.and_then(Value::as_str).and_then(|text| serde_json::from_str::<Value>(text).ok());
    let Some(input) = parsed.as_ref().or(input) else { return Action::Other };
    let tool = tool.unwrap_or_default();
    if tool.starts_with(SERVER) {
        let mut said = Vec::new();
        texts(input, &mut said);
        return Action::Tool { name: tool.to_owned(), said };
    }
    if let Some(command) = ["command", "cmd"].iter().find_map(|key| input.get(*key)) {
        let command = match command {
            Value::String(command) => command.clone(),
            Value::Array(words) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
            _ => return Action::Other,
        };
        return if command.trim().is_empty() { Action::Other } else { Action::Command(command) };
    }
    let keys = ["file_path", "filePath", "absolute_path", "notebook_path", "path"];
    if let Some(file) = keys.iter().find_map(|key| text(input, key)) {
        let parts = input.get("edits").and_then(Value::as_array).cloned().unwrap_or_default();
        let all = |names: &[&str]| -> Vec<&str> {
            let places = std::iter::once(input).chain(&parts);
            places.flat_map(|place| names.iter().filter_map(|name| place.get(*name)?.as_str())).collect()
        };
        let writes =
            std::iter::once(input).chain(&parts).any(|place| NEW.iter().any(|name| place.get(*name).is_some()));
        let path = PathBuf::from(file);
        return if writes {
            Action::Write { path, new: all(&NEW).join("\n"), old: all(&OLD).join("\n") }
        } else {
            Action::Read(path)
        };
    }
    text(input, "url").map_or(Action::Other, |url| Action::Fetch(url.to_owned()))
}

/// Every text in a value, with the names of fields left out.
pub(super) fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| texts(field, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
