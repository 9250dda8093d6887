//! goose: one element of `conversation` in `goose session export --format json`.

use serde_json::Value;

use super::json::{self, input, kept, output, text};
use super::own::own;
use super::{Message, Origin, Role, ToolUse};

pub(super) fn messages(element: &Value) -> Vec<Message> {
    let Some(role) = text(element, "role") else { return Vec::new() };
    let id = text(element, "id").unwrap_or_default();
    let time = element.get("created").and_then(json::time);
    let content = || element.get("content").and_then(Value::as_array).into_iter().flatten();
    let of = |kind: &'static str| content().filter(move |part| text(part, "type") == Some(kind));
    let words = of("text").filter_map(|part| text(part, "text")).collect::<Vec<_>>().join("\n");
    let message = |role, origin, words: &str, tool_uses| Message {
        id: id.to_owned(),
        role,
        origin,
        text: kept(words),
        tool_uses,
        time,
    };
    if role == "assistant" {
        let calls = of("toolRequest").filter_map(|part| part.get("toolCall")?.get("value"));
        let tool_uses: Vec<ToolUse> = calls
            .filter_map(|call| {
                let given = call.get("arguments").map(input).unwrap_or_default();
                Some(ToolUse { name: text(call, "name")?.to_owned(), input: given })
            })
            .collect();
        let empty = words.is_empty() && tool_uses.is_empty();
        return if empty { Vec::new() } else { vec![message(Role::Assistant, Origin::Own, &words, tool_uses)] };
    }
    let results = of("toolResponse").filter_map(|part| part.get("toolResult")).map(output);
    let mut found: Vec<Message> = results.map(|result| message(Role::Tool, Origin::Own, &result, Vec::new())).collect();
    let hidden = element.get("metadata").and_then(|data| data.get("userVisible")) == Some(&Value::Bool(false));
    let words = own(&words);
    if !words.is_empty() {
        let origin = if hidden { Origin::Injected } else { Origin::Own };
        found.push(message(Role::User, origin, &words, Vec::new()));
    }
    found
}
