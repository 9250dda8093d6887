//! The last calls of hooks, so that each can be explained afterwards.
//!
//! One line of JSON a call, appended without waiting for the disk; when the file has grown it is cut to
//! its newer half. A line that is lost is only a line that is lost. Never holds a word of a
//! prompt, and of a command no more than its program and what a memory speaks about.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::HookOutcome;
use crate::engine::{Error, KeptOut, Memory, Selected, Sessions, SkippedMemory, estimate_tokens};
use memdir_core::kind::Scope;
use memdir_core::limits::{HOOK_LOG_BYTES, HOOK_LOG_CALLS, HOOK_LOG_HELD_BACK, HOOK_MS};
use memdir_hosts::{HookCall, Host, wire};
use memdir_store::fs::{self, Durability};

/// A memory that an agent was told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToldMemory {
    /// Its file.
    pub file: String,
    /// Whose it is.
    pub scope: Scope,
    /// How sure the choice was, 0 to 1.
    pub score: f32,
    /// Why it was told.
    pub why: String,
}

impl From<&Selected> for ToldMemory {
    fn from(one: &Selected) -> ToldMemory {
        // Two digits are what a person reads.
        let score = (one.score * 100.0).round() / 100.0;
        ToldMemory { file: one.file.clone(), scope: one.scope, score, why: one.grounds.clone() }
    }
}

/// A memory that came near and was not told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldBack {
    /// Its file.
    pub file: String,
    /// Whose it is.
    pub scope: Scope,
    /// What kept it out.
    pub cause: KeptOut,
    /// The same in words.
    pub why: String,
}

impl HeldBack {
    /// What is written down of those that were left out: the nearest, and those that something else kept out before those that
    /// had too little to do with it.
    pub(super) fn of(skipped: &[SkippedMemory]) -> Vec<HeldBack> {
        let mut near: Vec<&SkippedMemory> = skipped.iter().filter(|one| one.near).collect();
        near.sort_by_key(|one| one.cause == KeptOut::TooFar);
        let kept = near.into_iter().take(HOOK_LOG_HELD_BACK);
        kept.map(|one| HeldBack { file: one.file.clone(), scope: one.scope, cause: one.cause, why: one.reason.clone() })
            .collect()
    }
}

/// One call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HookRecord {
    /// When.
    pub time: String,
    /// Whose hook it was.
    pub host: String,
    /// What happened.
    pub event: String,
    /// In which conversation.
    pub session: Option<String>,
    /// For which project.
    pub project: String,
    /// How long it took, in milliseconds.
    pub ms: u64,
    /// Bytes put before the model.
    pub bytes: usize,
    /// What they cost a model in tokens, guessed high.
    #[serde(default)]
    pub tokens: u64,
    /// The memories and blocks in them.
    pub shown: Vec<String>,
    /// Why they are in them, for an action.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
    /// The memories among them, with the reason for each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<ToldMemory>,
    /// The memories that came near and were not told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_back: Vec<HeldBack>,
    /// Lines of an index that did not fit.
    #[serde(default, skip_serializing_if = "is_none")]
    pub left_out: usize,
    /// Whether the action was refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
    /// Why there were none.
    pub reason: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

impl Sessions<'_> {
    /// Where calls are written down, and the line of one that does not come to its end in time.
    pub fn unfinished_hook(&self, host: Host, call: &HookCall) -> (PathBuf, Vec<u8>) {
        let done = HookOutcome::nothing("it took too long and was given up");
        (self.memory.hook_file(), self.memory.hook_line(host, call, &done, HOOK_MS))
    }

    /// Writes a call down; one that only tries whether somebody answers is no call.
    pub fn log_hook(&self, host: Host, call: &HookCall, done: &HookOutcome, ms: u64) -> Result<(), Error> {
        if wire::is_trial(call) {
            return Ok(());
        }
        let (file, line) = (self.memory.hook_file(), self.memory.hook_line(host, call, done, ms));
        if fs::append(&file, &line).is_err() {
            fs::create_private_dir(&self.memory.dirs.state)?;
            fs::replace(&file, &line, Durability::Cache)?;
        }
        if fs::length(&file)? > HOOK_LOG_BYTES {
            let newer = fs::tail(&file, HOOK_LOG_BYTES / 2)?;
            let whole = newer.iter().position(|byte| *byte == b'\n').map_or(&newer[..0], |at| &newer[at + 1..]);
            fs::replace(&file, whole, Durability::Cache)?;
        }
        Ok(())
    }

    /// The last calls, newest first.
    pub fn hook_calls(&self) -> Result<Vec<HookRecord>, Error> {
        Ok(self.hook_records()?.take(HOOK_LOG_CALLS).collect())
    }

    /// All calls that are still written down, newest first.
    pub(in crate::engine) fn hook_records(self) -> Result<impl Iterator<Item = HookRecord> + use<>, Error> {
        let bytes = fs::read_beside(&self.memory.hook_file())?;
        let records: Vec<HookRecord> =
            bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
        Ok(records.into_iter().rev())
    }
}

impl Memory {
    fn hook_line(&self, host: Host, call: &HookCall, done: &HookOutcome, ms: u64) -> Vec<u8> {
        let record = HookRecord {
            time: self.now.timestamp().to_string(),
            host: host.to_string(),
            event: call.event.word().to_owned(),
            session: call.session.clone(),
            project: self.place.project.root.display().to_string(),
            ms,
            bytes: done.text.len(),
            tokens: estimate_tokens(&done.text),
            shown: done.shown.clone(),
            why: done.why.clone(),
            memories: done.memories.clone(),
            held_back: done.held_back.clone(),
            left_out: done.left_out,
            held: done.hold,
            reason: done.reason.clone(),
        };
        let mut line = serde_json::to_vec(&record).unwrap_or_default();
        line.push(b'\n');
        line
    }

    pub(super) fn hook_file(&self) -> PathBuf {
        self.dirs.state.join("hooks.jsonl")
    }
}
