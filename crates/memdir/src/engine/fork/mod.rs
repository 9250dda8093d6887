//! The forked agent: a model works on a copy, and what comes of it is checked and landed.
//!
//! Enters: a model, the conversation it goes on from, what to do and what that may cost. Leaves:
//! how the run went, what landed and what did not, with reasons. All of it lands as one change or
//! nothing does: a run that was cut off changes nothing, and its copy goes with it, whether it
//! ended, failed, panicked or was killed.

use serde::Serialize;

use super::proposal::{Bounds, LandedProposal, ProposalVerdict};
use super::{Error, Memory, Signature};
use memdir_model::fork::{Fork, ForkProgress, ForkRun, RunBudget};
use memdir_model::tools::{Permissions, Shell, Toolbox, Writes};
use memdir_model::{Cancel, Model, Request};
use memdir_store::Store;
use memdir_store::history::ChangeId;
use memdir_store::staging::Staging;

/// What a forked agent should do.
pub(crate) struct ForkJob<'j> {
    /// The model.
    pub model: &'j dyn Model,
    /// The conversation it goes on from: system prompt, tools and messages, which stay as they are.
    pub parent: &'j Request,
    /// What it is asked to do.
    pub prompt: &'j str,
    /// What that may cost.
    pub budget: RunBudget,
    /// How much may change.
    pub bounds: Bounds,
    /// Runs its read-only commands.
    pub shell: &'j dyn Shell,
    /// Stops it from outside.
    pub cancel: Cancel,
    /// Who signs, and why, for the history.
    pub signature: Signature,
    /// Why, in words.
    pub reason: &'j str,
    /// The group it belongs to, if there is more to it.
    pub group: Option<ChangeId>,
    /// Whether what is accepted lands at once; else it waits in the verdict.
    pub land: bool,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct ForkOutcome {
    /// How the run went.
    pub run: ForkRun,
    /// What was proposed, judged; empty when the run was cut off.
    pub verdict: ProposalVerdict,
    /// What landed.
    pub landed: LandedProposal,
}

/// What landed and what did not, for people: the part of an outcome that is printed.
#[derive(Debug, Serialize)]
pub struct ForkReport {
    /// Why it ended.
    pub ended: &'static str,
    /// How often the model was asked.
    pub turns: u32,
    /// What it cost.
    pub usage: memdir_model::Usage,
    /// Which part of what was read came from the provider's cache.
    pub hit_percent: Option<f64>,
    /// What was not allowed.
    pub denied: Vec<memdir_model::tools::DeniedCall>,
    /// What landed.
    pub landed: LandedProposal,
    /// What was turned down.
    pub rejected: Vec<super::proposal::Rejection>,
}

impl ForkOutcome {
    /// The same in numbers and words.
    pub(crate) fn report(&self) -> ForkReport {
        let mut rejected = self.verdict.rejected.clone();
        rejected.extend(self.landed.rejected.iter().cloned());
        ForkReport {
            ended: self.run.ended.as_str(),
            turns: self.run.turns,
            usage: self.run.usage,
            hit_percent: self.run.usage.hit_percent(),
            denied: self.run.denied.clone(),
            landed: self.landed.clone(),
            rejected,
        }
    }
}

impl Memory {
    /// Runs a forked agent on a copy of a store, with a model that is asked turn by turn.
    pub(crate) fn run_fork_in(
        &self,
        store: &Store,
        job: &ForkJob<'_>,
        progress: &mut dyn FnMut(ForkProgress<'_>),
    ) -> Result<ForkOutcome, Error> {
        self.recover_agent_runs()?;
        store.notice(self.now.timestamp())?;
        let staging = Staging::of(store.root(), store.state_dir())?;
        let mut tools = Toolbox::new(self.permissions(store, Writes::Memories)?, &staging, job.shell);
        let fork = Fork {
            model: job.model,
            parent: job.parent,
            prompt: job.prompt,
            budget: job.budget,
            cancel: job.cancel.clone(),
        };
        let run = fork.run(&mut tools, progress);
        if !run.ended.is_whole() {
            return Ok(ForkOutcome { run, verdict: ProposalVerdict::default(), landed: LandedProposal::default() });
        }
        let changes = staging.changes(store.root())?;
        let verdict = self.check_proposal(store, &changes, &job.bounds)?;
        let landed = if job.land && !verdict.accepted.is_empty() {
            self.land_proposal(store, &verdict, &job.signature, job.reason, job.group.clone())?
        } else {
            LandedProposal::default()
        };
        Ok(ForkOutcome { run, verdict, landed })
    }

    /// What a forked agent may do in a store; a host's own hook asks the same.
    pub(crate) fn permissions(&self, store: &Store, writes: Writes) -> Result<Permissions, Error> {
        let is_users = self.user_store().ok().flatten().is_some_and(|users| std::ptr::eq(users, store));
        let mut roots = vec![if is_users { self.place.user_dir()? } else { self.private_dir()? }];
        let real = store.root().path().to_path_buf();
        if !roots.contains(&real) {
            roots.push(real);
        }
        Ok(Permissions { writes, roots, cwd: self.around.directory(), home: self.around.home.clone() })
    }
}

#[cfg(test)]
mod tests;
