//! What can be typed. Types of the argument parser never leave this file and `commands`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

/// Long-term memory for coding agents, as plain files.
///
/// Memories are Markdown files with a MEMORY.md index. Every change is kept in a history and can
/// be undone. Nothing leaves this machine unless you agree to a model.
#[derive(Parser, Debug)]
#[command(name = "memdir", version, propagate_version = true, disable_help_subcommand = true)]
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
    /// Use this memory directory, no resolution
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
    /// Pretend that it is this time (RFC 3339); for tests and replays
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
        /// The last hook calls instead: what was shown, or why nothing
        #[arg(long)]
        hooks: bool,
    },
    /// Wire memdir into the agents on this machine, or take it out again
    #[command(
        after_help = "Example:\n  memdir init --dry-run          what would change, for every agent that is found\n  memdir init claude-code codex  only these\n  memdir init --remove           everything as it was"
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
    /// Save a memory now: file and pointer together
    #[command(
        after_help = "Example:\n  memdir remember \"Integration tests use a real database\" --type feedback \\\n    --why \"mocks hid a broken migration\" --apply \"any test that touches SQL\""
    )]
    Remember(Remember),
    /// Archive a memory and its pointer; undo brings it back
    Forget {
        /// A file, or words that its name or description contain
        #[arg(required = true, num_args = 1..)]
        query: Vec<String>,
    },
    /// The few memories that matter for a prompt, or none
    Recall(Recall),
    /// Learn from a conversation now
    #[command(
        after_help = "A transcript is learned from where the last run stopped. `--since` with a message that is not there reads\nall of it again; what is known already is not saved twice."
    )]
    Extract(Extract),
    /// All memories of every scope, newest first
    List {
        /// Only memories of this type
        #[arg(long = "type", value_enum)]
        kind: Option<Kind>,
        /// Only memories of this scope
        #[arg(long, value_enum)]
        scope: Option<ScopeArg>,
    },
    /// Print a memory
    Show {
        /// The file
        file: String,
    },
    /// Change a memory in $EDITOR, or with flags
    Edit(Edit),
    /// Protect a memory from automation
    Pin {
        /// The file
        file: String,
    },
    /// Let automation at a memory again
    Unpin {
        /// The file
        file: String,
    },
    /// Move a memory to another scope
    Move {
        /// The file
        file: String,
        /// Where to
        #[arg(long, value_enum)]
        scope: ScopeArg,
    },
    /// Search memories, and with --transcripts past conversations
    Search {
        /// The words to look for
        term: String,
        /// Search this project's transcripts too
        #[arg(long)]
        transcripts: bool,
        /// The term is a regular expression
        #[arg(long)]
        regex: bool,
        /// Stop after so many hits
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
        /// Only changes of this file
        file: Option<String>,
        /// At most so many
        #[arg(long, default_value_t = 50, value_name = "N")]
        limit: usize,
    },
    /// Show one change as a diff
    Diff {
        /// The change, or the beginning of its name
        change: String,
    },
    /// Take back a change (default: the last), or a whole group of changes
    Undo {
        /// The change or group
        change: Option<String>,
    },
    /// Which change each line of a memory comes from
    Blame {
        /// The file
        file: String,
    },
    /// Remove a memory for good: file, history and caches; then prove it
    Purge {
        /// The file
        file: String,
    },
    /// Find what is wrong; with --fix repair it
    Doctor {
        /// Repair what can be repaired, after showing the diff
        #[arg(long)]
        fix: bool,
    },
    /// Put memory in order: merge, date, put right, let go; shows what it does
    #[command(
        after_help = "Examples:\n  memdir dream --dry-run   show what would change, change nothing\n  memdir dream --force     dream now, whatever the gates say"
    )]
    Dream {
        /// Dream now, however short the last one is ago
        #[arg(long)]
        force: bool,
        /// Print what would change, and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Changes that wait for a yes
    Inbox {
        #[command(subcommand)]
        command: Option<InboxCommand>,
    },
    /// Notes of a session: what was asked, what is true now, what failed
    Notes {
        #[command(subcommand)]
        command: Option<NotesCommand>,
    },
    /// Take over the memory of this project's former place
    Adopt {
        /// A memory directory, or the project's former path
        from: Option<PathBuf>,
    },
    /// Serve memory to an agent over MCP, on standard input and output
    Mcp,
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
    Chat(Chat),
    /// The whole story in a scratch directory, offline
    Demo,
    /// Score a labelled set
    Eval {
        #[command(subcommand)]
        command: EvalCommand,
    },
    /// Bring the search cache up to date
    #[command(hide = true)]
    Refresh,
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
        /// No person was there
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

#[derive(ClapArgs, Debug)]
pub(crate) struct Init {
    /// claude-code codex gemini copilot opencode qwen goose cline aider cursor zed (default: those found)
    #[arg(value_name = "HOST")]
    pub(crate) hosts: Vec<String>,
    /// Show what would change and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Take memdir out again; the files are as they were
    #[arg(long)]
    pub(crate) remove: bool,
    /// Do not ask whether background work may use a model
    #[arg(long)]
    pub(crate) no_model: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Context {
    /// Keep the result for this session: the same bytes until it is compacted or cleared
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Which part
    #[arg(long, value_enum, default_value_t = Part::All)]
    pub(crate) part: Part,
    /// Another mode than the one that is set
    #[arg(long, value_enum)]
    pub(crate) mode: Option<ModeArg>,
    /// A sub-agent's own memory
    #[arg(long, value_name = "TYPE")]
    pub(crate) agent: Option<String>,
    /// How far the sub-agent's memory reaches
    #[arg(long, value_enum, requires = "agent", default_value_t = AgentScopeArg::User)]
    pub(crate) agent_scope: AgentScopeArg,
    /// Build it anew: the session was compacted or cleared
    #[arg(long, requires = "session")]
    pub(crate) reset: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Chat {
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
pub(crate) struct Remember {
    /// The rule or fact; `-` reads it from stdin
    pub(crate) text: String,
    /// What it is about (guessed when not given)
    #[arg(long = "type", value_enum)]
    pub(crate) kind: Option<Kind>,
    /// A short name
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// One line that says what it is about; recall goes by it
    #[arg(long)]
    pub(crate) description: Option<String>,
    /// The reason behind it
    #[arg(long)]
    pub(crate) why: Option<String>,
    /// When and where it applies
    #[arg(long)]
    pub(crate) apply: Option<String>,
    /// Whose memory it is
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Edit {
    /// The file
    pub(crate) file: String,
    /// Set the name
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Set the description
    #[arg(long)]
    pub(crate) description: Option<String>,
    /// Set the type
    #[arg(long = "type", value_enum)]
    pub(crate) kind: Option<Kind>,
    /// Set the text; `-` reads it from stdin
    #[arg(long)]
    pub(crate) body: Option<String>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Recall {
    /// What the user wrote
    pub(crate) query: String,
    /// A tool that was used lately: its usage notes are held back, warnings are not
    #[arg(long, value_name = "TOOL")]
    pub(crate) recent_tool: Vec<String>,
    /// A file the model has seen already
    #[arg(long, value_name = "FILE")]
    pub(crate) surfaced: Vec<String>,
    /// The session, which remembers what it was shown
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Who chooses
    #[arg(long, value_enum)]
    pub(crate) selector: Option<SelectorArg>,
    /// Say why each was chosen or not
    #[arg(long)]
    pub(crate) explain: bool,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HostArg {
    ClaudeCode,
    Codex,
    Gemini,
    Copilot,
    Opencode,
    Qwen,
    Goose,
    Cline,
    Aider,
}

impl From<HostArg> for memdir::host::Host {
    fn from(host: HostArg) -> Self {
        match host {
            HostArg::ClaudeCode => Self::ClaudeCode,
            HostArg::Codex => Self::Codex,
            HostArg::Gemini => Self::Gemini,
            HostArg::Copilot => Self::Copilot,
            HostArg::Opencode => Self::Opencode,
            HostArg::Qwen => Self::Qwen,
            HostArg::Goose => Self::Goose,
            HostArg::Cline => Self::Cline,
            HostArg::Aider => Self::Aider,
        }
    }
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SelectorArg {
    Auto,
    Local,
    Model,
}

#[derive(Subcommand, Debug)]
pub(crate) enum LogCommand {
    /// Append a line to today's log
    Add {
        /// The line
        text: String,
    },
    /// Print the logs of a day, or of all days
    Show {
        /// Which day (YYYY-MM-DD)
        date: Option<String>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    User,
    Feedback,
    Project,
    Reference,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeArg {
    Private,
    Team,
    User,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    Manual,
    Index,
    Rules,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeArg {
    Normal,
    Team,
    Log,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AgentScopeArg {
    User,
    Project,
    Local,
}

impl From<SelectorArg> for memdir::settings::Selector {
    fn from(selector: SelectorArg) -> Self {
        match selector {
            SelectorArg::Auto => Self::Auto,
            SelectorArg::Local => Self::Local,
            SelectorArg::Model => Self::Model,
        }
    }
}

impl From<Kind> for memdir::kind::Type {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::User => Self::User,
            Kind::Feedback => Self::Feedback,
            Kind::Project => Self::Project,
            Kind::Reference => Self::Reference,
        }
    }
}

impl From<ScopeArg> for memdir::kind::Scope {
    fn from(scope: ScopeArg) -> Self {
        match scope {
            ScopeArg::Private => Self::Private,
            ScopeArg::Team => Self::Team,
            ScopeArg::User => Self::User,
        }
    }
}
