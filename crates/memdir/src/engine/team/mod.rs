//! Sharing the team's memory: which teams there are, one sync of one of them, and where a memory came from.
//!
//! Enters: a team and what reaching it takes. Leaves: what moved. Lands everything as one transaction by `team`.
//! Never syncs a team that the user has not agreed to, never two syncs of one team at a time.

mod folder;
mod last;
mod origin;
mod report;
mod rows;
mod store;

pub use last::LastSync;
pub use origin::MemoryOrigin;
pub use report::{SyncReport, SyncedTeam};
pub use rows::TeamRow;

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::{Error, JobGate, Memory, Sharing};
use folder::TeamFolder;
use memdir_core::kind::Scope;
use memdir_store::fs::{self, Durability};
use memdir_store::{Store, key};
use memdir_team::base::{BaseDir, Bases as _};
use memdir_team::config::{Team, TeamSource, Teams, is_name};
use memdir_team::git::{GitProgram, GitTransport};
use memdir_team::sync::{Sync, Synced};
use memdir_team::transport::Transport;

/// What a sync needs from whoever starts it.
pub struct SyncEnvironment<'m> {
    /// Runs `git`.
    pub git: &'m dyn GitProgram,
    /// What time it is, for the signatures of requests: a store refuses those of another time.
    pub clock: fn() -> jiff::Timestamp,
    /// Waits before another try.
    pub pause: &'m mut dyn FnMut(u32),
}

