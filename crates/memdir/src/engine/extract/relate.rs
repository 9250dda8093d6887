//! How something new stands to what is known: the same, a change of it, or news.
//!
//! Enters: a draft, and the memories of the project. Leaves: the memory it repeats, the one it changes, or
//! none. Judged by words (likeness) and by meaning (the encoder's cosine) together: a paraphrase shares
//! no word, and a neighbour of the same topic shares many. Never changes a file.

use memdir_encoder::{Embedding, Encoder};

use super::compose::{Draft, all_dates};
use crate::engine::kin::Kin;
use crate::engine::listing::{Role, role};
use crate::engine::{Error, Memory};
use crate::guard::confine::RelPath;
use crate::kind::{Scope, Type};
use crate::store::topic::Topic;
use crate::text::likeness::{self, Note};

/// Up to so many memories of a scope all are compared; beyond it the closest by words.
const ALL: usize = 64;

/// By meaning alone: the same thing in other words.
const SAME_MEANING: f32 = 0.80;
/// By meaning: the same topic, when the new text says that something changed.
const SAME_TOPIC: f32 = 0.55;
/// By words: the same topic, when the new text says that something changed.
const SAME_WORDS: f32 = 0.25;
/// What a wish to forget must reach to mean a memory.
const MEANT: f32 = 0.42;
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
            let kin = |scope| Kin::of(scope, &catalog);
            let near = |scope| kin(scope).closest(about, &catalog).map(|known| known.path.to_owned()).collect::<Vec<_>>();
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
    let vector = encoder.encode_query(&draft.statement);
    let note = Note::read(&text);
    let mut best: Option<(f32, usize, bool)> = None;
    for (at, one) in known.iter().enumerate() {
        let (near, alike) = (one.nearness(&vector), note.likeness(&one.note));
        let said = one.text();
        let covered = likeness::contains(&said, &draft.statement);
        let fresh = is_news(&text, &said);
        let same = covered
            || alike >= likeness::SAME
            || near >= SAME_MEANING
            || (draft.reminds && !fresh && near.max(alike) >= SAME_TOPIC);
        let changed = draft.changes && same_type(draft, one) && (near >= SAME_TOPIC || alike >= SAME_WORDS) && shares_topic(&text, one);
        if !same && !changed {
            continue;
        }
        let score = near + alike;
        if best.is_none_or(|(highest, ..)| score > highest) {
            best = Some((score, at, !covered && (fresh || (draft.changes && changed))));
        }
    }
    match best {
        None => Relation::New,
        Some((_, at, true)) => Relation::Update(at),
        Some((_, at, false)) => Relation::Known(at),
    }
}

fn same_type(draft: &Draft, known: &Known) -> bool {
    known.kind.is_none_or(|kind| kind == draft.kind)
        // A changed fact sounds like a rule now and then, and the other way round.
        || matches!((known.kind, draft.kind), (Some(Type::Project | Type::Reference), Type::Project | Type::Reference))
        || matches!((known.kind, draft.kind), (Some(Type::Project | Type::Feedback), Type::Project | Type::Feedback))
}

/// Whether a telling word of what a memory is about is said.
fn shares_topic(text: &str, known: &Known) -> bool {
    let said = likeness::words(text);
    let about = likeness::words(&format!("{} {} {}", known.name, known.description, known.body));
    about.iter().any(|word| said.contains(word))
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
    let vector = encoder.encode_query(words);
    let mut scores: Vec<(f32, usize)> = known
        .iter()
        .enumerate()
        .filter_map(|(at, one)| {
            let about = likeness::words(&format!("{} {} {}", one.file.as_str().replace(['_', '.', '/'], " "), one.name, one.description));
            let shared = about.iter().collect::<std::collections::BTreeSet<_>>().into_iter().filter(|word| said.contains(word)).count();
            let spoken_of = likeness::words(context).iter().filter(|word| about.contains(word)).count();
            let score = one.nearness(&vector) + 0.15 * shared.min(3) as f32 + 0.04 * spoken_of.min(2) as f32;
            (shared > 0 || one.nearness(&vector) >= SAME_TOPIC).then_some((score, at))
        })
        .filter(|(score, _)| *score >= MEANT)
        .collect();
    scores.sort_by(|a, b| b.0.total_cmp(&a.0));
    match scores.as_slice() {
        [] => Meant::None,
        [(_, at)] => Meant::One(*at),
        [(first, at), (second, _), ..] if first - second >= LEAD => Meant::One(*at),
        several => Meant::Several(several.iter().take(3).map(|(_, at)| *at).collect()),
    }
}

impl Known {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn description(&self) -> &str {
        &self.description
    }
}
