//! The user's own agent on the command line, headless: Claude Code, Codex, Gemini CLI, Qwen Code.
//!
//! Enters: a [`Request`]; for work on files also an [`AgentRun`]. Leaves: what the agent said last,
//! and what it was denied. The conversation goes in by stdin, never by an argument that others can
//! read in a process list; no key is ever passed, the agent has its own. The library starts no
//! process: a [`Runner`] is handed in. A guard variable tells our own hooks to keep still inside.
//!
//! The tools of a request are not used here: an agent has its own. Outside a run it gets none;
//! in one it is confined by its own flags and by our permission check as its tool hook ([`gate`]).

mod agent;
mod agent_output;
#[cfg(test)]
mod agreement_tests;
mod calls;
pub mod gate;
mod patch;
mod wiring;

pub use agent::Agent;
pub use agent_output::{AgentOutput, Bound};

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::key::clean;
use super::tools::Permissions;
use super::{CallLimits, ChatMessage, ChatRole, ContentBlock, Model, ModelError, Reply, Request, structured};
use agent_output::OutputReader;
use gate::GateTerms;
use wiring::Wiring;

const DRIVER: &str = "command";
/// Set for every agent that memdir starts: hooks of memdir inside it do nothing.
pub const INSIDE: &str = "MEMDIR_INSIDE";

/// Starts programs, for a library that starts none.
pub trait Runner: Send + Sync {
    /// Runs a job to its end, handing on each line of its output. When the call's time is up, when it
    /// is cancelled or a line was enough, the program and everything it started are ended before this returns.
    fn run(&self, job: &ProgramStart, call: &CallLimits, on_line: OnLine<'_>) -> Result<ProgramEnd, RunError>;

    /// The program that answers an agent's tool hook with our permission check (`memdir gate`), if there is one.
    fn gate(&self) -> Option<PathBuf>;
}

/// Takes a line of output; says whether it was enough.
pub type OnLine<'l> = &'l mut dyn FnMut(&str) -> ControlFlow<()>;

/// What is to be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramStart {
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
    /// Files of ours that must be there, with their directories, before it starts.
    pub files: Vec<(PathBuf, String)>,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramEnd {
    /// Its exit code; `None` after a signal.
    pub code: Option<i32>,
    /// The end of what it complained.
    pub stderr: String,
}

/// Why a program did not run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunError {
    /// It could not be started or talked to.
    Failed(String),
    /// Its time was up.
    TimedOut,
    /// Somebody stopped it.
    Cancelled,
    /// It said more than any agent says.
    TooMuch,
    /// What it said was enough for whoever listens.
    Enough,
}

/// An agent that does whole pieces of work on files with its own tools.
pub trait CodingAgent {
    /// Whether it goes on from a conversation it knows: the request then holds only what comes after.
    fn is_branch(&self) -> bool;

    /// Sends it. Whoever does takes a snapshot of the directory before and checks it after.
    fn send(
        &self,
        sending: &AgentRequest<'_>,
        on_event: &mut dyn FnMut(AgentEvent<'_>),
    ) -> Result<AgentOutput, ModelError>;
}

/// What an agent is sent with.
#[derive(Clone, Copy, Debug)]
pub struct AgentRequest<'s> {
    /// What it may do and use.
    pub agent_run: &'s AgentRun,
    /// What was said, and what it is asked to do.
    pub request: &'s Request,
    /// How long it may take; stops it from outside.
    pub call: &'s CallLimits,
}

/// Work on files with the agent's own tools.
#[derive(Clone, Debug)]
pub struct AgentRun {
    /// What it may do, and where: its own flags say it, and its tool hook asks again.
    pub permissions: Permissions,
    /// How many turns it may take, where it counts them or tells each.
    pub max_turns: u32,
    /// How many tokens it may use, where it tells them while it works; cached ones included.
    pub max_tokens: u64,
    /// A file that is locked while whoever sent it lives: an agent that was left alone may write no more.
    pub mark: Option<PathBuf>,
}

impl AgentRun {
    /// The only directory it may change, as it is named to it.
    pub fn dir(&self) -> &Path {
        self.permissions.roots.first().map_or(Path::new("/"), |root| root)
    }
}

/// A conversation of the agent's own to branch off, whose prompt cache is shared then (X2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Whose conversation it is; another agent starts afresh.
    pub agent: Agent,
    /// Its session.
    pub session: String,
    /// Where it was held: sessions are looked for by directory.
    pub dir: PathBuf,
}

