//! The inbox: changes that wait for a yes.
//!
//! Enters: files as they are and as somebody wants them, from a dream or an extraction, and where that comes from. Leaves: a
//! list, and on a yes one change, if each file still is what it was and passes the same check as any
//! proposal, signed with the conversation it came from. Kept in the state directory, one file a proposal; never the only copy of a memory.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::proposal::{Bounds, Landed, Loss, Removals};
use super::{Error, Memory, Signature};
use crate::guard::confine::RelPath;
use crate::kind::Scope;
use crate::store::Store;
use crate::store::fs::{self, Durability};
use crate::store::history::{Actor, ChangeId};
use crate::store::staging::{Change, Changes};
use crate::store::topic::Topic;
use crate::text::likeness;

/// A proposal to be kept.
pub struct NewProposal {
    /// Who proposes: `dream`, `extract`.
    pub kind: &'static str,
    /// Why, for the history.
    pub reason: String,
    /// The files.
    pub files: Vec<ProposedFile>,
}

/// Where a proposal comes from, and whose memory it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Whose memory; the team's is part of the private one.
    pub scope: Scope,
    /// The session it was said in.
    pub session: Option<String>,
    /// The message, or several.
    pub message: Option<String>,
}

/// One file of a proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedFile {
    /// Relative to the memory directory.
    pub file: String,
    /// What it must still be.
    pub before: Option<String>,
    /// What it should become; `None`: it should go.
    pub after: Option<String>,
    /// Why.
    pub why: String,
}

/// A proposal that waits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Proposal {
    /// Its name.
    pub id: String,
    /// Who proposes.
    pub kind: String,
    /// When.
    pub created: Timestamp,
    /// Why.
    pub reason: String,
    /// Whose memory: the project's or the user's.
    #[serde(default = "of_project")]
    pub scope: Scope,
    /// The session it comes from.
    #[serde(default)]
    pub session: Option<String>,
    /// The message it comes from, or several.
    #[serde(default)]
    pub message: Option<String>,
    /// The files.
    pub files: Vec<ProposedFile>,
}

fn of_project() -> Scope {
    Scope::Private
}

impl Proposal {
    /// What it would change, as a unified diff.
    pub fn diff(&self) -> String {
        self.files
            .iter()
            .map(|file| {
                let name = |there: bool, side: &str| {
                    if there { format!("{side}/{}", file.file) } else { "/dev/null".to_owned() }
                };
                let mut options = diffy::DiffOptions::new();
                options
                    .set_original_filename(name(file.before.is_some(), "a"))
                    .set_modified_filename(name(file.after.is_some(), "b"));
                let (before, after) = (file.before.as_deref().unwrap_or(""), file.after.as_deref().unwrap_or(""));
                options.create_patch(before, after).to_string()
            })
            .collect()
    }
}

impl Memory {
    /// Keeps a proposal until somebody decides. The same proposal again is the same one.
    pub fn propose(&self, scope: Scope, new: NewProposal) -> Result<String, Error> {
        self.propose_from(new, Origin { scope, session: None, message: None })
    }

    /// The same for what comes from a conversation, unless it waits already in the same or other words.
    pub(super) fn propose_once(&self, new: NewProposal, from: Origin) -> Result<Option<String>, Error> {
        let said =
            |file: &ProposedFile| file.after.clone().map(|after| Topic::parse(after.into_bytes()).body().into_owned());
        let same = |one: &ProposedFile, other: &ProposedFile| match (said(one), said(other)) {
            (Some(one), Some(other)) => {
                likeness::likeness(&one, &other) >= likeness::SAME && likeness::contains(&other, &one)
            }
            (None, None) => one.file == other.file,
            _ => false,
        };
        let waits = self
            .proposals()?
            .iter()
            .any(|waiting| new.files.iter().all(|file| waiting.files.iter().any(|other| same(file, other))));
        if waits { Ok(None) } else { self.propose_from(new, from).map(Some) }
    }

