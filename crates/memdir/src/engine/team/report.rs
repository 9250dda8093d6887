//! Syncs of several teams, and their result as one document.
//!
//! Enters: which team, or all of them. Leaves: what moved, what was held back and why, with paths as they are in the memory directory.
//! Never makes a first sync: that shows a plan, and a person says yes to it.

use serde::Serialize;

use super::SyncEnvironment;
use crate::engine::{Error, Sharing};
use memdir_team::config::Team;
use memdir_team::sync::{HeldItem, Synced};

/// The result of syncing some teams.
#[derive(Debug, Serialize)]
pub struct SyncReport {
    /// Files that others get.
    pub pushed: Vec<String>,
    /// Files that came from others.
    pub pulled: Vec<String>,
    /// Files that two sides changed in different ways.
    pub conflicts: Vec<String>,
    /// Files that stay here.
    pub held_back: Vec<HeldItem>,
    /// Files of others that stay outside.
    pub kept_out: Vec<HeldItem>,
    /// The same team by team.
    pub teams: Vec<SyncedTeam>,
}

/// One team's sync.
#[derive(Debug, Serialize)]
pub struct SyncedTeam {
    /// The team.
    pub name: String,
    /// What came of it.
    pub synced: Synced,
}

impl SyncReport {
    /// Puts syncs together.
    pub fn of(all: Vec<(Team, Synced)>) -> SyncReport {
        let files = |pick: fn(&Synced) -> &Vec<String>| -> Vec<String> {
            let rows = all.iter().flat_map(|(team, synced)| pick(synced).iter().map(move |file| (team, file)));
            rows.map(|(team, file)| format!("{}{file}", team.folder())).collect()
        };
        let held = |pick: fn(&Synced) -> &Vec<HeldItem>| -> Vec<HeldItem> {
            let rows = all.iter().flat_map(|(team, synced)| pick(synced).iter().map(move |held| (team, held)));
            rows.map(|(team, held)| HeldItem { file: format!("{}{}", team.folder(), held.file), ..held.clone() })
                .collect()
        };
        SyncReport {
            pushed: files(|synced| &synced.pushed),
            pulled: files(|synced| &synced.pulled),
            conflicts: files(|synced| &synced.conflicts),
            held_back: held(|synced| &synced.held_back),
            kept_out: held(|synced| &synced.kept_out),
            teams: all.into_iter().map(|(team, synced)| SyncedTeam { name: team.name, synced }).collect(),
        }
    }
}

impl Sharing<'_> {
    /// The team of this name, or all of them.
    pub fn wanted(&self, name: Option<&str>) -> Result<Vec<Team>, Error> {
        let teams = self.list()?;
        let named = self.named(&teams, name)?;
        Ok(if name.is_some() { vec![named.clone()] } else { teams.teams })
    }

    /// Syncs a team, or says that somebody else does so right now.
    pub fn sync_now(&self, team: &Team, environment: &mut SyncEnvironment<'_>, dry: bool) -> Result<Synced, Error> {
        self.sync(team, environment, dry)?.ok_or_else(|| {
            Error::Refused(format!("another process syncs {} right now; try again in a moment", team.name))
        })
    }

    /// Syncs a team, or all of them, for a program: it cannot see a plan and say yes to it, so the first time is for a person.
    pub fn sync_agreed(
        &self,
        name: Option<&str>,
        environment: &mut SyncEnvironment<'_>,
        dry: bool,
    ) -> Result<SyncReport, Error> {
        let wanted = self.wanted(name)?;
        if let Some(team) = wanted.iter().find(|team| !team.agreed && !dry) {
            return Err(Error::FirstSync(team.name.clone()));
        }
        let synced = |team: Team| self.sync_now(&team, environment, dry).map(|synced| (team, synced));
        Ok(SyncReport::of(wanted.into_iter().map(synced).collect::<Result<_, Error>>()?))
    }
}
