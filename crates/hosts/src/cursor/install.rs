//! Our server in Cursor's list of servers.

use crate::install::{ConfigDir, FileEdit, Recipe, Target};

pub(super) const RECIPE: Recipe = Recipe {
    notes: &[
        "Cursor reaches memory through tools of memdir's own and asks you before it uses them; conversations there are not learned from. Its rules for all projects are in its settings, not in a file: to make it look by itself, say so there (Rules, User Rules).",
    ],
    ..Recipe::of(ConfigDir::Home(".cursor"), changes)
};

fn changes(target: &Target<'_>) -> Vec<FileEdit> {
    vec![target.json(target.file("mcp.json"), Vec::new(), target.server("mcpServers"))]
}
