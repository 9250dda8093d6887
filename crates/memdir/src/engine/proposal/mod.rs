//! What a model wants to change, checked and landed.
//!
//! Enters: what differs between a copy and the memory directory, and how much may change at once.
//! Leaves: what is accepted, mended where it can be, and what is not, each with the rule and a
//! reason; then one change in the history. Model output is data here: nothing of it is trusted to
//! keep a format, a pin, a secret, an index or another memory safe.
//!
//! - `bounds`: how much may change at once.
//! - `shape`: one file on its own: place, size, format, pin, dates, secrets.
//! - `grounding`: did the person say it, and is it worth saving, where the conversation is known?
//! - `duplicates`: is a new memory an old one in other words?
//! - `loss`: how much of what is known would be gone.
//! - `pointers`: the index is memdir's own; what a model wrote into it is only looked at.
//! - `land`: the one change, against what is there by then.

mod bounds;
mod duplicates;
mod grounding;
mod land;
mod loss;
mod pointers;
mod shape;

#[cfg(test)]
mod tests;

pub(crate) use bounds::{AllowedRemovals, Bounds, LossLimit};
pub(crate) use grounding::{Fault, Grounding, Support};
pub use land::LandedProposal;

use std::collections::HashSet;

use serde::Serialize;

use super::listing::{FileRole, role};
use super::{Error, Memory};
use memdir_guard::confine::RelPath;
use memdir_store::Store;
use memdir_store::staging::{Changes, StagedChange, UnusableReason};

/// What comes of a proposal.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ProposalVerdict {
    /// What may land.
    pub accepted: Vec<Accepted>,
    /// What may not.
    pub rejected: Vec<Rejection>,
}

/// A change that may land.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    /// Relative to the memory directory.
    pub file: RelPath,
    /// What happens to it.
    pub action: FileEffect,
    /// What memdir did to it: dates, redactions, folding.
    pub notes: Vec<String>,
    /// The messages it comes from, where the conversation is known.
    pub messages: Vec<String>,
    /// The memory that says it now, where it goes and somebody named one.
    pub heir: Option<Successor>,
    /// Another name for the file, where somebody gave one.
    pub renamed: Option<RelPath>,
    /// What it must still be when the change lands.
    pub before: Option<Vec<u8>>,
    /// What it becomes.
    pub after: Option<Vec<u8>>,
}

/// The memory that says what another one said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Successor {
    /// Relative to the memory directory.
    pub file: RelPath,
    /// It says otherwise: the line of the other one in the index goes, and does not lead here.
    pub outdated: bool,
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileEffect {
    /// It is new.
    Created,
    /// It says something else.
    Updated,
    /// It goes to the history.
    Removed,
}

/// A change that may not land.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rejection {
    /// Relative to the memory directory, as it was named.
    pub file: String,
    /// Which rule it breaks.
    pub rule: RejectionRule,
    /// Why, for a person.
    pub reason: String,
}

/// The rules of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RejectionRule {
    /// The path leaves the directory, or no file may have it.
    Confinement,
    /// A link stands in the way.
    Link,
    /// Too large.
    Size,
    /// Not a memory file as memdir writes them.
    Format,
    /// A secret, and nothing without it.
    Secret,
    /// It speaks to a model as if it were its master.
    Orders,
    /// A person pinned it.
    Pinned,
    /// It should go, and nobody asked for that.
    Removal,
    /// Too much of what is known would be lost.
    Loss,
    /// Too many new memories at once.
    TooMany,
    /// It is known already.
    Duplicate,
    /// It does not belong to the team.
    Scope,
    /// Code, git or the docs say it (F7).
    Derivable,
    /// It holds for the task at hand only (F7).
    TaskState,
    /// The instruction files say it, or the model's own.
    Written,
    /// It was asked, guessed or quoted.
    Undecided,
    /// The person did not say it.
    Support,
    /// A daily log, which is only appended to.
    Log,
    /// The index was rewritten; memdir keeps it itself.
    Index,
    /// Somebody else was faster.
    ChangedMeanwhile,
}

impl RejectionRule {
    /// The word in listings and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            RejectionRule::Confinement => "confinement",
            RejectionRule::Link => "link",
            RejectionRule::Size => "size",
            RejectionRule::Format => "format",
            RejectionRule::Secret => "secret",
            RejectionRule::Orders => "orders",
            RejectionRule::Pinned => "pinned",
            RejectionRule::Removal => "removal",
            RejectionRule::Loss => "loss",
            RejectionRule::TooMany => "too-many",
            RejectionRule::Duplicate => "duplicate",
            RejectionRule::Scope => "scope",
            RejectionRule::Derivable => "derivable",
            RejectionRule::TaskState => "task-state",
            RejectionRule::Written => "written",
            RejectionRule::Undecided => "undecided",
            RejectionRule::Support => "support",
            RejectionRule::Log => "log",
            RejectionRule::Index => "index",
            RejectionRule::ChangedMeanwhile => "changed-meanwhile",
        }
    }
}

