//! What keeps Qwen Code from running hooks that stand in its settings (B4), as its sources of version 0.22 say.
//!
//! Enters: the settings of the directory it is started in, which are stronger, and the user's. Leaves: what stands in the way:
//! `disableAllHooks`, of the stronger file that says it. Never writes there.

use std::path::PathBuf;

use crate::install::{Obstacle, PlannedFiles, Target};
use crate::table::Host;

const OFF: &str = "disableAllHooks";

pub(super) fn find(target: &Target<'_>, files: &PlannedFiles<'_>) -> Vec<Obstacle> {
    let here = target.machine.around.directory().join(".qwen").join("settings.json");
    let user = target.file("settings.json");
    let broken = |path: &PathBuf| files.not_json_but_for_comments(path, Host::Qwen);
    if let Some(broken) = [&here, &user].into_iter().find_map(broken) {
        return vec![broken];
    }
    let says = |path: &PathBuf| files.json_with_comments(path)?.get(OFF)?.as_bool();
    let switch = [here, user].into_iter().find_map(|path| says(&path).map(|off| (path, off)));
    match switch {
        Some((path, true)) => {
            let message = format!("`{OFF}` in {} switches every hook of Qwen Code off", path.display());
            vec![Obstacle::new(message, format!("take `{OFF}` out of that file"))]
        }
        _ => Vec::new(),
    }
}
