//! opencode's plugin, which asks our hook and names our server.

use serde_json::json;

use crate::install::{ConfigDir, FileEdit, Recipe, Target};

/// The same file as `integrations/opencode/memdir.js`.
pub(super) const PLUGIN: &str = include_str!("memdir.js");

pub(super) const RECIPE: Recipe = Recipe {
    notes: &["opencode loads the plugin when it starts the next time."],
    ..Recipe::of(ConfigDir::Config("opencode"), changes)
};

fn changes(target: &Target<'_>) -> Vec<FileEdit> {
    let program = format!("const program = {}", json!(target.machine.memdir));
    let text = PLUGIN.replace("const program = \"memdir\"", &program);
    vec![FileEdit::Own { path: target.file("plugins/memdir.js"), text }]
}
