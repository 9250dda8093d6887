//! How long a call still has, and how often it may be tried again.
//!
//! Every wait of a driver goes through a [`Deadline`], so that a call ends when its time is up or when
//! somebody cancels it, whatever it is doing. [`persist`] is the one loop that asks again: after a
//! busy server as often as [`MODEL_ATTEMPTS`], honouring its `retry-after`; after a connection that
//! failed once more; never after words have been handed on, since they cannot be taken back.

use std::time::{Duration, Instant};

use super::{CallLimits, Cancel, ModelError};
use memdir_core::limits::{MODEL_ATTEMPTS, MODEL_BACKOFF_MS, MODEL_TICK_MS};

/// The time and the cancel switch of one call.
#[derive(Clone, Debug)]
pub(super) struct Deadline {
    driver: &'static str,
    end: Instant,
    timeout: Duration,
    cancel: Cancel,
}

impl Deadline {
    /// Starts now.
    pub(super) fn new(driver: &'static str, call: &CallLimits) -> Deadline {
        let end = Instant::now().checked_add(call.timeout).unwrap_or_else(|| Instant::now() + Duration::from_hours(24));
        Deadline { driver, end, timeout: call.timeout, cancel: call.cancel.clone() }
    }

    /// Which driver it is for.
    pub(super) fn driver(&self) -> &'static str {
        self.driver
    }

    /// An error when it is over.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        if self.cancel.is_cancelled() {
            Err(ModelError::Cancelled)
        } else if self.left().is_zero() {
            Err(self.timed_out())
        } else {
            Ok(())
        }
    }

    /// The error of a call whose time is up.
    pub(super) fn timed_out(&self) -> ModelError {
        ModelError::Timeout { driver: self.driver, seconds: self.timeout.as_secs_f64().ceil() as u64 }
    }

    /// What is left.
    pub(super) fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// The longest wait before looking again whether it is over.
    pub(super) fn tick(&self) -> Duration {
        Duration::from_millis(MODEL_TICK_MS).min(self.left())
    }

    /// Waits, unless it ends before.
    fn rest(&self, wait: Duration) -> Result<(), ModelError> {
        let until = Instant::now() + wait;
        loop {
            self.check()?;
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(self.tick()));
        }
    }
}

/// Why one attempt failed.
#[derive(Debug)]
pub(super) enum AttemptError {
    /// Asking again would change nothing.
    Final(ModelError),
    /// The server has no time now; perhaps it says when it has.
    Busy {
        /// Its status.
        status: u16,
        /// What it says.
        after: Option<Duration>,
    },
    /// The connection failed, or ended before the answer did.
    Broken(String),
}

impl From<ModelError> for AttemptError {
    fn from(error: ModelError) -> AttemptError {
        AttemptError::Final(error)
    }
}

/// Tries until it works or is not worth trying. An attempt says whether words were handed on.
pub(super) fn persist<T>(
    deadline: &Deadline,
    mut attempt: impl FnMut() -> (Result<T, AttemptError>, bool),
) -> Result<T, ModelError> {
    let driver = deadline.driver();
    let mut broken_before = false;
    for attempts in 1.. {
        deadline.check()?;
        let (result, spoken) = attempt();
        match result {
            Ok(value) => return Ok(value),
            Err(AttemptError::Final(error)) => return Err(error),
            Err(AttemptError::Busy { status, after }) => {
                let wait = after.unwrap_or_else(|| backoff(attempts));
                if spoken || attempts >= MODEL_ATTEMPTS || wait >= deadline.left() {
                    return Err(ModelError::Busy { driver, status, attempts });
                }
                deadline.rest(wait)?;
            }
            Err(AttemptError::Broken(message)) => {
                deadline.check()?;
                let wait = backoff(1);
                if spoken || broken_before || attempts >= MODEL_ATTEMPTS || wait >= deadline.left() {
                    return Err(ModelError::Connection { driver, message });
                }
                broken_before = true;
                deadline.rest(wait)?;
            }
        }
    }
    Err(deadline.timed_out())
}

/// How long to wait before the next attempt when nobody says: twice as long each time.
fn backoff(attempts: u32) -> Duration {
    Duration::from_millis(MODEL_BACKOFF_MS << attempts.saturating_sub(1).min(6))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deadline(milliseconds: u64) -> (Deadline, Cancel) {
        let cancel = Cancel::default();
        let call = CallLimits { timeout: Duration::from_millis(milliseconds), cancel: cancel.clone() };
        (Deadline::new("test", &call), cancel)
    }

    fn tried(trouble: impl Fn() -> AttemptError, spoken: bool) -> (u32, ModelError) {
        let mut attempts = 0;
        let error = persist::<()>(&deadline(60_000).0, || {
            attempts += 1;
            (Err(trouble()), spoken)
        });
        (attempts, error.unwrap_err())
    }

    #[test]
    fn a_busy_server_is_asked_again_and_a_broken_connection_once() {
        let busy = || AttemptError::Busy { status: 429, after: Some(Duration::ZERO) };
        let (attempts, error) = tried(busy, false);
        assert_eq!(attempts, MODEL_ATTEMPTS);
        assert!(matches!(error, ModelError::Busy { status: 429, attempts: MODEL_ATTEMPTS, .. }), "{error}");
        let (attempts, error) = tried(|| AttemptError::Broken("gone".into()), false);
        assert_eq!(attempts, 2);
        assert!(matches!(error, ModelError::Connection { .. }), "{error}");
        assert_eq!(tried(|| AttemptError::Final(ModelError::Cancelled), false).0, 1);
    }

    #[test]
    fn nothing_is_repeated_after_words_were_handed_on() {
        assert_eq!(tried(|| AttemptError::Busy { status: 529, after: Some(Duration::ZERO) }, true).0, 1);
        assert_eq!(tried(|| AttemptError::Broken("cut".into()), true).0, 1);
    }

    #[test]
    fn a_wait_longer_than_the_call_is_not_begun() {
        let (attempts, error) =
            tried(|| AttemptError::Busy { status: 429, after: Some(Duration::from_hours(1)) }, false);
        assert_eq!(attempts, 1);
        assert!(matches!(error, ModelError::Busy { attempts: 1, .. }), "{error}");
    }

    #[test]
    fn cancelling_ends_a_wait() {
        let (deadline, cancel) = deadline(60_000);
        let stopped = persist::<()>(&deadline, || {
            cancel.cancel();
            (Err(AttemptError::Busy { status: 429, after: Some(Duration::from_secs(50)) }), false)
        });
        assert!(matches!(stopped, Err(ModelError::Cancelled)));
    }
}
