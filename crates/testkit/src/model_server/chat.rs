//! The scripted answer as OpenAI's Chat Completions give it, and the servers that speak like them.

use serde_json::{Map, Value, json};

use super::cache::Count;
use super::recorded::{Recorded, list};
use super::turn::{Ending, Piece, Turn, halves, morsels};
use super::wire::event;

/// What real servers would not accept.
pub(super) fn complaint(body: &Value) -> Option<String> {
    let mut open: Vec<String> = Vec::new();
    for message in list(&body["messages"]) {
        if message["role"] == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default().to_owned();
            if !open.contains(&id) {
                return Some(
                    "messages with role 'tool' must be a response to a preceding message with 'tool_calls'".into(),
                );
            }
            open.retain(|known| *known != id);
        } else if !open.is_empty() {
            return Some("an assistant message with 'tool_calls' must be followed by tool messages".into());
        }
        for call in list(&message["tool_calls"]) {
            if !call["function"]["arguments"].is_string() {
                return Some("tool_calls.function.arguments must be a string".into());
            }
            open.push(call["id"].as_str().unwrap_or_default().to_owned());
        }
    }
    None
}

fn usage(turn: &Turn, count: Count) -> Value {
    if turn.quirks.no_usage {
        return Value::Null;
    }
    json!({
        "prompt_tokens": count.prompt(),
        "completion_tokens": turn.tokens(),
        "total_tokens": count.prompt() + turn.tokens(),
        "prompt_tokens_details": { "cached_tokens": count.cache_read },
    })
}

fn finish(turn: &Turn) -> &'static str {
    match turn.ending {
        Ending::Length => "length",
        Ending::Refusal => "content_filter",
        // Some servers say `stop` even when they call tools.
        _ if turn.calls() && !turn.quirks.no_ids => "tool_calls",
        _ => "stop",
    }
}

fn calls(request: &Recorded, turn: &Turn) -> Vec<Value> {
    let calls = turn.pieces.iter().filter_map(|piece| match piece {
        Piece::Call { name, input } => Some((name, input)),
        _ => None,
    });
    let calls = calls.enumerate().map(|(at, (name, input))| {
        let arguments = if turn.quirks.whole_arguments { input.clone() } else { json!(input.to_string()) };
        let mut call = Map::new();
        if !turn.quirks.no_ids {
            call.insert("index".into(), json!(at));
            call.insert("id".into(), json!(format!("call_{}_{at}", request.number)));
        }
        call.insert("type".into(), json!("function"));
        call.insert("function".into(), json!({ "name": name, "arguments": arguments }));
        Value::Object(call)
    });
    calls.collect()
}

fn thought(turn: &Turn) -> Option<&str> {
    turn.pieces.iter().find_map(|piece| if let Piece::Thought(thought) = piece { Some(thought.as_str()) } else { None })
}

/// The whole answer.
pub(super) fn whole(request: &Recorded, turn: &Turn, count: Count) -> Value {
    let words = turn.words();
    let mut message =
        json!({ "role": "assistant", "content": if words.is_empty() { Value::Null } else { json!(words) } });
    if let Some(thought) = thought(turn) {
        message["reasoning_content"] = json!(thought);
    }
    if turn.calls() {
        message["tool_calls"] = json!(calls(request, turn));
    }
    json!({
        "id": format!("chatcmpl-{}", request.number), "object": "chat.completion", "created": 0, "model": request.view.model,
        "choices": [{ "index": 0, "message": message, "finish_reason": finish(turn) }],
        "usage": usage(turn, count),
    })
}

/// The answer as events.
pub(super) fn stream(request: &Recorded, turn: &Turn, count: Count) -> Vec<Vec<u8>> {
    let chunk = |choices: Value, usage: Value| {
        let mut chunk = json!({
            "id": format!("chatcmpl-{}", request.number), "object": "chat.completion.chunk", "created": 0,
            "model": request.view.model, "choices": choices,
        });
        if !usage.is_null() {
            chunk["usage"] = usage;
        }
        event(None, &chunk.to_string())
    };
    let delta = |delta: Value, finish: Value| {
        chunk(json!([{ "index": 0, "delta": delta, "finish_reason": finish }]), Value::Null)
    };
    let mut events = vec![delta(json!({ "role": "assistant", "content": "" }), Value::Null)];
    if let Some(thought) = thought(turn) {
        events.push(delta(json!({ "reasoning_content": thought, "content": null }), Value::Null));
    }
    events.extend(morsels(&turn.words()).into_iter().map(|piece| delta(json!({ "content": piece }), Value::Null)));
    for call in calls(request, turn) {
        let Some(arguments) = call["function"]["arguments"].as_str().filter(|_| !turn.quirks.no_ids) else {
            events.push(delta(json!({ "tool_calls": [call] }), Value::Null));
            continue;
        };
        let [first, second] = halves(arguments);
        let mut opened = call.clone();
        opened["function"]["arguments"] = json!(first);
        events.push(delta(json!({ "tool_calls": [opened] }), Value::Null));
        let rest = json!({ "index": call["index"], "function": { "arguments": second } });
        events.push(delta(json!({ "tool_calls": [rest] }), Value::Null));
    }
    events.push(delta(json!({}), json!(finish(turn))));
    if !turn.quirks.no_usage {
        events.push(chunk(json!([]), usage(turn, count)));
    }
    if !turn.quirks.no_done {
        events.push(event(None, "[DONE]"));
    }
    events
}

/// The event of a server that gives up in the middle of an answer.
pub(super) fn overloaded() -> Vec<u8> {
    event(None, &error(503, "The server is overloaded").to_string())
}

/// An error body.
pub(super) fn error(code: u16, message: &str) -> Value {
    json!({ "error": { "message": message, "type": if code == 401 { "invalid_api_key" } else { "error" }, "code": code } })
}
