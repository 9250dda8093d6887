//! What came of learning from a turn, as data and as the one line a person reads (X8).

use std::fmt::Write as _;

use serde::Serialize;

use crate::engine::fork::ForkReport;
use crate::engine::inbox::waits;
use crate::engine::proposal::FileEffect;

/// What came of it.
#[derive(Debug, Serialize)]
pub struct Learned {
    /// Why nothing was looked at (X4).
    pub skipped: Option<&'static str>,
    /// How the run went; `None` when it was skipped.
    pub run: Option<ForkReport>,
    /// Proposals that wait for a yes (`review`), by their names.
    pub waiting: Vec<String>,
    /// Why the model gave no answer, in words.
    pub error: Option<String>,
}

impl Learned {
    pub(super) fn skipped(reason: &'static str) -> Learned {
        Learned { skipped: Some(reason), run: None, waiting: Vec::new(), error: None }
    }

    /// Nothing came of it.
    pub fn failed(error: impl Into<String>) -> Learned {
        Learned { skipped: None, run: None, waiting: Vec::new(), error: Some(error.into()) }
    }

    /// Whether the messages are dealt with, so that the cursor may advance (X4, X5).
    pub fn is_done(&self) -> bool {
        self.skipped.is_some() || self.run.as_ref().is_some_and(|run| self.error.is_none() && is_whole(run.ended))
    }

    /// The topic files that changed, with what happened to each.
    pub fn files(&self) -> &[(String, FileEffect)] {
        self.run.as_ref().map_or(&[], |run| &run.landed.files)
    }

    /// One line that names the files and (X8), or says what waits for a yes.
    pub fn line(&self) -> Option<String> {
        let mut line = String::new();
        for (effect, verb) in
            [(FileEffect::Created, "saved"), (FileEffect::Updated, "updated"), (FileEffect::Removed, "forgot")]
        {
            let names: Vec<&str> =
                self.files().iter().filter(|(_, done)| *done == effect).map(|(file, _)| file.as_str()).collect();
            if !names.is_empty() {
                let comma = if line.is_empty() { "" } else { "; " };
                // Writing into a String does not fail.
                let _ = write!(line, "{comma}{verb} {}", names.join(", "));
            }
        }
        match (&*line, waits(self.waiting.len())) {
            ("", waits) => waits,
            _ => Some(line),
        }
    }
}

/// Whether a run that ended so has seen everything it was to see.
fn is_whole(ended: &str) -> bool {
    matches!(ended, "done" | "turns" | "tokens" | "length")
}
