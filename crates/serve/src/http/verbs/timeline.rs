//! What changed and what waits: history, diffs, blame, undo, the inbox, removal for good.

use memdir::engine::{Error, Memory};
use memdir::limits::HTTP_HISTORY;
use serde_json::{Value, json};

use super::super::api::SentFields;
use super::{Done, value};
use crate::ServeContext;

pub(super) fn history(_: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let limit = fields.number("limit").unwrap_or(HTTP_HISTORY).min(HTTP_HISTORY);
    Ok(json!({ "changes": memory.history().events(fields.text("file"), limit)? }))
}

pub(super) fn diff(_: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let (changes, diff) = memory.history().diff(fields.needed("change"))?;
    Ok(json!({ "changes": changes, "diff": diff }))
}

pub(super) fn undo(context: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let undone = memory.history().undo(fields.text("change"))?;
    // A directory that was moved back is not here any more.
    if undone.change.is_some() {
        context.changed(memory);
    }
    value(&undone)
}

pub(super) fn inbox(_: &ServeContext, memory: &Memory, _: &SentFields) -> Done {
    let proposals: Vec<Value> = memory
        .inbox()
        .list()?
        .iter()
        .map(|proposal| {
            json!({
                "id": proposal.id,
                "kind": proposal.kind,
                "created": proposal.created,
                "reason": proposal.reason,
                "files": proposal.files,
                "diff": proposal.diff(),
            })
        })
        .collect();
    Ok(json!({ "proposals": proposals }))
}

pub(super) fn accept(context: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let landed = memory.inbox().accept(fields.needed("id"))?;
    context.changed(memory);
    value(&landed)
}

pub(super) fn reject(_: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    Ok(json!({ "rejected": memory.inbox().reject(fields.needed("id"))?.id }))
}

pub(super) fn blame(_: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let (file, lines) = memory.history().blame(fields.needed("file"))?;
    Ok(json!({ "file": file, "lines": lines }))
}

pub(super) fn purge(context: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let typed = fields.needed("file");
    if fields.needed("confirm") != typed {
        let words = "this cannot be undone: repeat the file in `confirm`";
        return Err(Error::Refused(words.to_owned()).into());
    }
    let (file, purged) = memory.files().purge(typed)?;
    context.changed(memory);
    let remaining: Vec<Value> =
        purged.remaining.iter().map(|(path, line)| json!({ "file": path, "text": line })).collect();
    Ok(json!({
        "file": file,
        "change": purged.change.map(|change| change.id.to_string()),
        "records": purged.records,
        "searched": purged.searched,
        "remaining": remaining,
    }))
}
