//! What a session starts with: manual, indexes, instruction files (M1–M6, C1, E5, G3, P7).
//!
//! With a session id the blocks are built once and kept, byte for byte, until the session is
//! compacted or cleared (M3): a provider's prompt cache lives on that.

mod includes;
mod index;

pub use includes::OutsideIncludes;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Error, Memory, Sessions};
use memdir_context::files::Disk;
use memdir_context::manual::{self, ManualInput, SearchDirs};
use memdir_context::prompts::Prompts;
use memdir_context::receipt::{ContextBlock, Receipt};
use memdir_context::rules::{self, Rules, RulesInput};
use memdir_core::kind::AgentScope;
use memdir_core::settings::Mode;
use memdir_guard::confine::RelPath;
use memdir_store::Store;
use memdir_store::fs::{self, Durability, Root};

/// Above this many known files a session start leaves noticing to the next command.
const NOTICE_FILES: usize = 2_000;

/// Which blocks are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ContextPart {
    /// How to keep memory.
    Manual,
    /// The indexes.
    Index,
    /// Instruction files.
    Rules,
    /// All of it.
    All,
}

/// What is wanted.
#[derive(Clone, Debug)]
pub struct ContextRequest<'r> {
    /// The session that keeps the result.
    pub session: Option<&'r str>,
    /// Which blocks.
    pub part: ContextPart,
    /// Another mode than the one that is set.
    pub mode: Option<Mode>,
    /// A sub-agent's own memory instead of the project's.
    pub agent: Option<(&'r str, AgentScope)>,
    /// The user's own texts in place of ours, by name.
    pub own_texts: Vec<(String, String)>,
}

impl<'r> ContextRequest<'r> {
    /// All that a session starts with, kept for it.
    pub fn of_session(session: &'r str) -> ContextRequest<'r> {
        ContextRequest {
            session: Some(session),
            part: ContextPart::All,
            mode: None,
            agent: None,
            own_texts: Vec::new(),
        }
    }
}

/// The blocks and their receipt.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SessionContext {
    /// In the order they are read.
    pub blocks: Vec<ContextBlock>,
    /// What was loaded, cut and dropped.
    pub receipt: Receipt,
}

impl Sessions<'_> {
    /// Builds what a session starts with, or gives what it was given before.
    pub fn context(&self, request: &ContextRequest<'_>) -> Result<SessionContext, Error> {
        let kept = request.session.map(|session| self.memory.session_file(session, request));
        if let Some(file) = &kept
            && let Ok(context) = serde_json::from_slice(&fs::read_beside(file)?)
        {
            return Ok(context);
        }
        let context = self.memory.build_context(request)?;
        if let Some(file) = kept {
            if let Some(dir) = file.parent() {
                fs::create_private_dir(dir)?;
            }
            fs::replace(&file, &serde_json::to_vec(&context).unwrap_or_default(), Durability::Cache)?;
        }
        Ok(context)
    }

    /// The texts that models and people are told: ours, with the user's own in place of some.
    pub fn prompts(&self) -> Prompts {
        self.memory.prompts()
    }

    /// Forgets what a session was given: it was compacted or cleared.
    pub fn reset(&self, session: &str) -> Result<(), Error> {
        let dir = self.memory.session_dir(session);
        for name in fs::names(&dir)? {
            fs::remove(&dir.join(name))?;
        }
        Ok(())
    }
}

impl Memory {
    /// Forgets what every session was given: a purged text may be quoted there.
    pub(super) fn drop_sessions(&self) -> Result<(), Error> {
        let sessions = self.dirs.state.join("sessions");
        for session in fs::names(&sessions)? {
            for name in fs::names(&sessions.join(&session))? {
                fs::remove(&sessions.join(&session).join(name))?;
            }
        }
        Ok(())
    }

    pub(crate) fn session_dir(&self, session: &str) -> PathBuf {
        self.dirs.state.join("sessions").join(&blake3::hash(session.as_bytes()).to_hex().as_str()[..20])
    }

    fn session_file(&self, session: &str, request: &ContextRequest<'_>) -> PathBuf {
        let what = format!("{:?} {:?} {:?}", request.part, request.mode, request.agent);
        let name = &blake3::hash(what.as_bytes()).to_hex().as_str()[..12].to_owned();
        self.session_dir(session).join(format!("context-{name}.json"))
    }

    fn build_context(&self, request: &ContextRequest<'_>) -> Result<SessionContext, Error> {
        let mut prompts = Prompts::with_own(request.own_texts.iter().map(|(name, text)| (name, text)));
        let mut context = SessionContext { blocks: Vec::new(), receipt: Receipt::default() };
        let wants = |part| request.part == ContextPart::All || request.part == part;
        match request.agent {
            Some((agent, scope)) => self.agent_blocks(agent, scope, &mut prompts, &mut context)?,
            None => {
                if self.place.enabled {
                    self.start_session()?;
                }
                if wants(ContextPart::Manual) {
                    self.manual_block(request, &mut prompts, &mut context)?;
                }
                if wants(ContextPart::Rules) {
                    self.rules_block(&mut prompts, &mut context)?;
                }
                // An existing index stays readable when memory is off, but only when asked for by name (E5).
                if self.place.enabled || request.part == ContextPart::Index {
                    if wants(ContextPart::Index) {
                        self.index_blocks(request, &mut prompts, &mut context)?;
                    }
                } else if wants(ContextPart::Index) {
                    context.receipt.dropped("index", self.place.enabled_rule.sentence());
                }
            }
        }
        for warning in prompts.warnings() {
            context.receipt.dropped("prompt", &warning.to_string());
        }
        Ok(context)
    }

