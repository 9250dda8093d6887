//! Which model thinks, and the name of the reason.
//!
//! Enters: settings and surroundings. Leaves: a [`ModelChoice`], which says what is used and why, or why
//! nothing is, without asking anybody or going anywhere. Never chooses what the user did not agree
//! to (`model.consent`), never lets a file of a repository have a say, never prints a key.
//!
//! With `model.driver` auto: `model.base_url` means an OpenAI-compatible server there; else
//! Anthropic's variables, else OpenAI's, else the first agent that is installed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::command::{Agent, Branch, CommandLine, INSIDE, Runner};
use super::{Anthropic, ApiKey, Endpoint, Model, Openai, Wire, anthropic, openai};
use memdir_core::settings::{AgentChoice, Driver, SettingValues, WireChoice};
use memdir_core::surroundings::Surroundings;
use memdir_store::fs;

/// A model that several threads may ask.
pub type SharedModel = Arc<dyn Model + Send + Sync>;

/// The model of Anthropic's that is asked when nobody names one: the small one, for small questions.
const ANTHROPIC_MODEL: &str = "claude-haiku-4-5";
/// The same of OpenAI's.
const OPENAI_MODEL: &str = "gpt-5-mini";

/// Why a model is used, or why none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChoiceReason {
    /// One is used.
    Ready,
    /// The user wants none.
    Offline,
    /// memdir runs inside an agent that memdir started.
    Inside,
    /// Nothing is there to think with.
    Nothing,
    /// One could be used; the user has not said yes.
    NoConsent,
    /// The provider needs a key.
    NoKey,
    /// The server has several models, and none was named.
    NoModelName,
    /// The address cannot be used.
    BadBaseUrl,
    /// `SSL_CERT_FILE` names a file without certificates.
    BadCertificates,
    /// The agent is not installed.
    NoAgent,
    /// What may be used a day is used up.
    Spent,
}

impl ChoiceReason {
    /// Stable, for JSON and for the names of skips.
    pub const fn id(self) -> &'static str {
        match self {
            ChoiceReason::Ready => "ready",
            ChoiceReason::Offline => "offline",
            ChoiceReason::Inside => "inside-an-agent",
            ChoiceReason::Nothing => "nothing-configured",
            ChoiceReason::NoConsent => "no-consent",
            ChoiceReason::NoKey => "no-key",
            ChoiceReason::NoModelName => "no-model-name",
            ChoiceReason::BadBaseUrl => "bad-base-url",
            ChoiceReason::BadCertificates => "bad-certificates",
            ChoiceReason::NoAgent => "no-agent",
            ChoiceReason::Spent => "budget-spent",
        }
    }

    /// In words, with what to do.
    pub const fn sentence(self) -> &'static str {
        match self {
            ChoiceReason::Ready => "agreed to and configured",
            ChoiceReason::Offline => "switched off; the built-in engine does everything",
            ChoiceReason::Inside => "an agent that memdir started asks no further model",
            ChoiceReason::Nothing => "no key, no server and no agent was found; the built-in engine does everything",
            ChoiceReason::NoConsent => "it could be used, and you have not said yes",
            ChoiceReason::NoKey => {
                "the provider needs a key: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a file that holds it (model.key_file)"
            }
            ChoiceReason::NoModelName => "the server needs the name of a model (model.name)",
            ChoiceReason::BadBaseUrl => {
                "the address of the server cannot be used; it must begin with http:// or https:// and hold no password"
            }
            ChoiceReason::BadCertificates => {
                "SSL_CERT_FILE names no file with certificates in it; put it right, or unset it"
            }
            ChoiceReason::NoAgent => "the agent is not installed",
            ChoiceReason::Spent => "today's tokens are used up; it goes on tomorrow; or raise model.tokens_per_day",
        }
    }
}

/// What was decided.
#[derive(Clone, Debug)]
pub struct ModelChoice {
    /// The driver that is used, or would be.
    pub driver: Driver,
    /// The model, as its driver names it.
    pub model: Option<String>,
    /// Why.
    pub reason: ChoiceReason,
    plan: Option<ChoicePlan>,
}

