//! Where memory is, whether it is on, and which rule decided; counts and gates (E6).
//!
//! Enters: the surroundings, the files, the small records of jobs. Leaves: one value with everything in it, and what needs the user's eye.
//! Changes no memory, asks no model and no network.

use serde::Serialize;

use super::doctor::wiring::{WiredAgent, WiringFault, faults, wired_agents};
use super::identity::{Ownership, describe};
use super::{
    Advice, Error, FormerDirectory, Hint, JobGate, JobState, LastExtraction, Memory, ModelStatus, RunningDream,
    SearchProgress, Stale,
};
use memdir_core::kind::{Scope, Type};
use memdir_core::settings::Selector;
use memdir_core::warning::Warning;
use memdir_hosts::install::Machine;
use memdir_model::ChoiceReason;

/// How many memories of each type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TypeCounts {
    /// About the person.
    pub user: usize,
    /// How to work.
    pub feedback: usize,
    /// About the project.
    pub project: usize,
    /// Where to look.
    pub reference: usize,
    /// Without a type.
    pub untyped: usize,
    /// Daily logs, which have none.
    pub logs: usize,
}

/// The jobs.
#[derive(Clone, Debug, Serialize)]
pub struct JobGates {
    /// Learning after a turn.
    pub extract: JobGate,
    /// Consolidation of the project's memory.
    pub dream: JobGate,
    /// The same of the user's memory, which is seen in every project.
    pub dream_user: JobGate,
    /// Recall.
    pub recall: JobGate,
}

/// Which project.
#[derive(Clone, Debug, Serialize)]
pub struct ProjectStatus {
    /// Its root.
    pub root: String,
    /// What it is recognised by: a root commit, else the remote, else the path.
    pub id: String,
    /// Its name below the config home.
    pub slug: String,
}

/// Which directory, and which rules decided.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryStatus {
    /// The directory; `None` when it was refused.
    pub dir: Option<String>,
    /// The rule that chose it, or that refused it.
    pub rule: &'static str,
    /// In words.
    pub rule_text: String,
    /// On or off.
    pub enabled: bool,
    /// The rule that decided that.
    pub enabled_rule: &'static str,
    /// In words.
    pub enabled_text: &'static str,
    /// Whether the directory exists yet.
    pub exists: bool,
    /// The user's directory, seen in every project.
    pub user_dir: Option<String>,
    /// Where the history is.
    pub state_dir: String,
}

/// Whether a team would be synced now.
#[derive(Clone, Debug, Serialize)]
pub struct TeamStatus {
    /// Which.
    pub name: String,
    /// Whether, and why or why not.
    pub gate: JobGate,
}

/// Everything `status` says.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// Which project.
    pub project: ProjectStatus,
    /// Which directory.
    pub memory: MemoryStatus,
    /// How much.
    pub counts: TypeCounts,
    /// The jobs.
    pub gates: JobGates,
    /// How many memories search knows, and how many of them by meaning.
    pub search: SearchProgress,
    /// What thinks.
    pub model: ModelStatus,
    /// When and how something was last learned from a conversation.
    pub last_extraction: Option<LastExtraction>,
    /// When the project's memory was last put in order.
    pub last_dream: Option<jiff::Timestamp>,
    /// The dream that runs now, if one does.
    pub dreaming: Option<RunningDream>,
    /// Memories that name what the project no longer has.
    pub stale: Stale,
    /// Whether each team would be synced now.
    pub teams: Vec<TeamStatus>,
    /// What extraction has to do, and what went wrong.
    pub jobs: JobState,
    /// How many proposals wait for a yes (`memdir inbox`).
    pub inbox: usize,
    /// Former places of this project whose memory could be adopted.
    pub former: Vec<FormerDirectory>,
    /// The agents on this machine that memdir is wired into.
    pub agents: Vec<WiredAgent>,
    /// What needs the user's eye.
    pub warnings: Vec<Advice>,
}

impl Status {
    /// Adds the agents that memdir was wired into, and what is wrong with them (B4).
    pub fn look_at_wiring(&mut self, machine: &Machine<'_>) {
        self.agents = wired_agents(machine);
        for WiringFault { message, advice } in faults(machine) {
            self.warnings.push(Advice { text: format!("{message}; {}", advice.text), hint: advice.hint });
        }
    }
}

impl Memory {
    /// Looks around.
    pub fn status(&self) -> Result<Status, Error> {
        let mut status = Status {
            project: self.project_status(),
            memory: self.memory_status(),
            counts: TypeCounts::default(),
            gates: self.gates(),
            search: self.search_progress(),
            model: self.models().status(),
            last_extraction: None,
            last_dream: self.dream().last(Scope::Private),
            dreaming: self.dream().running(),
            stale: Stale::default(),
            teams: self.team_status(),
            jobs: self.jobs().state()?,
            inbox: 0,
            former: Vec::new(),
            agents: Vec::new(),
            warnings: Vec::new(),
        };
        if self.place.memory_dir.is_ok() {
            self.look_inside(&mut status)?;
        }
        status.warnings = self.status_warnings(&status)?;
        Ok(status)
    }

    fn project_status(&self) -> ProjectStatus {
        let identity = self.identity();
        let id = identity.root_commits.first().or(identity.remote.as_ref()).unwrap_or(&identity.path).clone();
        let project = &self.place.project;
        ProjectStatus { root: project.root.display().to_string(), id, slug: project.slug.clone() }
    }

