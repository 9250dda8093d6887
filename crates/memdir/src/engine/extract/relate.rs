//! How something new relates to what is known: the same, a change of it, or new.
//!
//! Enters: a draft, and the memories of the project. Leaves: the memory it repeats, the one it changes, or
//! none. Judged by words (likeness) and by meaning (the encoder's cosine) together: a paraphrase shares
//! no word, and a neighbour of the same topic shares many. Never changes a file.

use std::collections::BTreeSet;

use memdir_encoder::{Embedding, Encoder};

use super::draft::{Draft, all_dates};
use super::values::swaps;
use crate::engine::duplicate_candidates::DuplicateCandidates;
use crate::engine::listing::{Role, role};
use crate::engine::{Error, Memory};
use memdir_core::kind::{Scope, Type};
use memdir_guard::confine::RelPath;
use memdir_lexicon as lexicon;
use memdir_reader::cues::Clause;
use memdir_reader::dates::CALENDAR_NAMES;
use memdir_reader::likeness::{self, Note};
use memdir_store::topic::Topic;

/// Up to so many memories of a scope all are compared; beyond it the closest by words.
const ALL: usize = 64;

/// Nearness in meaning and likeness in words, added. On pairs of an old and a new version of one fact from 49
/// fictional teams, two thirds reach this and no other memory does.
const SAME: f32 = 0.72;
/// Where the new text says that something changed: four of five pairs reach it, and one other memory in twenty.
const CHANGED: f32 = 0.58;
/// The same for what somebody says of themselves: there is little of it, and it is all about one person.
const CHANGED_SELF: f32 = 0.42;
/// Where the new text also names the old value.
const NAMED: f32 = 0.4;
/// Nearness of a memory that a wish to forget shares no word with.
const SAME_TOPIC: f32 = 0.55;
/// What a wish to forget must reach to mean a memory.
const MEANT: f32 = 0.42;
/// The same where the words leave no doubt that memory is meant.
const FAINT: f32 = 0.3;
/// And by how much the best must lead the second.
const LEAD: f32 = 0.08;

/// A known memory, read.
pub(super) struct Known {
    pub(super) file: RelPath,
    pub(super) scope: Scope,
    pub(super) kind: Option<Type>,
    pub(super) pinned: bool,
    name: String,
    description: String,
    body: String,
    note: Note,
    vectors: [Embedding; 2],
}

impl Known {
    fn text(&self) -> String {
        format!("{}\n{}\n{}", self.name, self.description, self.body)
    }

    /// What it says, without its name.
    pub(super) fn told(&self) -> String {
        format!("{} {}", self.description, self.body)
    }

    fn nearness(&self, vector: &Embedding) -> f32 {
        self.vectors.iter().map(|own| own.cosine(vector)).fold(0.0, f32::max)
    }
}

/// What a draft is to what is known.
#[derive(Debug, PartialEq)]
pub(super) enum Relation {
    /// Nothing like it is known.
    New,
    /// It is known: the place among the known.
    Known(usize),
    /// It changes this one, or adds to it.
    Update(usize),
}

/// The memories that may have to do with some texts.
pub(super) fn known(memory: &Memory, encoder: Encoder, about: &str) -> Result<Vec<Known>, Error> {
    let mut found = Vec::new();
    for (scope, store) in memory.stores()? {
        store.notice_once(memory.now.timestamp())?;
        let catalog = store.known()?;
        let topics: Vec<&str> = catalog.paths().into_iter().filter(|path| role(path) == Role::Topic).collect();
        let paths: Vec<String> = if topics.len() <= ALL {
            topics.into_iter().map(str::to_owned).collect()
        } else {
            let scopes = if scope == Scope::Private { vec![Scope::Private, Scope::Team] } else { vec![scope] };
            let candidates = |scope| DuplicateCandidates::of(scope, &catalog);
            let near = |scope| {
                candidates(scope).closest(about, &catalog).map(|known| known.path.to_owned()).collect::<Vec<_>>()
            };
            scopes.into_iter().flat_map(near).collect()
        };
        for path in paths {
            let Ok(file) = RelPath::parse(&path) else { continue };
            let Ok(Some(bytes)) = store.root().read(&file) else { continue };
            let topic = Topic::parse(bytes);
            let scope = if scope == Scope::Private && file.in_team() { Scope::Team } else { scope };
            let (name, description) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
            let body = topic.body().into_owned();
            found.push(Known {
                note: Note::read(&format!("{name}\n{description}\n{body}")),
                vectors: encoder.encode_memory(&name, &description, &body),
                kind: topic.kind(),
                pinned: topic.pinned(),
                name: name.into_owned(),
                description: description.into_owned(),
                body,
                file,
                scope,
            });
        }
    }
    Ok(found)
}

