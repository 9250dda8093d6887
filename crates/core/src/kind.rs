//! The types of memory and the scopes it lives in, shared by all crates.
//!
//! Enters: text from frontmatter, flags, JSON. Leaves: closed enums. Never fails: what is not
//! known reads as "no type", so that a foreign file stays usable (F2).

use serde::{Deserialize, Serialize};

/// The closed set of memory types (F2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// Role, goals, knowledge and preferences of the person.
    User,
    /// How to work: corrections and confirmations.
    Feedback,
    /// Who does what, why, by when; not derivable from code.
    Project,
    /// Where to look outside the repository.
    Reference,
}

impl Type {
    /// All four, in the order they are taught and listed.
    pub const ALL: [Type; 4] = [Type::User, Type::Feedback, Type::Project, Type::Reference];

    /// Reads a type as people write it; anything else is untyped.
    pub fn parse(text: &str) -> Option<Type> {
        let text = text.trim();
        Type::ALL.into_iter().find(|kind| text.eq_ignore_ascii_case(kind.as_str()))
    }

    /// The word in frontmatter, file names and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Type::User => "user",
            Type::Feedback => "feedback",
            Type::Project => "project",
            Type::Reference => "reference",
        }
    }
}

/// What a person said about being told a memory, in one project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rating {
    /// It is of no use here.
    NotUseful,
    /// It should come whenever a prompt has to do with it.
    Always,
}

impl Rating {
    /// What it says, for people.
    pub const fn words(self) -> &'static str {
        match self {
            Rating::NotUseful => "not useful here",
            Rating::Always => "always",
        }
    }
}

/// Whose memory it is, and so where its file lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// This user in this project: `<config home>/projects/<slug>/memory/`.
    Private,
    /// Everybody in this project: `team/` inside the private directory (T1).
    Team,
    /// This user in every project: `<config home>/memory/` (P9).
    User,
    /// One sub-agent's own directory (G1).
    Agent,
}

impl Scope {
    /// The word in listings and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Scope::Private => "private",
            Scope::Team => "team",
            Scope::User => "user",
            Scope::Agent => "agent",
        }
    }
}

/// Whose memory a sub-agent keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgentScope {
    /// The user's, in every project.
    User,
    /// The project's, shared by version control.
    Project,
    /// The project's, on this machine.
    Local,
}

impl AgentScope {
    /// Reads `user`, `project` or `local`.
    pub fn parse(text: &str) -> Option<AgentScope> {
        [AgentScope::User, AgentScope::Project, AgentScope::Local]
            .into_iter()
            .find(|scope| text.trim().eq_ignore_ascii_case(scope.as_str()))
    }

    /// The word in an agent's frontmatter and in flags.
    pub const fn as_str(self) -> &'static str {
        match self {
            AgentScope::User => "user",
            AgentScope::Project => "project",
            AgentScope::Local => "local",
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
