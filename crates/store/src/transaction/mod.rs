//! One transaction: every change of memory goes through here.
//!
//! Lock, compare with what was read, stage, record, swap, mark done. Enters: what the files should
//! become. Leaves: a change in the history, all of it on disk, or nothing at all. A file that
//! somebody else changed meanwhile is never overwritten: the caller's work is done again on what
//! is there now.
//!
//! Never decides what is worth writing; the guards that hold for every writer (size, secrets) are
//! here, because whoever writes comes through.

mod edit;
mod screen;

use std::collections::BTreeMap;
use std::time::Duration;

use super::Store;
use super::fs::{FsError, Staged, Swapped};
use super::history::{Author, Change, ChangeId, FileChange, Hash, PointerChange, Version};
use super::index::PointerEdit;
use super::lock::{Lock, LockError};
use memdir_core::limits;
use memdir_guard::confine::{Refusal, RelPath};

pub use edit::Edit;
use edit::FilePlan;

/// How long a writer waits for another; writes take milliseconds.
const PATIENCE: Duration = Duration::from_secs(30);
/// More files than this are synced together with whatever else waits on the disk: cheaper than one by one.
const SYNCED_ONE_BY_ONE: usize = 16;
/// How often work is done again because somebody else changed a file under it.
const ATTEMPTS: usize = 8;

/// Why a change was not made.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// Another writer holds the store.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A file could not be read or written.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// A path that may not be written.
    #[error(transparent)]
    Path(#[from] Refusal),
    /// A secret would have been written.
    #[error(
        "line {line} of {path} holds what looks like a secret ({rule}); memdir never saves secrets. \
         Say where the secret is kept instead of what it is"
    )]
    Secret {
        /// Which file it would have been in.
        path: String,
        /// On which line.
        line: usize,
        /// Which rule found it.
        rule: &'static str,
    },
    /// More than one memory may hold.
    #[error(
        "{path} would have {bytes} bytes; a memory holds at most {}. Keep the point, drop the detail",
        limits::TOPIC_BYTES
    )]
    TooLarge {
        /// Which file.
        path: String,
        /// How large.
        bytes: usize,
    },
    /// Somebody keeps changing the file.
    #[error("{0} kept changing while memdir tried to write it; nothing was changed. Try again")]
    Contended(String),
    /// Frontmatter that cannot be changed without changing what else is read of the file.
    #[error("{path}: {odd}")]
    BrokenFrontmatter {
        /// Which file.
        path: String,
        /// What is odd.
        odd: crate::topic::BrokenFrontmatter,
    },
    /// A change cannot be taken back below a later one of the same lines.
    #[error("{0}: it was changed again since; undo the later changes first")]
    ChangedSince(String),
    /// The caller's own reason.
    #[error("{0}")]
    Refused(String),
}

/// What happens when the new text holds a secret that the old one did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnSecret {
    /// The change is refused: a person wrote it and can say it differently.
    Refuse,
    /// The secret is cut out: background work has nobody to ask.
    Redact,
    /// It is put back as it was: undo restores, it does not judge.
    Restore,
}

/// What signs a change besides its author.
#[derive(Clone, Debug)]
pub struct Intent {
    /// Why, in words, for the history.
    pub reason: String,
    /// The group it belongs to.
    pub group: Option<ChangeId>,
    /// The change it takes back.
    pub undoes: Option<ChangeId>,
    /// What to do about secrets.
    pub on_secret: OnSecret,
}

impl Intent {
    /// A change for a reason, refusing secrets.
    pub fn new(reason: impl Into<String>) -> Intent {
        Intent { reason: reason.into(), group: None, undoes: None, on_secret: OnSecret::Refuse }
    }
}