impl Sharing<'_> {
    /// The teams of this project, the nearest first.
    pub fn list(&self) -> Result<Teams, Error> {
        let file = self.memory.teams_file()?;
        let bytes = fs::read_beside(&file)?;
        if bytes.is_empty() {
            return Ok(Teams::default());
        }
        serde_json::from_slice(&bytes).map_err(|error| {
            Error::Refused(format!(
                "{} is not readable ({error}); repair it, or remove it and add the team again",
                file.display()
            ))
        })
    }

    /// Adds a team. The first one that is no parent is the project's own.
    pub fn add(&self, team: Team) -> Result<(), Error> {
        self.memory.require_on()?;
        team.source.check().map_err(|error| Error::Refused(error.to_string()))?;
        let mut teams = self.list()?;
        if !is_name(&team.name) {
            return Err(Error::Refused(format!(
                "{} is not a name for a team; use letters, digits, - and _",
                team.name
            )));
        }
        if teams.named(&team.name).is_some() {
            return Err(Error::TeamExists(team.name));
        }
        if !team.parent && teams.teams.iter().any(|known| !known.parent) {
            return Err(Error::HasOwnTeam);
        }
        if team.parent {
            teams.teams.push(team);
        } else {
            teams.teams.insert(0, team);
        }
        self.memory.set_teams(&teams)
    }

    /// Changes what is set for one team.
    pub fn change(&self, name: Option<&str>, change: impl FnOnce(&mut Team)) -> Result<Team, Error> {
        let mut teams = self.list()?;
        let wanted = self.named(&teams, name)?.name.clone();
        let team = teams.teams.iter_mut().find(|team| team.name == wanted);
        let Some(team) = team else { return Err(no_team()) };
        change(team);
        let changed = team.clone();
        self.memory.set_teams(&teams)?;
        Ok(changed)
    }

    /// The team of this name, or the only one, or the project's own.
    pub fn named<'t>(&self, teams: &'t Teams, name: Option<&str>) -> Result<&'t Team, Error> {
        match name {
            Some(name) => teams.named(name).ok_or_else(|| Error::UnknownTeam(name.to_owned())),
            None => teams.teams.first().ok_or_else(no_team),
        }
    }

    /// Forgets a team here. Its memories stay, here and there.
    pub fn leave(&self, name: &str) -> Result<(), Error> {
        let mut teams = self.list()?;
        self.named(&teams, Some(name))?;
        teams.teams.retain(|team| team.name != name);
        self.memory.set_teams(&teams)?;
        Ok(fs::remove_tree(&self.memory.team_state(name)?)?)
    }

    /// Syncs one team. `dry`: only says what would happen. `None`: somebody else is at it.
    pub fn sync(&self, team: &Team, environment: &mut SyncEnvironment<'_>, dry: bool) -> Result<Option<Synced>, Error> {
        self.memory.require_on()?;
        let store = self.memory.writable(Scope::Team)?;
        let state = self.memory.team_state(&team.name)?;
        fs::create_private_dir(&state)?;
        let Some(_alone) = fs::try_hold(&state.join("lock"))? else { return Ok(None) };
        let mut local = TeamFolder::new(store, team, self.memory.author());
        let mut rules = team.rules();
        if team.parent {
            rules.shadowed = self.memory.nearer_files(store, team)?;
            if !dry && self.memory.shadows_moved(team, &rules.shadowed)? {
                self.review(team)?;
            }
        }
        if matches!(team.source, TeamSource::Store { .. }) {
            let own = self.identity()?;
            rules.trusted.insert(own.public(), own.name);
        }
        let mut bases = BaseDir::at(&state);
        let mut transport = self.memory.transport(team, environment)?;
        let mut sync = Sync {
            local: &mut local,
            bases: &mut bases,
            transport: &mut *transport,
            rules: &rules,
            pause: environment.pause,
            dry,
        };
        let outcome = sync.run();
        if !dry {
            self.memory.note_sync(team, &outcome)?;
        }
        Ok(Some(outcome?))
    }

    /// Every team with its gate; none while there is no memory directory.
    pub fn gates(&self) -> Result<Vec<(Team, JobGate)>, Error> {
        let teams = self.list()?.teams;
        teams.into_iter().map(|team| self.memory.team_gate(&team).map(|gate| (team, gate))).collect()
    }

    /// Syncs every team that is due, with nobody there. What goes wrong is noted with the team, and tried again later.
    pub fn sync_due(&self, environment: &mut SyncEnvironment<'_>) -> Result<Vec<(Team, Synced)>, Error> {
        let mut all = Vec::new();
        for (team, gate) in self.gates()? {
            if gate.run
                && let Ok(Some(synced)) = self.sync(&team, environment, false)
            {
                all.push((team, synced));
            }
        }
        Ok(all)
    }

    /// Looks at everything on the shared side again with the next sync: the rules have changed.
    pub fn review(&self, team: &Team) -> Result<(), Error> {
        let mut bases = BaseDir::at(&self.memory.team_state(&team.name)?);
        let mut base = bases.load()?;
        if base.mark.is_none() {
            return Ok(());
        }
        base.mark = None;
        for (path, known) in &mut base.files {
            // What was published from here is let in whatever the rules are; of an index each line counts.
            let own = known.author.name.is_empty() && known.held.is_none() && !team.muted.contains(path);
            if !own || path.ends_with("MEMORY.md") {
                known.remote.clear();
            }
        }
        Ok(bases.save(&base, &[])?)
    }

    /// Lets a memory leave although it holds personal data, as it is now. Gives the team.
    pub fn allow_to_leave(&self, file: &str) -> Result<String, Error> {
        let memory_ref = self.memory.files().find_file(file)?;
        let teams = self.list()?;
        let Some(team) = teams.of_file(memory_ref.file.as_str()) else {
            return Err(Error::Refused(format!("{} is not shared with a team", memory_ref.file)));
        };
        let content = memory_ref.store.root().read(&memory_ref.file)?.unwrap_or_default();
        let team =
            self.change(Some(&team.name), |team| team.agreed_contents.push(memdir_team::base::hash(&content)))?;
        Ok(team.name)
    }
}

