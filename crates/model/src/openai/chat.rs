//! Chat Completions: what goes out, and what comes back in chunks.

use serde_json::{Map, Value, json};

use super::{AnswerFault, AnswerParser, call, data, error, usage};
use crate::sse::SseEvent;
use crate::{ChatMessage, ChatRole, ContentBlock, Reply, Request, StopReason, ToolSpec, Usage};

/// The body of a question. OpenAI's own models want their limit under another name.
pub(super) fn asked(model: &str, request: &Request, is_openai: bool) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(model));
    let tools: Vec<Value> = request.tools.iter().filter(|tool| tool.own.is_none()).map(tool).collect();
    if !tools.is_empty() {
        body.insert("tools".into(), Value::Array(tools));
    }
    let mut messages = Vec::new();
    // One message: the templates of many local models know only one.
    let system = request.system.join("\n\n");
    if !system.is_empty() {
        messages.push(json!({ "role": "system", "content": system }));
    }
    for message in &request.messages {
        put(message, &mut messages);
    }
    body.insert("messages".into(), Value::Array(messages));
    let limit = if is_openai { "max_completion_tokens" } else { "max_tokens" };
    body.insert(limit.into(), json!(request.max_output_tokens.max(1)));
    body.insert("stream".into(), json!(true));
    body.insert("stream_options".into(), json!({ "include_usage": true }));
    if let Some(schema) = &request.schema {
        let format = json!({ "name": "answer", "schema": schema.object, "strict": true });
        body.insert("response_format".into(), json!({ "type": "json_schema", "json_schema": format }));
    }
    Value::Object(body)
}

fn tool(tool: &ToolSpec) -> Value {
    let function = json!({ "name": tool.name, "description": tool.description, "parameters": tool.input_schema });
    json!({ "type": "function", "function": function })
}

/// A message as one or several of theirs: results of tools come first, each a message of its own.
fn put(message: &ChatMessage, messages: &mut Vec<Value>) {
    let mut words = Vec::new();
    let mut calls = Vec::new();
    for block in &message.content {
        match block {
            ContentBlock::Text { text } => words.push(text.as_str()),
            ContentBlock::ToolUse { id, name, input } => {
                let function = json!({ "name": name, "arguments": input.to_string() });
                calls.push(json!({ "id": id, "type": "function", "function": function }));
            }
            ContentBlock::ToolResult { tool_use_id, content, is_error } => {
                let content = if *is_error { format!("Error: {content}") } else { content.clone() };
                messages.push(json!({ "role": "tool", "tool_call_id": tool_use_id, "content": content }));
            }
            // A thought of another wire.
            ContentBlock::Opaque(_) => {}
        }
    }
    let words = words.join("\n");
    if words.is_empty() && calls.is_empty() {
        return;
    }
    if message.role == ChatRole::User {
        messages.push(json!({ "role": "user", "content": words }));
        return;
    }
    let content = if words.is_empty() { Value::Null } else { json!(words) };
    let mut said = json!({ "role": "assistant", "content": content });
    if !calls.is_empty() {
        said["tool_calls"] = Value::Array(calls);
    }
    messages.push(said);
}

#[derive(Debug, Default)]
struct Pending {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

/// An answer in chunks.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    text: String,
    calls: Vec<Pending>,
    refused: bool,
    finish: Option<String>,
    usage: Usage,
    spoken: bool,
}

impl Chunks {
    /// What a choice says, as a piece or whole.
    fn hear(&mut self, said: &Value, on_text: &mut dyn FnMut(&str)) {
        let refusal = said["refusal"].as_str().filter(|words| !words.is_empty());
        self.refused |= refusal.is_some();
        if let Some(words) = said["content"].as_str().filter(|words| !words.is_empty()).or(refusal) {
            self.text.push_str(words);
            self.spoken = true;
            on_text(words);
        }
        for call in said["tool_calls"].as_array().into_iter().flatten() {
            self.call(call);
        }
    }

