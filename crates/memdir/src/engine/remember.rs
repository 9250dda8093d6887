//! Remembering: one memory, its file and its pointer together (I4, Q2).
//!
//! Enters: a sentence and what is known about it. Leaves: a new memory, or an existing one that says the new thing (K1–K4); where the
//! words do not decide which, both, and a question (K7). A person's own request is saved even when it is not worth much (F7), with a
//! warning; a secret never is.

use std::cell::RefCell;

use jiff::Timestamp;
use serde::Serialize;

use super::daily;
use super::inbox::Origin;
use super::judge::{self, Judge, KnownMemory, NewStatement, Verdict};
use super::{Error, Files, Memory, MemoryRef};
use memdir_core::kind::{Scope, Type};
use memdir_core::settings::Mode;
use memdir_guard::confine::RelPath;
use memdir_guard::prompt_injection::PromptInjection;
use memdir_guard::secrets;
use memdir_reader::{dates, title, worth};
use memdir_store::history::{Actor, Author, Change};
use memdir_store::topic::{self, NewTopic, Topic};
use memdir_store::{ChangeError, Edit, Intent, Store};

/// So often a statement is judged again when somebody else was faster.
const JUDGED_AGAIN: usize = 64;
/// No word is so long, and no path without a dot; a line of base64 is 64 or 76.
const ENCODED_CHARS: usize = 60;
/// A dump is long; a key, a checksum or a certificate that somebody writes down is not.
const DUMP_CHARS: usize = 1_000;

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
    /// What the memory said before, where the new takes its place (K2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<String>,
    /// The file's former name, where that claimed the old value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// A memory that may say something else about the same thing; the words do not decide (K7).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_contradict: Option<String>,
    /// The change, for `undo`.
    pub change: Option<String>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

impl Files<'_> {
    /// Saves one memory: a new one, or in the memory that it changes.
    pub fn remember(&self, wanted: &Remember) -> Result<Remembered, Error> {
        let draft = self.memory.checked_draft(wanted)?;
        let scopes = match wanted.scope {
            Some(scope) => vec![scope],
            None => self.memory.scopes_beside(draft.scope),
        };
        self.memory.writable(draft.scope)?;
        let judge = Judge::default();
        let statement = draft.statement();
        // Somebody else may change the memory between the verdict and the change.
        let mut again = JUDGED_AGAIN;
        loop {
            let mut known = self.memory.nearby(&scopes, judge.encoder(), &draft.text)?;
            // A name that somebody chose names its memory.
            let named = match &draft.given.0 {
                Some(name) => self.memory.called(draft.scope, name)?,
                None => None,
            };
            let verdict = match named {
                Some(named) => {
                    known = vec![named];
                    match judge.verdict(&draft.text, &known) {
                        Verdict::New | Verdict::Undecided(_) => Verdict::Refine(0),
                        verdict => verdict,
                    }
                }
                // Whoever gives a new name means a memory of its own, unless it is there already.
                None if draft.given.0.is_some() => match judge.verdict(&draft.text, &known) {
                    Verdict::Same(at) => Verdict::Same(at),
                    Verdict::Update(at, _) | Verdict::Undecided(at) => Verdict::Undecided(at),
                    Verdict::New | Verdict::Refine(_) | Verdict::Drop(_) => Verdict::New,
                },
                None => judge.verdict(&draft.text, &known),
            };
            if self.memory.keeps_log() && !matches!(verdict, Verdict::Same(at) if !known[at].lacks(&statement)) {
                return self.memory.log_draft(&draft);
            }
            match self.memory.carry_out(&draft, &statement, &known, &verdict) {
                Err(Error::Change(ChangeError::Contended(_))) if again > 0 => again -= 1,
                done => return done,
            }
        }
    }
}

impl Memory {
    /// A request with everything filled in, or why it is refused.
    pub(super) fn checked_draft(&self, wanted: &Remember) -> Result<Draft, Error> {
        if wanted.scope == Some(Scope::Team) && Judge::default().kind(&wanted.text) == Type::User {
            return Err(personal());
        }
        Draft::of(wanted, self)
    }

    /// The scopes whose memories a statement of one scope may be about: a fact about the person may stand in either of theirs.
    fn scopes_beside(&self, scope: Scope) -> Vec<Scope> {
        match scope {
            Scope::Team | Scope::Agent => vec![scope],
            Scope::Private if self.settings.mode == Mode::Team => vec![Scope::Private, Scope::Team, Scope::User],
            Scope::Private => vec![Scope::Private, Scope::User],
            Scope::User => vec![Scope::User, Scope::Private],
        }
    }

