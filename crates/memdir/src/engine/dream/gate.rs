//! Whether it is time to dream: the cheapest question first (D1, D6).
//!
//! Enters: settings, the lock and the hosts' transcript folders. Leaves: yes, or a named reason. One
//! look at the lock, then a scan of transcripts that is kept for ten minutes, then the holder.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::engine::{Error, Gate, Memory};
use crate::limits;
use crate::store::Store;
use crate::store::consolidate::{Hold, HoldError};
use crate::store::fs::{self, Durability};
use crate::store::place::slug;

/// What the last scan found.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Scan {
    time: Option<Timestamp>,
    since: Option<Timestamp>,
    sessions: u64,
}

impl Memory {
    /// Whether a dream would run now, and why not.
    pub fn dream_gate(&self) -> Gate {
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
        let Ok(Some(store)) = self.private_store() else { return closed("no-memories".to_owned()) };
        let now = self.now.timestamp();
        let last = store.consolidated().map(|standing| standing.time);
        // A time ahead of the clock says nothing: the clock was put back.
        let last = last.filter(|last| last.as_second() <= now.as_second() + limits::CLOCK_SLACK_SECONDS);
        if let Some(last) = last {
            let hours = u64::try_from((now.as_second() - last.as_second()).max(0) / 3600).unwrap_or(0);
            if hours < self.settings.dream_min_hours {
                return closed(format!("too-soon:{hours}h-of-{}h", self.settings.dream_min_hours));
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

    /// Takes the lock for a dream of this process; by hand the gates of time and sessions do not count (D6).
    pub fn begin_dream(&self, by_hand: bool) -> Result<Hold<'_>, Error> {
        let store = self.writable(crate::kind::Scope::Private)?;
        let mut due_after = None;
        if !by_hand {
            due_after = Some(store.consolidated());
            let gate = self.dream_gate();
            if !gate.run {
                return Err(Error::Refused(format!("no dream now: {}", gate.reason)));
            }
        }
        store.hold_dream(self.now.timestamp(), due_after).map_err(|error| match error {
            HoldError::Change(error) => Error::Change(error),
            HoldError::Held(_) => Error::Refused(error.to_string()),
        })
    }

    /// Conversations since the last dream, the newest first, without the current session.
    pub fn recent_transcripts(&self) -> Result<Vec<PathBuf>, Error> {
        let last = self.private_store()?.and_then(Store::consolidated).map(|standing| standing.time);
        let mut found = self.transcripts_since(last);
        found.sort_by(|a, b| b.cmp(a));
        Ok(found.into_iter().map(|(_, path)| path).collect())
    }

    /// Sessions touched since the last dream; looked up at most every ten minutes.
    fn sessions_since(&self, store: &Store, last: Option<Timestamp>) -> u64 {
        let path = store.state_dir().join("sessions.json");
        let known: Scan = serde_json::from_slice(&fs::read_beside(&path).unwrap_or_default()).unwrap_or_default();
        let now = self.now.timestamp();
        let age = known.time.map(|time| now.as_second() - time.as_second());
        if known.since == last && age.is_some_and(|age| (0..limits::DREAM_SCAN_SECONDS).contains(&age)) {
            return known.sessions;
        }
        let sessions = self.transcripts_since(last).len() as u64;
        let scan = Scan { time: Some(now), since: last, sessions };
        if fs::create_private_dir(store.state_dir()).is_ok() {
            // A scan that cannot be kept is made again.
            let _ = fs::replace(&path, &serde_json::to_vec(&scan).unwrap_or_default(), Durability::Cache);
        }
        sessions
    }

    /// Transcripts that were written since, in the folders of every worktree.
    fn transcripts_since(&self, last: Option<Timestamp>) -> Vec<(Timestamp, PathBuf)> {
        let mut found = Vec::new();
        for dir in self.transcript_dirs() {
            for name in fs::names(&dir).unwrap_or_default() {
                let current =
                    self.signature.session.as_deref().is_some_and(|session| name == format!("{session}.jsonl"));
                if !name.ends_with(".jsonl") || current {
                    continue;
                }
                let path = dir.join(&name);
                let Ok(facts) = path.symlink_metadata() else { continue };
                let time = facts.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
                if let Some(time) = time.filter(|time| facts.is_file() && last.is_none_or(|last| *time > last)) {
                    found.push((time, path));
                }
            }
        }
        found
    }

    /// Where hosts keep the transcripts of this project: one folder a working directory (P2).
    fn transcript_dirs(&self) -> Vec<PathBuf> {
        let Ok(own) = self.place.project_dir() else { return Vec::new() };
        let mut dirs = vec![own.clone()];
        let listed = (self.git)(&self.place.project.checkout, &["worktree", "list", "--porcelain"]).unwrap_or_default();
        let roots = listed.lines().filter_map(|line| line.strip_prefix("worktree ")).map(PathBuf::from);
        for root in roots.chain([self.place.project.root.clone(), self.place.project.checkout.clone()]) {
            if let Some(parent) = own.parent() {
                let dir = parent.join(slug(&root));
                if !dirs.contains(&dir) {
                    dirs.push(dir);
                }
            }
        }
        dirs
    }
}
