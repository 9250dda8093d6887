//! Changing a memory that is there: its words, its pin, its scope.
//!
//! Enters: what a person or an agent typed for a memory, and what should be different. Leaves: one change, file and pointer together, or
//! why not. Never leaves a memory in two scopes.

use super::judge::with_label;
use super::listing::{FileRole, role};
use super::pointer::ChangedBy;
use super::ratings::handle;
use super::{Error, Files, MemoryRef};
use memdir_core::kind::{Scope, Type};
use memdir_guard::confine::RelPath;
use memdir_reader::plain::Label;
use memdir_store::history::ChangeId;
use memdir_store::index::Index;
use memdir_store::topic::{BrokenFrontmatter, Topic};
use memdir_store::{ChangeError, Intent};

/// What is to be different about a memory; what is not said stays.
#[derive(Clone, Debug, Default)]
pub struct Amendment {
    /// Its name.
    pub name: Option<String>,
    /// One line on what it is about.
    pub description: Option<String>,
    /// Its type.
    pub kind: Option<Type>,
    /// All of its text.
    pub body: Option<String>,
    /// The reason behind it (F3).
    pub why: Option<String>,
    /// When and where it applies (F3).
    pub apply: Option<String>,
}

impl Amendment {
    fn carry_out(&self, topic: &mut Topic) -> Result<(), BrokenFrontmatter> {
        if let Some(name) = &self.name {
            topic.set("name", name)?;
        }
        if let Some(description) = &self.description {
            topic.set("description", description)?;
        }
        if let Some(kind) = self.kind {
            topic.set_kind(kind)?;
        }
        if let Some(body) = &self.body {
            topic.set_body(body);
        }
        for (label, value) in [(Label::Why, &self.why), (Label::Apply, &self.apply)] {
            if let Some(value) = value {
                let body = with_label(&topic.body(), label, value);
                topic.set_body(&body);
            }
        }
        Ok(())
    }
}

