//! Whether it is time to dream: the cheapest question first (D1, D6).
//!
//! Enters: settings, the lock and the hosts' transcripts. Leaves: yes, or a named reason. One look at the
//! lock, then a scan of transcripts that is kept for ten minutes, then the holder. The project's memory and
//! the user's own have a lock and a time each. Sessions are those of this project and its worktrees, of every
//! host that keeps them in files; for the user's own memory, which every project sees, those of all projects.

use std::path::PathBuf;
use std::time::SystemTime;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Dreaming;
use crate::engine::{Error, JobGate};
use memdir_core::kind::Scope;
use memdir_core::limits;
use memdir_hosts::Host;
use memdir_hosts::transcript::about;
use memdir_store::Store;
use memdir_store::dream_lock::{DreamLock, DreamLockError};
use memdir_store::fs::{self, Durability};

/// What the last scan found.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Scan {
    time: Option<Timestamp>,
    since: Option<Timestamp>,
    sessions: u64,
}

impl<'m> Dreaming<'m> {
    /// Whether a dream of a scope would run now, and why not.
    pub fn gate(&self, scope: Scope) -> JobGate {
        let closed = |reason: String| JobGate { run: false, reason };
        if !self.memory.place.enabled {
            return closed(format!("off:{}", self.memory.place.enabled_rule.id()));
        }
        if let Err(error) = &self.memory.place.memory_dir {
            return closed(format!("no-directory:{}", error.id()));
        }
        if !self.memory.settings.dream_enabled {
            return closed("setting:dream.enabled".to_owned());
        }
        let Ok(Some(store)) = self.store(scope) else { return closed("no-memories".to_owned()) };
        let now = self.memory.now.timestamp();
        let last = self.last_of(store);
        if let Some(last) = last {
            let hours = u64::try_from((now.as_second() - last.as_second()).max(0) / 3600).unwrap_or(0);
            if hours < self.memory.settings.dream_min_hours {
                // A dream that is under way is no dream that was.
                return closed(match store.dreaming(now, false) {
                    Some(pid) => format!("running:{pid}"),
                    None => format!("too-soon:{hours}h-of-{}h", self.memory.settings.dream_min_hours),
                });
            }
        }
        let sessions = self.sessions_since(store, scope, last);
        if sessions < self.memory.settings.dream_min_sessions {
            return closed(format!("few-sessions:{sessions}-of-{}", self.memory.settings.dream_min_sessions));
        }
        match store.dreaming(now, false) {
            Some(pid) => closed(format!("running:{pid}")),
            None => JobGate { run: true, reason: "due".to_owned() },
        }
    }

