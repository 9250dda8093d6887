//! Remembering: one memory, its file and its pointer together (I4, Q2).
//!
//! Enters: a sentence and what is known about it. Leaves: a new memory, or an existing one that
//! says more. A person's own request is saved even when it is not worth much (F7), with a
//! warning; a secret never is.

use std::cell::RefCell;

use serde::Serialize;

use super::find_duplicate::Wanted;
use super::pointer::Hand;
use super::{Error, Memory, MemoryRef};
use memdir_core::kind::{Scope, Type};
use memdir_core::settings::Mode;
use memdir_guard::confine::RelPath;
use memdir_guard::prompt_injection::PromptInjection;
use memdir_guard::secrets;
use memdir_reader::{dates, guess, likeness, title, worth};
use memdir_store::history::{Actor, Author};
use memdir_store::topic::{self, NewTopic, TooOdd, Topic};
use memdir_store::{ChangeError, Edit, Intent, Store};

/// What somebody wants remembered.
#[derive(Clone, Debug, Default)]
pub struct Remember {
    /// The rule or fact.
    pub text: String,
    /// Its type; guessed when not said.
    pub kind: Option<Type>,
    /// Its name; made from the text when not said.
    pub name: Option<String>,
    /// One line on what it is about; made from the text when not said.
    pub description: Option<String>,
    /// The reason behind it (F3).
    pub why: Option<String>,
    /// When and where it applies (F3).
    pub apply: Option<String>,
    /// Whose memory; by type when not said (T2).
    pub scope: Option<Scope>,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// A new memory.
    Created,
    /// An existing memory says more now.
    Updated,
    /// It was known already, word for word.
    Unchanged,
}

/// What was done.
#[derive(Debug, Serialize)]
pub struct Remembered {
    /// The file, relative to its memory directory.
    pub file: String,
    /// Where it is.
    pub path: String,
    /// Whose memory.
    pub scope: Scope,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Type,
    /// What became of it.
    pub action: Action,
    /// The change, for `undo`.
    pub change: Option<String>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

impl Memory {
    /// Saves one memory.
    pub fn remember(&self, wanted: &Remember) -> Result<Remembered, Error> {
        if wanted.scope == Some(Scope::Team) && guess::guess_kind(&wanted.text) == Type::User {
            return Err(personal());
        }
        let draft = Draft::of(wanted, self)?;
        let store = self.writable(draft.scope)?;
        let about = Wanted {
            scope: draft.scope,
            kind: Some(draft.kind),
            name: &draft.name,
            description: &draft.description,
            body: &draft.body(),
        };
        let existing = self.find_duplicate(store, &about, |_| true)?;
        self.write_down(draft, store, existing, &self.author(), "remember")
    }

    /// Saves one memory of which the caller knows that nothing like it is there.
    pub(super) fn remember_new(&self, wanted: &Remember, author: &Author, reason: &str) -> Result<Remembered, Error> {
        let draft = Draft::of(wanted, self)?;
        let store = self.writable(draft.scope)?;
        self.write_down(draft, store, None, author, reason)
    }

    /// The file that [`Memory::remember_new`] would write, and what it would say; `waits` knows names that are spoken for.
    pub(super) fn compose_new(
        &self,
        wanted: &Remember,
        waits: &dyn Fn(&str) -> bool,
    ) -> Result<(Scope, RelPath, String), Error> {
        let draft = Draft::of(wanted, self)?;
        let store = self.writable(draft.scope)?;
        let prefix = if draft.scope == Scope::Team { "team/" } else { "" };
        let name = topic::file_name(Some(draft.kind), &draft.name, &|name: &str| {
            let path = format!("{prefix}{name}");
            let there = RelPath::parse(&path).ok().and_then(|file| store.root().read(&file).ok().flatten());
            there.is_some() || waits(&path)
        });
        let file = RelPath::parse(&format!("{prefix}{name}"))?;
        let text = String::from_utf8_lossy(draft.compose().as_bytes()).into_owned();
        Ok((draft.scope, file, text))
    }

