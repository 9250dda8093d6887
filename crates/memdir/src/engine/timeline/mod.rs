//! What changed, by whom and why, and showing a change; taking one back is in [`undo`].
//!
//! Enters: what the journals hold. Leaves: changes, newest first, a group of them as one event, with the names people know the memories by.
//! Never tells what was purged.

mod undo;

use serde::Serialize;

use super::adopt::Adoption;
use super::ratings::Rated;
use super::titles::title;
use super::{Error, History, Memory};
use memdir_core::kind::{Rating, Scope};
use memdir_guard::confine::RelPath;
use memdir_store::history::{Actor, Change, ChangeId, FileChange, FindError, Version, Visit, purged_name};
use memdir_store::topic::Topic;
use memdir_store::{ChangeGroup, Store};
pub use undo::Undone;

/// One change in a listing.
#[derive(Clone, Debug, Serialize)]
pub struct TimelineEvent {
    /// Its name.
    pub id: String,
    /// When.
    pub time: jiff::Timestamp,
    /// Who.
    pub actor: &'static str,
    /// In which session.
    pub session: Option<String>,
    /// By which message of it.
    pub message: Option<String>,
    /// Which files.
    pub files: Vec<String>,
    /// Why.
    pub reason: String,
    /// The group it belongs to.
    pub group: Option<String>,
    /// What it takes back.
    pub undoes: Option<String>,
    /// In which scope's store.
    pub scope: Scope,
    /// What became of each memory in it; indexes are left out.
    pub memories: Vec<Touched>,
    /// Whether it is no change of a memory, but what was said about being told it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rating: bool,
}

/// What a change did to one memory.
#[derive(Clone, Debug, Serialize)]
pub struct Touched {
    /// Its file.
    pub file: String,
    /// What it was called after the change, or before it was removed.
    pub title: String,
    /// `added`, `changed`, `removed` or `rated`.
    pub act: &'static str,
}

impl Touched {
    fn of(file: &FileChange) -> Option<Touched> {
        if RelPath::parse(&file.path).is_ok_and(|path| path.is_index()) {
            return None;
        }
        let act = match (&file.before, &file.after) {
            (None, _) if file.from.is_none() => "added",
            (_, None) => "removed",
            _ => "changed",
        };
        let kept = file.after.as_ref().or(file.before.as_ref()).and_then(Version::content);
        let topic = kept.map(Topic::parse);
        let name = topic.as_ref().and_then(Topic::name);
        let title = title(name.as_deref(), &file.path, None).into_owned();
        Some(Touched { file: file.path.clone(), title, act })
    }
}

impl TimelineEvent {
    /// A directory that was moved here.
    fn of_move(moved: Adoption) -> TimelineEvent {
        TimelineEvent {
            id: moved.id,
            time: moved.time,
            actor: Actor::User.as_str(),
            session: None,
            message: None,
            files: moved.files,
            reason: format!("adopt from {}", moved.from.display()),
            group: None,
            undoes: None,
            scope: Scope::Private,
            // Where they are changed; what they say is not.
            memories: Vec::new(),
            rating: false,
        }
    }

    fn of(change: &Change, scope: Scope) -> TimelineEvent {
        TimelineEvent {
            id: change.id.to_string(),
            time: change.time,
            actor: change.actor.as_str(),
            session: change.session.clone(),
            message: change.message.clone(),
            files: change.paths().into_iter().map(str::to_owned).collect(),
            reason: change.reason.clone(),
            group: change.group.as_ref().map(ToString::to_string),
            undoes: change.undoes.as_ref().map(ToString::to_string),
            scope,
            memories: change.files.iter().filter_map(Touched::of).collect(),
            rating: false,
        }
    }
}

