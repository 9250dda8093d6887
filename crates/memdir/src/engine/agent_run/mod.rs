//! A fork's job, by whoever can do it: a model that is asked turn by turn (`fork`), or the user's own agent with its own tools.
//!
//! Enters: a job. Leaves: the same outcome either way. The user's agent works on the real directory, so that is watched: whatever it changed is
//! put back first, and what passes the check comes back as one change. A run that failed, was
//! stopped, ran out of time or was ended at its bound of turns or tokens changes nothing. It branches off a conversation of its own where
//! there is one, and then keeps that conversation's prefix; else it reads what was said as text.

use std::time::Instant;

use super::fork::{ForkJob, ForkOutcome};
use super::proposal::{LandedProposal, ProposalVerdict};
use super::{Error, Memory};
use memdir_core::kind::Scope;
use memdir_model::command::{AgentEvent, AgentOutput, AgentRequest, AgentRun, CodingAgent};
use memdir_model::fork::{ForkProgress, ForkRun, RunBudget, RunEnd};
use memdir_model::tools::{DeniedCall, Permissions, RefusedCall, Writes};
use memdir_model::{CallLimits, Cancel, ChatMessage, ContentBlock, ModelError, Request, StopReason, Usage};

impl Memory {
    /// Runs a forked agent on the project's memory, private and team. Both ways are here: a model is asked turn by
    /// turn and works on a copy; the user's own agent (`model.driver = command`) is sent to work on the directory
    /// itself, which is put back and checked. What comes out is the same.
    pub(crate) fn run_fork(
        &self,
        job: &ForkJob<'_>,
        progress: &mut dyn FnMut(ForkProgress<'_>),
    ) -> Result<ForkOutcome, Error> {
        if let Some(agent) = job.model.as_agent() {
            return self.run_agent(agent, job, progress);
        }
        self.run_fork_in(self.writable(Scope::Private)?, job, progress)
    }

    /// Runs a job with an agent that has its own tools.
    fn run_agent(
        &self,
        agent: &dyn CodingAgent,
        job: &ForkJob<'_>,
        progress: &mut dyn FnMut(ForkProgress<'_>),
    ) -> Result<ForkOutcome, Error> {
        let store = self.writable(Scope::Private)?;
        let guard = self.guard_agent()?;
        let agent_run = AgentRun {
            permissions: self.permissions(store, Writes::Memories)?,
            max_turns: job.budget.turns,
            max_tokens: job.budget.tokens,
            mark: Some(guard.mark().to_path_buf()),
        };
        let run = send(agent, &agent_run, &AgentTask::of(job), progress);
        if !run.ended.is_whole() {
            guard.put_all_back(&job.signature, job.reason)?;
            return Ok(ForkOutcome { run, verdict: ProposalVerdict::default(), landed: LandedProposal::default() });
        }
        let (verdict, _) = guard.take_back(&job.bounds, &job.signature, job.reason)?;
        for accepted in &verdict.accepted {
            progress(ForkProgress::Touched(&accepted.file));
        }
        let landed = if job.land && !verdict.accepted.is_empty() {
            self.land_proposal(store, &verdict, &job.signature, job.reason, job.group.clone())?
        } else {
            LandedProposal::default()
        };
        Ok(ForkOutcome { run, verdict, landed })
    }
}

/// What an agent is sent with.
pub(in crate::engine) struct AgentTask<'s> {
    pub(in crate::engine) parent: &'s Request,
    pub(in crate::engine) prompt: &'s str,
    pub(in crate::engine) budget: RunBudget,
    pub(in crate::engine) cancel: &'s Cancel,
}

impl<'s> AgentTask<'s> {
    fn of(job: &'s ForkJob<'_>) -> AgentTask<'s> {
        AgentTask { parent: job.parent, prompt: job.prompt, budget: job.budget, cancel: &job.cancel }
    }

    /// The conversation, or only what comes after it where the agent knows it.
    fn request(&self, is_branch: bool) -> Request {
        let mut request = self.parent.clone();
        if is_branch {
            request.messages.clear();
        }
        request.messages.push(ChatMessage::user(self.prompt));
        request
    }
}

/// Sends an agent and says how it went, in the words of a run. Checks nothing and puts nothing back.
pub(in crate::engine) fn send(
    agent: &dyn CodingAgent,
    agent_run: &AgentRun,
    sent: &AgentTask<'_>,
    progress: &mut dyn FnMut(ForkProgress<'_>),
) -> ForkRun {
    let call = CallLimits { timeout: sent.budget.time, cancel: sent.cancel.clone() };
    let until = Instant::now() + sent.budget.time;
    progress(ForkProgress::Turn(1));
    let request = sent.request(agent.is_branch());
    let output = agent.send(&AgentRequest { agent_run, request: &request, call: &call }, &mut |heard| match heard {
        AgentEvent::Text(text) => progress(ForkProgress::Text(text)),
        AgentEvent::Tool(tool) => progress(ForkProgress::Tool(tool)),
    });
    match output {
        Ok(output) => ForkRun {
            usage: output.reply.usage,
            turns: output.turns.unwrap_or(1),
            denied: denied(&output, &agent_run.permissions),
            said: said(&output),
            ended: match (output.cut, output.reply.stop) {
                (Some(bound), _) => RunEnd::Cut(bound),
                (None, StopReason::Done | StopReason::Tools) => RunEnd::Done,
                (None, StopReason::Length) => RunEnd::Turns,
                (None, StopReason::Refusal) => RunEnd::Refused,
            },
        },
        Err(error) => ForkRun {
            usage: Usage::default(),
            turns: 0,
            denied: Vec::new(),
            said: String::new(),
            ended: match error {
                ModelError::Cancelled => RunEnd::Cancelled,
                ModelError::Timeout { .. } if Instant::now() >= until => RunEnd::Time,
                other => RunEnd::Failed(other),
            },
        },
    }
}

fn said(output: &AgentOutput) -> String {
    let texts = output.reply.content.iter().filter_map(|block| match block {
        ContentBlock::Text { text } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// What was denied, with our reason where it was ours.
fn denied(output: &AgentOutput, permissions: &Permissions) -> Vec<DeniedCall> {
    let reasons = output.denied.iter().map(|(tool, input)| match permissions.judge(tool, input) {
        Err(RefusedCall::Denied(denied)) => denied,
        _ => DeniedCall {
            tool: tool.clone(),
            what: String::new(),
            reason: "the agent itself did not allow it".to_owned(),
        },
    });
    reasons.collect()
}

#[cfg(test)]
mod tests;
