//! What keeps Claude Code from running hooks that stand in its settings (B4), as seen in version 2.1.325.
//!
//! Enters: its settings files, the strongest first: the administrator's, the project's, the user's. Leaves: what stands in
//! the way. A file with a comment or a value of the wrong kind it leaves out as a whole and says so only on its standard
//! error; `disableAllHooks` it takes from the strongest file that says it. Never writes there.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::settings_values;
use crate::install::{Obstacle, PlannedFiles, Target};
use crate::table::Host;

const OFF: &str = "disableAllHooks";
const MANAGED_ONLY: &str = "allowManagedHooksOnly";

pub(super) fn find(target: &Target<'_>, files: &PlannedFiles<'_>) -> Vec<Obstacle> {
    let user = target.file("settings.json");
    let mut found = Vec::new();
    match files.plain_json(&user, Host::ClaudeCode) {
        Ok(settings) => found.extend(settings.and_then(|settings| odd_value(&user, &settings))),
        Err(obstacle) => found.push(obstacle),
    }
    let managed = &target.machine.around.managed_settings;
    for path in managed {
        if says(files, path, MANAGED_ONLY) == Some(true) {
            let message = format!("`{MANAGED_ONLY}` in {} allows only the administrator's hooks", path.display());
            found.push(Obstacle::new(message, "ask your administrator to allow memdir's, or to take the switch back"));
        }
    }
    let mut all = managed.iter().cloned().chain(of_project(target)).chain([user]);
    let off = all.find_map(|path| says(files, &path, OFF).map(|off| (path, off)));
    if let Some((path, true)) = off {
        let message = format!("`{OFF}` in {} switches every hook of Claude Code off", path.display());
        found.push(Obstacle::new(message, format!("take `{OFF}` out of that file")));
    }
    found
}

/// The settings of the project and of every directory above the one we are in, up to a repository's root.
fn of_project(target: &Target<'_>) -> Vec<PathBuf> {
    let start = target.machine.around.directory();
    let root = start.ancestors().find(|dir| dir.join(".git").exists()).unwrap_or(&start);
    let dirs = start.ancestors().take_while(|dir| dir.starts_with(root));
    let dirs: Vec<&Path> = dirs.filter(|dir| *dir != target.home).collect();
    let named = |file: &'static str| dirs.iter().map(move |dir| dir.join(".claude").join(file));
    named("settings.local.json").chain(named("settings.json")).collect()
}

/// What a file says about a switch; one that Claude Code would not read says nothing.
fn says(files: &PlannedFiles<'_>, path: &Path, name: &str) -> Option<bool> {
    files.plain_json(path, Host::ClaudeCode).ok()??.get(name)?.as_bool()
}

fn odd_value(path: &Path, settings: &Value) -> Option<Obstacle> {
    let (key, kind) = settings_values::odd_value(settings)?;
    Some(Obstacle::new(
        format!(
            "`{key}` in {} is not {kind}; Claude Code leaves the whole file out, with the hooks in it",
            path.display()
        ),
        format!("correct `{key}` or take it out"),
    ))
}
