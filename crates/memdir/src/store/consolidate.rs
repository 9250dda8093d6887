//! The lock of a dream: `.consolidate-lock` in the memory directory (D2).
//!
//! Its body is the PID of its holder, its time that of the last consolidation; other tools on the same
//! directory read and write it the same way. Beside it the state directory keeps a token of the run
//! that owns it, because a PID can come back and a stopped process can wake up: whoever has not the
//! token lands nothing. Taking, landing, ending and rolling back happen under the store's own lock, so
//! that no two of them cross. A run that died leaves its time in the lock; the state directory knows
//! what stood there before, and that counts until somebody takes over. Never waits for anybody.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::fs::{self, Durability, FsError};
use super::{ChangeError, Intent, Store};
use crate::limits;
use crate::store::history::{Actor, Author};

/// The file in the memory directory.
pub const LOCK_NAME: &str = ".consolidate-lock";

/// What the lock file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
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
    /// The time that stood in the lock before, for when this run dies.
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
pub struct Seen {
    standing: Option<Standing>,
    owner: Owner,
}

/// The right to dream, until it is finished or rolled back.
#[derive(Debug)]
pub struct Hold<'s> {
    store: &'s Store,
    token: String,
    before: Option<(Vec<u8>, Timestamp)>,
    last: Option<Timestamp>,
    time: Timestamp,
}

/// Why there is no dream now.
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// Somebody is at it.
    #[error("process {0} is dreaming; wait for it, or end it if it hangs")]
    Held(u32),
    /// The lock could not be read or written.
    #[error(transparent)]
    Change(#[from] ChangeError),
}

impl From<FsError> for HoldError {
    fn from(error: FsError) -> HoldError {
        HoldError::Change(error.into())
    }
}

impl Store {
    /// What the lock says; `None`: there was no consolidation yet.
    pub fn consolidated(&self) -> Option<Standing> {
        let path = self.consolidate_lock();
        let facts = path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
        let time = Timestamp::try_from(facts.modified().ok()?).ok()?;
        let body = fs::read_beside(&path).unwrap_or_default();
        let pid = String::from_utf8_lossy(&body).trim().parse().unwrap_or(0);
        Some(Standing { pid, time })
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
        (fresh && !ended && is_alive(standing.pid)).then_some(standing.pid)
    }

    /// When memory was last consolidated. A run of ours that died or was given up before it landed has not done
    /// it: what stood there before counts, so that the next session tries again.
    pub fn last_consolidated(&self, now: Timestamp) -> Option<Timestamp> {
        let standing = self.consolidated()?;
        let owner = self.owner();
        if owner.wrote(standing) && !owner.done && !owner.landed && self.dreaming(now, false).is_none() {
            return owner.before;
        }
        Some(standing.time)
    }

    /// What there is to see now, for [`Store::hold_dream`] to compare with.
    pub fn dream_seen(&self) -> Seen {
        Seen { standing: self.consolidated(), owner: self.owner() }
    }

    /// Takes the lock, unless somebody is dreaming.
    ///
    /// `due_after`: what was seen when it was found to be time; if it is something else by now,
    /// somebody has dreamt meanwhile. By hand (`None`) that does not matter.
    pub fn hold_dream(&self, now: Timestamp, due_after: Option<&Seen>) -> Result<Hold<'_>, HoldError> {
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
                Err(HoldError::Held(pid.or_else(|| self.consolidated().map(|standing| standing.pid)).unwrap_or(0)))
            }
        }
    }

    fn take(&self, now: Timestamp) -> Result<Hold<'_>, FsError> {
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
        Ok(Hold { store: self, token, before, last, time: now })
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

impl Hold<'_> {
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
    fn wrote(&self, standing: Standing) -> bool {
        self.pid == standing.pid && self.time.is_some_and(|time| time.as_second() == standing.time.as_second())
    }
}

fn author(time: Timestamp) -> Author {
    Author { actor: Actor::Dream, session: None, message: None, time }
}

