//! Recall beside the answer (R9): a thread looks for memories while the turn goes on.
//!
//! The local ranking takes milliseconds and is waited for that long; a model's say
//! (`recall.selector` model) is never waited for. What comes late is there for the next step, or for
//! the next message. Stopping the turn stops the model that was asked.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use memdir::engine::{RecallRequest, Recalled, asking};
use memdir::limits;
use memdir::model::{CallLimits, Cancel, SharedModel};

use super::session::ChatSession;

/// A search under way.
pub(super) struct Prefetch {
    answer: Receiver<Recalled>,
    until: Instant,
}

/// What is looked for.
pub(super) struct PrefetchQuery {
    pub(super) query: String,
    /// Tools used lately (R5).
    pub(super) tools: Vec<String>,
    /// Files the model has read itself (R4).
    pub(super) files: Vec<String>,
    /// A model that chooses, and what stops it; without one the local ranking does.
    pub(super) chooser: Option<(SharedModel, Cancel)>,
}

impl Prefetch {
    /// Starts looking.
    pub(super) fn start(chat_session: &Arc<ChatSession>, wanted: PrefetchQuery) -> Prefetch {
        let (send, answer) = channel();
        let wait = if wanted.chooser.is_some() { 0 } else { limits::CHAT_RECALL_MS };
        let chat_session = Arc::clone(chat_session);
        std::thread::spawn(move || {
            // A search that fails finds nothing; the turn does not depend on it.
            if let Some(recalled) = look(&chat_session, wanted) {
                let _ = send.send(recalled);
            }
        });
        Prefetch { answer, until: Instant::now() + Duration::from_millis(wait) }
    }

    /// What was found, if it is there by now.
    pub(super) fn take(&self) -> Option<Recalled> {
        let left = self.until.saturating_duration_since(Instant::now());
        self.answer.recv_timeout(left).ok().filter(|recalled| !recalled.reminder.is_empty())
    }
}

fn look(chat_session: &ChatSession, wanted: PrefetchQuery) -> Option<Recalled> {
    let memory = chat_session.open().ok()?;
    let by_model = wanted.chooser.is_some();
    let patience = Duration::from_secs(limits::SELECT_SECONDS);
    let ask = wanted.chooser.map(|(model, cancel)| (asking(model, CallLimits { timeout: patience, cancel }), patience));
    let session = chat_session.id();
    memory
        .recall()
        .for_prompt(RecallRequest {
            recent_tools: &wanted.tools,
            surfaced: &wanted.files,
            session: Some(&session),
            model: ask,
            model_only: by_model,
            ..RecallRequest::new(&wanted.query)
        })
        .ok()
}
