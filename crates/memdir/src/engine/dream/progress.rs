//! How far a dream is that runs in another process, and stopping it (D5).
//!
//! Enters: the steps of a run; a wish to stop. Leaves: a small file that says which phase it is in and which files it is about,
//! while it runs and not after; a run that finds the wish stops as at Ctrl-C: nothing is changed, and its lock is rolled back. A process
//! is never ended from outside: its number may belong to another by now.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::request::DreamProgress;
use super::{DreamPlan, Dreaming};
use crate::engine::Error;
use memdir_core::limits::DREAM_STOP_MS;
use memdir_model::Cancel;
use memdir_store::fs::{self, Durability};

/// A dream that is running.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RunningDream {
    /// Its process.
    pub pid: u32,
    /// When it began.
    pub since: Option<jiff::Timestamp>,
    /// The part it is at: `model`, or the word of a phase.
    pub phase: String,
    /// What happens there.
    pub text: String,
    /// The files it is about to change, or has changed.
    pub files: Vec<String>,
}

impl Dreaming<'_> {
    /// The dream that runs now; `None`: none does.
    pub fn running(&self) -> Option<RunningDream> {
        let running: RunningDream = serde_json::from_slice(&fs::read_beside(&self.progress_file()?).ok()?).ok()?;
        let now = self.memory.now.timestamp();
        let holds = |scope| self.store(scope).ok()??.dreaming(now, true);
        Self::SCOPES.into_iter().any(|scope| holds(scope) == Some(running.pid)).then_some(running)
    }

    /// Asks the running dream to stop; `false`: none runs.
    pub fn stop(&self) -> Result<bool, Error> {
        match (self.running(), self.progress_file()) {
            (Some(running), Some(file)) => {
                let wish = running.pid.to_string();
                fs::replace(&stop_file(&file), wish.as_bytes(), Durability::Cache)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn progress_file(&self) -> Option<PathBuf> {
        Some(self.memory.extract_dir().ok()?.join("dream.json"))
    }

    /// Writes down how far a run is, from here on until the answer is dropped.
    pub(super) fn shown(&self, cancel: &Cancel) -> Option<RunRecord> {
        let file = self.progress_file()?;
        fs::create_private_dir(file.parent()?).ok()?;
        let (running, since) = (std::process::id(), self.memory.now.timestamp());
        // A wish that nobody was there to hear is not for this run.
        fs::remove(&stop_file(&file)).ok()?;
        let dream = RunningDream { pid: running, since: Some(since), ..RunningDream::default() };
        Some(RunRecord { _watch: watch(stop_file(&file), cancel.clone()), file, dream })
    }
}

/// The record of a run while it lasts.
pub(super) struct RunRecord {
    file: PathBuf,
    dream: RunningDream,
    _watch: Sender<()>,
}

impl RunRecord {
    /// The run is at another step.
    pub(super) fn step(&mut self, step: &DreamProgress<'_>) {
        step.part().clone_into(&mut self.dream.phase);
        self.dream.text = step.to_string();
        if let DreamProgress::Touched(_, file) = step
            && !self.dream.files.iter().any(|known| known == file)
        {
            self.dream.files.push((*file).to_owned());
        }
        self.write();
    }

    /// The run knows what it wants to change.
    pub(super) fn planned(&mut self, plan: &DreamPlan) {
        let files = plan.changes.iter().chain(&plan.waiting).map(|change| change.file.clone());
        let new: Vec<String> = files.filter(|file| !self.dream.files.contains(file)).collect();
        self.dream.files.extend(new);
        self.write();
    }

    fn write(&self) {
        // Nobody is kept from dreaming because nobody can look on.
        let _ = fs::replace(&self.file, &serde_json::to_vec(&self.dream).unwrap_or_default(), Durability::Cache);
    }
}

impl Drop for RunRecord {
    fn drop(&mut self) {
        for file in [&self.file, &stop_file(&self.file)] {
            // What is left is not taken for a dream: its process holds no lock.
            let _ = fs::remove(file);
        }
    }
}

fn stop_file(progress: &Path) -> PathBuf {
    progress.with_extension("stop")
}

/// Cancels when the wish to stop appears; ends with what it returns.
fn watch(wish: PathBuf, cancel: Cancel) -> Sender<()> {
    let (end, ended) = mpsc::channel::<()>();
    std::thread::spawn(move || {
        while ended.recv_timeout(Duration::from_millis(DREAM_STOP_MS)) == Err(RecvTimeoutError::Timeout) {
            if wish.exists() {
                cancel.cancel();
                return;
            }
        }
    });
    end
}
