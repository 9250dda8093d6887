//! The tool loop: a model goes on from where a conversation stands, with tools, within a budget.
//!
//! Enters: the parent's request, one more message, tools, a budget. Leaves: what it cost, what was
//! said, what was denied and why it ended. The parent's system prompt, tools and messages are sent
//! as they are, so that the provider's cache of them is used (X2). Never fails because of what a
//! model says: whatever is wrong with a tool call is the answer to that call. Writes nothing but
//! what the tools write.

use std::time::{Duration, Instant};

use super::command::Bound;
use super::tools::{CallLimit, DeniedCall, Toolbox};
use super::{
    CallLimits, Cancel, ChatMessage, ChatRole, ContentBlock, Model, ModelError, Reply, Request, StopReason, Usage,
};
use memdir_core::limits;
use memdir_guard::confine::RelPath;

/// What a run may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunBudget {
    /// How often the model is asked.
    pub turns: u32,
    /// How long all of it may take.
    pub time: Duration,
    /// Tokens in all, cached ones included; what one reply costs is known only afterwards.
    pub tokens: u64,
}

/// What should be run.
pub struct Fork<'f> {
    /// The model.
    pub model: &'f dyn Model,
    /// The conversation that it goes on from.
    pub parent: &'f Request,
    /// What it is asked to do.
    pub prompt: &'f str,
    /// What that may cost.
    pub budget: RunBudget,
    /// Stops it from outside.
    pub cancel: Cancel,
}

/// What happens while it runs, for whoever watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForkProgress<'p> {
    /// The model is asked, for the so-manieth time.
    Turn(u32),
    /// A piece of what it says.
    Text(&'p str),
    /// It calls a tool.
    Tool(&'p str),
    /// It wrote a file, relative to the memory directory.
    Touched(&'p RelPath),
}

/// The result of a run.
#[derive(Debug)]
pub struct ForkRun {
    /// What it cost; see [`Usage::hit_percent`].
    pub usage: Usage,
    /// How often the model answered.
    pub turns: u32,
    /// What was not allowed.
    pub denied: Vec<DeniedCall>,
    /// All that was said.
    pub said: String,
    /// Why it ended.
    pub ended: RunEnd,
}

/// Why a run ended.
#[derive(Debug)]
pub enum RunEnd {
    /// The model had no more to do.
    Done,
    /// It was asked as often as it may be.
    Turns,
    /// Its tokens are spent.
    Tokens,
    /// It ran into the longest answer it may give.
    Length,
    /// Time is up.
    Time,
    /// The user's own agent was ended while it worked: it would have gone past this bound.
    Cut(Bound),
    /// It declined.
    Refused,
    /// Somebody stopped it.
    Cancelled,
    /// The model gave no answer.
    Failed(ModelError),
}

impl RunEnd {
    /// The word in listings and JSON.
    pub const fn as_str(&self) -> &'static str {
        match self {
            RunEnd::Done => "done",
            RunEnd::Turns => "turns",
            RunEnd::Tokens => "tokens",
            RunEnd::Length => "length",
            RunEnd::Time => "time",
            RunEnd::Cut(Bound::Turns) => "cut-at-turns",
            RunEnd::Cut(Bound::Tokens) => "cut-at-tokens",
            RunEnd::Refused => "refused",
            RunEnd::Cancelled => "cancelled",
            RunEnd::Failed(_) => "failed",
        }
    }

    /// Whether what was done up to here may be looked at. A run that was cut off in the middle is
    /// done again from the start instead.
    pub const fn is_whole(&self) -> bool {
        matches!(self, RunEnd::Done | RunEnd::Turns | RunEnd::Tokens | RunEnd::Length)
    }
}

impl ForkRun {
    /// Whether somebody stopped it.
    pub const fn cancelled(&self) -> bool {
        matches!(self.ended, RunEnd::Cancelled)
    }
}

impl Fork<'_> {
    /// Runs to the end.
    pub fn run(&self, tools: &mut Toolbox<'_>, progress: &mut dyn FnMut(ForkProgress<'_>)) -> ForkRun {
        let mut request = self.parent.clone();
        request.messages.push(ChatMessage::user(self.prompt));
        let patience = CallLimit { cancel: self.cancel.clone(), until: Instant::now() + self.budget.time };
        let mut run =
            ForkRun { usage: Usage::default(), turns: 0, denied: Vec::new(), said: String::new(), ended: RunEnd::Done };
        run.ended = loop {
            if let Some(ended) = self.is_spent(&run, &patience) {
                break ended;
            }
            progress(ForkProgress::Turn(run.turns + 1));
            let reply = match self.ask(&request, &patience, progress) {
                Ok(reply) => reply,
                Err(ended) => break ended,
            };
            run.turns += 1;
            run.usage.add(reply.usage);
            run.hear(&reply);
            match reply.stop {
                // What it wanted to call may have been cut off in the middle.
                StopReason::Length => break RunEnd::Length,
                StopReason::Refusal => break RunEnd::Refused,
                StopReason::Done | StopReason::Tools => {}
            }
            let answers = answer(&reply, tools, &patience, progress);
            if answers.is_empty() {
                break RunEnd::Done;
            }
            request.messages.push(ChatMessage { role: ChatRole::Assistant, content: reply.content });
            request.messages.push(ChatMessage { role: ChatRole::User, content: answers });
        };
        run.denied = tools.denied().to_vec();
        run
    }

    /// The bound that is reached, if one is.
    fn is_spent(&self, run: &ForkRun, patience: &CallLimit) -> Option<RunEnd> {
        if self.cancel.is_cancelled() {
            Some(RunEnd::Cancelled)
        } else if Instant::now() >= patience.until {
            Some(RunEnd::Time)
        } else if run.turns >= self.budget.turns {
            Some(RunEnd::Turns)
        } else if run.usage.total() >= self.budget.tokens {
            Some(RunEnd::Tokens)
        } else {
            None
        }
    }

    fn ask(
        &self,
        request: &Request,
        patience: &CallLimit,
        progress: &mut dyn FnMut(ForkProgress<'_>),
    ) -> Result<Reply, RunEnd> {
        let timeout = patience.until.saturating_duration_since(Instant::now());
        let call = CallLimits { timeout, cancel: self.cancel.clone() };
        self.model.ask(request, &call, &mut |text| progress(ForkProgress::Text(text))).map_err(|error| match error {
            ModelError::Cancelled => RunEnd::Cancelled,
            ModelError::Timeout { .. } if Instant::now() >= patience.until => RunEnd::Time,
            other => RunEnd::Failed(other),
        })
    }
}

