//! Whether a host makes a long conversation shorter by itself: only then notes are kept unasked (S7).
//!
//! Enters: the host's own files. Leaves: yes or no. Claude Code writes its switch into `settings.json` or, as older
//! versions and `/config` do, into `.claude.json` beside its config home; the first of them that speaks
//! counts. A host whose setting cannot be read counts as one that does. Never writes there.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::engine::Memory;
use crate::host::Host;
use crate::host::transcript::Machine;
use crate::{limits, read};

/// The one word that is looked for.
#[derive(Deserialize)]
struct Words {
    #[serde(rename = "autoCompactEnabled")]
    compacts: Option<bool>,
}

impl Memory {
    /// Whether a host compacts by itself; without a host nothing is known, and that counts as yes.
    pub(super) fn host_compacts(&self, host: Option<Host>) -> bool {
        if host != Some(Host::ClaudeCode) {
            return true;
        }
        let (settings, state) = claude_files(&self.machine());
        let said = |file: Option<PathBuf>, limit: usize| file.and_then(|file| switch(&file, limit));
        said(settings, limits::HOST_SETTINGS_BYTES).or_else(|| said(state, limits::HOST_STATE_BYTES)).unwrap_or(true)
    }
}

/// Claude Code's settings, and the file in which it keeps everything else.
fn claude_files(machine: &Machine) -> (Option<PathBuf>, Option<PathBuf>) {
    let Some(own) = &machine.claude else { return (None, None) };
    // In its usual place the file lies beside the directory, elsewhere in it.
    let usual = machine.home.as_ref().filter(|home| home.join(".claude") == *own);
    (Some(own.join("settings.json")), Some(usual.unwrap_or(own).join(".claude.json")))
}

/// What a file says; one that is missing, too large or broken says nothing.
fn switch(file: &Path, limit: usize) -> Option<bool> {
    let bytes = read::small(file, limit).ok()??;
    serde_json::from_slice::<Words>(&bytes).ok()?.compacts
}