    /// The directory is there before the model is told so (P7), and what others changed is recorded.
    fn start_session(&self) -> Result<(), Error> {
        if self.private_store()?.is_none() {
            Root::create(&self.private_dir()?)?;
        }
        if let Some(store) = self.private_store()?
            && store.known_files() <= NOTICE_FILES
        {
            store.notice(self.now.timestamp())?;
        }
        Ok(())
    }

    fn mode(&self, request: &ContextRequest<'_>) -> Mode {
        request.mode.unwrap_or(self.settings.mode)
    }

    fn manual_block(
        &self,
        request: &ContextRequest<'_>,
        prompts: &mut Prompts,
        context: &mut SessionContext,
    ) -> Result<(), Error> {
        if !self.place.enabled {
            context.receipt.dropped("manual", self.place.enabled_rule.sentence());
            return Ok(());
        }
        let dir = self.private_dir()?.display().to_string();
        let team = Path::new(&dir).join("team").display().to_string();
        let transcripts = self.place.project_dir().map(|dir| dir.display().to_string()).unwrap_or_default();
        let search = (self.settings.search_section && !transcripts.is_empty())
            .then_some(SearchDirs { memory: &dir, transcripts: &transcripts });
        let input = ManualInput {
            dir: &dir,
            team_dir: Some(&team),
            mode: self.mode(request),
            index_required: self.settings.index_required,
            search,
            extra: self.around.var("CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES"),
            agent: None,
        };
        let text = manual::lines(&input, prompts).map_err(|error| Error::Refused(error.to_string()))?;
        context.receipt.loaded("manual");
        context.blocks.push(ContextBlock::new("manual", text, false));
        Ok(())
    }

    /// The instruction files in force (C1).
    pub(super) fn rules(&self) -> Rules {
        let user = self.place.config_home.as_ref().ok().map(|home| home.join("CLAUDE.md"));
        let approved = self.approved_includes();
        let input = RulesInput {
            managed: self.around.managed_rules.as_deref(),
            user: user.as_deref(),
            project_root: self.place.project.is_git().then_some(self.place.project.checkout.as_path()),
            cwd: &self.place.project.cwd,
            home: self.around.home.as_deref(),
            is_tracked: &|path| self.place.project.tracks(path),
            approved: &approved,
        };
        rules::load(&input, &Disk)
    }

    fn rules_block(&self, prompts: &mut Prompts, context: &mut SessionContext) -> Result<(), Error> {
        if self.around.flags.bare {
            context.receipt.dropped("rules", "bare mode loads no instruction files");
            return Ok(());
        }
        let rules = self.rules();
        rules.note(&mut context.receipt);
        let block = rules.block(prompts).map_err(|error| Error::Refused(error.to_string()))?;
        context.blocks.extend(block);
        Ok(())
    }

    /// A sub-agent's manual with its index inside (G2, G3).
    fn agent_blocks(
        &self,
        agent: &str,
        scope: AgentScope,
        prompts: &mut Prompts,
        context: &mut SessionContext,
    ) -> Result<(), Error> {
        if !self.place.enabled {
            context.receipt.dropped("manual", self.place.enabled_rule.sentence());
            return Ok(());
        }
        let dir = self.place.agent_dir(agent, scope)?;
        let store = Store::create(&dir, &self.dirs)?;
        let shown = store.root().path().display().to_string();
        let input = ManualInput {
            dir: &shown,
            team_dir: None,
            mode: Mode::Normal,
            index_required: true,
            search: None,
            extra: self.around.var("CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES"),
            agent: Some(scope),
        };
        let raw = store.root().read(&RelPath::parse("MEMORY.md")?)?.unwrap_or_default();
        let loaded = self.load_index(&store, "", &raw);
        let manual = manual::lines(&input, prompts).map_err(|error| Error::Refused(error.to_string()))?;
        let whole =
            manual::with_index(&input, &loaded.text, prompts).map_err(|error| Error::Refused(error.to_string()))?;
        let index = whole.strip_prefix(&manual).unwrap_or_default().to_owned();
        context.receipt.loaded("manual");
        context.blocks.push(ContextBlock::new("manual", manual, false));
        index::note(&mut context.receipt, "agent-index", &loaded);
        context.blocks.push(ContextBlock::new("agent-index", index, loaded.cut.is_some()));
        Ok(())
    }
}
