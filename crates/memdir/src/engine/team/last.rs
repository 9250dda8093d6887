//! What came of the last sync of a team, and when the next may try.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::engine::{Error, Memory};
use memdir_core::limits;
use memdir_store::fs::{self, Durability};
use memdir_team::config::Team;
use memdir_team::sync::{HeldItem, SyncError, Synced};

/// What came of the last sync.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LastSync {
    /// When it was.
    pub time: Option<Timestamp>,
    /// Why it failed, if it did.
    pub error: Option<String>,
    /// How often in a row.
    #[serde(default)]
    pub failures: u32,
    /// How many files went out and came in.
    #[serde(default)]
    pub pushed: usize,
    /// See above.
    #[serde(default)]
    pub pulled: usize,
    /// What stays here, and why.
    #[serde(default)]
    pub held_back: Vec<(String, String)>,
    /// What stays outside, and why.
    #[serde(default)]
    pub kept_out: Vec<(String, String)>,
}

impl LastSync {
    /// When the background may try again: twice as long after each failure in a row.
    pub fn next(&self) -> Option<Timestamp> {
        let quiet = limits::TEAM_QUIET_SECONDS << self.failures.min(limits::TEAM_BACKOFF_DOUBLINGS);
        self.time?.checked_add(SignedDuration::from_secs(quiet)).ok()
    }
}

impl Memory {
    /// What came of the last sync of a team.
    pub(crate) fn last_sync(&self, team: &Team) -> Result<LastSync, Error> {
        let file = self.team_state(&team.name)?.join("last.json");
        Ok(serde_json::from_slice(&fs::read_beside(&file)?).unwrap_or_default())
    }

    pub(super) fn note_sync(&self, team: &Team, outcome: &Result<Synced, SyncError>) -> Result<(), Error> {
        let before = self.last_sync(team)?;
        let pairs = |list: &[HeldItem]| list.iter().map(|held| (held.file.clone(), held.reason.clone())).collect();
        let time = Some(self.now.timestamp());
        let last = match outcome {
            Ok(synced) => LastSync {
                time,
                error: None,
                failures: 0,
                pushed: synced.pushed.len(),
                pulled: synced.pulled.len(),
                held_back: pairs(&synced.held_back),
                kept_out: pairs(&synced.kept_out),
            },
            Err(error) => LastSync { time, error: Some(error.to_string()), failures: before.failures + 1, ..before },
        };
        let file = self.team_state(&team.name)?.join("last.json");
        Ok(fs::replace(&file, &serde_json::to_vec(&last).unwrap_or_default(), Durability::Cache)?)
    }
}
