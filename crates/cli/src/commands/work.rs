//! `enqueue` and `work`: what a hook leaves behind, and the process that does it.

use std::path::Path;
use std::time::Duration;

use memdir::engine::{Memory, TeamMeans, TurnEnd};
use memdir::host::Host;

use super::{Outcome, dream};
use crate::env;
use crate::git_program::UserGit;
use crate::ui::Ui;

pub(super) fn enqueue(
    memory: &Memory,
    transcript: &Path,
    host: Host,
    (sub_agent, unattended): (bool, bool),
    ui: &mut Ui,
) -> Outcome {
    let transcript = memory.around.below_cwd(transcript);
    let gate = memory.enqueue(&TurnEnd { host, transcript: &transcript, sub_agent, unattended })?;
    if gate.run {
        env::work_in_background(memory);
    }
    if ui.json {
        return Ok(ui.print_json(&gate)?);
    }
    ui.say(format!("{} ({})", if gate.run { "waits" } else { "does not wait" }, gate.reason));
    Ok(())
}

pub(super) fn run(memory: &Memory, settle: bool, ui: &mut Ui) -> Outcome {
    let patience = if settle { Duration::from_secs(memdir::limits::SETTLE_SECONDS) } else { Duration::ZERO };
    let worked = memory.work(patience)?;
    if worked.runs.iter().any(|run| !run.extracted.saved.is_empty()) {
        super::changed(memory);
    }
    // A team that cannot be reached is noted with it; the rest of the work goes on.
    let git = UserGit { attended: false };
    let mut means = TeamMeans { git: &git, clock: env::clock, pause: &mut super::team::pause };
    let shared = memory.sync_due_teams(&mut means).unwrap_or_default();
    if shared.iter().any(|(_, synced)| !synced.pulled.is_empty()) {
        super::changed(memory);
    }
    if ui.json {
        return Ok(ui.print_json(&worked)?);
    }
    for line in worked.runs.iter().filter_map(|run| run.extracted.line()) {
        ui.say(line);
    }
    // The quiet hour after the work: put memory in order when it is time (D1).
    if !worked.busy && memory.dream_gate().run {
        dream::run(memory, &dream::Wanted { force: false, dry_run: false, yes: false }, ui)?;
    }
    Ok(())
}