/// Compares a draft with everything known.
pub(super) fn relate(draft: &Draft, known: &[Known], encoder: Encoder) -> Relation {
    let text = draft.text();
    let views: Vec<(Embedding, Note)> = [Some(draft.statement.clone()), draft.in_context(), draft.context.clone()]
        .into_iter()
        .flatten()
        .map(|view| (encoder.encode_query(&view), Note::read(&view)))
        .collect();
    let mut best: Option<(f32, usize)> = None;
    for (at, one) in known.iter().enumerate() {
        let score =
            views.iter().map(|(vector, note)| one.nearness(vector) + note.likeness(&one.note)).fold(0.0, f32::max);
        let enough = match one.kind {
            Some(Type::User) if draft.changes && draft.kind == Type::User => CHANGED_SELF,
            _ if draft.changes && same_type(draft, one) => CHANGED,
            _ => SAME,
        };
        let covered = likeness::contains(&one.text(), &draft.statement);
        if !covered && other_names(&draft.statement, &one.text()) {
            continue;
        }
        if (covered || score >= enough) && best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, at));
        }
    }
    let Some((_, at)) = best else { return Relation::New };
    let said = known[at].text();
    let covered = likeness::contains(&said, &draft.statement);
    if covered || (!draft.changes && !is_news(&text, &said)) { Relation::Known(at) } else { Relation::Update(at) }
}

/// The known memory whose value a draft replaces: about the same thing, and by a value that the draft itself calls the old one or
/// that is the only one of its sort.
pub(super) fn outdated(draft: &Draft, known: &[Known], encoder: Encoder) -> Option<usize> {
    let (vector, note) = (encoder.encode_query(&draft.statement), Note::read(&draft.statement));
    let scored = known.iter().enumerate().filter_map(|(at, one)| {
        let swapped = swaps(&one.told(), &draft.statement);
        // "instead of 02:00": the draft names what the memory says.
        let named = swapped.iter().any(|(old, _)| draft.statement.contains(old.as_str()));
        let score = one.nearness(&vector) + note.likeness(&one.note);
        let enough = if named { NAMED } else { SAME };
        (!swapped.is_empty() && score >= enough).then_some((score, at))
    });
    scored.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, at)| at)
}

fn same_type(draft: &Draft, known: &Known) -> bool {
    known.kind.is_none_or(|kind| kind == draft.kind)
        // A changed fact sounds like a rule now and then, and the other way round.
        || matches!((known.kind, draft.kind), (Some(Type::Project | Type::Reference), Type::Project | Type::Reference))
        || matches!((known.kind, draft.kind), (Some(Type::Project | Type::Feedback), Type::Project | Type::Feedback))
        || matches!((known.kind, draft.kind), (Some(Type::User | Type::Feedback), Type::User | Type::Feedback))
}

