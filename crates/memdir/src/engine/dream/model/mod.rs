//! A dream with a model: the forked agent works on a copy, code checks what comes of it (D3, D4).
//!
//! Enters: a model, its budget, and what changed since the last dream. Leaves: what it did, as one change; what
//! waits in the inbox, because too much would be lost or changed, nobody has said yes to dreams here yet, or somebody
//! wants to see everything; or why nothing was changed. A result that breaks another rule is refused whole: nobody looks at a dream while it lands, and
//! half of one says things twice.

mod phases;

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use super::audit::{Audit, LosingMemory, invented};
use super::workspace::WorkspaceMemory;
use super::{DreamProgress, Dreaming, STOPPED, versions};
use crate::engine::fork::{ForkJob, ForkOutcome};
use crate::engine::inbox::{NewProposal, ProposedFile};
use crate::engine::proposal::{Accepted, Bounds, FileEffect, LandedProposal, ProposalVerdict, RejectionRule};
use crate::engine::{Error, Signature};
use memdir_context::prompts::PromptTemplate;
use memdir_core::kind::Scope;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_model::fork::{ForkProgress, RunBudget, RunEnd};
use memdir_model::tools::{Shell, specs};
use memdir_model::{Cancel, Model, Request};
use memdir_store::Store;
use memdir_store::dream_lock::DreamLock;
use memdir_store::history::{Actor, ChangeId};
use memdir_store::topic::Topic;
use phases::PhaseReporter;

/// How a dream with a model is run.
pub(super) struct DreamJob<'j> {
    /// Which memory: the project's or the user's.
    pub(super) scope: Scope,
    /// Conversations since the last dream, the newest first.
    pub(super) transcripts: &'j [PathBuf],
    /// The model.
    pub(super) model: &'j dyn Model,
    /// Runs its read-only commands.
    pub(super) shell: &'j dyn Shell,
    /// Stops it.
    pub(super) cancel: Cancel,
    /// Somebody said yes beforehand: a first dream may land.
    pub(super) yes: bool,
    /// The group it belongs to, with what the rules do afterwards.
    pub(super) group: Option<ChangeId>,
}

/// A model's dream that waits in the inbox.
#[derive(Clone, Debug)]
pub struct ModelWaits {
    /// The proposal.
    pub proposal: String,
    /// Why it waits.
    pub why: String,
}

/// The result of a model's dream.
#[derive(Debug)]
pub(super) struct ModelDream {
    /// What landed.
    pub(super) landed: LandedProposal,
    /// What waits in the inbox instead.
    pub(super) waits: Option<ModelWaits>,
    /// What it said about it.
    pub(super) said: String,
}

impl ModelDream {
    /// Memories that stood and that it changed or removed.
    pub(super) fn changed(&self) -> u64 {
        self.landed.files.iter().filter(|(_, effect)| *effect != FileEffect::Created).count() as u64
    }
}

