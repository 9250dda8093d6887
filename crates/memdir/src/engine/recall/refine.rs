//! Refines what recall has found with a model (R3, R4).
//!
//! Enters: a prompt, what the ranker chose, a way to ask. Leaves: the model's choice among what was offered, or the ranker's
//! where its answer does not count.

use std::time::Duration;

use super::select::{self, Ask, OfferedMemory};
use super::{Recalled, Selected};
use crate::engine::{Error, Listed, Memory};
use memdir_core::limits::MANIFEST_FILES;
use memdir_search::tools::Tools;

/// What a model is asked about.
pub(super) struct ModelQuestion<'r> {
    pub(super) query: &'r str,
    /// The tools in use, as the host names them.
    pub(super) recent: &'r [String],
    pub(super) tools: &'r Tools,
    /// Whether the session has seen a path already.
    pub(super) known: &'r dyn Fn(&str) -> bool,
}

impl Memory {
    /// Lets a model choose (R3): among the newest 200, or where there are more among the ranker's best. What the
    /// session knows already is not on offer (R4), nor how to use what is in use (R5).
    pub(super) fn refine(
        &self,
        asked: &ModelQuestion<'_>,
        ask: Ask,
        patience: Duration,
        model_only: bool,
        answer: &mut Recalled,
    ) -> Result<(), Error> {
        let listing = self.files().list()?;
        let is_usage = |one: &Listed<'_>| {
            let about = one.description.as_deref().unwrap_or_default();
            asked.tools.usage_of(&one.file, &one.title, about, one.kind).is_some()
        };
        let all: Vec<Listed<'_>> =
            listing.memories().filter(|one| !(asked.known)(&one.path()) && !is_usage(one)).collect();
        let close: Vec<&str> =
            answer.selected.iter().map(|one| &*one.file).chain(answer.skipped.iter().map(|one| &*one.file)).collect();
        let few = all.len() <= MANIFEST_FILES;
        let offered: Vec<&Listed<'_>> =
            all.iter().filter(|one| few || close.contains(&&*one.file)).take(MANIFEST_FILES).collect();
        let offers: Vec<OfferedMemory<'_>> = offered
            .iter()
            .map(|one| OfferedMemory {
                file: &one.file,
                kind: one.kind,
                written: one.written.time(self.now.timestamp()),
                description: one.description.as_deref().unwrap_or_default(),
            })
            .collect();
        if offers.is_empty() {
            return Ok(());
        }
        match select::choose(asked.query, &offers, asked.recent, ask, patience, &mut self.prompts()) {
            Some(files) => {
                answer.selector = "model";
                // Why nothing was found without it.
                answer.reason = None;
                let before = std::mem::take(&mut answer.selected);
                for file in files {
                    if let Some(one) = before.iter().find(|one| one.file == file) {
                        answer.selected.push(Selected {
                            why: "chosen by the model and the ranker".into(),
                            grounds: "chosen by the model and the ranker".into(),
                            ..one.clone()
                        });
                    } else if let Some(one) = offered.iter().find(|one| one.file == file) {
                        answer.selected.push(Selected {
                            file: one.file.to_string(),
                            path: one.path(),
                            scope: one.scope,
                            kind: one.kind,
                            description: one.description.as_deref().unwrap_or_default().to_owned(),
                            age_days: one.age_days,
                            score: 1.0,
                            why: "chosen by the model".into(),
                            learned: 0.0,
                            grounds: "chosen by the model".into(),
                            evidence: Vec::new(),
                            from: None,
                            title: one.title.to_string(),
                            written: one.written,
                            passage: 0,
                        });
                    }
                }
            }
            None => {
                answer.reason = Some("the model gave no answer that counts");
                if model_only {
                    answer.selected.clear();
                }
            }
        }
        Ok(())
    }
}
