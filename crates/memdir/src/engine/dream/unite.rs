//! Two memories become one.
//!
//! Enters: the workspace and its near pairs. Leaves: duplicates in the one file that says all of both, the later of two that cannot both
//! hold, proposed, and what nobody can tell from the words, for a person. Two that say the
//! same in other words are proposed to become one: only the same sentences prove it (H1). Every
//! sentence of a memory that goes is in the survivor, or is the very one that was contradicted (H3). A pinned memory is
//! never written on and never goes; one that this dream revised already is left in peace.

use super::pairs::nearest;
use super::relate::{MemoryRelation, relate};
use super::workspace::{ChangeGrounds, DiscardedLine, MemoryFate, Workspace, WorkspaceMemory};
use crate::engine::judge::Readings;
use memdir_reader::facts::{Facts, sentences};
use memdir_reader::likeness::{self, Note, words};
use memdir_reader::title;

/// A memory that contradicts more than this many others is one of a series.
const SERIES: usize = 2;

/// Memories that may contradict each other, or themselves.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PossibleContradiction {
    /// The two files, or the one that holds both versions.
    pub files: Vec<String>,
    /// What to look at.
    pub why: String,
}

/// Hears how many pairs of how many are compared.
type HearPairs<'s> = &'s mut dyn FnMut(usize, usize);

/// What near memories are to each other, the nearest first.
pub(super) fn related(
    workspace: &Workspace,
    readings: &mut Readings<'_>,
    step: HearPairs<'_>,
) -> Vec<(usize, usize, MemoryRelation)> {
    let notes: Vec<Note> = workspace.candidates.iter().map(|candidate| Note::read(&candidate.text())).collect();
    let busy = |at: usize| workspace.candidates[at].before.is_some() && !workspace.candidates[at].is_untouched();
    let near: Vec<_> =
        nearest(workspace, &notes).into_iter().filter(|near| !busy(near.one) && !busy(near.other)).collect();
    let total = near.len();
    let mut found: Vec<(usize, usize, MemoryRelation)> = near
        .into_iter()
        .enumerate()
        .map(|(done, near)| {
            step(done, total);
            let (one, other) = (&workspace.candidates[near.one], &workspace.candidates[near.other]);
            (near.one, near.other, relate(one, other, (&notes[near.one], &notes[near.other]), &near, readings))
        })
        .filter(|(_, _, relation)| *relation != MemoryRelation::Apart)
        .collect();
    // What contradicts many is one of a series: each is about its own thing.
    let mut partners = vec![0_usize; workspace.candidates.len()];
    for (one, other, _) in found.iter().filter(|(_, _, relation)| matches!(relation, MemoryRelation::Contradict { .. }))
    {
        partners[*one] += 1;
        partners[*other] += 1;
    }
    found.retain(|(one, other, relation)| {
        !matches!(relation, MemoryRelation::Contradict { .. }) || partners[*one].max(partners[*other]) <= SERIES
    });
    found
}

