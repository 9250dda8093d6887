//! `team sync`: one sync of each team, with a plan and a question the first time.

use memdir::engine::{Error, Memory, SyncEnvironment, SyncReport};
use memdir::team::config::Team;
use memdir::team::sync::Synced;

use super::super::CommandResult;
use crate::env;
use crate::failure::Failure;
use crate::git_program::UserGit;
use crate::ui::{Style, Ui, counted, safe};

pub(super) fn sync(memory: &Memory, name: Option<&str>, dry_run: bool, ui: &mut Ui) -> CommandResult {
    let wanted = memory.teams().wanted(name)?;
    let mut all = Vec::new();
    for team in &wanted {
        if !team.agreed && !dry_run {
            // Who said yes beforehand reads what was done, once, and not what would be.
            if !ui.yes {
                plan(memory, team, ui)?;
            }
            memory.teams().change(Some(&team.name), |team| team.agreed = true)?;
        }
        let synced = once(memory, team, dry_run, ui.interactive())?;
        if !ui.json {
            show(&synced, team, ui)?;
        }
        all.push((team.clone(), synced));
    }
    if all.iter().any(|(_, synced)| !synced.pulled.is_empty()) && !dry_run {
        crate::env::take_in_change(memory);
    }
    if ui.json {
        return Ok(ui.print_json(&SyncReport::of(all))?);
    }
    Ok(())
}

/// Shows what the first sync would do, and asks.
fn plan(memory: &Memory, team: &Team, ui: &mut Ui) -> CommandResult {
    let plan = once(memory, team, true, ui.interactive())?;
    if !ui.json {
        ui.say(format!("The first sync with {} ({}) would:", team.name, safe(&team.source.shown())));
        show(&plan, team, ui)?;
    }
    if ui.confirm(&format!("Share {} with {}?", team.folder(), team.name))? {
        return Ok(());
    }
    Err(Failure::refused("nothing was shared"))
}

/// One sync of one team.
fn once(memory: &Memory, team: &Team, dry: bool, attended: bool) -> Result<Synced, Error> {
    let git = UserGit { attended };
    memory.teams().sync_now(team, &mut SyncEnvironment { git: &git, clock: env::moment, pause: &mut pause }, dry)
}

/// Waits longer with every try, and every process for another time.
pub(crate) fn pause(round: u32) {
    let spread = u64::from(std::process::id()).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(round) % 100;
    let most = 50_u64 << round.min(6);
    std::thread::sleep(std::time::Duration::from_millis(most / 4 + most * spread / 100));
}

fn show(synced: &Synced, team: &Team, ui: &mut Ui) -> CommandResult {
    for (word, style, files) in [
        ("send", Style::Good, &synced.pushed),
        ("fetch", Style::Good, &synced.pulled),
        ("conflict", Style::Warn, &synced.conflicts),
    ] {
        for file in files {
            ui.line(format!("  {:<9} {}", ui.paint(style, word), safe(file)))?;
        }
    }
    for (word, list) in [("stays", &synced.held_back), ("outside", &synced.kept_out)] {
        for held in list {
            ui.line(format!("  {:<9} {}  {}", ui.paint(Style::Warn, word), safe(&held.file), safe(&held.reason)))?;
        }
    }
    let (out, came) = (counted(synced.pushed.len(), "file", "files"), counted(synced.pulled.len(), "file", "files"));
    ui.say(format!("{}: {out} out, {came} in", team.name));
    Ok(())
}
