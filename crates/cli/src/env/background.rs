//! Processes of our own that go on after a command has ended.
//!
//! Enters: memory, and what is left to do. Leaves: a process that does it, started and not waited for; where nothing
//! may run in the background, what cannot wait is done here.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use memdir::engine::Memory;

use crate::system;

/// Starts a process of our own that makes what is missing, and does not wait for it.
pub(crate) fn refresh_in_background(memory: &Memory) {
    drop(in_background(memory, &["refresh"]));
}

/// Lets search take in what was changed just now: in the background, or where nothing may run there, at once.
pub(crate) fn take_in_change(memory: &Memory) {
    if memory.settings.recall_enabled && in_background(memory, &["refresh"]).is_none() {
        take_in_here(memory);
    }
}

/// Makes the vectors of what was just written; a backlog is left to `memdir refresh`.
pub(super) fn take_in_here(memory: &Memory) {
    // It is saved, and found by its words; that search is not up to date is no failure of the command.
    let _ = memory.recall().refresh(memdir::limits::ENCODED_AT_ONCE, &|| false);
}

/// Starts a process that brings the notes of a session up to date, and does not wait for it.
pub(crate) fn note_in_background(memory: &Memory, session: &str, transcript: &Path) {
    let Some(transcript) = transcript.to_str() else { return };
    drop(in_background(memory, &["notes", "update", transcript, "--session", session]));
}

/// Starts a worker that learns from what waits, and does not wait for it.
pub(crate) fn work_in_background(memory: &Memory) {
    drop(in_background(memory, &["work", "--settle"]));
}

/// Starts a process that lets a model choose for a session's last prompt, and does not wait for it.
pub(crate) fn choose_in_background(memory: &Memory, session: &str) {
    drop(in_background(memory, &["choose", &format!("--session={session}")]));
}

pub(super) fn in_background(memory: &Memory, verb: &[&str]) -> Option<Child> {
    if memory.around.switch("MEMDIR_NO_BACKGROUND") == Some(true) {
        return None;
    }
    let program = std::env::current_exe().ok()?;
    let mut command = Command::new(program);
    command.args(verb).arg("--quiet").current_dir(&memory.place.project.cwd);
    if let Some(dir) = &memory.around.flags.memory_dir {
        command.arg("--memory-dir").arg(memory.around.below_cwd(dir));
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    system::detach(&mut command).spawn().ok()
}
