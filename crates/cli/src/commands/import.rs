//! `import` and `export`: memories of other programs in, memdir's own out.

use std::path::Path;

use memdir::engine::{ImportReport, Memory};
use serde_json::json;

use super::CommandResult;
use super::progress::ProgressLine;
use crate::ui::{Style, Ui, clip, counted, safe};

pub(super) fn run(memory: &Memory, source: &str, path: Option<&Path>, dry_run: bool, ui: &mut Ui) -> CommandResult {
    let found = memory.files().find_to_import(source, path)?;
    let mut progress = ProgressLine::new(ui);
    let mut step = |done: usize, total: usize| progress.at(done, total, "memories looked at");
    let report = memory.files().import(source, &found, dry_run, &mut step)?;
    drop(progress);
    if report.change.is_some() {
        crate::env::take_in_change(memory);
    }
    if ui.json {
        return Ok(ui.print_json(&report)?);
    }
    show(&report, dry_run, ui)
}

fn show(report: &ImportReport, dry_run: bool, ui: &mut Ui) -> CommandResult {
    for one in &report.imported {
        let (style, more) = match one.action {
            "created" => (Style::Good, one.file.clone().unwrap_or_default()),
            "known" => (Style::Dim, format!("says {}", one.file.as_deref().unwrap_or_default())),
            _ => (Style::Warn, one.reason.clone().unwrap_or_default()),
        };
        let action = if dry_run && one.action == "created" { "would save" } else { one.action };
        let line = format!(
            "{} {}  {}",
            ui.paint(style, &format!("{action:<10}")),
            clip(&one.name, 60),
            ui.paint(Style::Dim, &safe(&more))
        );
        ui.line(line.trim_end())?;
        if let Some(other) = &one.may_contradict {
            ui.say(format!("  says otherwise than {}; both stay, and the inbox asks", safe(other)));
        }
    }
    let count = |action: &str| report.imported.iter().filter(|one| one.action == action).count();
    let undo = report.change.as_ref().map_or_else(String::new, |change| format!("  undo: memdir undo {change}"));
    ui.say(format!(
        "{} found: {} new, {} known, {} refused{undo}",
        counted(report.imported.len(), "memory", "memories"),
        count("created"),
        count("known"),
        count("refused")
    ));
    Ok(())
}

/// `export`: every memory as one JSON document, with `--json` or without.
pub(super) fn export(memory: &Memory, ui: &mut Ui) -> CommandResult {
    let document = json!({ "version": 1, "memories": memory.files().export()? });
    if ui.json {
        return Ok(ui.print_json(&document)?);
    }
    Ok(ui.line(format!("{document:#}"))?)
}
