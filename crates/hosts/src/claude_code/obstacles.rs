//! What keeps Claude Code from running hooks that stand in its settings (B4), as seen in version 2.1.325.
//!
//! Enters: its settings files, the strongest first: the administrator's, the project's, the user's. Leaves: what stands in
//! the way. A file with a comment or a value of the wrong kind it leaves out as a whole and says so only on its standard
//! error; `disableAllHooks` it takes from the strongest file that says it. Never writes there.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::install::{Obstacle, PlannedFiles, Target};
use crate::table::Host;

const OFF: &str = "disableAllHooks";
const MANAGED_ONLY: &str = "allowManagedHooksOnly";

/// Kinds of values that Claude Code insists on; a file in which one of these is of another kind it leaves out.
const KINDS: &[(&str, Kind)] = &[
    ("/apiKeyHelper", Kind::Text),
    ("/autoDreamEnabled", Kind::Switch),
    ("/autoMemoryDirectory", Kind::Text),
    ("/autoMemoryEnabled", Kind::Switch),
    ("/cleanupPeriodDays", Kind::Number),
    ("/disableAllHooks", Kind::Switch),
    ("/enabledPlugins", Kind::Object),
    ("/env", Kind::Object),
    ("/includeCoAuthoredBy", Kind::Switch),
    ("/model", Kind::Text),
    ("/outputStyle", Kind::Text),
    ("/permissions", Kind::Object),
    ("/permissions/additionalDirectories", Kind::List),
    ("/permissions/allow", Kind::List),
    ("/permissions/ask", Kind::List),
    ("/permissions/deny", Kind::List),
    ("/statusLine", Kind::Object),
];

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Switch,
    Number,
    List,
    Object,
}

impl Kind {
    fn is(self, value: &Value) -> bool {
        match self {
            Kind::Text => value.is_string(),
            Kind::Switch => value.is_boolean(),
            Kind::Number => value.is_number(),
            Kind::List => value.is_array(),
            Kind::Object => value.is_object(),
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Kind::Text => "a text in quotes",
            Kind::Switch => "true or false",
            Kind::Number => "a number",
            Kind::List => "a list",
            Kind::Object => "an object",
        }
    }
}

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
    let is_odd = |(at, kind): &&(&str, Kind)| settings.pointer(at).is_some_and(|value| !kind.is(value));
    let (at, kind) = KINDS.iter().find(is_odd)?;
    let key = at.trim_start_matches('/').replace('/', ".");
    Some(Obstacle::new(
        format!(
            "`{key}` in {} is not {}; Claude Code leaves the whole file out, with the hooks in it",
            path.display(),
            kind.words()
        ),
        format!("correct `{key}` or take it out"),
    ))
}
