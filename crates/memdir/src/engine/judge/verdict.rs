//! The verdict on a statement: read together with each near memory, and the clearest reading decides.
//!
//! Enters: a statement and known memories. Leaves: a [`Verdict`]. A memory of several sentences is read as a whole and by the sentences
//! nearest to the statement, so that one changed line of a long note is found. Where the reader is torn, the verdict says so and nobody
//! guesses (K7).

use std::ops::Range;

use memdir_encoder::{Encoder, Reader, Relation, RelationScores};

use super::body::Body;
use super::known::KnownMemory;
use memdir_reader::{likeness, long_note, sentences};

/// A memory is touched when the reader gives this much to its being meant at all.
const TOUCHED: f32 = 0.6;
/// Below this it is not meant; in between it may be.
const MAYBE: f32 = 0.4;
/// A memory that is no nearer than this, in meaning or words, is about something else; so is one that is hardly nearer and has no word
/// in common.
const FAR: f32 = 0.3;
const FAINT: f32 = 0.45;
/// Sentences of a long memory that are read by themselves.
const SENTENCES: usize = 3;
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

    /// Says what a statement is to the known memories.
    pub(in crate::engine) fn verdict(self, statement: &str, known: &[KnownMemory]) -> Verdict {
        let mut best: Option<(f32, usize, RelationScores, Option<Range<usize>>)> = None;
        for (at, one) in known.iter().enumerate() {
            if says_word_for_word(one, statement) {
                return Verdict::Same(at);
            }
            // Nothing speaks for its being meant but that both are short: the reader is easily misled there.
            if one.nearness < FAR || (one.nearness < FAINT && !shares_words(one, statement)) {
                continue;
            }
            for view in views(one, statement) {
                let scores = self.reader.relation(statement, &view.text);
                let meant = meant(&scores);
                if best.as_ref().is_none_or(|(most, ..)| meant > *most) {
                    best = Some((meant, at, scores, view.place));
                }
            }
        }
        let Some((meant, at, scores, place)) = best else { return Verdict::New };
        if meant < MAYBE {
            return Verdict::New;
        }
        if meant < TOUCHED {
            return Verdict::Undecided(at);
        }
        match settled(&scores) {
            Relation::Same => Verdict::Same(at),
            Relation::Refine => Verdict::Refine(at),
            Relation::Drop => Verdict::Drop(at),
            _ => {
                let place = place.or_else(|| self.sentence(statement, &known[at]));
                Verdict::Update(at, place)
            }
        }
    }

    /// Says what a statement is to one that came before it.
    pub(in crate::engine) fn between(self, statement: &str, earlier: &str) -> Between {
        let scores = self.reader.relation(statement, earlier);
        if meant(&scores) < TOUCHED {
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
        let readings = views(known, words).into_iter().map(|view| meant(&self.reader.relation(words, &view.text)));
        readings.fold(0.0, f32::max)
    }

    /// Which sentence of a memory of several a statement takes the place of.
    fn sentence(self, statement: &str, known: &KnownMemory) -> Option<Range<usize>> {
        let body = known.topic.body();
        let places = statements(&body);
        if places.len() < 2 {
            return None;
        }
        let name = known.name();
        let update = |place: &Range<usize>| {
            self.reader.relation(statement, &format!("{name}. {}", body[place.clone()].trim())).of(Relation::Update)
        };
        let scored = places.into_iter().map(|place| (update(&place), place));
        scored.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, place)| place)
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

/// Whether a memory and a statement have a content word in common.
fn shares_words(known: &KnownMemory, statement: &str) -> bool {
    let told = likeness::words(&format!("{} {} {}", known.name(), known.description(), known.topic.body()));
    let telling = |word: &&String| !word.starts_with(|c: char| c.is_ascii_digit());
    likeness::words(statement).iter().filter(telling).any(|word| told.contains(word))
}

/// Whether every sentence of a statement stands in a memory, with the same words in the same order.
fn says_word_for_word(known: &KnownMemory, statement: &str) -> bool {
    let said = sentences::said(statement);
    let told = sentences::said(&format!("{}\n{}\n{}", known.name(), known.description(), known.topic.body()));
    !said.is_empty() && said.is_subset(&told)
}

fn views(known: &KnownMemory, statement: &str) -> Vec<View> {
    let (name, body) = (known.name(), known.topic.body().into_owned());
    let parts = Body::read(&body);
    let why = parts.why.as_deref().map(|why| format!(" Why: {why}")).unwrap_or_default();
    let told = if parts.statement.trim().is_empty() { known.description() } else { parts.statement.clone() };
    let places = statements(&body);
    let mut views = Vec::new();
    if told.chars().count() <= WHOLE && !long_note::is_long(&body) {
        views.push(View { text: format!("{name}. {told}{why}"), place: None });
    } else {
        views.push(View { text: format!("{name}. {}", known.description()), place: None });
    }
    if places.len() > 1 {
        let wanted = likeness::words(statement);
        let shared = |place: &Range<usize>| {
            likeness::words(&body[place.clone()]).iter().filter(|word| wanted.contains(word)).count()
        };
        let mut ranked: Vec<(usize, Range<usize>)> = places.into_iter().map(|place| (shared(&place), place)).collect();
        ranked.sort_by(|(a, _), (b, _)| b.cmp(a));
        for (_, place) in ranked.into_iter().take(SENTENCES).filter(|(shared, _)| *shared > 0) {
            views.push(View { text: format!("{name}. {}", body[place.clone()].trim()), place: Some(place) });
        }
    }
    views
}

/// Where the sentences of a body stand that are neither heading nor label nor code.
fn statements(body: &str) -> Vec<Range<usize>> {
    long_note::statements(body)
}
