//! What becomes of one path: lands, goes out, both, or neither.
//!
//! Enters: what was common, what is here, what is there. Leaves: arrivals, changes to publish, and what was held back and why. Writes nothing.

use std::collections::BTreeMap;

use super::{Arrival, HeldItem, Sync, SyncError};
use crate::base::{Base, KnownPath, hash};
use crate::gate::MUTED_MEMORY;
use crate::merge;
use crate::transport::{Authorship, RemoteChange, RemoteEntry};

/// What is new at a path of the shared side.
#[derive(Clone, Debug)]
pub struct IncomingFile {
    /// Its content, where it may come in.
    pub content: Option<Vec<u8>>,
    /// The name of its last content, where it was deleted.
    pub gone: Option<String>,
    /// What is known of it.
    pub known: KnownPath,
}

impl IncomingFile {
    fn of(entry: &RemoteEntry) -> IncomingFile {
        let author = entry.author.clone();
        IncomingFile {
            content: None,
            gone: None,
            known: KnownPath { remote: entry.kind.id(), author, ..KnownPath::default() },
        }
    }

    pub(super) fn held(entry: &RemoteEntry, reason: String) -> IncomingFile {
        let mut theirs = IncomingFile::of(entry);
        theirs.known.held = Some(reason);
        theirs
    }

    pub(super) fn gone(entry: &RemoteEntry, id: String) -> IncomingFile {
        IncomingFile { gone: Some(id), ..IncomingFile::of(entry) }
    }

    pub(super) fn file(entry: &RemoteEntry, content: Vec<u8>, marks: Vec<String>) -> IncomingFile {
        let mut theirs = IncomingFile::of(entry);
        theirs.known.marks = marks;
        theirs.known.common = Some(hash(&content));
        theirs.content = Some(content);
        theirs
    }
}

/// What a round is planned from.
#[derive(Clone, Copy)]
pub(super) struct RoundInput<'r> {
    /// What was common the last time.
    pub(super) base: &'r Base,
    /// What is here: the hash of each file.
    pub(super) ours: &'r BTreeMap<String, String>,
    /// What is new on the shared side.
    pub(super) theirs: &'r BTreeMap<String, IncomingFile>,
}

/// Everything one round does.
#[derive(Default)]
pub(super) struct RoundPlan {
    pub(super) arrivals: Vec<Arrival>,
    pub(super) changes: Vec<RemoteChange>,
    /// What is known once the arrivals have landed, with the contents it names.
    pub(super) known: BTreeMap<String, (KnownPath, Vec<Vec<u8>>)>,
    /// What is common once the changes are published, where that is not what is published.
    pub(super) published: BTreeMap<String, Vec<u8>>,
    pub(super) conflicts: Vec<String>,
    pub(super) held_back: Vec<HeldItem>,
}

impl RoundPlan {
    pub(super) fn know(&mut self, path: &str, known: KnownPath, contents: Vec<Vec<u8>>) {
        self.known.insert(path.to_owned(), (known, contents));
    }

    pub(super) fn arrive(&mut self, path: &str, before: Option<Vec<u8>>, after: Option<Vec<u8>>) {
        if before != after {
            self.arrivals.push(Arrival { path: path.to_owned(), before, after });
        }
    }

    pub(super) fn hold_back(&mut self, path: &str, reason: impl Into<String>) {
        self.held_back.push(HeldItem { file: path.to_owned(), reason: reason.into() });
    }
}

pub(super) fn is_index(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.eq_ignore_ascii_case("MEMORY.md"))
}

/// One path on this side.
#[derive(Clone, Copy)]
struct OurFile<'f> {
    path: &'f str,
    known: Option<&'f KnownPath>,
    /// The hash of the content that was common the last time.
    common: Option<&'f String>,
    /// The hash of what is here now.
    hash: Option<&'f String>,
}

impl OurFile<'_> {
    fn is_changed(&self) -> bool {
        self.hash != self.common
    }
}