    /// Appends it to the day's log; a topic is made of it when memory is dreamt (L1).
    fn log_draft(&self, draft: &Draft) -> Result<Remembered, Error> {
        let scope = if draft.scope == Scope::User { Scope::User } else { Scope::Private };
        let entry = daily::entry(draft.kind, &draft.text, draft.why.as_deref(), draft.apply.as_deref());
        let logged = self.append_to_log(scope, &self.author(), "remember", &self.now, &entry)?;
        let mut warnings = draft.warnings();
        if draft.scope == Scope::Team {
            warnings.push("the log of the day is private; the team does not see it".to_owned());
        }
        Ok(Remembered {
            file: logged.file,
            path: logged.path,
            scope,
            kind: draft.kind,
            action: if logged.change.is_some() { Action::Created } else { Action::Unchanged },
            replaced: None,
            renamed_from: None,
            may_contradict: None,
            change: logged.change,
            warnings,
        })
    }

    fn carry_out(
        &self,
        draft: &Draft,
        statement: &NewStatement,
        known: &[KnownMemory],
        verdict: &Verdict,
    ) -> Result<Remembered, Error> {
        let (at, reason) = match verdict {
            Verdict::New | Verdict::Undecided(_) => {
                let store = self.writable(draft.scope)?;
                let mut saved = self.write_new(draft, store, &self.author(), "remember")?;
                if let Verdict::Undecided(at) = verdict {
                    let old = &known[*at];
                    saved.may_contradict = Some(old.file.to_string());
                    saved.warnings.push(format!(
                        "this may change what {} says (“{}”); both stay until you decide: the question waits in the inbox",
                        old.file,
                        old.told().split_whitespace().collect::<Vec<_>>().join(" ")
                    ));
                    let origin = Origin { scope: saved.scope, session: self.signature.session.clone(), message: None };
                    self.ask_whether(statement, old, &saved.file, origin)?;
                }
                return Ok(saved);
            }
            Verdict::Same(at) => (*at, "remember"),
            Verdict::Update(at, _) | Verdict::Drop(at) => (*at, "remember: changed"),
            Verdict::Refine(at) => (*at, "remember: more of it"),
        };
        let one = &known[at];
        let adds_reason = matches!(verdict, Verdict::Same(_)) && one.lacks(statement);
        let verdict = if adds_reason { &Verdict::Refine(at) } else { verdict };
        if one.pinned() && self.signature.actor == Actor::Agent && !matches!(verdict, Verdict::Same(_)) {
            return Err(Error::Refused(format!(
                "{} is about the same and is pinned: only the user changes it",
                one.file
            )));
        }
        let store = self.writable(one.scope)?;
        let (file, change) = store.change(&self.author(), &Intent::new(reason), |edit| {
            self.land_verdict(edit, store, one, statement, verdict)
        })?;
        let action = if change.is_none() { Action::Unchanged } else { Action::Updated };
        let replaced = matches!(verdict, Verdict::Update(..) | Verdict::Drop(_)).then(|| one.told());
        let stays_habit = replaced.as_deref().is_some_and(|old| judge::is_habit_of(old, &statement.text));
        Ok(Remembered {
            path: store.root().show(&file),
            renamed_from: (file != one.file).then(|| one.file.to_string()),
            file: file.to_string(),
            scope: one.scope,
            kind: one.kind().unwrap_or(draft.kind),
            action,
            replaced: replaced.filter(|_| action == Action::Updated),
            may_contradict: None,
            change: change.map(|change| change.id.to_string()),
            warnings: if stays_habit { draft.warnings.clone() } else { draft.warnings() },
        })
    }

    /// Saves one memory of which the caller knows that nothing like it is there, and when it was said.
    pub(super) fn remember_new(
        &self,
        wanted: &Remember,
        author: &Author,
        intent: &Intent,
        said_at: Timestamp,
    ) -> Result<Remembered, Error> {
        let draft = Draft::of(wanted, self)?;
        let store = self.writable(draft.scope)?;
        let (file, change) = store.change(author, intent, |edit| {
            let file = self.save_new(edit, store, &draft)?;
            edit.written_at(&file, said_at)?;
            Ok(file)
        })?;
        Ok(created(&draft, store, &file, change))
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
        let name = draft.file_name(&|name: &str| {
            let path = format!("{prefix}{name}");
            let there = RelPath::parse(&path).ok().and_then(|file| store.root().read(&file).ok().flatten());
            there.is_some() || waits(&path)
        });
        let file = RelPath::parse(&format!("{prefix}{name}"))?;
        let text = String::from_utf8_lossy(draft.compose().as_bytes()).into_owned();
        Ok((draft.scope, file, text))
    }

    fn write_new(&self, draft: &Draft, store: &Store, author: &Author, reason: &str) -> Result<Remembered, Error> {
        let (file, change) = store.change(author, &Intent::new(reason), |edit| self.save_new(edit, store, draft))?;
        Ok(created(draft, store, &file, change))
    }

