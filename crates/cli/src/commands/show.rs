//! `show`: print a memory as it is.

use std::io::IsTerminal as _;

use memdir::engine::{Error, Memory};
use memdir::store::topic::Topic;
use serde_json::json;

use super::Outcome;
use crate::ui::{Ui, safe};

pub(super) fn run(memory: &Memory, file: &str, ui: &mut Ui) -> Outcome {
    memory.notice()?;
    let spot = memory.find(file)?;
    let Some(bytes) = spot.store.root().read(&spot.file)? else { return Err(Error::Unknown(file.to_owned()).into()) };
    memory.note_use(&spot);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if !ui.json {
        if let Some(origin) = memory.origin(spot.file.as_str()) {
            ui.say(format!("from {}", safe(&origin.shown())));
        }
        return Ok(ui.raw(&if std::io::stdout().is_terminal() { safe(&text) } else { text })?);
    }
    let topic = Topic::parse(bytes);
    let flags: Vec<_> = if spot.file.is_index() {
        Vec::new()
    } else {
        topic.flags().iter().map(memdir::store::topic::Flag::id).collect()
    };
    Ok(ui.print_json(&json!({
        "file": spot.file.as_str(),
        "path": spot.store.root().show(&spot.file),
        "scope": spot.scope,
        "type": topic.kind(),
        "name": topic.name(),
        "description": topic.description(),
        "pinned": topic.pinned(),
        "flags": flags,
        "from": memory.origin(spot.file.as_str()),
        "text": text,
    }))?)
}
