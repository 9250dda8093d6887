//! The session of a chat: how its memory is opened, and its id.
//!
//! Memory is opened again for each turn and on each thread: a conversation may last for days, and
//! what is open holds the time and what was read.

use std::sync::Mutex;

use memdir::engine::{Memory, Signature};
use memdir::store::history::Actor;

use super::transcript;
use crate::args::Global;
use crate::env;
use crate::failure::Failure;

/// Everything that outlives a turn and does not change with it.
pub(super) struct ChatSession {
    global: Global,
    settings: Vec<(String, String)>,
    session: Mutex<String>,
    /// Whether a person sits here.
    pub(super) interactive: bool,
    /// Whether the session was there before.
    pub(super) resumed: bool,
}

impl ChatSession {
    pub(super) fn new(
        global: Global,
        model: Option<String>,
        resume: Option<&str>,
        interactive: bool,
    ) -> Result<ChatSession, Failure> {
        let settings = model.map(|name| ("model.name".to_owned(), name)).into_iter().collect();
        let session = match resume {
            Some(id) => transcript::checked(id)?.to_owned(),
            None => transcript::fresh_id()?,
        };
        Ok(ChatSession { global, settings, session: Mutex::new(session), interactive, resumed: resume.is_some() })
    }

    /// Memory as it is now, signed by a person.
    pub(super) fn open(&self) -> Result<Memory, Failure> {
        let mut memory = env::open_with(&self.global, &self.settings)?;
        memory.signature.session = Some(self.id());
        Ok(memory)
    }

    /// Who signs what a model does.
    pub(super) fn signature(&self, actor: Actor, message: Option<String>) -> Signature {
        Signature { actor, session: Some(self.id()), message }
    }

    /// The session's id.
    pub(super) fn id(&self) -> String {
        self.session.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// Another session begins.
    pub(super) fn begin_anew(&self) -> Result<(), Failure> {
        *self.session.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = transcript::fresh_id()?;
        Ok(())
    }
}
