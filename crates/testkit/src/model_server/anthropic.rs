//! The scripted answer as Anthropic's Messages API gives it.

use serde_json::{Value, json};

use super::cache::Count;
use super::recorded::{Recorded, list};
use super::turn::{Ending, Piece, Turn, halves, morsels};
use super::wire::event;

/// What the real server would not accept, in its words.
pub(super) fn complaint(body: &Value) -> Option<String> {
    let messages: Vec<&Value> = list(&body["messages"]).collect();
    if messages.first().is_none_or(|first| first["role"] != "user") {
        return Some("messages: first message must use the \"user\" role".into());
    }
    if body["max_tokens"].as_u64().is_none_or(|tokens| tokens == 0) {
        return Some("max_tokens: Field required".into());
    }
    let blocks = |message: &Value| list(&message["content"]).cloned().collect::<Vec<_>>();
    for (at, message) in messages.iter().enumerate() {
        let next = messages.get(at + 1).map(|next| blocks(next)).unwrap_or_default();
        for block in blocks(message) {
            if block["type"] == "text" && block["text"] == "" {
                return Some("messages: text content blocks must be non-empty".into());
            }
            if block["type"] == "tool_use" && !block["input"].is_object() {
                return Some("messages: tool_use.input: Input should be an object".into());
            }
            let answered = next.iter().any(|result| result["tool_use_id"] == block["id"]);
            if block["type"] == "tool_use" && !answered {
                return Some(
                    "messages: `tool_use` ids were found without `tool_result` blocks immediately after".into(),
                );
            }
        }
    }
    super::cache::complaint(body)
}

fn usage(turn: &Turn, count: Count, output: u64) -> Value {
    if turn.quirks.no_usage {
        return json!({});
    }
    json!({
        "input_tokens": count.input,
        "cache_creation_input_tokens": count.cache_creation,
        "cache_read_input_tokens": count.cache_read,
        "output_tokens": output,
    })
}

fn stop(turn: &Turn) -> &'static str {
    match turn.ending {
        Ending::Natural if turn.calls() => "tool_use",
        Ending::Natural => "end_turn",
        Ending::Length => "max_tokens",
        Ending::Refusal => "refusal",
        Ending::Pause => "pause_turn",
    }
}

fn content(request: &Recorded, turn: &Turn) -> Vec<Value> {
    let blocks = turn.pieces.iter().enumerate().map(|(at, piece)| match piece {
        Piece::Text(text) => json!({ "type": "text", "text": text }),
        Piece::Thought(thought) => json!({ "type": "thinking", "thinking": thought, "signature": "c2lnbmVk" }),
        Piece::Call { name, input } => {
            json!({ "type": "tool_use", "id": format!("toolu_{}_{at}", request.number), "name": name, "input": input })
        }
    });
    blocks.collect()
}

/// The whole answer.
pub(super) fn whole(request: &Recorded, turn: &Turn, count: Count) -> Value {
    json!({
        "id": format!("msg_{}", request.number), "type": "message", "role": "assistant", "model": request.view.model,
        "content": content(request, turn), "stop_reason": stop(turn), "stop_sequence": null,
        "usage": usage(turn, count, turn.tokens()),
    })
}

/// The answer as events.
pub(super) fn stream(request: &Recorded, turn: &Turn, count: Count) -> Vec<Vec<u8>> {
    let mut start = whole(request, turn, count);
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    start["usage"] = usage(turn, count, 1);
    let mut events =
        vec![send(&json!({ "type": "message_start", "message": start })), send(&json!({ "type": "ping" }))];
    for (index, block) in content(request, turn).into_iter().enumerate() {
        let (opened, deltas) = opening(&block);
        events.push(send(&json!({ "type": "content_block_start", "index": index, "content_block": opened })));
        let deltas =
            deltas.into_iter().map(|delta| json!({ "type": "content_block_delta", "index": index, "delta": delta }));
        events.extend(deltas.map(|delta| send(&delta)));
        events.push(send(&json!({ "type": "content_block_stop", "index": index })));
    }
    let usage = if turn.quirks.no_usage { json!({}) } else { json!({ "output_tokens": turn.tokens() }) };
    events.push(send(
        &json!({ "type": "message_delta", "delta": { "stop_reason": stop(turn), "stop_sequence": null }, "usage": usage }),
    ));
    if !turn.quirks.no_done {
        events.push(send(&json!({ "type": "message_stop" })));
    }
    events
}

/// A block as it is opened, and the deltas that fill it.
fn opening(block: &Value) -> (Value, Vec<Value>) {
    let mut opened = block.clone();
    let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
    let deltas = match block["type"].as_str() {
        Some("text") => {
            opened["text"] = json!("");
            morsels(&text("text")).into_iter().map(|piece| json!({ "type": "text_delta", "text": piece })).collect()
        }
        Some("thinking") => {
            opened["thinking"] = json!("");
            opened["signature"] = json!("");
            vec![
                json!({ "type": "thinking_delta", "thinking": text("thinking") }),
                json!({ "type": "signature_delta", "signature": text("signature") }),
            ]
        }
        _ => {
            opened["input"] = json!({});
            let input = block["input"].to_string();
            halves(&input).map(|piece| json!({ "type": "input_json_delta", "partial_json": piece })).to_vec()
        }
    };
    (opened, deltas)
}

/// The event of a server that is overloaded in the middle of an answer.
pub(super) fn overloaded() -> Vec<u8> {
    send(&error(529, "Overloaded"))
}

/// An error body.
pub(super) fn error(code: u16, message: &str) -> Value {
    let kind = match code {
        400 => "invalid_request_error",
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    };
    json!({ "type": "error", "error": { "type": kind, "message": message } })
}

fn send(data: &Value) -> Vec<u8> {
    event(data["type"].as_str(), &data.to_string())
}
