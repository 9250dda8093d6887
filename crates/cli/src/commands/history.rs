//! `history`, `diff`, `undo`, `blame`.

use memdir::engine::{Memory, TimelineEvent};
use serde_json::json;

use super::{CommandResult, naming};
use crate::failure::Failure;
use crate::ui::{Style, Ui, clip, safe};

pub(super) fn run(memory: &Memory, words: &[String], limit: usize, ui: &mut Ui) -> CommandResult {
    let file = if words.is_empty() { None } else { Some(naming::to_read(memory, words, ui)?) };
    let events = memory.history().events(file.as_deref(), limit)?;
    if ui.json {
        return Ok(ui.print_json(&json!({ "changes": events }))?);
    }
    for act in acts(&events) {
        let line = row(&act, memory, ui);
        ui.line(line)?;
    }
    if events.is_empty() {
        ui.say("Nothing has changed yet.");
    }
    Ok(())
}

/// Changes as `undo` takes them back: those of one act together, where the newest of them stands.
fn acts(events: &[TimelineEvent]) -> Vec<Vec<&TimelineEvent>> {
    let mut acts: Vec<Vec<&TimelineEvent>> = Vec::new();
    for event in events {
        let same = |act: &&mut Vec<&TimelineEvent>| event.group.is_some() && act[0].group == event.group;
        match acts.iter_mut().find(same) {
            Some(act) => act.push(event),
            None => acts.push(vec![event]),
        }
    }
    acts
}

fn row(act: &[&TimelineEvent], memory: &Memory, ui: &Ui) -> String {
    let newest = act[0];
    let time = newest.time.to_zoned(memory.now.time_zone().clone()).strftime("%Y-%m-%d %H:%M").to_string();
    let mut files: Vec<&str> = Vec::new();
    for file in act.iter().flat_map(|event| &event.files) {
        if !files.contains(&file.as_str()) {
            files.push(file);
        }
    }
    let files = match files.as_slice() {
        [one] => (*one).to_owned(),
        [first, rest @ ..] => format!("{first} +{}", rest.len()),
        [] => String::new(),
    };
    format!(
        "{}  {time}  {:<8} {}  {}",
        ui.paint(Style::Bold, newest.group.as_ref().unwrap_or(&newest.id)),
        newest.actor,
        clip(&files, 48),
        ui.paint(Style::Dim, &clip(&newest.reason, 60))
    )
}

pub(super) fn run_diff(memory: &Memory, id: Option<&str>, ui: &mut Ui) -> CommandResult {
    let last = if id.is_some() { None } else { memory.history().events(None, 1)?.pop() };
    let last = last.map(|event| event.group.unwrap_or(event.id));
    let Some(id) = id.or(last.as_deref()) else {
        return Err(Failure::refused("nothing has changed here yet"));
    };
    let (events, diff) = memory.history().diff(id)?;
    if ui.json {
        return Ok(ui.print_json(&json!({ "changes": events, "diff": diff }))?);
    }
    for act in acts(&events) {
        let line = row(&act, memory, ui);
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

pub(crate) fn run_undo(memory: &Memory, id: Option<&str>, ui: &mut Ui) -> CommandResult {
    let undone = memory.history().undo(id)?;
    // A directory that was moved back is not here any more.
    if undone.change.is_some() {
        crate::env::take_in_change(memory);
    }
    if ui.json {
        return Ok(ui.print_json(&undone)?);
    }
    let (purged, left): (Vec<&String>, Vec<&String>) =
        undone.passed.iter().partition(|change| undone.purged.contains(change));
    for (changes, why) in [(purged, "purged"), (left, "nothing of it is left")] {
        for change in changes {
            ui.say(format!("passed over {change}: {why}"));
        }
    }
    let again = undone
        .change
        .as_deref()
        .map(|change| format!("  {}", ui.paint(Style::Dim, &format!("redo: memdir undo {change}"))))
        .unwrap_or_default();
    let what = if undone.files.is_empty() { "index lines".to_owned() } else { undone.files.join(", ") };
    Ok(ui.done(format!("took back {}: {what}{again}", undone.name))?)
}

pub(super) fn run_blame(memory: &Memory, words: &[String], ui: &mut Ui) -> CommandResult {
    let (file, lines) = memory.history().blame(&naming::to_read(memory, words, ui)?)?;
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
