//! The verdict on a statement: read together with each near memory, and the clearest reading decides.
//!
//! Enters: a statement and known memories. Leaves: a [`Verdict`]. A memory of several sentences is read as a whole and by the sentences
//! nearest to the statement, so that one changed line of a long note is found. Where the reader is torn, the verdict says so and nobody
//! guesses (K7).

use std::cell::LazyCell;
use std::ops::Range;

use memdir_encoder::{Encoder, Reader, Relation, RelationScores, SentenceKind};

use super::body::Body;
use super::known::KnownMemory;
use super::scope::is_narrower;
use super::unsaid::Unsaid;
use super::values::Values;
use memdir_core::kind::Type;
use memdir_lexicon as lexicon;
use memdir_reader::likeness::{self, TextPolarity};
use memdir_reader::phrase_match::PhraseMatcher;
use memdir_reader::{long_note, sentences};

/// A memory is touched when the reader gives this much to its being meant at all.
const TOUCHED: f32 = 0.65;
/// Below this it is not meant; in between it may be.
const MAYBE: f32 = 0.3;
/// However sure the reader is, a memory this far away in meaning is another one: a few in a hundred that are meant are further
/// away, and nine in ten that are not.
const FAR: f32 = 0.28;
/// What nearness in meaning is worth beside the reader, where several memories may be meant, and what the words are worth that a
/// memory has in common with the statement.
const NEARER: f32 = 0.5;
const COMMON: f32 = 0.3;
/// What somebody is changes with a statement about a person: this likely one, or one in so many of the memory's words.
const OF_A_PERSON: f32 = 0.1;
const NAMED: f32 = 0.2;
/// How near a memory must be where it has no word in common, and where it has few.
const FAINT: f32 = 0.55;
const FAINTER: f32 = 0.45;
const FEW_WORDS: f32 = 0.2;
/// Sentences of a long memory that are read by themselves: those that share most of the statement's words. However few those are, whoever
/// speaks wordily of one item of a list shares little with it.
const SENTENCES: usize = 4;
/// Sentences that are read to find the one whose place a statement takes.
const READ_CLOSELY: usize = 6;
/// Characters of a memory that are read as a whole.
const WHOLE: usize = 420;

/// What a statement is to what is known; places are among the known.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::engine) enum Verdict {
    /// Nothing like it is known.
    New,
    /// This memory says so already.
    Same(usize),
    /// It takes the place of what this memory says, or of one sentence of its body.
    Update(usize, Option<Range<usize>>),
    /// It adds to this memory.
    Refine(usize),
    /// It only says that this memory no longer holds.
    Drop(usize),
    /// It may change this memory or stand beside it; the words do not decide.
    Undecided(usize),
}

/// What a statement is to another that nobody has written down yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Between {
    /// It says the same.
    Same,
    /// It takes its place.
    Replaces,
    /// It adds to it.
    Refines,
    /// It only says that it no longer holds.
    Ends,
    /// It is about something else, or the words do not decide.
    Apart,
}

/// Reads statements against memories. Cheap to make.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::engine) struct Judge {
    encoder: Encoder,
    reader: Reader,
}

/// One way to read a memory: as a whole, or one sentence of its body.
struct View {
    text: String,
    place: Option<Range<usize>>,
}

impl Judge {
    pub(in crate::engine) fn encoder(self) -> Encoder {
        self.encoder
    }

    pub(super) fn reader(self) -> Reader {
        self.reader
    }

    /// What a statement is to a text, by the reader alone. Whether it ends with a full stop says nothing about that, and the reader has seen
    /// too few that do.
    fn read(self, statement: &str, known: &str) -> RelationScores {
        self.reader.relation(statement.trim_end_matches(['.', '。']), known)
    }

    /// Which type of memory a statement makes (F2).
    pub(in crate::engine) fn kind(self, statement: &str) -> Type {
        let scores = self.reader.sentence("", statement, 0..statement.len());
        let of = |kind: Type| match kind {
            Type::User => scores.of(SentenceKind::Profile),
            Type::Feedback => {
                scores.of(SentenceKind::Rule) + scores.of(SentenceKind::Praise) + scores.of(SentenceKind::OneOff)
            }
            Type::Project => {
                scores.of(SentenceKind::Fact) + scores.of(SentenceKind::Transient) + scores.of(SentenceKind::Derivable)
            }
            Type::Reference => scores.of(SentenceKind::Pointer),
        };
        Type::ALL.into_iter().max_by(|a, b| of(*a).total_cmp(&of(*b))).unwrap_or(Type::Project)
    }