    fn memory_status(&self) -> MemoryStatus {
        let place = &self.place;
        let (dir, rule, rule_text) = match &place.memory_dir {
            Ok(dir) => (Some(dir), place.memory_rule.id(), place.memory_rule.sentence().to_owned()),
            Err(error) => (None, error.id(), error.to_string()),
        };
        MemoryStatus {
            exists: dir.is_some_and(|dir| dir.is_dir()),
            dir: dir.map(|dir| dir.display().to_string()),
            rule,
            rule_text,
            enabled: place.enabled,
            enabled_rule: place.enabled_rule.id(),
            enabled_text: place.enabled_rule.sentence(),
            user_dir: place.user_dir().ok().map(|dir| dir.display().to_string()),
            state_dir: self.dirs.state.display().to_string(),
        }
    }

    fn team_status(&self) -> Vec<TeamStatus> {
        let teams = self.teams().gates().unwrap_or_default();
        teams.into_iter().map(|(team, gate)| TeamStatus { name: team.name, gate }).collect()
    }

    /// What the directory of the project holds.
    fn look_inside(&self, status: &mut Status) -> Result<(), Error> {
        let listing = self.files().list()?;
        for listed in listing.memories() {
            *status.counts.of(if listed.flags.contains(&"log") { None } else { Some(listed.kind) }) += 1;
        }
        status.stale = self.stale(&listing)?;
        status.former = self.files().former_places()?;
        let offline = self.last_learned_from()?.map(|(_, time)| LastExtraction::offline(time));
        status.last_extraction = [offline, self.last_extraction()].into_iter().flatten().max_by_key(|last| last.time);
        status.inbox = self.inbox().list()?.len();
        Ok(())
    }

    fn status_warnings(&self, status: &Status) -> Result<Vec<Advice>, Error> {
        let told = self.place.warnings.iter().chain(&self.settings.warnings);
        let mut warnings: Vec<Advice> = told.map(|warning| self.place_advice(warning)).collect();
        let former = status.former.iter();
        warnings.extend(former.map(|former| Advice::new(former.sentence(), Hint::TakeOver(former.memories))));
        if self.place.memory_dir.is_ok()
            && let Some(store) = self.private_store()?
            && let Ownership::Others(owner) = self.ownership(store)?
        {
            let text = format!("this memory belongs to {}, and nothing is written here", describe(&owner.identity));
            warnings.push(Advice::new(text, Hint::DecideOwner));
        }
        for file in self.waiting_includes() {
            let text = format!("an instruction file includes {file}, which lies outside the project and is left out");
            warnings.push(Advice::new(text, Hint::ApproveInclude(file)));
        }
        for failed in &status.jobs.failed {
            let text = format!("could not learn from {}: {}", failed.transcript.display(), failed.error);
            warnings.push(text.into());
        }
        warnings.extend(hidden_key(&status.model, status.last_extraction.as_ref()));
        Ok(warnings)
    }

    /// Every job's gate with its named reason.
    fn gates(&self) -> JobGates {
        JobGates {
            extract: self.extract_gate(),
            dream: self.dream().gate(Scope::Private),
            dream_user: self.dream().gate(Scope::User),
            recall: self.recall_gate(),
        }
    }
}

impl Memory {
    /// Who would choose memories now (R3).
    fn recall_gate(&self) -> JobGate {
        let closed = |reason: String| JobGate { run: false, reason };
        if !self.place.enabled {
            return closed(format!("off:{}", self.place.enabled_rule.id()));
        }
        if let Err(error) = &self.place.memory_dir {
            return closed(format!("no-directory:{}", error.id()));
        }
        if !self.settings.recall_enabled {
            return closed("setting:recall.enabled".to_owned());
        }
        let model = self.models().status();
        let ready = model.reason == ChoiceReason::Ready.id();
        match self.settings.recall_selector {
            Selector::Model if !ready => JobGate { run: false, reason: format!("no-model:{}", model.reason) },
            Selector::Model => JobGate { run: true, reason: "model".to_owned() },
            Selector::Auto if ready && self.models().is_quick() => JobGate { run: true, reason: "model".to_owned() },
            Selector::Auto | Selector::Local => JobGate { run: true, reason: "local".to_owned() },
        }
    }
}

/// A model is ready here and was not where the last conversation was learned from.
fn hidden_key(model: &ModelStatus, last: Option<&LastExtraction>) -> Option<Advice> {
    let reason = last?.reason.as_deref()?;
    let keyless = [ChoiceReason::NoKey.id(), ChoiceReason::Nothing.id()].contains(&reason);
    (keyless && model.reason == ChoiceReason::Ready.id()).then(|| {
        let text = format!(
            "the last conversation was learned from without the model ({reason}), which has its key here: some agents, such as \
             Copilot CLI, hide keys from what they start. Put the key into a file that only you may read, and name it \
             (model.key_file)"
        );
        Advice::new(text, Hint::Set("model.key_file", "FILE"))
    })
}

impl TypeCounts {
    #[allow(clippy::option_option)] // a log, a file without a type, a file with one
    fn of(&mut self, kind: Option<Option<Type>>) -> &mut usize {
        match kind {
            None => &mut self.logs,
            Some(None) => &mut self.untyped,
            Some(Some(Type::User)) => &mut self.user,
            Some(Some(Type::Feedback)) => &mut self.feedback,
            Some(Some(Type::Project)) => &mut self.project,
            Some(Some(Type::Reference)) => &mut self.reference,
        }
    }
}

impl Memory {
    /// A warning, and what can be done where a directory waits for a yes (P5).
    fn place_advice(&self, warning: &Warning) -> Advice {
        if warning.id == "redirect-waits" && self.place.waiting.is_some() {
            Advice::new(warning.to_string(), Hint::Set("autoMemoryDirectory", "DIR"))
        } else {
            Advice::from(warning.to_string())
        }
    }
}