/// What an agent is doing, for whoever watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentEvent<'h> {
    /// A piece of what it says.
    Text(&'h str),
    /// It uses a tool.
    Tool(&'h str),
}

/// An agent on the command line.
pub struct CommandLine {
    agent: Agent,
    program: PathBuf,
    model: Option<String>,
    dir: PathBuf,
    runner: Arc<dyn Runner>,
    branch: Option<Branch>,
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
        CommandLine { agent, program, model, dir, runner, branch: None, in_words: AtomicBool::new(true) }
    }

    /// The same agent, whose runs go on from a conversation of its own, if it can.
    #[must_use]
    pub fn branching_off(mut self, branch: Option<Branch>) -> CommandLine {
        self.branch = branch.filter(|branch| branch.agent == self.agent && self.agent.can_branch());
        self
    }

    /// Asks, and gives all that the agent told. A run is ended when it would go on past a bound.
    fn tell(
        &self,
        job: &ProgramStart,
        call: &CallLimits,
        agent_run: Option<&AgentRun>,
        on_event: &mut dyn FnMut(AgentEvent<'_>),
    ) -> Result<AgentOutput, ModelError> {
        let mut telling = OutputReader::new(self.agent);
        let mut over = None;
        let ended = self.runner.run(job, call, &mut |line| {
            telling.line(line, on_event);
            over = agent_run.and_then(|agent_run| telling.over(agent_run));
            if over.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Some(bound) = over {
            return Ok(telling.cut(bound));
        }
        let seconds = call.timeout.as_secs_f64().ceil() as u64;
        let ended = ended.map_err(|error| match error {
            RunError::Cancelled => ModelError::Cancelled,
            RunError::TimedOut => ModelError::Timeout { driver: DRIVER, seconds },
            RunError::Failed(message) => ModelError::Connection { driver: DRIVER, message: clean(&message, None) },
            RunError::TooMuch | RunError::Enough => {
                ModelError::Malformed { driver: DRIVER, message: "the answer does not end".into() }
            }
        })?;
        telling.finish(&ended).map_err(|failed| match failed {
            agent_output::NoReply::Refused(status, message) => {
                ModelError::Refused { driver: DRIVER, status, message: clean(&message, None) }
            }
            agent_output::NoReply::Busy(status) => ModelError::Busy { driver: DRIVER, status, attempts: 1 },
            agent_output::NoReply::Ended(message) => {
                ModelError::Connection { driver: DRIVER, message: clean(&message, None) }
            }
            agent_output::NoReply::Nonsense => {
                ModelError::Malformed { driver: DRIVER, message: format!("{} ended without an answer", self.agent) }
            }
        })
    }

    /// A question: no tools, in a directory of no interest.
    fn question(&self, request: &Request) -> ProgramStart {
        ProgramStart {
            program: self.program.clone(),
            args: self.agent.question(self.model.as_deref()),
            env: self.agent.variables(true),
            stdin: spoken(request, false),
            dir: self.dir.clone(),
            files: Vec::new(),
        }
    }

    fn work(&self, agent_run: &AgentRun, request: &Request) -> ProgramStart {
        let branch = self.branch.as_ref();
        let gate = self.runner.gate();
        let wiring = gate.as_ref().map(|program| Wiring::of(self.agent, program, agent_run, &self.dir));
        let wiring = wiring.unwrap_or_default();
        let dir = match (self.agent, branch) {
            (_, Some(branch)) => branch.dir.clone(),
            // It may write where its flags say, wherever it is; the others below the directory they are in.
            (Agent::Claude, None) => self.dir.clone(),
            _ => wiring.dir.unwrap_or_else(|| agent_run.dir().to_path_buf()),
        };
        let mut env = self.agent.variables(branch.is_none());
        env.extend(wiring.env);
        env.extend(gate.map(|_| (gate::TERMS.to_owned(), GateTerms::of(agent_run, &dir).terms())));
        ProgramStart {
            program: self.program.clone(),
            args: self.agent.work(self.model.as_deref(), agent_run, branch, &wiring.args),
            env,
            stdin: spoken(request, branch.is_some()),
            dir,
            files: wiring.files,
        }
    }
}

impl CodingAgent for CommandLine {
    fn is_branch(&self) -> bool {
        self.branch.is_some()
    }

    fn send(
        &self,
        sending: &AgentRequest<'_>,
        on_event: &mut dyn FnMut(AgentEvent<'_>),
    ) -> Result<AgentOutput, ModelError> {
        let AgentRequest { agent_run, request, call } = *sending;
        self.tell(&self.work(agent_run, request), call, Some(agent_run), on_event)
    }
}

impl Model for CommandLine {
    fn name(&self) -> String {
        match &self.model {
            Some(model) => format!("{DRIVER}/{}/{model}", self.agent),
            None => format!("{DRIVER}/{}", self.agent),
        }
    }

    fn ask(&self, request: &Request, call: &CallLimits, on_text: &mut dyn FnMut(&str)) -> Result<Reply, ModelError> {
        let ask = |request: &Request, on_text: &mut dyn FnMut(&str)| {
            let output = self.tell(&self.question(request), call, None, &mut |heard| {
                if let AgentEvent::Text(text) = heard {
                    on_text(text);
                }
            });
            Ok(output?.reply)
        };
        let Some(schema) = &request.schema else { return ask(request, on_text) };
        let reply = structured::ask(DRIVER, request, schema, &self.in_words, &mut |request| ask(request, &mut |_| {}))?;
        on_text(&structured::words(&reply.content));
        Ok(reply)
    }

    fn as_agent(&self) -> Option<&dyn CodingAgent> {
        Some(self)
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
                let who = if message.role == ChatRole::User { "user" } else { "assistant" };
                text.push_str(&format!("<{who}>\n{}\n</{who}>\n", said(message)));
            }
        }
    }
    text.trim().to_owned() + "\n"
}

fn said(message: &ChatMessage) -> String {
    let parts = message.content.iter().filter_map(|block| match block {
        ContentBlock::Text { text } => Some(text.clone()),
        ContentBlock::ToolUse { name, input, .. } => Some(format!("<tool_call name=\"{name}\">{input}</tool_call>")),
        ContentBlock::ToolResult { content, .. } => Some(format!("<tool_result>{content}</tool_result>")),
        ContentBlock::Opaque(_) => None,
    });
    parts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