impl Memory {
    /// Keeps the teams of this project.
    pub(crate) fn set_teams(&self, teams: &Teams) -> Result<(), Error> {
        let file = self.teams_file()?;
        if let Some(dir) = file.parent() {
            fs::create_private_dir(dir)?;
        }
        let bytes = serde_json::to_vec_pretty(teams).unwrap_or_default();
        Ok(fs::replace(&file, &bytes, Durability::Synced)?)
    }

    fn transport<'t>(&self, team: &Team, environment: &SyncEnvironment<'t>) -> Result<Box<dyn Transport + 't>, Error> {
        let state = self.team_state(&team.name)?;
        match &team.source {
            TeamSource::Git { url, branch, path } => {
                // The file may be older than the rule, or somebody wrote it by hand.
                team.source.check().map_err(|error| Error::Refused(error.to_string()))?;
                Ok(Box::new(GitTransport::new(environment.git, &state.join("clone"), url, branch, path)))
            }
            TeamSource::Store { .. } => Ok(Box::new(self.bucket(team, environment.clock)?)),
        }
    }

    /// Whether the background would sync a team now, with the name of the reason.
    pub(crate) fn team_gate(&self, team: &Team) -> Result<JobGate, Error> {
        let gate = |run, reason: &str| JobGate { run, reason: reason.to_owned() };
        if !self.place.enabled {
            return Ok(gate(false, &format!("off:{}", self.place.enabled_rule.id())));
        }
        if !self.settings.team_background {
            return Ok(gate(false, "setting:team.background"));
        }
        if self.around.flags.offline || self.around.switch("MEMDIR_OFFLINE") == Some(true) {
            return Ok(gate(false, "offline"));
        }
        if !team.agreed {
            return Ok(gate(false, "not-agreed"));
        }
        let last = self.last_sync(team)?;
        Ok(match last.next() {
            Some(next) if next > self.now.timestamp() && last.failures > 0 => gate(false, "backing-off"),
            Some(next) if next > self.now.timestamp() => gate(false, "just-synced"),
            _ => gate(true, "ready"),
        })
    }

    /// What nearer teams have: a farther one does not replace it.
    fn nearer_files(&self, store: &Store, team: &Team) -> Result<BTreeSet<String>, Error> {
        let teams = self.teams().list()?;
        let mut files = BTreeSet::new();
        for nearer in teams.teams.iter().take_while(|known| known.name != team.name) {
            let mut folder = TeamFolder::new(store, nearer, self.author());
            let listed = memdir_team::sync::Local::list(&mut folder).map_err(Error::from)?;
            files.extend(listed.into_keys().filter(|path| !path.ends_with("MEMORY.md")));
        }
        Ok(files)
    }

    /// Whether a nearer team has a memory by now that is here from this one, or has lost one that kept this one's out.
    fn shadows_moved(&self, team: &Team, shadowed: &BTreeSet<String>) -> Result<bool, Error> {
        let base = BaseDir::at(&self.team_state(&team.name)?).load()?;
        Ok(base.files.iter().any(|(path, known)| {
            let kept_out = known.held.as_ref().is_some_and(|why| why.starts_with("shadowed"));
            let here = known.held.is_none() && known.common.is_some();
            (here || kept_out) && kept_out != shadowed.contains(path)
        }))
    }

    /// What is kept of one team between syncs.
    pub(crate) fn team_state(&self, name: &str) -> Result<PathBuf, Error> {
        Ok(self.dirs.state.join("team").join(self.team_key()?).join(name))
    }

    fn team_key(&self) -> Result<String, Error> {
        let dir = self.private_dir()?;
        Ok(key(&fs::canonical(&dir).unwrap_or(dir)))
    }

    fn teams_file(&self) -> Result<PathBuf, Error> {
        let Some(config) = &self.around.config_dir else {
            return Err(Error::Refused("no configuration directory is known; set HOME or XDG_CONFIG_HOME".into()));
        };
        Ok(config.join("memdir").join("teams").join(format!("{}.json", self.team_key()?)))
    }
}

fn no_team() -> Error {
    Error::NoTeam
}
