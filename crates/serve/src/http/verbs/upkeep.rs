//! How memory is kept: where it is, what is set, what is wrong, what a session starts with, logs and notes.

use memdir::engine::{ContextPart, ContextRequest, Error, Memory};
use memdir::settings::Mode;
use serde_json::json;

use super::super::api::SentFields;
use super::{Done, value};
use crate::ServeContext;

pub(super) fn status(_: &ServeContext, memory: &Memory, _: &SentFields) -> Done {
    value(&memory.status()?)
}

pub(super) fn projects(_: &ServeContext, memory: &Memory, _: &SentFields) -> Done {
    Ok(json!({ "projects": memory.projects()? }))
}

pub(super) fn teams(_: &ServeContext, memory: &Memory, _: &SentFields) -> Done {
    Ok(json!({ "teams": memory.teams().rows()? }))
}

pub(super) fn doctor(_: &ServeContext, memory: &Memory, _: &SentFields) -> Done {
    value(&memory.files().checkup()?)
}

/// Only for reading: a setting can agree to a model, and that is said at a terminal.
#[expect(clippy::unnecessary_wraps, reason = "it stands in the table beside verbs that fail")]
pub(super) fn settings(_: &ServeContext, memory: &Memory, _: &SentFields) -> Done {
    let entries: Vec<_> = memory.settings.entries().collect();
    let warnings: Vec<String> = memory.settings.warnings.iter().map(ToString::to_string).collect();
    Ok(json!({ "settings": entries, "warnings": warnings }))
}

pub(super) fn hooks(_: &ServeContext, memory: &Memory, _: &SentFields) -> Done {
    Ok(json!({ "hooks": memory.sessions().hook_calls()? }))
}

pub(super) fn overview(_: &ServeContext, memory: &Memory, _: &SentFields) -> Done {
    value(&memory.sessions().overview()?)
}

pub(super) fn told(_: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    Ok(json!({ "sessions": memory.sessions().told(fields.text("session"))? }))
}

pub(super) fn context(context: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let part = match fields.text("part") {
        Some("manual") => ContextPart::Manual,
        Some("index") => ContextPart::Index,
        Some("rules") => ContextPart::Rules,
        _ => ContextPart::All,
    };
    let mode = match fields.text("mode") {
        Some("normal") => Some(Mode::Normal),
        Some("team") => Some(Mode::Team),
        Some("log") => Some(Mode::Log),
        _ => None,
    };
    let own_texts = (context.own_texts)(memory);
    value(&memory.sessions().context(&ContextRequest { session: None, part, mode, agent: None, own_texts })?)
}

pub(super) fn logs(_: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let day = fields
        .text("date")
        .map(|text| text.parse().map_err(|_| Error::Refused(format!("{text} is not a date; write it as 2026-04-30"))));
    Ok(json!({ "logs": memory.sessions().logs(day.transpose()?)? }))
}

pub(super) fn log_add(_: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    value(&memory.sessions().log_add(fields.needed("text"))?)
}

pub(super) fn notes(_: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    value(&memory.sessions().notes(fields.needed("session"))?)
}

pub(super) fn notes_template(_: &ServeContext, memory: &Memory, _: &SentFields) -> Done {
    value(&json!({ "text": memory.sessions().notes_template() }))
}

pub(super) fn notes_update(_: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let path = memory.around.below_cwd(fields.needed("transcript").as_ref());
    value(&memory.sessions().update_notes(fields.needed("session"), &path, None)?)
}

pub(super) fn export(_: &ServeContext, memory: &Memory, _: &SentFields) -> Done {
    Ok(json!({ "version": 1, "memories": memory.files().export()? }))
}

pub(super) fn transcripts(_: &ServeContext, memory: &Memory, _: &SentFields) -> Done {
    let found = memory.learn().transcripts()?;
    let all: Vec<_> = found.iter().map(|(host, path)| json!({ "host": host, "transcript": path })).collect();
    Ok(json!({ "transcripts": all }))
}

pub(super) fn adopt(context: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let done = memory.files().adopt(fields.text("from").map(std::path::Path::new))?;
    context.changed(memory);
    value(&done)
}