    fn propose_from(&self, new: NewProposal, from: Origin) -> Result<String, Error> {
        let content = serde_json::to_vec(&new.files).unwrap_or_default();
        let id = ChangeId::derive(&[new.kind.as_bytes(), &content]).to_string();
        let NewProposal { kind, reason, files } = new;
        let Origin { scope, session, message } = from;
        let proposal = Proposal {
            id: id.clone(),
            kind: kind.to_owned(),
            created: self.now.timestamp(),
            reason,
            scope,
            session,
            message,
            files,
        };
        let dir = inbox(self.writable(proposal.scope)?);
        fs::create_private_dir(&dir)?;
        let bytes = serde_json::to_vec_pretty(&proposal).unwrap_or_default();
        fs::replace(&dir.join(format!("{id}.json")), &bytes, Durability::Synced)?;
        Ok(id)
    }

    /// Everything that waits, the oldest first.
    pub fn proposals(&self) -> Result<Vec<Proposal>, Error> {
        let mut all: Vec<Proposal> = Vec::new();
        for (_, store) in self.stores()? {
            let dir = inbox(store);
            let names = fs::names(&dir).unwrap_or_default();
            let kept = names.iter().filter(|name| name.ends_with(".json"));
            all.extend(
                kept.filter_map(|name| {
                    serde_json::from_slice::<Proposal>(&fs::read_beside(&dir.join(name)).ok()?).ok()
                }),
            );
        }
        all.sort_by(|a, b| a.created.cmp(&b.created).then_with(|| a.id.cmp(&b.id)));
        Ok(all)
    }

    /// One proposal by its name or the beginning of it.
    pub fn proposal(&self, typed: &str) -> Result<Proposal, Error> {
        let mut found: Vec<Proposal> = self.proposals()?.into_iter().filter(|one| one.id.starts_with(typed)).collect();
        match (found.pop(), found.is_empty()) {
            (Some(one), true) if !typed.is_empty() => Ok(one),
            (None, _) => Err(Error::Refused(format!("no proposal {typed} waits; `memdir inbox` lists them"))),
            _ => Err(Error::Refused(format!("{typed} is the beginning of several proposals; write more of it"))),
        }
    }

    /// Says yes: what still fits the files lands as one change, and the proposal is done.
    pub fn accept(&self, typed: &str) -> Result<Landed, Error> {
        let proposal = self.proposal(typed)?;
        let store = self.writable(proposal.scope)?;
        store.notice(self.now.timestamp())?;
        let mut changes = Changes::default();
        for file in &proposal.files {
            let bytes = |text: &Option<String>| text.clone().map(String::into_bytes);
            let (before, after) = (bytes(&file.before), bytes(&file.after));
            changes.made.push(Change { file: RelPath::parse(&file.file)?, before, after });
        }
        // A person looked at it and said yes; the other rules hold all the same.
        let bounds = Bounds { new_files: usize::MAX, removals: Removals::Any, loss: Loss::Share(1.0), grounds: None };
        let verdict = self.check_proposal(store, &changes, &bounds)?;
        let actor = if proposal.kind == "extract" { Actor::Extract } else { Actor::Dream };
        let own = self.signature.clone();
        let session = proposal.session.clone().or(own.session);
        let signature = Signature { actor, session, message: proposal.message.clone().or(own.message) };
        let reason = format!("accepted: {}", proposal.reason);
        let mut landed = self.land_proposal(store, &verdict, &signature, &reason, None)?;
        landed.rejected.splice(0..0, verdict.rejected);
        if landed.change.is_some() || landed.rejected.is_empty() {
            self.drop_proposal(&proposal)?;
        }
        Ok(landed)
    }

    /// Says no: the proposal is gone, and nothing changed.
    pub fn reject(&self, typed: &str) -> Result<Proposal, Error> {
        let proposal = self.proposal(typed)?;
        self.drop_proposal(&proposal)?;
        Ok(proposal)
    }

    fn drop_proposal(&self, proposal: &Proposal) -> Result<(), Error> {
        Ok(fs::remove(&inbox(self.writable(proposal.scope)?).join(format!("{}.json", proposal.id)))?)
    }
}

fn inbox(store: &Store) -> PathBuf {
    store.state_dir().join("inbox")
}
