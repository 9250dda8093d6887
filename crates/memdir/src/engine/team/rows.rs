//! The teams of a project as they are shown: at a terminal and over HTTP.

use serde::Serialize;

use super::LastSync;
use crate::engine::{Error, JobGate, Sharing};

/// One team, as it is shown.
#[derive(Clone, Debug, Serialize)]
pub struct TeamRow {
    /// What it is called here.
    pub name: String,
    /// Where it shares, without a password.
    pub source: String,
    /// Where its memories are, in the memory directory.
    pub folder: String,
    /// It is above the project's own team.
    pub parent: bool,
    /// This machine only reads.
    pub read_only: bool,
    /// The user has seen the plan and said yes.
    pub agreed: bool,
    /// Authors whose memories stay outside.
    pub muted: Vec<String>,
    /// If there are any, only these authors are let in.
    pub only: Vec<String>,
    /// Whether the background would sync now, and why or why not.
    pub gate: JobGate,
    /// What came of the last sync.
    pub last: LastSync,
}

impl Sharing<'_> {
    /// The teams of this project, the nearest first, as they are shown.
    pub fn rows(&self) -> Result<Vec<TeamRow>, Error> {
        let row = |(team, gate): (memdir_team::config::Team, JobGate)| {
            Ok(TeamRow {
                last: self.memory.last_sync(&team)?,
                source: team.source.shown(),
                folder: team.folder(),
                name: team.name,
                parent: team.parent,
                read_only: team.read_only,
                agreed: team.agreed,
                muted: team.muted,
                only: team.only,
                gate,
            })
        };
        self.gates()?.into_iter().map(row).collect()
    }
}
