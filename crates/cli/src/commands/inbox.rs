//! `inbox`: proposals that wait for a yes.

use memdir::engine::{Memory, Proposal};
use serde_json::{Value, json};

use super::CommandResult;
use crate::args::InboxCommand;
use crate::ui::{Style, Ui, counted, safe};

pub(super) fn run(memory: &Memory, command: Option<InboxCommand>, ui: &mut Ui) -> CommandResult {
    match command {
        None => list(&memory.inbox().list()?, ui),
        Some(InboxCommand::Show { id }) => show(&memory.inbox().get(&id)?, ui),
        Some(InboxCommand::Accept { id }) => accept(memory, &id, ui),
        Some(InboxCommand::Reject { id }) => {
            let proposal = memory.inbox().reject(&id)?;
            if ui.json {
                return Ok(ui.print_json(&json!({ "rejected": proposal.id, "proposals": memory.inbox().list()?.iter().map(fields).collect::<Vec<_>>() }))?);
            }
            Ok(ui.done(format!("dropped {}; nothing was changed", proposal.id))?)
        }
    }
}

fn fields(proposal: &Proposal) -> Value {
    let files: Vec<&str> = proposal.files.iter().map(|file| file.file.as_str()).collect();
    json!({
        "id": proposal.id,
        "kind": proposal.kind,
        "created": proposal.created,
        "reason": proposal.reason,
        "session": proposal.session,
        "message": proposal.message,
        "files": files,
        "diff": proposal.diff(),
    })
}

fn list(proposals: &[Proposal], ui: &mut Ui) -> CommandResult {
    if ui.json {
        return Ok(ui.print_json(&json!({ "proposals": proposals.iter().map(fields).collect::<Vec<_>>() }))?);
    }
    if proposals.is_empty() {
        ui.say("Nothing waits for a yes.");
    }
    for proposal in proposals {
        let id = ui.paint(Style::Bold, &proposal.id);
        let files = counted(proposal.files.len(), "file", "files");
        ui.line(format!("{id}  {}  {}  {files}", proposal.kind, proposal.created.strftime("%Y-%m-%d %H:%M")))?;
        for file in &proposal.files {
            let word = if file.after.is_none() {
                "remove"
            } else if file.before.is_none() {
                "create"
            } else {
                "change"
            };
            ui.line(format!("    {word} {}  {}", safe(&file.file), safe(&file.why)))?;
        }
    }
    Ok(())
}

fn show(proposal: &Proposal, ui: &mut Ui) -> CommandResult {
    if ui.json {
        return Ok(ui.print_json(&json!({ "proposals": [fields(proposal)] }))?);
    }
    let diff = super::history::paint_diff(&proposal.diff(), ui);
    ui.raw(&diff)?;
    ui.say(format!("memdir inbox accept {0}, or memdir inbox reject {0}", proposal.id));
    Ok(())
}

fn accept(memory: &Memory, id: &str, ui: &mut Ui) -> CommandResult {
    let landed = memory.inbox().accept(id)?;
    if ui.json {
        return Ok(ui.print_json(&json!({
            "files": landed.files, "rejected": landed.rejected, "change": landed.change,
            "proposals": memory.inbox().list()?.iter().map(fields).collect::<Vec<_>>(),
        }))?);
    }
    for rejection in &landed.rejected {
        ui.warn(format!("{} stays as it is: {}", safe(&rejection.file), safe(&rejection.reason)));
    }
    match &landed.change {
        Some(change) => {
            let files = counted(landed.files.len(), "file", "files");
            Ok(ui.done(format!("{files} changed; undo: memdir undo {change}"))?)
        }
        None => Ok(ui.done("nothing was changed")?),
    }
}
