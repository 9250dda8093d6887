//! OpenAI's two APIs, and the many servers that speak the older one.
//!
//! Enters: a [`Request`]. Leaves: a [`Reply`], its words while they arrive. OpenAI itself is asked
//! through Responses; everything else (Ollama, llama.cpp, vLLM, OpenRouter, …) through Chat
//! Completions, in the forms they share. Missing counts, missing end marks, arguments in pieces or
//! as an object are all taken. Caching is the server's own business there: it goes by the beginning
//! of a request, and a request here begins with what does not change.

mod chat;
mod responses;

use std::sync::atomic::AtomicBool;

use serde_json::Value;

use super::deadline::{AttemptError, Deadline, persist};
use super::http::{Endpoint, Post};
use super::recorded;
use super::sse::SseEvent;
use super::structured;
use super::{CallLimits, ContentBlock, Model, ModelError, Reply, Request, StopReason, Usage};

const DRIVER: &str = "openai";
/// Where it is unless the user says otherwise.
pub(super) const HOME: &str = "https://api.openai.com/v1";

/// Which of the two APIs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Chat Completions.
    Chat,
    /// Responses.
    Responses,
}

impl Wire {
    /// The one that fits a base URL.
    pub(crate) fn for_base(base: &str) -> Wire {
        if is_openai(base) { Wire::Responses } else { Wire::Chat }
    }
}

/// Whether a base URL is OpenAI's own.
pub(super) fn is_openai(base: &str) -> bool {
    let host = base.split_once("://").map_or(base, |(_, rest)| rest);
    let host = host.split(['/', ':', '?']).next().unwrap_or_default();
    host.eq_ignore_ascii_case("api.openai.com")
}

/// A model of OpenAI's, or of a server that speaks like it.
#[derive(Debug)]
pub struct Openai {
    endpoint: Endpoint,
    model: String,
    wire: Wire,
    /// The server refuses schemas; it is asked in words.
    in_words: AtomicBool,
}

/// What the server said instead of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
enum AnswerFault {
    Nonsense(String),
    Cut,
    Busy(u16),
    Error(u16, String),
}

/// An answer while it is being told, on either wire.
trait AnswerParser {
    /// Takes an event; whether it was the last.
    fn event(&mut self, event: &SseEvent, on_text: &mut dyn FnMut(&str)) -> Result<bool, AnswerFault>;
    /// Takes an answer that came in one piece.
    fn whole(&mut self, document: &Value, on_text: &mut dyn FnMut(&str)) -> Result<(), AnswerFault>;
    /// The answer.
    fn finish(&mut self) -> Result<Reply, AnswerFault>;
    /// Whether words were handed on.
    fn spoken(&self) -> bool;
}

impl Openai {
    /// A model at an endpoint. A base URL without a path gets `/v1`.
    pub fn new(endpoint: Endpoint, model: impl Into<String>, wire: Wire) -> Openai {
        Openai { endpoint, model: model.into(), wire, in_words: AtomicBool::new(false) }
    }

    fn ask_once(
        &self,
        request: &Request,
        deadline: &Deadline,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Reply, ModelError> {
        let (path, body) = match self.wire {
            Wire::Chat => ("/chat/completions", chat::asked(&self.model, request, is_openai(self.endpoint.base()))),
            Wire::Responses => ("/responses", responses::asked(&self.model, request)),
        };
        let bare = self.endpoint.base().split_once("://").is_some_and(|(_, rest)| !rest.contains('/'));
        let path = if bare { format!("/v1{path}") } else { path.to_owned() };
        let key = self.endpoint.key().map(|key| ("authorization", format!("Bearer {}", key.expose())));
        persist(deadline, || {
            let mut telling = telling_on(self.wire);
            let post = Post { path: &path, headers: key.clone().into_iter().collect(), body: &body };
            let heard = self.endpoint.events(&post, deadline, &mut |event| {
                telling.event(event, on_text).map_err(|said| self.trouble(&said, deadline))
            });
            let result = match heard {
                Ok(Some(document)) => telling.whole(&document, on_text).and_then(|()| telling.finish()),
                Ok(None) => telling.finish(),
                // Everything was said; only the end mark is missing.
                Err(AttemptError::Broken(message)) => match telling.finish() {
                    Ok(reply) => Ok(reply),
                    Err(_) => return (Err(AttemptError::Broken(message)), telling.spoken()),
                },
                Err(trouble) => return (Err(trouble), telling.spoken()),
            };
            (result.map_err(|said| self.trouble(&said, deadline)), telling.spoken())
        })
    }

    fn trouble(&self, said: &AnswerFault, deadline: &Deadline) -> AttemptError {
        match said {
            AnswerFault::Nonsense(message) => self.endpoint.malformed(deadline, message),
            AnswerFault::Cut => AttemptError::Broken("the answer ended in the middle".into()),
            AnswerFault::Busy(status) => AttemptError::Busy { status: *status, after: None },
            AnswerFault::Error(status, message) => AttemptError::Final(ModelError::Refused {
                driver: DRIVER,
                status: *status,
                message: self.endpoint.clean(message),
            }),
        }
    }
}

impl Model for Openai {
    fn name(&self) -> String {
        format!("{DRIVER}/{}", self.model)
    }

