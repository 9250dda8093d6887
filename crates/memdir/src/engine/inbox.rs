//! The inbox: changes that wait for a yes.
//!
//! Enters: files as they are and as somebody wants them, from a dream or an extraction, and where that comes from. Leaves: a
//! list, and on a yes one change, if each file still is what it was and passes the same check as any
//! proposal, signed with the conversation it came from. What was turned down is not asked again. Kept in the state directory, one file a proposal; never the only copy of a memory.

use std::collections::HashSet;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::proposal::{Bounds, LandedProposal, LossLimit, Successor};
use super::{Error, Inbox, Memory, Signature};
use memdir_core::kind::Scope;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_reader::likeness;
use memdir_store::Store;
use memdir_store::fs::{self, Durability};
use memdir_store::history::{Actor, ChangeId};
use memdir_store::staging::{Changes, StagedChange};
use memdir_store::topic::Topic;

/// Where the answers are kept that turned something down.
const REJECTED: &str = "rejected.json";
/// Marks a store where somebody has said yes to a dream.
const DREAMS_ALLOWED: &str = "dream-allowed";

/// A proposal to be kept.
pub(crate) struct NewProposal {
    /// Who proposes: `dream`, `extract`, `doctor`.
    pub kind: &'static str,
    /// Why, for the history.
    pub reason: String,
    /// The files.
    pub files: Vec<ProposedFile>,
}

/// Where a proposal comes from, and whose memory it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProposalOrigin {
    /// Whose memory; the team's is part of the private one.
    pub scope: Scope,
    /// The session it was said in.
    pub session: Option<String>,
    /// The message, or several.
    pub message: Option<String>,
}

/// One file of a proposal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedFile {
    /// Relative to the memory directory.
    pub file: String,
    /// What it must still be.
    pub before: Option<String>,
    /// What it should become; `None`: it should go.
    pub after: Option<String>,
    /// The memory that says it now, where it should go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into: Option<String>,
    /// What it says is no longer true, and `into` tells what is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outdated: bool,
    /// Another name for the file, where its own claims what no longer holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed: Option<String>,
    /// Why.
    pub why: String,
}

impl ProposedFile {
    /// What is proposed for the file, whatever is proposed with it.
    pub(super) fn fingerprint(&self) -> String {
        let text = |text: &Option<String>| text.clone().unwrap_or_default().into_bytes();
        ChangeId::derive(&[self.file.as_bytes(), &text(&self.before), &text(&self.after)]).to_string()
    }
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

/// What to say of proposals that wait.
pub(super) fn waits(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 change waits for your yes".to_owned()),
        many => Some(format!("{many} changes wait for your yes")),
    }
}

impl Inbox<'_> {
    /// Everything that waits, the oldest first.
    pub fn list(&self) -> Result<Vec<Proposal>, Error> {
        let mut all: Vec<Proposal> = self.memory.stores()?.into_iter().flat_map(|(_, store)| waiting(store)).collect();
        all.sort_by(|a, b| a.created.cmp(&b.created).then_with(|| a.id.cmp(&b.id)));
        Ok(all)
    }

    /// One proposal by its name or the beginning of it.
    pub fn get(&self, typed: &str) -> Result<Proposal, Error> {
        let mut found: Vec<Proposal> = self.list()?.into_iter().filter(|one| one.id.starts_with(typed)).collect();
        match (found.pop(), found.is_empty()) {
            (Some(one), true) if !typed.is_empty() => Ok(one),
            (None, _) => Err(Error::NoProposal(typed.to_owned())),
            _ => Err(Error::Refused(format!("{typed} is the beginning of several proposals; write more of it"))),
        }
    }

    /// Says yes: what still fits the files lands as one change, and the proposal is done.
    pub fn accept(&self, typed: &str) -> Result<LandedProposal, Error> {
        let proposal = self.get(typed)?;
        let store = self.memory.writable(proposal.scope)?;
        store.notice(self.memory.now.timestamp())?;
        let mut changes = Changes::default();
        for file in &proposal.files {
            let bytes = |text: &Option<String>| text.clone().map(String::into_bytes);
            let (before, after) = (bytes(&file.before), bytes(&file.after));
            changes.made.push(StagedChange { file: RelPath::parse(&file.file)?, before, after });
        }
        // A person looked at it and said yes; the other rules hold all the same.
        let bounds = Bounds { new_files: usize::MAX, loss: LossLimit::Share(1.0), ..Bounds::dream(1.0) };
        let mut verdict = self.memory.check_proposal(store, &changes, &bounds)?;
        for accepted in &mut verdict.accepted {
            let file = proposal.files.iter().find(|file| file.file == accepted.file.as_str());
            let into = file.and_then(|file| Some((RelPath::parse(file.into.as_deref()?).ok()?, file.outdated)));
            accepted.heir = into.map(|(file, outdated)| Successor { file, outdated });
            accepted.renamed = file.and_then(|file| RelPath::parse(file.renamed.as_deref()?).ok());
        }
        let actor = match proposal.kind.as_str() {
            "extract" => Actor::Extract,
            "doctor" => Actor::Doctor,
            _ => Actor::Dream,
        };
        let own = self.memory.signature.clone();
        let session = proposal.session.clone().or(own.session);
        let signature = Signature { actor, session, message: proposal.message.clone().or(own.message) };
        let reason = format!("accepted: {}", proposal.reason);
        let mut landed = self.memory.land_proposal(store, &verdict, &signature, &reason, None)?;
        landed.rejected.splice(0..0, verdict.rejected);
        if landed.change.is_some() || landed.rejected.is_empty() {
            self.memory.drop_proposal(&proposal)?;
        }
        if landed.change.is_some() && proposal.kind == "dream" {
            self.memory.allow_dreams(store)?;
        }
        Ok(landed)
    }

    /// Says no: the proposal is gone, nothing changed, and it is not made again.
    pub fn reject(&self, typed: &str) -> Result<Proposal, Error> {
        let proposal = self.get(typed)?;
        let path = self.memory.writable(proposal.scope)?.state_dir().join(REJECTED);
        let mut all: Vec<String> = serde_json::from_slice(&fs::read_beside(&path)?).unwrap_or_default();
        all.extend(proposal.files.iter().map(ProposedFile::fingerprint));
        let from = all.len().saturating_sub(limits::INBOX_REJECTED);
        fs::replace(&path, &serde_json::to_vec(&all[from..]).unwrap_or_default(), Durability::Synced)?;
        self.memory.drop_proposal(&proposal)?;
        Ok(proposal)
    }
}

