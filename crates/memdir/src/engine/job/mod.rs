//! Jobs: what a turn leaves to be done, and the worker that does it (X1, X5).
//!
//! Enters: the end of a turn, told by a hook. Leaves, milliseconds later: a small file that says which
//! transcript waits. A worker of its own takes the lease, learns from one transcript after another and
//! ends when none waits. A turn that ends while its transcript is being learned from is noted (the latest
//! wins) and one trailing run follows; a run that fails leaves the cursor where it was and is tried again a few
//! times. Every reason not to run has a name that `status` prints. Never holds a hook up.

mod lease;
mod queue;
mod work;

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::transcripts::utf8;
use super::{Error, JobGate, Jobs, Memory};
use memdir_hosts::Host;
use memdir_hosts::transcript::real;
use memdir_model::ChoiceReason;
use queue::{Queue, QueuedTranscript};

pub use work::WorkReport;

/// The end of a turn of the main agent.
#[derive(Clone, Copy, Debug)]
pub struct TurnEnd<'t> {
    /// Who says so.
    pub host: Host,
    /// Where the conversation is kept.
    pub transcript: &'t Path,
    /// It was a sub-agent's turn (X1).
    pub sub_agent: bool,
    /// No person was there.
    pub unattended: bool,
}

/// What waits, what runs and what went wrong.
#[derive(Clone, Debug, Default, Serialize)]
pub struct JobState {
    /// Transcripts that wait to be learned from.
    pub pending: usize,
    /// Those of them that wait for more turns.
    pub throttled: usize,
    /// Whether a worker is at it.
    pub running: bool,
    /// What was given up, and why.
    pub failed: Vec<Failed>,
}

/// A transcript that could not be learned from.
#[derive(Clone, Debug, Serialize)]
pub struct Failed {
    /// Which.
    pub transcript: PathBuf,
    /// Why, the last time.
    pub error: String,
}

impl Jobs<'_> {
    /// Notes that a transcript waits. The caller then starts a worker ([`Jobs::work`]) and does not wait for it.
    pub fn enqueue(&self, turn: &TurnEnd<'_>) -> Result<JobGate, Error> {
        let gate = self.memory.turn_gate(turn);
        if gate.run {
            let queue = Queue::open(&self.memory.extract_dir()?)?;
            let transcript = real(turn.transcript).unwrap_or_else(|_| turn.transcript.to_path_buf());
            utf8(&transcript)?;
            queue.put(&QueuedTranscript::new(turn.host, &transcript))?;
        }
        Ok(gate)
    }

    /// What waits, what runs and what went wrong.
    pub fn state(&self) -> Result<JobState, Error> {
        if self.memory.place.memory_dir.is_err() {
            return Ok(JobState::default());
        }
        let dir = self.memory.extract_dir()?;
        let waiting = Queue::at(&dir).all()?;
        let failed = |request: &&QueuedTranscript| request.given_up();
        Ok(JobState {
            pending: waiting.iter().filter(|request| !request.given_up()).count(),
            throttled: waiting
                .iter()
                .filter(|request| !request.given_up() && self.memory.is_throttled(request))
                .count(),
            running: lease::is_held(&dir),
            failed: waiting
                .iter()
                .filter(failed)
                .map(|request| Failed {
                    transcript: request.transcript.clone(),
                    error: request.error.clone().unwrap_or_default(),
                })
                .collect(),
        })
    }
}

impl Memory {
    /// Whether extraction runs at all, with the name of the reason (X1); where it does, who learns: `model` or `offline`.
    pub(crate) fn extract_gate(&self) -> JobGate {
        let closed = |reason: String| JobGate { run: false, reason };
        if !self.place.enabled {
            return closed(format!("off:{}", self.place.enabled_rule.id()));
        }
        if let Err(error) = &self.place.memory_dir {
            return closed(format!("no-directory:{}", error.id()));
        }
        if !self.settings.extract_enabled {
            return closed("setting:extract.enabled".to_owned());
        }
        if self.around.switch("CLAUDE_CODE_REMOTE") == Some(true) {
            return closed("remote".to_owned());
        }
        let thinks = self.models().status().reason == ChoiceReason::Ready.id();
        JobGate { run: true, reason: if thinks { "model" } else { "offline" }.to_owned() }
    }

    /// The same for one turn.
    pub(crate) fn turn_gate(&self, turn: &TurnEnd<'_>) -> JobGate {
        let gate = self.extract_gate();
        if gate.run && turn.sub_agent {
            return JobGate { run: false, reason: "sub-agent".to_owned() };
        }
        if gate.run && turn.unattended && !self.settings.extract_non_interactive {
            return JobGate { run: false, reason: "setting:extract.non_interactive".to_owned() };
        }
        gate
    }

    fn is_throttled(&self, request: &QueuedTranscript) -> bool {
        request.turns < self.settings.extract_every_turns
    }
}
