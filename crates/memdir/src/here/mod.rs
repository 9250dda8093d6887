//! This process, for programs that want no more than the memory of the directory they run in.
//!
//! Enters: environment, home, working directory and clock of the process. Leaves: [`Surroundings`], a clock, `git`, or a [`Memory`] opened
//! with them, as the command line opens it. The one module of the library that looks at the process, and only when it is called;
//! a program that knows better builds [`Surroundings`] itself and calls [`Memory::open`].

mod clock;

pub use clock::{clock, now};

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use memdir_core::surroundings::Surroundings;
use memdir_store::history::Actor;

use crate::engine::{Error, Memory, Signature};

/// The variable that says where home is; on Windows the one that Node and the agents look at.
pub const HOME: &str = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
/// Where an administrator puts Claude Code's settings.
const MANAGED: &str = if cfg!(windows) { r"C:\Program Files\ClaudeCode" } else { "/etc/claude-code" };

/// Opens the memory of the working directory.
///
/// What is changed through it is signed by an agent, in the session that `MEMDIR_SESSION` names; set [`Memory::signature`] to say otherwise.
pub fn open() -> Result<Memory, Error> {
    let around = surroundings()?;
    let session = around.var("MEMDIR_SESSION").map(str::to_owned);
    let (now, clock) = (now(None, &around)?, clock(None, &around)?);
    let signature = Signature { actor: Actor::Agent, session, message: None };
    Ok(Memory::open(around, git, now, signature)?.with_clock(clock))
}

/// What this process was started with, and no flags.
pub fn surroundings() -> Result<Surroundings, Error> {
    let vars = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
        .collect();
    let home = home();
    let platform = |name: &str, below: &str| {
        let set = std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        set.or_else(|| home.as_ref().map(|home| home.join(below).components().collect()))
    };
    let cwd =
        std::env::current_dir().map_err(|error| Error::Refused(format!("the working directory is gone: {error}")))?;
    Ok(Surroundings {
        config_dir: platform("XDG_CONFIG_HOME", ".config"),
        state_dir: platform("XDG_STATE_HOME", ".local/state"),
        cache_dir: platform("XDG_CACHE_HOME", ".cache"),
        managed_settings: vec![Path::new(MANAGED).join("managed-settings.json")],
        managed_rules: Some(Path::new(MANAGED).join("CLAUDE.md")),
        cwd,
        home,
        vars,
        ..Surroundings::default()
    })
}

/// The user's home directory.
pub fn home() -> Option<PathBuf> {
    std::env::var_os(HOME).map(PathBuf::from).filter(|home| home.is_absolute())
}

/// Runs `git` without letting the environment choose another repository for it.
pub fn git(dir: &Path, args: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(dir).args(args).stdin(Stdio::null()).stderr(Stdio::null());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            command.env_remove(name);
        }
    }
    let output = command.env("GIT_OPTIONAL_LOCKS", "0").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
