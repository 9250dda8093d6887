//! `status`: where memory is, on or off, and which rule decided.

use memdir::engine::{Gate, LastExtraction, Memory, ModelStatus};

use super::Outcome;
use crate::ui::{Style, Ui, counted, safe};

pub(super) fn run(memory: &Memory, ui: &mut Ui) -> Outcome {
    let status = memory.status()?;
    if ui.json {
        return Ok(ui.print_json(&status)?);
    }
    let dim = |ui: &Ui, text: &str| ui.paint(Style::Dim, text);
    let switch = if status.memory.enabled { ui.paint(Style::Good, "on") } else { ui.paint(Style::Bad, "off") };
    let dir = status.memory.dir.as_deref().map_or_else(|| ui.paint(Style::Bad, "none"), safe);
    let new = if status.memory.exists { "" } else { " (not made yet)" };
    let lines = [
        format!("project   {}", safe(&status.project.root)),
        format!("memory    {dir}{new}"),
        format!("          {}", dim(ui, &format!("{}: {}", status.memory.rule, status.memory.rule_text))),
        format!(
            "enabled   {switch}  {}",
            dim(ui, &format!("{}: {}", status.memory.enabled_rule, status.memory.enabled_text))
        ),
        format!("user      {}", status.memory.user_dir.as_deref().map_or_else(|| "none".to_owned(), safe)),
        format!("history   {}", safe(&status.memory.state_dir)),
        format!(
            "memories  {} user, {} feedback, {} project, {} reference, {} untyped, {} logs",
            status.counts.user,
            status.counts.feedback,
            status.counts.project,
            status.counts.reference,
            status.counts.untyped,
            status.counts.logs
        ),
        format!("extract   {}", gate(&status.gates.extract)),
        format!("dream     {}", gate(&status.gates.dream)),
        format!("recall    {}", gate(&status.gates.recall)),
        format!("model     {}", model(&status.model)),
        format!("          {}", dim(ui, &format!("{}: {}", status.model.reason, safe(&status.model.reason_text)))),
    ];
    for line in lines {
        ui.line(line)?;
    }
    for team in &status.teams {
        ui.line(format!("team      {}  {}", team.name, gate(&team.gate)))?;
    }
    if let Some(last) = &status.last_extraction {
        ui.line(format!("learned   {}", last_extraction(last)))?;
    }
    if status.stale.count > 0 {
        let (files, shown) = (&status.stale.memories, 5);
        let names: Vec<String> = files.iter().take(shown).map(|stale| safe(&stale.file)).collect();
        let more = if files.len() > shown { ", …" } else { "" };
        let memories = counted(status.stale.count, "memory names", "memories name");
        ui.line(format!("stale     {memories} what is gone: {}{more}", names.join(", ")))?;
    }
    for warning in &status.warnings {
        let line = format!("{}  {}", ui.paint(Style::Warn, "warning"), safe(warning));
        ui.line(line)?;
    }
    Ok(())
}

fn last_extraction(last: &LastExtraction) -> String {
    if last.ended == "offline" {
        return format!("{} by the built-in engine", last.time.strftime("%Y-%m-%d %H:%M"));
    }
    let files = if last.files.is_empty() { "nothing saved".to_owned() } else { safe(&last.files.join(", ")) };
    let cached = last.hit_percent.map_or_else(String::new, |share| format!(", {share:.0} % read from cache"));
    let tokens = last.usage.total();
    format!("{}: {} ({}, {tokens} tokens{cached})", last.time.strftime("%Y-%m-%d %H:%M"), files, safe(&last.ended))
}

fn model(model: &ModelStatus) -> String {
    let who =
        model.model.as_ref().map_or_else(|| model.driver.to_owned(), |name| format!("{}/{}", model.driver, safe(name)));
    if model.model.is_none() && model.calls_today == 0 {
        return who;
    }
    let cached = model.cache_hit_percent.map_or_else(String::new, |share| format!(", {share:.0} % read from cache"));
    format!("{who}  {} of {} tokens today{cached}", model.spent_today, model.limit)
}

fn gate(gate: &Gate) -> String {
    format!("{} ({})", if gate.run { "would run" } else { "would not run" }, gate.reason)
}

/// `status --hooks`: the last hook calls.
pub(super) fn hooks(memory: &Memory, ui: &mut Ui) -> Outcome {
    let calls = memory.hook_calls()?;
    if ui.json {
        return Ok(ui.print_json(&serde_json::json!({ "hooks": calls }))?);
    }
    for call in &calls {
        let what = match &call.reason {
            Some(reason) => format!("nothing: {}", safe(reason)),
            None => format!("{} bytes: {}", call.bytes, safe(&call.shown.join(", "))),
        };
        let time = call.time.get(..19).unwrap_or(&call.time);
        let ms = format!("{} ms", call.ms);
        ui.line(format!("{time}  {:<12} {:<14} {ms:>7}  {what}", safe(&call.host), safe(&call.event)))?;
    }
    if calls.is_empty() {
        ui.say("No agent has called a hook yet. `memdir init` wires memdir into the agents on this machine.");
    }
    Ok(())
}
