//! The result of a project's last extraction, for `status`: kept as one small file in the state directory.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Learned;
use crate::engine::proposal::Rejection;
use crate::engine::{Error, Memory};
use memdir_core::limits;
use memdir_model::Usage;
use memdir_store::fs::{self, Durability};

/// The last extraction of a project, for `status`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LastExtraction {
    /// When.
    pub time: Timestamp,
    /// Of which session.
    pub session: Option<String>,
    /// Why it ended: `done`, `turns`, `failed` …, `offline` for the built-in engine, or the reason why it was skipped.
    pub ended: String,
    /// Why the built-in engine learned and no model: the name of the reason.
    #[serde(default)]
    pub reason: Option<String>,
    /// What it changed.
    pub files: Vec<String>,
    /// The last change, for `undo`.
    #[serde(default)]
    pub change: Option<String>,
    /// How many changes wait for a yes.
    #[serde(default)]
    pub waiting: usize,
    /// How many changes were turned down.
    pub rejected: usize,
    /// The first of them, each with its rule.
    #[serde(default)]
    pub turned_down: Vec<TurnedDown>,
    /// What it cost.
    pub usage: Usage,
    /// Which part of what was read came from the provider's cache; `None` without a parent (X2).
    pub hit_percent: Option<f64>,
}

/// Something that was proposed or asked for, and not saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnedDown {
    /// The file it was to be in; empty where there was none yet.
    pub file: String,
    /// The name of the rule or reason.
    pub rule: String,
    /// Why, in words.
    pub reason: String,
}

impl From<&Rejection> for TurnedDown {
    fn from(rejection: &Rejection) -> TurnedDown {
        let Rejection { file, rule, reason } = rejection;
        TurnedDown { file: file.clone(), rule: rule.as_str().to_owned(), reason: reason.clone() }
    }
}

impl LastExtraction {
    /// One by the built-in engine, which costs nothing.
    pub(in crate::engine) fn offline(time: Timestamp) -> LastExtraction {
        LastExtraction {
            time,
            session: None,
            ended: "offline".to_owned(),
            reason: None,
            files: Vec::new(),
            change: None,
            waiting: 0,
            rejected: 0,
            turned_down: Vec::new(),
            usage: Usage::default(),
            hit_percent: None,
        }
    }
}

impl Memory {
    /// The last extraction, if there was one.
    pub(crate) fn last_extraction(&self) -> Option<LastExtraction> {
        serde_json::from_slice(&fs::read_beside(&self.last_extraction_file().ok()??).ok()?).ok()
    }

    pub(super) fn keep_last_extraction(&self, learned: &Learned, session: Option<&str>) -> Result<(), Error> {
        let run = learned.run.as_ref();
        let rejected = run.map_or(&[][..], |run| &run.rejected);
        self.keep_last(&LastExtraction {
            time: self.now.timestamp(),
            session: session.map(str::to_owned),
            ended: learned.skipped.or(run.map(|run| run.ended)).unwrap_or_default().to_owned(),
            reason: None,
            files: learned.files().iter().map(|(file, _)| file.clone()).collect(),
            change: run.and_then(|run| run.landed.change.clone()),
            waiting: learned.waiting.len(),
            rejected: rejected.len(),
            turned_down: rejected.iter().take(limits::EXTRACT_NEW_FILES).map(TurnedDown::from).collect(),
            usage: run.map(|run| run.usage).unwrap_or_default(),
            hit_percent: run.and_then(|run| run.hit_percent),
        })
    }

    /// Keeps the result of the last extraction, for `status`.
    pub(in crate::engine) fn keep_last(&self, last: &LastExtraction) -> Result<(), Error> {
        let Some(file) = self.last_extraction_file()? else { return Ok(()) };
        if let Some(dir) = file.parent() {
            fs::create_private_dir(dir)?;
        }
        Ok(fs::replace(&file, &serde_json::to_vec(last).unwrap_or_default(), Durability::Cache)?)
    }

    /// Forgets it: it names files, and names are made from what they say.
    pub(in crate::engine) fn drop_last_extraction(&self) -> Result<(), Error> {
        match self.last_extraction_file()? {
            Some(file) => Ok(fs::remove(&file)?),
            None => Ok(()),
        }
    }

    fn last_extraction_file(&self) -> Result<Option<PathBuf>, Error> {
        Ok(self.private_store()?.map(|store| store.state_dir().join("last-extraction.json")))
    }
}
