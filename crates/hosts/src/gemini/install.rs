//! Gemini CLI's hooks and our server in its `settings.json`; times are in milliseconds.

use crate::install::{ConfigDir, FileEdit, Recipe, Target};

pub(super) const RECIPE: Recipe = Recipe {
    config: ConfigDir::Home(".gemini"),
    signs: &[],
    serves: true,
    changes,
    tools: None,
    obstacles: Some(super::obstacles::find),
    notes: &[],
};

fn changes(target: &Target<'_>) -> Vec<FileEdit> {
    vec![target.gemini_like_settings(&["SessionStart", "BeforeAgent", "AfterTool", "AfterAgent"])]
}
