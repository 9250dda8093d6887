//! goose: one element of `conversation` in `goose session export --format json`.

use serde_json::Value;

use super::json::{self, output, text};
use super::own::own;
use super::{Message, Origin, Stamp, ToolUse};

pub(super) fn messages(element: &Value) -> Vec<Message> {
    let Some(role) = text(element, "role") else { return Vec::new() };
    let id = text(element, "id").unwrap_or_default();
    let time = element.get("created").and_then(json::time);
    let content = || element.get("content").and_then(Value::as_array).into_iter().flatten();
    let of = |kind: &'static str| content().filter(move |part| text(part, "type") == Some(kind));
    let words = of("text").filter_map(|part| text(part, "text")).collect::<Vec<_>>().join("\n");
    let stamp = Stamp { id, time };
    if role == "assistant" {
        let calls = of("toolRequest").filter_map(|part| part.get("toolCall")?.get("value"));
        let tool_uses = calls.filter_map(|call| ToolUse::read(call, "arguments")).collect();
        return stamp.answer(&words, tool_uses).into_iter().collect();
    }
    let results = of("toolResponse").filter_map(|part| part.get("toolResult")).map(output);
    let hidden = element.get("metadata").and_then(|data| data.get("userVisible")) == Some(&Value::Bool(false));
    let origin = if hidden { Origin::Injected } else { Origin::Own };
    results.map(|result| stamp.result(&result)).chain(stamp.said(origin, &own(&words))).collect()
}
