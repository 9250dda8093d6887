//! The Responses API: what goes out, and what comes back as items.
//!
//! Nothing is stored at the server, and no item keeps its id, so a conversation can be sent from
//! anywhere. Reasoning items are not sent back: without an id the server does not miss them.

use serde_json::{Map, Value, json};

use super::{AnswerFault, AnswerParser, call, data, error, usage};
use crate::sse::SseEvent;
use crate::{ChatMessage, ChatRole, ContentBlock, Reply, Request, StopReason, ToolSpec, Usage};

/// The body of a question.
pub(super) fn asked(model: &str, request: &Request) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(model));
    let system = request.system.join("\n\n");
    if !system.is_empty() {
        body.insert("instructions".into(), json!(system));
    }
    let tools: Vec<Value> = request.tools.iter().filter(|tool| tool.own.is_none()).map(tool).collect();
    if !tools.is_empty() {
        body.insert("tools".into(), Value::Array(tools));
    }
    let mut input = Vec::new();
    for message in &request.messages {
        put(message, &mut input);
    }
    body.insert("input".into(), Value::Array(input));
    // The server takes no less.
    body.insert("max_output_tokens".into(), json!(request.max_output_tokens.max(16)));
    body.insert("stream".into(), json!(true));
    body.insert("store".into(), json!(false));
    if let Some(schema) = &request.schema {
        let format = json!({ "type": "json_schema", "name": "answer", "schema": schema.object, "strict": true });
        body.insert("text".into(), json!({ "format": format }));
    }
    Value::Object(body)
}

fn tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function", "name": tool.name, "description": tool.description, "parameters": tool.input_schema,
        "strict": false,
    })
}

/// A message as their items, in order; texts that stand together stay one message.
fn put(message: &ChatMessage, input: &mut Vec<Value>) {
    let (role, kind) =
        if message.role == ChatRole::User { ("user", "input_text") } else { ("assistant", "output_text") };
    let mut parts = Vec::new();
    let say = |parts: &mut Vec<Value>, input: &mut Vec<Value>| {
        if !parts.is_empty() {
            input.push(json!({ "type": "message", "role": role, "content": std::mem::take(parts) }));
        }
    };
    for block in &message.content {
        match block {
            ContentBlock::Text { text } if text.is_empty() => {}
            ContentBlock::Text { text } => parts.push(json!({ "type": kind, "text": text })),
            ContentBlock::ToolUse { id, name, input: arguments } => {
                say(&mut parts, input);
                let arguments = arguments.to_string();
                input.push(json!({ "type": "function_call", "call_id": id, "name": name, "arguments": arguments }));
            }
            ContentBlock::ToolResult { tool_use_id, content, is_error } => {
                say(&mut parts, input);
                let output = if *is_error { format!("Error: {content}") } else { content.clone() };
                input.push(json!({ "type": "function_call_output", "call_id": tool_use_id, "output": output }));
            }
            ContentBlock::Opaque(_) => {}
        }
    }
    say(&mut parts, input);
}

/// An answer as items.
#[derive(Debug, Default)]
pub(super) struct Items {
    done: Vec<Value>,
    end: Option<Value>,
    spoken: bool,
}

impl Items {
    fn say(&mut self, words: &str, on_text: &mut dyn FnMut(&str)) {
        if !words.is_empty() {
            self.spoken = true;
            on_text(words);
        }
    }

    /// The words of whole items.
    fn say_all(&mut self, items: &Value, on_text: &mut dyn FnMut(&str)) {
        let messages = items.as_array().into_iter().flatten().filter(|item| item["type"] == "message");
        for part in messages.flat_map(|item| item["content"].as_array().into_iter().flatten()) {
            self.say(part["refusal"].as_str().or_else(|| part["text"].as_str()).unwrap_or_default(), on_text);
        }
    }
}

/// A field, out of whatever the event is: what is not an object has none.
fn taken(data: &mut Value, key: &str) -> Value {
    data.get_mut(key).map(Value::take).unwrap_or_default()
}

