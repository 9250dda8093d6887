//! The result of a dream: a typed value for programs, and the JSON document that every front end gives out.
//!
//! Enters: each memory that can be dreamt, with what its gate said and what came of it. Leaves: the same, and sums over all of
//! them. Nothing is decided or worded for a screen here.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::Phase;
use super::apply_statements::UnusedLogLine;
use super::checks::DreamCheck;
use super::land::LandedDream;
use super::plan::{DreamChange, DreamPlan};
use super::unite::PossibleContradiction;
use crate::engine::{Error, JobGate};
use memdir_core::kind::Scope;

/// The result of a dream.
///
/// Its JSON is one flat object over all scopes. `ran`, `reason`, `phases`, `changes`, `checks`, `change` and `scopes` are always
/// there; `first`, `waiting`, `unsure`, `left_out`, `overtaken`, `proposal`, `proposals` and `diff` when at least one scope was looked at.
#[derive(Debug)]
#[non_exhaustive]
pub struct DreamReport {
    /// Every memory that can be dreamt, in the order in which that happens.
    pub scopes: Vec<DreamScope>,
    /// Asked for by hand, whatever the gates say.
    pub forced: bool,
}

/// One memory in a [`DreamReport`].
#[derive(Debug)]
#[non_exhaustive]
pub struct DreamScope {
    /// Whose memory it is.
    pub scope: Scope,
    /// `due`, or why it is not time.
    pub gate: String,
    /// What came of it; `None` when it was not its turn, or the run failed before.
    pub result: Option<DreamResult>,
}

/// The result for one scope.
#[derive(Debug)]
#[non_exhaustive]
pub struct DreamResult {
    /// What the rules wanted.
    pub plan: DreamPlan,
    /// What was done; `None` in a dry run.
    pub done: Option<LandedDream>,
}

/// A run that failed, with what it had come to by then.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct DreamFailed {
    /// Why.
    #[source]
    pub error: Error,
    /// Scopes that were done before it failed keep what landed in them.
    pub report: DreamReport,
}

impl From<DreamFailed> for Error {
    fn from(failed: DreamFailed) -> Error {
        failed.error
    }
}

/// A change in the document, with the scope it belongs to.
#[derive(Serialize)]
struct ScopedChange<'r> {
    #[serde(flatten)]
    change: &'r DreamChange,
    scope: Scope,
}

/// A scope in the document.
#[derive(Serialize)]
struct ScopeLine<'r> {
    scope: Scope,
    ran: bool,
    gate: &'r str,
}

impl<'r> ScopeLine<'r> {
    fn of(one: &'r DreamScope) -> ScopeLine<'r> {
        let ran = one.result.as_ref().is_some_and(|result| result.done.is_some());
        ScopeLine { scope: one.scope, ran, gate: &one.gate }
    }
}

impl DreamReport {
    /// The scopes that were looked at, and what came of each.
    pub fn results(&self) -> impl Iterator<Item = (Scope, &DreamResult)> {
        self.scopes.iter().filter_map(|one| Some((one.scope, one.result.as_ref()?)))
    }

    /// What was done in each scope; nothing in a dry run.
    pub fn done(&self) -> impl Iterator<Item = &LandedDream> {
        self.results().filter_map(|(_, result)| result.done.as_ref())
    }

    /// Whether a dream was carried out, even one that found nothing to do.
    pub fn ran(&self) -> bool {
        self.done().next().is_some()
    }

    /// Whether nothing was looked at, as no gate was open.
    pub fn not_now(&self) -> bool {
        self.results().next().is_none()
    }

    /// Why it ran (`by-hand`, `due`), or why not (`dry-run`, else what the gate of the first scope said).
    pub fn reason(&self) -> &str {
        match () {
            () if self.not_now() => self.scopes.first().map(|one| one.gate.as_str()).unwrap_or_default(),
            () if !self.ran() => "dry-run",
            () if self.forced => "by-hand",
            () => "due",
        }
    }

    /// What the gate of the first scope said.
    pub fn gate(&self) -> JobGate {
        let reason = self.scopes.first().map(|one| one.gate.clone()).unwrap_or_default();
        JobGate { run: !self.not_now(), reason }
    }

    /// What the rules changed, or would change.
    pub fn changes(&self) -> impl Iterator<Item = &DreamChange> {
        self.results().flat_map(|(_, result)| &result.plan.changes)
    }

    /// What waits for a yes.
    pub fn waiting(&self) -> impl Iterator<Item = &DreamChange> {
        self.results().flat_map(|(_, result)| &result.plan.waiting)
    }

    /// What a person should look at.
    pub fn unsure(&self) -> impl Iterator<Item = &PossibleContradiction> {
        self.results().flat_map(|(_, result)| &result.plan.unsure)
    }

    /// Lines of logs that no memory was made of, each with the reason.
    pub fn left_out(&self) -> impl Iterator<Item = &UnusedLogLine> {
        self.results().flat_map(|(_, result)| &result.plan.left_out)
    }

    /// The checks of every scope.
    pub fn checks(&self) -> impl Iterator<Item = &DreamCheck> {
        self.results().flat_map(|(_, result)| &result.plan.checks)
    }

    /// The group in the history that holds all of it.
    pub fn change(&self) -> Option<&str> {
        self.done().find_map(|done| done.change.as_deref())
    }

    /// What was put into the inbox, a model's dream before the rules' of the same scope.
    pub fn proposals(&self) -> impl Iterator<Item = &str> {
        self.done().flat_map(|done| {
            let model = done.model_waits.iter().map(|waits| waits.proposal.as_str());
            model.chain(done.proposals.iter().map(String::as_str))
        })
    }

    /// What would land, as a unified diff; what waits comes after it.
    pub fn diff(&self) -> String {
        self.results().map(|(_, result)| result.plan.diff()).collect()
    }
}

impl Serialize for DreamReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scoped = |list: fn(&DreamPlan) -> &Vec<DreamChange>| -> Vec<ScopedChange<'_>> {
            let of =
                |(scope, result): (Scope, _)| list(result).iter().map(move |change| ScopedChange { change, scope });
            self.results().map(|(scope, result)| (scope, &result.plan)).flat_map(of).collect()
        };
        let looked = !self.not_now();
        let phases: &[Phase] = if looked { &Phase::ALL } else { &[] };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("ran", &self.ran())?;
        if looked {
            map.serialize_entry("first", &self.results().any(|(_, result)| result.plan.first))?;
        }
        map.serialize_entry("reason", self.reason())?;
        map.serialize_entry("phases", phases)?;
        map.serialize_entry("changes", &scoped(|plan| &plan.changes))?;
        if looked {
            map.serialize_entry("waiting", &scoped(|plan| &plan.waiting))?;
        }
        map.serialize_entry("checks", &self.checks().collect::<Vec<_>>())?;
        if looked {
            map.serialize_entry("unsure", &self.unsure().collect::<Vec<_>>())?;
            map.serialize_entry("left_out", &self.left_out().collect::<Vec<_>>())?;
            map.serialize_entry("overtaken", &self.done().flat_map(|done| &done.overtaken).collect::<Vec<_>>())?;
        }
        map.serialize_entry("change", &self.change())?;
        if looked {
            map.serialize_entry("proposal", &self.proposals().next())?;
            map.serialize_entry("proposals", &self.proposals().collect::<Vec<_>>())?;
        }
        map.serialize_entry("scopes", &self.scopes.iter().map(ScopeLine::of).collect::<Vec<_>>())?;
        if looked {
            map.serialize_entry("diff", &if self.ran() { String::new() } else { self.diff() })?;
        }
        map.end()
    }
}
