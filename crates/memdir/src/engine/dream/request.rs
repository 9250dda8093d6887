//! What a run of dreaming is asked for, what it is given, and what it says while it lasts.
//!
//! Enters: nothing. Leaves: the types that a front end fills in or listens to; [`run`](super::run) does the work.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::Phase;
use memdir_core::kind::Scope;
use memdir_model::command::Runner;
use memdir_model::tools::Shell;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct DreamRequest {
    /// By hand: the gates of time and sessions do not count.
    pub force: bool,
    /// Only show it.
    pub dry_run: bool,
    /// Somebody said yes: a first dream may land, and more than `dream.max_loss` may go.
    pub yes: bool,
    /// Nobody watches: what came of it is announced to the user.
    pub announce: bool,
    /// Conversations to read, the newest first; `None`: those of the project since the last dream.
    pub transcripts: Option<Vec<PathBuf>>,
}

/// What a dream with a model needs and the library cannot do: it starts no process of its own.
pub struct DreamEnvironment<'m> {
    /// Starts the user's agent.
    pub runner: Arc<dyn Runner>,
    /// Runs the read-only commands of a model.
    pub shell: &'m dyn Shell,
}

/// How far a run is; its words are for a person.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum DreamProgress<'p> {
    /// It turns to one of several memories.
    Scope(Scope),
    /// The model of this name begins to think.
    Thinking(&'p str),
    /// What the model said in the end.
    Said(&'p str),
    /// What happens in a phase.
    Phase(Phase, &'p str),
    /// The model has changed this file, on its copy.
    Touched(Phase, &'p str),
    /// How far something in a phase is that takes longer: so many of so many.
    Step(Phase, &'p str, usize, usize),
}

impl DreamProgress<'_> {
    /// The part of the run: `memory`, `model`, or the word of a phase.
    pub const fn part(&self) -> &'static str {
        match self {
            DreamProgress::Scope(_) => "memory",
            DreamProgress::Thinking(_) | DreamProgress::Said(_) => "model",
            DreamProgress::Phase(phase, _) | DreamProgress::Touched(phase, _) | DreamProgress::Step(phase, ..) => {
                phase.as_str()
            }
        }
    }
}

impl fmt::Display for DreamProgress<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DreamProgress::Scope(Scope::User) => out.write_str("your own memory, which every project sees"),
            DreamProgress::Scope(_) => out.write_str("this project's memory"),
            DreamProgress::Thinking(model) => write!(out, "{model} thinks; nothing is changed if it is stopped"),
            DreamProgress::Said(text) | DreamProgress::Phase(_, text) | DreamProgress::Touched(_, text) => {
                out.write_str(text)
            }
            DreamProgress::Step(_, what, done, total) => write!(out, "{done} of {total} {what}"),
        }
    }
}

/// Hears how far a run is.
pub(super) type TellDream<'t> = &'t mut dyn FnMut(DreamProgress<'_>);