impl Sync<'_> {
    pub(super) fn plan_file(
        &mut self,
        path: &str,
        sides: &RoundInput<'_>,
        step: &mut RoundPlan,
    ) -> Result<(), SyncError> {
        let known = sides.base.files.get(path);
        let common = known.and_then(|known| known.common.as_ref());
        let our = OurFile { path, known, common, hash: sides.ours.get(path) };
        match sides.theirs.get(path) {
            None => self.send(our, step),
            Some(their) if their.known.held.is_some() => self.keep_out(our, their, step),
            Some(their) => self.combine(our, their, step),
        }
    }

    /// Nothing is new on the shared side.
    fn send(&mut self, our: OurFile<'_>, step: &mut RoundPlan) -> Result<(), SyncError> {
        if !our.is_changed() {
            return Ok(());
        }
        if let Some(reason) = our.known.and_then(|known| known.held.as_ref()) {
            step.hold_back(our.path, format!("held: the shared version is kept out ({reason})"));
            return Ok(());
        }
        let content = self.read(our.path, our.hash)?;
        self.publish(our.path, content, step);
        Ok(())
    }

    /// The rules keep out what is on the shared side.
    fn keep_out(&mut self, our: OurFile<'_>, their: &IncomingFile, step: &mut RoundPlan) -> Result<(), SyncError> {
        let mut kept = KnownPath { common: our.common.cloned(), ..their.known.clone() };
        let unwanted = ["muted", "not-allowed", "shadowed"];
        let unwanted = kept.held.as_ref().is_some_and(|why| unwanted.iter().any(|word| why.starts_with(word)));
        // What was published from here is our own: only a memory that is muted by its name goes too.
        let own = our.known.is_some_and(|known| known.author.name.is_empty())
            && kept.held.as_deref().is_none_or(|why| why != MUTED_MEMORY);
        if own {
            kept.author = Authorship::default();
        }
        if unwanted && !own && !our.is_changed() && our.common.is_some() {
            // It came in before its author was muted.
            let content = self.read(our.path, our.hash)?;
            step.arrive(our.path, content, None);
            kept.common = None;
        }
        step.know(our.path, kept, Vec::new());
        if our.is_changed() {
            step.hold_back(our.path, "held: the shared version is kept out");
        }
        Ok(())
    }

    /// Both sides may have changed it.
    fn combine(&mut self, our: OurFile<'_>, their: &IncomingFile, step: &mut RoundPlan) -> Result<(), SyncError> {
        let path = our.path;
        let here = self.read(path, our.hash)?;
        let Some(there) = &their.content else {
            let deleted = their.gone.as_deref();
            let is_the_deleted = |here: &Vec<u8>| our.common.is_none() && deleted == Some(&*self.transport.id_of(here));
            if our.is_changed() && here.as_ref().is_some_and(|here| !is_the_deleted(here)) {
                // They deleted what we changed: the change stays, and comes back to them.
                step.know(path, their.known.clone(), Vec::new());
                self.publish(path, here, step);
            } else {
                step.arrive(path, here, None);
                step.know(path, their.known.clone(), Vec::new());
            }
            return Ok(());
        };
        match here {
            // New there, or changed there after we deleted it: the change stays.
            None => step.arrive(path, None, Some(there.clone())),
            Some(here) if !our.is_changed() || here == *there => step.arrive(path, Some(here), Some(there.clone())),
            Some(here) => {
                let before = our.common.map(|hash| self.bases.content(hash)).transpose()?.flatten();
                let merged = united(before.as_deref(), &here, there);
                if merge::has_conflict(&String::from_utf8_lossy(&merged)) {
                    step.conflicts.push(path.to_owned());
                }
                if merged != *there {
                    self.publish(path, Some(merged.clone()), step);
                }
                step.arrive(path, Some(here), Some(merged));
            }
        }
        step.know(path, their.known.clone(), vec![there.clone()]);
        Ok(())
    }

    pub(super) fn read(&mut self, path: &str, there: Option<&String>) -> Result<Option<Vec<u8>>, SyncError> {
        there.map(|_| self.local.read(path)).transpose().map(Option::flatten)
    }

    /// Lets a file out, if the rules do.
    pub(super) fn publish(&mut self, path: &str, content: Option<Vec<u8>>, step: &mut RoundPlan) {
        if self.rules.read_only() {
            return step.hold_back(path, "read-only: this machine only reads from this team");
        }
        if let Some(Err(reason)) = content.as_deref().map(|content| self.rules.may_leave(path, content)) {
            return step.hold_back(path, reason.0);
        }
        step.changes.push(RemoteChange { path: path.to_owned(), content });
    }
}

/// Merges contents; what is not text cannot be merged, and the one with the smaller hash stands.
fn united(base: Option<&[u8]>, ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let base = base.and_then(|base| std::str::from_utf8(base).ok());
    match (std::str::from_utf8(ours), std::str::from_utf8(theirs)) {
        (Ok(ours), Ok(theirs)) => merge::merge(base, ours, theirs).into_bytes(),
        _ => std::cmp::min_by_key(ours, theirs, |bytes| hash(bytes)).to_vec(),
    }
}