    fn ask(&self, request: &Request, call: &CallLimits, on_text: &mut dyn FnMut(&str)) -> Result<Reply, ModelError> {
        let deadline = Deadline::new(DRIVER, call);
        let Some(schema) = &request.schema else { return self.ask_once(request, &deadline, on_text) };
        let reply = structured::ask(DRIVER, request, schema, &self.in_words, &mut |request| {
            self.ask_once(request, &deadline, &mut |_| {})
        })?;
        on_text(&structured::words(&reply.content));
        Ok(reply)
    }
}

/// What reads an answer, for one that was recorded.
pub(super) fn telling(wire: Wire) -> Box<dyn recorded::AnswerStream> {
    Box::new(AnswerReader(telling_on(wire)))
}

fn telling_on(wire: Wire) -> Box<dyn AnswerParser> {
    match wire {
        Wire::Chat => Box::new(chat::Chunks::default()),
        Wire::Responses => Box::new(responses::Items::default()),
    }
}

struct AnswerReader(Box<dyn AnswerParser>);

impl recorded::AnswerStream for AnswerReader {
    fn event(&mut self, event: &SseEvent, on_text: &mut dyn FnMut(&str)) -> Result<bool, String> {
        self.0.event(event, on_text).map_err(|said| format!("{said:?}"))
    }

    fn whole(&mut self, document: &Value, on_text: &mut dyn FnMut(&str)) -> Result<Reply, String> {
        let done = self.0.whole(document, on_text).and_then(|()| self.0.finish());
        done.map_err(|said| format!("{said:?}"))
    }

    fn finish(&mut self) -> Result<Reply, String> {
        self.0.finish().map_err(|said| format!("{said:?}"))
    }
}

/// An error in either of the two shapes: a busy server, or a refusal.
fn error(error: &Value) -> AnswerFault {
    let message =
        error["message"].as_str().or_else(|| error.as_str()).unwrap_or("an error without a message").to_owned();
    let code = match &error["code"] {
        Value::Number(code) => code.as_u64().and_then(|code| u16::try_from(code).ok()),
        Value::String(code) => match code.as_str() {
            "rate_limit_exceeded" => Some(429),
            "server_error" => Some(500),
            "server_is_overloaded" | "slow_down" => Some(503),
            other => other.parse().ok(),
        },
        _ => None,
    };
    match code {
        Some(status @ (408 | 429 | 500..=599)) => AnswerFault::Busy(status),
        other => AnswerFault::Error(other.unwrap_or(400), message),
    }
}

/// The tokens of either shape: `prompt_tokens` or `input_tokens`, the cached ones among them.
fn usage(usage: &Value) -> Usage {
    let count = |place: &str| usage.pointer(place).and_then(Value::as_u64);
    let cached = count("/prompt_tokens_details/cached_tokens").or_else(|| count("/input_tokens_details/cached_tokens"));
    let cached = cached.unwrap_or(0);
    let prompt = count("/prompt_tokens").or_else(|| count("/input_tokens")).unwrap_or(0);
    let output = count("/completion_tokens").or_else(|| count("/output_tokens")).unwrap_or(0);
    Usage { input: prompt.saturating_sub(cached), output, cache_read: cached, cache_write: 0 }
}

/// A tool call out of its name and arguments.
fn call(id: String, name: String, arguments: &str, stop: StopReason) -> Result<Option<ContentBlock>, AnswerFault> {
    let arguments = if arguments.trim().is_empty() { "{}" } else { arguments };
    match serde_json::from_str(arguments) {
        Ok(input) => Ok(Some(ContentBlock::ToolUse { id, name, input })),
        // Cut at the output limit: half a call is none.
        Err(_) if stop == StopReason::Length => Ok(None),
        Err(error) => Err(AnswerFault::Nonsense(format!("the arguments of a tool are not JSON ({error})"))),
    }
}

fn data(event: &SseEvent) -> Result<Value, AnswerFault> {
    serde_json::from_str(&event.data).map_err(|error| AnswerFault::Nonsense(format!("an event is not JSON ({error})")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn responses_for_openai_itself_chat_for_all_others() {
        for (base, wire) in [
            ("https://api.openai.com/v1", Wire::Responses),
            ("https://API.OpenAI.com", Wire::Responses),
            ("https://api.openai.com.evil.example/v1", Wire::Chat),
            ("https://openrouter.ai/api/v1", Wire::Chat),
            ("http://localhost:11434/v1", Wire::Chat),
        ] {
            assert_eq!(Wire::for_base(base), wire, "{base}");
        }
    }

    #[test]
    fn errors_in_the_shapes_that_servers_use() {
        for (value, want) in [
            (json!({ "code": 502, "message": "m" }), AnswerFault::Busy(502)),
            (json!({ "code": "rate_limit_exceeded" }), AnswerFault::Busy(429)),
            (json!({ "code": "503" }), AnswerFault::Busy(503)),
            (
                json!({ "code": "context_length_exceeded", "message": "too long" }),
                AnswerFault::Error(400, "too long".into()),
            ),
            (json!("plain words"), AnswerFault::Error(400, "plain words".into())),
            (json!({ "code": null }), AnswerFault::Error(400, "an error without a message".into())),
        ] {
            assert_eq!(error(&value), want, "{value}");
        }
    }

    #[test]
    fn tokens_in_both_shapes_or_none() {
        let chat =
            json!({ "prompt_tokens": 10, "completion_tokens": 3, "prompt_tokens_details": { "cached_tokens": 4 } });
        assert_eq!(usage(&chat), Usage { input: 6, output: 3, cache_read: 4, cache_write: 0 });
        let responses =
            json!({ "input_tokens": 10, "output_tokens": 3, "input_tokens_details": { "cached_tokens": 4 } });
        assert_eq!(usage(&responses), usage(&chat));
        assert_eq!(usage(&Value::Null), Usage::default());
    }
}
