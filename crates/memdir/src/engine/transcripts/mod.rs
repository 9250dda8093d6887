//! Learning from a transcript, from where the last run stopped (X3).
//!
//! Enters: a host's file. Leaves: what came of the messages after the cursor. The cursor is kept in the
//! state directory, one small file a transcript, and moves on after each stretch of the conversation: a
//! run that is cut short goes on there, and a run that fails leaves it where it was (X5). Who comes second
//! waits: a transcript is learned from by one process at a time.

mod engine_choice;
mod stretch;

pub(super) use engine_choice::model_messages;
pub use engine_choice::{EngineChoice, ModelEnvironment};

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Serialize;

use self::stretch::{TranscriptCursor, TranscriptStretch};
use super::extract::is_wish;
use super::{Error, Extracted, Landing, LastExtraction, Learning, Memory, TurnedDown};
use memdir_core::limits;
use memdir_hosts::Host;
use memdir_hosts::transcript::{TranscriptQuery, about, detect, read, real, transcripts};
use memdir_store::fs::{self, Durability};
use memdir_store::history::Visit;
use memdir_store::place::slug;

/// A transcript to learn from.
#[derive(Clone, Copy, Debug)]
pub struct TranscriptSource<'s> {
    /// The file.
    pub path: &'s Path,
    /// Who wrote it; found out when not said.
    pub host: Option<Host>,
    /// Start after this message instead of where the last run stopped.
    pub since: Option<&'s str>,
}

/// What a model was given and gave back; the built-in engine uses none.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct LearningUsage {
    /// Tokens read.
    pub input: u64,
    /// Tokens written.
    pub output: u64,
    /// Tokens read from a prompt cache.
    pub cache_read: u64,
    /// Tokens written to it.
    pub cache_write: u64,
    /// The share of what was read that came from the cache, where the parent's request is known (X2).
    pub hit_percent: Option<f64>,
}

/// What came of a transcript.
#[derive(Debug, Serialize)]
pub struct TranscriptRun {
    /// The file.
    pub transcript: PathBuf,
    /// Who wrote it.
    pub host: Host,
    /// Its session.
    pub session: Option<String>,
    /// Who learned: `model`, or `offline`, the built-in engine.
    pub engine: &'static str,
    /// Why no model did, or not all of it.
    pub reason: Option<String>,
    /// What was done.
    #[serde(flatten)]
    pub extracted: Extracted,
    /// The last message that was looked at, ever.
    pub cursor: Option<String>,
    /// What a model used; `None`: none was asked.
    pub usage: Option<LearningUsage>,
}

impl Learning<'_> {
    /// Learns from a transcript. `step` is told how many messages are done, and may stop the run there.
    pub fn extract_transcript(
        &self,
        source: &TranscriptSource<'_>,
        choice: &mut EngineChoice<'_>,
        step: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<TranscriptRun, Error> {
        self.memory.require_on()?;
        // However many stretches it takes, one run is one group in the history.
        let _group = self.memory.group.begin();
        // With `review` nothing lands before a yes.
        let landing = if self.memory.settings.review { Landing::Inbox } else { Landing::Now };
        let path = real(source.path)?;
        utf8(&path)?;
        let host = source.host.map_or_else(|| detect(&path), Ok)?;
        let file = self.memory.progress_file(&path)?;
        let _alone = fs::hold(&file.with_extension("lock"))?;
        let mut progress: TranscriptCursor = serde_json::from_slice(&fs::read_beside(&file)?).unwrap_or_default();
        progress.transcript.clone_from(&path);
        self.memory.pass_over_landed(&mut progress)?;
        let since = source.since.map(str::to_owned).or_else(|| progress.cursor.clone());
        if source.since.is_some() {
            (progress.earlier, progress.recent) = (Vec::new(), Vec::new());
        }
        let session = about(&path, host)?.session;
        let mut stretch = TranscriptStretch {
            memory: self.memory,
            landing,
            choice,
            session: session.as_deref(),
            file: &file,
            progress,
            total: Extracted::default(),
            usage: None,
        };
        let cursor_found = stretch.learn_all(&path, host, since.as_deref(), step)?;
        let mut extracted = stretch.total;
        if extracted.messages == 0 && extracted.skipped.is_none() {
            extracted.skipped = Some("nothing-new");
        }
        let cursor = stretch.progress.cursor.or(since.filter(|_| cursor_found));
        let usage = stretch.usage;
        let engine = if usage.is_some() { "model" } else { "offline" };
        let run = TranscriptRun {
            transcript: path,
            host,
            session,
            engine,
            reason: choice.reason().map(str::to_owned),
            extracted,
            cursor,
            usage,
        };
        if let Some(session) = &run.session {
            let saved = run.extracted.saved.iter().map(|one| (one.scope, one.file.as_str()));
            self.memory.taught(session, saved)?;
        }
        if run.extracted.messages > 0 {
            self.memory.keep_last(&run.last(self.memory.now.timestamp()))?;
        }
        Ok(run)
    }

    /// Every transcript of this project and its worktrees on this machine, oldest first.
    pub fn transcripts(&self) -> Result<Vec<(Host, PathBuf)>, Error> {
        Ok(self.memory.transcripts_after(None))
    }
}