impl Dreaming<'_> {
    /// Lets a model dream. An error says why nothing was changed; the caller rolls the lock back then.
    pub(super) fn run_model(
        &self,
        job: &DreamJob<'_>,
        hold: &DreamLock<'_>,
        progress: &mut dyn FnMut(DreamProgress<'_>),
    ) -> Result<ModelDream, Error> {
        let store = self.memory.writable(job.scope)?;
        let signature = Signature { actor: Actor::Dream, ..self.memory.signature.clone() };
        let outcome = self.ask_model(store, job, hold, &signature, progress)?;
        let (verdict, said) = (outcome.verdict, outcome.run.said);
        let audit = self.check(store, job, &verdict, &said)?;
        if let Some(why) = self.why_it_waits(store, job, &verdict, &audit)? {
            if !hold.is_mine() {
                return Err(Error::Refused(OVERTAKEN.to_owned()));
            }
            let proposal = self.memory.propose(job.scope, proposal(&verdict, &audit, &why))?;
            let waits = Some(ModelWaits { proposal, why });
            return Ok(ModelDream { landed: LandedProposal::default(), waits, said });
        }
        // The history keeps why each lost line went.
        let reasons: Vec<String> = audit.losing.iter().filter_map(LosingMemory::told).collect();
        let reason = if reasons.is_empty() { "dream".to_owned() } else { format!("dream: {}", reasons.join("; ")) };
        let may_land = || if hold.may_land() { Ok(()) } else { Err(OVERTAKEN.to_owned()) };
        let landed =
            self.memory.land_proposal_if(store, &verdict, &signature, &reason, job.group.clone(), &may_land)?;
        Ok(ModelDream { landed, waits: None, said })
    }

    /// Has the model work on a copy. Returns what it did there; nothing of it has landed.
    fn ask_model(
        &self,
        store: &Store,
        job: &DreamJob<'_>,
        hold: &DreamLock<'_>,
        signature: &Signature,
        progress: &mut dyn FnMut(DreamProgress<'_>),
    ) -> Result<ForkOutcome, Error> {
        let parent = Request { tools: specs(), max_output_tokens: limits::DREAM_OUTPUT_TOKENS, ..Request::default() };
        let fork = ForkJob {
            model: job.model,
            parent: &parent,
            prompt: &self.prompt(store, job, hold)?,
            budget: RunBudget {
                turns: limits::DREAM_TURNS,
                time: Duration::from_secs(limits::DREAM_SECONDS),
                tokens: limits::DREAM_TOKENS,
            },
            // How much may go is looked at afterwards: what is too much waits for a yes.
            bounds: Bounds::dream(1.0),
            shell: job.shell,
            cancel: job.cancel.clone(),
            signature: signature.clone(),
            reason: "dream",
            group: job.group.clone(),
            land: false,
        };
        let mut reporter = PhaseReporter::new(progress);
        let mut hear = |event: ForkProgress<'_>| reporter.hear(event);
        let outcome = match job.scope {
            Scope::User => self.memory.run_fork_in(store, &fork, &mut hear)?,
            _ => self.memory.run_fork(&fork, &mut hear)?,
        };
        match &outcome.run.ended {
            RunEnd::Done => Ok(outcome),
            other => Err(unfinished(other)),
        }
    }

    /// Refuses a result that breaks a rule. Returns what the rest would lose.
    fn check(&self, store: &Store, job: &DreamJob<'_>, verdict: &ProposalVerdict, said: &str) -> Result<Audit, Error> {
        if let Some(reason) = fault(verdict) {
            return Err(refused(&reason));
        }
        if let Some((file, date)) = invented(self.memory, store, verdict, job.transcripts)? {
            return Err(refused(&format!("{file}: nobody said {date} (no-invented-dates)")));
        }
        Audit::of(self.memory, store, verdict, said, job.transcripts)
    }

    /// Why a result must not land without a yes, if it must not.
    fn why_it_waits(
        &self,
        store: &Store,
        job: &DreamJob<'_>,
        verdict: &ProposalVerdict,
        audit: &Audit,
    ) -> Result<Option<String>, Error> {
        let settings = &self.memory.settings;
        if verdict.accepted.is_empty() {
            return Ok(None);
        }
        if settings.review {
            return Ok(Some("everything waits for a yes (the setting review)".to_owned()));
        }
        if !job.yes && !self.is_allowed(store)? {
            return Ok(Some("first: the first dream in this directory only proposes".to_owned()));
        }
        let (standing, most) = (standing(verdict), settings.dream_max_changes);
        if standing > most {
            return Ok(Some(format!(
                "changes: {standing} memories would change or go; {most} may without a yes (dream.max_changes)"
            )));
        }
        if let Some(file) = rewritten(verdict) {
            return Ok(Some(format!("long: {file} is a long note, and more than a line would be added to it")));
        }
        let percent = |share: f64| (share * 100.0).round();
        let (share, most) = (audit.share(), settings.dream_max_loss);
        if share > most {
            return Ok(Some(format!(
                "loss: {} of {} memories would lose something that nothing else says ({} %); {} % may without a yes",
                audit.losing.len(),
                audit.known,
                percent(share),
                percent(most)
            )));
        }
        if let Some(lost) = audit.losing.iter().find(|losing| losing.reason.is_none() && losing.source.is_none()) {
            let told = "nothing says it any more, and no reason was given (no-fact-lost)";
            return Err(refused(&format!("{}: “{}”: {told}", lost.file, lost.line)));
        }
        Ok(audit.unborne().map(|lost| {
            let told = "no memory, log or conversation that the reason names speaks of it";
            format!("source: {}: “{}”: {told}", lost.file, lost.line)
        }))
    }

    /// What the model is asked.
    fn prompt(&self, store: &Store, job: &DreamJob<'_>, hold: &DreamLock<'_>) -> Result<String, Error> {
        let directory =
            if job.scope == Scope::User { self.memory.place.user_dir()? } else { self.memory.private_dir()? };
        let values = [
            ("directory", directory.display().to_string()),
            ("today", self.memory.now.date().to_string()),
            ("changes", self.changes_since(job.scope, hold.last())?),
            ("signals", self.signals(store, job.scope, job.transcripts)?),
            ("indexLines", limits::INDEX_LINES.to_string()),
            ("indexBytes", limits::INDEX_BYTES.to_string()),
        ];
        let values: Vec<(&str, &str)> = values.iter().map(|(slot, value)| (*slot, value.as_str())).collect();
        self.memory.prompts().render(PromptTemplate::Dream, &values).map_err(|error| Error::Refused(error.to_string()))
    }
}

const OVERTAKEN: &str = "another dream took over; this one lands nothing";

fn refused(reason: &str) -> Error {
    Error::Refused(format!("the dream was refused, nothing was changed: {reason}"))
}

/// What the inbox keeps of a result.
fn proposal(verdict: &ProposalVerdict, audit: &Audit, why: &str) -> NewProposal {
    let text = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let files = verdict.accepted.iter().map(|accepted| {
        let losing = audit.losing.iter().find(|losing| losing.file == accepted.file);
        let why = losing.map(|losing| losing.reason.clone().unwrap_or_else(|| format!("loses “{}”", losing.line)));
        ProposedFile {
            file: accepted.file.to_string(),
            before: text(&accepted.before),
            after: text(&accepted.after),
            why: why.unwrap_or_else(|| accepted.notes.join("; ")),
            ..ProposedFile::default()
        }
    });
    NewProposal { kind: "dream", reason: format!("dream; {why}"), files: files.collect() }
}

/// Memories that stand and would be changed or removed.
fn standing(verdict: &ProposalVerdict) -> u64 {
    verdict.accepted.iter().filter(|accepted| accepted.before.is_some()).count() as u64
}

/// A long note that would lose a line or go (H3).
fn rewritten(verdict: &ProposalVerdict) -> Option<&RelPath> {
    let found = verdict.accepted.iter().find(|accepted| {
        let Some(before) = &accepted.before else { return false };
        let note = WorkspaceMemory::loose(accepted.file.clone(), Topic::parse(before.clone()));
        let after = accepted.after.clone().map(|after| Topic::parse(after).body().into_owned()).unwrap_or_default();
        let kept: HashSet<&str> = after.lines().collect();
        note.is_long() && note.body().lines().any(|line| !kept.contains(line))
    });
    found.map(|accepted| &accepted.file)
}

/// The first rule that a result breaks, in words.
fn fault(verdict: &ProposalVerdict) -> Option<String> {
    // The index is memdir's own, and what somebody else changed meanwhile only stays as it is.
    let broken = verdict.rejected.iter().find(|rejection| {
        !matches!(rejection.rule, RejectionRule::Index | RejectionRule::ChangedMeanwhile | RejectionRule::Duplicate)
    });
    if let Some(broken) = broken {
        return Some(format!("{}: {} ({})", broken.file, broken.reason, broken.rule.as_str()));
    }
    let secret = verdict.accepted.iter().find(|accepted| accepted.notes.iter().any(|note| note.contains("secret")));
    if let Some(accepted) = secret {
        return Some(format!("{}: it would have held a secret (no-secrets)", accepted.file));
    }
    let sourceless = verdict.accepted.iter().find_map(|accepted| Some((accepted, lost_key(accepted)?)));
    sourceless.map(|(accepted, key)| format!("{}: it would lose its {key} (sources-kept)", accepted.file))
}

/// A frontmatter key that an update would drop.
fn lost_key(accepted: &Accepted) -> Option<String> {
    if accepted.action != FileEffect::Updated {
        return None;
    }
    let now = Topic::parse(accepted.after.clone()?).keys();
    let lost = |key: &String| !now.contains(key) && !versions::is_second(&accepted.file, key);
    Topic::parse(accepted.before.clone()?).keys().into_iter().find(lost)
}

/// Why a run that did not finish changed nothing.
fn unfinished(ended: &RunEnd) -> Error {
    let why = match ended {
        RunEnd::Failed(error) => error.to_string(),
        RunEnd::Cancelled => return Error::Refused(STOPPED.to_owned()),
        other => format!("it did not come to an end ({})", other.as_str()),
    };
    Error::Refused(format!("the dream failed, nothing was changed: {why}"))
}
