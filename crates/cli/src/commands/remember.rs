//! `remember`: save a memory now.

use std::io::Read as _;

use memdir::engine::{Error, Memory, Remember, RememberOutcome, Remembered};
use memdir::kind::Scope;
use memdir::store::ChangeError;
use serde_json::json;

use super::{CommandResult, edit, remember_batch};
use crate::args;
use crate::env;
use crate::failure::Failure;
use crate::ui::{Style, Ui, safe};

pub(crate) fn run(memory: &Memory, args: args::RememberArgs, ui: &mut Ui) -> CommandResult {
    if let Some(batch) = &args.batch {
        return remember_batch::run(memory, batch, ui);
    }
    let wanted = Remember {
        text: text_or_stdin(args.text.join(" "))?,
        kind: args.kind.map(Into::into),
        name: said(args.name),
        description: said(args.description),
        why: said(args.why),
        apply: said(args.apply),
        scope: args.scope.map(Into::into),
    };
    let saved = match &args.agent {
        Some(agent) => memory.files().remember_of_agent(agent, args.agent_scope.into(), &wanted),
        None => memory.files().remember(&wanted),
    };
    let done = match saved {
        Ok(done) => done,
        Err(error @ (Error::Change(ChangeError::Secret { .. } | ChangeError::TooLarge { .. }) | Error::Refused(_)))
            if ui.json =>
        {
            ui.print_json(&json!({ "file": null, "action": "refused", "change": null, "reason": error.to_string() }))?;
            ui.complain(&error.to_string());
            return Err(Failure::Answered);
        }
        Err(error) => return Err(error.into()),
    };
    crate::env::take_in_change(memory);
    if ui.json {
        return Ok(ui.print_json(&done)?);
    }
    for warning in &done.warnings {
        ui.warn(warning);
    }
    let word = match done.action {
        RememberOutcome::Created => ui.paint(Style::Good, "remembered"),
        RememberOutcome::Updated => ui.paint(Style::Good, "updated"),
        RememberOutcome::Unchanged => "already known".to_owned(),
    };
    let change = done
        .change
        .map(|change| {
            let of = if done.scope == Scope::Agent { folder(&done.path, &done.file) } else { String::new() };
            format!("  {}", ui.paint(Style::Dim, &format!("undo: memdir undo {change}{of}")))
        })
        .unwrap_or_default();
    let line = format!("{word} {} ({}, {}){change}", done.file, done.kind, done.scope);
    ui.done(line)?;
    if let Some(old) = &done.replaced {
        ui.done(ui.paint(Style::Dim, &format!("  it said: {}", old.replace('\n', " "))))?;
    }
    if let Some(from) = &done.renamed_from {
        ui.done(ui.paint(Style::Dim, &format!("  its file was {from}")))?;
    }
    Ok(())
}

/// How the memory of a sub-agent is named to other commands.
fn folder(path: &str, file: &str) -> String {
    format!(" --memory-dir {}", safe(path.strip_suffix(file).unwrap_or(path).trim_end_matches('/')))
}

/// A memory that is written in an editor; `None` when nothing was written.
pub(crate) fn in_editor(memory: &Memory, ui: &Ui) -> Result<Option<Remembered>, Failure> {
    memory.require_on()?;
    let (copy, bytes) = edit::edited(memory, "new_memory.md", b"", ui)?;
    let text = String::from_utf8_lossy(&bytes).trim().to_owned();
    if text.is_empty() {
        env::drop_copy(&copy);
        return Ok(None);
    }
    match memory.files().remember(&Remember { text, ..Remember::default() }) {
        Ok(done) => {
            env::drop_copy(&copy);
            Ok(Some(done))
        }
        Err(error) => Err(edit::keep_copy(error, copy)),
    }
}

/// The text itself, or what comes in on stdin for `-`.
pub(crate) fn text_or_stdin(text: String) -> Result<String, Failure> {
    if text != "-" {
        return Ok(text);
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(memdir::limits::TOPIC_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    String::from_utf8(bytes).map_err(|_| Failure::refused("the text on stdin is not valid UTF-8"))
}

/// What was given; an empty text, as a script passes it, is none.
fn said(given: Option<String>) -> Option<String> {
    given.filter(|text| !text.trim().is_empty())
}
