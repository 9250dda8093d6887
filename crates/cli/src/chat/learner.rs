//! Learning after a turn, in the background, one at a time (X5).
//!
//! A turn that ends while a run goes on is put aside, the latest wins, and one run follows. A run
//! that failed leaves the cursor where it was, so the next one looks at the same messages again.

use std::ffi::OsString;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use memdir::engine::{Learn, Learned, Memory, NotesJob};
use memdir::limits;
use memdir::model::fork::Budget;
use memdir::model::{Cancel, Request, SharedModel};
use memdir::store::history::Actor;

use super::conversation::since;
use super::desk::Desk;
use super::keys::Event;
use crate::env;
use crate::shell::Programs;

/// How long a run that was stopped may take to put things away.
const STOPPING: Duration = Duration::from_secs(2);

/// What is to be learned from.
pub(super) struct Lesson {
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
    state: Mutex<State>,
    changed: Condvar,
    cancel: Cancel,
}

#[derive(Default)]
struct State {
    waiting: Option<Lesson>,
    running: bool,
}

impl Learner {
    pub(super) fn new(desk: &Arc<Desk>, model: SharedModel, report: Sender<Option<Event>>) -> Learner {
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new(), cancel: Cancel::default() });
        let (mine, desk) = (Arc::clone(&shared), Arc::clone(desk));
        std::thread::spawn(move || {
            loop {
                let lesson = mine.next();
                let learned = run(&desk, &model, &lesson, &mine.cancel);
                if let Some(learned) = learned {
                    // Told before it counts as done: whoever waits for the end then finds it.
                    let _ = report.send(Some(Event::Learned(Box::new(learned))));
                }
                mine.lock().running = false;
                mine.changed.notify_all();
            }
        });
        Learner { shared }
    }

    /// A turn has ended.
    pub(super) fn offer(&self, mut lesson: Lesson) {
        let mut state = self.shared.lock();
        // The latest wins; what was due still is, if it is the same session.
        if let Some(old) = state.waiting.take().filter(|old| old.session == lesson.session) {
            lesson.learn |= old.learn;
            lesson.notes |= old.notes;
        }
        state.waiting = Some(lesson);
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
        let idle = |state: &State| !state.running && state.waiting.is_none();
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
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>, most: Duration) -> MutexGuard<'s, State> {
        self.changed.wait_timeout(state, most).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Waits for something to learn from.
    fn next(&self) -> Lesson {
        let mut state = self.lock();
        loop {
            if let Some(lesson) = state.waiting.take() {
                state.running = true;
                return lesson;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// One run. What goes wrong is worth a line, never the conversation.
fn run(desk: &Desk, model: &SharedModel, lesson: &Lesson, cancel: &Cancel) -> Option<Learned> {
    let memory = desk.open().ok()?;
    let path = memory.around.vars.get("PATH").map(OsString::from).unwrap_or_default();
    let shell = Programs::from(&path, &memory.place.project.checkout);
    let learned = if lesson.learn { learn(desk, &memory, model, lesson, &shell, cancel) } else { None };
    if lesson.notes && !cancel.is_cancelled() {
        // Notes that fail stay as they were; they are due again when the conversation has grown.
        let _ = note(&memory, model, lesson, &shell, cancel);
    }
    learned
}

fn learn(
    desk: &Desk,
    memory: &Memory,
    model: &SharedModel,
    lesson: &Lesson,
    shell: &Programs,
    cancel: &Cancel,
) -> Option<Learned> {
    let cursor = memory.learned_up_to(&lesson.session);
    let last = lesson.ends.last()?;
    let mut signature = desk.signature(Actor::Extract, Some(last.clone()));
    signature.session = Some(lesson.session.clone());
    let new = since(&lesson.ends, cursor.as_deref());
    let texts = env::own_texts(memory);
    let learn = Learn {
        cancel: cancel.clone(),
        own_texts: &texts,
        ..Learn::from_turn(&**model, &lesson.parent, new, shell, signature)
    };
    let learned = memory.learn(&learn, &mut |_| {});
    let learned = match learned {
        Ok(learned) => learned,
        Err(error) => Learned::failed(error.to_string()),
    };
    if learned.is_done() {
        // A cursor that cannot be kept means that the same is looked at again, nothing worse.
        let _ = memory.set_learned_up_to(&lesson.session, last);
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
    lesson: &Lesson,
    shell: &Programs,
    cancel: &Cancel,
) -> Result<(), memdir::engine::Error> {
    let job = NotesJob {
        model: &**model,
        parent: &lesson.parent,
        shell,
        budget: Budget {
            turns: limits::NOTES_TURNS,
            time: Duration::from_secs(limits::NOTES_SECONDS),
            tokens: limits::EXTRACT_TOKENS,
        },
        cancel: cancel.clone(),
    };
    memory.update_notes_with(&lesson.session, &job, &mut |_| {}).map(|_| ())
}
