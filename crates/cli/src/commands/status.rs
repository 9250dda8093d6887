//! `status`: where memory is, on or off, and which rule decided.

use memdir::engine::{
    JobGate, LastExtraction, Memory, ModelStatus, SearchProgress, Status, TypeCounts, WiredAgent, wired_agents,
};

use super::CommandResult;
use crate::env;
use crate::hint;
use crate::ui::{Style, Ui, counted, safe};

pub(super) fn run(memory: &Memory, ui: &mut Ui) -> CommandResult {
    let mut status = memory.status()?;
    look_at_wiring(memory, &mut status);
    status.model.reason_text = hint::with_command(&status.model.reason_text, status.model.hint().as_ref());
    status.warnings.iter_mut().for_each(hint::complete);
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
        format!("memories  {}", how_many(&status.counts)),
        format!("agents    {}", agents(&status.agents)),
        format!("extract   {}", gate(&status.gates.extract)),
        format!("dream     {}", gate(&status.gates.dream)),
        format!("recall    {}{}", gate(&status.gates.recall), so_far(status.search)),
        format!("model     {}", model(&status.model)),
        format!("          {}", dim(ui, &safe(&status.model.reason_text))),
    ];
    for line in lines {
        ui.line(line)?;
    }
    if status.gates.dream_user.reason != "no-memories" {
        ui.line(format!(
            "          {}",
            dim(ui, &format!("dream of your own memory: {}", safe(&status.gates.dream_user.words())))
        ))?;
    }
    for team in &status.teams {
        ui.line(format!("team      {}  {}", team.name, gate(&team.gate)))?;
    }
    if let Some(now) = &status.dreaming {
        let files = if now.files.is_empty() { String::new() } else { format!(": {}", safe(&now.files.join(", "))) };
        ui.line(format!("dreaming  {}, {}{files}", safe(&now.phase), safe(&now.text)))?;
        ui.line(format!("          {}", dim(ui, "`memdir dream --stop` stops it; nothing is changed then")))?;
    }
    if let Some(last) = &status.last_dream {
        ui.line(format!("dreamt    {}", last.strftime("%Y-%m-%d %H:%M UTC")))?;
    }
    if let Some(last) = &status.last_extraction {
        ui.line(format!("learned   {}", last_extraction(last)))?;
        for down in &last.turned_down {
            let what = format!("{}: {} {}", safe(&down.rule), safe(&down.file), safe(&down.reason));
            ui.line(format!("          {}", dim(ui, &format!("not saved, {what}"))))?;
        }
    }
    if status.inbox > 0 {
        let changes = counted(status.inbox, "change waits", "changes wait");
        ui.line(format!("inbox     {changes} for your yes: memdir inbox"))?;
    }
    if status.stale.count > 0 {
        let (files, shown) = (&status.stale.memories, 5);
        let names: Vec<String> = files.iter().take(shown).map(|stale| safe(&stale.file)).collect();
        let more = if files.len() > shown { ", …" } else { "" };
        let memories = counted(status.stale.count, "memory names", "memories name");
        ui.line(format!("stale     {memories} what is gone: {}{more}", names.join(", ")))?;
    }
    for warning in &status.warnings {
        let line = format!("{}  {}", ui.paint(Style::Warn, "warning"), safe(&warning.text));
        ui.line(line)?;
    }
    Ok(())
}

fn look_at_wiring(memory: &Memory, status: &mut Status) {
    if let Ok(program) = env::own_program(&memory.around) {
        status.look_at_wiring(&env::machine(memory, &program, &|name| env::has_program(&memory.around, name)));
    }
}

/// How many memories of each type there are.
fn how_many(counts: &TypeCounts) -> String {
    let of = [
        (counts.user, "user"),
        (counts.feedback, "feedback"),
        (counts.project, "project"),
        (counts.reference, "reference"),
        (counts.untyped, "untyped"),
    ];
    let mut parts: Vec<String> =
        of.iter().filter(|(count, _)| *count > 0).map(|(count, kind)| format!("{count} {kind}")).collect();
    if parts.is_empty() {
        parts.push("none yet".to_owned());
    }
    if counts.logs > 0 {
        parts.push(counted(counts.logs, "log", "logs"));
    }
    parts.join(", ")
}

/// Which agents are wired, so that nobody has to guess why one says nothing.
fn agents(agents: &[WiredAgent]) -> String {
    let named = |agent: &WiredAgent| {
        let not_yet = if agent.runs { "" } else { " (will not run it yet)" };
        format!("{}{not_yet}", agent.title)
    };
    match agents {
        [] => "none is wired; `memdir init` does it".to_owned(),
        agents => agents.iter().map(named).collect::<Vec<_>>().join(", "),
    }
}

