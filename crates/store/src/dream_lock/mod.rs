//! The lock of a dream: `.consolidate-lock` in the memory directory (D2).
//!
//! Its body is the PID of its holder, its time that of the last consolidation; other tools on the same
//! directory read and write it the same way. Beside it the state directory keeps a token of the run
//! that owns it, because a PID can come back and a stopped process can wake up: whoever has not the
//! token lands nothing. Taking, landing, ending and rolling back happen under the store's own lock, so
//! that no two of them cross. A run that died leaves its time in the lock; the state directory knows
//! what was there before, and that counts until somebody takes over. Never waits for anybody.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::fs::{self, Durability, FsError};
use super::{ChangeError, Intent, Store};
use crate::history::{Actor, Author};
use memdir_core::limits;

/// The file in the memory directory.
pub const LOCK_NAME: &str = ".consolidate-lock";

/// What the lock file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockState {
    /// Who wrote it; 0 when it is not a number.
    pub pid: u32,
    /// When the last consolidation was.
    pub time: Timestamp,
}

/// Who owns the running dream, in the state directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Owner {
    token: String,
    pid: u32,
    /// The time in the lock while this run lasts.
    time: Option<Timestamp>,
    /// The time that was in the lock before, for when this run dies.
    #[serde(default)]
    before: Option<Timestamp>,
    /// Its result has landed, or is about to: memory is consolidated, even if the run never comes to its end.
    #[serde(default)]
    landed: bool,
    /// The run has ended.
    done: bool,
}

/// What the lock and its owner were when it was found to be time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenLock {
    standing: Option<LockState>,
    owner: Owner,
}

/// The right to dream, until it is finished or rolled back.
#[derive(Debug)]
pub struct DreamLock<'s> {
    store: &'s Store,
    token: String,
    before: Option<(Vec<u8>, Timestamp)>,
    last: Option<Timestamp>,
    time: Timestamp,
}

/// Why there is no dream now.
#[derive(Debug, thiserror::Error)]
pub enum DreamLockError {
    /// Somebody is at it.
    #[error("process {0} is dreaming; wait for it, or end it if it hangs")]
    Held(u32),
    /// The lock could not be read or written.
    #[error(transparent)]
    Change(#[from] ChangeError),
}

impl From<FsError> for DreamLockError {
    fn from(error: FsError) -> DreamLockError {
        DreamLockError::Change(error.into())
    }
}

impl Store {
    /// What the lock says; `None`: there was no consolidation yet.
    pub fn consolidated(&self) -> Option<LockState> {
        let path = self.consolidate_lock();
        let facts = path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
        let time = Timestamp::try_from(facts.modified().ok()?).ok()?;
        let body = fs::read_beside(&path).unwrap_or_default();
        let pid = String::from_utf8_lossy(&body).trim().parse().unwrap_or(0);
        Some(LockState { pid, time })
    }

    /// The process that is dreaming now, as far as can be told.
    ///
    /// A dead one, one older than an hour, one whose time lies ahead of the clock and one that is known to
    /// have ended does not count. `by_hand`: nor does one that memdir knows nothing of, since a host
    /// leaves its PID there when it is done.
    pub fn dreaming(&self, now: Timestamp, by_hand: bool) -> Option<u32> {
        let standing = self.consolidated()?;
        let age = now.as_second() - standing.time.as_second();
        let fresh = (-limits::CLOCK_SLACK_SECONDS..limits::DREAM_LOCK_SECONDS).contains(&age);
        let owner = self.owner();
        let ended = if owner.wrote(standing) { owner.done } else { by_hand };
        (fresh && !ended && fs::is_alive(standing.pid)).then_some(standing.pid)
    }

    /// When memory was last consolidated. A run of ours that died or was given up before it landed has not done
    /// it: what was there before counts, so that the next session tries again.
    pub fn last_consolidated(&self, now: Timestamp) -> Option<Timestamp> {
        let standing = self.consolidated()?;
        let owner = self.owner();
        if owner.wrote(standing) && !owner.done && !owner.landed && self.dreaming(now, false).is_none() {
            return owner.before;
        }
        Some(standing.time)
    }

    /// What there is to see now, for [`Store::hold_dream`] to compare with.
    pub fn dream_seen(&self) -> SeenLock {
        SeenLock { standing: self.consolidated(), owner: self.owner() }
    }