    /// Says what a statement is to the known memories.
    pub(in crate::engine) fn verdict(self, statement: &str, known: &[KnownMemory]) -> Verdict {
        // Nothing needs to be read where the words are there already.
        if let Some(at) = known.iter().position(|one| says_word_for_word(one, statement)) {
            return Verdict::Same(at);
        }
        let mut best: Option<(f32, usize, RelationScores, Option<Range<usize>>)> = None;
        let of_a_person = LazyCell::new(|| {
            // Whoever says "I", or is spoken of as the user, speaks of a person.
            PhraseMatcher::new(statement).says(&lexicon::FIRST_PERSON)
                || statement.to_lowercase().contains("the user")
                || self.reader.sentence("", statement, 0..statement.len()).of(SentenceKind::Profile) >= OF_A_PERSON
        });
        for (at, one) in known.iter().enumerate() {
            let common = shared(statement, &one.stated());
            let somebody = one.kind() == Some(Type::User) && common < NAMED;
            // However the reader takes it, one that is meant for sure, nearer and closer in its words stays the best.
            let best_possible = 1.0 + NEARER * one.near + COMMON * common;
            let too_late = best.as_ref().is_some_and(|(most, ..)| *most >= best_possible);
            if one.near < FAR || too_late || somebody && !*of_a_person {
                continue;
            }
            for view in views(one, statement) {
                let scores = self.read(statement, &view.text);
                let meant = meant(&scores);
                // Of two that may be meant, the nearer one is.
                let score = meant + NEARER * one.near + COMMON * common;
                if meant >= MAYBE && best.as_ref().is_none_or(|(most, ..)| score > *most) {
                    best = Some((score, at, scores, view.place));
                }
            }
        }
        let Some((_, at, scores, place)) = best else { return Verdict::New };
        let common = shared(statement, &known[at].stated());
        // What is further away may be added to, which takes nothing from it.
        let takes = settled(&scores) != Relation::Refine && is_far(known[at].near, common);
        if meant(&scores) < TOUCHED || is_faint(known[at].near, common) || takes {
            return Verdict::Undecided(at);
        }
        // Another number or weekday for the same thing is neither the same nor more of it.
        let told = known[at].topic.body();
        let other =
            Values::of(place.as_ref().map_or(&*told, |place| &told[place.clone()])).conflict(&Values::of(statement));
        let all = format!("{}. {}. {told}", known[at].name(), known[at].description());
        let narrower = || is_narrower(statement, &all);
        let relation = match settled(&scores) {
            // What a memory has not said it does not know: a correction that is taken for a repetition is lost.
            Relation::Same if !other => match Unsaid::in_memory(statement, &all) {
                Unsaid::Nothing => return Verdict::Same(at),
                Unsaid::More => Relation::Refine,
                Unsaid::Another => Relation::Update,
            },
            relation => relation,
        };
        match relation {
            // Every word of it stands there, said the same way: nothing is added.
            Relation::Refine
                if !other && TextPolarity::read(&known[at].stated()).covers(&TextPolarity::read(statement)) =>
            {
                Verdict::Same(at)
            }
            Relation::Refine if !other => Verdict::Refine(at),
            // What holds for one case leaves the rule as it is.
            Relation::Refine | Relation::Update if narrower() => Verdict::Refine(at),
            Relation::Drop => Verdict::Drop(at),
            _ => {
                let place = self.sentence(statement, &known[at]).or(place);
                // No sentence of a long note speaks of it: it is one more.
                let strange = place.as_ref().is_some_and(|place| shared(statement, &told[place.clone()]) == 0.0);
                if strange && !other && long_note::is_long(&told) {
                    Verdict::Refine(at)
                } else {
                    Verdict::Update(at, place)
                }
            }
        }
    }

    /// Says what a statement is to one that came before it.
    pub(in crate::engine) fn between(self, statement: &str, earlier: &str) -> Between {
        let scores = self.read(statement, earlier);
        if meant(&scores) < TOUCHED {
            return Between::Apart;
        }
        // As with a known memory: what is far away in meaning, or near without a common word, is another thing.
        let [near, _] = self.encoder.encode_memory("", "", earlier);
        let near = near.cosine(&self.encoder.encode_query(statement));
        let common = shared(statement, earlier);
        if near < FAR || is_faint(near, common) || is_far(near, common) {
            return Between::Apart;
        }
        match settled(&scores) {
            Relation::Same => Between::Same,
            Relation::Refine => Between::Refines,
            Relation::Drop => Between::Ends,
            _ => Between::Replaces,
        }
    }

    /// How likely some words are about a known memory.
    pub(in crate::engine) fn meant(self, words: &str, known: &KnownMemory) -> f32 {
        let readings = views(known, words).into_iter().map(|view| meant(&self.read(words, &view.text)));
        readings.fold(0.0, f32::max)
    }

