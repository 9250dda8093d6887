//! A request to remember, filled in and checked: what its file will say, or why it is refused.
//!
//! Enters: what somebody wants remembered, and the day it was said. Leaves: a draft with a type, a name, a description and a scope, in
//! which relative dates have their day (F4). A secret, a planted order, bytes that are not text and a profile for the team never pass.

use memdir_core::kind::{Scope, Type};
use memdir_core::settings::Mode;
use memdir_guard::prompt_injection::PromptInjection;
use memdir_guard::secrets;
use memdir_reader::{dates, title, worth};
use memdir_store::ChangeError;
use memdir_store::topic::{self, NewTopic, Topic};

use super::super::judge::{Judge, NewStatement};
use super::super::{Error, Memory};
use super::Remember;

/// No word is so long, and no path without a dot; a line of base64 is 64 or 76.
const ENCODED_CHARS: usize = 60;
/// A dump is long; a key, a checksum or a certificate that somebody writes down is not.
const DUMP_CHARS: usize = 1_000;

/// A request with everything filled in and checked.
pub(in crate::engine) struct MemoryDraft {
    pub(super) text: String,
    pub(in crate::engine) kind: Type,
    pub(in crate::engine) name: String,
    pub(in crate::engine) description: String,
    pub(super) why: Option<String>,
    pub(super) apply: Option<String>,
    pub(in crate::engine) scope: Scope,
    /// The name that the user chose: an update keeps it.
    pub(super) given_name: Option<String>,
    given_description: Option<String>,
    /// What the user should know, apart from the dates.
    pub(super) warnings: Vec<String>,
    /// Which words were dated.
    dated: Vec<String>,
}

impl MemoryDraft {
    pub(super) fn of(wanted: &Remember, memory: &Memory) -> Result<MemoryDraft, Error> {
        MemoryDraft::on_day(wanted, memory, Some(memory.now.date()))
    }

    /// The same for what was said on another day, which decides what relative dates mean. Where nobody knows that day
    /// they stay as they are.
    pub(in crate::engine) fn on_day(
        wanted: &Remember,
        memory: &Memory,
        day: Option<jiff::civil::Date>,
    ) -> Result<MemoryDraft, Error> {
        refuse_unfit(wanted)?;
        let text = wanted.text.trim();
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
        Ok(MemoryDraft {
            name: wanted.name.clone().unwrap_or_else(|| title::title(&text)),
            description: description.clone().unwrap_or_else(|| title::summary(&text)),
            given_name: wanted.name.clone(),
            given_description: description,
            text,
            kind,
            why,
            apply,
            scope,
            warnings,
            dated,
        })
    }

    /// What it says.
    pub(in crate::engine) fn text(&self) -> &str {
        &self.text
    }

    /// Whether somebody chose its name.
    pub(in crate::engine) fn is_named(&self) -> bool {
        self.given_name.is_some()
    }

    /// What the user should know.
    pub(super) fn warnings(&self) -> Vec<String> {
        [&self.warnings[..], &self.dated].concat()
    }

    /// What its file is called: by its name, and where another memory has that, by more of what it says.
    pub(super) fn file_name(&self, taken: &dyn Fn(&str) -> bool) -> String {
        let short = title::file_words(&self.name);
        let first = topic::file_name(Some(self.kind), &short, &|_| false);
        if self.given_name.is_some() || !taken(&first) {
            return topic::file_name(Some(self.kind), &short, taken);
        }
        topic::file_name(Some(self.kind), &title::file_words(&self.description), taken)
    }

    pub(in crate::engine) fn body(&self) -> String {
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

    pub(super) fn compose(&self) -> Topic {
        Topic::compose(&NewTopic {
            name: &self.name,
            description: &self.description,
            kind: Some(self.kind),
            body: &self.body(),
            pinned: false,
        })
    }

    /// What it says, for the judge and for a memory that changes.
    pub(in crate::engine) fn statement(&self) -> NewStatement {
        NewStatement {
            text: self.text.clone(),
            why: self.why.clone(),
            apply: self.apply.clone(),
            name: self.given_name.clone(),
            description: self.given_description.clone(),
            kind: Some(self.kind),
            said_at: None,
        }
    }
}

impl Memory {
    /// A request with everything filled in, or why it is refused.
    pub(in crate::engine) fn checked_draft(&self, wanted: &Remember) -> Result<MemoryDraft, Error> {
        if wanted.scope == Some(Scope::Team) && Judge::default().kind(&wanted.text) == Type::User {
            return Err(personal());
        }
        MemoryDraft::of(wanted, self)
    }
}

/// Says why a request cannot be remembered, if there is a reason in any of its parts.
fn refuse_unfit(wanted: &Remember) -> Result<(), Error> {
    let text = wanted.text.trim();
    if text.is_empty() {
        return Err(Error::Refused("there is nothing to remember: the text is empty".into()));
    }
    let parts = [
        Some(text),
        wanted.name.as_deref(),
        wanted.description.as_deref(),
        wanted.why.as_deref(),
        wanted.apply.as_deref(),
    ];
    for part in parts.into_iter().flatten() {
        if let Some(finding) = secrets::scan(part).first() {
            let path = "the text".to_owned();
            return Err(ChangeError::Secret { path, line: finding.line, rule: finding.rule }.into());
        }
    }
    let injection = PromptInjection::read(&parts.into_iter().flatten().collect::<Vec<_>>().join(".\n"));
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
    Ok(())
}

/// Why a text is no words of anybody: bytes of a file, a dump, marks without a letter.
fn rubbish(text: &str) -> Option<&'static str> {
    let odd = |c: &char| (c.is_control() && !matches!(c, '\n' | '\r' | '\t')) || *c == char::REPLACEMENT_CHARACTER;
    if text.chars().any(|c| odd(&c)) {
        return Some("it holds bytes that are not text");
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
    Error::PersonalToTeam
}