    fn write_down(
        &self,
        draft: Draft,
        store: &Store,
        existing: Option<RelPath>,
        author: &Author,
        reason: &str,
    ) -> Result<Remembered, Error> {
        let intent = Intent::new(reason);
        let (saved, change) =
            store.change(author, &intent, |edit| self.save(edit, store, &draft, existing.as_ref()))?;
        let action = if change.is_none() { Action::Unchanged } else { saved.action };
        Ok(Remembered {
            file: saved.file.to_string(),
            path: store.root().show(&saved.file),
            scope: draft.scope,
            kind: draft.kind,
            action,
            change: change.map(|change| change.id.to_string()),
            warnings: draft.warnings,
        })
    }

    /// Writes file and pointer. Runs again if somebody else changed either meanwhile.
    pub(super) fn save(
        &self,
        edit: &mut Edit<'_>,
        store: &Store,
        draft: &Draft,
        existing: Option<&RelPath>,
    ) -> Result<Saved, ChangeError> {
        let old = match existing {
            Some(file) => edit.read(file)?.map(|bytes| (file.clone(), Topic::parse(bytes))),
            None => None,
        };
        let (file, before, topic, action) = match old {
            Some((file, topic)) if topic.pinned() && self.signature.actor == Actor::Agent => {
                return Err(ChangeError::Refused(format!(
                    "{file} is about the same and is pinned: only the user changes it"
                )));
            }
            Some((file, before)) => {
                let mut topic = before.clone();
                draft.update(&mut topic).map_err(|odd| ChangeError::Refused(format!("{file}: {odd}")))?;
                (file, Some(before), topic, Action::Updated)
            }
            None => {
                let file = free_name(edit, draft)?;
                (file, None, draft.compose(), Action::Created)
            }
        };
        edit.write(&file, topic.as_bytes().to_vec())?;
        let memory_ref = MemoryRef { scope: draft.scope, store, file };
        match before {
            Some(before) => self.follow(edit, &memory_ref, &before, &topic, &Hand::Program(&[]))?,
            None if self.settings.index_required => {
                let (title, hook) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
                edit.point(&memory_ref.index()?, memory_ref.target(), &title, &hook)?;
            }
            None => {}
        }
        Ok(Saved { file: memory_ref.file, action })
    }
}

pub(super) struct Saved {
    pub(super) file: RelPath,
    action: Action,
}

/// A request with everything filled in and checked.
pub(super) struct Draft {
    text: String,
    pub(super) kind: Type,
    pub(super) name: String,
    pub(super) description: String,
    why: Option<String>,
    apply: Option<String>,
    pub(super) scope: Scope,
    /// The user said the name: it is theirs, an update does not change it back.
    given: (Option<String>, Option<String>),
    warnings: Vec<String>,
}

fn personal() -> Error {
    Error::Refused(
        "what is about a person is personal and never goes to the team; use --scope private or --scope user".into(),
    )
}

impl Draft {
    fn of(wanted: &Remember, memory: &Memory) -> Result<Draft, Error> {
        Draft::on_day(wanted, memory, Some(memory.now.date()))
    }