    /// The store of a scope that can be dreamt; `None` while it does not exist.
    pub(super) fn store(&self, scope: Scope) -> Result<Option<&'m Store>, Error> {
        if scope == Scope::User { self.memory.user_store() } else { self.memory.private_store() }
    }

    /// Takes the lock for a dream of this process; by hand the gates of time and sessions do not count (D6).
    pub(super) fn begin(&self, scope: Scope, by_hand: bool) -> Result<DreamLock<'m>, Error> {
        let store = self.memory.writable(scope)?;
        let seen = (!by_hand).then(|| store.dream_seen());
        if !by_hand {
            let gate = self.gate(scope);
            if !gate.run {
                return Err(Error::Refused(format!("no dream now: {}", gate.reason)));
            }
        }
        store.hold_dream(self.memory.now.timestamp(), seen.as_ref()).map_err(|error| match error {
            DreamLockError::Change(error) => Error::Change(error),
            DreamLockError::Held(_) => Error::Refused(error.to_string()),
        })
    }

    /// Conversations after a time, the newest first, without the current session.
    pub(super) fn recent_transcripts(&self, since: Option<Timestamp>) -> Vec<PathBuf> {
        self.sessions_after(Scope::Private, since).into_iter().rev().map(|(_, path)| path).collect()
    }

    /// When a scope was last dreamt.
    pub fn last(&self, scope: Scope) -> Option<Timestamp> {
        self.store(scope).ok().flatten().and_then(|store| self.last_of(store))
    }

    /// The same of a store. A time ahead of the clock means that the clock was put back: a little, and the dream
    /// was just now; more than dreams lie apart, and the time says nothing, else it would be waited for.
    fn last_of(&self, store: &Store) -> Option<Timestamp> {
        let now = self.memory.now.timestamp();
        let apart = i64::try_from(self.memory.settings.dream_min_hours.saturating_mul(3600)).unwrap_or(i64::MAX);
        let ahead = |last: &Timestamp| last.as_second().saturating_sub(now.as_second());
        store.last_consolidated(now).filter(|last| ahead(last) <= apart.max(limits::CLOCK_SLACK_SECONDS))
    }

    /// Sessions touched since the last dream; looked up at most every ten minutes.
    fn sessions_since(&self, store: &Store, scope: Scope, last: Option<Timestamp>) -> u64 {
        // Nobody has to look where none is asked for.
        if self.memory.settings.dream_min_sessions == 0 {
            return 0;
        }
        let path = store.state_dir().join("sessions.json");
        let known: Scan = serde_json::from_slice(&fs::read_beside(&path).unwrap_or_default()).unwrap_or_default();
        let now = self.memory.now.timestamp();
        let age = known.time.map(|time| now.as_second() - time.as_second());
        if known.since == last && age.is_some_and(|age| (0..limits::DREAM_SCAN_SECONDS).contains(&age)) {
            return known.sessions;
        }
        let sessions = self.sessions_after(scope, last).len() as u64;
        let scan = Scan { time: Some(now), since: last, sessions };
        if fs::create_private_dir(store.state_dir()).is_ok() {
            // A scan that cannot be kept is made again.
            let _ = fs::replace(&path, &serde_json::to_vec(&scan).unwrap_or_default(), Durability::Cache);
        }
        sessions
    }

    /// Transcripts that were written since, oldest first, without the current session.
    fn sessions_after(&self, scope: Scope, last: Option<Timestamp>) -> Vec<(Host, PathBuf)> {
        let since = last.map(SystemTime::from);
        let mut found = if scope == Scope::User {
            self.memory.transcripts_anywhere(since)
        } else {
            self.memory.transcripts_after(since)
        };
        if let Some(current) = self.memory.signature.session.as_deref() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_memory::{TestMemory, topic};

    /// A conversation of Claude Code in some directory.
    fn talk(bench: &TestMemory, slug: &str, name: &str, cwd: &str) {
        let line = format!(
            "{{\"type\":\"user\",\"sessionId\":\"{name}\",\"uuid\":\"1\",\"cwd\":\"{cwd}\",\"timestamp\":\"2026-04-13T10:00:00Z\",\"message\":{{\"role\":\"user\",\"content\":\"hello\"}}}}\n"
        );
        bench.put(&format!("../../.claude/projects/{slug}/{name}.jsonl"), line);
    }

    #[test]
    fn d1_sessions_of_all_projects_count_for_the_users_memory_and_only_its_own_for_a_project() {
        let bench = TestMemory::with(&[("project_a.md", &topic("project", "A", "The shop sells tea."))]);
        bench.put("../../.claude/memory/user_role.md", topic("user", "Role", "Platform engineer."));
        let own = bench.project().display().to_string();
        let slug = memdir_store::place::slug(&bench.project());
        talk(&bench, &slug, "one", &own);
        for (at, name) in ["two", "three", "four", "five"].into_iter().enumerate() {
            talk(&bench, &format!("-elsewhere-{at}"), name, &format!("/elsewhere/{at}"));
        }
        let memory = bench.memory();
        assert_eq!(memory.dream().gate(Scope::Private).reason, "few-sessions:1-of-5");
        assert_eq!(memory.dream().gate(Scope::User).reason, "due");
    }

    #[test]
    fn d1_a_clock_put_back_a_little_waits_and_put_back_a_lot_does_not() {
        let bench = TestMemory::with(&[("project_a.md", &topic("project", "A", "The shop sells tea."))])
            .set("MEMDIR_DREAM_MIN_SESSIONS", "0");
        let memory = bench.memory();
        memory.dream().begin(Scope::Private, true).unwrap().finish().unwrap();
        let reason = |now: &str| bench.memory_at(now).dream().gate(Scope::Private).reason;
        assert_eq!(reason("2026-04-14T08:00:00[UTC]"), "too-soon:0h-of-24h");
        assert_eq!(reason("2026-04-12T08:00:00[UTC]"), "due");
        assert_eq!(reason("2026-04-15T10:00:01[UTC]"), "due");
    }
}
