//! `told`: what agents were told, session by session.

use memdir::engine::{Memory, RatedMemory, ToldMoment, ToldSession};
use serde_json::json;

use super::{CommandResult, status};
use crate::failure::Failure;
use crate::ui::{Style, Ui, counted, safe};

pub(super) fn run(memory: &Memory, session: Option<&str>, limit: usize, ui: &mut Ui) -> CommandResult {
    let mut sessions = memory.sessions().told(session)?;
    sessions.truncate(limit);
    if let (Some(session), true) = (session, sessions.is_empty()) {
        let session = safe(session);
        return Err(Failure::refused(format!(
            "nothing is known of a session {session}; `memdir told` lists those that are"
        )));
    }
    if ui.json {
        return Ok(ui.print_json(&json!({ "sessions": sessions }))?);
    }
    for (at, told) in sessions.iter().enumerate() {
        if at > 0 {
            ui.line("")?;
        }
        heading(memory, told, ui)?;
        for moment in &told.moments {
            print(memory, moment, ui)?;
        }
        if told.silent > 0 {
            let calls = counted(told.silent, "further call", "further calls");
            let line = ui.paint(Style::Dim, &format!("  {calls} with nothing to say"));
            ui.line(line)?;
        }
    }
    if !sessions.is_empty() {
        return Ok(());
    }
    ui.say(format!("No agent has asked yet. {}", status::until_one_asks(memory)));
    Ok(())
}

fn heading(memory: &Memory, told: &ToldSession, ui: &mut Ui) -> CommandResult {
    let name = told.session.as_deref().map_or_else(|| "a session without a name".to_owned(), safe);
    let about = format!("{}, {}, about {} tokens", safe(&told.host), clock(memory, &told.first, true), told.tokens);
    let line = format!("{}  {}", ui.paint(Style::Bold, &name), ui.paint(Style::Dim, &about));
    Ok(ui.line(line)?)
}

fn print(memory: &Memory, moment: &ToldMoment, ui: &mut Ui) -> CommandResult {
    let mut what = Vec::new();
    if !moment.blocks.is_empty() {
        what.push(safe(&moment.blocks.join(", ")));
    }
    if moment.left_out > 0 {
        what.push(format!("{} did not fit", counted(moment.left_out, "line of the index", "lines of the index")));
    }
    if moment.refused {
        what.push("the call was refused once".to_owned());
    }
    if let Some(reason) = &moment.reason {
        what.push(format!("nothing: {}", safe(reason)));
    }
    let time = clock(memory, &moment.time, false);
    ui.line(format!("  {time}  {:<14}  {}", words(&moment.event), what.join("; ")).trim_end())?;
    for one in &moment.memories {
        let score = one.score.map_or_else(String::new, |score| format!("{score:.2}  "));
        let why = format!("{score}{}", safe(one.why.as_deref().unwrap_or_default()));
        let line =
            format!("      {}  {}{}", named(&one.about), ui.paint(Style::Good, why.trim_end()), rating(&one.about));
        ui.line(line.trim_end())?;
    }
    for one in &moment.held_back {
        let line = format!("      not {}: {}{}", named(&one.about), safe(&one.why), rating(&one.about));
        let line = ui.paint(Style::Dim, &line);
        ui.line(line)?;
    }
    Ok(())
}

fn named(about: &RatedMemory) -> String {
    safe(&about.file)
}

fn rating(about: &RatedMemory) -> String {
    about.rating.map_or_else(String::new, |rating| format!("  (you said: {})", rating.words()))
}

/// What happened, for people.
fn words(event: &str) -> &str {
    match event {
        "session-start" => "start",
        "before-tool" => "before a call",
        "after-tool" => "after a call",
        "agent-start" => "sub-agent",
        "turn-end" => "end of a turn",
        other => other,
    }
}

fn clock(memory: &Memory, time: &str, with_day: bool) -> String {
    let format = if with_day { "%Y-%m-%d %H:%M" } else { "%H:%M" };
    let zone = memory.now.time_zone().clone();
    let at = time.parse::<jiff::Timestamp>().map(|at| at.to_zoned(zone).strftime(format).to_string());
    at.unwrap_or_else(|_| safe(time))
}
