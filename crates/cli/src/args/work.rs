//! Commands that set memdir up, and those that work in the background or on many memories at once.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};
use memdir::hosts::Host;
use memdir::model::command::Agent;

use super::HostArg;

#[derive(ClapArgs, Debug)]
pub(crate) struct Init {
    #[arg(value_name = "HOST", help = every_host())]
    pub(crate) hosts: Vec<String>,
    /// Show what would change and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Give memdir's tools (MCP) also to an agent that does without, such as Claude Code
    #[arg(long, conflicts_with = "remove")]
    pub(crate) mcp: bool,
    /// Take memdir out again; the files are as they were
    #[arg(long)]
    pub(crate) remove: bool,
    /// Do not ask whether background work may use a model
    #[arg(long)]
    pub(crate) no_model: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ChatArgs {
    /// Answer this once, learn from it and end; `-` reads it from stdin
    #[arg(short = 'p', long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// Go on with a conversation
    #[arg(long, value_name = "ID")]
    pub(crate) resume: Option<String>,
    /// The model to ask, instead of the one that is set
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Extract {
    /// Transcripts of any known agent
    #[arg(required_unless_present = "all", conflicts_with = "all", value_name = "TRANSCRIPT")]
    pub(crate) transcripts: Vec<PathBuf>,
    /// Every transcript of this project on this machine
    #[arg(long)]
    pub(crate) all: bool,
    /// The agent that wrote them (found out when not given)
    #[arg(long, value_enum)]
    pub(crate) host: Option<HostArg>,
    /// Start after this message
    #[arg(long, value_name = "UUID", conflicts_with = "all")]
    pub(crate) since: Option<String>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum NotesCommand {
    /// Print the notes of a session
    Show {
        /// The session (default: `MEMDIR_SESSION`)
        session: Option<String>,
    },
    /// Bring the notes up to date from a transcript
    Update {
        /// The transcript, JSON lines
        transcript: PathBuf,
        /// The session (default: the name of the transcript)
        #[arg(long, value_name = "ID")]
        session: Option<String>,
    },
    /// Print the template: your own, or the one built in
    Template,
}

#[derive(Subcommand, Debug)]
pub(crate) enum InboxCommand {
    /// Show what a proposal would change
    Show {
        /// The proposal, or the beginning of its name
        id: String,
    },
    /// Let it land, as far as it still fits
    Accept {
        /// The proposal, or the beginning of its name
        id: String,
    },
    /// Drop it; nothing changes
    Reject {
        /// The proposal, or the beginning of its name
        id: String,
    },
}

#[derive(Subcommand, Debug)]
pub(crate) enum EvalCommand {
    /// Score what is told or held before a call
    Actions {
        /// The set (format: evals/FORMAT.md)
        #[arg(default_value = "evals/actions/dev.jsonl")]
        file: PathBuf,
        /// Print every call that went wrong
        #[arg(long)]
        misses: bool,
    },
    /// Score what must not come: of other projects, outdated, planted, twice, about nothing
    Coding {
        /// The set (format: evals/coding/FORMAT.md)
        dir: PathBuf,
        /// Score these answers of another system instead of memdir's own
        #[arg(long, value_name = "FILE")]
        answers: Option<PathBuf>,
        /// Print every question that went wrong
        #[arg(long)]
        misses: bool,
    },
    /// Score what becomes of something known that is said again
    Corrections {
        /// The set (format: evals/FORMAT.md)
        file: PathBuf,
        /// Say it in a conversation instead of by remember
        #[arg(long)]
        said: bool,
        /// Print every case that went wrong
        #[arg(long)]
        misses: bool,
    },
    /// Score the dates that relative ones get, and the habits that get none
    Dates {
        /// The set (format: evals/FORMAT.md)
        #[arg(default_value = "evals/dates/dev.jsonl")]
        file: PathBuf,
        /// Print every sentence that went wrong
        #[arg(long)]
        misses: bool,
    },
    /// Score the offline dream
    Dream {
        /// The set (format: evals/FORMAT.md)
        dir: PathBuf,
        /// Print what each dream did
        #[arg(long)]
        changes: bool,
    },
    /// Score recall
    Recall {
        /// The set (format: evals/FORMAT.md)
        dir: PathBuf,
        /// Ask each prompt as if nothing had been said or done before it
        #[arg(long)]
        without_session: bool,
        /// Print every query that went wrong
        #[arg(long)]
        misses: bool,
    },
    /// Score what is learned from conversations
    Extract {
        /// The set (format: evals/FORMAT.md)
        dir: PathBuf,
        /// Print every conversation that went wrong
        #[arg(long)]
        misses: bool,
    },
}

/// The words that `init` takes.
fn every_host() -> String {
    format!("{} (default: those found)", Host::ALL.map(Host::as_str).join(" "))
}

fn agent(name: &str) -> Result<Agent, String> {
    Agent::named(name).ok_or_else(|| "memdir sends no agent of this name".to_owned())
}

#[derive(ClapArgs, Debug)]
pub(crate) struct GateArgs {
    /// The agent that asks: claude, codex, gemini or qwen
    #[arg(value_parser = agent)]
    pub(crate) agent: Agent,
}
