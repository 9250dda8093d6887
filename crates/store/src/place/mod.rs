//! Where memory lives, whether it is on, and which rule decided (P1–P10, E1–E6, G1).
//!
//! Enters: the surroundings. Leaves: a [`Place`]: the project, every directory of memory, and for
//! each decision the rule behind it. Reads the host's settings and a few small files of `.git`;
//! never creates anything, never runs a program, and never lets a file of the repository choose
//! where memory is written. It runs in every hook, so it costs a handful of system calls.
//!
//! ```text
//! Surroundings ─→ Project (git, slug) ─→ HostSettings (P5) ─→ Place (P4, P6, E1–E5)
//! ```

mod agent;
mod approved;
mod enabled;
mod error;
mod git;
mod gitconfig;
mod identity;
mod project;
mod remote;
mod rule;
mod slug;
mod tracked;
mod validate;

use std::path::{Path, PathBuf};

use self::enabled::REMOTE_DIR;
use self::validate::{PathStart, validate};
pub use self::{
    enabled::EnabledRule,
    error::PlaceError,
    identity::{Identity, Match, same_project},
    project::Project,
    rule::DirRule,
    slug::slug,
    validate::InvalidPath,
};
pub use memdir_core::kind::AgentScope;
use memdir_core::settings::{HostSettings, HostSource};
use memdir_core::surroundings::Surroundings;
use memdir_core::warning::{Warning, quoted};

const OVERRIDE: &str = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE";
const CONFIG_HOME: &str = "CLAUDE_CONFIG_DIR";

/// Everything that follows from where and how a process was started.
#[derive(Clone, Debug)]
pub struct Place {
    /// The project.
    pub project: Project,
    /// The private memory directory, or why there is none; then nothing is written.
    pub memory_dir: Result<PathBuf, PlaceError>,
    /// The rule behind `memory_dir`.
    pub memory_rule: DirRule,
    /// Whether memory is on.
    pub enabled: bool,
    /// The rule behind `enabled`.
    pub enabled_rule: EnabledRule,
    /// `$CLAUDE_CONFIG_DIR`, else `~/.claude` (P1).
    pub config_home: Result<PathBuf, PlaceError>,
    /// What the host's settings said.
    pub host: HostSettings,
    /// What did not take effect, and why.
    pub warnings: Vec<Warning>,
    /// The directory that the project's local file names and nobody said yes to yet (P5).
    pub waiting: Option<PathBuf>,
    remote_base: Option<Result<PathBuf, PlaceError>>,
    state_dir: Option<PathBuf>,
    cache_dir: Option<PathBuf>,
}

impl Place {
    /// Finds every place. Fails only when the project directory itself is not there; what else is
    /// missing fails when it is asked for.
    pub fn find(around: &Surroundings) -> Result<Place, PlaceError> {
        let project = Project::find(around)?;
        let config_home = config_home(around);
        let host = project.host_settings(around, config_home.as_deref().ok());
        Ok(Place::decide(around, project, config_home, host))
    }

    fn decide(
        around: &Surroundings,
        project: Project,
        config_home: Result<PathBuf, PlaceError>,
        mut host: HostSettings,
    ) -> Place {
        let remote_base = around.var(REMOTE_DIR).map(|given| remote_base(given, around));
        let (enabled, enabled_rule) = enabled::decide(around, &host);
        let mut warnings = std::mem::take(&mut host.warnings);
        warnings.extend(enabled::odd_words(around));
        let base = remote_base.as_ref().unwrap_or(&config_home);
        let waiting = waiting(around, &project, config_home.as_deref().ok(), &mut host, &mut warnings);
        let (memory_rule, memory_dir) = configured(around, &host).unwrap_or_else(|| {
            let rule = if remote_base.is_some() { DirRule::RemoteBase } else { DirRule::Default };
            (rule, base.clone().map(|base| base.join("projects").join(&project.slug).join("memory")))
        });
        Place {
            project,
            memory_dir,
            memory_rule,
            enabled,
            enabled_rule,
            config_home,
            host,
            warnings,
            waiting,
            remote_base,
            state_dir: around.state_dir.clone(),
            cache_dir: around.cache_dir.clone(),
        }
    }

    /// Says yes to the directory that waits for it: from now on it is this project's memory (P5).
    pub fn approve(&self, directory: &Path) -> Result<(), PlaceError> {
        match &self.waiting {
            Some(waiting) if waiting == directory => {
                let kept = approved::approve(&self.state_dir()?, &self.project, waiting);
                kept.map_err(|error| PlaceError::NotKept(error.to_string()))
            }
            waiting => Err(PlaceError::NothingWaits(waiting.clone())),
        }
    }

    /// The directory that every project of this user sees (P9).
    pub fn user_dir(&self) -> Result<PathBuf, PlaceError> {
        self.config_home.clone().map(|home| home.join("memory"))
    }

    /// Where the host keeps this working directory's transcripts and session notes (P2, S1).
    pub fn project_dir(&self) -> Result<PathBuf, PlaceError> {
        self.config_home.clone().map(|home| home.join("projects").join(slug(&self.project.cwd)))
    }

    /// A sub-agent's own directory (G1).
    pub fn agent_dir(&self, agent: &str, scope: AgentScope) -> Result<PathBuf, PlaceError> {
        let name = agent::directory_name(agent)?;
        match (scope, &self.remote_base) {
            (AgentScope::User, _) => self.config_home.clone().map(|home| home.join("agent-memory").join(name)),
            (AgentScope::Project, _) => self.in_repository("agent-memory", &name),
            (AgentScope::Local, None) => self.in_repository("agent-memory-local", &name),
            (AgentScope::Local, Some(base)) => base
                .clone()
                .map(|base| base.join("projects").join(&self.project.slug).join("agent-memory-local").join(name)),
        }
    }

