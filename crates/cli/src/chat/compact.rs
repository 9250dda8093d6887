//! `/compact`: a summary and the notes of the session take the place of what was said.
//!
//! Notes that say nothing stay out (S5), and so do notes where they are switched off (S7). What is too long in them
//! is cut by section, and says so (S4).

use std::time::Duration;

use memdir::context::prompts::{PromptTemplate, Prompts};
use memdir::engine::Memory;
use memdir::limits;
use memdir::model::{CallLimits, Cancel, ChatRole, ContentBlock, ModelError};

use super::conversation::ChatHistory;
use super::notes_schedule::NotesSchedule;
use super::preamble::{preamble, reminder};
use super::screen::ChatScreen;
use super::transcript::UserLine;
use super::turn::{Chat, TurnOutcome};
use crate::env;
use crate::failure::Failure;

impl Chat<'_> {
    /// `/compact`: a summary takes the place of what was said.
    pub(super) fn compact(&mut self, screen: &mut ChatScreen<'_>) -> Result<TurnOutcome, Failure> {
        let Some(model) = self.model.clone().filter(|_| !self.talk.is_empty()) else {
            screen.note("there is nothing to summarise");
            return Ok(TurnOutcome::Done);
        };
        let memory = self.session.open()?;
        let cancel = Cancel::default();
        self.keys.stops(cancel.clone());
        let mut prompts = Prompts::with_own(env::own_texts(&memory));
        let ask = prompts.render(PromptTemplate::Compact, &[]).map_err(|error| Failure::Fault(error.to_string()))?;
        let mut request = self.request();
        match request.messages.last_mut() {
            Some(last) if last.role == ChatRole::User => last.content.push(ContentBlock::Text { text: ask }),
            _ => request.messages.push(memdir::model::ChatMessage::user(ask)),
        }
        screen.note("summing up …");
        let call = CallLimits { timeout: Duration::from_secs(limits::CHAT_SECONDS), cancel };
        let reply = match model.ask(&request, &call, &mut |_| {}) {
            Ok(reply) => reply,
            Err(ModelError::Cancelled) => return Ok(TurnOutcome::Stopped),
            Err(error) => return Ok(TurnOutcome::Failed(error)),
        };
        let said = memdir::model::ChatMessage { role: ChatRole::Assistant, content: reply.content };
        let summary = said.text();
        if summary.trim().is_empty() {
            screen.complain("the model gave no summary; the conversation stays as it is");
            return Ok(TurnOutcome::Done);
        }
        let notes = self.notes(&memory, &mut prompts)?;
        let with_notes = notes.is_some();
        let cursor = memory.learn().learned_up_to(&self.session.id());
        let all_learned = cursor.as_ref() == self.talk.ends().last();
        memory.sessions().reset(&self.session.id())?;
        self.preamble = preamble(&memory)?;
        self.transcript.boundary(memory.now.timestamp())?;
        (self.talk, self.prefetch, self.day) = (ChatHistory::default(), None, None);
        self.notes_schedule = NotesSchedule::default();
        self.begin(&memory)?;
        if let Some(notes) = notes {
            self.user(&memory, &notes, UserLine::Meta)?;
        }
        self.user(&memory, &summary, UserLine::Summary)?;
        if let (true, Some(end)) = (all_learned, self.talk.ends().last()) {
            memory.learn().set_learned_up_to(&self.session.id(), end)?;
        }
        screen.usage(reply.usage);
        let and_notes = if with_notes { " and the notes of this session" } else { "" };
        screen.note(&format!("the conversation goes on from a summary{and_notes}"));
        Ok(TurnOutcome::Done)
    }

    /// The notes of this session for the first message after compaction, if they say anything.
    fn notes(&self, memory: &Memory, prompts: &mut Prompts) -> Result<Option<String>, Failure> {
        if !memory.settings.notes_enabled || !memory.place.enabled {
            return Ok(None);
        }
        let Some(notes) = memory.sessions().notes_for_compaction(&self.session.id())? else { return Ok(None) };
        let about = prompts.phrase("session-notes", &[]).map_err(|error| Failure::Fault(error.to_string()))?;
        Ok(Some(reminder(&format!("{about}\n\n{notes}"))))
    }
}