/// What to do where no agent has asked yet.
pub(super) fn until_one_asks(memory: &Memory) -> String {
    let wired = env::own_program(&memory.around).map_or_else(
        |_| Vec::new(),
        |program| wired_agents(&env::machine(memory, &program, &|name| env::has_program(&memory.around, name))),
    );
    match wired.as_slice() {
        [] => "`memdir init` wires memdir into the agents on this machine.".to_owned(),
        [one] if one.runs => format!("{} is wired: start it and ask it something.", one.title),
        several if several.iter().any(|agent| agent.runs) => {
            let titles: Vec<&str> = several.iter().filter(|agent| agent.runs).map(|agent| agent.title).collect();
            format!("{} are wired: start one and ask it something.", titles.join(" and "))
        }
        _ => "What is wired does not run yet; `memdir doctor` says why.".to_owned(),
    }
}

/// `status --line`: what a glance at an agent's status line is for.
pub(super) fn line(memory: &Memory, ui: &mut Ui) -> CommandResult {
    let mut status = memory.status()?;
    look_at_wiring(memory, &mut status);
    let TypeCounts { user, feedback, project, reference, untyped, .. } = status.counts;
    let memories = user + feedback + project + reference + untyped;
    let mut parts = vec![if status.memory.enabled {
        format!("memdir: {}", counted(memories, "memory", "memories"))
    } else {
        "memdir: off".to_owned()
    }];
    if status.inbox > 0 {
        parts.push(counted(status.inbox, "change waits", "changes wait"));
    }
    if !status.warnings.is_empty() {
        parts.push(format!("{} (memdir status)", counted(status.warnings.len(), "warning", "warnings")));
    }
    let line = parts.join(" · ");
    if ui.json {
        return Ok(ui.print_json(&serde_json::json!({ "line": line }))?);
    }
    Ok(ui.line(line)?)
}

fn last_extraction(last: &LastExtraction) -> String {
    let files = if last.files.is_empty() { "nothing saved".to_owned() } else { safe(&last.files.join(", ")) };
    let cost = if last.ended == "offline" {
        let why = last.reason.as_deref().map_or_else(String::new, |reason| format!(", {}", safe(reason)));
        format!("by the built-in engine{why}")
    } else {
        let cached = last.hit_percent.map_or_else(String::new, |share| format!(", {share:.0} % read from cache"));
        format!("{}, {} tokens{cached}", safe(&last.ended), last.usage.total())
    };
    let undo = last.change.as_ref().map_or_else(String::new, |change| format!("; undo: memdir undo {}", safe(change)));
    format!("{}: {files} ({cost}){undo}", last.time.strftime("%Y-%m-%d %H:%M"))
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

/// How far the background is with what recall goes by, while it is at work.
fn so_far(SearchProgress { by_words, by_meaning }: SearchProgress) -> String {
    if by_meaning == by_words {
        return String::new();
    }
    format!("; {by_meaning} of {by_words} memories are found by their meaning so far, all by their words")
}

fn gate(gate: &JobGate) -> String {
    format!("{} ({})", if gate.run { "would run" } else { "would not run" }, safe(&gate.words()))
}

/// `status --hooks`: the last hook calls.
pub(super) fn hooks(memory: &Memory, ui: &mut Ui) -> CommandResult {
    let calls = memory.sessions().hook_calls()?;
    if ui.json {
        return Ok(ui.print_json(&serde_json::json!({ "hooks": calls }))?);
    }
    for call in &calls {
        let what = match &call.reason {
            Some(reason) => format!("nothing: {}", safe(reason)),
            None => {
                let why =
                    if call.why.is_empty() { String::new() } else { format!(" ({})", safe(&call.why.join("; "))) };
                let held = if call.held { "held, " } else { "" };
                format!("{held}{} bytes: {}{why}", call.bytes, safe(&call.shown.join(", ")))
            }
        };
        let zone = memory.now.time_zone().clone();
        let time = call
            .time
            .parse::<jiff::Timestamp>()
            .map_or_else(|_| safe(&call.time), |time| time.to_zoned(zone).strftime("%Y-%m-%d %H:%M:%S").to_string());
        let ms = format!("{} ms", call.ms);
        let elsewhere = call.project != memory.place.project.root.display().to_string();
        let place =
            if elsewhere { ui.paint(Style::Dim, &format!("  in {}", safe(&call.project))) } else { String::new() };
        ui.line(format!("{time}  {:<12} {:<14} {ms:>7}  {what}{place}", safe(&call.host), safe(&call.event)))?;
    }
    if calls.is_empty() {
        ui.say(format!("No agent has called a hook yet. {}", until_one_asks(memory)));
    }
    Ok(())
}