impl Memory {
    /// Moves the cursor behind a stretch that a model's run had landed before it died.
    fn pass_over_landed(&self, progress: &mut TranscriptCursor) -> Result<(), Error> {
        let Some(asked) = progress.asked.take() else { return Ok(()) };
        let mut landed = false;
        for (_, store) in self.stores()? {
            store.journal().newest_first(|change| {
                landed |= change.group.as_ref().is_some_and(|group| group.to_string() == asked.act);
                if landed { Visit::Enough } else { Visit::More }
            })?;
        }
        if landed {
            progress.messages += asked.messages;
            progress.cursor = Some(asked.upto);
        }
        Ok(())
    }

    /// Those of them that were written after a time.
    pub(crate) fn transcripts_after(&self, since: Option<SystemTime>) -> Vec<(Host, PathBuf)> {
        let project = &self.place.project;
        let listed = (self.git)(&project.checkout, &["worktree", "list", "--porcelain"]).unwrap_or_default();
        let worktrees = listed.lines().filter_map(|line| line.strip_prefix("worktree ")).map(PathBuf::from);
        let mut roots: Vec<PathBuf> =
            [project.checkout.clone(), project.root.clone()].into_iter().chain(worktrees).collect();
        roots.sort();
        roots.dedup();
        let mut slugs: Vec<String> = roots.iter().chain([&project.cwd]).map(|root| slug(root)).collect();
        slugs.sort();
        slugs.dedup();
        transcripts(&self.around, &TranscriptQuery { roots, slugs, since })
    }

    /// The same of every project on this machine, as far as its hosts keep them in one place.
    pub(crate) fn transcripts_anywhere(&self, since: Option<SystemTime>) -> Vec<(Host, PathBuf)> {
        let project = &self.place.project;
        // Everything lies below the root, and every name of a project begins with nothing.
        let mut roots: Vec<PathBuf> = project.root.ancestors().last().map(Path::to_path_buf).into_iter().collect();
        roots.push(project.root.clone());
        transcripts(&self.around, &TranscriptQuery { roots, slugs: vec![String::new()], since })
    }