/// Whether a process is there. PIDs come back: whoever asks also looks at the time.
fn is_alive(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) else { return false };
    match rustix::process::test_kill_process(pid) {
        Ok(()) => true,
        // Somebody else's process is one, too.
        Err(error) => error == rustix::io::Errno::PERM,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::workbench::{Workbench, store};

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn lock(bench: &Workbench, pid: u32, time: &str) {
        bench.put(LOCK_NAME, format!("{pid}\n"));
        fs::set_modified(&bench.dir().join(LOCK_NAME), at(time)).unwrap();
    }

    const NOW: &str = "2026-04-14T10:00:00Z";
    /// No system hands out so large a PID.
    const DEAD: u32 = 0x7fff_fff0;

    #[test]
    fn d2_the_lock_holds_the_pid_and_the_time_and_goes_back_on_failure() {
        let bench = Workbench::new();
        let memory = bench.memory();
        let bench_store = store(&memory);
        lock(&bench, DEAD, "2026-04-10T10:00:00Z");
        let hold = bench_store.hold_dream(at(NOW), Some(&store(&memory).dream_seen())).unwrap();
        assert_eq!(bench.read(LOCK_NAME).trim(), std::process::id().to_string());
        assert_eq!(bench_store.consolidated().unwrap().time, at(NOW));
        assert!(matches!(bench_store.hold_dream(at(NOW), None), Err(HoldError::Held(_))), "it is running");
        hold.roll_back();
        assert_eq!(bench_store.consolidated().unwrap(), Standing { pid: DEAD, time: at("2026-04-10T10:00:00Z") });
        let again = bench_store.hold_dream(at(NOW), Some(&store(&memory).dream_seen())).unwrap();
        again.finish().unwrap();
        assert!(
            bench_store.hold_dream(at("2026-04-14T10:05:00Z"), None).is_ok(),
            "by hand, while our own finished PID stands there"
        );
    }

    #[test]
    fn d2_no_file_before_means_no_file_after_a_failure() {
        let bench = Workbench::new();
        let memory = bench.memory();
        store(&memory).hold_dream(at(NOW), Some(&store(&memory).dream_seen())).unwrap().roll_back();
        assert!(store(&memory).consolidated().is_none());
    }

    #[test]
    fn d2_dead_old_and_future_holders_are_taken_over_a_living_one_is_not() {
        let bench = Workbench::new();
        let memory = bench.memory();
        let bench_store = store(&memory);
        let me = std::process::id();
        for (pid, time, free) in [
            (DEAD, "2026-04-14T09:59:00Z", true),
            (me, "2026-04-14T08:59:00Z", true),
            (me, "2027-01-01T00:00:00Z", true),
            (me, "2026-04-14T09:59:00Z", false),
            (0, "2026-04-14T09:59:00Z", true),
        ] {
            lock(&bench, pid, time);
            assert_eq!(bench_store.dreaming(at(NOW), false).is_none(), free, "{pid} {time}");
        }
        // A host that is done leaves its PID: by hand it works all the same.
        assert!(bench_store.dreaming(at(NOW), true).is_none());
    }

    #[test]
    fn d2_whoever_was_taken_over_lands_nothing_and_rolls_nothing_back() {
        let bench = Workbench::new();
        let memory = bench.memory();
        let bench_store = store(&memory);
        let stopped = bench_store.hold_dream(at(NOW), Some(&store(&memory).dream_seen())).unwrap();
        let later = bench_store.hold_dream(at("2026-04-14T12:00:00Z"), Some(&bench_store.dream_seen())).unwrap();
        assert!(!stopped.is_mine() && later.is_mine());
        stopped.roll_back();
        assert_eq!(bench_store.consolidated().unwrap().time, at("2026-04-14T12:00:00Z"));
    }

    #[test]
    fn d2_a_run_that_died_counts_for_nothing_and_the_next_one_is_due() {
        let bench = Workbench::new();
        let memory = bench.memory();
        let bench_store = store(&memory);
        lock(&bench, DEAD, "2026-04-10T10:00:00Z");
        // It stops, and is given up after an hour.
        let _stopped = bench_store.hold_dream(at(NOW), None).unwrap();
        assert_eq!(bench_store.last_consolidated(at("2026-04-14T10:30:00Z")), Some(at(NOW)), "it may still come");
        let later = at("2026-04-14T12:00:00Z");
        assert_eq!(bench_store.last_consolidated(later), Some(at("2026-04-10T10:00:00Z")));
        let seen = bench_store.dream_seen();
        bench_store.hold_dream(later, Some(&seen)).unwrap().finish().unwrap();
        assert_eq!(bench_store.last_consolidated(later), Some(later));
        assert!(bench_store.hold_dream(later, Some(&seen)).is_err(), "somebody dreamt meanwhile");
    }

    #[test]
    fn d2_a_run_that_landed_and_never_came_to_its_end_was_a_dream() {
        let bench = Workbench::new();
        let memory = bench.memory();
        let bench_store = store(&memory);
        let stopped = bench_store.hold_dream(at(NOW), None).unwrap();
        let later = at("2026-04-14T12:00:00Z");
        let seen = bench_store.dream_seen();
        assert_eq!(bench_store.last_consolidated(later), None);
        assert!(stopped.may_land());
        assert_eq!(bench_store.last_consolidated(later), Some(at(NOW)));
        assert!(bench_store.hold_dream(later, Some(&seen)).is_err(), "it landed since");
        // By hand somebody may take over; then nothing more of the first lands.
        let by_hand = bench_store.hold_dream(later, None).unwrap();
        assert!(by_hand.is_mine() && !stopped.may_land());
    }

    #[test]
    fn d2_another_tool_that_writes_its_pid_has_taken_over() {
        let bench = Workbench::new();
        let memory = bench.memory();
        let hold = store(&memory).hold_dream(at(NOW), None).unwrap();
        assert!(hold.is_mine());
        lock(&bench, std::process::id() + 1, "2026-04-14T10:01:00Z");
        assert!(!hold.is_mine());
        hold.roll_back();
        assert_eq!(bench.read(LOCK_NAME).trim(), (std::process::id() + 1).to_string());
    }
}
