//! Whether a job would run now.
//!
//! Enters and leaves: nothing; the word that dreaming, learning, sync and `status` share.

use serde::Serialize;

/// Whether a job would run now, and why or why not.
#[derive(Clone, Debug, Serialize)]
pub struct Gate {
    /// Whether it would.
    pub run: bool,
    /// The name of the reason.
    pub reason: String,
}
