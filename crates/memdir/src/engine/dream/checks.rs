//! What a dream must not do, looked at in code before anything lands.
//!
//! Enters: the desk as it was and as it should be. Leaves: one line a check, and what was taken back
//! because a fact of it would have been lost. Never believes the step that made a change: it compares
//! the files before and after, sentence for sentence (H3).

use std::collections::HashSet;

use serde::Serialize;

use super::desk::{Desk, Fate, Sheet};
use memdir_core::limits;
use memdir_guard::secrets;
use memdir_reader::facts::{Facts, sentences};
use memdir_store::topic::Topic;

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
                sheet.held = None;
            }
        }
    }
    taken
}

/// What a memory said that stands nowhere after the dream, and that nobody dropped on purpose: sentences of its body, and
/// a name, description or index line of which a word is gone.
pub(super) fn lost(desk: &Desk, at: usize) -> Vec<String> {
    let sheet = &desk.sheets[at];
    let Some(before) = &sheet.before else { return Vec::new() };
    if matches!(sheet.fate, Fate::Archived(_)) || (sheet.stays() && !sheet.changed()) {
        return Vec::new();
    }
    let old = Topic::parse(before.clone());
    let heir = &desk.sheets[desk.heir(at)];
    let dropped: String = sheet.dropped.iter().flat_map(|dropped| [dropped.line.as_str(), "\n"]).collect();
    let stands = Facts::read(&format!("{}\n{dropped}", heir.body()));
    let lines = [heir.pointer.as_deref(), sheet.pointer.as_deref().filter(|_| heir.pointer.is_none() || sheet.stays())];
    let lines: Vec<&str> = lines.into_iter().flatten().collect();
    let named = Facts::read(&format!("{}\n{}\n{dropped}", heir.text(), lines.join("\n")));
    let body = old.body();
    let of_body = sentences(&body).into_iter().filter(|sentence| !super::versions::is_mark(sentence));
    let lost = of_body.filter(|sentence| !Facts::read(sentence).sentences.is_subset(&stands.sentences));
    let heads = [old.name(), old.description(), sheet.pointer.as_deref().map(Into::into)].into_iter().flatten();
    let heads = heads.filter(|head| {
        let slug = !head.contains(char::is_whitespace);
        let mut words = Facts::read(head).words;
        words.retain(|word| !slug || word.chars().any(char::is_alphabetic));
        !words.is_subset(&named.words)
    });
    lost.chain(heads.map(|head| head.trim().to_owned())).collect()
}

/// Every check but those of the index and of the share that goes.
pub(super) fn all(desk: &Desk, said: &HashSet<String>) -> Vec<DreamCheck> {
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
    let invented = invented(desk, &changed, said);
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
        DreamCheck::new("no-invented-dates", &invented, "every date that is written was said".into()),
    ]
}

/// Changed memories with a date that stood in no memory and that nobody said (H2).
fn invented(desk: &Desk, changed: &[&&Sheet], said: &HashSet<String>) -> Vec<String> {
    if changed.is_empty() {
        return Vec::new();
    }
    let mut known = said.clone();
    for before in desk.sheets.iter().filter_map(|sheet| sheet.before.as_ref()) {
        known.extend(Facts::read(&String::from_utf8_lossy(before)).dates().map(str::to_owned));
    }
    let is_new = |sheet: &&&&Sheet| {
        let now = Facts::read(&String::from_utf8_lossy(sheet.topic.as_bytes()));
        now.dates().any(|date| !known.contains(date))
    };
    changed.iter().filter(is_new).map(|sheet| sheet.file.to_string()).collect()
}

/// Whether a frontmatter key that stood there is gone.
fn loses_keys(sheet: &Sheet) -> bool {
    let Some(before) = &sheet.before else { return false };
    let now = sheet.topic.keys();
    // A second value of a key is a version of it; what went of it is noted line by line.
    let lost = |key: &String| !now.contains(key) && !super::versions::is_second(&sheet.file, key);
    Topic::parse(before.clone()).keys().iter().any(lost)
}
