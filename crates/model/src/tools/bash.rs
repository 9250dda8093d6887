//! Bash: a plan of calls that only read, made ready and handed to whoever runs programs.
//!
//! No shell is involved. Home and working directory are filled in, patterns become file names,
//! and paths below the memory directory become those of the copy; in the output they are turned
//! back. One thing is not seen: a command that walks down from a directory above the memory
//! directory (`grep -r x ~/.claude`) meets the memories as they were before this run.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::expansion;
use super::permissions::barred;
use super::view::PathView;
use super::{CallLimit, ToolError};
use crate::Cancel;
use memdir_core::limits;
use memdir_guard::shell::{Arg, ArgRole, Invocation, Plan, Sink, When};

/// Runs programs; the library starts none of its own.
pub trait Shell {
    /// Runs a job to its end, or says why that could not be.
    fn run(&self, job: &ShellJob) -> Result<JobOutput, ToolError>;
}

/// What to run: only programs of `memdir_guard::shell::PROGRAMS`, only with arguments that were judged.
#[derive(Clone, Debug)]
pub struct ShellJob {
    /// Pipelines, in order.
    pub steps: Vec<ReadyStep>,
    /// Where.
    pub cwd: PathBuf,
    /// When it must have ended; what still runs then is killed.
    pub timeout: Duration,
    /// The most that is kept of what is printed.
    pub output_bytes: usize,
    /// Stops it from outside.
    pub cancel: Cancel,
}

/// One pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyStep {
    /// Whether it runs.
    pub when: When,
    /// The programs.
    pub pipeline: Vec<ReadyCall>,
}

/// One program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyCall {
    /// Which one.
    pub program: &'static str,
    /// As it gets them.
    pub args: Vec<String>,
    /// Where its output goes.
    pub out: Sink,
    /// Where its complaints go.
    pub err: Sink,
}

/// What a job printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobOutput {
    /// Output and complaints as they came.
    pub text: Vec<u8>,
    /// The exit status of the last program that ran; `None`: it was killed.
    pub status: Option<i32>,
    /// Whether there was more than was kept.
    pub cut: bool,
    /// Whether time was up.
    pub timed_out: bool,
}

/// Runs what was made ready.
pub(super) fn bash(
    view: &PathView<'_>,
    shell: &dyn Shell,
    steps: Vec<ReadyStep>,
    patience: &CallLimit,
) -> Result<String, String> {
    let job = ShellJob {
        steps,
        cwd: view.actual(view.cwd()),
        timeout: patience.until.saturating_duration_since(Instant::now()),
        output_bytes: limits::TOOL_RESULT_BYTES,
        cancel: patience.cancel.clone(),
    };
    let printed = shell.run(&job)?;
    let mut text = view.shown(&String::from_utf8_lossy(&printed.text));
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    if printed.timed_out {
        return Err(format!("{text}[stopped: the command took too long]"));
    }
    if printed.cut {
        text.push_str("[cut: there was more output; ask for less]\n");
    }
    match printed.status {
        Some(0) if text.is_empty() => Ok("(no output)".to_owned()),
        Some(0) => Ok(text),
        // `grep` without a match is an answer, not a failure.
        Some(status) => Ok(format!("{text}[exit status {status}]")),
        None => Err(format!("{text}[stopped]")),
    }
}

/// Fills in what only we know, and says what must not be opened.
pub(super) fn ready(view: &PathView<'_>, plan: &Plan) -> Result<Vec<ReadyStep>, String> {
    let step = |step: &memdir_guard::shell::Step| {
        let pipeline = step.pipeline.iter().map(|call| ready_call(view, call)).collect::<Result<_, String>>()?;
        Ok(ReadyStep { when: step.when, pipeline })
    };
    plan.steps.iter().map(step).collect()
}

fn ready_call(view: &PathView<'_>, call: &Invocation) -> Result<ReadyCall, String> {
    let mut args = Vec::with_capacity(call.args.len());
    for arg in &call.args {
        match arg.role {
            ArgRole::Text => {
                args.push(format!("{}{}", arg.lead, expansion::filled_in(&arg.word, view.cwd(), view.home())?.0));
            }
            ArgRole::PathPattern => args.push(format!(
                "{}{}",
                arg.lead,
                path_pattern(view, &expansion::filled_in(&arg.word, view.cwd(), view.home())?.0)
            )),
            ArgRole::Path => args.extend(paths(view, arg)?),
        }
        if args.len() > limits::SHELL_ARGUMENTS {
            return Err("the command names too many files; name fewer, or a directory".to_owned());
        }
    }
    Ok(ReadyCall { program: call.program, args, out: call.out, err: call.err })
}

/// The paths that an argument names: one, or those that its pattern stands for.
fn paths(view: &PathView<'_>, arg: &Arg) -> Result<Vec<String>, String> {
    let (typed, pattern) = expansion::filled_in(&arg.word, view.cwd(), view.home())?;
    let matched = match pattern {
        Some(pattern) if arg.lead.is_empty() => expansion::expand(&pattern, &|base| view.actual(&view.below(base))),
        _ => Vec::new(),
    };
    let named = if matched.is_empty() { vec![typed] } else { matched };
    named.into_iter().map(|path| Ok(format!("{}{}", arg.lead, opened(view, &path)?))).collect()
}

/// The path that a program is to open for one that was typed.
fn opened(view: &PathView<'_>, typed: &str) -> Result<String, String> {
    let shown = view.below(typed);
    if view.is_barred(&shown) {
        return Err(barred());
    }
    if shown == Path::new("/") {
        return Err("the root directory holds too much; name a directory below it".to_owned());
    }
    // The programs run in the copy if the working directory is the memory directory; `..` leads elsewhere there.
    let moved = view.is_copied(view.cwd());
    if matches!(typed, "" | "-") || !(moved || view.is_copied(&shown)) {
        return Ok(typed.to_owned());
    }
    let slash = if typed.ends_with('/') { "/" } else { "" };
    Ok(format!("{}{slash}", view.actual(&shown).display()))
}

/// A pattern that `find` compares with whole paths.
fn path_pattern(view: &PathView<'_>, typed: &str) -> String {
    for root in view.roots() {
        let root = root.to_string_lossy();
        if let Some(rest) = typed.strip_prefix(&*root).filter(|rest| rest.is_empty() || rest.starts_with(['/', '*'])) {
            return globset::escape(&view.copy().to_string_lossy()) + rest;
        }
    }
    typed.to_owned()
}
