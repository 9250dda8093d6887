//! Commands about the memories themselves: what a person saves, changes and asks for.

use clap::{Args as ClapArgs, Subcommand};

use super::{AgentScopeArg, ModeArg, NotesPart, ScopeArg, SelectorArg, TypeArg};

#[derive(ClapArgs, Debug)]
pub(crate) struct Context {
    /// Keep the result for this session: the same bytes until it is compacted or cleared
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Which part
    #[arg(long, value_enum, default_value_t = NotesPart::All)]
    pub(crate) part: NotesPart,
    /// Another mode than the one that is set
    #[arg(long, value_enum)]
    pub(crate) mode: Option<ModeArg>,
    /// A sub-agent's own memory
    #[arg(long, value_name = "TYPE")]
    pub(crate) agent: Option<String>,
    /// How far the sub-agent's memory reaches
    #[arg(long, value_enum, requires = "agent", default_value_t = AgentScopeArg::User)]
    pub(crate) agent_scope: AgentScopeArg,
    /// Build it again: the session was compacted or cleared
    #[arg(long, requires = "session")]
    pub(crate) reset: bool,
}

/// How every command is told which memory.
#[derive(ClapArgs, Debug)]
pub(crate) struct MemoryArgs {
    /// Which memory: its file, its title, the beginning of either, or words about it
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    pub(crate) words: Vec<String>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct RememberArgs {
    /// The rule or fact; `-` reads it from stdin
    #[arg(required_unless_present = "batch", num_args = 1..)]
    pub(crate) text: Vec<String>,
    /// Save many: one JSON object a line, with text and, where known, type, name, description, why, apply and scope; `-`
    /// reads stdin
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["text", "kind", "name", "description", "why", "apply", "scope", "agent"]
    )]
    pub(crate) batch: Option<std::path::PathBuf>,
    /// What it is about (guessed when not given)
    #[arg(long = "type", value_enum)]
    pub(crate) kind: Option<TypeArg>,
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
    /// Into the memory of this sub-agent
    #[arg(long, value_name = "TYPE", conflicts_with = "scope")]
    pub(crate) agent: Option<String>,
    /// How far the sub-agent's memory reaches
    #[arg(long, value_enum, requires = "agent", default_value_t = AgentScopeArg::User)]
    pub(crate) agent_scope: AgentScopeArg,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct EditArgs {
    #[command(flatten)]
    pub(crate) named: MemoryArgs,
    /// Set the name
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Set the description
    #[arg(long)]
    pub(crate) description: Option<String>,
    /// Set the type
    #[arg(long = "type", value_enum)]
    pub(crate) kind: Option<TypeArg>,
    /// Set the text; `-` reads it from stdin
    #[arg(long)]
    pub(crate) body: Option<String>,
    /// Set the reason behind it
    #[arg(long)]
    pub(crate) why: Option<String>,
    /// Set when and where it applies
    #[arg(long)]
    pub(crate) apply: Option<String>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct RecallArgs {
    /// What the user wrote
    #[arg(required_unless_present_any = ["not", "always"], num_args = 1..)]
    pub(crate) query: Vec<String>,
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
    /// Say that this memory is not useful in this project: it comes a little later; `memdir undo` takes it back
    #[arg(long, value_name = "FILE", conflicts_with_all = ["query", "always"])]
    pub(crate) not: Option<String>,
    /// Say that this memory should come for every prompt that has to do with it
    #[arg(long, value_name = "FILE", conflicts_with = "query")]
    pub(crate) always: Option<String>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum LogCommand {
    /// Append a line to today's log
    Add {
        /// The line
        #[arg(required = true, num_args = 1..)]
        text: Vec<String>,
    },
    /// Print the logs of a day, or of all days
    Show {
        /// Which day (YYYY-MM-DD)
        date: Option<String>,
    },
}
