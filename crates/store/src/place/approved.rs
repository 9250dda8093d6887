//! Which places a local settings file may send memory to (P5).
//!
//! Enters: a project and the directory that its `.claude/settings.local.json` names. Leaves: whether the user once said yes to
//! exactly this, or why it waits. An unpacked archive brings such a file as well as a person writes one, so the file alone
//! decides nothing. Never lets memory into a directory of the system, a dot directory of home that is no agent's, or a
//! folder of the project itself, whoever says yes.

use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Project;
use crate::fs::{self, Durability, FsError};

/// Directories of the system, by their first parts.
const SYSTEM: &[&str] = &[
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/Library",
    "/opt",
    "/private/etc",
    "/private/var/at",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/srv",
    "/sys",
    "/System",
    "/usr",
    "/var/cron",
    "/var/lib",
    "/var/log",
    "/var/spool",
    "/var/www",
    "C:\\Windows",
    "C:\\Program Files",
    "C:\\Program Files (x86)",
    "C:\\ProgramData",
];

/// Directories of agents below home, where memory may be.
const OF_AGENTS: &[&str] = &[
    ".aider",
    ".claude",
    ".cline",
    ".codex",
    ".copilot",
    ".cursor",
    ".gemini",
    ".goose",
    ".memdir",
    ".opencode",
    ".qwen",
];

/// Why a place is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotApproved {
    /// Nobody said yes yet.
    ForYes,
    /// Nobody can.
    Never(&'static str),
}

/// One place that the user said yes to.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ApprovedPlace {
    project: PathBuf,
    directory: PathBuf,
}

/// Whether memory of a project may go to a directory that a local file names.
pub(super) fn judge(
    project: &Project,
    dir: &Path,
    home: Option<&Path>,
    config_home: Option<&Path>,
    state: Option<&Path>,
) -> Result<(), NotApproved> {
    if let Some(why) = barred(project, dir, home, config_home) {
        return Err(NotApproved::Never(why));
    }
    let yes = ApprovedPlace { project: project.root.clone(), directory: dir.to_path_buf() };
    let said = state.is_some_and(|state| list(&state.join("memdir")).contains(&yes));
    if said { Ok(()) } else { Err(NotApproved::ForYes) }
}

/// Why a directory can never be named by a local file; links are seen through.
fn barred(project: &Project, dir: &Path, home: Option<&Path>, config_home: Option<&Path>) -> Option<&'static str> {
    let real = real_place(dir);
    let home = home.map(real_place);
    for dir in [dir, &real] {
        let below_home = home.as_deref().and_then(|home| dir.strip_prefix(home).ok());
        if below_home.is_none() && SYSTEM.iter().any(|system| dir.starts_with(system)) {
            return Some("it is a directory of the system");
        }
        let first = below_home.and_then(|below| below.components().next());
        let hidden = first.and_then(|first| match first {
            Component::Normal(name) => name.to_str().filter(|name| name.starts_with('.')),
            _ => None,
        });
        let of_agent = config_home.is_some_and(|config| dir.starts_with(config));
        if !of_agent && hidden.is_some_and(|name| !OF_AGENTS.contains(&name)) {
            return Some("it is in a hidden directory of your home that is no agent's");
        }
        if [&project.root, &project.checkout].iter().any(|own| dir.starts_with(own) || dir.starts_with(real_place(own)))
        {
            return Some("it is in the project itself, and may have come with it");
        }
    }
    None
}

/// Where a path really is, as far as it is there.
fn real_place(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|above| Some((fs::canonical(above).ok()?, path.strip_prefix(above).ok()?)));
    there.map_or_else(
        || path.to_path_buf(),
        |(real, rest)| if rest.as_os_str().is_empty() { real } else { real.join(rest) },
    )
}

/// Remembers a yes. `state` is memdir's own directory.
pub(super) fn approve(state: &Path, project: &Project, directory: &Path) -> Result<(), FsError> {
    let yes = ApprovedPlace { project: project.root.clone(), directory: directory.to_path_buf() };
    let mut all = list(state);
    if all.contains(&yes) {
        return Ok(());
    }
    all.push(yes);
    fs::create_private_dir(state)?;
    let lines: String = all.iter().filter_map(|yes| Some(serde_json::to_string(yes).ok()? + "\n")).collect();
    fs::replace(&file(state), lines.as_bytes(), Durability::Synced)
}

fn list(state: &Path) -> Vec<ApprovedPlace> {
    let bytes = fs::read_beside(&file(state)).unwrap_or_default();
    bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

fn file(state: &Path) -> PathBuf {
    state.join("places.jsonl")
}