    /// History, archive, staging and jobs (P10).
    pub fn state_dir(&self) -> Result<PathBuf, PlaceError> {
        self.platform_dir(self.state_dir.as_deref(), "state", "XDG_STATE_HOME")
    }

    /// Catalogs; can be deleted at any time (P10).
    pub fn cache_dir(&self) -> Result<PathBuf, PlaceError> {
        self.platform_dir(self.cache_dir.as_deref(), "cache", "XDG_CACHE_HOME")
    }

    fn platform_dir(
        &self,
        base: Option<&Path>,
        kind: &'static str,
        variable: &'static str,
    ) -> Result<PathBuf, PlaceError> {
        let dir = base.ok_or(PlaceError::NoPlatformDir(kind, variable))?.join("memdir");
        match &self.memory_dir {
            Ok(memory) if dir.starts_with(memory) => {
                Err(PlaceError::InsideMemory { kind, dir, memory: memory.clone() })
            }
            _ => Ok(dir),
        }
    }

    /// A directory below the repository's `.claude/`, reached through no link: a checkout could
    /// bring one along and lead writes elsewhere.
    fn in_repository(&self, kind: &str, name: &str) -> Result<PathBuf, PlaceError> {
        let mut dir = self.project.root.clone();
        for part in [".claude", kind, name] {
            dir.push(part);
            if dir.is_symlink() {
                return Err(PlaceError::AgentLink(dir));
            }
        }
        Ok(dir)
    }
}

/// Takes back what a local file says about the directory unless the user said yes to it, and leaves the directory if
/// they still can. Then the next source counts (P5).
fn waiting(
    around: &Surroundings,
    project: &Project,
    config_home: Option<&Path>,
    host: &mut HostSettings,
    warnings: &mut Vec<Warning>,
) -> Option<PathBuf> {
    let said = host.memory_directory.as_ref().filter(|said| said.source == HostSource::Local)?;
    // A path that breaks a rule stays, so that the rule is named (P6).
    let home = around.home.as_deref();
    let dir = validate(Path::new(&said.value), PathStart::Tilde, home).ok()?;
    let waits = approved::judge(project, &dir, home, config_home, around.state_dir.as_deref()).err()?;
    let shown = quoted(&dir.to_string_lossy());
    let (message, dir) = match waits {
        approved::NotApproved::ForYes => (
            format!(
                "`autoMemoryDirectory` names {shown}, and such a file can come with a project; it counts once you \
                 have said yes to that directory"
            ),
            Some(dir),
        ),
        approved::NotApproved::Never(why) => {
            (format!("`autoMemoryDirectory` names {shown}, which is not used: {why}"), None)
        }
    };
    warnings.push(Warning::new("redirect-waits", &said.place, message));
    host.memory_directory = host.next_directory.take();
    dir
}

/// `$CLAUDE_CONFIG_DIR`, else `~/.claude`. A relative one starts at the working directory, as it
/// does for the client.
pub fn config_home(around: &Surroundings) -> Result<PathBuf, PlaceError> {
    match (around.var(CONFIG_HOME), &around.home) {
        (Some(given), _) if given.contains('\0') => Err(refused(CONFIG_HOME, given, InvalidPath::Nul)),
        (Some(given), _) => Ok(validate::clean(&around.below_cwd(Path::new(given)))),
        (None, Some(home)) => Ok(home.join(".claude")),
        (None, None) => Err(PlaceError::NoHome),
    }
}

/// The base that replaces the config home. Memory lies three levels below it, so the rules on
/// depth are met by any absolute path.
fn remote_base(given: &str, around: &Surroundings) -> Result<PathBuf, PlaceError> {
    let probe = Path::new(given).join("projects").join("memory");
    match validate(&probe, PathStart::Absolute, around.home.as_deref()) {
        Ok(_) => Ok(validate::clean(Path::new(given))),
        Err(rule) => Err(refused(REMOTE_DIR, given, rule)),
    }
}

/// The first source that names a directory, and the directory if it may be used (P4, P6).
fn configured(around: &Surroundings, host: &HostSettings) -> Option<(DirRule, Result<PathBuf, PlaceError>)> {
    let check = |given: &Path, start, origin: &str| {
        validate(given, start, around.home.as_deref()).map_err(|rule| refused(origin, &given.to_string_lossy(), rule))
    };
    if let Some(given) = &around.flags.memory_dir {
        return Some((DirRule::Flag, check(given, PathStart::Below(&around.cwd), "--memory-dir")));
    }
    if let Some(given) = around.var(OVERRIDE) {
        return Some((DirRule::OverrideVariable, check(Path::new(given), PathStart::Absolute, OVERRIDE)));
    }
    let said = host.memory_directory.as_ref()?;
    let origin = format!("autoMemoryDirectory ({}, {})", said.source.as_str(), said.place);
    Some((DirRule::Setting(said.source), check(Path::new(&said.value), PathStart::Tilde, &origin)))
}

fn refused(origin: &str, given: &str, rule: InvalidPath) -> PlaceError {
    PlaceError::Refused { origin: origin.to_owned(), given: quoted(given), rule }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod sandbox;
#[cfg(test)]
mod tests;
