//! Gemini CLI's hooks and our server in its `settings.json`; times are in milliseconds.

use crate::install::{ConfigDir, FileEdit, Recipe, Target};

pub(super) const RECIPE: Recipe =
    Recipe { obstacles: Some(super::obstacles::find), ..Recipe::of(ConfigDir::Home(".gemini"), changes) };

fn changes(target: &Target<'_>) -> Vec<FileEdit> {
    vec![target.gemini_like_settings(&["SessionStart", "BeforeAgent", "AfterTool", "AfterAgent"])]
}