#[derive(Clone, Debug)]
enum ChoicePlan {
    Anthropic(Endpoint, String),
    Openai(Endpoint, String, Wire),
    Command(Agent, PathBuf, Option<String>),
}

impl ModelChoice {
    /// Decides.
    pub fn make(values: &SettingValues, around: &Surroundings) -> ModelChoice {
        let none = |driver, reason| ModelChoice { driver, model: None, reason, plan: None };
        if around.var(INSIDE).is_some() {
            return none(Driver::Offline, ChoiceReason::Inside);
        }
        let driver = match values.model_driver {
            Driver::Auto => automatic(values, around),
            named => named,
        };
        let plan = match driver {
            Driver::Anthropic => anthropic_plan(values, around),
            Driver::Openai => openai_plan(values, around),
            Driver::Command => command_plan(values, around),
            Driver::Offline => return none(driver, ChoiceReason::Offline),
            Driver::Auto => return none(Driver::Offline, ChoiceReason::Nothing),
        };
        match plan {
            Err(reason) => none(driver, reason),
            Ok(plan) => {
                let reason = if values.model_consent { ChoiceReason::Ready } else { ChoiceReason::NoConsent };
                ModelChoice { driver, model: Some(plan.name()), reason, plan: Some(plan) }
            }
        }
    }

    /// The model, when it may be used. An agent needs a runner, runs in `dir` when it is only asked, and
    /// branches off a conversation of its own when it is sent.
    pub fn build(&self, runner: Option<Arc<dyn Runner>>, branch: Option<Branch>, dir: &Path) -> Option<SharedModel> {
        let plan = self.plan.clone().filter(|_| self.reason == ChoiceReason::Ready)?;
        Some(match plan {
            ChoicePlan::Anthropic(endpoint, model) => Arc::new(Anthropic::new(endpoint, model)),
            ChoicePlan::Openai(endpoint, model, wire) => Arc::new(Openai::new(endpoint, model, wire)),
            ChoicePlan::Command(agent, program, model) => {
                let agent = CommandLine::new(agent, program, model, dir.to_path_buf(), runner?);
                Arc::new(agent.branching_off(branch))
            }
        })
    }
}

impl ChoicePlan {
    fn name(&self) -> String {
        match self {
            ChoicePlan::Anthropic(_, model) | ChoicePlan::Openai(_, model, _) => model.clone(),
            ChoicePlan::Command(agent, _, None) => agent.to_string(),
            ChoicePlan::Command(agent, _, Some(model)) => format!("{agent}/{model}"),
        }
    }
}

/// The driver of `auto`; `Auto` itself when there is nothing.
fn automatic(values: &SettingValues, around: &Surroundings) -> Driver {
    let any = |names: [&str; 2]| names.iter().any(|name| around.var(name).is_some());
    if !values.model_base_url.is_empty() {
        Driver::Openai
    } else if any(["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"]) {
        Driver::Anthropic
    } else if any(["OPENAI_API_KEY", "OPENAI_BASE_URL"]) {
        Driver::Openai
    } else if let Some(key) = key_of_file(values, around) {
        if key.is_anthropics() { Driver::Anthropic } else { Driver::Openai }
    } else if installed(values.model_agent, around).is_some() {
        Driver::Command
    } else {
        Driver::Auto
    }
}

fn anthropic_plan(values: &SettingValues, around: &Surroundings) -> Result<ChoicePlan, ChoiceReason> {
    let endpoint = endpoint(values, around, "ANTHROPIC", anthropic::HOME)?;
    let model = named(values, around, "ANTHROPIC_MODEL").unwrap_or_else(|| ANTHROPIC_MODEL.to_owned());
    Ok(ChoicePlan::Anthropic(endpoint, model))
}

