//! Limits and habits of a host, as data: everything that is neither its JSON nor its files.
//!
//! Enters: nothing. Leaves: the type of which each host's folder fills one value, with facts that were seen in the
//! real programs; where a program says nothing about a limit, the limit is ours.

use super::Host;

/// What is known about a host.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Which one.
    pub host: Host,
    /// Its name for people.
    pub title: &'static str,
    /// Programs that are it.
    pub programs: &'static [&'static str],
    /// How an answer of a hook looks; `None`: it has no hooks, or takes no answer.
    pub shape: Option<AnswerShape>,
    /// The key of an answer under which it shows a line to the person and not to the model; `None`: it has none.
    pub message: Option<&'static str>,
    /// Bytes that it takes from a hook at the start of a conversation.
    pub start_bytes: usize,
    /// Bytes that it takes from a hook beside a prompt or a tool.
    pub prompt_bytes: usize,
    /// Blocks of the context that it loads itself, from the same directory.
    pub loads: &'static [&'static str],
    /// Whether what a hook says at the start of a conversation is heard and does no harm. Where not,
    /// it is said beside the first prompt.
    pub hears_start: bool,
    /// When what is known about an action may be said.
    pub actions: ActionTime,
    /// Whether a hook may refuse an action, and the model reads why.
    pub refuses: bool,
    /// How it is known that what was said is gone from the conversation.
    pub compaction: Compaction,
    /// The variable in which it names the project.
    pub project_variable: Option<&'static str>,
    /// A variable and how its value begins where no person is there.
    pub unattended: Option<(&'static str, &'static str)>,
    /// Memory of its own that does the same work.
    pub native: Option<NativeMemory>,
}

/// How an answer looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerShape {
    /// `{"hookSpecificOutput":{"hookEventName":…,"additionalContext":…}}` and no other key but that of a message.
    Nested,
    /// `{"additionalContext":…}`.
    Top,
}

/// When what is known about an action reaches the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionTime {
    /// Before the tool runs.
    Before,
    /// With the tool's result.
    After,
    /// Not at all.
    Never,
}

/// How a host tells that it makes a conversation shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compaction {
    /// Afterwards the conversation starts again, or an event says so.
    SaysAfterwards,
    /// It only says so before.
    SaysBefore,
    /// It says so on every turn, whether or not it does.
    SaysEveryTurn,
    /// Nobody knows.
    Unknown,
}

/// A memory of the host's own.
#[derive(Clone, Copy, Debug)]
pub struct NativeMemory {
    /// What it does, in one sentence.
    pub what: &'static str,
    /// How the user switches it off.
    pub switch: &'static str,
    /// Whether it is on when nobody said anything.
    pub on_by_default: bool,
}

impl Profile {
    /// A host that takes no answers from hooks.
    pub(crate) const fn without_hooks(
        host: Host,
        title: &'static str,
        programs: &'static [&'static str],
        native: Option<NativeMemory>,
    ) -> Profile {
        Profile {
            host,
            title,
            programs,
            shape: None,
            message: None,
            start_bytes: 0,
            prompt_bytes: 0,
            loads: &[],
            hears_start: false,
            actions: ActionTime::Never,
            refuses: false,
            compaction: Compaction::Unknown,
            project_variable: None,
            unattended: None,
            native,
        }
    }
}
