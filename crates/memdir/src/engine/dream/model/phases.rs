//! What a model does, told as the phases of a dream (D5).

use crate::engine::dream::{DreamProgress, Phase};
use memdir_model::fork::ForkProgress;

/// Tells what a model does as the phases of a dream: it looks, it searches, it writes, it removes.
pub(super) struct PhaseReporter<'t> {
    phase: Phase,
    text: String,
    progress: &'t mut dyn FnMut(DreamProgress<'_>),
}

impl<'t> PhaseReporter<'t> {
    pub(super) fn new(progress: &'t mut dyn FnMut(DreamProgress<'_>)) -> PhaseReporter<'t> {
        PhaseReporter { phase: Phase::Orient, text: String::new(), progress }
    }

    pub(super) fn hear(&mut self, event: ForkProgress<'_>) {
        match event {
            ForkProgress::Turn(_) => self.flush(),
            ForkProgress::Text(text) => self.text.push_str(text),
            ForkProgress::Tool(tool) => {
                self.flush();
                if matches!(tool, "Grep" | "Glob" | "Bash") {
                    self.reach(Phase::Gather);
                }
            }
            ForkProgress::Touched(file) => {
                self.reach(Phase::Consolidate);
                (self.progress)(DreamProgress::Touched(self.phase, file.as_str()));
            }
        }
    }

    /// A dream does not go back to an earlier phase.
    fn reach(&mut self, phase: Phase) {
        if self.phase.number() < phase.number() {
            self.phase = phase;
        }
    }

    /// The first line of what was said since.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if let Some(line) = text.lines().map(str::trim).find(|line| !line.is_empty()) {
            (self.progress)(DreamProgress::Phase(self.phase, line));
        }
    }
}
