//! Words that an option takes, and what they are in the library.

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use memdir::hosts::Host;

/// An agent whose transcripts are read; the others have only configuration, which `init` finds by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HostArg(Host);

impl ValueEnum for HostArg {
    fn value_variants<'a>() -> &'a [Self] {
        static READ: LazyLock<Vec<HostArg>> =
            LazyLock::new(|| Host::ALL.into_iter().filter(|host| host.has_transcripts()).map(HostArg).collect());
        &READ
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.as_str()))
    }
}

impl From<HostArg> for Host {
    fn from(host: HostArg) -> Self {
        host.0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SelectorArg {
    Auto,
    Local,
    Model,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TypeArg {
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
pub(crate) enum NotesPart {
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

impl From<AgentScopeArg> for memdir::kind::AgentScope {
    fn from(scope: AgentScopeArg) -> Self {
        match scope {
            AgentScopeArg::User => Self::User,
            AgentScopeArg::Project => Self::Project,
            AgentScopeArg::Local => Self::Local,
        }
    }
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

impl From<TypeArg> for memdir::kind::Type {
    fn from(kind: TypeArg) -> Self {
        match kind {
            TypeArg::User => Self::User,
            TypeArg::Feedback => Self::Feedback,
            TypeArg::Project => Self::Project,
            TypeArg::Reference => Self::Reference,
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