    /// A piece of a tool call: of the one with its number, of the last, or of a new one.
    fn call(&mut self, piece: &Value) {
        let index = piece["index"].as_u64();
        let id = piece["id"].as_str().unwrap_or_default();
        let name = piece["function"]["name"].as_str().unwrap_or_default();
        let known = match index {
            Some(index) => self.calls.iter().position(|call| call.index == Some(index)),
            None if id.is_empty() && name.is_empty() => self.calls.len().checked_sub(1),
            None => self.calls.iter().position(|call| !id.is_empty() && call.id == id),
        };
        let at = known.unwrap_or_else(|| {
            self.calls.push(Pending { index, ..Pending::default() });
            self.calls.len() - 1
        });
        let call = &mut self.calls[at];
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        if call.name.is_empty() {
            name.clone_into(&mut call.name);
        }
        match &piece["function"]["arguments"] {
            Value::String(arguments) => call.arguments.push_str(arguments),
            Value::Null => {}
            whole => call.arguments = whole.to_string(),
        }
    }
}

impl AnswerParser for Chunks {
    fn event(&mut self, event: &SseEvent, on_text: &mut dyn FnMut(&str)) -> Result<bool, AnswerFault> {
        if event.data.trim() == "[DONE]" {
            return Ok(true);
        }
        let chunk = data(event)?;
        if let Some(found) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(error(found));
        }
        if chunk["usage"].is_object() {
            self.usage = usage(&chunk["usage"]);
        }
        let choice = &chunk["choices"][0];
        if choice["finish_reason"] == "error" {
            return Err(error(&choice["error"]));
        }
        self.hear(&choice["delta"], on_text);
        if let Some(reason) = choice["finish_reason"].as_str() {
            self.finish = Some(reason.to_owned());
        }
        Ok(false)
    }

    fn whole(&mut self, document: &Value, on_text: &mut dyn FnMut(&str)) -> Result<(), AnswerFault> {
        if let Some(found) = document.get("error").filter(|error| !error.is_null()) {
            return Err(error(found));
        }
        let choice = &document["choices"][0];
        if !choice["message"].is_object() {
            return Err(AnswerFault::Nonsense("the answer has no message".into()));
        }
        self.usage = usage(&document["usage"]);
        self.hear(&choice["message"], on_text);
        self.finish = Some(choice["finish_reason"].as_str().unwrap_or("stop").to_owned());
        Ok(())
    }

    fn finish(&mut self) -> Result<Reply, AnswerFault> {
        let Some(finish) = self.finish.take() else { return Err(AnswerFault::Cut) };
        let stop = match finish.as_str() {
            _ if self.refused => StopReason::Refusal,
            "content_filter" => StopReason::Refusal,
            "length" => StopReason::Length,
            // Some say `stop` although they call tools.
            _ if !self.calls.is_empty() => StopReason::Tools,
            _ => StopReason::Done,
        };
        let mut content = Vec::new();
        if !self.text.is_empty() {
            content.push(ContentBlock::Text { text: std::mem::take(&mut self.text) });
        }
        for (number, pending) in self.calls.drain(..).enumerate() {
            let id = if pending.id.is_empty() { format!("call_{number}") } else { pending.id };
            content.extend(call(id, pending.name, &pending.arguments, stop)?);
        }
        Ok(Reply { content, stop, usage: self.usage })
    }

    fn spoken(&self) -> bool {
        self.spoken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_with_tools_in_their_words() {
        let request = Request {
            system: vec!["a".into(), "b".into()],
            messages: vec![
                ChatMessage::user("hi"),
                ChatMessage {
                    role: ChatRole::Assistant,
                    content: vec![
                        ContentBlock::Opaque(json!({ "type": "thinking" })),
                        ContentBlock::ToolUse { id: "c1".into(), name: "Read".into(), input: json!({ "f": 1 }) },
                    ],
                },
                ChatMessage {
                    role: ChatRole::User,
                    content: vec![
                        ContentBlock::ToolResult { tool_use_id: "c1".into(), content: "no".into(), is_error: true },
                        ContentBlock::Text { text: "go on".into() },
                    ],
                },
            ],
            max_output_tokens: 5,
            ..Request::default()
        };
        let body = asked("m", &request, false);
        let messages = body["messages"].as_array().unwrap();
        let roles: Vec<&str> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
        assert_eq!(roles, ["system", "user", "assistant", "tool", "user"]);
        assert_eq!(messages[0]["content"], "a\n\nb");
        assert_eq!(
            (&messages[2]["content"], &messages[2]["tool_calls"][0]["function"]["arguments"]),
            (&Value::Null, &json!("{\"f\":1}"))
        );
        assert_eq!(messages[3]["content"], "Error: no");
        assert_eq!((&body["max_tokens"], &body["max_completion_tokens"]), (&json!(5), &Value::Null));
        assert_eq!(asked("m", &request, true)["max_completion_tokens"], 5);
    }
}
