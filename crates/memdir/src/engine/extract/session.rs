//! Learning from a transcript, from where the last run stopped (X3).
//!
//! Enters: a host's file. Leaves: what came of the messages after the cursor. The cursor is kept in the
//! state directory, one small file a transcript, and moves on after each stretch of the conversation: a
//! run that is cut short goes on there, and a run that fails leaves it where it was (X5). Who comes second
//! waits: a transcript is learned from by one process at a time.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::pasted::own_words;
use super::wish::wish;
use super::{Conversation, Extracted, Landing};
use crate::engine::{Error, Memory};
use crate::host::Host;
use crate::host::transcript::{
    Machine, Message, Origin, Role, TranscriptError, Whereabouts, about, detect, read, transcripts,
};
use crate::limits;
use crate::store::fs::{self, Durability};
use crate::store::place::slug;

/// A transcript to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    /// The file.
    pub path: &'s Path,
    /// Who wrote it; found out when not said.
    pub host: Option<Host>,
    /// Start after this message instead of where the last run stopped.
    pub since: Option<&'s str>,
}

/// What a model was given and gave back; the built-in engine uses none.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Usage {
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
pub struct Run {
    /// The file.
    pub transcript: PathBuf,
    /// Who wrote it.
    pub host: Host,
    /// Its session.
    pub session: Option<String>,
    /// What was done.
    #[serde(flatten)]
    pub extracted: Extracted,
    /// The last message that was looked at, ever.
    pub cursor: Option<String>,
    /// What a model used; `None`: none was asked.
    pub usage: Option<Usage>,
}

/// What is kept of a transcript between two runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Progress {
    /// The file.
    transcript: PathBuf,
    /// The last message that was looked at.
    cursor: Option<String>,
    /// How many messages were, in all.
    messages: usize,
    /// When.
    time: Option<jiff::Timestamp>,
    /// What was said last, as context for what comes.
    earlier: Vec<Said>,
    /// Memories that the last stretch touched.
    recent: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Said {
    id: String,
    user: bool,
    text: String,
}

impl Said {
    fn of(message: &Message) -> Said {
        let text = message.text[..message.text.floor_char_boundary(limits::TOOL_OUTPUT_BYTES)].to_owned();
        Said { id: message.id.clone(), user: message.role == Role::User, text }
    }

    fn message(&self) -> Message {
        Message {
            id: self.id.clone(),
            role: if self.user { Role::User } else { Role::Assistant },
            origin: Origin::Own,
            text: self.text.clone(),
            tool_uses: Vec::new(),
            time: None,
        }
    }
}