impl History<'_> {
    /// The newest changes, of one file or of all; at most `limit`.
    pub fn events(&self, file: Option<&str>, limit: usize) -> Result<Vec<TimelineEvent>, Error> {
        self.notice()?;
        self.memory.recorded(file, limit)
    }

    /// The id of the newest change that is recorded. Looks at no memory: what others changed by hand is not in it until
    /// somebody looks.
    pub fn newest(&self) -> Result<Option<String>, Error> {
        Ok(self.memory.recorded(None, 1)?.pop().map(|event| event.id))
    }

    /// Makes one group of every change until the answer is dropped: one undo takes all of it back.
    pub fn group(&self) -> ChangeGroup {
        self.memory.group.begin()
    }

    /// Whether the history has a file of this name, be it there or not.
    pub fn knows(&self, file: &str) -> Result<bool, Error> {
        match self.memory.find_in_history(file) {
            Ok(_) => Ok(true),
            Err(Error::Unknown(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// A change by its id (or a group by its id), as a unified diff.
    pub fn diff(&self, id: &str) -> Result<(Vec<TimelineEvent>, String), Error> {
        if let Some(rated) = self.memory.find_rating(id)? {
            let line = |rating: Option<Rating>, sign: char| {
                rating.map_or_else(String::new, |rating| format!("{sign}{}\n", rating.words()))
            };
            let lines = [line(rated.before, '-'), line(rated.rating, '+')].concat();
            let text = format!("--- a/{0}\n+++ b/{0}\n{lines}", rated.file);
            return Ok((vec![self.memory.event_of_rating(rated)], text));
        }
        let (scope, _, changes) = self.memory.find_changes(id)?;
        let mut text = String::new();
        for change in changes.iter().rev() {
            for file in &change.files {
                text.push_str(&file_diff(file));
            }
            for pointer in &change.pointers {
                for edit in &pointer.edits {
                    text.push_str(&format!("--- {0}\n+++ {0}\n", pointer.index));
                    for (sign, line) in [('-', &edit.before), ('+', &edit.after)] {
                        if let Some(line) = line {
                            text.push_str(&format!("{sign}{line}\n"));
                        }
                    }
                }
            }
        }
        Ok((changes.iter().map(|change| TimelineEvent::of(change, scope)).collect(), text))
    }
}

impl Memory {
    fn recorded(&self, file: Option<&str>, limit: usize) -> Result<Vec<TimelineEvent>, Error> {
        let mut wanted = match file {
            Some(typed) => {
                let (_, store, file) = self.find_or_recorded(typed)?;
                Some((store.root().path().to_path_buf(), file.to_string()))
            }
            None => None,
        };
        let mut events = Vec::new();
        for (scope, store) in self.stores()? {
            if wanted.as_ref().is_some_and(|(root, _)| root != store.root().path()) {
                continue;
            }
            let mut here = 0;
            store.journal().newest_first(|change| {
                let about = wanted.as_mut().is_none_or(|(_, file)| touches(&change, file));
                if about {
                    events.push(TimelineEvent::of(&change, scope));
                    here += 1;
                }
                if here >= limit { Visit::Enough } else { Visit::More }
            })?;
        }
        if let Some(moved) = self.adoption()?.filter(|_| wanted.is_none()) {
            events.insert(0, TimelineEvent::of_move(moved));
        }
        let about = |rated: &Rated| match &wanted {
            None => true,
            Some((root, file)) => {
                let plain = rated.file.strip_prefix("user:");
                let in_user = self.user_store().ok().flatten().is_some_and(|store| store.root().path() == root);
                plain.map_or(rated.file == *file && !in_user, |plain| plain == file && in_user)
            }
        };
        let said = self.rated()?.into_iter().rev().filter(|rated| rated.moved_from.is_none());
        let rated = said.filter(about).take(limit);
        events.splice(0..0, rated.map(|rated| self.event_of_rating(rated)));
        // Stable: within one store the journal's order is the truth even if a clock jumped.
        events.sort_by_key(|event| std::cmp::Reverse(event.time));
        events.truncate(limit);
        Ok(events)
    }

    fn find_rating(&self, id: &str) -> Result<Option<Rated>, Error> {
        Ok(self.rated()?.into_iter().find(|rated| rated.id == id))
    }

    fn event_of_rating(&self, rated: Rated) -> TimelineEvent {
        let (scope, file) = match rated.file.strip_prefix("user:") {
            Some(file) => (Scope::User, file),
            None => (Scope::Private, rated.file.as_str()),
        };
        let name = self.files().find(&rated.file).ok().and_then(|found| found.head()?.0.name);
        let title = title(name.as_deref(), file, None).into_owned();
        let reason = match (rated.rating, rated.before) {
            (Some(rating), _) => format!("said: {}", rating.words()),
            (None, Some(before)) => format!("no longer said: {}", before.words()),
            (None, None) => "nothing is said".to_owned(),
        };
        TimelineEvent {
            id: rated.id,
            time: rated.time,
            actor: rated.actor.as_str(),
            session: rated.session,
            message: None,
            files: vec![file.to_owned()],
            reason,
            group: None,
            undoes: rated.undoes,
            scope,
            memories: vec![Touched { file: file.to_owned(), title, act: "rated" }],
            rating: true,
        }
    }

    /// A memory by its name, or one that is no more by the name it had.
    pub(super) fn find_or_recorded(&self, typed: &str) -> Result<(Scope, &Store, RelPath), Error> {
        match self.files().find(typed) {
            Ok(memory_ref) => Ok((memory_ref.scope, memory_ref.store, memory_ref.file)),
            Err(error @ (Error::Unknown(_) | Error::NotExactly { .. })) => self.find_in_history(typed).or(Err(error)),
            Err(error) => Err(error),
        }
    }

    /// A file that is no more, found by its name in the history.
    fn find_in_history(&self, typed: &str) -> Result<(Scope, &Store, RelPath), Error> {
        let candidates: Vec<String> = ["", "team/"]
            .iter()
            .flat_map(|prefix| [format!("{prefix}{typed}"), format!("{prefix}{typed}.md")])
            // What was purged is known by the name it had, though that stands nowhere any more.
            .flat_map(|name| [purged_name(&name), name])
            .collect();
        for (scope, store) in self.stores()? {
            let mut found = None;
            store.journal().newest_first(|change| {
                found = change.files.iter().map(|file| &file.path).find(|path| candidates.contains(path)).cloned();
                if found.is_some() { Visit::Enough } else { Visit::More }
            })?;
            if let Some(file) = found {
                let file = RelPath::parse(&file)?;
                let scope = if scope == Scope::Private && file.in_team() { Scope::Team } else { scope };
                return Ok((scope, store, file));
            }
        }
        Err(Error::Unknown(typed.to_owned()))
    }

    fn find_changes(&self, id: &str) -> Result<(Scope, &Store, Vec<Change>), Error> {
        let mut unknown = FindError::Unknown(id.to_owned());
        for (scope, store) in self.stores()? {
            let group = store.group(&ChangeId(id.to_owned()))?;
            if !group.is_empty() {
                return Ok((scope, store, group));
            }
            match store.find_change(id) {
                Ok(change) => return Ok((scope, store, vec![change])),
                Err(FindError::Unknown(_)) => {}
                Err(error) => unknown = error,
            }
        }
        Err(unknown.into())
    }
}

/// Whether a change is about a file, which is followed to the name it had before.
fn touches(change: &Change, file: &mut String) -> bool {
    change.pointers.iter().any(|pointer| pointer.index == *file)
        || change.files.iter().any(|changed| changed.follows(file))
}

fn file_diff(file: &FileChange) -> String {
    let text = |version: &Option<Version>| match version {
        Some(version) => match version.content() {
            Some(content) => String::from_utf8_lossy(&content).into_owned(),
            None => "(not in the history)\n".to_owned(),
        },
        None => String::new(),
    };
    let name = |there: bool, side: &str| if there { format!("{side}/{}", file.path) } else { "/dev/null".to_owned() };
    let (before, after) = (text(&file.before), text(&file.after));
    let mut options = diffy::DiffOptions::new();
    options
        .set_original_filename(name(file.before.is_some(), "a"))
        .set_modified_filename(name(file.after.is_some(), "b"));
    options.create_patch(&before, &after).to_string()
}