impl ForkRun {
    fn hear(&mut self, reply: &Reply) {
        for block in &reply.content {
            let ContentBlock::Text { text } = block else { continue };
            if !self.said.is_empty() && !text.is_empty() {
                self.said.push('\n');
            }
            self.said.push_str(text);
        }
    }
}

/// Answers every tool call of a reply, in order, in one message.
fn answer(
    reply: &Reply,
    tools: &mut Toolbox<'_>,
    patience: &CallLimit,
    progress: &mut dyn FnMut(ForkProgress<'_>),
) -> Vec<ContentBlock> {
    let calls = reply.content.iter().filter_map(|block| match block {
        ContentBlock::ToolUse { id, name, input } => Some((id, name, input)),
        _ => None,
    });
    let mut answers = Vec::new();
    for (at, (id, name, input)) in calls.enumerate() {
        progress(ForkProgress::Tool(name));
        let (content, is_error) = if at >= limits::TOOL_CALLS {
            (format!("Not done: at most {} calls are made in one turn.", limits::TOOL_CALLS), true)
        } else if patience.is_over() {
            ("Not done: time is up.".to_owned(), true)
        } else {
            let outcome = tools.call(name, input, patience);
            if let Some(file) = &outcome.touched {
                progress(ForkProgress::Touched(file));
            }
            (outcome.text, outcome.is_error)
        };
        answers.push(ContentBlock::ToolResult { tool_use_id: id.clone(), content, is_error });
    }
    answers
}
