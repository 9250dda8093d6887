//! The scripted answer as OpenAI's Responses API gives it.

use serde_json::{Value, json};

use super::cache::Count;
use super::recorded::{Recorded, list};
use super::turn::{Ending, Piece, Turn, halves, morsels};
use super::wire::event;

fn output(request: &Recorded, turn: &Turn) -> Vec<Value> {
    let items = turn.pieces.iter().enumerate().map(|(at, piece)| {
        let id = format!("{}_{at}", request.number);
        match piece {
            Piece::Text(text) if turn.ending == Ending::Refusal => message(&id, json!({ "type": "refusal", "refusal": text })),
            Piece::Text(text) => message(&id, json!({ "type": "output_text", "text": text, "annotations": [] })),
            Piece::Thought(thought) => {
                json!({ "type": "reasoning", "id": format!("rs_{id}"), "summary": [{ "type": "summary_text", "text": thought }] })
            }
            Piece::Call { name, input } => called(request, &id, name, input),
        }
    });
    items.collect()
}

/// A call of a tool in the way it was offered: a function, one of a namespace, or one that takes plain text.
fn called(request: &Recorded, id: &str, name: &str, input: &Value) -> Value {
    let mut item = json!({
        "type": "function_call", "id": format!("fc_{id}"), "call_id": format!("call_{id}"), "name": name,
        "arguments": input.to_string(), "status": "completed",
    });
    for tool in list(&request.body["tools"]) {
        if tool["type"] == "custom" && tool["name"] == name {
            item["type"] = json!("custom_tool_call");
            item["input"] = input.get("input").cloned().unwrap_or_else(|| json!(input.to_string()));
        } else if list(&tool["tools"]).any(|inner| inner["name"] == name) {
            item["namespace"] = tool["name"].clone();
        }
    }
    item
}

fn message(id: &str, part: Value) -> Value {
    json!({ "type": "message", "id": format!("msg_{id}"), "role": "assistant", "status": "completed", "content": [part] })
}

/// The whole answer.
pub(super) fn whole(request: &Recorded, turn: &Turn, count: Count) -> Value {
    let usage = json!({
        "input_tokens": count.prompt(), "input_tokens_details": { "cached_tokens": count.cache_read },
        "output_tokens": turn.tokens(), "output_tokens_details": { "reasoning_tokens": 0 },
        "total_tokens": count.prompt() + turn.tokens(),
    });
    let cut = turn.ending == Ending::Length;
    json!({
        "id": format!("resp_{}", request.number), "object": "response", "created_at": 0, "model": request.view.model,
        "status": if cut { "incomplete" } else { "completed" },
        "incomplete_details": if cut { json!({ "reason": "max_output_tokens" }) } else { Value::Null },
        "error": null, "output": output(request, turn),
        "usage": if turn.quirks.no_usage { Value::Null } else { usage },
    })
}

/// The answer as events.
pub(super) fn stream(request: &Recorded, turn: &Turn, count: Count) -> Vec<Vec<u8>> {
    let mut events = Vec::new();
    let mut add = |kind: &str, mut fields: Value| {
        fields["type"] = json!(kind);
        fields["sequence_number"] = json!(events.len());
        events.push(event(Some(kind), &fields.to_string()));
    };
    let done = whole(request, turn, count);
    let mut opened = done.clone();
    (opened["status"], opened["output"], opened["usage"]) = (json!("in_progress"), json!([]), Value::Null);
    add("response.created", json!({ "response": opened }));
    for (index, item) in output(request, turn).into_iter().enumerate() {
        let place = |fields: Value| {
            let mut fields = fields;
            fields["item_id"] = item["id"].clone();
            fields["output_index"] = json!(index);
            fields
        };
        let mut blank = item.clone();
        match item["type"].as_str() {
            Some("message") => {
                let part = &item["content"][0];
                blank["content"] = json!([]);
                add("response.output_item.added", json!({ "output_index": index, "item": blank }));
                let key = if part["type"] == "refusal" { "refusal" } else { "text" };
                let text = part[key].as_str().unwrap_or_default();
                let kind = if key == "refusal" { "response.refusal.delta" } else { "response.output_text.delta" };
                for piece in morsels(text) {
                    add(kind, place(json!({ "content_index": 0, "delta": piece })));
                }
                if key == "text" {
                    add("response.output_text.done", place(json!({ "content_index": 0, "text": text })));
                }
            }
            Some("function_call") => {
                blank["arguments"] = json!("");
                add("response.output_item.added", json!({ "output_index": index, "item": blank }));
                let arguments = item["arguments"].as_str().unwrap_or_default();
                for piece in halves(arguments) {
                    add("response.function_call_arguments.delta", place(json!({ "delta": piece })));
                }
                add("response.function_call_arguments.done", place(json!({ "arguments": arguments })));
            }
            _ => add("response.output_item.added", json!({ "output_index": index, "item": blank })),
        }
        add("response.output_item.done", json!({ "output_index": index, "item": item }));
    }
    if !turn.quirks.no_done {
        let last = if turn.ending == Ending::Length { "response.incomplete" } else { "response.completed" };
        add(last, json!({ "response": done }));
    }
    events
}

/// The event of a server that gives up in the middle of an answer.
pub(super) fn overloaded() -> Vec<u8> {
    let failed = json!({ "code": "server_is_overloaded", "message": "The server is overloaded" });
    event(
        Some("response.failed"),
        &json!({ "type": "response.failed", "response": { "status": "failed", "error": failed } }).to_string(),
    )
}
