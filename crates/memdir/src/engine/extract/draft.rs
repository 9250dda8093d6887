//! A memory that is not written yet: what it says, why, and where it comes from.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::engine::judge::NewStatement;
use memdir_core::kind::{Scope, Type};
use memdir_reader::title;

/// A memory that is not written yet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draft {
    pub(super) kind: Type,
    pub(super) scope: Scope,
    pub(super) statement: String,
    pub(super) why: Option<String>,
    pub(super) apply: Option<String>,
    pub(super) day: Date,
    /// When it was said.
    pub(super) time: Timestamp,
    /// The messages it comes from, the first first.
    pub(super) messages: Vec<String>,
    /// What it approves, answers or refers to, where its own words do not say so.
    pub(super) about: Option<String>,
}

impl Draft {
    pub(super) fn name(&self) -> String {
        title::title(&self.statement)
    }

    pub(super) fn description(&self) -> String {
        title::summary(&self.statement)
    }

    /// All of it, to be compared with what is known.
    pub(super) fn text(&self) -> String {
        let why = self.why.as_deref().map(|why| format!("\n\n**Why:** {why}")).unwrap_or_default();
        format!("{}{why}", self.statement)
    }

    /// What the file says before its reasons.
    pub(super) fn told(&self) -> String {
        let about = self.about.as_deref().map(|about| format!("\n\n{about}")).unwrap_or_default();
        format!("{}{about}", self.statement)
    }

    /// What it says, for the judge and for a memory that changes.
    pub(super) fn new_statement(&self) -> NewStatement {
        NewStatement {
            text: self.told(),
            why: self.why.clone(),
            apply: self.apply.clone(),
            kind: Some(self.kind),
            said_at: Some(self.time),
            ..NewStatement::default()
        }
    }

    /// Takes in what a later message adds.
    pub(super) fn join(&mut self, other: Draft) {
        let both = |a: Option<String>, b: Option<String>| match (a, b) {
            (Some(a), Some(b)) => Some(format!("{a} {b}")),
            (a, b) => a.or(b),
        };
        self.statement = format!("{} {}", self.statement, other.statement);
        self.why = both(self.why.take(), other.why);
        self.apply = self.apply.take().or(other.apply);
        self.messages.extend(other.messages);
        self.about = self.about.take().or(other.about);
        self.time = self.time.max(other.time);
        if self.scope == Scope::Private && self.kind != Type::User {
            self.scope = other.scope;
        }
    }
}

/// The last absolute date of a text.
pub(super) fn last_date(text: &str) -> Option<Date> {
    text.match_indices('-').filter_map(|(at, _)| text.get(at.checked_sub(4)?..at + 6)?.parse().ok()).max()
}