impl Memory {
    /// Learns from a transcript. `step` hears how many messages are behind, and may stop the run there.
    pub fn extract_transcript(
        &self,
        source: &Source<'_>,
        landing: Landing,
        step: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Run, Error> {
        self.require_on()?;
        let path = source
            .path
            .canonicalize()
            .map_err(|error| TranscriptError::Io { path: source.path.to_path_buf(), source: error })?;
        utf8(&path)?;
        let host = source.host.map_or_else(|| detect(&path), Ok)?;
        let file = self.progress_file(&path)?;
        let _alone = fs::hold(&file.with_extension("lock"))?;
        let mut progress: Progress = serde_json::from_slice(&fs::read_beside(&file)?).unwrap_or_default();
        progress.transcript.clone_from(&path);
        let since = source.since.map(str::to_owned).or_else(|| progress.cursor.clone());
        if source.since.is_some() {
            (progress.earlier, progress.recent) = (Vec::new(), Vec::new());
        }
        let session = about(&path, host)?.session;
        let mut stretch = Stretch {
            memory: self,
            landing,
            session: session.as_deref(),
            file: &file,
            progress,
            total: Extracted::default(),
        };
        let mut waiting: Vec<Message> = Vec::new();
        let mut failure = None;
        let seen = read(&path, host, since.as_deref(), &mut |message| {
            // A stretch ends where the person speaks again.
            if waiting.len() >= limits::EXTRACT_MESSAGES && message.is_own() {
                let done = stretch.learn(&std::mem::take(&mut waiting));
                if let Err(error) = done {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
                if step(stretch.total.messages).is_break() {
                    return ControlFlow::Break(());
                }
            }
            waiting.push(message);
            ControlFlow::Continue(())
        })?;
        if let Some(error) = failure {
            return Err(error);
        }
        if !waiting.is_empty() {
            stretch.learn(&waiting)?;
            let _ = step(stretch.total.messages);
        }
        let mut extracted = stretch.total;
        if extracted.messages == 0 {
            extracted.skipped = Some("nothing-new");
        }
        let cursor = stretch.progress.cursor.or(since.filter(|_| seen.cursor_found));
        Ok(Run { transcript: path, host, session, extracted, cursor, usage: None })
    }

    /// Every transcript of this project and its worktrees on this machine, oldest first.
    pub fn transcripts(&self) -> Result<Vec<(Host, PathBuf)>, Error> {
        Ok(self.transcripts_after(None))
    }

    /// Those of them that were written after a time.
    pub(crate) fn transcripts_after(&self, since: Option<SystemTime>) -> Vec<(Host, PathBuf)> {
        let machine = Machine {
            home: self.around.home.clone(),
            claude: self.place.config_home.as_ref().ok().cloned(),
            codex: self.around.var("CODEX_HOME").map(PathBuf::from),
        };
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
        transcripts(&machine, &Whereabouts { roots, slugs, since })
    }

    /// Whether something of what is new in a transcript is asked of memory itself.
    pub(crate) fn asks_of_memory(&self, path: &Path, host: Option<Host>) -> Result<bool, Error> {
        let host = host.map_or_else(|| detect(path), Ok)?;
        let progress: Progress =
            serde_json::from_slice(&fs::read_beside(&self.progress_file(path)?)?).unwrap_or_default();
        let mut asked = false;
        read(path, host, progress.cursor.as_deref(), &mut |message| {
            asked |= message.is_own() && wish(&own_words(&message.text)).is_some();
            if asked { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(asked)
    }

    /// The transcript that was learned from last, and when.
    pub(crate) fn last_learned_from(&self) -> Result<Option<(PathBuf, jiff::Timestamp)>, Error> {
        let dir = self.extract_dir()?.join("progress");
        let read = |name: &String| -> Option<Progress> {
            serde_json::from_slice(&fs::read_beside(&dir.join(name)).ok()?).ok()
        };
        let names = fs::names(&dir)?;
        let all = names.iter().filter(|name| name.ends_with(".json")).filter_map(read);
        Ok(all.filter_map(|progress| Some((progress.transcript, progress.time?))).max_by_key(|(_, time)| *time))
    }

    /// Forgets what conversations said last: a purged text may be quoted there. The cursors stay.
    pub(crate) fn drop_contexts(&self) -> Result<(), Error> {
        let dir = self.extract_dir()?.join("progress");
        for name in fs::names(&dir)?.into_iter().filter(|name| name.ends_with(".json")) {
            let file = dir.join(name);
            let _alone = fs::hold(&file.with_extension("lock"))?;
            let Ok(mut progress) = serde_json::from_slice::<Progress>(&fs::read_beside(&file)?) else { continue };
            progress.earlier.clear();
            fs::replace(&file, &serde_json::to_vec(&progress).unwrap_or_default(), Durability::Cache)?;
        }
        Ok(())
    }

    fn progress_file(&self, transcript: &Path) -> Result<PathBuf, Error> {
        let dir = self.extract_dir()?.join("progress");
        fs::create_private_dir(&dir)?;
        Ok(dir.join(format!("{}.json", crate::store::key(transcript))))
    }

    /// Where extraction keeps what it must not forget.
    pub(crate) fn extract_dir(&self) -> Result<PathBuf, Error> {
        let dir = self.private_dir()?;
        Ok(self.dirs().state.join("extract").join(crate::store::key(&real(&dir))))
    }
}

/// The part of a conversation that is being learned from.
struct Stretch<'s> {
    memory: &'s Memory,
    landing: Landing,
    session: Option<&'s str>,
    file: &'s Path,
    progress: Progress,
    total: Extracted,
}

impl Stretch<'_> {
    fn learn(&mut self, messages: &[Message]) -> Result<(), Error> {
        let earlier: Vec<Message> = self.progress.earlier.iter().map(Said::message).collect();
        let conversation =
            Conversation { session: self.session, earlier: &earlier, messages, recent: &self.progress.recent };
        let done = self.memory.extract(&conversation, self.landing)?;
        let last = |role: Role| {
            messages.iter().rev().find(|one| one.role == role && one.origin == Origin::Own && !one.text.is_empty())
        };
        let mut kept: Vec<&Message> = [last(Role::User), last(Role::Assistant)].into_iter().flatten().collect();
        kept.sort_by_key(|one| messages.iter().position(|other| std::ptr::eq(*one, other)));
        let progress = &mut self.progress;
        progress.earlier = kept.into_iter().map(Said::of).collect();
        progress.recent = done.saved.iter().map(|saved| saved.file.clone()).collect();
        progress.cursor = messages.last().map(|message| message.id.clone());
        progress.messages += messages.len();
        progress.time = Some(self.memory.now.timestamp());
        // What only waits for a yes must come up again: the cursor on disk stays until it is decided.
        if self.landing == Landing::Now {
            fs::replace(self.file, &serde_json::to_vec(progress).unwrap_or_default(), Durability::Cache)?;
        }
        self.total.join(done);
        Ok(())
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
fn real(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|part| Some((part, part.canonicalize().ok()?)));
    match there {
        Some((part, real)) => path.strip_prefix(part).into_iter().flatten().fold(real, |real, name| real.join(name)),
        None => path.to_path_buf(),
    }
}
