//! What comes back from the Messages API, as events or in one piece.

use serde_json::{Value, json};

use crate::sse::SseEvent;
use crate::{ContentBlock, Reply, StopReason, Usage};

/// What the server said instead of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ServerNotice {
    /// Something the protocol does not know.
    Nonsense(String),
    /// Nothing more, in the middle.
    Cut,
    /// It has no time.
    Busy(u16),
    /// An error.
    Error(String),
}

/// An answer while it is being told.
#[derive(Debug, Default)]
pub(super) struct MessageStream {
    blocks: Vec<Value>,
    /// The arguments of a tool call, in pieces, one string a block.
    inputs: Vec<String>,
    stop: Option<String>,
    usage: Usage,
    finished: bool,
    spoken: bool,
}

impl MessageStream {
    /// Takes an event; whether it was the last.
    pub(super) fn event(&mut self, event: &SseEvent, on_text: &mut dyn FnMut(&str)) -> Result<bool, ServerNotice> {
        let data: Value = serde_json::from_str(&event.data)
            .map_err(|error| ServerNotice::Nonsense(format!("an event is not JSON ({error})")))?;
        match data["type"].as_str().unwrap_or(&event.name) {
            "message_start" => self.count(&data["message"]["usage"]),
            "content_block_start" => {
                let at = index(&data)?;
                if at != self.blocks.len() {
                    return Err(ServerNotice::Nonsense("its blocks are out of order".into()));
                }
                let block = &data["content_block"];
                self.say(block["text"].as_str().unwrap_or_default(), on_text);
                self.blocks.push(block.clone());
                self.inputs.push(String::new());
            }
            "content_block_delta" => {
                let at = index(&data)?;
                let delta = &data["delta"];
                let Some(block) = self.blocks.get_mut(at) else {
                    return Err(ServerNotice::Nonsense("a piece belongs to no block".into()));
                };
                match delta["type"].as_str() {
                    Some("text_delta") => {
                        let text = delta["text"].as_str().unwrap_or_default().to_owned();
                        append(block, "text", &text);
                        self.say(&text, on_text);
                    }
                    Some("input_json_delta") => {
                        self.inputs[at].push_str(delta["partial_json"].as_str().unwrap_or_default());
                    }
                    Some("thinking_delta") => append(block, "thinking", delta["thinking"].as_str().unwrap_or_default()),
                    Some("signature_delta") => {
                        append(block, "signature", delta["signature"].as_str().unwrap_or_default());
                    }
                    _ => {}
                }
            }
            "message_delta" => {
                self.stop = data["delta"]["stop_reason"].as_str().map(str::to_owned);
                self.count(&data["usage"]);
            }
            "message_stop" => {
                self.finished = true;
                return Ok(true);
            }
            "error" => return Err(error(&data["error"])),
            // `ping`, the end of a block, and whatever is added later.
            _ => {}
        }
        Ok(false)
    }

    /// The answer, and whether the server only paused.
    pub(super) fn finish(&mut self) -> Result<(Reply, bool), ServerNotice> {
        // A server that leaves out its last event has still said why it stopped.
        if !self.finished && self.stop.is_none() {
            return Err(ServerNotice::Cut);
        }
        let (stop, paused) = stop(self.stop.as_deref());
        let mut content = Vec::new();
        for (block, input) in self.blocks.drain(..).zip(&self.inputs) {
            content.extend(read(block, input, stop)?);
        }
        Ok((Reply { content, stop, usage: self.usage }, paused))
    }

    /// Whether words were handed on.
    pub(super) fn spoken(&self) -> bool {
        self.spoken
    }

    fn say(&mut self, text: &str, on_text: &mut dyn FnMut(&str)) {
        if !text.is_empty() {
            self.spoken = true;
            on_text(text);
        }
    }

    /// Later counts are of the whole answer so far, so they replace earlier ones.
    fn count(&mut self, usage: &Value) {
        let take = |field: &mut u64, key: &str| {
            if let Some(tokens) = usage[key].as_u64() {
                *field = tokens;
            }
        };
        take(&mut self.usage.input, "input_tokens");
        take(&mut self.usage.output, "output_tokens");
        take(&mut self.usage.cache_read, "cache_read_input_tokens");
        take(&mut self.usage.cache_write, "cache_creation_input_tokens");
    }
}

/// An answer that came in one piece.
pub(super) fn whole(document: &Value, on_text: &mut dyn FnMut(&str)) -> Result<(Reply, bool), ServerNotice> {
    if document["type"] == "error" {
        return Err(error(&document["error"]));
    }
    let Some(blocks) = document["content"].as_array() else {
        return Err(ServerNotice::Nonsense("the answer has no content".into()));
    };
    let mut telling = MessageStream {
        stop: document["stop_reason"].as_str().map(str::to_owned),
        finished: true,
        ..MessageStream::default()
    };
    telling.count(&document["usage"]);
    for block in blocks {
        telling.say(block["text"].as_str().unwrap_or_default(), on_text);
        telling.inputs.push(block["input"].to_string());
        telling.blocks.push(block.clone());
    }
    telling.finish()
}

fn read(block: Value, input: &str, stop: StopReason) -> Result<Option<ContentBlock>, ServerNotice> {
    let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
    Ok(Some(match block["type"].as_str() {
        Some("text") if block["text"] == "" => return Ok(None),
        Some("text") => ContentBlock::Text { text: text("text") },
        Some("tool_use") => {
            let input = if input.is_empty() { "{}" } else { input };
            match serde_json::from_str(input) {
                Ok(input) => ContentBlock::ToolUse { id: text("id"), name: text("name"), input },
                // Cut at the output limit: half a call is none.
                Err(_) if stop == StopReason::Length => return Ok(None),
                Err(error) => return Err(ServerNotice::Nonsense(format!("the input of a tool is not JSON ({error})"))),
            }
        }
        Some(_) => ContentBlock::Opaque(block),
        None => return Err(ServerNotice::Nonsense("a block has no type".into())),
    }))
}

fn stop(reason: Option<&str>) -> (StopReason, bool) {
    match reason {
        Some("tool_use") => (StopReason::Tools, false),
        Some("max_tokens" | "model_context_window_exceeded") => (StopReason::Length, false),
        Some("refusal") => (StopReason::Refusal, false),
        Some("pause_turn") => (StopReason::Done, true),
        _ => (StopReason::Done, false),
    }
}

fn error(error: &Value) -> ServerNotice {
    match error["type"].as_str() {
        Some("overloaded_error") => ServerNotice::Busy(529),
        Some("rate_limit_error") => ServerNotice::Busy(429),
        Some("api_error" | "timeout_error") => ServerNotice::Busy(500),
        kind => ServerNotice::Error(format!(
            "{}: {}",
            kind.unwrap_or("error"),
            error["message"].as_str().unwrap_or_default()
        )),
    }
}

fn index(data: &Value) -> Result<usize, ServerNotice> {
    data["index"].as_u64().map(|at| at as usize).ok_or_else(|| ServerNotice::Nonsense("a piece has no index".into()))
}

fn append(block: &mut Value, key: &str, more: &str) {
    // A block that is not an object cannot be added to; reading it says so.
    let Some(block) = block.as_object_mut() else { return };
    match block.get_mut(key) {
        Some(Value::String(text)) => text.push_str(more),
        _ => drop(block.insert(key.to_owned(), json!(more))),
    }
}
