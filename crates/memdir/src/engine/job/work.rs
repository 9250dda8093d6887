//! The worker: one transcript after another, until none waits.
//!
//! Enters: the queue. Leaves: what was learned, transcript by transcript; a transcript that fails is tried again later and then named in
//! `status`. Never runs beside another worker.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::lease::Lease;
use super::queue::{Queue, QueuedTranscript};
use crate::engine::{Announcement, EngineChoice, Error, Extracted, Jobs, Memory, TranscriptRun, TranscriptSource};
use memdir_core::limits;
use memdir_hosts::transcript::written;

/// What a worker did.
#[derive(Debug, Default, Serialize)]
pub struct WorkReport {
    /// Somebody else was at it already.
    pub busy: bool,
    /// What came of each transcript.
    pub runs: Vec<TranscriptRun>,
    /// How many runs failed.
    pub failed: usize,
}

impl Jobs<'_> {
    /// Learns from every transcript that waits. One worker at a time; whoever comes second leaves.
    ///
    /// A host may say that a turn has ended before it has written it down: each transcript is given up to
    /// `patience` to appear and to stay unchanged for a moment.
    pub fn work(&self, engine: &mut EngineChoice<'_>, patience: Duration) -> Result<WorkReport, Error> {
        let mut worked = WorkReport::default();
        if !self.memory.extract_gate().run {
            return Ok(worked);
        }
        let dir = self.memory.extract_dir()?;
        let queue = Queue::open(&dir)?;
        let deadline = Instant::now() + Duration::from_secs(limits::WORKER_SECONDS);
        loop {
            let Some(mut lease) = Lease::take(&dir)? else {
                worked.busy = worked.runs.is_empty() && worked.failed == 0;
                return Ok(worked);
            };
            self.memory.recover_agent_runs()?;
            self.memory.drain(&queue, &mut lease, engine, deadline, patience, &mut worked)?;
            drop(lease);
            // Whoever put something there while we were about to leave found us still here, and left.
            if Instant::now() >= deadline || self.memory.next(&queue)?.is_none() {
                return Ok(worked);
            }
        }
    }
}

impl Memory {
    fn drain(
        &self,
        queue: &Queue,
        lease: &mut Lease,
        engine: &mut EngineChoice<'_>,
        deadline: Instant,
        patience: Duration,
        worked: &mut WorkReport,
    ) -> Result<(), Error> {
        while Instant::now() < deadline && lease.beat()? {
            let Some(request) = self.next(queue)? else { return Ok(()) };
            settle(&request.transcript, patience);
            let mut lost = false;
            let source = TranscriptSource { path: &request.transcript, host: request.host(), since: None };
            let run = self.learn().extract_transcript(&source, engine, &mut |_| {
                lost = !lease.beat().unwrap_or(false);
                if lost || Instant::now() >= deadline { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            match run {
                // Cut short: it stays in the queue and goes on from its cursor.
                Ok(run) if lost || Instant::now() >= deadline => worked.runs.push(run),
                Ok(run) => {
                    queue.done(&request)?;
                    self.announce(announcements(&run.extracted))?;
                    worked.runs.push(run);
                }
                Err(error) => {
                    worked.failed += 1;
                    queue.failed(&request, &error.to_string())?;
                }
            }
        }
        Ok(())
    }

    /// The next transcript that is due.
    fn next(&self, queue: &Queue) -> Result<Option<QueuedTranscript>, Error> {
        let waiting = queue.all()?.into_iter().filter(|request| !request.given_up());
        Ok(waiting.into_iter().find(|request| !self.is_throttled(request) || self.is_urgent(request)))
    }

    /// An explicit "remember" or "forget" does not wait for more turns.
    fn is_urgent(&self, request: &QueuedTranscript) -> bool {
        self.asks_of_memory(&request.transcript, request.host()).unwrap_or(false)
    }
}

/// What the user should hear of what was learned (X8).
fn announcements(learned: &Extracted) -> impl Iterator<Item = Announcement> {
    let change = learned.saved.iter().rev().find_map(|saved| saved.change.as_deref());
    let saved = learned.line().filter(|_| !learned.saved.is_empty());
    let saved = saved.map(|line| Announcement::changed(line, change));
    saved.into_iter().chain(Announcement::waiting(learned.waiting.len()))
}

/// Waits until a transcript is there and has not grown for a moment, or patience ends.
fn settle(path: &Path, patience: Duration) {
    /// How long a host may pause between two lines of one turn.
    const QUIET: Duration = Duration::from_millis(500);
    let end = Instant::now() + patience;
    let mut seen = written(path);
    while Instant::now() < end {
        std::thread::sleep(QUIET.min(patience));
        let now = written(path);
        if now.is_some() && now == seen {
            return;
        }
        seen = now;
    }
}