impl Rejection {
    fn of(file: &RelPath, rule: RejectionRule, reason: impl Into<String>) -> Rejection {
        Rejection { file: file.to_string(), rule, reason: reason.into() }
    }
}

impl ProposalVerdict {
    fn reject(&mut self, file: &RelPath, rule: RejectionRule, reason: impl Into<String>) {
        self.rejected.push(Rejection::of(file, rule, reason));
    }

    /// The messages that what was accepted comes from, for the history.
    pub(super) fn messages(&self) -> Option<String> {
        let mut ids: Vec<&str> = Vec::new();
        for id in self.accepted.iter().flat_map(|accepted| &accepted.messages) {
            if !ids.contains(&id.as_str()) {
                ids.push(id);
            }
        }
        (!ids.is_empty()).then(|| ids.join(" "))
    }

    /// Turns down what was accepted so far, where `which` says so.
    fn turn_down(&mut self, rule: RejectionRule, reason: &str, which: impl Fn(&Accepted) -> bool) {
        let (down, stay) = std::mem::take(&mut self.accepted).into_iter().partition::<Vec<_>, _>(which);
        self.accepted = stay;
        self.rejected.extend(down.iter().map(|accepted| Rejection::of(&accepted.file, rule, reason)));
    }
}

impl Memory {
    /// Checks what a model wants to change in a store.
    pub(crate) fn check_proposal(
        &self,
        store: &Store,
        changes: &Changes,
        bounds: &Bounds,
    ) -> Result<ProposalVerdict, Error> {
        let mut verdict = ProposalVerdict::default();
        for unusable in &changes.unusable {
            let (rule, reason) = unusable_reason(unusable.why);
            verdict.rejected.push(Rejection { file: unusable.path.clone(), rule, reason: reason.to_owned() });
        }
        let touched: HashSet<&str> = changes.made.iter().map(|change| change.file.as_str()).collect();
        for change in &changes.made {
            match role(change.file.as_str()) {
                FileRole::Index => verdict.rejected.extend(pointers::remark(change, &touched)),
                FileRole::Log => {
                    verdict.reject(&change.file, RejectionRule::Log, "a daily log is only ever appended to, by memdir");
                }
                FileRole::Topic => self.check_topic(change, bounds, &mut verdict),
            }
        }
        let created = verdict.accepted.iter().filter(|accepted| accepted.action == FileEffect::Created).count();
        if created > bounds.new_files {
            let reason = format!("{created} new memories at once; at most {} are saved", bounds.new_files);
            verdict.turn_down(RejectionRule::TooMany, &reason, |accepted| accepted.action == FileEffect::Created);
        }
        if let Some(grounds) = &bounds.grounds {
            grounding::check(&**grounds, &mut verdict);
            self.keep_apart(&mut verdict);
        }
        self.fold_known(store, changes, &mut verdict)?;
        self.check_loss(store, bounds, &mut verdict)?;
        Ok(verdict)
    }

    /// The day that relative dates are relative to (F4): that of the conversation, where it is known.
    fn day_of(&self, bounds: &Bounds) -> Option<jiff::civil::Date> {
        bounds.dated.then(|| bounds.grounds.as_ref().map_or(self.now.date(), |grounds| grounds.day()))
    }

    fn check_topic(&self, change: &StagedChange, bounds: &Bounds, verdict: &mut ProposalVerdict) {
        let checked = match &change.after {
            None => shape::check_removal(change, bounds).map(|()| Accepted {
                file: change.file.clone(),
                action: FileEffect::Removed,
                notes: Vec::new(),
                messages: Vec::new(),
                heir: None,
                renamed: None,
                before: change.before.clone(),
                after: None,
            }),
            Some(after) => shape::check(change, after, self.settings.mode, self.day_of(bounds)),
        };
        match checked {
            // Mended, it may be what was there.
            Ok(accepted) if accepted.after == accepted.before => {}
            Ok(accepted) => verdict.accepted.push(accepted),
            Err((rule, reason)) => verdict.reject(&change.file, rule, reason),
        }
    }
}

fn unusable_reason(why: UnusableReason) -> (RejectionRule, &'static str) {
    match why {
        UnusableReason::ChangedMeanwhile => (RejectionRule::ChangedMeanwhile, "somebody else changed it meanwhile"),
        UnusableReason::Link => (RejectionRule::Link, "a symbolic link is in its place or on the way to it"),
        UnusableReason::NotAFile => (RejectionRule::Link, "something that is not a file is in its place"),
        UnusableReason::TooLarge => (RejectionRule::Size, "it is larger than a memory may be"),
        UnusableReason::Name => (RejectionRule::Confinement, "no memory may have this name"),
    }
}