impl Memory {
    /// Keeps a proposal until somebody decides. The same proposal again is the same one.
    pub(crate) fn propose(&self, scope: Scope, new: NewProposal) -> Result<String, Error> {
        self.propose_from(new, ProposalOrigin { scope, session: None, message: None })
    }

    /// The same for what comes from a conversation, unless it waits already in the same or other words.
    pub(super) fn propose_once(&self, new: NewProposal, from: ProposalOrigin) -> Result<Option<String>, Error> {
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
            .inbox()
            .list()?
            .iter()
            .any(|waiting| new.files.iter().all(|file| waiting.files.iter().any(|other| same(file, other))));
        if waits { Ok(None) } else { self.propose_from(new, from).map(Some) }
    }

    fn propose_from(&self, new: NewProposal, from: ProposalOrigin) -> Result<String, Error> {
        let content = serde_json::to_vec(&new.files).unwrap_or_default();
        let id = ChangeId::derive(&[new.kind.as_bytes(), &content]).to_string();
        let NewProposal { kind, reason, files } = new;
        let ProposalOrigin { scope, session, message } = from;
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
        let file = dir.join(format!("{id}.json"));
        // What waits already waits since then.
        if fs::read_beside(&file)?.is_empty() {
            fs::create_private_dir(&dir)?;
            fs::replace(&file, &serde_json::to_vec_pretty(&proposal).unwrap_or_default(), Durability::Synced)?;
        }
        Ok(id)
    }

    /// Whether anything that a dream proposed still waits in a store.
    pub(super) fn dream_waits(&self, store: &Store) -> bool {
        waiting(store).iter().any(|proposal| proposal.kind == "dream")
    }

    /// Notes that dreams may land in a store from now on.
    pub(super) fn allow_dreams(&self, store: &Store) -> Result<(), Error> {
        fs::create_private_dir(store.state_dir())?;
        let now = self.now.timestamp().to_string();
        Ok(fs::replace(&store.state_dir().join(DREAMS_ALLOWED), now.as_bytes(), Durability::Synced)?)
    }

    /// Whether that was noted.
    pub(super) fn dreams_allowed(&self, store: &Store) -> Result<bool, Error> {
        Ok(!fs::read_beside(&store.state_dir().join(DREAMS_ALLOWED))?.is_empty())
    }

    /// What was turned down for files of a store: nobody is asked that again.
    pub(super) fn rejected(&self, store: &Store) -> HashSet<String> {
        let bytes = fs::read_beside(&store.state_dir().join(REJECTED)).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// What is proposed for files of a store and waits.
    pub(super) fn waiting(&self, store: &Store) -> HashSet<String> {
        waiting(store).into_iter().flat_map(|proposal| proposal.files).map(|file| file.fingerprint()).collect()
    }

    /// Takes out of the inbox what a dream proposed and what has landed by now.
    pub(super) fn clear_landed(&self, store: &Store, landed: &HashSet<String>) -> Result<(), Error> {
        for mut proposal in waiting(store).into_iter().filter(|proposal| proposal.kind == "dream") {
            let all = proposal.files.len();
            proposal.files.retain(|file| !landed.contains(&file.fingerprint()));
            if proposal.files.len() == all {
                continue;
            }
            self.drop_proposal(&proposal)?;
            if !proposal.files.is_empty() {
                let Proposal { reason, files, scope, .. } = proposal;
                self.propose(scope, NewProposal { kind: "dream", reason, files })?;
            }
        }
        Ok(())
    }

    /// Takes out of the inbox what is proposed for a file, or would put something into it: it quotes what the file says.
    pub(super) fn drop_proposals_about(&self, store: &Store, file: &str) -> Result<(), Error> {
        let about = |proposed: &ProposedFile| proposed.file == file || proposed.into.as_deref() == Some(file);
        for proposal in waiting(store).iter().filter(|proposal| proposal.files.iter().any(about)) {
            self.drop_proposal(proposal)?;
        }
        Ok(())
    }

    fn drop_proposal(&self, proposal: &Proposal) -> Result<(), Error> {
        Ok(fs::remove(&inbox(self.writable(proposal.scope)?).join(format!("{}.json", proposal.id)))?)
    }
}

/// What waits in a store.
pub(super) fn waiting(store: &Store) -> Vec<Proposal> {
    let dir = inbox(store);
    let names = fs::names(&dir).unwrap_or_default();
    let kept = names.iter().filter(|name| name.ends_with(".json"));
    kept.filter_map(|name| serde_json::from_slice(&fs::read_beside(&dir.join(name)).ok()?).ok()).collect()
}

fn inbox(store: &Store) -> PathBuf {
    store.state_dir().join("inbox")
}
