//! Cline's list of servers, and a rule that says when to use ours.

use serde_json::json;

use crate::install::{ConfigDir, FileEdit, Recipe, Target};

pub(super) const RECIPE: Recipe = Recipe {
    notes: &["Cline takes no answers from hooks; it is told to ask memdir itself, with tools of memdir's own."],
    ..Recipe::of(ConfigDir::Home(".cline"), changes)
};

fn changes(target: &Target<'_>) -> Vec<FileEdit> {
    let server = target.server("mcpServers").with(json!({ "disabled": false, "autoApprove": [] }));
    vec![
        target.json(target.file("data/settings/cline_mcp_settings.json"), Vec::new(), server),
        target.instructions(target.home.join("Documents").join("Cline").join("Rules").join("memdir.md")),
    ]
}
