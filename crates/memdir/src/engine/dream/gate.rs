//! Whether it is time to dream: the cheapest question first (D1, D6).
//!
//! Enters: settings, the lock and the hosts' transcripts. Leaves: yes, or a named reason. One look at the
//! lock, then a scan of transcripts that is kept for ten minutes, then the holder. The project's memory and
//! the user's own have a lock and a time each. Sessions are those of this project and its worktrees, of every
//! host that keeps them in files.

use std::path::PathBuf;
use std::time::SystemTime;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::engine::{Error, Gate, Memory};
use crate::host::Host;
use crate::host::transcript::about;
use crate::kind::Scope;
use crate::limits;
use crate::store::Store;
use crate::store::consolidate::{Hold, HoldError};
use crate::store::fs::{self, Durability};

/// What the last scan found.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Scan {
    time: Option<Timestamp>,
    since: Option<Timestamp>,
    sessions: u64,
}

impl Memory {
    /// What is dreamt, each on its own: the project's memory with the team's, and the user's.
    pub const DREAMT: [Scope; 2] = [Scope::Private, Scope::User];

    /// Whether a dream of a scope would run now, and why not.
    pub fn dream_gate(&self, scope: Scope) -> Gate {
        let closed = |reason: String| Gate { run: false, reason };
        if !self.place.enabled {
            return closed(format!("off:{}", self.place.enabled_rule.id()));
        }
        if let Err(error) = &self.place.memory_dir {
            return closed(format!("no-directory:{}", error.id()));
        }
        if !self.settings.dream_enabled {
            return closed("setting:dream.enabled".to_owned());
        }
        let Ok(Some(store)) = self.dreamt_store(scope) else { return closed("no-memories".to_owned()) };
        let now = self.now.timestamp();
        let last = self.last_dream_of(store);
        if let Some(last) = last {
            let hours = u64::try_from((now.as_second() - last.as_second()).max(0) / 3600).unwrap_or(0);
            if hours < self.settings.dream_min_hours {
                // A dream that is under way is no dream that was.
                return closed(match store.dreaming(now, false) {
                    Some(pid) => format!("running:{pid}"),
                    None => format!("too-soon:{hours}h-of-{}h", self.settings.dream_min_hours),
                });
            }
        }
        let sessions = self.sessions_since(store, last);
        if sessions < self.settings.dream_min_sessions {
            return closed(format!("few-sessions:{sessions}-of-{}", self.settings.dream_min_sessions));
        }
        match store.dreaming(now, false) {
            Some(pid) => closed(format!("running:{pid}")),
            None => Gate { run: true, reason: "due".to_owned() },
        }
    }

    /// The store of a scope that can be dreamt; `None` while it does not exist.
    pub(super) fn dreamt_store(&self, scope: Scope) -> Result<Option<&Store>, Error> {
        if scope == Scope::User { self.user_store() } else { self.private_store() }
    }

    /// Takes the lock for a dream of this process; by hand the gates of time and sessions do not count (D6).
    pub fn begin_dream(&self, scope: Scope, by_hand: bool) -> Result<Hold<'_>, Error> {
        let store = self.writable(scope)?;
        let seen = (!by_hand).then(|| store.dream_seen());
        if !by_hand {
            let gate = self.dream_gate(scope);
            if !gate.run {
                return Err(Error::Refused(format!("no dream now: {}", gate.reason)));
            }
        }
        store.hold_dream(self.now.timestamp(), seen.as_ref()).map_err(|error| match error {
            HoldError::Change(error) => Error::Change(error),
            HoldError::Held(_) => Error::Refused(error.to_string()),
        })
    }

    /// Conversations after a time, the newest first, without the current session.
    pub fn recent_transcripts(&self, since: Option<Timestamp>) -> Vec<PathBuf> {
        self.sessions_after(since).into_iter().rev().map(|(_, path)| path).collect()
    }

    /// When a scope was last dreamt.
    pub fn last_dream(&self, scope: Scope) -> Option<Timestamp> {
        self.dreamt_store(scope).ok().flatten().and_then(|store| self.last_dream_of(store))
    }

    /// The same of a store. A time ahead of the clock says nothing: the clock was put back.
    fn last_dream_of(&self, store: &Store) -> Option<Timestamp> {
        let now = self.now.timestamp();
        store.last_consolidated(now).filter(|last| last.as_second() <= now.as_second() + limits::CLOCK_SLACK_SECONDS)
    }

    /// Sessions touched since the last dream; looked up at most every ten minutes.
    fn sessions_since(&self, store: &Store, last: Option<Timestamp>) -> u64 {
        // Nobody has to look where none is asked for.
        if self.settings.dream_min_sessions == 0 {
            return 0;
        }
        let path = store.state_dir().join("sessions.json");
        let known: Scan = serde_json::from_slice(&fs::read_beside(&path).unwrap_or_default()).unwrap_or_default();
        let now = self.now.timestamp();
        let age = known.time.map(|time| now.as_second() - time.as_second());
        if known.since == last && age.is_some_and(|age| (0..limits::DREAM_SCAN_SECONDS).contains(&age)) {
            return known.sessions;
        }
        let sessions = self.sessions_after(last).len() as u64;
        let scan = Scan { time: Some(now), since: last, sessions };
        if fs::create_private_dir(store.state_dir()).is_ok() {
            // A scan that cannot be kept is made again.
            let _ = fs::replace(&path, &serde_json::to_vec(&scan).unwrap_or_default(), Durability::Cache);
        }
        sessions
    }

    /// Transcripts that were written since, oldest first, without the current session.
    fn sessions_after(&self, last: Option<Timestamp>) -> Vec<(Host, PathBuf)> {
        let mut found = self.transcripts_after(last.map(SystemTime::from));
        if let Some(current) = self.signature.session.as_deref() {
            found.retain(|(host, path)| !is_session(*host, path, current));
        }
        found
    }
}

/// Whether a transcript is that of a session.
fn is_session(host: Host, path: &std::path::Path, session: &str) -> bool {
    path.file_stem().is_some_and(|stem| stem == session)
        || about(path, host).is_ok_and(|about| about.session.as_deref() == Some(session))
}
