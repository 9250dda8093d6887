//! One stretch of a conversation: learned from, and then the cursor moves behind it.
//!
//! What is kept of a transcript between two runs is one small file: the cursor, a little of what was said last, and, while a
//! model is asked, the name of the group: a run that dies after it has landed is not done twice.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::engine_choice::STOPPED;
use super::{EngineChoice, LearningUsage};
use crate::engine::{Conversation, Error, Extracted, Landing, Memory};
use memdir_core::limits;
use memdir_guard::secrets;
use memdir_hosts::Host;
use memdir_hosts::transcript::{Message, Origin, Role, read};
use memdir_store::fs::{self, Durability};
use memdir_store::history::ChangeId;

/// What is kept of a transcript between two runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct TranscriptCursor {
    /// The file.
    pub(super) transcript: PathBuf,
    /// The last message that was looked at.
    pub(super) cursor: Option<String>,
    /// How many messages were, in all.
    pub(super) messages: usize,
    /// When.
    pub(super) time: Option<jiff::Timestamp>,
    /// What was said last, as context for what comes.
    pub(super) earlier: Vec<SaidBefore>,
    /// Memories that the last stretch touched.
    pub(super) recent: Vec<String>,
    /// A stretch that a model was asked about, until the cursor has moved behind it.
    #[serde(default)]
    pub(super) asked: Option<AskedStretch>,
}

/// A stretch that a model was asked about. If its group is in the history, the run died after it had landed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct AskedStretch {
    pub(super) act: String,
    pub(super) upto: String,
    pub(super) messages: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SaidBefore {
    id: String,
    user: bool,
    text: String,
}

impl SaidBefore {
    fn of(message: &Message) -> SaidBefore {
        // Screened before it is cut: half a secret is not recognised.
        let mut text = secrets::screen(&message.text).text;
        text.truncate(text.floor_char_boundary(limits::TOOL_OUTPUT_BYTES));
        SaidBefore { id: message.id.clone(), user: message.role == Role::User, text }
    }

    fn message(&self) -> Message {
        Message {
            id: self.id.clone(),
            role: if self.user { Role::User } else { Role::Assistant },
            origin: Origin::Own,
            text: self.text.clone(),
            tool_uses: Vec::new(),
            time: None,
        }
    }
}

/// The part of a conversation that is being learned from.
pub(super) struct TranscriptStretch<'s, 'l> {
    pub(super) memory: &'s Memory,
    pub(super) landing: Landing,
    pub(super) choice: &'s mut EngineChoice<'l>,
    pub(super) session: Option<&'s str>,
    pub(super) file: &'s Path,
    pub(super) progress: TranscriptCursor,
    pub(super) total: Extracted,
    pub(super) usage: Option<LearningUsage>,
}

impl TranscriptStretch<'_, '_> {
    /// Learns from all that is new, a stretch after the other. `step` is told how many messages are done, and may stop it there.
    /// Returns whether the message to go on from is still in the transcript.
    pub(super) fn learn_all(
        &mut self,
        path: &Path,
        host: Host,
        since: Option<&str>,
        step: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<bool, Error> {
        let mut waiting: Vec<Message> = Vec::new();
        let mut bytes = 0;
        let mut failure = None;
        let seen = read(path, host, since, &mut |message| {
            // A stretch ends where the person speaks again.
            let long = waiting.len() >= limits::EXTRACT_MESSAGES || bytes >= limits::EXTRACT_BYTES;
            if long && message.is_own() {
                bytes = 0;
                match self.learn(&std::mem::take(&mut waiting)) {
                    Err(error) => {
                        failure = Some(error);
                        return ControlFlow::Break(());
                    }
                    Ok(ControlFlow::Break(())) => return ControlFlow::Break(()),
                    Ok(ControlFlow::Continue(())) => step(self.total.messages)?,
                }
            }
            bytes += message.text.len();
            waiting.push(message);
            ControlFlow::Continue(())
        })?;
        if let Some(error) = failure {
            return Err(error);
        }
        if !waiting.is_empty() && self.learn(&waiting)?.is_continue() {
            let _ = step(self.total.messages);
        }
        Ok(seen.cursor_found)
    }

    /// Learns from it; `Break`: somebody stopped the run before its end, and it is to be looked at again.
    fn learn(&mut self, messages: &[Message]) -> Result<ControlFlow<()>, Error> {
        let earlier: Vec<Message> = self.progress.earlier.iter().map(SaidBefore::message).collect();
        let recent = std::mem::take(&mut self.progress.recent);
        let conversation = Conversation { session: self.session, earlier: &earlier, messages, recent: &recent };
        let last_id = messages.last().map(|message| message.id.clone()).unwrap_or_default();
        let act = ChangeId::derive(&[
            b"learn",
            self.progress.transcript.as_os_str().as_encoded_bytes(),
            self.progress.cursor.as_deref().unwrap_or_default().as_bytes(),
            last_id.as_bytes(),
        ]);
        if self.choice.thinks() {
            let asked = AskedStretch { act: act.to_string(), upto: last_id.clone(), messages: messages.len() };
            self.progress.asked = Some(asked);
            self.keep()?;
        }
        let (done, usage) = self.memory.learn_stretch(self.choice, &conversation, self.landing, act)?;
        if let Some(usage) = usage {
            self.usage.get_or_insert_default().add(usage);
        }
        if done.skipped == Some(STOPPED) {
            self.total.join(done);
            return Ok(ControlFlow::Break(()));
        }
        let last = |role: Role| {
            messages.iter().rev().find(|one| one.role == role && one.origin == Origin::Own && !one.text.is_empty())
        };
        let mut kept: Vec<&Message> = [last(Role::User), last(Role::Assistant)].into_iter().flatten().collect();
        kept.sort_by_key(|one| messages.iter().position(|other| std::ptr::eq(*one, other)));
        let progress = &mut self.progress;
        progress.earlier = kept.into_iter().map(SaidBefore::of).collect();
        progress.recent = done.saved.iter().map(|saved| saved.file.clone()).collect();
        progress.cursor = Some(last_id);
        progress.messages += messages.len();
        progress.time = Some(self.memory.now.timestamp());
        progress.asked = None;
        self.keep()?;
        self.total.join(done);
        Ok(ControlFlow::Continue(()))
    }

    fn keep(&self) -> Result<(), Error> {
        let bytes = serde_json::to_vec(&self.progress).unwrap_or_default();
        Ok(fs::replace(self.file, &bytes, Durability::Cache)?)
    }
}

impl LearningUsage {
    fn add(&mut self, other: LearningUsage) {
        self.input += other.input;
        self.output += other.output;
        self.cache_read += other.cache_read;
        self.cache_write += other.cache_write;
    }
}
