//! Anthropic's Messages API.
//!
//! Enters: a [`Request`]. Leaves: a [`Reply`], its words while they arrive. Where the cache
//! breakpoints go is in `wire`. A turn that the server paused is taken up again. Never decides
//! whether the user agreed, never keeps what was said.

mod stream;
mod wire;

use std::sync::atomic::AtomicBool;

use serde_json::Value;

use super::deadline::{AttemptError, Deadline, persist};
use super::http::{Endpoint, Post};
use super::recorded;
use super::sse::SseEvent;
use super::structured;
use super::{CallLimits, ChatMessage, ChatRole, Model, ModelError, Reply, Request, StopReason};
use memdir_core::limits::MODEL_PAUSES;
use stream::MessageStream;

const DRIVER: &str = "anthropic";
/// The version of the API that is spoken.
const VERSION: &str = "2023-06-01";
/// What the API must be told to know its own memory tool.
const OWN_TOOLS: &str = "context-management-2025-06-27";
/// Where it is unless the user says otherwise.
pub(super) const HOME: &str = "https://api.anthropic.com";

/// A model of Anthropic's, or of a server that speaks like it.
#[derive(Debug)]
pub struct Anthropic {
    endpoint: Endpoint,
    model: String,
    /// The server refuses schemas; it is asked in words.
    in_words: AtomicBool,
}

impl Anthropic {
    /// A model at an endpoint; `/v1` at the end of its base URL is optional.
    pub fn new(endpoint: Endpoint, model: impl Into<String>) -> Anthropic {
        Anthropic { endpoint, model: model.into(), in_words: AtomicBool::new(false) }
    }

    /// How many tokens a request has, by the provider's own count.
    pub fn count_tokens(&self, request: &Request, call: &CallLimits) -> Result<u64, ModelError> {
        let deadline = Deadline::new(DRIVER, call);
        let body = wire::counted(&self.model, request);
        let answer = persist(&deadline, || {
            (self.endpoint.json(&self.post("/v1/messages/count_tokens", &body), &deadline), false)
        })?;
        let malformed = || ModelError::Malformed { driver: DRIVER, message: "no count of tokens in the answer".into() };
        answer["input_tokens"].as_u64().ok_or_else(malformed)
    }

    /// Asks once, and goes on where the server paused.
    fn ask_whole(
        &self,
        request: &Request,
        deadline: &Deadline,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Reply, ModelError> {
        let mut whole = Reply::default();
        let mut messages = request.messages.clone();
        for _ in 0..=MODEL_PAUSES {
            let (reply, paused) = self.ask_once(request, &messages, deadline, on_text)?;
            whole.usage.add(reply.usage);
            whole.stop = reply.stop;
            whole.content.extend(reply.content.clone());
            if !paused || reply.content.is_empty() {
                return Ok(whole);
            }
            messages.push(ChatMessage { role: ChatRole::Assistant, content: reply.content });
        }
        whole.stop = StopReason::Length;
        Ok(whole)
    }

    fn ask_once(
        &self,
        request: &Request,
        messages: &[ChatMessage],
        deadline: &Deadline,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<(Reply, bool), ModelError> {
        let body = wire::asked(&self.model, request, messages);
        persist(deadline, || {
            let mut telling = MessageStream::default();
            let heard = self.endpoint.events(&self.post("/v1/messages", &body), deadline, &mut |event| {
                telling.event(event, on_text).map_err(|said| self.trouble(&said, deadline))
            });
            let result = heard.and_then(|whole| match whole {
                Some(document) => stream::whole(&document, on_text).map_err(|said| self.trouble(&said, deadline)),
                None => telling.finish().map_err(|said| self.trouble(&said, deadline)),
            });
            (result, telling.spoken())
        })
    }

    fn post<'a>(&self, path: &'a str, body: &'a Value) -> Post<'a> {
        // A base URL with the version at its end means the same place.
        let path = if self.endpoint.base().ends_with("/v1") { path.trim_start_matches("/v1") } else { path };
        let mut headers = vec![("anthropic-version", VERSION.to_owned())];
        if wire::offers_own(body) {
            headers.push(("anthropic-beta", OWN_TOOLS.to_owned()));
        }
        headers.extend(self.endpoint.key().map(|key| ("x-api-key", key.expose().to_owned())));
        Post { path, headers, body }
    }

    fn trouble(&self, said: &stream::ServerNotice, deadline: &Deadline) -> AttemptError {
        match said {
            stream::ServerNotice::Nonsense(message) => self.endpoint.malformed(deadline, message),
            stream::ServerNotice::Cut => AttemptError::Broken("the answer ended in the middle".into()),
            stream::ServerNotice::Busy(status) => AttemptError::Busy { status: *status, after: None },
            stream::ServerNotice::Error(message) => AttemptError::Final(ModelError::Refused {
                driver: DRIVER,
                status: 400,
                message: self.endpoint.clean(message),
            }),
        }
    }
}

impl Model for Anthropic {
    fn name(&self) -> String {
        format!("{DRIVER}/{}", self.model)
    }

    fn ask(&self, request: &Request, call: &CallLimits, on_text: &mut dyn FnMut(&str)) -> Result<Reply, ModelError> {
        let deadline = Deadline::new(DRIVER, call);
        let Some(schema) = &request.schema else { return self.ask_whole(request, &deadline, on_text) };
        let reply = structured::ask(DRIVER, request, schema, &self.in_words, &mut |request| {
            self.ask_whole(request, &deadline, &mut |_| {})
        })?;
        on_text(&structured::words(&reply.content));
        Ok(reply)
    }
}

/// What reads an answer, for one that was recorded.
pub(super) fn telling() -> Box<dyn recorded::AnswerStream> {
    Box::new(AnswerReader(MessageStream::default()))
}

struct AnswerReader(MessageStream);

impl recorded::AnswerStream for AnswerReader {
    fn event(&mut self, event: &SseEvent, on_text: &mut dyn FnMut(&str)) -> Result<bool, String> {
        self.0.event(event, on_text).map_err(|said| format!("{said:?}"))
    }

    fn whole(&mut self, document: &Value, on_text: &mut dyn FnMut(&str)) -> Result<Reply, String> {
        stream::whole(document, on_text).map(|(reply, _)| reply).map_err(|said| format!("{said:?}"))
    }

    fn finish(&mut self) -> Result<Reply, String> {
        self.0.finish().map(|(reply, _)| reply).map_err(|said| format!("{said:?}"))
    }
}
