//! Messages in parts, as Gemini's API writes them and hosts keep them: `text`, `functionCall`, `functionResponse`.
//!
//! Enters: a content. Leaves: its words, the calls in it and what they gave back.

use serde_json::Value;

use super::json::{self, text};
use super::{ToolUse, own_beside_results, own_of};

/// The words of a content: a string, or parts with `text` that are no thoughts.
pub(crate) fn part_texts(content: &Value) -> String {
    texts(content).collect::<Vec<_>>().join("\n")
}

/// What the person typed of a content.
pub(crate) fn own_of_parts(content: &Value) -> String {
    if function_results(content).next().is_some() { own_beside_results(texts(content)) } else { own_of(texts(content)) }
}

fn texts(content: &Value) -> impl Iterator<Item = &str> {
    let parts = content.as_array().into_iter().flatten().filter(|part| !json::is(part, "thought"));
    content.as_str().into_iter().chain(parts.filter_map(|part| text(part, "text")))
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