/// Merges and replaces what can be; returns what is unsure.
pub(super) fn unite(
    workspace: &mut Workspace,
    readings: &mut Readings<'_>,
    step: HearPairs<'_>,
) -> Vec<PossibleContradiction> {
    let related = related(workspace, readings, step);
    let mut busy: Vec<bool> =
        workspace.candidates.iter().map(|candidate| candidate.before.is_some() && !candidate.is_untouched()).collect();
    // What is proven comes first, and a third that is the same joins what the first two became.
    for (one, other, relation) in &related {
        let (one, other) = (workspace.heir(*one), workspace.heir(*other));
        if let MemoryRelation::Double { first_wins } = relation
            && one != other
        {
            let (stays, goes) = if *first_wins { (one, other) } else { (other, one) };
            // What the dream brings goes into what is there, not the other way round.
            let is_new = |at: usize| workspace.candidates[at].before.is_none();
            let (stays, goes) = if is_new(stays) && !is_new(goes) { (goes, stays) } else { (stays, goes) };
            merge(workspace, goes, stays, ChangeGrounds::Double);
            (busy[one], busy[other]) = (true, true);
        }
    }
    let mut unsure = Vec::new();
    // Of the rest each memory has one part in a dream: of what it became nobody has compared anything.
    for (one, other, relation) in related {
        if busy[one] || busy[other] {
            continue;
        }
        let ordered = |first: bool| if first { (one, other) } else { (other, one) };
        match relation {
            MemoryRelation::Same => {
                let (stays, goes) = ordered(is_survivor(&workspace.candidates[one], &workspace.candidates[other]));
                merge(workspace, goes, stays, ChangeGrounds::Alike);
            }
            MemoryRelation::Supersedes { first_wins: first, later } => {
                let (stays, goes) = ordered(first);
                replace(workspace, goes, stays, later);
            }
            MemoryRelation::Contradict { first_later: Some(first) } => {
                let (stays, goes) = ordered(first);
                replace(workspace, goes, stays, true);
            }
            MemoryRelation::Unsure | MemoryRelation::Contradict { .. } => {
                let (one, other) = (&workspace.candidates[one], &workspace.candidates[other]);
                let why = format!(
                    "one says “{}”, the other “{}”; they are about the same thing and differ; both are kept",
                    says(one),
                    says(other)
                );
                unsure.push(PossibleContradiction { files: vec![one.file.to_string(), other.file.to_string()], why });
            }
            MemoryRelation::Double { .. } | MemoryRelation::Apart => continue,
        }
        (busy[one], busy[other]) = (true, true);
    }
    unsure
}

/// What a memory says, in a line.
pub(super) fn says(candidate: &WorkspaceMemory) -> String {
    title::summary(&likeness::statement_of(&candidate.body()))
}

/// Which of two that say the same stays: one that is there already, the later one, the longer one.
fn is_survivor(one: &WorkspaceMemory, other: &WorkspaceMemory) -> bool {
    let rank =
        |candidate: &WorkspaceMemory| (candidate.before.is_some(), candidate.said_at, candidate.body().chars().count());
    rank(one).cmp(&rank(other)).then_with(|| other.file.as_str().cmp(one.file.as_str())).is_ge()
}

/// Folds one memory into another; the union of both stays, sentence for sentence.
fn merge(workspace: &mut Workspace, goes: usize, stays: usize, grounds: ChangeGrounds) {
    // A pin keeps its file as it is: the other one goes only if the pinned one has all of it.
    let (goes, stays) = if workspace.candidates[goes].topic.pinned() { (stays, goes) } else { (goes, stays) };
    if workspace.candidates[goes].topic.pinned() {
        return;
    }
    let added = unsaid(&workspace.candidates[goes], &workspace.candidates[stays]);
    if !added.is_empty() && workspace.candidates[stays].topic.pinned() {
        return;
    }
    let file = workspace.candidates[goes].file.to_string();
    let long = workspace.candidates[goes].is_long() || workspace.candidates[stays].is_long();
    let target = &mut workspace.candidates[stays];
    for line in &added {
        target.add_line(line);
    }
    target.notes.push(format!("says what {file} said too"));
    target.grounds = target.grounds.max(grounds);
    let candidate = &mut workspace.candidates[goes];
    candidate.fate = MemoryFate::Merged(stays);
    candidate.grounds = grounds;
    if long {
        candidate.hold("a long note is there twice");
    } else if grounds == ChangeGrounds::Alike && candidate.before.is_some() {
        candidate.hold("both seem to say the same; a person knows");
    }
}

