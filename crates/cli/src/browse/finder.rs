//! A background thread that searches texts while a person types, and notices when others change something.
//!
//! Enters: what is typed. Leaves: lines that contain it, unless something else was typed meanwhile;
//! and everything again when the directories or the history moved.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use memdir::engine::HitPlace;
use memdir_serve::change_token::ChangeToken;

use super::actions;
use super::rows::{TextHit, around, handle};
use super::state::Update;
use crate::args::Global;
use crate::env;

/// Memories found by their text that are shown below those found by name.
const TEXT_HITS: usize = 100;
/// How often it is looked whether others changed something.
const LOOK: Duration = Duration::from_secs(2);

/// The thread's near end.
pub(super) struct Finder {
    ask: Sender<(u64, String)>,
    round: Arc<AtomicU64>,
    pub(super) updates: Receiver<Update>,
}

impl Finder {
    pub(super) fn start(global: Global) -> Finder {
        let (ask, asked) = channel();
        let (tell, updates) = channel();
        let round = Arc::new(AtomicU64::new(0));
        let current = Arc::clone(&round);
        // It ends with the process, or when nobody asks any more.
        std::thread::spawn(move || work(&global, &asked, &current, &tell));
        Finder { ask, round, updates }
    }

    /// What is typed now; what was typed before matters no more.
    pub(super) fn look_for(&self, query: String) {
        let round = self.round.fetch_add(1, Ordering::Relaxed) + 1;
        // A thread that is gone finds nothing.
        let _ = self.ask.send((round, query));
    }
}

fn work(global: &Global, asked: &Receiver<(u64, String)>, current: &AtomicU64, tell: &Sender<Update>) {
    let mut token = env::open(global).ok().map(|memory| ChangeToken::of(&memory));
    loop {
        let update = match asked.recv_timeout(LOOK) {
            Ok((round, query)) => search(global, round, &query, current),
            Err(RecvTimeoutError::Timeout) => {
                let now = env::open(global).ok().map(|memory| ChangeToken::of(&memory));
                if now == token {
                    continue;
                }
                env::open(global).ok().and_then(|memory| {
                    let all = actions::all(&memory).ok();
                    // Listing records what others changed, which changes the token once more.
                    token = Some(ChangeToken::of(&memory));
                    all
                })
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if update.is_some_and(|update| tell.send(update).is_err()) {
            return;
        }
    }
}

fn search(global: &Global, round: u64, query: &str, current: &AtomicU64) -> Option<Update> {
    let still_wanted = || current.load(Ordering::Relaxed) == round;
    // One letter is in every text.
    if !still_wanted() || query.trim().chars().count() < 2 {
        return None;
    }
    let memory = env::open(global).ok()?;
    let (mut hits, mut seen): (Vec<TextHit>, BTreeSet<String>) = Default::default();
    let found = memory.recall().search(query.trim(), false, false, &mut |hit| {
        if let (HitPlace::Memory, Some(scope)) = (hit.place, hit.scope) {
            let handle = handle(scope, &hit.file);
            if seen.insert(handle.clone()) {
                hits.push(TextHit { handle, line: around(&hit.text, query) });
            }
        }
        hits.len() < TEXT_HITS && still_wanted()
    });
    (found.is_ok() && still_wanted()).then(|| Update::Found { query: query.to_owned(), hits })
}
