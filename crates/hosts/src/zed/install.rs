//! Our server in Zed's settings, and its personal instructions.

use serde_json::json;

use crate::install::{ConfigDir, FileEdit, Recipe, Target};

pub(super) const RECIPE: Recipe = Recipe {
    notes: &[
        "Zed reaches memory through tools of memdir's own and asks you before it uses them; conversations there are not learned from.",
    ],
    ..Recipe::of(ConfigDir::Config("zed"), changes)
};

fn changes(target: &Target<'_>) -> Vec<FileEdit> {
    let server = target.server("context_servers").with(json!({ "env": {} }));
    vec![
        target.json(target.file("settings.json"), Vec::new(), server),
        // Personal instructions, since the version of May 2026; older ones do not look there.
        target.instruction_block(target.file("AGENTS.md")),
    ]
}
