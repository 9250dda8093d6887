//! One sync, from look to publish.
//!
//! Enters: the local files ([`Local`]), what was common ([`Bases`]), a [`Transport`] and the rules ([`Rules`]). Leaves: both sides with
//! everything that both may have, and an account of it ([`Synced`]). Every step can be the last one before a crash; the next sync goes on from
//! there. Never lands what the rules refuse, never publishes it, never looks at a time.

mod plan;
mod pointers;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::base::{Base, Bases, Known, Landing, hash};
use super::transport::{Change, Entry, EntryKind, Look, Mark, Published, Transport, TransportError};
use crate::limits;
use crate::store::ChangeError;
use crate::store::fs::FsError;
use plan::Step;
pub use plan::Theirs;

/// Why a sync did not come to its end. What was done stays done, and the next one goes on from there.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// The shared side.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The local files.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The state directory.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// Others kept being faster.
    #[error(
        "others published {0} times while this sync tried to; everything of theirs is here, and what is new here goes out with the next sync"
    )]
    Contended(u32),
}

impl SyncError {
    /// Whether the request cannot be met, rather than the machine being at fault.
    pub fn is_refusal(&self) -> bool {
        matches!(self, SyncError::Transport(_) | SyncError::Contended(_))
    }
}

/// The local files of one team.
pub trait Local {
    /// Every file with the hash of its content.
    fn list(&mut self) -> Result<BTreeMap<String, String>, SyncError>;
    /// The content of a file.
    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, SyncError>;
    /// Changes files, all or none, if they still are what they were; `false` when they are not.
    fn land(&mut self, changes: &[Arrival]) -> Result<bool, SyncError>;
}

/// A local file that changes because of what came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Which.
    pub path: String,
    /// What it must still be.
    pub before: Option<Vec<u8>>,
    /// What it becomes.
    pub after: Option<Vec<u8>>,
}

/// What the rules say of something that comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may land, with these marks.
    Welcome(Vec<String>),
    /// It may not, for this reason.
    Held(String),
}

/// What may leave and what may come in.
pub trait Rules {
    /// Whether this machine publishes at all.
    fn read_only(&self) -> bool {
        false
    }
    /// Whether a file may leave; else why not.
    fn may_leave(&self, path: &str, content: &[u8]) -> Result<(), String>;
    /// Whether an entry may come in, from what is known before its content was read.
    fn may_arrive(&self, entry: &Entry) -> Result<(), String>;
    /// Whether its content may come in too.
    fn may_land(&self, entry: &Entry, content: &[u8]) -> Verdict;
    /// Whether an author could be verified.
    fn is_verified(&self, entry: &Entry) -> bool;
}

/// Something that was held back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Held {
    /// Which file.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// What a sync did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Synced {
    /// Files that went out.
    pub pushed: Vec<String>,
    /// Files that came in.
    pub pulled: Vec<String>,
    /// Files with two versions of something in them.
    pub conflicts: Vec<String>,
    /// Files that stay here.
    pub held_back: Vec<Held>,
    /// Files that stay there.
    pub kept_out: Vec<Held>,
    /// How often it was tried.
    pub rounds: u32,
}

impl Synced {
    /// Whether nothing moved.
    pub fn is_quiet(&self) -> bool {
        self.pushed.is_empty() && self.pulled.is_empty()
    }
}

/// One team's sync.
pub struct Sync<'s> {
    /// The local files.
    pub local: &'s mut dyn Local,
    /// What was common.
    pub bases: &'s mut dyn Bases,
    /// The shared side.
    pub transport: &'s mut dyn Transport,
    /// What may leave and come.
    pub rules: &'s dyn Rules,
    /// Called before another try, with how often it was tried.
    pub pause: &'s mut dyn FnMut(u32),
    /// Only says what would happen.
    pub dry: bool,
}

