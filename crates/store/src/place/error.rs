//! Why a place could not be given. Every message says what, where, and what to do.

use std::path::{Path, PathBuf};

use super::validate::InvalidPath;

/// A place that is not known or not allowed. In each case nothing is written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// A configured path broke a rule of P6. There is no fallback.
    #[error(
        "{origin} names {given}, which cannot hold memory: {rule}. Nothing is read or written there; \
         give an absolute path at least two levels deep, or remove it"
    )]
    Refused {
        /// The variable, flag or settings file.
        origin: String,
        /// The path as it was written, safe to print.
        given: String,
        /// The rule it broke.
        rule: InvalidPath,
    },
    /// A yes to a directory that does not wait for one (P5).
    #[error("{}", nothing_waits(.0.as_deref()))]
    NothingWaits(Option<PathBuf>),
    /// A yes that could not be kept.
    #[error("could not keep the yes: {0}")]
    NotKept(String),
    /// Neither `$CLAUDE_CONFIG_DIR` nor a home directory.
    #[error("no home directory is known; set HOME or CLAUDE_CONFIG_DIR")]
    NoHome,
    /// `--project` or the working directory is not there.
    #[error("the project directory {0} is not a directory")]
    NoProject(PathBuf),
    /// No platform directory was passed in.
    #[error("the platform's {0} directory is not known; set HOME or {1}")]
    NoPlatformDir(&'static str, &'static str),
    /// The platform directory lies in a memory directory, where hosts would index it (P10).
    #[error("the {kind} directory {dir} lies inside the memory directory {memory}; move one of them")]
    InsideMemory {
        /// `state` or `cache`.
        kind: &'static str,
        /// The directory that was asked for.
        dir: PathBuf,
        /// The memory directory around it.
        memory: PathBuf,
    },
    /// An agent type that cannot name a directory (G1).
    #[error("the agent type {0} cannot name a directory: {1}; rename the agent")]
    AgentType(String, &'static str),
    /// A link in the repository on the way to an agent's directory: a checkout must not choose
    /// where memory is written.
    #[error(
        "{0} is a symbolic link, and agent memory does not follow links of a repository; replace it by a directory"
    )]
    AgentLink(PathBuf),
}

impl PlaceError {
    /// Stable and kebab-case, for JSON.
    pub const fn id(&self) -> &'static str {
        match self {
            PlaceError::NothingWaits(_) => "nothing-waits",
            PlaceError::NotKept(_) => "not-kept",
            PlaceError::Refused { rule, .. } => rule.id(),
            PlaceError::NoHome => "no-home",
            PlaceError::NoProject(_) => "no-project",
            PlaceError::NoPlatformDir(..) => "no-platform-directory",
            PlaceError::InsideMemory { .. } => "inside-memory",
            PlaceError::AgentType(..) => "agent-type",
            PlaceError::AgentLink(_) => "agent-link",
        }
    }
}

fn nothing_waits(waiting: Option<&Path>) -> String {
    match waiting {
        Some(dir) => format!("another directory waits for a yes: {}", dir.display()),
        None => "no directory waits for a yes".to_owned(),
    }
}
