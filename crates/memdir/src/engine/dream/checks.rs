//! What a dream must not do, looked at in code before anything lands.
//!
//! Enters: the desk as it was and as it should be. Leaves: one line a check, and what was taken back
//! because a fact of it would have been lost. Never believes the step that made a change: it compares
//! the files before and after.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;

use super::desk::{Desk, Fate, Sheet};
use crate::guard::confine::RelPath;
use crate::guard::secrets;
use crate::limits;
use crate::store::topic::Topic;
use crate::text::likeness::Said;

/// One check of a dream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DreamCheck {
    /// What is checked.
    pub name: &'static str,
    /// Whether it holds.
    pub ok: bool,
    /// The numbers behind it, or what breaks it.
    pub detail: String,
}

impl DreamCheck {
    pub(super) fn new(name: &'static str, broken: &[String], fine: String) -> DreamCheck {
        let ok = broken.is_empty();
        DreamCheck { name, ok, detail: if ok { fine } else { broken.join("; ") } }
    }
}

/// Takes back every merge and rewrite after which a fact would stand nowhere. Returns the files.
pub(super) fn take_back(desk: &mut Desk) -> Vec<String> {
    let mut taken = Vec::new();
    // What is taken back loses nothing, and takes all with it that had the same heir: once through is enough.
    for at in 0..desk.sheets.len() {
        if lost(desk, at).is_empty() {
            continue;
        }
        let heir = desk.heir(at);
        for place in 0..desk.sheets.len() {
            if (place == at || place == heir || desk.heir(place) == heir)
                && let Some(before) = desk.sheets[place].before.clone()
            {
                let sheet = &mut desk.sheets[place];
                taken.push(sheet.file.to_string());
                sheet.topic = Topic::parse(before);
                sheet.fate = Fate::Stays;
                sheet.dropped.clear();
                sheet.notes.clear();
            }
        }
    }
    taken
}

/// The lines of a memory that nothing says after the dream, and that nobody dropped on purpose.
pub(super) fn lost(desk: &Desk, at: usize) -> Vec<String> {
    let sheet = &desk.sheets[at];
    let Some(before) = &sheet.before else { return Vec::new() };
    if matches!(sheet.fate, Fate::Archived(_)) || (sheet.stays() && !sheet.changed()) {
        return Vec::new();
    }
    let old = Topic::parse(before.clone());
    let heir = &desk.sheets[desk.heir(at)];
    let said = Said::read(&heir.text());
    let covered =
        |line: &str| said.covers(&Said::read(line)) || sheet.dropped.iter().any(|dropped| dropped.line == line);
    lines_of(&sheet.file, &old, sheet.written, sheet.day)
        .into_iter()
        .filter(|[line, dated]| !covered(line) && !covered(dated))
        .map(|[line, _]| line)
        .collect()
}

/// The lines of description and body, each as it stands and with its dates made absolute.
pub(super) fn lines_of(file: &RelPath, topic: &Topic, written: Timestamp, day: Date) -> Vec<[String; 2]> {
    let sheet = Sheet { written, day, ..Sheet::loose(file.clone(), topic.clone()) };
    let dating = super::tidy::Dating::of(&sheet);
    let whole = format!("{}\n{}", topic.description().unwrap_or_default(), topic.body());
    let lines = whole.lines().filter(|line| !line.trim().is_empty() && !super::versions::is_mark(line));
    lines
        .map(|line| {
            let dated = dating.as_ref().map_or_else(|| line.to_owned(), |dating| dating.resolve(line, &mut Vec::new()));
            [line.to_owned(), dated]
        })
        .collect()
}

/// Every check but those of the index and of the share that goes.
pub(super) fn all(desk: &Desk) -> Vec<DreamCheck> {
    let touched: Vec<&Sheet> = desk.sheets.iter().filter(|sheet| sheet.changed() || !sheet.stays()).collect();
    let changed: Vec<&&Sheet> = touched.iter().filter(|sheet| sheet.changed()).collect();
    let lost: Vec<String> = (0..desk.sheets.len())
        .flat_map(|at| lost(desk, at).into_iter().map(move |line| (at, line)))
        .map(|(at, line)| format!("{}: {line}", desk.sheets[at].file))
        .collect();
    let pinned: Vec<String> = touched
        .iter()
        .filter(|sheet| sheet.before.as_ref().is_some_and(|before| Topic::parse(before.clone()).pinned()))
        .map(|sheet| sheet.file.to_string())
        .collect();
    let sourceless: Vec<String> = desk
        .sheets
        .iter()
        .filter(|sheet| sheet.dropped.iter().any(|dropped| dropped.reason.is_empty()))
        .map(|sheet| sheet.file.to_string())
        .chain(changed.iter().filter(|sheet| loses_keys(sheet)).map(|sheet| sheet.file.to_string()))
        .collect();
    let large: Vec<String> = changed
        .iter()
        .filter(|sheet| {
            let size = sheet.topic.as_bytes().len();
            size > limits::PROPOSED_BYTES && sheet.before.as_ref().is_none_or(|before| size > before.len())
        })
        .map(|sheet| sheet.file.to_string())
        .collect();
    let secret: Vec<String> = changed
        .iter()
        .filter(|sheet| !secrets::scan(&String::from_utf8_lossy(sheet.topic.as_bytes())).is_empty())
        .map(|sheet| sheet.file.to_string())
        .collect();
    let relative: Vec<String> = desk
        .sheets
        .iter()
        .filter(|sheet| sheet.is_free() && super::tidy::is_undated(sheet))
        .map(|sheet| sheet.file.to_string())
        .collect();
    let dropped: usize = desk.sheets.iter().map(|sheet| sheet.dropped.len()).sum();
    vec![
        DreamCheck::new(
            "no-fact-lost",
            &lost,
            format!("{} files compared, {dropped} lines replaced with a reason", touched.len()),
        ),
        DreamCheck::new("pins-untouched", &pinned, "no pinned memory is touched".into()),
        DreamCheck::new("sources-kept", &sourceless, "every replaced line names what replaced it".into()),
        DreamCheck::new("sizes", &large, format!("{} files within {} bytes", changed.len(), limits::PROPOSED_BYTES)),
        DreamCheck::new("no-secrets", &secret, "none is written".into()),
        DreamCheck::new("no-relative-dates", &relative, "every date is absolute".into()),
    ]
}

/// Whether a frontmatter key that stood there is gone.
fn loses_keys(sheet: &Sheet) -> bool {
    let Some(before) = &sheet.before else { return false };
    let now = sheet.topic.keys();
    // A second value of a key is a version of it; what went of it is noted line by line.
    let lost = |key: &String| !now.contains(key) && !super::versions::is_second(&sheet.file, key);
    Topic::parse(before.clone()).keys().iter().any(lost)
}
