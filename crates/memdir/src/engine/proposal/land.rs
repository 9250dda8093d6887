//! Landing what was accepted: one change in the history, against what is there by then.
//!
//! Enters: a verdict. Leaves: the files that changed, and those that somebody else changed first. Never lands half of a file, or a file
//! without its pointer.

use serde::Serialize;

use super::{Accepted, FileEffect, ProposalVerdict, Rejection, RejectionRule, Successor};
use crate::engine::pointer::{self, ChangedBy};
use crate::engine::{Error, Memory, MemoryRef, Signature};
use memdir_core::kind::Scope;
use memdir_store::fs::FsError;
use memdir_store::history::{Author, ChangeId};
use memdir_store::topic::Topic;
use memdir_store::{ChangeError, Edit, Intent, OnSecret, Store};

/// What landed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LandedProposal {
    /// The files, with what happened to each.
    pub files: Vec<(String, FileEffect)>,
    /// What had to stay outside, as somebody else was faster.
    pub rejected: Vec<Rejection>,
    /// The change, for `undo`; `None` when nothing landed.
    pub change: Option<String>,
}

impl Memory {
    /// Lands what a verdict accepted, as one change signed by `signature`.
    ///
    /// A file that somebody else changed since it was judged stays as they left it.
    pub(crate) fn land_proposal(
        &self,
        store: &Store,
        verdict: &ProposalVerdict,
        signature: &Signature,
        reason: &str,
        group: Option<ChangeId>,
    ) -> Result<LandedProposal, Error> {
        self.land_proposal_if(store, verdict, signature, reason, group, &|| Ok(()))
    }

    /// The same if `may_land` still says so when the store is locked; else its reason, and nothing landed.
    pub(in crate::engine) fn land_proposal_if(
        &self,
        store: &Store,
        verdict: &ProposalVerdict,
        signature: &Signature,
        reason: &str,
        group: Option<ChangeId>,
        may_land: &dyn Fn() -> Result<(), String>,
    ) -> Result<LandedProposal, Error> {
        self.require_on()?;
        let Signature { actor, session, message } = signature.clone();
        let message = verdict.messages().or(message);
        let author = Author { actor, session, message, time: self.now.timestamp() };
        // A second net: what the check let through has no secret that a person should be asked about.
        let intent = Intent { group, on_secret: OnSecret::Redact, ..Intent::new(reason) };
        let (landed, change) = store.change(&author, &intent, |edit| {
            may_land().map_err(ChangeError::Refused)?;
            let mut landed = LandedProposal::default();
            // What lives on in another memory goes when that one has taken it over.
            let (goes, stays): (Vec<_>, Vec<_>) =
                verdict.accepted.iter().partition(|accepted| accepted.after.is_none());
            for accepted in stays.into_iter().chain(goes) {
                let rejected: Vec<&Rejection> = verdict.rejected.iter().chain(&landed.rejected).collect();
                match self.put(edit, store, accepted, &rejected)? {
                    None => landed.files.push((accepted.file.to_string(), accepted.action)),
                    Some(rejection) => landed.rejected.push(rejection),
                }
            }
            Ok(landed)
        })?;
        Ok(LandedProposal { change: change.map(|change| change.id.to_string()), ..landed })
    }

    /// Puts one file and its pointer into a change, unless it is not what it was.
    fn put(
        &self,
        edit: &mut Edit<'_>,
        store: &Store,
        accepted: &Accepted,
        rejected: &[&Rejection],
    ) -> Result<Option<Rejection>, ChangeError> {
        let file = &accepted.file;
        if let Some(rejection) = overtaken(edit, accepted, rejected)? {
            return Ok(Some(rejection));
        }
        let scope = if file.in_team() { Scope::Team } else { Scope::Private };
        let memory_ref = MemoryRef { scope, store, file: file.clone() };
        let Some(after) = &accepted.after else {
            remove(edit, &memory_ref, accepted.heir.as_ref())?;
            return Ok(None);
        };
        edit.write(file, after.clone())?;
        let topic = Topic::parse(after.clone());
        if let Some(before) = &accepted.before {
            self.follow(edit, &memory_ref, &Topic::parse(before.clone()), &topic, &ChangedBy::Program(&[]))?;
        } else if self.settings.index_required {
            let (title, hook) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
            edit.point(&memory_ref.index()?, memory_ref.target(), &title, &hook)?;
        }
        if let Some(to) = &accepted.renamed
            && edit.read(to)?.is_none()
        {
            edit.rename_file(file, to)?;
            let renamed = MemoryRef { scope, store, file: to.clone() };
            edit.rename(&memory_ref.index()?, memory_ref.target(), renamed.target())?;
        }
        Ok(None)
    }
}

/// Why a change must not land any more: what it rests on is not as it was.
fn overtaken(
    edit: &mut Edit<'_>,
    accepted: &Accepted,
    rejected: &[&Rejection],
) -> Result<Option<Rejection>, ChangeError> {
    let file = &accepted.file;
    let there = match edit.read(file) {
        Ok(there) => there,
        Err(ChangeError::Fs(FsError::Link(_) | FsError::NotAFile(_))) => {
            let reason = "something that is not a file took its place";
            return Ok(Some(Rejection::of(file, RejectionRule::Link, reason)));
        }
        Err(error) => return Err(error),
    };
    if there != accepted.before {
        let reason = "somebody else changed it meanwhile";
        return Ok(Some(Rejection::of(file, RejectionRule::ChangedMeanwhile, reason)));
    }
    let Some(heir) = &accepted.heir else { return Ok(None) };
    if rejected.iter().any(|one| one.file == heir.file.as_str()) || edit.read(&heir.file)?.is_none() {
        let reason = "the memory that should say it now was changed meanwhile";
        return Ok(Some(Rejection::of(file, RejectionRule::ChangedMeanwhile, reason)));
    }
    Ok(None)
}

/// Removes a memory; its pointer goes too, or leads to the memory that says now what it said.
fn remove(edit: &mut Edit<'_>, memory_ref: &MemoryRef<'_>, heir: Option<&Successor>) -> Result<(), ChangeError> {
    edit.remove(&memory_ref.file)?;
    let index = memory_ref.index()?;
    let Some(heir) = heir.filter(|heir| !heir.outdated) else {
        return edit.unpoint(&index, memory_ref.target());
    };
    let raw = edit.read(&index)?.unwrap_or_default();
    let after = pointer::redirected(&raw, &memory_ref.file, &heir.file);
    if after != raw {
        edit.write(&index, after)?;
    }
    Ok(())
}
