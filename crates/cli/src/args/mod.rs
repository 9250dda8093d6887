//! What can be typed. Types of the argument parser never leave this room and `commands`.

mod memory;
mod synonyms;
mod team;
mod values;
mod work;

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

pub(crate) use memory::{Context, EditArgs, LogCommand, MemoryArgs, RecallArgs, RememberArgs};
pub(crate) use synonyms::with_synonym;
pub(crate) use team::{TeamAuthor, TeamCommand, TeamInit, TeamKey};
pub(crate) use values::{AgentScopeArg, HostArg, ModeArg, NotesPart, ScopeArg, SelectorArg, TypeArg};
pub(crate) use work::{ChatArgs, EvalCommand, Extract, GateArgs, InboxCommand, Init, NotesCommand};

/// Long-term memory for coding agents, as plain files.
///
/// Memories are Markdown files with a MEMORY.md index. Every change is kept in a history and can
/// be undone. Nothing leaves this machine unless you agree to a model.
#[derive(Parser, Debug)]
#[command(name = "memdir", version, propagate_version = true)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(ClapArgs, Clone, Debug)]
pub(crate) struct Global {
    /// Work for this project (default: the working directory)
    #[arg(long, value_name = "DIR", global = true, help_heading = "Global options")]
    pub(crate) project: Option<PathBuf>,
    /// Use this memory directory and look for no other
    #[arg(long, value_name = "DIR", global = true, help_heading = "Global options")]
    pub(crate) memory_dir: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) json: bool,
    /// Only data and errors, no talk
    #[arg(long, short, global = true, help_heading = "Global options")]
    pub(crate) quiet: bool,
    /// Bare mode: memory is off
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) bare: bool,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true, value_name = "WHEN", help_heading = "Global options")]
    pub(crate) color: Color,
    /// Pretend it is this time (RFC 3339); for tests and replays. Files keep the time of the disk
    #[arg(long, value_name = "TIME", global = true, help_heading = "Global options")]
    pub(crate) now: Option<String>,
    /// Use no model, only the built-in engine
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) offline: bool,
    /// Answer every question with yes
    #[arg(long, short, global = true, help_heading = "Global options")]
    pub(crate) yes: bool,
    /// The session a change belongs to, for the history
    #[arg(long, value_name = "ID", global = true, hide = true)]
    pub(crate) for_session: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Where memory is, whether it is on, and which rule decided
    Status {
        /// Show the last hook calls instead: what was shown, or why nothing was
        #[arg(long)]
        hooks: bool,
        /// One line instead, for an agent's status line
        #[arg(long, conflicts_with = "hooks")]
        line: bool,
    },
    /// Wire memdir into the agents on this machine, or take it out again
    #[command(
        after_help = "Example:\n  memdir init --dry-run          what would change, for every agent that is found\n  memdir init claude-code codex  only these\n  memdir init claude-code --mcp  with memdir's tools as well\n  memdir init --remove           everything as it was"
    )]
    Init(Init),
    /// Called by an agent: JSON on stdin, its reply on stdout; always exit 0
    Hook {
        /// Which agent
        host: String,
        /// What happened, where the agent does not say it in its JSON
        event: Option<String>,
    },
    /// Every setting with its value, default and source; or set one
    Settings {
        /// Show only this key
        key: Option<String>,
        /// Set the key to this
        #[arg(requires = "key")]
        value: Option<String>,
    },
    /// What a session starts with: manual, indexes, instruction files
    Context(Context),
    /// Save a memory now, with its line in the index
    #[command(
        after_help = "Example:\n  memdir remember \"Integration tests use a real database\" --type feedback \\\n    --why \"mocks hid a broken migration\" --apply \"any test that touches SQL\""
    )]
    Remember(RememberArgs),
    /// Take a memory out, with its line in the index; undo brings it back
    Forget {
        #[command(flatten)]
        named: MemoryArgs,
    },
    /// The few memories that matter for a prompt, or none
    #[command(
        after_help = "Examples:\n  memdir recall --explain how do we deploy\n  memdir recall --not old_runbook.md   it was told, and was of no use here\n  memdir recall --always testing.md    it should come whenever it has to do with the prompt"
    )]
    Recall(RecallArgs),
    /// What agents were told, session by session, why, and what was held back
    Told {
        /// Only this session
        #[arg(long, value_name = "ID")]
        session: Option<String>,
        /// Show at most this many sessions, newest first
        #[arg(long, default_value_t = 5, value_name = "N")]
        limit: usize,
    },
    /// Learn from a conversation now
    #[command(
        after_help = "A transcript is learned from where the last run stopped. `--since` with a message that is not there reads\nall of it again; what is known already is not saved twice."
    )]
    Extract(Extract),
    /// All memories of every scope, newest first
    List {
        /// Only memories of this type
        #[arg(long = "type", value_enum)]
        kind: Option<TypeArg>,
        /// Only memories of this scope
        #[arg(long, value_enum)]
        scope: Option<ScopeArg>,
    },
    /// Print a memory
    Show {
        #[command(flatten)]
        named: MemoryArgs,
    },
    /// Change a memory in $EDITOR, or with flags
    Edit(EditArgs),
    /// Protect a memory from automation
    Pin {
        #[command(flatten)]
        named: MemoryArgs,
    },
    /// Let automation change a memory again
    Unpin {
        #[command(flatten)]
        named: MemoryArgs,
    },
    /// Move a memory to another scope
    Move {
        #[command(flatten)]
        named: MemoryArgs,
        /// Where to
        #[arg(long, value_enum)]
        scope: ScopeArg,
    },
    /// Search memories, and with --transcripts past conversations
    Search {
        /// The words to look for
        #[arg(required = true, num_args = 1..)]
        term: Vec<String>,
        /// Search this project's transcripts too
        #[arg(long)]
        transcripts: bool,
        /// The term is a regular expression
        #[arg(long)]
        regex: bool,
        /// Stop after this many hits
        #[arg(long, default_value_t = 200, value_name = "N")]
        limit: usize,
    },
    /// Daily logs: append a line, or read them
    Log {
        #[command(subcommand)]
        command: LogCommand,
    },
    /// What changed, when, why and by whom
    History {
        /// Only changes of this memory: its file, its title, or words about it
        #[arg(value_name = "FILE")]
        file: Vec<String>,
        /// Show at most this many
        #[arg(long, default_value_t = 50, value_name = "N")]
        limit: usize,
    },
    /// Show one change as a diff (default: the last)
    Diff {
        /// The change, or the beginning of its name
        change: Option<String>,
    },
    /// Take back a change (default: the last), or a whole group of changes
    Undo {
        /// The change or group
        change: Option<String>,
    },
    /// Which change each line of a memory comes from
    Blame {
        #[command(flatten)]
        named: MemoryArgs,
    },
    /// Remove a memory for good: file, history and caches; then prove it
    Purge {
        #[command(flatten)]
        named: MemoryArgs,
    },
    /// Find what is wrong; with --fix repair it
    Doctor {
        /// Repair what can be repaired, after showing the diff
        #[arg(long)]
        fix: bool,
    },
    /// Put memory in order: what was said since, conflicts, duplicates
    #[command(
        after_help = "Examples:\n  memdir dream --dry-run   show what would change, change nothing\n  memdir dream --force     dream now, whatever the gates say"
    )]
    Dream {
        /// Dream now, even if the last dream was recent
        #[arg(long)]
        force: bool,
        /// Print what would change, and change nothing
        #[arg(long)]
        dry_run: bool,
        /// Stop the dream that runs in the background; nothing is changed then
        #[arg(long, conflicts_with_all = ["force", "dry_run"])]
        stop: bool,
    },
    /// Changes that wait for a yes
    Inbox {
        #[command(subcommand)]
        command: Option<InboxCommand>,
    },
    /// Share the team's memory through git or an object store
    Team {
        #[command(subcommand)]
        command: TeamCommand,
    },
    /// Notes of a session: what was asked, what is true now, what failed
    Notes {
        #[command(subcommand)]
        command: Option<NotesCommand>,
    },
    /// Let this project's instruction files include a file outside it
    #[command(after_help = "Without a file it lists what is included from outside, and what waits for a yes.")]
    Approve {
        /// The file
        file: Option<PathBuf>,
        /// Take the yes back
        #[arg(long, requires = "file")]
        remove: bool,
    },
    /// Take over the memory of this project's former place
    Adopt {
        /// A memory directory, or the project's former path
        from: Option<PathBuf>,
    },
    /// Serve memory to an agent over MCP, on standard input and output
    Mcp {
        /// The agent has memdir's hooks too, which bring what matters: do not tell it to look before each request
        #[arg(long)]
        hooked: bool,
    },
    /// The page of your memory in the browser, and an HTTP API
    Serve {
        /// The port; 0 picks a free one
        #[arg(long, value_name = "N", default_value_t = 0)]
        port: u16,
        /// Only print the address
        #[arg(long)]
        no_open: bool,
    },
    /// Take over what another program remembers; what is known already is left out
    #[command(
        after_help = "Example:\n  memdir import codex --dry-run   what would be saved\n  memdir import mem0 export.json\n  memdir import notes/            a folder of Markdown files"
    )]
    Import {
        /// claude-code, codex, gemini, qwen, goose, cline, mem0, a folder of Markdown files, or a JSON file
        source: String,
        /// The program's file or folder, where it is not in its usual place
        path: Option<PathBuf>,
        /// Say what would be saved and save nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Print all memories as one JSON document
    Export,
    /// A small agent that remembers: talk to a model about this project
    #[command(
        after_help = "Without -p it is a conversation; /help lists its commands. Needs a model you agreed to (see `memdir status`)."
    )]
    Chat(ChatArgs),
    /// The whole story in a scratch directory, offline
    Demo,
    /// Score a labelled set
    Eval {
        #[command(subcommand)]
        command: EvalCommand,
    },
    /// Called by an agent that memdir started, before each of its tool calls
    #[command(hide = true)]
    Gate(GateArgs),
    /// Bring the search cache up to date
    #[command(hide = true)]
    Refresh,
    /// Let a model choose for a session's last prompt, for its next tool
    #[command(hide = true)]
    Choose {
        /// The session
        #[arg(long)]
        session: String,
    },
    /// Note that a turn has ended, for the worker
    #[command(hide = true)]
    Enqueue {
        /// Where the conversation is kept
        transcript: PathBuf,
        /// The agent that wrote it
        #[arg(long, value_enum)]
        host: HostArg,
        /// It was a sub-agent's turn
        #[arg(long)]
        sub_agent: bool,
        /// The turn ran without a person
        #[arg(long)]
        unattended: bool,
    },
    /// Learn from every conversation that waits
    #[command(hide = true)]
    Work {
        /// Wait for transcripts that are still being written
        #[arg(long)]
        settle: bool,
    },
    /// Print a completion script
    Completions {
        /// For which shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
    /// Print docs/reference.md
    #[command(hide = true)]
    Reference,
}
