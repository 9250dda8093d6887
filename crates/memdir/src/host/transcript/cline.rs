//! Cline: one element of `messages` in `~/.cline/data/sessions/<id>/<id>.messages.json`.

use serde_json::Value;

use super::json::{self, output, text};
use super::own::own;
use super::{Message, Origin, Stamp, ToolUse};

pub(super) fn messages(element: &Value) -> Vec<Message> {
    let Some(role) = text(element, "role") else { return Vec::new() };
    let time = element.get("ts").and_then(json::time);
    let id =
        text(element, "id").map_or_else(|| element.get("ts").map(Value::to_string).unwrap_or_default(), str::to_owned);
    let content = element.get("content").unwrap_or(&Value::Null);
    let blocks = || content.as_array().into_iter().flatten();
    let of = |kind: &'static str| blocks().filter(move |block| text(block, "type") == Some(kind));
    let stamp = Stamp { id: &id, time };
    if role == "assistant" {
        let words = match content {
            Value::String(text) => text.clone(),
            _ => of("text").filter_map(|block| text(block, "text")).collect::<Vec<_>>().join("\n"),
        };
        let tool_uses = of("tool_use").filter_map(|block| ToolUse::read(block, "input")).collect();
        return stamp.answer(&words, tool_uses).into_iter().collect();
    }
    let results =
        of("tool_result").filter_map(|block| block.get("content")).map(|result| stamp.result(&output(result)));
    // Each text block is somebody's: the person's, or the host's.
    let words = match content {
        Value::String(text) => own(text),
        _ => {
            let texts: Vec<String> = of("text").filter_map(|block| text(block, "text")).map(own).collect();
            texts.join("\n").trim().to_owned()
        }
    };
    let shown = element.get("metadata").and_then(|data| text(data, "displayRole"));
    let origin = if shown.is_some_and(|role| role != "user") { Origin::Injected } else { Origin::Own };
    results.chain(stamp.said(origin, &words)).collect()
}
