//! A model's selection that arrives too late for its prompt (R9, R10).
//!
//! Enters: at a prompt, the question; later, from a process of its own, what a model chose. Leaves: beside the
//! next tool of the same turn, once, those of the chosen memories that the session has not seen. A hook neither
//! asks nor waits: it notes the question, and looks whether an answer is there. The next prompt, the end of
//! the turn and compaction drop both, so an answer never lands beside another question.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Ask, Budget, Error, Memory, Recall, RecallRequest, Recalled, Selected};
use memdir_core::limits::{INLINE_BYTES, RECALL_FILES, SESSION_BYTES};
use memdir_core::settings::Selector;
use memdir_guard::secrets;
use memdir_store::fs::{self, Durability};

/// A question that waits for an answer.
#[derive(Serialize, Deserialize)]
struct WaitingQuestion {
    query: String,
    /// How many memories the prompt got at once; both together are no more than one prompt may get.
    #[serde(default)]
    shown: usize,
}

/// What a model chose for it.
#[derive(Serialize, Deserialize)]
struct LateChoice {
    query: String,
    paths: Vec<String>,
}

impl Recall<'_> {
    /// Asks the model and keeps what it chose for the next tool, unless the question is gone by then. Returns
    /// how many memories wait.
    pub fn choose_late(&self, session: &str, ask: Ask, patience: Duration) -> Result<usize, Error> {
        let Some(asked) = self.memory.asked(session) else { return Ok(0) };
        let seen = self.memory.seen(session)?.seen;
        let shown: Vec<String> = seen.files.into_iter().chain(seen.read).collect();
        let answer = self.for_prompt(RecallRequest {
            query: &asked.query,
            recent_tools: &seen.tools,
            surfaced: &shown,
            session: None,
            room: INLINE_BYTES,
            model: Some((ask, patience)),
            model_only: true,
            earlier: None,
        })?;
        if answer.selected.is_empty() {
            return Ok(0);
        }
        let _held = self.memory.seen(session)?;
        if self.memory.asked(session).is_none_or(|now| now.query != asked.query) {
            return Ok(0);
        }
        let paths: Vec<String> = answer.selected.into_iter().map(|one| one.path).collect();
        let count = paths.len();
        let chosen = LateChoice { query: asked.query, paths };
        fs::replace(
            &self.memory.chosen_file(session),
            &serde_json::to_vec(&chosen).unwrap_or_default(),
            Durability::Cache,
        )?;
        Ok(count)
    }
}

impl Memory {
    /// Notes a question for a model, which a process of its own should ask; `false`: no model has a say, it
    /// is being asked already, or the prompt got as many memories as it may.
    pub(in crate::engine) fn ask_late(&self, session: &str, query: &str, shown: usize) -> Result<bool, Error> {
        if !self.model_has_a_say() || self.no_recall(query, 0).is_some() || shown >= RECALL_FILES {
            return Ok(false);
        }
        let held = self.seen(session)?;
        if held.seen.bytes >= SESSION_BYTES || self.asked(session).is_some_and(|asked| asked.query == query) {
            return Ok(false);
        }
        // A secret is neither kept nor sent.
        if !secrets::scan(query).is_empty() {
            return Ok(false);
        }
        fs::remove(&self.chosen_file(session))?;
        let asked = WaitingQuestion { query: query.to_owned(), shown };
        fs::replace(&self.asked_file(session), &serde_json::to_vec(&asked).unwrap_or_default(), Durability::Cache)?;
        Ok(true)
    }

    fn model_has_a_say(&self) -> bool {
        let wanted = match self.settings.recall_selector {
            Selector::Local => false,
            Selector::Auto => self.models().is_quick(),
            Selector::Model => true,
        };
        wanted && self.models().status().reason == "ready"
    }

    /// What was chosen since, if anything was; it is gone afterwards.
    pub(in crate::engine) fn recall_late(&self, session: &str, room: usize) -> Result<Option<Recalled>, Error> {
        let file = self.chosen_file(session);
        if !file.exists() {
            return Ok(None);
        }
        let mut seen = self.seen(session)?;
        let Ok(chosen) = serde_json::from_slice::<LateChoice>(&fs::read_beside(&file)?) else { return Ok(None) };
        let asked = self.asked(session);
        self.drop_question(session)?;
        let Some(asked) = asked.filter(|asked| asked.query == chosen.query) else { return Ok(None) };
        let mut answer = Recalled {
            selected: Vec::new(),
            skipped: Vec::new(),
            reminder: String::new(),
            bytes: 0,
            budget: Budget { used: seen.seen.bytes, limit: SESSION_BYTES },
            reason: None,
            selector: "model",
            behind: false,
            partial: false,
        };
        let fresh = chosen.paths.into_iter().filter(|path| !seen.seen.knows(path));
        answer
            .selected
            .extend(fresh.filter_map(|path| self.chosen_memory(path)).take(RECALL_FILES.saturating_sub(asked.shown)));
        self.surface(room.min(SESSION_BYTES.saturating_sub(answer.budget.used)), &mut answer)?;
        if answer.selected.is_empty() {
            return Ok(None);
        }
        self.keep_seen(&mut seen, &mut answer)?;
        Ok(Some(answer))
    }

    /// Drops the question of a session and its answer: the turn is over.
    pub(in crate::engine) fn drop_late(&self, session: &str) -> Result<(), Error> {
        if !self.asked_file(session).exists() {
            return Ok(());
        }
        let _held = self.seen(session)?;
        self.drop_question(session)
    }

    fn drop_question(&self, session: &str) -> Result<(), Error> {
        fs::remove(&self.asked_file(session))?;
        Ok(fs::remove(&self.chosen_file(session))?)
    }

    /// A memory by its path; `None` when it is gone by now.
    fn chosen_memory(&self, path: String) -> Option<Selected> {
        let memory_ref = self.files().find(&path).ok()?;
        let (header, written) = memory_ref.head()?;
        Some(Selected {
            file: memory_ref.file.to_string(),
            scope: memory_ref.scope,
            kind: None,
            title: header.name.unwrap_or_default(),
            description: String::new(),
            age_days: self.files().age(&written),
            score: 1.0,
            why: "chosen by the model".into(),
            learned: 0.0,
            grounds: "chosen by the model".into(),
            from: None,
            evidence: Vec::new(),
            written,
            passage: 0,
            path,
        })
    }

    fn asked(&self, session: &str) -> Option<WaitingQuestion> {
        serde_json::from_slice(&fs::read_beside(&self.asked_file(session)).ok()?).ok()
    }

    fn asked_file(&self, session: &str) -> PathBuf {
        self.session_dir(session).join("asked.json")
    }

    fn chosen_file(&self, session: &str) -> PathBuf {
        self.session_dir(session).join("chosen.json")
    }
}
