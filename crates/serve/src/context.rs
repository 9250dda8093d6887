//! What requests share, and how memory is opened for each: again every time, so that every answer is about the present. What one request has
//! learned of the files is left for the next ([`SessionCache`]), which checks it.
//!
//! Enters: what the process was started with, and which project a request is about. Leaves: a
//! [`Memory`] signed for whoever asked. Opening reads a few small files; it creates none.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::{Timestamp, Zoned};
use memdir::engine::{
    DreamEnvironment, DreamProgress, DreamReport, DreamRequest, Error, Git, Memory, RecallRequest, Recalled,
    SessionCache, Signature, SyncEnvironment, SyncReport,
};
use memdir::model::Cancel;
use memdir::model::command::Runner;
use memdir::model::tools::Shell;
use memdir::store::history::Actor;
use memdir::surroundings::Surroundings;
use memdir::team::git::GitProgram;

/// What every request shares.
#[derive(Clone)]
pub struct ServeContext {
    /// What the process was started with.
    pub around: Surroundings,
    /// Runs `git`.
    pub git: Git,
    /// What time it is.
    pub clock: Arc<dyn Fn() -> Zoned + Send + Sync>,
    /// Starts bringing the search cache up to date, and does not wait for it.
    pub refresh: Arc<dyn Fn(&Memory) + Send + Sync>,
    /// Starts the user's agent.
    pub runner: Arc<dyn Runner>,
    /// Runs the read-only commands of a model, for one project.
    pub shell: Arc<dyn Fn(&Memory) -> Box<dyn Shell> + Send + Sync>,
    /// Runs `git` for teams.
    pub team_git: Arc<dyn GitProgram + Send + Sync>,
    /// What time it is, for the signatures of requests to a team's store.
    pub moment: fn() -> Timestamp,
    /// Waits before a sync tries again.
    pub pause: fn(u32),
    /// The user's own texts in place of memdir's prompts.
    pub own_texts: memdir::engine::OwnTexts,
    /// The session that changes are signed with.
    pub session: Option<String>,
    /// Whether the host's hooks bring the memories that matter, so that the model need not ask for them first.
    pub hooked: bool,
    /// What requests leave for the next.
    pub session_caches: SessionCaches,
}

/// What requests leave for the next one about the same project, the latest last.
#[derive(Clone, Default)]
pub struct SessionCaches(Arc<Mutex<Vec<(Option<PathBuf>, SessionCache)>>>);

/// This many projects are cached.
const PROJECTS: usize = 4;

impl SessionCaches {
    /// What is there for a project; a second request at the same time starts from nothing.
    fn take(&self, project: Option<&Path>) -> Option<SessionCache> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = all.iter().position(|(of, _)| of.as_deref() == project)?;
        Some(all.remove(at).1)
    }

    /// Keeps what a request leaves; what one that started `cold` has seen does not replace more.
    fn keep(&self, project: Option<PathBuf>, cache: SessionCache, cold: bool) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cold && all.iter().any(|(of, _)| *of == project) {
            return;
        }
        all.retain(|(of, _)| *of != project);
        if all.len() >= PROJECTS {
            all.remove(0);
        }
        all.push((project, cache));
    }
}

impl ServeContext {
    /// Opens the memory of a project, or of the one the process was started for.
    pub fn open(&self, project: Option<&Path>, actor: Actor) -> Result<Memory, Error> {
        let mut around = self.around.clone();
        if let Some(project) = project {
            if !project.is_absolute() || !project.is_dir() {
                return Err(Error::Refused(format!(
                    "{} is not a directory; name the project by an absolute path",
                    project.display()
                )));
            }
            around.flags.project = Some(project.to_path_buf());
        }
        let signature = Signature { actor, session: self.session.clone(), message: None };
        Ok(Memory::open(around, self.git, (self.clock)(), signature)?.with_own_texts(self.own_texts))
    }

    /// Runs a verb beside the runtime; the library blocks.
    pub(crate) async fn with<T: Send + 'static>(
        &self,
        project: Option<PathBuf>,
        actor: Actor,
        verb: impl FnOnce(&ServeContext, &Memory) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let context = self.clone();
        let work = move || {
            let memory = context.open(project.as_deref(), actor)?;
            let cache = context.session_caches.take(project.as_deref());
            let cold = cache.is_none();
            memory.resume(cache.unwrap_or_default());
            let answer = verb(&context, &memory);
            context.session_caches.keep(project, memory.suspend(), cold);
            answer
        };
        tokio::task::spawn_blocking(work)
            .await
            .unwrap_or_else(|_| Err(Error::Refused("the request could not be finished".into())))
    }

    /// What a prompt brings back; the background takes in what is behind.
    pub(crate) fn recall(&self, memory: &Memory, query: &str) -> Result<Recalled, Error> {
        let recalled = memory.recall().for_prompt(RecallRequest::new(query))?;
        if recalled.behind {
            (self.refresh)(memory);
        }
        Ok(recalled)
    }

    /// Dreams, with the model the user agreed to; says how far it is, and stops when it is cancelled.
    pub(crate) fn dream(
        &self,
        memory: &Memory,
        request: &DreamRequest,
        tell: &mut dyn FnMut(&str, &str),
        stop: &Cancel,
    ) -> Result<DreamReport, Error> {
        let shell = (self.shell)(memory);
        let environment = DreamEnvironment { runner: self.runner.clone(), shell: &*shell };
        let progress = &mut |step: DreamProgress<'_>| tell(step.part(), &step.to_string());
        Ok(memory.dream().run(request, Some(&environment), progress, stop)?)
    }

    /// Syncs a team, or all of them, as far as the user agreed to it; `dry`: only says what would move.
    pub(crate) fn sync(&self, memory: &Memory, name: Option<&str>, dry: bool) -> Result<SyncReport, Error> {
        let mut pause = self.pause;
        let mut environment = SyncEnvironment { git: &*self.team_git, clock: self.moment, pause: &mut pause };
        memory.teams().sync_agreed(name, &mut environment, dry)
    }

    /// Lets the background take in what was changed just now.
    pub(crate) fn changed(&self, memory: &Memory) {
        if memory.settings.recall_enabled {
            (self.refresh)(memory);
        }
    }
}
