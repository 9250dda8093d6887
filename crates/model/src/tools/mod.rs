//! The six tools: Read, Grep, Glob, Edit, Write, Bash (X6).
//!
//! Enters: what a model wants called, with whatever input it made up. Leaves: text for the model,
//! and a record of what was not allowed. Reading is free everywhere; writing is confined to a
//! staging copy of the memory directory, under the paths the model knows. Never writes anything
//! else, starts no process: read-only commands are run by a [`Shell`] that the caller brings.
//!
//! - `input`: what a model's input means.
//! - `permissions`: whether it may be; also what a host's own hook asks.
//! - `view`: the file system as the model sees it: the copy in the place of the memory directory.
//! - `read`, `grep`, `glob`, `edit`, `bash`: the tools.

mod bash;
mod edit;
mod expansion;
mod glob;
mod grep;
mod input;
mod permissions;
mod read;
mod specs;
mod view;

#[cfg(test)]
mod tests;

pub use bash::{JobOutput, ReadyCall, ReadyStep, Shell, ShellJob};
pub use input::EditInput;
pub use permissions::{AllowedCall, DeniedCall, Permissions, RefusedCall, Writes};
pub use specs::{specs, specs_in};

use std::time::{Duration, Instant};

use serde_json::Value;

use super::Cancel;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_store::staging::Staging;
use view::PathView;

/// Why a tool did not do what it was called for, in words for the model that called it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub String);

impl From<String> for ToolError {
    fn from(words: String) -> ToolError {
        ToolError(words)
    }
}

impl From<&str> for ToolError {
    fn from(words: &str) -> ToolError {
        ToolError(words.to_owned())
    }
}

impl From<ToolError> for String {
    fn from(error: ToolError) -> String {
        error.0
    }
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOutcome {
    /// What the model is told.
    pub text: String,
    /// Whether that is a failure.
    pub is_error: bool,
    /// What it wrote, relative to the memory directory.
    pub touched: Option<RelPath>,
}

/// How long a call may go on.
#[derive(Clone, Debug)]
pub struct CallLimit {
    /// Stops it from outside.
    pub cancel: Cancel,
    /// When time is up.
    pub until: Instant,
}

impl CallLimit {
    /// Whether it should end.
    pub(crate) fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || Instant::now() >= self.until
    }
}

/// The tools of one run, on one copy.
pub struct Toolbox<'t> {
    permissions: Permissions,
    staging: &'t Staging,
    shell: &'t dyn Shell,
    denied: Vec<DeniedCall>,
}

impl<'t> Toolbox<'t> {
    /// Tools that work on a copy.
    pub fn new(permissions: Permissions, staging: &'t Staging, shell: &'t dyn Shell) -> Toolbox<'t> {
        Toolbox { permissions, staging, shell, denied: Vec::new() }
    }

    /// What was not allowed so far.
    pub fn denied(&self) -> &[DeniedCall] {
        &self.denied
    }

    /// Calls a tool. Whatever is wrong with the call is told to the model and stops nothing.
    pub fn call(&mut self, tool: &str, input: &Value, patience: &CallLimit) -> ToolOutcome {
        let granted = match self.permissions.judge(tool, input) {
            Ok(granted) => granted,
            Err(refused) => return self.refuse(refused),
        };
        let view = PathView::new(&self.permissions, self.staging.path());
        match granted {
            AllowedCall::Edit(file, ask) => wrote(edit::edit(self.staging, &file, &ask), file),
            AllowedCall::Write(file, ask) => wrote(edit::write(self.staging, &file, &ask), file),
            looks => looked(&view, looks, self.shell, patience).unwrap_or_else(|reason| {
                self.refuse(permissions::denied(tool, input["command"].as_str().unwrap_or_default(), reason))
            }),
        }
    }

    fn refuse(&mut self, refused: RefusedCall) -> ToolOutcome {
        match refused {
            RefusedCall::Input(reason) => failed(reason),
            RefusedCall::Denied(denied) => {
                let text = format!("Not allowed: {}", denied.reason);
                self.denied.push(denied);
                failed(text)
            }
        }
    }
}

/// Read, Grep, Glob and read-only Bash on the files as they are, for an agent that works on the project itself.
/// What writes is not done here.
pub fn look(permissions: &Permissions, granted: AllowedCall, shell: &dyn Shell, patience: &CallLimit) -> ToolOutcome {
    // The directory stands for itself.
    let view = PathView::new(permissions, permissions.roots.first().map_or(std::path::Path::new("/"), |root| root));
    looked(&view, granted, shell, patience).unwrap_or_else(|reason| failed(format!("Not allowed: {reason}")))
}

/// What a look shows, or why a command may not run.
fn looked(
    view: &PathView<'_>,
    granted: AllowedCall,
    shell: &dyn Shell,
    patience: &CallLimit,
) -> Result<ToolOutcome, String> {
    let until = patience.until.min(Instant::now() + Duration::from_secs(limits::TOOL_SECONDS));
    let patience = &CallLimit { cancel: patience.cancel.clone(), until };
    let answer = match granted {
        AllowedCall::Read(ask) => read::read(view, &ask),
        AllowedCall::Grep(ask) => grep::grep(view, &ask, patience),
        AllowedCall::Glob(ask) => glob::glob(view, &ask, patience),
        AllowedCall::Bash(plan) => bash::bash(view, shell, bash::ready(view, &plan)?, patience),
        AllowedCall::Edit(..) | AllowedCall::Write(..) => Err("nothing is written by looking".to_owned()),
    };
    Ok(match answer {
        Ok(text) => ToolOutcome { text: capped(text), is_error: false, touched: None },
        Err(text) => failed(text),
    })
}

fn wrote(answer: Result<String, String>, file: RelPath) -> ToolOutcome {
    match answer {
        Ok(text) => ToolOutcome { text, is_error: false, touched: Some(file) },
        Err(text) => failed(text),
    }
}

fn failed(text: String) -> ToolOutcome {
    ToolOutcome { text: capped(text), is_error: true, touched: None }
}

/// An answer that fits into a context, and says so when it was cut.
fn capped(mut text: String) -> String {
    if text.len() <= limits::TOOL_RESULT_BYTES {
        return text;
    }
    let all = text.len();
    let mut end = limits::TOOL_RESULT_BYTES;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text + &format!("\n[cut: {end} of {all} bytes are shown; ask for less]")
}
