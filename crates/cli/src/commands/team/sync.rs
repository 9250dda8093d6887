//! `team sync`: one sync of each team, with a plan and a question the first time.

use memdir::engine::{Error, Memory, SyncEnvironment};
use memdir::team::config::Team;
use memdir::team::sync::Synced;
use serde_json::{Value, json};

use super::super::Outcome;
use crate::env;
use crate::failure::Failure;
use crate::git_program::UserGit;
use crate::ui::{Style, Ui, counted, safe};

pub(super) fn sync(memory: &Memory, name: Option<&str>, dry_run: bool, ui: &mut Ui) -> Outcome {
    let wanted = wanted(memory, name)?;
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
        return Ok(ui.print_json(&document(&all))?);
    }
    Ok(())
}

/// Shows what the first sync would do, and asks.
fn plan(memory: &Memory, team: &Team, ui: &mut Ui) -> Outcome {
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

/// The same for a program that asks: it cannot see a plan and say yes to it, so the first time is for a person.
pub(crate) fn asked_for(memory: &Memory, name: Option<&str>, dry_run: bool) -> Result<Value, Error> {
    let wanted = wanted(memory, name)?;
    if let Some(team) = wanted.iter().find(|team| !team.agreed && !dry_run) {
        return Err(Error::Refused(format!(
            "the first sync with {} shows a plan and asks; run `memdir team sync` at a terminal",
            team.name
        )));
    }
    let mut all = Vec::new();
    for team in wanted {
        let synced = once(memory, &team, dry_run, false)?;
        all.push((team, synced));
    }
    Ok(document(&all))
}

fn wanted(memory: &Memory, name: Option<&str>) -> Result<Vec<Team>, Error> {
    let teams = memory.teams().list()?;
    let named = memory.teams().named(&teams, name)?;
    Ok(if name.is_some() { vec![named.clone()] } else { teams.teams })
}

/// One sync of one team.
fn once(memory: &Memory, team: &Team, dry: bool, attended: bool) -> Result<Synced, Error> {
    let git = UserGit { attended };
    let synced =
        memory.teams().sync(team, &mut SyncEnvironment { git: &git, clock: env::moment, pause: &mut pause }, dry)?;
    synced
        .ok_or_else(|| Error::Refused(format!("another process syncs {} right now; try again in a moment", team.name)))
}

/// Waits longer with every try, and every process for another time.
pub(crate) fn pause(round: u32) {
    let spread = u64::from(std::process::id()).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(round) % 100;
    let most = 50_u64 << round.min(6);
    std::thread::sleep(std::time::Duration::from_millis(most / 4 + most * spread / 100));
}

fn document(all: &[(Team, Synced)]) -> Value {
    let files = |pick: fn(&Synced) -> &Vec<String>| -> Vec<String> {
        all.iter()
            .flat_map(|(team, synced)| pick(synced).iter().map(move |file| format!("{}{file}", team.folder())))
            .collect()
    };
    let held = |pick: fn(&Synced) -> &Vec<memdir::team::sync::Held>| -> Vec<Value> {
        let rows = all.iter().flat_map(|(team, synced)| pick(synced).iter().map(move |held| (team, held)));
        rows.map(|(team, held)| json!({ "file": format!("{}{}", team.folder(), held.file), "reason": held.reason }))
            .collect()
    };
    json!({
        "pushed": files(|synced| &synced.pushed),
        "pulled": files(|synced| &synced.pulled),
        "conflicts": files(|synced| &synced.conflicts),
        "held_back": held(|synced| &synced.held_back),
        "kept_out": held(|synced| &synced.kept_out),
        "teams": all.iter().map(|(team, synced)| json!({ "name": team.name, "synced": synced })).collect::<Vec<_>>(),
    })
}

fn show(synced: &Synced, team: &Team, ui: &mut Ui) -> Outcome {
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
