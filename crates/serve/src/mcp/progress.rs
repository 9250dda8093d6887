//! How far long work is, told to the host that asked for it (`notifications/progress`).
//!
//! Enters: steps from the thread that works. Leaves: notifications with a growing number, only where the
//! request brought a token for them. A request that the host takes back cancels the work.

use memdir::model::Cancel;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The host's side of a piece of work.
pub(super) struct Progress {
    pub(super) cancel: Cancel,
    token: Option<ProgressToken>,
    call: RequestContext<RoleServer>,
    steps: UnboundedReceiver<String>,
}

/// The work's side.
pub(super) struct ProgressSender(UnboundedSender<String>);

impl ProgressSender {
    /// A step was made.
    pub(super) fn tell(&self, phase: &str, text: &str) {
        // Who does not listen misses it.
        let _ = self.0.send(format!("{phase}: {text}"));
    }
}

impl Progress {
    pub(super) fn of(call: &RequestContext<RoleServer>) -> (Progress, ProgressSender) {
        let (send, steps) = unbounded_channel();
        let progress =
            Progress { cancel: Cancel::default(), token: call.meta.get_progress_token(), call: call.clone(), steps };
        (progress, ProgressSender(send))
    }

    /// Waits for the work and tells meanwhile; every step is told before the answer.
    pub(super) async fn beside<T>(mut self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        let mut told = 0.0;
        let mut done = None;
        loop {
            tokio::select! {
                biased;
                step = self.steps.recv() => match (step, done.take()) {
                    (Some(step), finished) => {
                        done = finished;
                        told += 1.0;
                        self.notify(told, step).await;
                    }
                    // The work's side is dropped with its last step.
                    (None, Some(finished)) => return finished,
                    (None, None) => return work.await,
                },
                finished = &mut work, if done.is_none() => done = Some(finished),
                () = self.call.ct.cancelled(), if !self.cancel.is_cancelled() => self.cancel.cancel(),
            }
        }
    }

    async fn notify(&self, number: f64, message: String) {
        let Some(token) = &self.token else { return };
        let mut step = ProgressNotificationParam::new(token.clone(), number);
        step.message = Some(message);
        // A host that has gone does not want it.
        let _ = self.call.peer.notify_progress(step).await;
    }
}
