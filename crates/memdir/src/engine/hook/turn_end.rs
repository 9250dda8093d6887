//! The end of a turn: the transcript waits to be learned from.
//!
//! Enters: the call that says so. Leaves: an entry in the queue, and that a worker is needed. Never reads what was said: that takes
//! longer than a hook has (X1).

use std::path::Path;

use super::{HookOutcome, HookRun};
use crate::engine::{Error, TurnEnd};
use memdir_hosts::transcript::{self, kept_at};

impl HookRun<'_> {
    pub(super) fn turn_ended(&self) -> Result<HookOutcome, Error> {
        let host = self.profile.host;
        if let Some(session) = self.session() {
            self.memory.drop_late(session)?;
        }
        // A host that keeps its conversations in a database names the session and no file.
        let kept = || kept_at(&self.memory.around, host, self.session().unwrap_or_default());
        let Some(transcript) = self.call.transcript.clone().or_else(kept) else {
            return Ok(HookOutcome::nothing("this host does not say where it keeps the conversation"));
        };
        let unattended = self.is_unattended(&transcript);
        let gate =
            self.memory.jobs().enqueue(&TurnEnd { host, transcript: &transcript, sub_agent: false, unattended })?;
        let reason = if gate.run { "something may be learned from it, in the background" } else { &gate.reason };
        Ok(HookOutcome { work: gate.run, ..HookOutcome::nothing(reason) })
    }

    /// Whether no person is there: a job of a build server, or a host that says so itself.
    fn is_unattended(&self, transcript: &Path) -> bool {
        let Self { memory, profile, .. } = self;
        // Only then does it matter, and only then is it looked for.
        if memory.settings.extract_non_interactive {
            return false;
        }
        let says = |(name, start): (&str, &str)| memory.around.var(name).is_some_and(|value| value.starts_with(start));
        memory.around.switch("CI") == Some(true)
            || profile.unattended.is_some_and(says)
            || transcript::about(transcript, profile.host).is_ok_and(|about| about.unattended)
    }
}
