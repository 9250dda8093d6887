//! Two memories become one.
//!
//! Enters: the desk and its near pairs. Leaves: duplicates in the one file that says all of both, outdated versions of a fact
//! beside the one that tells what became of it, and what nobody can tell from the words, for a person. Two that say the
//! same in other words are proposed to become one: only the same sentences prove it (H1). Every
//! sentence of a memory that goes stands in the survivor, or is the very one that was contradicted (H3). A pinned memory is
//! never written on and never goes; one that this dream revised already is left in peace.

use super::desk::{Desk, Dropped, Fate, Grounds, Sheet};
use super::pairs::nearest;
use super::relate::{Relation, may_relate, relate};
use memdir_reader::facts::{Facts, sentences};
use memdir_reader::likeness::{self, Note, words};

/// Memories that may contradict each other, or themselves.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Unsure {
    /// The two files, or the one that holds both versions.
    pub files: Vec<String>,
    /// What to look at.
    pub why: String,
}

/// Merges and replaces what can be; returns what is unsure.
pub(super) fn unite(desk: &mut Desk) -> Vec<Unsure> {
    let notes: Vec<Note> = desk.sheets.iter().map(|sheet| Note::read(&sheet.text())).collect();
    let mut busy: Vec<bool> = desk.sheets.iter().map(|sheet| sheet.before.is_some() && !sheet.is_untouched()).collect();
    let near = nearest(desk, &notes).into_iter().filter(|near| may_relate(near.score, near.mutual));
    let related: Vec<(usize, usize, Relation)> = near
        .filter(|near| !busy[near.one] && !busy[near.other])
        .map(|near| {
            let (one, other) = (&desk.sheets[near.one], &desk.sheets[near.other]);
            (near.one, near.other, relate(one, other, (&notes[near.one], &notes[near.other]), near.score, near.mutual))
        })
        .collect();
    // What is proven comes first, and a third that is the same joins what the first two became.
    for (one, other, relation) in &related {
        let (one, other) = (desk.heir(*one), desk.heir(*other));
        if let Relation::Double { first_wins } = relation
            && one != other
        {
            let (stays, goes) = if *first_wins { (one, other) } else { (other, one) };
            // What the dream brings goes into what is there, not the other way round.
            let is_new = |at: usize| desk.sheets[at].before.is_none();
            let (stays, goes) = if is_new(stays) && !is_new(goes) { (goes, stays) } else { (stays, goes) };
            merge(desk, goes, stays, Grounds::Double);
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
            Relation::Unsure => unsure.push(Unsure {
                files: vec![desk.sheets[one].file.to_string(), desk.sheets[other].file.to_string()],
                why: "they are about the same thing and differ; both are kept".to_owned(),
            }),
            Relation::Same => {
                let (stays, goes) = ordered(is_survivor(&desk.sheets[one], &desk.sheets[other]));
                merge(desk, goes, stays, Grounds::Alike);
            }
            Relation::Supersedes { first_wins, later } => {
                let (stays, goes) = ordered(first_wins);
                replace(desk, goes, stays, later);
            }
            Relation::Double { .. } | Relation::Apart => continue,
        }
        (busy[one], busy[other]) = (true, true);
    }
    unsure
}

/// Which of two that say the same stays: one that is there already, the later one, the longer one.
fn is_survivor(one: &Sheet, other: &Sheet) -> bool {
    let rank = |sheet: &Sheet| (sheet.before.is_some(), sheet.said_at, sheet.body().chars().count());
    rank(one).cmp(&rank(other)).then_with(|| other.file.as_str().cmp(one.file.as_str())).is_ge()
}

/// Folds one memory into another; the union of both stays, sentence for sentence.
fn merge(desk: &mut Desk, goes: usize, stays: usize, grounds: Grounds) {
    // A pin keeps its file as it is: the other one goes only if the pinned one has all of it.
    let (goes, stays) = if desk.sheets[goes].topic.pinned() { (stays, goes) } else { (goes, stays) };
    if desk.sheets[goes].topic.pinned() {
        return;
    }
    let added = unsaid(&desk.sheets[goes], &desk.sheets[stays]);
    if !added.is_empty() && desk.sheets[stays].topic.pinned() {
        return;
    }
    let file = desk.sheets[goes].file.to_string();
    let long = desk.sheets[goes].is_long() || desk.sheets[stays].is_long();
    let target = &mut desk.sheets[stays];
    for line in &added {
        target.add_line(line);
    }
    target.notes.push(format!("says what {file} said too"));
    target.grounds = target.grounds.max(grounds);
    let sheet = &mut desk.sheets[goes];
    sheet.fate = Fate::Merged(stays);
    sheet.grounds = grounds;
    if long {
        sheet.hold("a long note is there twice");
    } else if grounds == Grounds::Alike && sheet.before.is_some() {
        sheet.hold("both seem to say the same; a person knows");
    }
}

/// What the survivor has to take over: sentences it does not have, and a name, description or index line of which a
/// word stands nowhere in it.
fn unsaid(goes: &Sheet, stays: &Sheet) -> Vec<String> {
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

/// Lets the version of a fact that tells of the change stand for the other one.
fn replace(desk: &mut Desk, goes: usize, stays: usize, later: bool) {
    if desk.sheets[goes].topic.pinned() {
        return;
    }
    let by = desk.sheets[stays].file.to_string();
    let kept = unrelated(&desk.sheets[goes].body(), &desk.sheets[goes].description());
    if !kept.is_empty() && desk.sheets[stays].topic.pinned() {
        return;
    }
    let file = desk.sheets[goes].file.to_string();
    let target = &mut desk.sheets[stays];
    let known = sentences(&target.body());
    for sentence in kept.iter().filter(|sentence| !known.contains(sentence)) {
        target.add_line(sentence);
        target.notes.push(format!("keeps a sentence of {file}"));
    }
    target.grounds = target.grounds.max(Grounds::Later);
    let whole = target.text();
    let sheet = &mut desk.sheets[goes];
    let reason = format!("superseded by {by}");
    let old = format!("{}\n{}\n{}", sheet.text(), sheet.description(), sheet.pointer.as_deref().unwrap_or_default());
    let contradicted = old.lines().filter(|line| !line.trim().is_empty());
    sheet.dropped.extend(contradicted.map(|line| Dropped { line: line.to_owned(), reason: reason.clone() }));
    sheet.fate = Fate::Superseded(stays);
    sheet.grounds = Grounds::Later;
    if !later {
        sheet.hold("nothing but the wording tells which was said later");
    } else if !is_exchange(&old, &whole) {
        sheet.hold("it says more than what was contradicted");
    }
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
