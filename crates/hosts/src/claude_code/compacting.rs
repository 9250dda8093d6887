//! Whether Claude Code compacts a long conversation by itself (S7).
//!
//! Enters: its own files. Leaves: yes or no. It writes the switch into `settings.json` or, as older versions and
//! `/config` do, into `.claude.json` beside its config home; the first of them that speaks counts. A setting that
//! cannot be read counts as yes. Never writes there.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use memdir_core::limits;
use memdir_core::read;
use memdir_core::surroundings::Surroundings;
use memdir_store::place::config_home;

/// The one word that is looked for.
#[derive(Deserialize)]
struct Words {
    #[serde(rename = "autoCompactEnabled")]
    compacts: Option<bool>,
}

pub(super) fn by_itself(around: &Surroundings) -> bool {
    let Some((settings, state)) = files(around) else { return true };
    let said = switch(&settings, limits::HOST_SETTINGS_BYTES).or_else(|| switch(&state, limits::HOST_STATE_BYTES));
    said.unwrap_or(true)
}

/// Its settings, and the file in which it keeps everything else.
fn files(around: &Surroundings) -> Option<(PathBuf, PathBuf)> {
    let own = config_home(around).ok()?;
    let state = state_file(around, &own);
    Some((own.join("settings.json"), state))
}

/// The file in which it keeps everything else: in home, or in its directory where a variable names that, be it the usual one.
pub(super) fn state_file(around: &Surroundings, own: &Path) -> PathBuf {
    let home = around.home.as_deref().filter(|_| around.var("CLAUDE_CONFIG_DIR").is_none());
    home.unwrap_or(own).join(".claude.json")
}

/// What a file says; one that is missing, too large or broken says nothing.
fn switch(file: &Path, limit: usize) -> Option<bool> {
    let bytes = read::small(file, limit).ok()??;
    serde_json::from_slice::<Words>(&bytes).ok()?.compacts
}
