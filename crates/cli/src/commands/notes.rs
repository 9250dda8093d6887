//! `notes`: the notes of a session, their template, and an update by the model or agent, else by rule.

use std::path::Path;
use std::sync::Arc;

use memdir::engine::{Memory, ModelEnvironment, NotesReport};
use serde_json::json;

use super::CommandResult;
use crate::args::NotesCommand;
use crate::env;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::ui::{Style, Ui, safe};

pub(super) fn run(memory: &Memory, command: Option<NotesCommand>, ui: &mut Ui) -> CommandResult {
    match command.unwrap_or(NotesCommand::Show { session: None }) {
        NotesCommand::Template => {
            let text = memory.sessions().notes_template();
            if ui.json {
                return Ok(ui.print_json(&json!({ "sections": titles(&text), "text": text }))?);
            }
            Ok(ui.raw(&text)?)
        }
        NotesCommand::Show { session } => {
            let session = session.or_else(|| memory.signature.session.clone());
            let Some(session) = session else {
                return Err(Failure::refused("which session? `memdir notes show SESSION`, or set MEMDIR_SESSION"));
            };
            let report = memory.sessions().notes(&session)?;
            if !ui.json && !Path::new(&report.path).exists() {
                let session = safe(&session);
                return Err(Failure::refused(format!(
                    "there are no notes of a session {session} yet; `memdir notes update TRANSCRIPT` writes them"
                )));
            }
            print(&report, ui)
        }
        NotesCommand::Update { transcript, session } => {
            let session = session.unwrap_or_else(|| stem(&transcript));
            let transcript = memory.around.below_cwd(&transcript);
            // Ctrl-C leaves the notes as they were.
            let interrupt = Interrupt::hold();
            let (shell, own_texts) = (env::programs(memory), env::own_texts(memory));
            let runner = Some(Arc::new(crate::runner::Processes) as _);
            let environment =
                ModelEnvironment { shell: &shell, cancel: interrupt.cancel(), own_texts: &own_texts, runner };
            let update = memory.sessions().think_notes(&session, &transcript, None, &environment)?;
            if ui.json {
                return Ok(ui.print_json(&update)?);
            }
            if let Some(reason) = update.reason.as_deref().filter(|reason| reason.starts_with("model:")) {
                ui.warn(format!("written by rule, not by the model ({})", safe(reason)));
            }
            print(&update.notes, ui)
        }
    }
}

fn titles(text: &str) -> Vec<serde_json::Value> {
    text.lines()
        .filter_map(|line| line.strip_prefix("# "))
        .map(|title| json!({ "title": title, "tokens": 0 }))
        .collect()
}

/// A transcript is named after its session.
fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn print(report: &NotesReport, ui: &mut Ui) -> CommandResult {
    if ui.json {
        return Ok(ui.print_json(report)?);
    }
    ui.raw(&report.text)?;
    for section in report.sections.iter().filter(|section| section.over) {
        let line = format!("{} has about {} tokens, more than a section should", section.title, section.tokens);
        ui.warn(line);
    }
    let path = ui.paint(Style::Dim, &report.path);
    ui.say(path);
    Ok(())
}
