//! The scripted answer as Gemini's `generateContent` gives it.

use serde_json::{Value, json};

use super::cache::Count;
use super::recorded::Recorded;
use super::turn::{Ending, Piece, Turn, morsels};
use super::wire::event;

fn finish(turn: &Turn) -> &'static str {
    match turn.ending {
        Ending::Length => "MAX_TOKENS",
        Ending::Refusal => "SAFETY",
        _ => "STOP",
    }
}

fn answer(request: &Recorded, parts: Vec<Value>, last: Option<(&Turn, Count)>) -> Value {
    let mut candidate = json!({ "index": 0, "content": { "role": "model", "parts": parts } });
    let mut answer = json!({ "modelVersion": request.view.model, "responseId": format!("resp-{}", request.number) });
    if let Some((turn, count)) = last {
        candidate["finishReason"] = json!(finish(turn));
        if !turn.quirks.no_usage {
            answer["usageMetadata"] = json!({
                "promptTokenCount": count.prompt(), "cachedContentTokenCount": count.cache_read,
                "candidatesTokenCount": turn.tokens(), "totalTokenCount": count.prompt() + turn.tokens(),
            });
        }
    }
    answer["candidates"] = json!([candidate]);
    answer
}

fn part(piece: &Piece) -> Value {
    match piece {
        Piece::Text(text) => json!({ "text": text }),
        Piece::Thought(thought) => json!({ "text": thought, "thought": true }),
        Piece::Call { name, input } => json!({ "functionCall": { "name": name, "args": input } }),
    }
}

/// The whole answer.
pub(super) fn whole(request: &Recorded, turn: &Turn, count: Count) -> Value {
    answer(request, turn.pieces.iter().map(part).collect(), Some((turn, count)))
}

/// The answer as events.
pub(super) fn stream(request: &Recorded, turn: &Turn, count: Count) -> Vec<Vec<u8>> {
    let mut parts: Vec<Value> = Vec::new();
    for piece in &turn.pieces {
        match piece {
            Piece::Text(text) => parts.extend(morsels(text).into_iter().map(|piece| json!({ "text": piece }))),
            other => parts.push(part(other)),
        }
    }
    let mut events: Vec<Vec<u8>> =
        parts.into_iter().map(|part| event(None, &answer(request, vec![part], None).to_string())).collect();
    events.push(event(None, &answer(request, Vec::new(), Some((turn, count))).to_string()));
    events
}

/// An error body.
pub(super) fn error(code: u16, message: &str) -> Value {
    json!({ "error": { "code": code, "message": message, "status": "UNAVAILABLE" } })
}