    /// The same for what was said on another day, which decides what relative dates mean. Where nobody knows that day
    /// they stay as they are.
    pub(super) fn on_day(wanted: &Remember, memory: &Memory, day: Option<jiff::civil::Date>) -> Result<Draft, Error> {
        let text = wanted.text.trim();
        if text.is_empty() {
            return Err(Error::Refused("there is nothing to remember: the text is empty".into()));
        }
        let everything = [
            Some(text),
            wanted.name.as_deref(),
            wanted.description.as_deref(),
            wanted.why.as_deref(),
            wanted.apply.as_deref(),
        ];
        for part in everything.into_iter().flatten() {
            if let Some(finding) = secrets::scan(part).first() {
                let path = "the text".to_owned();
                return Err(ChangeError::Secret { path, line: finding.line, rule: finding.rule }.into());
            }
        }
        let injection = PromptInjection::read(&everything.into_iter().flatten().collect::<Vec<_>>().join(".\n"));
        if injection.is_planted() {
            return Err(Error::Refused(format!(
                "this reads like an order planted for a model, not like a memory: it {}. Say what is true or how you work, in \
                 your own words",
                injection.reasons()
            )));
        }
        let kind = wanted.kind.unwrap_or_else(|| guess::guess_kind(text));
        let mut warnings = Vec::new();
        if let Some(reason) = worth::not_worth(text) {
            warnings.push(format!("{} {}", reason.why(), reason.question()));
        }
        let mut resolve = |text: &str| {
            let (Type::Project, Some(day)) = (kind, day) else { return text.trim().to_owned() };
            let resolved = dates::resolve(text.trim(), day);
            warnings.extend(
                resolved.changes.iter().map(|change| format!("\"{}\" was written as {}", change.said, change.meant)),
            );
            resolved.text
        };
        let text = resolve(text);
        let why = wanted.why.as_deref().map(&mut resolve);
        let apply = wanted.apply.as_deref().map(&mut resolve);
        let description = wanted.description.as_deref().map(&mut resolve);
        let scope = wanted.scope.unwrap_or(match (memory.settings.mode, kind) {
            (Mode::Team, Type::Project | Type::Reference) => Scope::Team,
            _ => Scope::Private,
        });
        if scope == Scope::Team && kind == Type::User {
            return Err(personal());
        }
        // Whatever it was taken for: what reads like a profile stays with the person.
        let profile = scope == Scope::Team && guess::guess_kind(&text) == Type::User;
        let scope = if profile { Scope::Private } else { scope };
        Ok(Draft {
            name: wanted.name.clone().unwrap_or_else(|| title::title(&text)),
            description: description.clone().unwrap_or_else(|| title::summary(&text)),
            given: (wanted.name.clone(), description),
            text,
            kind,
            why,
            apply,
            scope,
            warnings,
        })
    }

    pub(super) fn body(&self) -> String {
        let mut body = self.text.clone();
        let structured = matches!(self.kind, Type::Feedback | Type::Project);
        let lines = [("**Why:**", &self.why), ("**How to apply:**", &self.apply)];
        for (at, (label, value)) in lines.iter().filter_map(|(label, value)| Some((label, value.as_ref()?))).enumerate()
        {
            body.push_str(if at == 0 { "\n\n" } else { "\n" });
            body.push_str(label);
            body.push(' ');
            body.push_str(value);
        }
        if structured || !body.ends_with('\n') {
            body.push('\n');
        }
        body
    }

    fn compose(&self) -> Topic {
        Topic::compose(&NewTopic {
            name: &self.name,
            description: &self.description,
            kind: Some(self.kind),
            body: &self.body(),
            pinned: false,
        })
    }

    /// Says the new in an existing memory, losing nothing of the old.
    fn update(&self, topic: &mut Topic) -> Result<(), TooOdd> {
        let merged = likeness::merge_body(&topic.body(), &self.body());
        topic.set_body(&merged);
        if let Some(name) = &self.given.0 {
            topic.set("name", name)?;
        }
        if let Some(description) = &self.given.1 {
            topic.set("description", description)?;
        } else if topic.description().is_none() {
            // Nobody asked for this one; where it cannot be had the text is saved all the same.
            let _ = topic.set("description", &self.description);
        }
        if topic.kind().is_none() {
            let _ = topic.set_kind(self.kind);
        }
        Ok(())
    }
}

/// A file name that nobody has yet.
fn free_name(edit: &mut Edit<'_>, draft: &Draft) -> Result<RelPath, ChangeError> {
    let prefix = if draft.scope == Scope::Team { "team/" } else { "" };
    let failure = RefCell::new(None);
    let edit = RefCell::new(edit);
    let name = topic::file_name(Some(draft.kind), &draft.name, &|name: &str| {
        let there = RelPath::parse(&format!("{prefix}{name}"))
            .map_err(ChangeError::from)
            .and_then(|file| edit.borrow_mut().read(&file));
        match there {
            Ok(content) => content.is_some(),
            Err(error) => {
                failure.borrow_mut().get_or_insert(error);
                false
            }
        }
    });
    match failure.into_inner() {
        Some(error) => Err(error),
        None => Ok(RelPath::parse(&format!("{prefix}{name}"))?),
    }
}