    /// Writes a new memory's file and pointer. Runs again if somebody else changed either meanwhile.
    pub(super) fn save_new(&self, edit: &mut Edit<'_>, store: &Store, draft: &Draft) -> Result<RelPath, ChangeError> {
        let (file, topic) = draft.write_new(edit)?;
        let memory_ref = MemoryRef { scope: draft.scope, store, file };
        if self.settings.index_required {
            let (title, hook) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
            edit.point(&memory_ref.index()?, memory_ref.target(), &title, &hook)?;
        }
        Ok(memory_ref.file)
    }
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
    /// Which words were dated.
    dated: Vec<String>,
}

/// Why a text is no words of anybody: bytes of a file, a dump, marks without a letter.
fn rubbish(text: &str) -> Option<&'static str> {
    let odd = |c: &char| (c.is_control() && !matches!(c, '\n' | '\r' | '\t')) || *c == char::REPLACEMENT_CHARACTER;
    if text.chars().any(|c| odd(&c)) {
        return Some("it holds bytes that are no text");
    }
    if !text.chars().any(char::is_alphabetic) {
        return Some("there is no word in it");
    }
    let encoded = |word: &&str| {
        word.len() > ENCODED_CHARS && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=_-".contains(&b))
    };
    let dump: usize = text.split_whitespace().filter(encoded).map(str::len).sum();
    (dump > DUMP_CHARS && dump * 2 > text.len()).then_some("most of it is encoded data")
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
        if let Some(why) = rubbish(text) {
            return Err(Error::Refused(format!("this cannot be remembered: {why}")));
        }
        // One line is what somebody says; longer text is what somebody wrote.
        let told = if text.contains('\n') { text.to_owned() } else { title::fact(text) };
        let text = told.as_str();
        let kind = wanted.kind.unwrap_or_else(|| Judge::default().kind(text));
        let (mut warnings, mut dated) = (Vec::new(), Vec::new());
        if let Some(reason) = worth::not_worth(text).filter(|reason| reason.stands_elsewhere()) {
            warnings.push(format!("{} {}", reason.why(), reason.question()));
        }
        let mut resolve = |text: &str| {
            let Some(day) = day else { return text.trim().to_owned() };
            let resolved = dates::resolve(text.trim(), day);
            dated.extend(
                resolved.changes.iter().map(|change| format!("\"{}\" was dated {}", change.said, change.meant)),
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
        let profile = scope == Scope::Team && Judge::default().kind(&text) == Type::User;
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
            dated,
        })
    }

    /// Writes its file under a name that nobody has yet.
    pub(super) fn write_new(&self, edit: &mut Edit<'_>) -> Result<(RelPath, Topic), ChangeError> {
        let file = free_name(edit, self)?;
        let topic = self.compose();
        edit.write(&file, topic.as_bytes().to_vec())?;
        Ok((file, topic))
    }

    /// What it says.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether somebody chose its name.
    pub(super) fn is_named(&self) -> bool {
        self.given.0.is_some()
    }

    /// What the user should know.
    fn warnings(&self) -> Vec<String> {
        [&self.warnings[..], &self.dated].concat()
    }

    /// What its file is called: by its name, and where another memory has that, by more of what it says.
    fn file_name(&self, taken: &dyn Fn(&str) -> bool) -> String {
        let short = title::file_words(&self.name);
        let first = topic::file_name(Some(self.kind), &short, &|_| false);
        if self.given.0.is_some() || !taken(&first) {
            return topic::file_name(Some(self.kind), &short, taken);
        }
        topic::file_name(Some(self.kind), &title::file_words(&self.description), taken)
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

    /// What it says, for the judge and for a memory that changes.
    pub(super) fn statement(&self) -> NewStatement {
        NewStatement {
            text: self.text.clone(),
            why: self.why.clone(),
            apply: self.apply.clone(),
            name: self.given.0.clone(),
            description: self.given.1.clone(),
            kind: Some(self.kind),
            said_at: None,
        }
    }
}

pub(super) fn created(draft: &Draft, store: &Store, file: &RelPath, change: Option<Change>) -> Remembered {
    Remembered {
        file: file.to_string(),
        path: store.root().show(file),
        scope: draft.scope,
        kind: draft.kind,
        action: Action::Created,
        replaced: None,
        renamed_from: None,
        may_contradict: None,
        change: change.map(|change| change.id.to_string()),
        warnings: draft.warnings(),
    }
}

/// A file name that nobody has yet.
fn free_name(edit: &mut Edit<'_>, draft: &Draft) -> Result<RelPath, ChangeError> {
    let prefix = if draft.scope == Scope::Team { "team/" } else { "" };
    let failure = RefCell::new(None);
    let edit = RefCell::new(edit);
    let name = draft.file_name(&|name: &str| {
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
