//! Asking a model: one small trait, and a driver for whatever the user has.
//!
//! Enters: a conversation, the tools that may be called, a budget. Leaves: what the model said and
//! what it cost. Calls block and can be cancelled. Writes nothing but a staging copy, through its tools, and
//! never decides whether money may be spent: who calls has asked before (`model.consent`).
//!
//! - `anthropic`, `openai`: drivers over HTTP; `http`, `deadline`, [`sse`], `key` carry them.
//! - [`command`]: the user's own agent on the command line.
//! - `choice`: which of them is used, and why.
//! - [`recorded`]: an answer off the wire, read without a network.
//! - `structured`, [`answer`]: an answer that must be one JSON object.
//! - [`fork`], [`tools`]: the tool loop and its tools.

pub mod answer;
mod anthropic;
mod choice;
pub mod command;
mod deadline;
pub mod fork;
mod http;
mod key;
mod message;
mod openai;
pub mod recorded;
pub mod sse;
mod structured;
pub mod tools;

pub use anthropic::Anthropic;
pub use choice::{ChoiceReason, ModelChoice, SharedModel};
pub use http::Endpoint;
pub use key::ApiKey;
pub use message::{ChatMessage, ChatRole, ContentBlock, ToolSpec};
pub use openai::{Openai, Wire};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use memdir_context::prompts::Prompts;

/// One thing that can think.
pub trait Model {
    /// Driver and model, for `status` and for history: `anthropic/claude-…`, `offline`.
    fn name(&self) -> String;

    /// Asks once. Text arrives in `on_text` while it is being said; the reply holds all of it.
    fn ask(&self, request: &Request, call: &CallLimits, on_text: &mut dyn FnMut(&str)) -> Result<Reply, ModelError>;

    /// The agent that works on files with its own tools, where this is one: it is given a whole run and not asked
    /// turn by turn.
    fn as_agent(&self) -> Option<&dyn command::CodingAgent> {
        None
    }
}

/// What is asked. The driver decides where the provider's cache breakpoints go; two requests with the same
/// system, tools and first messages have the same bytes up to there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The system prompt, in blocks that change together.
    pub system: Vec<String>,
    /// The tools that may be called.
    pub tools: Vec<ToolSpec>,
    /// The conversation so far; ends with the user.
    pub messages: Vec<ChatMessage>,
    /// The most the model may say.
    pub max_output_tokens: u32,
    /// The JSON schema that the answer must follow.
    pub schema: Option<AnswerSchema>,
}

/// A JSON schema for an answer, and the texts that ask for it where a server has to be asked in words.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerSchema {
    /// The schema.
    pub object: serde_json::Value,
    /// The texts in force.
    pub prompts: Prompts,
}

impl From<serde_json::Value> for AnswerSchema {
    /// With the built-in texts.
    fn from(object: serde_json::Value) -> AnswerSchema {
        AnswerSchema { object, prompts: Prompts::built_in() }
    }
}

/// How long a call may take, and how to stop it.
#[derive(Clone, Debug)]
pub struct CallLimits {
    /// The longest the whole call may take, retries included.
    pub timeout: Duration,
    /// Stops it from outside.
    pub cancel: Cancel,
}

/// A switch that stops a call; all copies are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A switch that somebody else turns: a signal.
    pub fn on(switch: Arc<AtomicBool>) -> Cancel {
        Cancel(switch)
    }

    /// Stops everything that holds a copy.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether it was used.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// What came back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// What was said and which tools are to be called, in order.
    pub content: Vec<ContentBlock>,
    /// Why it ended.
    pub stop: StopReason,
    /// What it cost.
    pub usage: Usage,
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopReason {
    /// The model has said what it had to say.
    #[default]
    Done,
    /// It wants tools to be called.
    Tools,
    /// It ran into `max_output_tokens`.
    Length,
    /// It declined.
    Refusal,
}

/// Tokens of one call, or of several together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Usage {
    /// Read at full price.
    pub input: u64,
    /// Written by the model.
    pub output: u64,
    /// Read from the provider's cache.
    pub cache_read: u64,
    /// Put into the provider's cache.
    pub cache_write: u64,
}

impl Usage {
    /// Adds another call's tokens.
    pub fn add(&mut self, other: Usage) {
        // A server may say any number.
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
    }

    /// All tokens, for budgets.
    pub fn total(self) -> u64 {
        self.read().saturating_add(self.output)
    }

    /// All tokens that were read, from wherever.
    pub fn read(self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// Which part of what was read came from the cache, in percent; nothing read gives nothing (X2).
    pub fn hit_percent(self) -> Option<f64> {
        let read = self.read();
        (read > 0).then(|| self.cache_read as f64 * 100.0 / read as f64)
    }
}

/// Why a model gave no answer. None of these ever holds a key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Nothing is configured to think with.
    #[error("no model is configured: {0}")]
    NotConfigured(String),
    /// The provider does not accept the key or the request.
    #[error("{driver} refused the request ({status}): {message}")]
    Refused {
        /// Which driver.
        driver: &'static str,
        /// HTTP status.
        status: u16,
        /// What it said, shortened and redacted.
        message: String,
    },
    /// The provider is too busy, also after waiting and asking again.
    #[error("{driver} is busy ({status}), also after {attempts} attempts; memdir tries again later")]
    Busy {
        /// Which driver.
        driver: &'static str,
        /// HTTP status.
        status: u16,
        /// How often it was asked.
        attempts: u32,
    },
    /// No answer in time.
    #[error("{driver} gave no answer within {seconds} s")]
    Timeout {
        /// Which driver.
        driver: &'static str,
        /// How long was waited.
        seconds: u64,
    },
    /// The connection failed or ended in the middle of an answer.
    #[error("the connection to {driver} failed: {message}")]
    Connection {
        /// Which driver.
        driver: &'static str,
        /// What happened.
        message: String,
    },
    /// The answer is not what the protocol says.
    #[error("{driver} gave an answer that memdir does not understand: {message}")]
    Malformed {
        /// Which driver.
        driver: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// Somebody stopped it.
    #[error("stopped")]
    Cancelled,
    /// What models may use a day is used up.
    #[error("today's {limit} tokens for models are used up; it goes on tomorrow; or raise model.tokens_per_day")]
    Spent {
        /// The limit.
        limit: u64,
    },
}
