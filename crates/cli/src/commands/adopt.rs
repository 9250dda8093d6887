//! `adopt`: take over the memory of this project's former place.

use std::path::Path;

use memdir::engine::Memory;

use super::CommandResult;
use crate::failure::Failure;
use crate::ui::{Ui, counted};

pub(super) fn run(memory: &Memory, from: Option<&Path>, ui: &mut Ui) -> CommandResult {
    let found = if from.is_none() { memory.files().former_places()? } else { Vec::new() };
    let question = match (from, found.as_slice()) {
        (Some(from), _) => format!("Move the memories of {} here?", from.display()),
        (None, [one]) => {
            let memories = counted(one.memories, "memory", "memories");
            format!("Move {memories} from {} (it was at {}) here?", one.dir.display(), one.project)
        }
        (None, []) if !memory.status()?.memory.exists => {
            return Err(Failure::refused(
                "there is nothing to take over: no former place of this project is known. Name one: `memdir adopt DIR`",
            ));
        }
        (None, []) => {
            "No former place of this project is known. Does the memory that is here already belong to it?".to_owned()
        }
        (None, _) => String::new(),
    };
    if !question.is_empty() && !ui.confirm(&question)? {
        return Err(Failure::refused("nothing was moved"));
    }
    let adopted = memory.files().adopt(from)?;
    crate::env::take_in_change(memory);
    if ui.json {
        return Ok(ui.print_json(&adopted)?);
    }
    let files = counted(adopted.files.len(), "file", "files");
    ui.line(format!("adopted {files} from {} to {}", adopted.from, adopted.to))?;
    if let Some(change) = adopted.change {
        ui.say(format!("`memdir undo {change}` moves them back"));
    }
    Ok(())
}