impl Files<'_> {
    /// Changes parts of a memory, pointer included.
    pub fn edit(&self, typed: &str, wanted: &Amendment) -> Result<(String, Option<String>), Error> {
        self.amend(typed, "edit", |topic| wanted.carry_out(topic))
    }

    /// Moves a memory to another scope, file and pointer, as one group.
    pub fn move_to(&self, typed: &str, scope: Scope) -> Result<(String, Option<String>), Error> {
        self.memory.require_on()?;
        let from = self.find(typed)?;
        require_topic(&from)?;
        if from.scope == scope {
            return Ok((from.file.to_string(), None));
        }
        let Some(bytes) = from.store.root().read(&from.file)? else { return Err(Error::Unknown(typed.into())) };
        let topic = Topic::parse(bytes.clone());
        if scope == Scope::Team && topic.kind() == Some(Type::User) {
            return Err(Error::Refused("a user memory is personal and never goes to the team".into()));
        }
        let to = self.memory.writable(scope)?;
        let written = from.head().and_then(|(_, written)| written.time(self.memory.now.timestamp()));
        // The line goes along as it is.
        let line = from.store.root().read(&from.index()?)?.and_then(|raw| Index::parse(raw).line_to(from.target()));
        let base = from.target().rsplit('/').next().unwrap_or(from.target()).to_owned();
        let group = ChangeId::derive(&[
            from.file.as_str().as_bytes(),
            self.memory.now.timestamp().to_string().as_bytes(),
            &std::process::id().to_le_bytes(),
        ]);
        let intent = Intent { group: Some(group.clone()), ..Intent::new(format!("move to {scope} scope")) };
        // The copy lands first: a crash in between leaves two, never none.
        let (file, landed) = to.change(&self.memory.author(), &intent, |edit| {
            let prefix = if scope == Scope::Team { "team/" } else { "" };
            let mut at = 1;
            let file = loop {
                let name = if at == 1 { base.clone() } else { numbered(&base, at) };
                let candidate = RelPath::parse(&format!("{prefix}{name}"))?;
                if edit.read(&candidate)?.is_none() {
                    break candidate;
                }
                at += 1;
            };
            edit.write(&file, bytes.clone())?;
            written.map_or(Ok(()), |at| edit.written_at(&file, at))?;
            let memory_ref = MemoryRef { scope, store: to, file: file.clone() };
            match &line {
                Some(line) => edit.carry(&memory_ref.index()?, memory_ref.target(), line)?,
                None => {
                    let (title, hook) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
                    edit.point(&memory_ref.index()?, memory_ref.target(), &title, &hook)?;
                }
            }
            Ok(file)
        })?;
        from.store.change(&self.memory.author(), &intent, |edit| {
            if edit.read(&from.file)?.as_deref() != Some(&bytes[..]) {
                return Err(ChangeError::Contended(from.file.to_string()));
            }
            edit.remove(&from.file)?;
            edit.unpoint(&from.index()?, from.target())
        })?;
        self.memory.carry_rating(&handle(from.file.as_str(), from.scope), &handle(file.as_str(), scope))?;
        Ok((file.to_string(), landed.map(|_| group.to_string())))
    }

    /// Pins or unpins a memory.
    pub fn set_pinned(&self, typed: &str, pinned: bool) -> Result<(String, Option<String>), Error> {
        self.amend(typed, if pinned { "pin" } else { "unpin" }, |topic| topic.set_pinned(pinned))
    }

    /// Changes a memory in place, pointer included.
    fn amend(
        self,
        typed: &str,
        reason: &str,
        change: impl Fn(&mut Topic) -> Result<(), BrokenFrontmatter>,
    ) -> Result<(String, Option<String>), Error> {
        self.memory.require_on()?;
        let memory_ref = self.find(typed)?;
        require_topic(&memory_ref)?;
        if memory_ref.scope != Scope::User {
            self.memory.require_owner(memory_ref.store)?;
        }
        self.memory.history().notice_of(&memory_ref)?;
        let ((), landed) = memory_ref.store.change(&self.memory.author(), &Intent::new(reason), |edit| {
            let Some(bytes) = edit.read(&memory_ref.file)? else {
                return Err(ChangeError::Refused(format!("{} is gone", memory_ref.file)));
            };
            let before = Topic::parse(bytes);
            let mut topic = before.clone();
            change(&mut topic)
                .map_err(|odd| ChangeError::BrokenFrontmatter { path: memory_ref.file.to_string(), odd })?;
            edit.write(&memory_ref.file, topic.as_bytes().to_vec())?;
            self.memory.follow(edit, &memory_ref, &before, &topic, &ChangedBy::Program(&[]))
        })?;
        Ok((memory_ref.file.to_string(), landed.map(|change| change.id.to_string())))
    }

    /// Puts a whole new text in the place of one that was read, unless somebody else was faster.
    pub fn replace(&self, typed: &str, before: &[u8], after: Vec<u8>) -> Result<(String, Option<String>), Error> {
        self.memory.require_on()?;
        let memory_ref = self.find(typed)?;
        if memory_ref.scope != Scope::User {
            self.memory.require_owner(memory_ref.store)?;
        }
        self.memory.history().notice_of(&memory_ref)?;
        let ((), landed) = memory_ref.store.change(&self.memory.author(), &Intent::new("edit"), |edit| {
            if edit.read(&memory_ref.file)?.as_deref() != Some(before) {
                return Err(ChangeError::Refused(format!(
                    "{} was changed meanwhile by somebody else",
                    memory_ref.file
                )));
            }
            edit.write(&memory_ref.file, after.clone())?;
            if memory_ref.file.is_index() {
                return Ok(());
            }
            let (before, after) = (Topic::parse(before.to_vec()), Topic::parse(after.clone()));
            self.memory.follow(edit, &memory_ref, &before, &after, &ChangedBy::Person)
        })?;
        Ok((memory_ref.file.to_string(), landed.map(|change| change.id.to_string())))
    }
}

/// An index has no frontmatter and a log no name of its own: neither is pinned, renamed or moved.
fn require_topic(memory_ref: &MemoryRef<'_>) -> Result<(), Error> {
    match role(memory_ref.file.as_str()) {
        FileRole::Topic => Ok(()),
        FileRole::Index => Err(Error::Refused(format!("{} is an index, not a memory", memory_ref.file))),
        FileRole::Log => Err(Error::Refused(format!("{} is a daily log, not a memory", memory_ref.file))),
    }
}

fn numbered(name: &str, at: usize) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}_{at}.{extension}"),
        None => format!("{name}_{at}"),
    }
}
