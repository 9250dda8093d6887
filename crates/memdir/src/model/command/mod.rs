//! The user's own agent on the command line, headless: Claude Code, Codex, Gemini CLI, Qwen Code.
//!
//! Enters: a [`Request`]; for work on files also an [`Errand`]. Leaves: what the agent said last,
//! and what it was denied. The conversation goes in by stdin, never by an argument that others can
//! read in a process list; no key is ever passed, the agent has its own. The library starts no
//! process: a [`Runner`] is handed in. A guard variable tells our own hooks to keep still inside.
//!
//! The tools of a request are not used here: an agent has its own. Without an errand it gets none.

mod agent;
mod told;

pub use agent::Agent;
pub use told::Told;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::key::clean;
use super::{Block, Call, Message, Model, ModelError, Reply, Request, Role, structured};
use told::Telling;

const DRIVER: &str = "command";
/// Set for every agent that memdir starts: hooks of memdir inside it do nothing.
pub const INSIDE: &str = "MEMDIR_INSIDE";

/// Starts programs, for a library that starts none.
pub trait Runner: Send + Sync {
    /// Runs a job to its end, handing on each line of its output. When the call's time is up or it
    /// is cancelled, the program and everything it started are ended before this returns.
    fn run(&self, job: &Job, call: &Call, on_line: &mut dyn FnMut(&str)) -> Result<Ended, RunError>;
}

/// What is to be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The program, an absolute path.
    pub program: PathBuf,
    /// Its arguments; nothing of a conversation and no secret is among them.
    pub args: Vec<String>,
    /// Variables on top of the caller's own.
    pub env: Vec<(String, String)>,
    /// What it reads.
    pub stdin: String,
    /// Where it runs.
    pub dir: PathBuf,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its exit code; `None` after a signal.
    pub code: Option<i32>,
    /// The end of what it complained.
    pub stderr: String,
}

/// Why a program did not run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// It could not be started or talked to.
    Failed(String),
    /// Its time was up.
    TimedOut,
    /// Somebody stopped it.
    Cancelled,
    /// It said more than any agent says.
    TooMuch,
}

/// Work on files with the agent's own tools. Whoever sends it takes a snapshot before and checks after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errand {
    /// The only directory it may change.
    pub dir: PathBuf,
    /// Branch off this session of the agent, whose prompt cache is shared then (Claude Code only). The
    /// request holds only what comes after it.
    pub session: Option<String>,
    /// How many turns it may take.
    pub max_turns: u32,
    /// Settings in the agent's own format, such as our permission check as its tool hook (Claude Code only).
    pub settings: Option<String>,
}

/// An agent on the command line.
pub struct CommandLine {
    agent: Agent,
    program: PathBuf,
    model: Option<String>,
    dir: PathBuf,
    runner: Arc<dyn Runner>,
    errand: Option<Errand>,
    in_words: AtomicBool,
}

impl CommandLine {
    /// An agent that answers questions in a directory of no interest.
    pub fn new(
        agent: Agent,
        program: PathBuf,
        model: Option<String>,
        dir: PathBuf,
        runner: Arc<dyn Runner>,
    ) -> CommandLine {
        // None of them takes a schema by stdin.
        CommandLine { agent, program, model, dir, runner, errand: None, in_words: AtomicBool::new(true) }
    }

    /// The same agent, sent on an errand.
    #[must_use]
    pub fn on_errand(mut self, errand: Errand) -> CommandLine {
        self.errand = Some(errand);
        self
    }

    /// Asks, and gives all that the agent told.
    pub fn tell(&self, request: &Request, call: &Call, on_text: &mut dyn FnMut(&str)) -> Result<Told, ModelError> {
        let job = self.job(request);
        let mut telling = Telling::new(self.agent);
        let ended = self.runner.run(&job, call, &mut |line| telling.line(line, on_text));
        let seconds = call.timeout.as_secs_f64().ceil() as u64;
        let ended = ended.map_err(|error| match error {
            RunError::Cancelled => ModelError::Cancelled,
            RunError::TimedOut => ModelError::Timeout { driver: DRIVER, seconds },
            RunError::Failed(message) => ModelError::Connection { driver: DRIVER, message: clean(&message, None) },
            RunError::TooMuch => ModelError::Malformed { driver: DRIVER, message: "the answer does not end".into() },
        })?;
        telling.finish(&ended).map_err(|failed| match failed {
            told::Failed::Refused(status, message) => {
                ModelError::Refused { driver: DRIVER, status, message: clean(&message, None) }
            }
            told::Failed::Busy(status) => ModelError::Busy { driver: DRIVER, status, attempts: 1 },
            told::Failed::Ended(message) => ModelError::Connection { driver: DRIVER, message: clean(&message, None) },
            told::Failed::Nonsense => {
                ModelError::Malformed { driver: DRIVER, message: format!("{} ended without an answer", self.agent) }
            }
        })
    }

    fn job(&self, request: &Request) -> Job {
        let errand = self.errand.as_ref();
        let resumed = errand.is_some_and(|errand| errand.session.is_some() && self.agent == Agent::Claude);
        Job {
            program: self.program.clone(),
            args: self.agent.arguments(self.model.as_deref(), errand),
            env: self.agent.variables(errand.is_some()),
            stdin: spoken(request, resumed),
            dir: errand.map_or_else(|| self.dir.clone(), |errand| errand.dir.clone()),
        }
    }
}

impl Model for CommandLine {
    fn name(&self) -> String {
        match &self.model {
            Some(model) => format!("{DRIVER}/{}/{model}", self.agent),
            None => format!("{DRIVER}/{}", self.agent),
        }
    }

    fn ask(&self, request: &Request, call: &Call, on_text: &mut dyn FnMut(&str)) -> Result<Reply, ModelError> {
        let Some(schema) = &request.schema else { return Ok(self.tell(request, call, on_text)?.reply) };
        let reply = structured::ask(DRIVER, request, schema, &self.in_words, &mut |request| {
            Ok(self.tell(request, call, &mut |_| {})?.reply)
        })?;
        on_text(&structured::words(&reply.content));
        Ok(reply)
    }
}

/// A request as one text: the system prompt, then what was said. One question stands alone.
fn spoken(request: &Request, resumed: bool) -> String {
    let mut text = String::new();
    if !resumed {
        text.push_str(&request.system.join("\n\n"));
        text.push_str("\n\n");
    }
    match request.messages.as_slice() {
        [only] => text.push_str(&said(only)),
        several => {
            for message in several {
                let who = if message.role == Role::User { "user" } else { "assistant" };
                text.push_str(&format!("<{who}>\n{}\n</{who}>\n", said(message)));
            }
        }
    }
    text.trim().to_owned() + "\n"
}

fn said(message: &Message) -> String {
    let parts = message.content.iter().filter_map(|block| match block {
        Block::Text { text } => Some(text.clone()),
        Block::ToolUse { name, input, .. } => Some(format!("<tool_call name=\"{name}\">{input}</tool_call>")),
        Block::ToolResult { content, .. } => Some(format!("<tool_result>{content}</tool_result>")),
        Block::Opaque(_) => None,
    });
    parts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