impl AnswerParser for Items {
    fn event(&mut self, event: &SseEvent, on_text: &mut dyn FnMut(&str)) -> Result<bool, AnswerFault> {
        if event.data.trim() == "[DONE]" {
            return Ok(true);
        }
        let mut data = data(event)?;
        match data["type"].as_str().unwrap_or(&event.name) {
            "response.output_text.delta" | "response.refusal.delta" => {
                self.say(data["delta"].as_str().unwrap_or_default(), on_text);
            }
            "response.output_item.done" => self.done.push(taken(&mut data, "item")),
            "response.completed" | "response.incomplete" => {
                let end = taken(&mut data, "response");
                // A server that sends no pieces has said its words all the same.
                if !self.spoken {
                    let items = if self.done.is_empty() { end["output"].clone() } else { json!(self.done) };
                    self.say_all(&items, on_text);
                }
                self.end = Some(end);
                return Ok(true);
            }
            "response.failed" => return Err(error(&data["response"]["error"])),
            "error" => return Err(error(if data["error"].is_object() { &data["error"] } else { &data })),
            _ => {}
        }
        Ok(false)
    }

    fn whole(&mut self, document: &Value, on_text: &mut dyn FnMut(&str)) -> Result<(), AnswerFault> {
        if let Some(found) = document.get("error").filter(|error| !error.is_null()) {
            return Err(error(found));
        }
        if !document["output"].is_array() {
            return Err(AnswerFault::Nonsense("the answer has no output".into()));
        }
        self.say_all(&document["output"], on_text);
        self.end = Some(document.clone());
        Ok(())
    }

    fn finish(&mut self) -> Result<Reply, AnswerFault> {
        let Some(end) = self.end.take() else { return Err(AnswerFault::Cut) };
        let mut items = std::mem::take(&mut self.done);
        if items.is_empty() {
            items = end["output"].as_array().cloned().unwrap_or_default();
        }
        let cut = end["status"] == "incomplete";
        let filtered = end["incomplete_details"]["reason"] == "content_filter";
        let mut stop = match (cut, filtered) {
            (true, true) => StopReason::Refusal,
            (true, false) => StopReason::Length,
            _ => StopReason::Done,
        };
        let mut content = Vec::new();
        for item in items {
            let text = |key: &str| item[key].as_str().unwrap_or_default().to_owned();
            match item["type"].as_str() {
                Some("message") => {
                    for part in item["content"].as_array().into_iter().flatten() {
                        if let Some(refusal) = part["refusal"].as_str() {
                            stop = StopReason::Refusal;
                            content.push(ContentBlock::Text { text: refusal.to_owned() });
                        } else if let Some(text) = part["text"].as_str().filter(|text| !text.is_empty()) {
                            content.push(ContentBlock::Text { text: text.to_owned() });
                        }
                    }
                }
                Some("function_call") => {
                    content.extend(call(text("call_id"), text("name"), &text("arguments"), stop)?);
                }
                _ => {}
            }
        }
        let calls = content.iter().any(|block| matches!(block, ContentBlock::ToolUse { .. }));
        if calls && stop == StopReason::Done {
            stop = StopReason::Tools;
        }
        let usage: Usage = usage(&end["usage"]);
        Ok(Reply { content, stop, usage })
    }

    fn spoken(&self) -> bool {
        self.spoken
    }
}

#[cfg(test)]
mod tests {
    use crate::recorded::{RecordedApi, read};

    /// Found by fuzzing: the name of the event says what it is, and its data is a number.
    #[test]
    fn an_event_that_is_no_object_is_survived() {
        for name in
            ["response.output_item.done", "response.completed", "response.incomplete", "response.failed", "error"]
        {
            for data in ["7", "\"x\"", "[]", "null", "true"] {
                let stream = format!("event: {name}\ndata: {data}\n\n");
                let _ = read(RecordedApi::Responses, [stream.as_bytes()], &mut |_| {});
            }
        }
    }
}
