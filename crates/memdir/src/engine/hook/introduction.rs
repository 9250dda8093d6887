//! What a conversation is told once: how memory works, and what is in it.
//!
//! Enters: the start of a conversation or of a sub-agent. Leaves: the blocks that its host does not load itself, as much of them as it
//! takes, and what the user should know before anything is saved. Never says it twice to one conversation, unless that was cleared or
//! made shorter.

use super::outcome::fitting;
use super::{HookOutcome, HookRun};
use crate::engine::{Announcement, ContextPart, ContextRequest, Error, Memory, Next};
use memdir_context::prompts::Prompts;
use memdir_context::receipt::ContextBlock;
use memdir_core::limits::CUT_NOTE_BYTES;
use memdir_core::settings::Mode;
use memdir_core::warning::quoted;
use memdir_hosts::ConversationStart;
use memdir_store::fs;

impl HookRun<'_> {
    pub(super) fn session_starts(&self, start: ConversationStart) -> Result<HookOutcome, Error> {
        match (start, self.session()) {
            (ConversationStart::Cleared | ConversationStart::Compacted, Some(session)) => {
                self.memory.sessions().reset(session)?;
            }
            // It knows what its parent was told.
            (ConversationStart::Forked, Some(session)) => {
                self.claim_start(session)?;
                return Ok(HookOutcome::nothing("it goes on from a conversation that was told"));
            }
            _ => {}
        }
        if !self.profile.hears_start {
            return Ok(HookOutcome::nothing("this host is told beside the first prompt"));
        }
        self.introduce()
    }

    /// A sub-agent gets the index of its own memory (G3).
    pub(super) fn agent_starts(&self, agent: &str) -> Result<HookOutcome, Error> {
        let mut done = HookOutcome::nothing("this agent has no memory of its own");
        for text in self.memory.agent_indexes(agent, &self.own_texts)? {
            if let Some(part) = fitting(&text, done.room(self.profile.start_bytes)) {
                done = done.then(HookOutcome::block("agent-index", part));
            }
        }
        Ok(done)
    }

    /// How memory works and what is in it, once a conversation.
    pub(super) fn introduce(&self) -> Result<HookOutcome, Error> {
        if let Some(session) = self.session()
            && !self.claim_start(session)?
        {
            return Ok(HookOutcome::nothing("it was told already"));
        }
        let mut done = self.with_blocks(HookOutcome::nothing("the host loads everything itself"))?;
        done.told.extend(self.memory.former_place_hint());
        done.told.extend(self.memory.waiting_directory_hint());
        // A conversation that is introduced again and has notes was compacted.
        let notes = self.session().map(|session| self.notes_after(session, done.room(self.profile.start_bytes)));
        Ok(match notes {
            Some(notes) if !notes.text.is_empty() => done.then(notes),
            _ => done,
        })
    }

    /// Adds the blocks, and how many lines of an index are missing.
    fn with_blocks(&self, mut done: HookOutcome) -> Result<HookOutcome, Error> {
        let blocks = self.blocks()?;
        let count = blocks.len();
        let mut left_out = 0;
        for (at, ContextBlock { name, text, .. }) in blocks.into_iter().enumerate() {
            let room = done.room(self.profile.start_bytes);
            if text.len() <= room || !name.ends_with("index") {
                done = done.then(HookOutcome::block(&name, fitting(&text, room).unwrap_or_default()));
                continue;
            }
            // Each index that is still to come gets its share of the room, less what says that some of it is missing.
            let share = room.saturating_sub(CUT_NOTE_BYTES) / (count - at);
            let part = self.memory.short_index(&name, &text, share)?;
            left_out += part.left_out;
            if !part.text.is_empty() {
                done = done.then(HookOutcome::block(&name, part.text));
            }
        }
        if left_out == 0 {
            return Ok(done);
        }
        let mut prompts = Prompts::with_own(self.own_texts.iter().map(|(name, text)| (name, text)));
        let text = prompts.phrase("cut-start", &[("count", &left_out.to_string())]);
        let text = text.map_err(|error| Error::Refused(error.to_string()))?;
        Ok(done.then(HookOutcome { text, left_out, ..HookOutcome::default() }))
    }

    /// What the host does not load itself.
    fn blocks(&self) -> Result<Vec<ContextBlock>, Error> {
        let mut blocks = Vec::new();
        for part in [ContextPart::Manual, ContextPart::Index] {
            if part == ContextPart::Manual && self.is_loaded("manual") {
                continue;
            }
            let own_texts = self.own_texts.clone();
            let request = ContextRequest { session: None, part, mode: None, agent: None, own_texts };
            blocks.extend(self.memory.sessions().context(&request)?.blocks);
        }
        blocks.retain(|block| !self.is_loaded(&block.name));
        Ok(blocks)
    }

    /// Whether a host brings a block itself. A manual of its own knows neither the daily log nor the team's directory.
    fn is_loaded(&self, block: &str) -> bool {
        self.profile.loads.contains(&block) && (block != "manual" || self.memory.settings.mode == Mode::Normal)
    }

    /// Takes the right to introduce memory to a conversation; `false` when somebody was faster, since
    /// some hosts run the hooks of the start and of the first prompt at once.
    fn claim_start(&self, session: &str) -> Result<bool, Error> {
        let dir = self.memory.session_dir(session);
        fs::create_private_dir(&dir)?;
        Ok(fs::claim(&dir.join("started"))?)
    }
}

impl Memory {
    /// Where nothing is known yet, that it may be in the project's former place (P3).
    fn former_place_hint(&self) -> Option<Announcement> {
        let former = self.files().forgotten_place()?;
        Some(Announcement { text: former.sentence(), next: Next::TakeOver })
    }

    /// That the project's local file names another directory for its memory, to which nobody said yes (P5).
    fn waiting_directory_hint(&self) -> Option<Announcement> {
        let dir = self.place.waiting.as_ref()?;
        let text = format!(
            "`.claude/settings.local.json` of this project names {} for its memory, and such a file can come with a project, so it is not used",
            quoted(&dir.to_string_lossy())
        );
        Some(Announcement { text, next: Next::AllowDirectory })
    }
}
