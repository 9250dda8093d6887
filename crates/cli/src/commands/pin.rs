//! `pin`, `unpin`, `move`.

use memdir::engine::Memory;
use memdir::kind::Scope;
use serde_json::json;

use super::{CommandResult, naming};
use crate::ui::Ui;

pub(super) fn run(memory: &Memory, words: &[String], pinned: bool, ui: &mut Ui) -> CommandResult {
    let file = &naming::to_change(memory, words, ui)?;
    let (file, change) = memory.files().set_pinned(file, pinned)?;
    if ui.json {
        return Ok(ui.print_json(&json!({ "file": file, "change": change, "pinned": pinned }))?);
    }
    let word = if pinned { "pinned" } else { "unpinned" };
    match change {
        Some(change) => ui.say(format!("{word} {file} ({change})")),
        None => ui.say(format!("{file} was {word} already")),
    }
    Ok(())
}

pub(super) fn run_move(memory: &Memory, words: &[String], scope: Scope, ui: &mut Ui) -> CommandResult {
    let file = &naming::to_change(memory, words, ui)?;
    let (file, change) = memory.files().move_to(file, scope)?;
    if ui.json {
        return Ok(ui.print_json(&json!({ "file": file, "scope": scope, "change": change }))?);
    }
    match change {
        Some(change) => ui.say(format!("moved to {scope} scope as {file}; `memdir undo {change}` moves it back")),
        None => ui.say(format!("{file} is in {scope} scope already")),
    }
    Ok(())
}
