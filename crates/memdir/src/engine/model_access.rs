//! Thinking with a model: which one, whether it may, and what it used today.
//!
//! Never spends money without a yes.
//!
//! The verbs that think ask [`Models::get`] and get a model whose tokens are counted, or the
//! reason why there is none; then the built-in rules do the work, and the result says so.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::ledger::Ledger;
use super::metered::Metered;
use super::{Error, Hint, Memory, Models};
use memdir_core::settings::Driver;
use memdir_hosts::Host;
use memdir_model::command::{Agent, Branch, Runner};
use memdir_model::{ChoiceReason, ModelChoice, SharedModel};
use memdir_store::fs;

/// What `status` says about models.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelStatus {
    /// What thinks now: a driver, or `offline`, the built-in engine.
    pub driver: &'static str,
    /// The model it uses.
    pub model: Option<String>,
    /// The name of the reason.
    pub reason: &'static str,
    /// In words, with what to do.
    pub reason_text: String,
    /// Tokens used today, those of calls under way included.
    pub spent_today: u64,
    /// Tokens that may be used a day.
    pub limit: u64,
    /// Calls made today.
    pub calls_today: u64,
    /// Which part of what models read today came from their cache, in percent.
    pub cache_hit_percent: Option<f64>,
}

/// The conversation that an agent of the command line may branch off: one of its own, held in `dir`.
pub fn branch_of(host: Host, session: &str, dir: &Path) -> Option<Branch> {
    let programs = host.profile().programs.iter();
    let agent = programs.filter_map(|program| Agent::named(program)).find(|agent| agent.can_branch())?;
    // What looks like a flag would be read as one.
    let usual = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let is_name = !session.is_empty() && !session.starts_with('-') && session.chars().all(usual);
    (is_name && dir.is_absolute()).then(|| Branch { agent, session: session.to_owned(), dir: dir.to_path_buf() })
}

impl ModelStatus {
    /// What can be done where no model thinks.
    pub fn hint(&self) -> Option<Hint> {
        let hints = [
            (ChoiceReason::NoConsent, Hint::Set("model.consent", "true")),
            (ChoiceReason::NoKey, Hint::Set("model.key_file", "FILE")),
            (ChoiceReason::NoModelName, Hint::Set("model.name", "NAME")),
            (ChoiceReason::NoAgent, Hint::Setting("model.agent")),
        ];
        hints.into_iter().find(|(reason, _)| reason.id() == self.reason).map(|(_, hint)| hint)
    }
}

impl Models<'_> {
    /// Which model thinks, and why, without asking it.
    pub fn status(&self) -> ModelStatus {
        self.memory.status_of(&self.memory.choice())
    }

    /// The model that would think if the user agreed, as `driver/model`; `None` when there is none or they did.
    pub fn on_offer(&self) -> Option<String> {
        let choice = self.memory.choice();
        if self.memory.status_of(&choice).reason != ChoiceReason::NoConsent.id() {
            return None;
        }
        let driver = choice.driver.as_str();
        Some(choice.model.map_or_else(|| driver.to_owned(), |model| format!("{driver}/{model}")))
    }

    /// The model that thinks, its tokens counted; or why there is none. An agent of the command line needs a runner.
    pub fn get(&self, runner: Option<Arc<dyn Runner>>) -> Result<SharedModel, ModelStatus> {
        self.branching(runner, None)
    }

    /// The same; an agent of the command line goes on from a conversation of its own where it can ([`branch_of`]).
    pub fn branching(
        &self,
        runner: Option<Arc<dyn Runner>>,
        branch: Option<Branch>,
    ) -> Result<SharedModel, ModelStatus> {
        let choice = self.memory.choice();
        let status = self.memory.status_of(&choice);
        if status.reason != ChoiceReason::Ready.id() {
            return Err(status);
        }
        let model = self.memory.agent_dir().ok().and_then(|dir| choice.build(runner, branch, &dir));
        match model {
            Some(model) => Ok(Arc::new(Metered::new(model, self.memory.ledger()))),
            None => Err(ModelStatus { driver: Driver::Offline.as_str(), reason: ChoiceReason::NoAgent.id(), ..status }),
        }
    }

    /// Whether the model that thinks answers over the network, within seconds.
    pub fn is_quick(&self) -> bool {
        matches!(self.memory.choice().driver, Driver::Anthropic | Driver::Openai)
    }
}

impl Memory {
    fn choice(&self) -> ModelChoice {
        ModelChoice::make(&self.settings, &self.around)
    }

    fn ledger(&self) -> Ledger {
        Ledger::new(&self.dirs.state, self.clock(), self.settings.model_tokens_per_day)
    }

    fn status_of(&self, choice: &ModelChoice) -> ModelStatus {
        let ledger = self.ledger();
        // A book that cannot be read stops the call itself, with the reason.
        let day = ledger.read().unwrap_or_default();
        let reason = match choice.reason {
            ChoiceReason::Ready if ledger.is_spent(&day) => ChoiceReason::Spent,
            other => other,
        };
        let driver = if reason == ChoiceReason::Ready { choice.driver } else { Driver::Offline };
        let reason_text = match (reason, &choice.model) {
            (ChoiceReason::NoConsent, Some(model)) => {
                format!("{}/{model}: {}", choice.driver.as_str(), reason.sentence())
            }
            _ => reason.sentence().to_owned(),
        };
        ModelStatus {
            driver: driver.as_str(),
            model: choice.model.clone().filter(|_| reason == ChoiceReason::Ready),
            reason: reason.id(),
            reason_text,
            spent_today: day.spent(),
            limit: self.settings.model_tokens_per_day,
            calls_today: day.calls,
            cache_hit_percent: day.used.hit_percent(),
        }
    }

    /// An empty directory: an agent that is only asked finds nothing there to read or to obey.
    fn agent_dir(&self) -> Result<PathBuf, Error> {
        let dir = self.dirs.state.join("agent");
        fs::create_private_dir(&dir)?;
        Ok(dir)
    }
}
