//! Messages in parts, as Gemini's API writes them and hosts keep them: `text`, `functionCall`, `functionResponse`.
//!
//! Enters: a content. Leaves: its words, the calls in it and what they gave back.

use serde_json::Value;

use super::ToolUse;
use super::json::{self, text};

/// The words of a content: a string, or parts with `text` that are no thoughts.
pub(crate) fn part_texts(content: &Value) -> String {
    if let Some(text) = content.as_str() {
        return text.to_owned();
    }
    let parts = content.as_array().into_iter().flatten().filter(|part| !json::is(part, "thought"));
    parts.filter_map(|part| text(part, "text")).collect::<Vec<_>>().join("\n")
}

/// The tools that were called.
pub(crate) fn function_calls(parts: &Value) -> Vec<ToolUse> {
    let parts = parts.as_array().into_iter().flatten();
    parts.filter_map(|part| ToolUse::read(part.get("functionCall")?, "args")).collect()
}

/// What tools gave back.
pub(crate) fn function_results(parts: &Value) -> impl Iterator<Item = &Value> {
    let parts = parts.as_array().into_iter().flatten();
    parts.filter_map(|part| part.get("functionResponse")?.get("response"))
}
