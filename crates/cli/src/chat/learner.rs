//! Learning after a turn, in the background, one at a time (X5).
//!
//! A turn that ends while a run goes on is put aside, the latest wins, and one run follows. A run
//! that failed leaves the cursor where it was, so the next one looks at the same messages again.

use std::ffi::OsString;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use memdir::engine::{LearnRequest, Learned, Memory, NotesJob};
use memdir::limits;
use memdir::model::fork::RunBudget;
use memdir::model::{Cancel, Request, SharedModel};
use memdir::store::history::Actor;

use super::conversation::since;
use super::keys::KeyEvent;
use super::session::ChatSession;
use crate::env;
use crate::shell::Programs;

/// How long a run that was stopped may take to put things away.
const STOPPING: Duration = Duration::from_secs(2);

/// What is to be learned from.
pub(super) struct LearnJob {
    /// The conversation, the last answer included.
    pub(super) parent: Request,
    /// The id of each of its messages.
    pub(super) ends: Vec<String>,
    /// The session it belongs to.
    pub(super) session: String,
    /// Whether memories are to be learned.
    pub(super) learn: bool,
    /// Whether its notes are due (S2).
    pub(super) notes: bool,
}

/// Learns in the background.
pub(super) struct Learner {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<LearnerState>,
    changed: Condvar,
    cancel: Cancel,
}

#[derive(Default)]
struct LearnerState {
    waiting: Option<LearnJob>,
    running: bool,
}

impl Learner {
    pub(super) fn new(
        chat_session: &Arc<ChatSession>,
        model: SharedModel,
        report: Sender<Option<KeyEvent>>,
    ) -> Learner {
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new(), cancel: Cancel::default() });
        let (mine, chat_session) = (Arc::clone(&shared), Arc::clone(chat_session));
        std::thread::spawn(move || {
            loop {
                let learn_job = mine.next();
                let learned = run(&chat_session, &model, &learn_job, &mine.cancel);
                if let Some(learned) = learned {
                    // Told before it counts as done: whoever waits for the end then finds it.
                    let _ = report.send(Some(KeyEvent::Learned(Box::new(learned))));
                }
                mine.lock().running = false;
                mine.changed.notify_all();
            }
        });
        Learner { shared }
    }

    /// A turn has ended.
    pub(super) fn offer(&self, mut learn_job: LearnJob) {
        let mut state = self.shared.lock();
        // The latest wins; what was due still is, if it is the same session.
        if let Some(old) = state.waiting.take().filter(|old| old.session == learn_job.session) {
            learn_job.learn |= old.learn;
            learn_job.notes |= old.notes;
        }
        state.waiting = Some(learn_job);
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Whether something is being learned, or waits for it.
    pub(super) fn is_busy(&self) -> bool {
        let state = self.shared.lock();
        state.running || state.waiting.is_some()
    }

    /// What stops it.
    pub(super) fn cancel(&self) -> Cancel {
        self.shared.cancel.clone()
    }

    /// Waits until nothing is left to learn, but no longer than `most` (X9).
    pub(super) fn drain(&self, most: Duration) {
        let idle = |state: &LearnerState| !state.running && state.waiting.is_none();
        let end = Instant::now() + most;
        let mut state = self.shared.lock();
        while !idle(&state) && !self.shared.cancel.is_cancelled() && Instant::now() < end {
            state = self.shared.wait(state, Duration::from_millis(memdir::limits::MODEL_TICK_MS));
        }
        if idle(&state) {
            return;
        }
        state.waiting = None;
        self.shared.cancel.cancel();
        let end = Instant::now() + STOPPING;
        while state.running && Instant::now() < end {
            state = self.shared.wait(state, Duration::from_millis(memdir::limits::MODEL_TICK_MS));
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, LearnerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, LearnerState>, most: Duration) -> MutexGuard<'s, LearnerState> {
        self.changed.wait_timeout(state, most).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Waits for something to learn from.
    fn next(&self) -> LearnJob {
        let mut state = self.lock();
        loop {
            if let Some(learn_job) = state.waiting.take() {
                state.running = true;
                return learn_job;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// One run. What goes wrong is worth a line, never the conversation.
fn run(chat_session: &ChatSession, model: &SharedModel, learn_job: &LearnJob, cancel: &Cancel) -> Option<Learned> {
    let memory = chat_session.open().ok()?;
    let path = memory.around.vars.get("PATH").map(OsString::from).unwrap_or_default();
    let shell = Programs::from(&path, &memory.place.project.checkout);
    let learned = if learn_job.learn { learn(chat_session, &memory, model, learn_job, &shell, cancel) } else { None };
    if learn_job.notes && !cancel.is_cancelled() {
        // Notes that fail stay as they were; they are due again when the conversation has grown.
        let _ = note(&memory, model, learn_job, &shell, cancel);
    }
    learned
}

fn learn(
    chat_session: &ChatSession,
    memory: &Memory,
    model: &SharedModel,
    learn_job: &LearnJob,
    shell: &Programs,
    cancel: &Cancel,
) -> Option<Learned> {
    let cursor = memory.learn().learned_up_to(&learn_job.session);
    let last = learn_job.ends.last()?;
    let mut signature = chat_session.signature(Actor::Extract, Some(last.clone()));
    signature.session = Some(learn_job.session.clone());
    let new = since(&learn_job.ends, cursor.as_deref());
    let texts = env::own_texts(memory);
    let learn = LearnRequest {
        cancel: cancel.clone(),
        own_texts: &texts,
        ..LearnRequest::from_turn(&**model, &learn_job.parent, new, shell, signature)
    };
    let learned = memory.learn().run(&learn, &mut |_| {});
    let learned = match learned {
        Ok(learned) => learned,
        Err(error) => Learned::failed(error.to_string()),
    };
    if learned.is_done() {
        // A cursor that cannot be kept means that the same is looked at again, nothing worse.
        let _ = memory.learn().set_learned_up_to(&learn_job.session, last);
    }
    if !learned.files().is_empty() {
        env::take_in_change(memory);
    }
    Some(learned)
}

/// Brings the notes of the session up to date, by the same kind of fork (S3).
fn note(
    memory: &Memory,
    model: &SharedModel,
    learn_job: &LearnJob,
    shell: &Programs,
    cancel: &Cancel,
) -> Result<(), memdir::engine::Error> {
    let job = NotesJob {
        model: &**model,
        parent: &learn_job.parent,
        shell,
        budget: RunBudget {
            turns: limits::NOTES_TURNS,
            time: Duration::from_secs(limits::NOTES_SECONDS),
            tokens: limits::EXTRACT_TOKENS,
        },
        cancel: cancel.clone(),
    };
    memory.sessions().update_notes_with(&learn_job.session, &job, &mut |_| {}).map(|_| ())
}
