//! `history` and `undo`: what was changed, and taking a change back. History only grows: an undo is a change as well.

use memdir::engine::{Error, Memory, TimelineEvent, Undone};
use memdir::limits::MCP_HISTORY;
use schemars::JsonSchema;
use serde::Serialize;

use super::{ToolAnswer, answer, handle};
use crate::ServeContext;

/// The answer of `history`.
#[derive(Serialize, JsonSchema)]
pub(super) struct HistoryAnswer {
    /// The changes, newest first.
    changes: Vec<Changed>,
}

#[derive(Serialize, JsonSchema)]
struct Changed {
    /// Its name, for `undo`.
    change: String,
    /// When.
    time: String,
    /// Who: user, agent, extract, dream, team, outside or doctor.
    actor: String,
    /// Why.
    reason: String,
    /// Which files.
    files: Vec<String>,
}

pub(super) fn history(memory: &Memory, file: Option<&str>) -> Result<ToolAnswer, Error> {
    let changes: Vec<Changed> = memory
        .history()
        .events(file, MCP_HISTORY)?
        .into_iter()
        .map(|TimelineEvent { id, time, actor, reason, files, scope, .. }| Changed {
            change: id,
            time: time.to_string(),
            actor: actor.to_owned(),
            reason,
            files: files.iter().map(|file| handle(scope, file)).collect(),
        })
        .collect();
    let text = if changes.is_empty() {
        "Nothing has changed yet.".to_owned()
    } else {
        let line = |change: &Changed| {
            let Changed { change, time, actor, reason, files } = change;
            format!("{change} {time} {actor}: {reason} ({})\n", files.join(", "))
        };
        changes.iter().map(line).collect()
    };
    answer(&HistoryAnswer { changes }, text)
}

/// The answer of `undo`.
#[derive(Serialize, JsonSchema)]
pub(super) struct UndoAnswer {
    /// The changes that were taken back.
    undone: Vec<String>,
    /// The files that are as before.
    files: Vec<String>,
    /// The new change; undoing it is redoing.
    change: Option<String>,
}

pub(super) fn undo(context: &ServeContext, memory: &Memory, change: Option<&str>) -> Result<ToolAnswer, Error> {
    let Undone { undone, files, change, .. } = memory.history().undo(change)?;
    // A directory that was moved back is not here any more.
    if change.is_some() {
        context.changed(memory);
    }
    let text = format!("Took back {}: {}.", undone.join(", "), files.join(", "));
    answer(&UndoAnswer { undone, files, change }, text)
}
