//! What a dream would do: a list for people, and the same file by file for whoever lands it.

use serde::Serialize;

use super::checks::DreamCheck;
use super::desk::{Desk, Fate, Sheet};
use super::heard::Distilled;
use super::shelve::Shelving;
use super::unite::Unsure;
use crate::guard::confine::RelPath;
use crate::kind::Scope;

/// One change of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DreamChange {
    /// The file.
    pub file: String,
    /// `create`, `update` or `remove`.
    pub action: &'static str,
    /// The memory that says it now.
    pub into: Option<String>,
    /// Why, for a person.
    pub why: String,
}

/// What a dream would do.
#[derive(Debug)]
pub struct DreamPlan {
    /// Which memory it is about.
    pub scope: Scope,
    /// How many memories there are.
    pub known: usize,
    /// What would land now.
    pub changes: Vec<DreamChange>,
    /// What waits for a yes.
    pub waiting: Vec<DreamChange>,
    /// The checks.
    pub checks: Vec<DreamCheck>,
    /// What a person should look at.
    pub unsure: Vec<Unsure>,
    /// Merges that were taken back, as a fact would have been lost.
    pub taken_back: Vec<String>,
    pub(super) lands: Vec<Planned>,
    pub(super) holds: Vec<Planned>,
    pub(super) shelves: Vec<Shelving>,
    pub(super) distilled: Distilled,
}

/// A file, as it must be and as it should become.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub(super) file: RelPath,
    pub(super) before: Option<Vec<u8>>,
    pub(super) after: Option<Vec<u8>>,
    pub(super) into: Option<RelPath>,
    pub(super) why: String,
}

impl DreamPlan {
    /// Nothing to do in a scope.
    pub(super) fn of(scope: Scope) -> DreamPlan {
        DreamPlan {
            scope,
            known: 0,
            changes: Vec::new(),
            waiting: Vec::new(),
            checks: Vec::new(),
            unsure: Vec::new(),
            taken_back: Vec::new(),
            lands: Vec::new(),
            holds: Vec::new(),
            shelves: Vec::new(),
            distilled: Distilled::new(),
        }
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.waiting.is_empty()
    }

    /// What would land, as a unified diff; what waits comes after it.
    pub fn diff(&self) -> String {
        self.lands.iter().chain(&self.holds).map(diff_of).collect()
    }
}

fn diff_of(planned: &Planned) -> String {
    let text = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(String::from_utf8_lossy).unwrap_or_default().into_owned();
    let name =
        |there: bool, side: &str| if there { format!("{side}/{}", planned.file) } else { "/dev/null".to_owned() };
    let mut options = diffy::DiffOptions::new();
    options
        .set_original_filename(name(planned.before.is_some(), "a"))
        .set_modified_filename(name(planned.after.is_some(), "b"));
    options.create_patch(&text(&planned.before), &text(&planned.after)).to_string()
}

/// One sheet as a change.
pub(super) fn planned(desk: &Desk, sheet: &Sheet) -> (Planned, DreamChange) {
    let heir = match sheet.fate {
        Fate::Merged(into) | Fate::Superseded(into) => Some(desk.sheets[desk.heir(into)].file.clone()),
        _ => None,
    };
    let why = match (&sheet.fate, &heir) {
        (Fate::Merged(_), Some(into)) => format!("{into} says all of it now"),
        (Fate::Superseded(_), Some(into)) => format!("{into} says what is true now"),
        (Fate::Archived(why), _) => why.clone(),
        _ => {
            let mut notes = sheet.notes.clone();
            notes.dedup();
            notes.join("; ")
        }
    };
    let after = sheet.stays().then(|| sheet.topic.as_bytes().to_vec());
    let action = match (&sheet.before, &after) {
        (None, _) => "create",
        (_, None) => "remove",
        _ => "update",
    };
    let change = DreamChange {
        file: sheet.file.to_string(),
        action,
        into: heir.as_ref().map(ToString::to_string),
        why: why.clone(),
    };
    (Planned { file: sheet.file.clone(), before: sheet.before.clone(), after, into: heir, why }, change)
}
