//! What a dream must not do, looked at in code before anything lands.
//!
//! Enters: the workspace as it was and as it should be. Leaves: one line a check, and what was taken back
//! because a fact of it would have been lost. Never believes the step that made a change: it compares
//! the files before and after, sentence for sentence (H3).

use std::collections::HashSet;

use serde::Serialize;

use super::unite::is_exchange;
use super::workspace::{MemoryFate, Workspace, WorkspaceMemory};
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
pub(super) fn take_back(workspace: &mut Workspace) -> Vec<String> {
    let mut taken = Vec::new();
    // What is taken back loses nothing, and takes all with it that had the same heir: once through is enough.
    for at in 0..workspace.candidates.len() {
        if lost(workspace, at).is_empty() {
            continue;
        }
        let heir = workspace.heir(at);
        for place in 0..workspace.candidates.len() {
            if (place == at || place == heir || workspace.heir(place) == heir)
                && let Some(before) = workspace.candidates[place].before.clone()
            {
                let candidate = &mut workspace.candidates[place];
                taken.push(candidate.file.to_string());
                candidate.topic = Topic::parse(before);
                candidate.fate = MemoryFate::Stays;
                candidate.dropped.clear();
                candidate.notes.clear();
                candidate.held = None;
            }
        }
    }
    taken
}

/// What a memory said that stands nowhere after the dream, and that nobody dropped on purpose: sentences of its body, a name,
/// description or index line of which a word is gone, and dates, numbers and names that went without another in their place.
pub(super) fn lost(workspace: &Workspace, at: usize) -> Vec<String> {
    let candidate = &workspace.candidates[at];
    let Some(before) = &candidate.before else { return Vec::new() };
    if matches!(candidate.fate, MemoryFate::Archived(_)) || (candidate.stays() && !candidate.changed()) {
        return Vec::new();
    }
    let old = Topic::parse(before.clone());
    let heir = &workspace.candidates[workspace.heir(at)];
    let dropped: String = candidate.dropped.iter().flat_map(|dropped| [dropped.line.as_str(), "\n"]).collect();
    let stands = Facts::read(&format!("{}\n{dropped}", heir.body()));
    let lines =
        [heir.pointer.as_deref(), candidate.pointer.as_deref().filter(|_| heir.pointer.is_none() || candidate.stays())];
    let lines: Vec<&str> = lines.into_iter().flatten().collect();
    let named = Facts::read(&format!("{}\n{}\n{dropped}", heir.text(), lines.join("\n")));
    let body = old.body();
    let of_body = sentences(&body).into_iter().filter(|sentence| !super::versions::is_mark(sentence));
    let lost = of_body.filter(|sentence| !Facts::read(sentence).sentences.is_subset(&stands.sentences));
    let heads = [old.name(), old.description(), candidate.pointer.as_deref().map(Into::into)].into_iter().flatten();
    let heads = heads.filter(|head| {
        let slug = !head.contains(char::is_whitespace);
        let mut words = Facts::read(head).words;
        words.retain(|word| !slug || word.chars().any(char::is_alphabetic));
        !words.is_subset(&named.words)
    });
    let mut lost: Vec<String> = lost.chain(heads.map(|head| head.trim().to_owned())).collect();
    // What was contradicted may go, and for each value of it another one comes: a date for a date, a number for a number.
    if candidate.held.is_none() && !is_exchange(&dropped, &heir.text()) {
        lost.push(format!("values without others in their place: {}", dropped.trim()));
    }
    lost
}

/// Every check but those of the index and of the share that goes.
pub(super) fn all(workspace: &Workspace, said: &HashSet<String>) -> Vec<DreamCheck> {
    let touched: Vec<&WorkspaceMemory> =
        workspace.candidates.iter().filter(|candidate| candidate.changed() || !candidate.stays()).collect();
    let changed: Vec<&&WorkspaceMemory> = touched.iter().filter(|candidate| candidate.changed()).collect();
    let lost: Vec<String> = (0..workspace.candidates.len())
        .flat_map(|at| lost(workspace, at).into_iter().map(move |line| (at, line)))
        .map(|(at, line)| format!("{}: {line}", workspace.candidates[at].file))
        .collect();
    let pinned: Vec<String> = touched
        .iter()
        .filter(|candidate| candidate.before.as_ref().is_some_and(|before| Topic::parse(before.clone()).pinned()))
        .map(|candidate| candidate.file.to_string())
        .collect();
    let sourceless: Vec<String> = workspace
        .candidates
        .iter()
        .filter(|candidate| candidate.dropped.iter().any(|dropped| dropped.reason.is_empty()))
        .map(|candidate| candidate.file.to_string())
        .chain(changed.iter().filter(|candidate| loses_keys(candidate)).map(|candidate| candidate.file.to_string()))
        .collect();
    let large: Vec<String> = changed
        .iter()
        .filter(|candidate| {
            let size = candidate.topic.as_bytes().len();
            size > limits::PROPOSED_BYTES && candidate.before.as_ref().is_none_or(|before| size > before.len())
        })
        .map(|candidate| candidate.file.to_string())
        .collect();
    let secret: Vec<String> = changed
        .iter()
        .filter(|candidate| !secrets::scan(&String::from_utf8_lossy(candidate.topic.as_bytes())).is_empty())
        .map(|candidate| candidate.file.to_string())
        .collect();
    let invented = invented(workspace, &changed, said);
    let dropped: usize = workspace.candidates.iter().map(|candidate| candidate.dropped.len()).sum();
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

/// Changed memories with a date that was in no memory and that nobody said (H2).
fn invented(workspace: &Workspace, changed: &[&&WorkspaceMemory], said: &HashSet<String>) -> Vec<String> {
    if changed.is_empty() {
        return Vec::new();
    }
    let mut known = said.clone();
    for before in workspace.candidates.iter().filter_map(|candidate| candidate.before.as_ref()) {
        known.extend(Facts::read(&String::from_utf8_lossy(before)).dates().map(str::to_owned));
    }
    let is_new = |candidate: &&&&WorkspaceMemory| {
        let now = Facts::read(&String::from_utf8_lossy(candidate.topic.as_bytes()));
        now.dates().any(|date| !known.contains(date))
    };
    changed.iter().filter(is_new).map(|candidate| candidate.file.to_string()).collect()
}

/// Whether a frontmatter key that was there is gone.
fn loses_keys(candidate: &WorkspaceMemory) -> bool {
    let Some(before) = &candidate.before else { return false };
    let now = candidate.topic.keys();
    // A second value of a key is a version of it; what went of it is noted line by line.
    let lost = |key: &String| !now.contains(key) && !super::versions::is_second(&candidate.file, key);
    Topic::parse(before.clone()).keys().iter().any(lost)
}
