//! The drivers against a server that speaks the real wires and misbehaves on cue.

#![allow(clippy::disallowed_methods, clippy::expect_used, clippy::unwrap_used, missing_docs)] // it is all test

mod breaking;
mod caching;
mod failing;
mod quirks;
mod stopping;
mod structured;
mod talking;
mod tls;

use std::time::Duration;

use memdir_model::{
    Anthropic, ApiKey, CallLimits, Cancel, ChatMessage, ContentBlock, Endpoint, Model, ModelError, Openai, Reply,
    Request, ToolSpec, Wire,
};
use memdir_testkit::model_server::ModelServer;
use serde_json::json;

/// Must be nowhere but in the one header.
const KEY: &str = "test-key-c41f9b7e20";

/// The three ways to ask over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Anthropic,
    Chat,
    Responses,
}

const WAYS: [Way; 3] = [Way::Anthropic, Way::Chat, Way::Responses];

impl Way {
    fn model(self, server: &ModelServer) -> Box<dyn Model + Send + Sync> {
        self.at(&server.url())
    }

    fn at(self, url: &str) -> Box<dyn Model + Send + Sync> {
        let endpoint = Endpoint::new(url, ApiKey::new(KEY)).unwrap();
        match self {
            Way::Anthropic => Box::new(Anthropic::new(endpoint, "m-1")),
            Way::Chat => Box::new(Openai::new(endpoint, "m-1", Wire::Chat)),
            Way::Responses => Box::new(Openai::new(endpoint, "m-1", Wire::Responses)),
        }
    }

    /// How many events there are up to and with the first word.
    fn first_word(self) -> usize {
        match self {
            Way::Anthropic => 4,
            Way::Chat => 2,
            Way::Responses => 3,
        }
    }
}

/// A call that a test does not expect to end by its time.
fn call() -> CallLimits {
    CallLimits { timeout: Duration::from_mins(1), cancel: Cancel::default() }
}

fn request(user: &str) -> Request {
    Request {
        system: vec!["You are careful.".into()],
        messages: vec![ChatMessage::user(user)],
        max_output_tokens: 100,
        ..Request::default()
    }
}

fn with_tools(user: &str) -> Request {
    let input_schema = json!({ "type": "object", "properties": { "file": { "type": "string" } } });
    let tools = vec![ToolSpec { name: "Read".into(), description: "Reads a file.".into(), input_schema, own: None }];
    Request { tools, ..request(user) }
}

/// Asks and keeps what was streamed.
fn ask(model: &dyn Model, request: &Request, call: &CallLimits) -> (Result<Reply, ModelError>, String) {
    let mut heard = String::new();
    let reply = model.ask(request, call, &mut |text| heard.push_str(text));
    if let Err(error) = &reply {
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains(KEY), "the key is in {shown}");
    }
    (reply, heard)
}

fn text(reply: &Reply) -> String {
    let words = reply
        .content
        .iter()
        .filter_map(|block| if let ContentBlock::Text { text } = block { Some(text.as_str()) } else { None });
    words.collect()
}
