//! `enqueue` and `work`: what a hook leaves behind, and the process that does it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use memdir::engine::{DreamRequest, Memory, ModelEnvironment, SyncEnvironment, TurnEnd};
use memdir::hosts::Host;
use memdir::model::Cancel;
use memdir::model::command::Runner;

use super::{CommandResult, dream};
use crate::env;
use crate::git_program::UserGit;
use crate::hint;
use crate::ui::Ui;

pub(super) fn enqueue(
    memory: &Memory,
    transcript: &Path,
    host: Host,
    (sub_agent, unattended): (bool, bool),
    ui: &mut Ui,
) -> CommandResult {
    let transcript = memory.around.below_cwd(transcript);
    let gate = memory.jobs().enqueue(&TurnEnd { host, transcript: &transcript, sub_agent, unattended })?;
    if gate.run {
        env::work_in_background(memory);
    }
    if ui.json {
        return Ok(ui.print_json(&gate)?);
    }
    ui.say(format!("{} ({})", if gate.run { "waits" } else { "does not wait" }, gate.reason));
    Ok(())
}

pub(super) fn run(memory: &Memory, settle: bool, ui: &mut Ui) -> CommandResult {
    let patience = if settle { Duration::from_secs(memdir::limits::SETTLE_SECONDS) } else { Duration::ZERO };
    let (shell, texts) = (env::programs(memory), env::own_texts(memory));
    let runner = Some(Arc::new(crate::runner::Processes) as Arc<dyn Runner>);
    let model =
        || ModelEnvironment { shell: &shell, cancel: Cancel::default(), own_texts: &texts, runner: runner.clone() };
    let worked = memory.jobs().work(&mut memory.learn().choose_engine(model()), patience)?;
    if worked.runs.iter().any(|run| !run.extracted.saved.is_empty()) {
        env::take_in_change(memory);
    }
    // A team that cannot be reached is noted with it; the rest of the work goes on.
    let git = UserGit { attended: false };
    let mut sync = SyncEnvironment { git: &git, clock: env::moment, pause: &mut super::team::pause };
    let shared = memory.teams().sync_due(&mut sync).unwrap_or_default();
    if shared.iter().any(|(_, synced)| !synced.pulled.is_empty()) {
        env::take_in_change(memory);
    }
    if ui.json {
        return Ok(ui.print_json(&worked)?);
    }
    for line in worked.runs.iter().filter_map(|run| hint::extracted_line(&run.extracted)) {
        ui.say(line);
    }
    for run in &worked.runs {
        // Notes are a help for later; a conversation without a usable name has none.
        let Some(session) = &run.session else { continue };
        let _ = memory.sessions().think_notes_when_due(session, &run.transcript, Some(run.host), &model());
    }
    // The quiet hour after the work: put memory in order when it is time (D1).
    if !worked.busy && memory.dream().is_due() {
        dream::run(memory, &DreamRequest { announce: true, ..DreamRequest::default() }, ui)?;
    }
    Ok(())
}
