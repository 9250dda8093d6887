//! A model for tests that says what it was told to say, and keeps what it was asked.

use std::cell::RefCell;
use std::collections::VecDeque;

use serde_json::Value;

use memdir_model::{CallLimits, ContentBlock, Model, ModelError, Reply, Request, StopReason, Usage};

/// What the model does when it is asked.
pub enum Act {
    /// It answers.
    Say(Reply),
    /// It gives no answer.
    Fail(ModelError),
    /// Something happens first; then it does the next thing.
    Do(Box<dyn Fn(&CallLimits)>),
}

/// A model with a script. When that is at its end, it has no more to do.
#[derive(Default)]
pub struct Script {
    acts: RefCell<VecDeque<Act>>,
    /// What it was asked, in order.
    pub asked: RefCell<Vec<Request>>,
}

impl Script {
    /// A model that does these things, one a question.
    pub fn of(acts: impl IntoIterator<Item = Act>) -> Script {
        Script { acts: RefCell::new(acts.into_iter().collect()), asked: RefCell::default() }
    }
}

impl Model for Script {
    fn name(&self) -> String {
        "script".to_owned()
    }

    fn ask(&self, request: &Request, call: &CallLimits, on_text: &mut dyn FnMut(&str)) -> Result<Reply, ModelError> {
        self.asked.borrow_mut().push(request.clone());
        loop {
            let act = self.acts.borrow_mut().pop_front();
            match act {
                None => return Ok(says("done")),
                Some(Act::Fail(error)) => return Err(error),
                Some(Act::Do(act)) => act(call),
                Some(Act::Say(reply)) => {
                    for block in &reply.content {
                        if let ContentBlock::Text { text } = block {
                            on_text(text);
                        }
                    }
                    return Ok(reply);
                }
            }
        }
    }
}

/// What every reply of a script costs.
pub const COST: Usage = Usage { input: 10, output: 5, cache_read: 90, cache_write: 0 };

/// A reply that only says something.
pub fn says(text: &str) -> Reply {
    Reply { content: vec![ContentBlock::Text { text: text.to_owned() }], stop: StopReason::Done, usage: COST }
}

/// A reply that calls tools.
pub fn calls(calls: &[(&str, Value)]) -> Reply {
    let blocks = calls.iter().enumerate().map(|(at, (name, input))| ContentBlock::ToolUse {
        id: format!("call-{at}"),
        name: (*name).to_owned(),
        input: input.clone(),
    });
    Reply { content: blocks.collect(), stop: StopReason::Tools, usage: COST }
}
