//! Words that an option takes, and what they are in the library.

use clap::ValueEnum;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SelectorArg {
    Auto,
    Local,
    Model,
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
