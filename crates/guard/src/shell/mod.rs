//! Which shell commands only read (X6): decided on a parse, everything unknown is denied.
//!
//! Enters: a command line as a model wrote it. Leaves: a [`Plan`] of plain program calls, or the
//! reason why not, in words for a person and a model. Never runs anything, never looks at a file.
//!
//! The text itself never reaches a shell. What is run is the plan: eight programs that only read,
//! with options that are known one by one and words that are already unquoted. So it does not
//! matter whether some shell would have understood the text in another way.
//!
//! - `screen`: turns away, in one pass, all that could only be denied later and would be dear to parse.
//! - `list`: the parse, and what of its tree is allowed.
//! - `word`: quotes, escapes, `~` and `$HOME`.
//! - `calls`: the programs of any command line, for whoever asks what it is about to do.
//! - `options`, `find`: what each program may be told, and which of its words are paths.

mod calls;
mod find;
mod list;
mod options;
mod screen;
mod word;

#[cfg(test)]
mod tests;

pub use calls::{Call, calls};
pub use word::{Piece, Word};

use memdir_core::limits;

/// The programs that may be called (X6).
pub(crate) const PROGRAMS: [&str; 8] = ["ls", "find", "grep", "cat", "stat", "wc", "head", "tail"];

/// Whether a command may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShellVerdict {
    /// It only reads; this is what it does.
    Allow(Plan),
    /// It may do more, or nobody can tell.
    Deny {
        /// Why, and what to do instead.
        reason: String,
    },
}

/// What a command does: pipelines, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// In order.
    pub steps: Vec<Step>,
}

/// One pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Whether it runs at all.
    pub when: When,
    /// The programs, each reading what the one before it printed.
    pub pipeline: Vec<Invocation>,
}

/// When a pipeline runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// In any case.
    Always,
    /// When the last one that ran succeeded (`&&`).
    Succeeded,
    /// When it failed (`||`).
    Failed,
}

/// One call of one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// Which one; looked for where programs are, never by a path of the command's own.
    pub program: &'static str,
    /// What it is told.
    pub args: Vec<Arg>,
    /// Where its output goes.
    pub out: Sink,
    /// Where its complaints go.
    pub err: Sink,
}

/// Where a stream of a program goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sink {
    /// On to the next program, or into the result.
    Output,
    /// Into the result, beside the output.
    Complaints,
    /// Nowhere.
    Nothing,
}

/// One argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// What stands before the word in the same argument: `--file=`.
    pub lead: String,
    /// The word.
    pub word: Word,
    /// What it means to the program.
    pub role: ArgRole,
}

/// What a word means to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgRole {
    /// An option, a number, a pattern: goes as it stands.
    Text,
    /// A path, or a pattern of paths that the shell would fill in.
    Path,
    /// A pattern that the program itself compares with whole paths (`find -path`).
    PathPattern,
}

/// Decides whether a command only reads.
pub fn judge(command: &str) -> ShellVerdict {
    match read(command) {
        Ok(plan) => ShellVerdict::Allow(plan),
        Err(reason) => ShellVerdict::Deny { reason },
    }
}

fn read(command: &str) -> Result<Plan, String> {
    if command.len() > limits::SHELL_COMMAND_BYTES {
        return Err(format!(
            "the command has {} bytes; at most {} are looked at. Split it",
            command.len(),
            limits::SHELL_COMMAND_BYTES
        ));
    }
    screen::screen(command)?;
    let plan = list::plan(command)?;
    let calls: usize = plan.steps.iter().map(|step| step.pipeline.len()).sum();
    match calls {
        0 => Err("the command is empty".to_owned()),
        1..=limits::SHELL_CALLS => Ok(plan),
        _ => Err(format!("the command calls {calls} programs; at most {} are allowed. Split it", limits::SHELL_CALLS)),
    }
}