fn openai_plan(values: &SettingValues, around: &Surroundings) -> Result<ChoicePlan, ChoiceReason> {
    let endpoint = endpoint(values, around, "OPENAI", openai::HOME)?;
    let home = openai::is_openai(endpoint.base());
    let model = named(values, around, "OPENAI_MODEL").or_else(|| home.then(|| OPENAI_MODEL.to_owned()));
    let wire = match values.model_wire {
        WireChoice::Auto => Wire::for_base(endpoint.base()),
        WireChoice::Chat => Wire::Chat,
        WireChoice::Responses => Wire::Responses,
    };
    Ok(ChoicePlan::Openai(endpoint, model.ok_or(ChoiceReason::NoModelName)?, wire))
}

fn command_plan(values: &SettingValues, around: &Surroundings) -> Result<ChoicePlan, ChoiceReason> {
    let (agent, program) = installed(values.model_agent, around).ok_or(ChoiceReason::NoAgent)?;
    Ok(ChoicePlan::Command(agent, program, Some(values.model_name.clone()).filter(|name| !name.is_empty())))
}

/// Where a provider is, with the key of its name. Only the provider itself insists on a key.
fn endpoint(
    values: &SettingValues,
    around: &Surroundings,
    provider: &str,
    home: &str,
) -> Result<Endpoint, ChoiceReason> {
    let set = Some(values.model_base_url.as_str()).filter(|base| !base.is_empty());
    let base = set.or_else(|| around.var(&format!("{provider}_BASE_URL"))).unwrap_or(home).trim();
    // A server that only speaks like OpenAI's gets no key of Anthropic's.
    let fits = |key: &ApiKey| provider == "ANTHROPIC" || !key.is_anthropics();
    let of_variable = around.var(&format!("{provider}_API_KEY")).and_then(ApiKey::new);
    let key = of_variable.or_else(|| key_of_file(values, around).filter(fits));
    if key.is_none() && base.trim_end_matches('/') == home {
        return Err(ChoiceReason::NoKey);
    }
    let mut endpoint = Endpoint::new(base, key).map_err(|_| ChoiceReason::BadBaseUrl)?;
    if let Some(file) = around.var("SSL_CERT_FILE").filter(|file| !file.is_empty()) {
        let pem = fs::read_beside(&around.below_cwd(Path::new(file))).unwrap_or_default();
        if !endpoint.trust_only(&pem) {
            return Err(ChoiceReason::BadCertificates);
        }
    }
    Ok(endpoint.through(around.proxy(base)))
}

/// The key in the file that the user named.
fn key_of_file(values: &SettingValues, around: &Surroundings) -> Option<ApiKey> {
    let named = Some(values.model_key_file.as_str()).filter(|file| !file.is_empty())?;
    let file = match named.strip_prefix("~/") {
        Some(below) => around.home.as_ref()?.join(below),
        None => PathBuf::from(named),
    };
    ApiKey::new(&String::from_utf8(fs::read_beside(&file).ok()?).ok()?)
}

fn named(values: &SettingValues, around: &Surroundings, variable: &str) -> Option<String> {
    let set = Some(values.model_name.as_str()).filter(|name| !name.is_empty());
    set.or_else(|| around.var(variable)).map(|name| name.trim().to_owned())
}

/// The agent that is wanted and where its program is.
fn installed(wanted: AgentChoice, around: &Surroundings) -> Option<(Agent, PathBuf)> {
    let path = around.var("PATH")?;
    let find = |agent: Agent| {
        let mut places = std::env::split_paths(path).filter(|dir| dir.is_absolute());
        places.find_map(|dir| fs::program_in(&dir, agent.program())).map(|file| (agent, file))
    };
    let wanted = match wanted {
        AgentChoice::Auto => return Agent::ALL.into_iter().find_map(find),
        AgentChoice::Claude => Agent::Claude,
        AgentChoice::Codex => Agent::Codex,
        AgentChoice::Gemini => Agent::Gemini,
        AgentChoice::Qwen => Agent::Qwen,
    };
    find(wanted)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
