//! `/compact`: a summary and the notes of the session take the place of what was said.
//!
//! Notes that say nothing stay out (S5), and so do notes where they are switched off (S7). What is too long in them
//! is cut by section, and says so (S4).

use std::time::Duration;

use memdir::context::prompts::{Prompt, Prompts};
use memdir::engine::Memory;
use memdir::limits;
use memdir::model::{Block, Call, Cancel, ModelError, Role};

use super::conversation::Conversation;
use super::notes_schedule::NotesSchedule;
use super::preamble::{preamble, reminder};
use super::screen::Screen;
use super::transcript::Whose;
use super::turn::{Chat, Ended};
use crate::env;
use crate::failure::Failure;

impl Chat<'_> {
    /// `/compact`: a summary takes the place of what was said.
    pub(super) fn compact(&mut self, screen: &mut Screen<'_>) -> Result<Ended, Failure> {
        let Some(model) = self.model.clone().filter(|_| !self.talk.is_empty()) else {
            screen.note("there is nothing to sum up");
            return Ok(Ended::Done);
        };
        let memory = self.session.open()?;
        let cancel = Cancel::default();
        self.keys.stops(cancel.clone());
        let mut prompts = Prompts::with_own(env::own_texts(&memory));
        let ask = prompts.render(Prompt::Compact, &[]).map_err(|error| Failure::Fault(error.to_string()))?;
        let mut request = self.request();
        match request.messages.last_mut() {
            Some(last) if last.role == Role::User => last.content.push(Block::Text { text: ask }),
            _ => request.messages.push(memdir::model::Message::user(ask)),
        }
        screen.note("summing up …");
        let call = Call { timeout: Duration::from_secs(limits::CHAT_SECONDS), cancel };
        let reply = match model.ask(&request, &call, &mut |_| {}) {
            Ok(reply) => reply,
            Err(ModelError::Cancelled) => return Ok(Ended::Stopped),
            Err(error) => return Ok(Ended::Failed(error)),
        };
        let said = memdir::model::Message { role: Role::Assistant, content: reply.content };
        let summary = said.text();
        if summary.trim().is_empty() {
            screen.complain("the model gave no summary; the conversation stays as it is");
            return Ok(Ended::Done);
        }
        let notes = self.notes(&memory, &mut prompts)?;
        let with_notes = notes.is_some();
        let cursor = memory.learn().learned_up_to(&self.session.id());
        let all_learned = cursor.as_ref() == self.talk.ends().last();
        memory.sessions().reset(&self.session.id())?;
        self.preamble = preamble(&memory)?;
        self.transcript.boundary(memory.now.timestamp())?;
        (self.talk, self.prefetch, self.day) = (Conversation::default(), None, None);
        self.notes_schedule = NotesSchedule::default();
        self.begin(&memory)?;
        if let Some(notes) = notes {
            self.user(&memory, &notes, Whose::Meta)?;
        }
        self.user(&memory, &summary, Whose::Summary)?;
        if let (true, Some(end)) = (all_learned, self.talk.ends().last()) {
            memory.learn().set_learned_up_to(&self.session.id(), end)?;
        }
        screen.usage(reply.usage);
        let and_notes = if with_notes { " and the notes of this session" } else { "" };
        screen.note(&format!("the conversation goes on from a summary{and_notes}"));
        Ok(Ended::Done)
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
