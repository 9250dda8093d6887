//! `history`, `diff`, `undo`, `blame`.

use memdir::engine::{Event, Memory};
use serde_json::json;

use super::Outcome;
use crate::ui::{Style, Ui, clip, safe};

pub(super) fn run(memory: &Memory, file: Option<&str>, limit: usize, ui: &mut Ui) -> Outcome {
    let events = memory.history().events(file, limit)?;
    if ui.json {
        return Ok(ui.print_json(&json!({ "changes": events }))?);
    }
    for event in &events {
        let line = row(event, memory, ui);
        ui.line(line)?;
    }
    if events.is_empty() {
        ui.say("Nothing has changed yet.");
    }
    Ok(())
}

fn row(event: &Event, memory: &Memory, ui: &Ui) -> String {
    let time = event.time.to_zoned(memory.now.time_zone().clone()).strftime("%Y-%m-%d %H:%M").to_string();
    let files = match event.files.as_slice() {
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} +{}", rest.len()),
        [] => String::new(),
    };
    format!(
        "{}  {time}  {:<8} {}  {}",
        ui.paint(Style::Bold, &event.id),
        event.actor,
        clip(&files, 48),
        ui.paint(Style::Dim, &clip(&event.reason, 60))
    )
}

pub(super) fn run_diff(memory: &Memory, id: &str, ui: &mut Ui) -> Outcome {
    let (events, diff) = memory.history().diff(id)?;
    if ui.json {
        return Ok(ui.print_json(&json!({ "changes": events, "diff": diff }))?);
    }
    for event in &events {
        let line = row(event, memory, ui);
        ui.line(line)?;
    }
    let painted = paint_diff(&diff, ui);
    Ok(ui.raw(&painted)?)
}

/// A diff with its signs in colour.
pub(super) fn paint_diff(diff: &str, ui: &Ui) -> String {
    let paint = |line: &str| {
        let style = match line.as_bytes().first() {
            Some(b'+') => Style::Good,
            Some(b'-') => Style::Bad,
            Some(b'@') => Style::Dim,
            _ => return safe(line),
        };
        ui.paint(style, &safe(line))
    };
    diff.lines().map(|line| paint(line) + "\n").collect()
}

pub(crate) fn run_undo(memory: &Memory, id: Option<&str>, ui: &mut Ui) -> Outcome {
    let undone = memory.history().undo(id)?;
    // A directory that was moved back is not here any more.
    if undone.change.is_some() {
        crate::env::take_in_change(memory);
    }
    if ui.json {
        return Ok(ui.print_json(&undone)?);
    }
    if !undone.passed.is_empty() {
        ui.say(format!("passed over {}: purged, or nothing of it is left", undone.passed.join(", ")));
    }
    let again = undone
        .change
        .as_deref()
        .map(|change| format!("  {}", ui.paint(Style::Dim, &format!("redo: memdir undo {change}"))))
        .unwrap_or_default();
    let what = if undone.files.is_empty() { "index lines".to_owned() } else { undone.files.join(", ") };
    Ok(ui.line(format!("took back {}: {what}{again}", undone.undone.join(", ")))?)
}

pub(super) fn run_blame(memory: &Memory, file: &str, ui: &mut Ui) -> Outcome {
    let (file, lines) = memory.history().blame(file)?;
    if ui.json {
        return Ok(ui.print_json(&json!({ "file": file, "lines": lines }))?);
    }
    for line in &lines {
        let time = line
            .time
            .map(|time| time.to_zoned(memory.now.time_zone().clone()).strftime("%Y-%m-%d").to_string())
            .unwrap_or_default();
        let origin =
            format!("{:<10} {time:<10} {:<8}", line.change.as_deref().unwrap_or("-"), line.actor.unwrap_or("-"));
        let row = format!("{} {}", ui.paint(Style::Dim, &origin), safe(&line.text));
        ui.line(row)?;
    }
    Ok(())
}
