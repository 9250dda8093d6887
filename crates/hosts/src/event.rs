//! What happened in a host, in words of our own.
//!
//! Enters: nothing; [`super::wire`] makes these from what a host says. Leaves: plain data for the
//! engine. Never holds more of a tool's input than what it is about to do.

use std::path::PathBuf;

/// One call of a hook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookCall {
    /// What happened.
    pub event: Event,
    /// How the host calls it; the answer repeats it.
    pub name: String,
    /// The conversation it happened in.
    pub session: Option<String>,
    /// Where the agent works.
    pub cwd: Option<PathBuf>,
    /// Where the host keeps the conversation.
    pub transcript: Option<PathBuf>,
    /// The tool it is about, as the host calls it.
    pub tool: Option<String>,
    /// The memories that a tool of ours has handed to the model, as they are named there: by file or by path.
    pub handed_out: Vec<String>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A conversation begins or goes on.
    SessionStart(ConversationStart),
    /// The user said something.
    Prompt(String),
    /// A tool is about to run.
    BeforeTool(Action),
    /// A tool has run.
    AfterTool(Action),
    /// The agent has answered.
    TurnEnd {
        /// Whether it only goes on because a hook asked it to.
        again: bool,
    },
    /// The conversation is about to be made shorter.
    BeforeCompact,
    /// The conversation was made shorter.
    AfterCompact,
    /// The conversation ends.
    SessionEnd,
    /// A sub-agent of this type starts.
    AgentStart(String),
    /// Nothing that concerns memory, and why.
    Ignored(&'static str),
}

impl Default for Event {
    fn default() -> Event {
        Event::Ignored("it says nothing")
    }
}

impl Event {
    /// The word in listings.
    pub const fn word(&self) -> &'static str {
        match self {
            Event::SessionStart(_) => "session-start",
            Event::Prompt(_) => "prompt",
            Event::BeforeTool(_) => "before-tool",
            Event::AfterTool(_) => "after-tool",
            Event::TurnEnd { .. } => "turn-end",
            Event::BeforeCompact => "before-compact",
            Event::AfterCompact => "after-compact",
            Event::SessionEnd => "session-end",
            Event::AgentStart(_) => "agent-start",
            Event::Ignored(_) => "ignored",
        }
    }
}

/// How a conversation begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversationStart {
    /// It is new.
    New,
    /// It goes on, with everything that was said.
    Resumed,
    /// It goes on under another name, with everything that was said.
    Forked,
    /// It goes on without what was said.
    Cleared,
    /// It goes on with a summary of what was said.
    Compacted,
}

/// What a tool is about to do or has done, as far as memory may know something about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A command for the shell.
    Command(String),
    /// A file that is read.
    Read(PathBuf),
    /// A file that is written.
    Write {
        /// Which one.
        path: PathBuf,
        /// The text that comes into it.
        new: String,
        /// The text that it replaces.
        old: String,
    },
    /// A page of the web that is fetched.
    Fetch(String),
    /// A tool of a server.
    Tool {
        /// Its whole name, such as `mcp__tracker__create_issue`.
        name: String,
        /// The texts of its input.
        said: Vec<String>,
    },
    /// Something else.
    Other,
}
