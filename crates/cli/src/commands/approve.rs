//! `approve`: let this project's instruction files include a file outside it.

use std::path::Path;

use memdir::engine::Memory;
use serde_json::json;

use super::CommandResult;
use crate::failure::Failure;
use crate::ui::{Ui, safe};

pub(super) fn run(memory: &Memory, file: Option<&Path>, remove: bool, ui: &mut Ui) -> CommandResult {
    let Some(file) = file else { return list(memory, ui) };
    let project = safe(&memory.place.project.root.display().to_string());
    let question =
        format!("Let the instruction files of {project} include {}? Every agent there reads it.", file.display());
    if !remove && !ui.confirm(&question)? {
        return Err(Failure::refused("nothing was approved"));
    }
    let kept = memory.sessions().approve_include(file, !remove)?;
    if ui.json {
        return Ok(ui.print_json(&json!({ "file": kept, "approved": !remove }))?);
    }
    ui.line(match (&kept, remove) {
        (Some(file), false) => format!("approved {} for {project}", safe(file)),
        (Some(file), true) => format!("{} is left out from now on", safe(file)),
        (None, false) => "it was approved already".to_owned(),
        (None, true) => "it was not approved".to_owned(),
    })?;
    Ok(())
}

fn list(memory: &Memory, ui: &mut Ui) -> CommandResult {
    let includes = memory.sessions().outside_includes();
    if ui.json {
        return Ok(ui.print_json(&includes)?);
    }
    for file in &includes.approved {
        ui.line(format!("approved  {}", safe(file)))?;
    }
    for file in &includes.waiting {
        ui.line(format!("left out  {}", safe(file)))?;
    }
    if includes.approved.is_empty() && includes.waiting.is_empty() {
        ui.say("No instruction file of this project includes anything outside it.");
    } else if !includes.waiting.is_empty() {
        ui.say("`memdir approve FILE` lets one in.");
    }
    Ok(())
}