impl Sync<'_> {
    /// Syncs.
    pub fn run(&mut self) -> Result<Synced, SyncError> {
        let mut done = Synced::default();
        for round in 1..=limits::TEAM_ROUNDS {
            done.rounds = round;
            if self.round(&mut done)? {
                for list in [&mut done.pushed, &mut done.pulled, &mut done.conflicts] {
                    list.sort();
                    list.dedup();
                }
                return Ok(done);
            }
            (self.pause)(round);
        }
        Err(SyncError::Contended(limits::TEAM_ROUNDS))
    }

    /// One try; `false` when somebody was faster.
    fn round(&mut self, done: &mut Synced) -> Result<bool, SyncError> {
        let mut base = self.bases.load()?;
        let ours = self.local.list()?;
        let crashed = settle_landing(&mut base, &ours);
        // What landed before a crash is newer than the mark: a path may have gone and come back since, and would look unchanged.
        let since = base.mark.clone().filter(|_| !crashed);
        let (mark, entries) = match self.transport.look(since.as_ref())? {
            Look::Same => (since.unwrap_or_default(), Vec::new()),
            Look::Now(mark) => {
                let entries = self.transport.entries(since.as_ref(), &mark)?;
                (mark, entries)
            }
        };
        let theirs = self.take_in(&base, entries)?;
        done.kept_out = kept_out(&base, &theirs);
        let mut steps = self.plan(&base, &ours, &theirs)?;
        done.held_back = std::mem::take(&mut steps.held_back);
        done.conflicts.append(&mut steps.conflicts);
        if self.dry {
            done.pulled.extend(steps.arrivals.into_iter().map(|arrival| arrival.path));
            done.pushed.extend(steps.changes.into_iter().map(|change| change.path));
            return Ok(true);
        }
        if !self.land(&mut base, &mark, steps.arrivals, &mut steps.known, crashed, done)? {
            return Ok(false);
        }
        if steps.changes.is_empty() {
            return Ok(true);
        }
        match self.transport.publish(&mark, &steps.changes)? {
            Published::Overtaken => Ok(false),
            Published::As(mark) => {
                self.note_published(base, mark, &steps.changes, &steps.published)?;
                done.pushed.extend(steps.changes.into_iter().map(|change| change.path));
                Ok(true)
            }
        }
    }

    /// Lands what came in and notes what is common now.
    fn land(
        &mut self,
        base: &mut Base,
        mark: &Mark,
        arrivals: Vec<Arrival>,
        known: &mut BTreeMap<String, (Known, Vec<Vec<u8>>)>,
        crashed: bool,
        done: &mut Synced,
    ) -> Result<bool, SyncError> {
        let contents: Vec<Vec<u8>> = known.values_mut().flat_map(|(_, contents)| std::mem::take(contents)).collect();
        let contents: Vec<&[u8]> = contents.iter().map(Vec::as_slice).collect();
        if !arrivals.is_empty() {
            base.landing = arrivals
                .iter()
                .filter_map(|arrival| {
                    let (known, _) = known.get(&arrival.path)?;
                    let after = arrival.after.as_deref().map(hash);
                    Some((arrival.path.clone(), Landing { after, known: known.clone() }))
                })
                .collect();
            self.bases.save(base, &contents)?;
            if !self.local.land(&arrivals)? {
                return Ok(false);
            }
            done.pulled.extend(arrivals.into_iter().map(|arrival| arrival.path));
        }
        if crashed || !known.is_empty() || base.mark.as_ref() != Some(mark) || !base.landing.is_empty() {
            base.files.extend(known.iter().map(|(path, (known, _))| (path.clone(), known.clone())));
            base.landing.clear();
            base.mark = Some(mark.clone());
            self.bases.save(base, &contents)?;
        }
        Ok(true)
    }

    fn note_published(
        &mut self,
        mut base: Base,
        mark: Mark,
        changes: &[Change],
        common: &BTreeMap<String, Vec<u8>>,
    ) -> Result<(), SyncError> {
        let mut contents: Vec<&[u8]> = Vec::new();
        for change in changes {
            let known = base.files.entry(change.path.clone()).or_default();
            match &change.content {
                Some(content) => {
                    let shared = common.get(&change.path).unwrap_or(content);
                    known.common = Some(hash(shared));
                    known.full = (shared != content).then(|| hash(content));
                    known.remote = EntryKind::File { id: self.transport.id_of(content), bytes: 0 }.id();
                    contents.extend([shared.as_slice(), content.as_slice()]);
                }
                None => {
                    known.common = None;
                    known.full = None;
                    known.remote = format!("gone:{}", known.remote);
                }
            }
            known.author = super::transport::Authorship::default();
            known.held = None;
            known.marks.clear();
        }
        base.mark = Some(mark);
        Ok(self.bases.save(&base, &contents)?)
    }

    /// Screens what is new on the shared side and reads what may come in.
    fn take_in(&mut self, base: &Base, entries: Vec<Entry>) -> Result<BTreeMap<String, Theirs>, SyncError> {
        let new = |entry: &Entry| base.files.get(&entry.path).is_none_or(|known| known.remote != entry.kind.id());
        let mut theirs = BTreeMap::new();
        let mut wanted = Vec::new();
        for entry in entries.into_iter().filter(new) {
            let held = match &entry.kind {
                EntryKind::File { bytes, .. } if *bytes > limits::TEAM_FILE_BYTES as u64 => {
                    Some(if *bytes == u64::MAX {
                        "too-large: it was not fetched".to_owned()
                    } else {
                        format!("too-large: {bytes} bytes")
                    })
                }
                _ => self.rules.may_arrive(&entry).err(),
            };
            let verified = self.rules.is_verified(&entry);
            match (held, &entry.kind) {
                (Some(reason), _) => drop(theirs.insert(entry.path.clone(), Theirs::held(&entry, verified, reason))),
                (None, EntryKind::Gone { id }) => {
                    let id = id.clone();
                    theirs.insert(entry.path.clone(), Theirs::gone(&entry, verified, id));
                }
                (None, _) => wanted.push((entry, verified)),
            }
        }
        let asked: Vec<&Entry> = wanted.iter().map(|(entry, _)| entry).collect();
        let contents =
            if asked.is_empty() { Vec::new() } else { self.transport.read(&asked, limits::TEAM_FILE_BYTES)? };
        for ((entry, verified), content) in wanted.into_iter().zip(contents) {
            let their = match content {
                Err(reason) => Theirs::held(&entry, verified, reason),
                Ok(content) => match self.rules.may_land(&entry, &content) {
                    Verdict::Welcome(marks) => Theirs::file(&entry, verified, content, marks),
                    Verdict::Held(reason) => Theirs::held(&entry, verified, reason),
                },
            };
            theirs.insert(entry.path, their);
        }
        Ok(theirs)
    }

    fn plan(
        &mut self,
        base: &Base,
        ours: &BTreeMap<String, String>,
        theirs: &BTreeMap<String, Theirs>,
    ) -> Result<Step, SyncError> {
        let paths: BTreeSet<&String> = base.files.keys().chain(ours.keys()).chain(theirs.keys()).collect();
        let (indexes, files): (Vec<&String>, Vec<&String>) = paths.into_iter().partition(|path| plan::is_index(path));
        let mut step = Step::default();
        for path in files {
            self.plan_file(path, base, ours, theirs, &mut step)?;
        }
        for path in indexes {
            self.plan_index(path, base, ours, theirs, &mut step)?;
        }
        Ok(step)
    }
}

/// Finds out whether what was about to land has landed; `true` when there was something.
fn settle_landing(base: &mut Base, ours: &BTreeMap<String, String>) -> bool {
    let landing = std::mem::take(&mut base.landing);
    let crashed = !landing.is_empty();
    for (path, landing) in landing {
        if ours.get(&path) == landing.after.as_ref() {
            base.files.insert(path, landing.known);
        }
    }
    crashed
}

/// What is not here because it was not let in.
fn kept_out(base: &Base, theirs: &BTreeMap<String, Theirs>) -> Vec<Held> {
    let before = base.files.iter().filter(|(path, _)| !theirs.contains_key(*path));
    let before = before.filter_map(|(path, known)| Some((path, known.held.clone()?)));
    let now = theirs.iter().filter_map(|(path, their)| Some((path, their.known.held.clone()?)));
    before.chain(now).map(|(file, reason)| Held { file: file.clone(), reason }).collect()
}
