//! `doctor`: find what is wrong, and with `--fix` repair it.

use memdir::engine::Memory;
use memdir::engine::doctor::{DoctorFinding, Level};
use serde_json::json;

use super::CommandResult;
use crate::env;
use crate::failure::Failure;
use crate::hint;
use crate::ui::{Style, Ui, safe};

pub(super) fn run(memory: &Memory, fix: bool, ui: &mut Ui) -> CommandResult {
    let mut checkup = memory.files().checkup()?;
    if let Ok(program) = env::own_program(&memory.around) {
        checkup.look_at_wiring(&env::machine(memory, &program, &|name| env::has_program(&memory.around, name)));
    }
    checkup.findings.iter_mut().for_each(|finding| hint::replace(&mut finding.fix));
    if !ui.json {
        for finding in &checkup.findings {
            let (style, word) = match finding.level {
                Level::Error => (Style::Bad, "error"),
                Level::Warning => (Style::Warn, "warning"),
                Level::Info => (Style::Dim, "note"),
            };
            let file = finding.file.as_deref().map(|file| format!("{}: ", safe(file))).unwrap_or_default();
            let line = format!(
                "{:<7} {} {file}{}",
                ui.paint(style, word),
                ui.paint(Style::Dim, finding.check),
                safe(&finding.message)
            );
            ui.line(line)?;
            let advice = format!("        {}", ui.paint(Style::Dim, &finding.fix.text));
            ui.line(advice)?;
        }
    }
    let fixable = checkup.findings.iter().filter(|finding| finding.fixable).count();
    if !fix {
        if ui.json {
            ui.print_json(&json!({ "findings": checkup.findings, "diff": checkup.diff }))?;
            return verdict(&checkup.findings);
        }
        match (checkup.findings.len(), fixable) {
            (0, _) => ui.done("All is well.")?,
            (1, 0) => ui.say("1 finding; it cannot be repaired automatically."),
            (1, _) => ui.say("1 finding; `memdir doctor --fix` repairs it."),
            (all, 0) => ui.say(format!("{all} findings; none can be repaired automatically.")),
            (all, some) => ui.say(format!("{all} findings; `memdir doctor --fix` repairs {some} of them.")),
        }
        return verdict(&checkup.findings);
    }
    if fixable == 0 {
        if ui.json {
            return Ok(ui.print_json(
                &json!({ "findings": checkup.findings, "diff": "", "changes": [], "files": [], "proposals": [] }),
            )?);
        }
        ui.say("Nothing to repair.");
        return Ok(());
    }
    if !ui.json {
        let diff = super::history::paint_diff(&checkup.diff, ui);
        ui.raw(&diff)?;
    }
    if !ui.confirm("Repair this?")? {
        return Err(Failure::refused("nothing was repaired"));
    }
    let repaired = memory.files().repair()?;
    if ui.json {
        return Ok(ui.print_json(&json!({
            "findings": checkup.findings,
            "diff": checkup.diff,
            "changes": repaired.changes,
            "files": repaired.files,
            "proposals": repaired.proposals,
        }))?);
    }
    let mut changes = repaired.changes;
    let mut waiting = 0;
    for id in &repaired.proposals {
        let proposal = memory.inbox().get(id)?;
        let diff = super::history::paint_diff(&proposal.diff(), ui);
        ui.say(safe(&proposal.reason));
        ui.raw(&diff)?;
        // A yes beforehand is not one to this.
        if ui.interactive() && ui.confirm("Is it so?")? {
            changes.extend(memory.inbox().accept(id)?.change);
        } else {
            waiting += 1;
        }
    }
    if waiting > 0 {
        ui.say(format!("{waiting} of it waits for your yes: memdir inbox"));
    }
    let undo = match changes.as_slice() {
        [] => String::new(),
        changes => format!("; undo: memdir undo {}", changes.join(", memdir undo ")),
    };
    if repaired.files.is_empty() && changes.is_empty() {
        return Ok(());
    }
    Ok(ui.done(format!("repaired {}{undo}", repaired.files.join(", ")))?)
}

/// What is found fails the command, as a linter does; what is only noted does not.
fn verdict(findings: &[DoctorFinding]) -> CommandResult {
    if findings.iter().all(|finding| matches!(finding.level, Level::Info)) { Ok(()) } else { Err(Failure::Answered) }
}