impl Store {
    /// Makes one change. The closure says what; it may run again if somebody else was faster.
    ///
    /// Returns what the closure returned, and the change, or `None` when nothing differed.
    pub fn change<T>(
        &self,
        author: &Author,
        intent: &Intent,
        mut work: impl FnMut(&mut Edit<'_>) -> Result<T, ChangeError>,
    ) -> Result<(T, Option<Change>), ChangeError> {
        let lock = self.lock(PATIENCE)?;
        let mut contended = String::new();
        for _ in 0..ATTEMPTS {
            let mut edit = Edit::of(self);
            let value = work(&mut edit)?;
            match self.land(&lock, author, intent, edit)? {
                Landed::As(change) => return Ok((value, change)),
                Landed::Overtaken(path) => contended = path,
            }
        }
        Err(ChangeError::Contended(contended))
    }

    /// Takes the store's lock and recovers what a dead holder left behind.
    pub(super) fn lock(&self, patience: Duration) -> Result<Lock, ChangeError> {
        super::fs::create_private_dir(&self.state)?;
        let lock = Lock::take(&self.lock_path(), self.root.path(), patience)?;
        self.recover(&lock)?;
        Ok(lock)
    }

    fn land(&self, lock: &Lock, author: &Author, intent: &Intent, edit: Edit<'_>) -> Result<Landed, ChangeError> {
        let Edit { plans, mut pointers, .. } = edit;
        let mut plans: Vec<(RelPath, FilePlan)> =
            plans.into_iter().filter(|(_, plan)| plan.seen != plan.wanted).collect();
        if plans.is_empty() {
            return Ok(Landed::As(None));
        }
        for (path, plan) in &mut plans {
            match pointers.get_mut(path) {
                Some(edits) if plan.wanted.is_some() => screen::check_lines(path, plan, edits, intent.on_secret)?,
                _ => screen::check(path, plan, intent.on_secret)?,
            }
        }
        let mut change = record(author, intent, &plans, pointers);
        self.group.sign(&mut change);
        let mut staged = Vec::with_capacity(plans.len());
        let times = self.times_of(plans.iter().map(|(path, _)| path));
        let landed = self.carry_out(&change, &plans, &mut staged);
        // Whatever could not be tidied up now is tidied up by the next holder of the lock.
        let left = staged.into_iter().filter(|staged| !self.root.discard(staged)).count();
        if landed.is_err() || left > 0 {
            lock.leave_marked();
        }
        landed.map(|overtaken| match overtaken {
            Some(path) => Landed::Overtaken(path),
            None => {
                self.note_own_times(&times);
                self.group.note(&change);
                Landed::As(Some(change))
            }
        })
    }

    /// Stages, records, swaps. Returns the path that somebody else had changed, if any.
    fn carry_out(
        &self,
        change: &Change,
        plans: &[(RelPath, FilePlan)],
        staged: &mut Vec<Staged>,
    ) -> Result<Option<String>, ChangeError> {
        let many = plans.len() > SYNCED_ONE_BY_ONE;
        for (path, plan) in plans {
            staged.push(match &plan.wanted {
                Some(content) if many => self.root.stage_unsynced(path, content, &change.id.0)?,
                Some(content) => self.root.stage(path, content, &change.id.0)?,
                None => self.root.stage_removal(path, &change.id.0)?,
            });
        }
        if many {
            self.root.sync_staged()?;
        }
        let position = self.journal.append(change)?;
        for (at, (path, plan)) in plans.iter().enumerate() {
            let swapped = self.root.swap_in(&staged[at], plan.seen.as_deref());
            if matches!(swapped, Ok(Swapped::Done)) {
                continue;
            }
            // All or nothing. If even that fails, the record stays, and recovery carries it out.
            for (made, (_, plan)) in staged[..at].iter().zip(plans).rev() {
                self.root.swap_back(made, plan.seen.is_some())?;
            }
            self.journal.take_back(position)?;
            swapped?;
            return Ok(Some(self.root.show(path)));
        }
        self.root.settle(staged)?;
        self.journal.mark_done(position, &change.id)?;
        Ok(None)
    }
}

enum Landed {
    As(Option<Change>),
    Overtaken(String),
}

fn record(
    author: &Author,
    intent: &Intent,
    plans: &[(RelPath, FilePlan)],
    pointers: BTreeMap<RelPath, Vec<PointerEdit>>,
) -> Change {
    let mut files = Vec::new();
    let mut index_changes = Vec::new();
    for (path, plan) in plans {
        match (pointers.get(path), &plan.wanted) {
            (Some(edits), Some(content)) => index_changes.push(PointerChange {
                index: path.to_string(),
                edits: edits.clone(),
                before: plan.seen.as_deref().map(Hash::of),
                after: Hash::of(content),
            }),
            _ => files.push(FileChange {
                path: path.to_string(),
                before: plan
                    .seen
                    .as_deref()
                    .map(|seen| if plan.unkept { Version::only(Hash::of(seen)) } else { Version::of(seen) }),
                after: plan.wanted.as_deref().map(Version::of),
                written: plan.written.filter(|_| plan.wanted.is_some()),
                from: plan.from.as_ref().filter(|_| plan.wanted.is_some()).map(ToString::to_string),
            }),
        }
    }
    let mut change = Change {
        id: ChangeId(String::new()),
        time: author.time,
        actor: author.actor,
        session: author.session.clone(),
        message: author.message.clone(),
        reason: intent.reason.clone(),
        group: intent.group.clone(),
        undoes: intent.undoes.clone(),
        baseline: false,
        files,
        pointers: index_changes,
    };
    change.id = ChangeId::derive(&[
        &serde_json::to_vec(&change).unwrap_or_default(),
        &std::process::id().to_le_bytes(),
        &unique().to_le_bytes(),
    ]);
    change
}

/// Distinguishes two equal changes of one process.
fn unique() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod tests {
    use super::*;
    use crate::Dirs;
    use crate::history::Actor;

    #[test]
    fn t3_a_secret_in_a_pointer_is_refused_or_redacted_in_the_history_too() {
        let dir = tempfile::tempdir().unwrap();
        let dirs = Dirs { state: dir.path().join("state"), cache: dir.path().join("cache") };
        let store = Store::create(&dir.path().join("memory"), &dirs).unwrap();
        let author = Author { actor: Actor::Extract, session: None, message: None, time: jiff::Timestamp::UNIX_EPOCH };
        let secret = ["ghp", "_", "x7Kq2mVb9TzR4nWc8YdL1sHf6GjP3aEu5oXi"].concat();
        let index = RelPath::parse("MEMORY.md").unwrap();
        let point = |on_secret: OnSecret, hook: &str| {
            let intent = Intent { on_secret, ..Intent::new("test") };
            store.change(&author, &intent, |edit| edit.point(&index, "a.md", "Token", hook))
        };
        let refused = point(OnSecret::Refuse, &format!("the token is {secret}")).unwrap_err();
        assert!(matches!(refused, ChangeError::Secret { line: 1, .. }), "{refused}");
        let ((), change) = point(OnSecret::Redact, &format!("the token is {secret}")).unwrap();
        let text = String::from_utf8(store.root().read(&index).unwrap().unwrap()).unwrap();
        assert!(text.contains("[redacted: ") && !text.contains(&secret), "{text}");
        assert_eq!(change.unwrap().pointers[0].after, Hash::of(text.as_bytes()));
        for file in store.journal().files().unwrap() {
            assert!(!std::fs::read_to_string(file).unwrap().contains(&secret));
        }
    }
}
