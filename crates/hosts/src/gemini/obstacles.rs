//! What keeps Gemini CLI from running hooks that stand in its settings (B4), as seen in version 0.61.
//!
//! Enters: the settings of the directory it is started in, which are stronger, and the user's. Leaves: what stands in the way:
//! `hooksConfig.enabled` switches all hooks off, `hooksConfig.disabled` lists single ones by name or command, and such lists add up. Never
//! writes there.

use std::path::PathBuf;

use serde_json::Value;

use crate::install::{Obstacle, PlannedFiles, Target, our_places};
use crate::table::Host;

const ENABLED: &str = "/hooksConfig/enabled";
const DISABLED: &str = "/hooksConfig/disabled";

pub(super) fn find(target: &Target<'_>, files: &PlannedFiles<'_>) -> Vec<Obstacle> {
    let user = target.file("settings.json");
    let here = target.machine.around.directory().join(".gemini").join("settings.json");
    let broken = |path: &PathBuf| files.not_json_but_for_comments(path, Host::Gemini);
    if let Some(broken) = [&here, &user].into_iter().find_map(broken) {
        return vec![broken];
    }
    let read = |path: PathBuf| files.json_with_comments(&path).map(|settings| (path, settings));
    let settings: Vec<(PathBuf, Value)> = [here, user.clone()].into_iter().filter_map(read).collect();
    let mut found = Vec::new();
    let switch = settings.iter().find_map(|(path, settings)| Some((path, settings.pointer(ENABLED)?.as_bool()?)));
    if let Some((path, false)) = switch {
        let message = format!("`hooksConfig.enabled` in {} switches every hook of Gemini CLI off", path.display());
        found.push(Obstacle::new(message, "set it to true, or take it out of that file"));
    }
    let Some(own) = files.json_with_comments(&user) else { return found };
    let ours: Vec<&str> = our_places(&own, super::HOST.name)
        .iter()
        .filter_map(|place| place.hook.get("name").or_else(|| place.hook.get("command"))?.as_str())
        .collect();
    for (path, settings) in &settings {
        let listed =
            settings.pointer(DISABLED).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        if listed.into_iter().any(|name| ours.contains(&name)) {
            let message =
                format!("`hooksConfig.disabled` in {} lists memdir's hooks, and Gemini CLI skips them", path.display());
            found.push(Obstacle::new(
                message,
                "open `/hooks` in Gemini CLI and enable them, or take them off that list",
            ));
        }
    }
    found
}