/// What the survivor has to take over: sentences it does not have, and a name, description or index line of which a
/// word stands nowhere in it.
fn unsaid(goes: &WorkspaceMemory, stays: &WorkspaceMemory) -> Vec<String> {
    let known = Facts::read(&stays.body());
    let mut all = Facts::read(&format!("{}\n{}", stays.text(), stays.pointer.as_deref().unwrap_or_default()));
    let mut added = Vec::new();
    for line in goes.body().lines() {
        let missing = sentences(line).into_iter().filter(|one| !Facts::read(one).sentences.is_subset(&known.sentences));
        let missing: Vec<String> = missing.collect();
        if !missing.is_empty() {
            let whole = sentences(line).len() == missing.len();
            added.push(if whole { line.trim().to_owned() } else { missing.join(" ") });
        }
    }
    all.words.extend(Facts::read(&added.join("\n")).words);
    // A line whose memory goes is pointed to the survivor where that has none, and stays then.
    let line = stays.pointer.is_some().then(|| goes.pointer.clone()).flatten().unwrap_or_default();
    let heads = [goes.description(), goes.name()].into_iter().chain(line.lines().map(str::to_owned));
    for head in heads.filter(|head| !head.trim().is_empty()) {
        let mut said = Facts::read(&head);
        // The number of a slug only kept two files apart.
        said.words.retain(|word| head.contains(char::is_whitespace) || word.chars().any(char::is_alphabetic));
        if !said.words.is_subset(&all.words) {
            all.words.extend(said.words);
            added.push(head);
        }
    }
    added
}

/// Proposes that one of two that cannot both hold stands for the other.
fn replace(workspace: &mut Workspace, goes: usize, stays: usize, by_time: bool) {
    if workspace.candidates[goes].topic.pinned() {
        return;
    }
    let by = workspace.candidates[stays].file.to_string();
    let kept = unrelated(&workspace.candidates[goes].body(), &workspace.candidates[goes].description());
    if !kept.is_empty() && workspace.candidates[stays].topic.pinned() {
        return;
    }
    let file = workspace.candidates[goes].file.to_string();
    let target = &mut workspace.candidates[stays];
    let known = sentences(&target.body());
    for sentence in kept.iter().filter(|sentence| !known.contains(sentence)) {
        target.add_line(sentence);
        target.notes.push(format!("keeps a sentence of {file}"));
    }
    target.grounds = target.grounds.max(ChangeGrounds::Later);
    let whole = target.text();
    let candidate = &mut workspace.candidates[goes];
    let reason = format!("superseded by {by}");
    let old = format!(
        "{}\n{}\n{}",
        candidate.text(),
        candidate.description(),
        candidate.pointer.as_deref().unwrap_or_default()
    );
    let contradicted = old.lines().filter(|line| !line.trim().is_empty());
    candidate.dropped.extend(contradicted.map(|line| DiscardedLine { line: line.to_owned(), reason: reason.clone() }));
    candidate.fate = MemoryFate::Superseded(stays);
    candidate.grounds = ChangeGrounds::Later;
    candidate.hold(match () {
        () if !is_exchange(&old, &whole) => "both cannot hold, and it says more than what was contradicted",
        () if by_time => "both cannot hold, and the other one was said later",
        () => "both cannot hold; nothing but the wording tells which was said later",
    });
}

/// Whether one text takes the place of another fact for fact: of no sort does more go than comes.
pub(super) fn is_exchange(old: &str, new: &str) -> bool {
    let (old, new) = (Facts::read(old), Facts::read(new));
    let comes = old.lacks(&new);
    new.lacks(&old).iter().all(|(sort, goes)| comes.get(sort).copied().unwrap_or(0) >= *goes)
}

/// Sentences of an older version that are about something else: they name something and share no
/// word with the fact that changed.
fn unrelated(body: &str, told: &str) -> Vec<String> {
    let statement = likeness::statement_of(body);
    let mut sentences = sentences(&statement).into_iter();
    let first = sentences.next().unwrap_or_default();
    let about: Vec<String> = words(&format!("{told} {first}"));
    sentences
        .filter(|sentence| {
            let own = words(sentence);
            own.len() >= 3 && !own.iter().any(|word| about.contains(word))
        })
        .collect()
}