    /// Which sentence of a memory of several a statement takes the place of: the one that says most of its words, or another value
    /// for them, and that the reader takes for the old one.
    fn sentence(self, statement: &str, known: &KnownMemory) -> Option<Range<usize>> {
        let body = known.topic.body();
        let places = long_note::statements(&body);
        if places.len() < 2 {
            return None;
        }
        let values = Values::of(statement);
        let fits = |place: &Range<usize>| {
            let told = body[place.clone()].trim();
            let update = self.read(statement, &read_as(known, told)).of(Relation::Update);
            let conflict = Values::of(told).conflict(&values);
            let named = if values.names_one_of(&Values::of(told)) { 0.5 } else { 0.0 };
            shared(statement, told) + 0.5 * update + named + if conflict { 0.5 } else { 0.0 }
        };
        let mut places: Vec<(f32, Range<usize>)> =
            places.into_iter().map(|place| (shared(statement, &body[place.clone()]), place)).collect();
        let named = |place: &Range<usize>| values.names_one_of(&Values::of(&body[place.clone()]));
        places.sort_by(|(a, one), (b, other)| {
            named(other).cmp(&named(one)).then(b.total_cmp(a)).then(one.start.cmp(&other.start))
        });
        places.truncate(READ_CLOSELY);
        let scored = places.into_iter().map(|(_, place)| (fits(&place), place));
        scored.max_by(|(a, one), (b, other)| a.total_cmp(b).then(other.start.cmp(&one.start))).map(|(_, place)| place)
    }
}

/// How likely a memory is meant at all.
fn meant(scores: &RelationScores) -> f32 {
    1.0 - scores.of(Relation::Apart) - scores.of(Relation::Unsure)
}

/// The likeliest relation to a memory that is meant.
fn settled(scores: &RelationScores) -> Relation {
    let meant = [Relation::Same, Relation::Update, Relation::Refine, Relation::Drop];
    meant.into_iter().max_by(|a, b| scores.of(*a).total_cmp(&scores.of(*b))).unwrap_or(Relation::Update)
}

/// Whether a memory is near without a common word: it is not changed by what the reader alone makes of it.
fn is_faint(near: f32, common: f32) -> bool {
    near < FAINT && common == 0.0
}

/// Whether a memory is so far away, with so little in common, that nothing of it goes without a question.
fn is_far(near: f32, common: f32) -> bool {
    near < FAINTER && common <= FEW_WORDS
}

/// The share of a statement's words that a text says.
fn shared(statement: &str, told: &str) -> f32 {
    let (wanted, told) = (likeness::words(statement), likeness::words(told));
    wanted.iter().filter(|word| told.contains(word)).count() as f32 / wanted.len().max(1) as f32
}

/// A memory, or one sentence of it, as it is read: under its name and description where they say what it is about. Said twice they
/// only mislead: the reader was trained on `name. text`, and what stands in the text needs no saying before it.
fn read_as(known: &KnownMemory, told: &str) -> String {
    let (name, description) = (known.name(), known.description());
    let adds = |part: &str| !part.trim().is_empty() && !likeness::contains(told, part);
    match (adds(&name), adds(&description)) {
        (true, true) => format!("{name}: {}. {told}", description.trim_end_matches(['.', '。'])),
        (true, false) => format!("{name}. {told}"),
        (false, true) => format!("{}. {told}", description.trim_end_matches(['.', '。'])),
        (false, false) => told.to_owned(),
    }
}

/// Whether every sentence of a statement stands in a memory, with the same words in the same order.
fn says_word_for_word(known: &KnownMemory, statement: &str) -> bool {
    let said = sentences::said(statement);
    let told = sentences::said(&format!("{}\n{}\n{}", known.name(), known.description(), known.topic.body()));
    !said.is_empty() && said.is_subset(&told)
}

fn views(known: &KnownMemory, statement: &str) -> Vec<View> {
    let body = known.topic.body().into_owned();
    let told = Body::read(&body).statement;
    if told.chars().count() <= WHOLE && !long_note::is_long(&body) {
        let told = if told.trim().is_empty() { known.description() } else { told };
        return vec![View { text: read_as(known, &told), place: None }];
    }
    let mut views = vec![View { text: read_as(known, &known.description()), place: None }];
    let mut ranked: Vec<(f32, Range<usize>)> = long_note::statements(&body)
        .into_iter()
        .map(|place| (shared(statement, &body[place.clone()]), place))
        .collect();
    ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    for (_, place) in ranked.into_iter().take(SENTENCES).filter(|(shared, _)| *shared > 0.0) {
        views.push(View { text: read_as(known, body[place.clone()].trim()), place: Some(place) });
    }
    views
}

#[cfg(test)]
mod tests {
    use super::*;
    use memdir_core::kind::Scope;
    use memdir_guard::confine::RelPath;
    use memdir_store::topic::{NewTopic, Topic};

    #[test]
    fn k4_who_somebody_is_changes_only_with_a_statement_about_a_person() {
        let told = |kind: Type, name: &str, body: &str, near: f32| {
            let new = NewTopic { name, description: "", kind: Some(kind), body, pinned: false };
            KnownMemory::found(Scope::Private, RelPath::parse("one.md").unwrap(), Topic::compose(&new), near)
        };
        let ottokar = told(Type::User, "Ottokar", "Ottokar leitet die Netzplanung.", 0.6);
        let water = "Die Wasserzähler werden einmal am Tag ausgelesen.";
        assert_eq!(Judge::default().verdict(water, std::slice::from_ref(&ottokar)), Verdict::New);
        let role = told(Type::User, "Role", "The user is a backend engineer in the payments team.", 0.6);
        let moved = Judge::default().verdict("The user moved to the test team.", &[role]);
        assert_ne!(moved, Verdict::New);
    }
}