    /// Takes the lock, unless somebody is dreaming.
    ///
    /// `due_after`: what was seen when it was found to be time; if it is something else by now,
    /// somebody has dreamt meanwhile. By hand (`None`) that does not matter.
    pub fn hold_dream(&self, now: Timestamp, due_after: Option<&SeenLock>) -> Result<DreamLock<'_>, DreamLockError> {
        let by_hand = due_after.is_none();
        let author = author(now);
        let mut held = None;
        // Nothing is changed in here: what counts is that nobody else lands or takes meanwhile.
        let (hold, _) = self.change(&author, &Intent::new("take the dream lock"), |_| {
            held = self.dreaming(now, by_hand);
            let overtaken = due_after.is_some_and(|seen| *seen != self.dream_seen());
            if held.is_some() || overtaken {
                return Ok(None);
            }
            Ok(Some(self.take(now)?))
        })?;
        match (hold, held) {
            (Some(hold), _) if hold.is_mine() => Ok(hold),
            (_, pid) => {
                Err(DreamLockError::Held(pid.or_else(|| self.consolidated().map(|standing| standing.pid)).unwrap_or(0)))
            }
        }
    }

    fn take(&self, now: Timestamp) -> Result<DreamLock<'_>, FsError> {
        let path = self.consolidate_lock();
        let before = self.consolidated().map(|standing| (fs::read_beside(&path).unwrap_or_default(), standing.time));
        let pid = std::process::id();
        let seed = format!("{pid}-{now}-{:?}", std::time::Instant::now());
        let token = blake3::hash(seed.as_bytes()).to_hex().as_str()[..20].to_owned();
        // Whole seconds: every file system and every tool keeps those.
        let time = Timestamp::from_second(now.as_second()).unwrap_or(now);
        let last = self.last_consolidated(now);
        let owner = Owner { token: token.clone(), pid, time: Some(time), before: last, ..Owner::default() };
        self.set_owner(&owner)?;
        fs::replace(&path, format!("{pid}\n").as_bytes(), Durability::Cache)?;
        fs::set_modified(&path, time)?;
        Ok(DreamLock { store: self, token, before, last, time: now })
    }

    fn consolidate_lock(&self) -> PathBuf {
        self.root().path().join(LOCK_NAME)
    }

    fn owner(&self) -> Owner {
        let bytes = fs::read_beside(&self.state_dir().join("dreamer.json")).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    fn set_owner(&self, owner: &Owner) -> Result<(), FsError> {
        let bytes = serde_json::to_vec(owner).unwrap_or_default();
        fs::replace(&self.state_dir().join("dreamer.json"), &bytes, Durability::Synced)
    }
}

impl DreamLock<'_> {
    /// Whether this run still owns the dream: nobody took over. Only what is asked under the store's lock
    /// still holds when something lands.
    pub fn is_mine(&self) -> bool {
        let owner = self.store.owner();
        // Another tool on the same directory takes over by writing its own PID.
        let stands = self.store.consolidated().is_none_or(|standing| owner.wrote(standing));
        owner.token == self.token && !owner.done && stands
    }

    /// Asked under the store's lock by whoever is about to land something: whether this run still owns the dream.
    /// A yes is written down, so that nobody lands a second result while this run is held up on its way to
    /// its end. One that is killed right here has its next turn when the next dream is due.
    pub fn may_land(&self) -> bool {
        self.is_mine() && self.store.set_owner(&Owner { landed: true, ..self.store.owner() }).is_ok()
    }

    /// When memory was last consolidated before this run.
    pub fn last(&self) -> Option<Timestamp> {
        self.last
    }

    /// The dream is done: its time stays in the lock.
    pub fn finish(&self) -> Result<(), ChangeError> {
        self.as_owner(|| self.store.set_owner(&Owner { done: true, ..self.store.owner() }))
    }

    /// The dream failed or was stopped: the lock says what it said before, so that the next session
    /// tries again. Nothing happens when somebody else took over.
    pub fn roll_back(&self) {
        // A lock that cannot be put back goes stale within the hour by itself.
        let _ = self.as_owner(|| {
            let path = self.store.consolidate_lock();
            match &self.before {
                Some((body, time)) => {
                    fs::replace(&path, body, Durability::Cache)?;
                    fs::set_modified(&path, *time)?;
                }
                None => fs::remove(&path)?,
            }
            self.store.set_owner(&Owner { done: true, ..self.store.owner() })
        });
    }

    /// Does something if this run still owns the dream, while nobody else can take over.
    fn as_owner(&self, act: impl Fn() -> Result<(), FsError>) -> Result<(), ChangeError> {
        self.store
            .change(
                &author(self.time),
                &Intent::new("end the dream"),
                |_| if self.is_mine() { Ok(act()?) } else { Ok(()) },
            )
            .map(|_| ())
    }
}

impl Owner {
    /// Whether it is this owner that wrote the lock.
    fn wrote(&self, standing: LockState) -> bool {
        self.pid == standing.pid && self.time.is_some_and(|time| time.as_second() == standing.time.as_second())
    }
}

fn author(time: Timestamp) -> Author {
    Author { actor: Actor::Dream, session: None, message: None, time }
}

#[cfg(test)]
mod tests;