/// Whether both name somebody or something, and not the same: "depot Bergen" is not "depot Aarhus".
pub(super) fn other_names(draft: &str, known: &str) -> bool {
    let (new, old) = (names(draft), names(known));
    // In chat a name often has no capital.
    let (draft, known) = (draft.to_lowercase(), known.to_lowercase());
    let shared = new.iter().any(|name| known.contains(&name.to_lowercase()))
        || old.iter().any(|name| draft.contains(&name.to_lowercase()));
    !new.is_empty() && !old.is_empty() && !shared
}

/// Names: words with a capital in the middle of a sentence.
fn names(text: &str) -> BTreeSet<String> {
    const NO_NAMES: &[&str] = &["Why", "How", "Approved", "Not", "About", "User"];
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let mut opens = true;
        for word in line.split_whitespace() {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            let mut letters = bare.chars();
            let named =
                letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase);
            if named && !opens && !NO_NAMES.contains(&bare) && !CALENDAR_NAMES.contains(&bare) {
                found.insert(bare.to_owned());
            }
            opens = word.ends_with(['.', '!', '?', ':', '*']);
        }
    }
    found
}

/// Whether a text says something that the other does not: a date, a number, or several words.
fn is_news(text: &str, known: &str) -> bool {
    let known_words = likeness::words(known);
    let unknown: Vec<String> = likeness::words(text).into_iter().filter(|word| !known_words.contains(word)).collect();
    let known_dates = all_dates(known);
    let dated = all_dates(text).iter().any(|date| !known_dates.contains(date));
    let numbered = unknown.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    dated || numbered || unknown.len() >= 4
}

/// The memory that a wish to forget means.
#[derive(Debug, PartialEq)]
pub(super) enum Meant {
    /// This one.
    One(usize),
    /// One of these; somebody has to say which.
    Several(Vec<usize>),
    /// None that is known.
    None,
}

/// Finds what should be forgotten by what is said of it.
pub(super) fn meant(words: &str, context: &str, known: &[Known], encoder: Encoder) -> Meant {
    let said = likeness::words(words);
    let object = about(words).unwrap_or(words);
    let vectors = [encoder.encode_query(words), encoder.encode_query(object)];
    let context = likeness::words(context);
    // Who speaks of what was stored means a memory, whatever words it is kept in.
    let of_memory = Clause::new(words).says(&lexicon::OF_MEMORY);
    let mut scores: Vec<(f32, usize)> = Vec::new();
    for (at, one) in known.iter().enumerate() {
        let file = one.file.as_str().replace(['_', '.', '/', '-'], " ");
        let about: BTreeSet<String> =
            likeness::words(&format!("{file} {} {}", one.name, one.description)).into_iter().collect();
        let shared = about.iter().filter(|word| said.contains(word)).count();
        let spoken_of = about.iter().filter(|word| context.contains(word)).count();
        let near = vectors.iter().map(|vector| one.nearness(vector)).fold(0.0, f32::max);
        let score = near + 0.15 * shared.min(3) as f32 + 0.04 * spoken_of.min(2) as f32;
        let may_be = shared > 0 || near >= SAME_TOPIC || (of_memory && near >= FAINT);
        if may_be && score >= if of_memory { FAINT } else { MEANT } {
            scores.push((score, at));
        }
    }
    scores.sort_by(|a, b| b.0.total_cmp(&a.0));
    match scores.as_slice() {
        [] => Meant::None,
        [(_, at)] => Meant::One(*at),
        [(first, at), (second, _), ..] if first - second >= LEAD => Meant::One(*at),
        several => Meant::Several(several.iter().take(3).map(|(_, at)| *at).collect()),
    }
}

/// What a wish to forget is about, where it says so.
fn about(words: &str) -> Option<&str> {
    let lower = words.to_lowercase();
    let at =
        [" about ", " that ", " on "].iter().filter_map(|word| lower.find(word).map(|at| at + word.len())).min()?;
    words
        .get(at..)
        .map(|rest| rest.split([',', '.', ';']).next().unwrap_or(rest))
        .filter(|rest| !rest.trim().is_empty())
}

impl Known {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn description(&self) -> &str {
        &self.description
    }
}
