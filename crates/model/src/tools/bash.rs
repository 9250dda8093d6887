//! Bash: a plan of calls that only read, made ready and handed to whoever runs programs.
//!
//! No shell is involved. Home and working directory are filled in, patterns become file names,
//! and paths below the memory directory become those of the copy; in the output they are turned
//! back. One thing is not seen: a command that walks down from a directory above the memory
//! directory (`grep -r x ~/.claude`) meets the memories as they were before this run.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::glob::matcher;
use super::permissions::barred;
use super::view::View;
use super::{Patience, ToolError};
use crate::Cancel;
use memdir_core::limits;
use memdir_guard::shell::{Arg, Invocation, Piece, Plan, Role, Sink, When, Word};

/// Runs programs; the library starts none of its own.
pub trait Shell {
    /// Runs a job to its end, or says why that could not be.
    fn run(&self, job: &ShellJob) -> Result<Printed, ToolError>;
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
pub struct Printed {
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
    view: &View<'_>,
    shell: &dyn Shell,
    steps: Vec<ReadyStep>,
    patience: &Patience,
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
pub(super) fn ready(view: &View<'_>, plan: &Plan) -> Result<Vec<ReadyStep>, String> {
    // A walk from the root meets the processes of the machine.
    if view.cwd() == Path::new("/") {
        return Err("commands do not run in the root directory".to_owned());
    }
    let step = |step: &memdir_guard::shell::Step| {
        let pipeline = step.pipeline.iter().map(|call| ready_call(view, call)).collect::<Result<_, String>>()?;
        Ok(ReadyStep { when: step.when, pipeline })
    };
    plan.steps.iter().map(step).collect()
}

fn ready_call(view: &View<'_>, call: &Invocation) -> Result<ReadyCall, String> {
    let mut args = Vec::with_capacity(call.args.len());
    for arg in &call.args {
        match arg.role {
            Role::Text => args.push(format!("{}{}", arg.lead, text(view, &arg.word)?)),
            Role::PathPattern => args.push(format!("{}{}", arg.lead, path_pattern(view, &text(view, &arg.word)?))),
            Role::Path => args.extend(paths(view, arg)?),
        }
        if args.len() > limits::SHELL_ARGUMENTS {
            return Err("the command names too many files; name fewer, or a directory".to_owned());
        }
    }
    Ok(ReadyCall { program: call.program, args, out: call.out, err: call.err })
}

/// A word as text.
fn text(view: &View<'_>, word: &Word) -> Result<String, String> {
    word.pieces.iter().map(|piece| piece_text(view, piece)).collect()
}

fn piece_text(view: &View<'_>, piece: &Piece) -> Result<String, String> {
    match piece {
        Piece::Bare(text) | Piece::Quoted(text) => Ok(text.clone()),
        Piece::Home => match view.home() {
            Some(home) => Ok(home.display().to_string()),
            None => Err("the home directory is not known; write the path".to_owned()),
        },
        Piece::Here => Ok(view.cwd().display().to_string()),
    }
}

/// The paths that an argument names: one, or those that its pattern stands for.
fn paths(view: &View<'_>, arg: &Arg) -> Result<Vec<String>, String> {
    let typed = text(view, &arg.word)?;
    let matched = match pattern(view, &arg.word)? {
        Some(pattern) if arg.lead.is_empty() => expand(view, &pattern),
        _ => Vec::new(),
    };
    let named = if matched.is_empty() { vec![typed] } else { matched };
    named.into_iter().map(|path| Ok(format!("{}{}", arg.lead, opened(view, &path)?))).collect()
}

/// The path that a program is to open for one that was typed.
fn opened(view: &View<'_>, typed: &str) -> Result<String, String> {
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
fn path_pattern(view: &View<'_>, typed: &str) -> String {
    for root in view.roots() {
        let root = root.to_string_lossy();
        if let Some(rest) = typed.strip_prefix(&*root).filter(|rest| rest.is_empty() || rest.starts_with(['/', '*'])) {
            return globset::escape(&view.copy().to_string_lossy()) + rest;
        }
    }
    typed.to_owned()
}

/// A word as a pattern of file names, if it is one.
fn pattern(view: &View<'_>, word: &Word) -> Result<Option<String>, String> {
    let mut pattern = String::new();
    let mut is_one = false;
    for piece in &word.pieces {
        if let Piece::Bare(text) = piece {
            is_one |= text.contains(['*', '?', '[']);
            // Braces were turned away before; a stray one stands for itself.
            pattern.push_str(&text.replace('{', "[{]").replace('}', "[}]"));
        } else {
            pattern.push_str(&globset::escape(&piece_text(view, piece)?));
        }
    }
    Ok(is_one.then_some(pattern))
}

/// The files that a pattern stands for, spelled as it is, in order; none if nothing matches.
fn expand(view: &View<'_>, pattern: &str) -> Vec<String> {
    let absolute = pattern.starts_with('/');
    let mut found = vec![if absolute { "/".to_owned() } else { String::new() }];
    let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
    for (at, part) in parts.iter().enumerate() {
        let last = at + 1 == parts.len();
        let mut next = Vec::new();
        for base in &found {
            next.extend(below(view, base, part, last));
            if next.len() > limits::SHELL_ARGUMENTS {
                break;
            }
        }
        found = next;
    }
    // A file whose name begins with a dash must not be taken for an option.
    found.into_iter().map(|path| if path.starts_with('-') { format!("./{path}") } else { path }).collect()
}

/// What one component of a pattern stands for, below a path that is matched already.
fn below(view: &View<'_>, base: &str, part: &str, last: bool) -> Vec<String> {
    let join = |name: &str| match base {
        "" => name.to_owned(),
        base if base.ends_with('/') => format!("{base}{name}"),
        base => format!("{base}/{name}"),
    };
    let dir = view.actual(&view.below(if base.is_empty() { "." } else { base }));
    let literal = part.replace("[{]", "{").replace("[}]", "}");
    if !part.contains(['*', '?', '[', '\\']) || matches!(part, "." | "..") {
        let there = last || Path::new(&dir).join(&literal).is_dir();
        let exists = dir.join(&literal).exists();
        return if there && exists { vec![join(&literal)] } else { Vec::new() };
    }
    let (Ok(wanted), Ok(entries)) = (matcher(part), std::fs::read_dir(&dir)) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| last || entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| (part.starts_with('.') || !name.starts_with('.')) && wanted.is_match(name))
        .collect();
    names.sort();
    names.into_iter().map(|name| join(&name)).collect()
}
