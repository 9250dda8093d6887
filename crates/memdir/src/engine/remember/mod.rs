//! Remembering: one memory, its file and its pointer together (I4, Q2).
//!
//! Enters: a sentence and what is known about it. Leaves: a new memory, or an existing one that says the new thing (K1–K4); where the
//! words do not decide which, both, and a question (K7). A person's own request is saved even when it is not worth much (F7), with a
//! warning; a secret never is.

mod draft;
mod write;

use serde::{Deserialize, Serialize};

use super::inbox::ProposalOrigin;
use super::judge::{self, Judge, KnownMemory, NewStatement, Verdict};
use super::{Error, Files, Memory};
use memdir_core::kind::{Scope, Type};
use memdir_core::settings::Mode;
use memdir_reader::likeness;
use memdir_store::history::Actor;
use memdir_store::{ChangeError, Intent};

pub(super) use draft::MemoryDraft;
pub(super) use write::created;

/// So often a statement is judged again when somebody else was faster.
const JUDGED_AGAIN: usize = 64;

/// What somebody wants remembered. As JSON its type is `type`, and other keys are refused.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remember {
    /// The rule or fact.
    pub text: String,
    /// Its type; guessed when not said.
    #[serde(rename = "type")]
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
pub enum RememberOutcome {
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
    pub action: RememberOutcome,
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
            let named = match &draft.given_name {
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
                // Whoever gives a new name means a memory of its own, unless all of it is there already.
                None if draft.is_named() => match judge.verdict(&draft.text, &known) {
                    Verdict::Same(at) if likeness::contains(&known[at].stated(), &draft.text) => Verdict::Same(at),
                    Verdict::Same(at) | Verdict::Update(at, _) | Verdict::Undecided(at) => Verdict::Undecided(at),
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
    /// The scopes whose memories a statement of one scope may be about: a fact about the person may be in either of theirs.
    fn scopes_beside(&self, scope: Scope) -> Vec<Scope> {
        match scope {
            Scope::Team | Scope::Agent => vec![scope],
            Scope::Private if self.settings.mode == Mode::Team => vec![Scope::Private, Scope::Team, Scope::User],
            Scope::Private => vec![Scope::Private, Scope::User],
            Scope::User => vec![Scope::User, Scope::Private],
        }
    }

    fn carry_out(
        &self,
        draft: &MemoryDraft,
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
                    let origin =
                        ProposalOrigin { scope: saved.scope, session: self.signature.session.clone(), message: None };
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
        let action = if change.is_none() { RememberOutcome::Unchanged } else { RememberOutcome::Updated };
        let replaced = matches!(verdict, Verdict::Update(..) | Verdict::Drop(_)).then(|| one.told());
        let stays_habit = replaced.as_deref().is_some_and(|old| judge::is_habit_of(old, &statement.text));
        Ok(Remembered {
            path: store.root().show(&file),
            renamed_from: (file != one.file).then(|| one.file.to_string()),
            file: file.to_string(),
            scope: one.scope,
            kind: one.kind().unwrap_or(draft.kind),
            action,
            replaced: replaced.filter(|_| action == RememberOutcome::Updated),
            may_contradict: None,
            change: change.map(|change| change.id.to_string()),
            warnings: if stays_habit { draft.warnings.clone() } else { draft.warnings() },
        })
    }
}