    /// Whether something of what is new in a transcript is asked of memory itself.
    pub(crate) fn asks_of_memory(&self, path: &Path, host: Option<Host>) -> Result<bool, Error> {
        let host = host.map_or_else(|| detect(path), Ok)?;
        let progress: TranscriptCursor =
            serde_json::from_slice(&fs::read_beside(&self.progress_file(path)?)?).unwrap_or_default();
        let mut asked = false;
        read(path, host, progress.cursor.as_deref(), &mut |message| {
            asked |= is_wish(&message, &self.now);
            if asked { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(asked)
    }

    /// The transcript that was learned from last, and when.
    pub(crate) fn last_learned_from(&self) -> Result<Option<(PathBuf, jiff::Timestamp)>, Error> {
        let dir = self.extract_dir()?.join("progress");
        let read = |name: &String| -> Option<TranscriptCursor> {
            serde_json::from_slice(&fs::read_beside(&dir.join(name)).ok()?).ok()
        };
        let names = fs::names(&dir)?;
        let all = names.iter().filter(|name| name.ends_with(".json")).filter_map(read);
        Ok(all.filter_map(|progress| Some((progress.transcript, progress.time?))).max_by_key(|(_, time)| *time))
    }

    /// Forgets what conversations said last and what was made of it: a purged text may be quoted or named there. The
    /// cursors stay.
    pub(crate) fn drop_contexts(&self) -> Result<(), Error> {
        let dir = self.extract_dir()?.join("progress");
        for name in fs::names(&dir)?.into_iter().filter(|name| name.ends_with(".json")) {
            let file = dir.join(name);
            let _alone = fs::hold(&file.with_extension("lock"))?;
            let Ok(mut progress) = serde_json::from_slice::<TranscriptCursor>(&fs::read_beside(&file)?) else {
                continue;
            };
            progress.earlier.clear();
            progress.recent.clear();
            fs::replace(&file, &serde_json::to_vec(&progress).unwrap_or_default(), Durability::Cache)?;
        }
        Ok(())
    }

    fn progress_file(&self, transcript: &Path) -> Result<PathBuf, Error> {
        let dir = self.extract_dir()?.join("progress");
        fs::create_private_dir(&dir)?;
        Ok(dir.join(format!("{}.json", memdir_store::key(transcript))))
    }

    /// Where extraction keeps what it must not forget.
    pub(crate) fn extract_dir(&self) -> Result<PathBuf, Error> {
        let dir = self.private_dir()?;
        Ok(self.dirs().state.join("extract").join(memdir_store::key(&settled(&dir))))
    }
}

impl TranscriptRun {
    /// What `status` says of it.
    fn last(&self, time: jiff::Timestamp) -> LastExtraction {
        let done = &self.extracted;
        let refused = done.refused.iter().map(|refused| TurnedDown {
            file: String::new(),
            rule: refused.reason.to_owned(),
            reason: refused.why.clone(),
        });
        let usage = self.usage.unwrap_or_default();
        LastExtraction {
            session: self.session.clone(),
            ended: if self.usage.is_some() { "done" } else { "offline" }.to_owned(),
            reason: self.reason.clone(),
            files: done.saved.iter().map(|saved| saved.file.clone()).collect(),
            change: done.saved.iter().rev().find_map(|saved| saved.change.clone()),
            waiting: done.waiting.len(),
            rejected: done.turned_down.len() + done.refused.len(),
            turned_down: done
                .turned_down
                .iter()
                .map(TurnedDown::from)
                .chain(refused)
                .take(limits::EXTRACT_NEW_FILES)
                .collect(),
            usage: memdir_model::Usage {
                input: usage.input,
                output: usage.output,
                cache_read: usage.cache_read,
                cache_write: usage.cache_write,
            },
            ..LastExtraction::offline(time)
        }
    }
}

/// A cursor is kept under the path, as JSON.
pub(crate) fn utf8(path: &Path) -> Result<(), Error> {
    match path.to_str() {
        Some(_) => Ok(()),
        None => Err(Error::Refused(format!("{} is not named in UTF-8; rename it first", path.display()))),
    }
}

/// A path with its links resolved as far as it exists: its name must not change when it is made.
fn settled(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|part| Some((part, fs::canonical(part).ok()?)));
    match there {
        Some((part, real)) => path.strip_prefix(part).into_iter().flatten().fold(real, |real, name| real.join(name)),
        None => path.to_path_buf(),
    }
}
