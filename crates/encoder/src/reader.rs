//! The reader: two texts read together, where the encoder reads one.
//!
//! Enters: a new statement and a known memory, or a sentence with the message it is in and what was said before. Leaves: how
//! likely each relation, or each kind of sentence, is. Deterministic like the encoder, and as free of state. It has no opinion on what
//! should be done about it, and no threshold.

use crate::blob::{self, Section};
use crate::forward::{self, Trunk};
use crate::kernel::{Kernel, Proof};
use crate::shape::{HIDDEN, READER_POSITIONS, RELATION_INNER, RELATIONS, SENTENCES};
use crate::tokens;
use std::ops::Range;

/// The trunk that reads a statement beside a memory, and the one that reads a sentence in its message. They were one: what is learned
/// of either costs the other.
pub(crate) const RELATION: Trunk =
    Trunk { layers: &blob::RELATION_LAYERS_AT, places: blob::READER_PLACES, second: Some(blob::READER_SECOND) };
pub(crate) const SENTENCE: Trunk =
    Trunk { layers: &blob::SENTENCE_LAYERS_AT, places: blob::READER_PLACES, second: Some(blob::READER_SECOND) };

/// Tokens of a statement and a memory, and of a message and its sentence, that are read: as in training.
const PAIR_TOKENS: usize = 144;
const SENTENCE_TOKENS: usize = 176;
const _: () = assert!(SENTENCE_TOKENS <= READER_POSITIONS && PAIR_TOKENS <= READER_POSITIONS);

/// Characters of what was said before, its end, and of the message that are read.
const BEFORE_CHARS: usize = 220;
const MESSAGE_CHARS: usize = 400;

/// What a new statement is to a known memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Relation {
    /// The same, perhaps in other words.
    Same,
    /// What was known has changed.
    Update,
    /// It adds a detail or an exception; what was known stays true.
    Refine,
    /// It is about something else.
    Apart,
    /// What was known no longer holds, and nothing takes its place.
    Drop,
    /// A question, a plan or a guess about it: nothing is known again.
    Unsure,
}

impl Relation {
    /// Every relation, in the order of the scores.
    pub const ALL: [Self; RELATIONS] = [Self::Same, Self::Update, Self::Refine, Self::Apart, Self::Drop, Self::Unsure];

    /// Its name in the training data.
    pub fn name(self) -> &'static str {
        blob::RELATION_NAMES[self as usize]
    }
}

/// What a sentence of a user's message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SentenceKind {
    /// A standing instruction on how to work.
    Rule,
    /// Confirms an approach that is worth keeping.
    Praise,
    /// Who the user is.
    Profile,
    /// A fact that holds beyond the task.
    Fact,
    /// Where something outside the repository is.
    Pointer,
    /// An explicit wish to keep something.
    Remember,
    /// An explicit wish to drop something.
    Forget,
    /// Why a rule or a fact is so.
    Reason,
    /// Holds for this task only.
    OneOff,
    /// The state of now.
    Transient,
    /// The code or its history says it.
    Derivable,
    /// A question.
    Question,
    /// Thanks, agreement, chat.
    Empty,
    /// Holds a credential.
    Secret,
    /// Pasted, or somebody else's words.
    Quoted,
    /// What would be if.
    Hypothetical,
    /// Means the opposite.
    Sarcasm,
    /// Said and taken back.
    Retracted,
}

impl SentenceKind {
    /// Every kind, in the order of the scores.
    pub const ALL: [Self; SENTENCES] = [
        Self::Rule,
        Self::Praise,
        Self::Profile,
        Self::Fact,
        Self::Pointer,
        Self::Remember,
        Self::Forget,
        Self::Reason,
        Self::OneOff,
        Self::Transient,
        Self::Derivable,
        Self::Question,
        Self::Empty,
        Self::Secret,
        Self::Quoted,
        Self::Hypothetical,
        Self::Sarcasm,
        Self::Retracted,
    ];
    /// The kinds that are worth keeping by themselves.
    pub const WORTH_KEEPING: [Self; 5] = [Self::Rule, Self::Praise, Self::Profile, Self::Fact, Self::Pointer];

    /// Its name in the training data.
    pub fn name(self) -> &'static str {
        blob::SENTENCE_NAMES[self as usize]
    }
}

/// How likely each relation is; they add up to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelationScores([f32; RELATIONS]);

impl RelationScores {
    /// How likely one relation is.
    pub fn of(&self, relation: Relation) -> f32 {
        self.0[relation as usize]
    }

    /// The likeliest relation.
    pub fn best(&self) -> Relation {
        Relation::ALL[largest(&self.0)]
    }
}

/// How likely each kind of sentence is; they add up to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SentenceScores {
    kinds: [f32; SENTENCES],
    needs: f32,
}

impl SentenceScores {
    /// How likely one kind is.
    pub fn of(&self, kind: SentenceKind) -> f32 {
        self.kinds[kind as usize]
    }

    /// The likeliest kind.
    pub fn best(&self) -> SentenceKind {
        SentenceKind::ALL[largest(&self.kinds)]
    }

    /// How likely it is one of the kinds that are worth keeping by themselves.
    pub fn worth_keeping(&self) -> f32 {
        SentenceKind::WORTH_KEEPING.iter().map(|kind| self.of(*kind)).sum()
    }

    /// How likely the sentence cannot be understood without what stands around it.
    pub fn needs_context(&self) -> f32 {
        self.needs
    }
}

/// The reader. Cheap to make: it only finds out what the processor can do.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    kernel: Proof,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// Takes the fastest kernel this processor can run.
    pub fn new() -> Self {
        Self { kernel: Proof::best() }
    }

    /// Takes the given kernel, if this processor can run it.
    pub fn with_kernel(kernel: Kernel) -> Option<Self> {
        kernel.proof().map(|kernel| Self { kernel })
    }

    /// Says what a new statement is to a known memory: its name, a full stop, what it says, and its reason after `Why:`.
    pub fn relation(&self, statement: &str, known: &str) -> RelationScores {
        let (tokens, second) = pair(tokens::tokens(statement.chars(), PAIR_TOKENS), known, PAIR_TOKENS);
        let hidden = self.kernel.hidden(&RELATION, &tokens, second);
        let (first, second) = hidden.split_at(second * HIDDEN);
        let (first, second) = (forward::mean(first), forward::mean(second));
        let distance: [f32; HIDDEN] = std::array::from_fn(|at| (first[at] - second[at]).abs());
        let product: [f32; HIDDEN] = std::array::from_fn(|at| first[at] * second[at]);
        let input = [first, second, distance, product];
        let mut inner = [0.0; RELATION_INNER];
        dense(input.as_flattened(), blob::RELATION_INNER_WEIGHTS, blob::RELATION_INNER_BIAS, &mut inner);
        let inner = inner.map(f32::tanh);
        let mut scores = [0.0; RELATIONS];
        dense(&inner, blob::RELATION_WEIGHTS, blob::RELATION_BIAS, &mut scores);
        RelationScores(softmax(scores))
    }

    /// Says what a sentence of a message is. `before` is what the assistant said last, or empty; a place that is no place in the
    /// message means all of it.
    pub fn sentence(&self, before: &str, message: &str, place: Range<usize>) -> SentenceScores {
        let sentence = message.get(place.clone()).unwrap_or(message);
        let start = if sentence.len() == message.len() { 0 } else { place.start };
        let (before, message) = context(before, message, start);
        let context = tokens::parts([&before, " || ", &message], SENTENCE_TOKENS);
        let (tokens, second) = pair(context, sentence, SENTENCE_TOKENS);
        let hidden = self.kernel.hidden(&SENTENCE, &tokens, second);
        let input = [forward::mean(&hidden[second * HIDDEN..]), forward::mean(&hidden)];
        let (mut kinds, mut needs) = ([0.0; SENTENCES], [0.0]);
        dense(input.as_flattened(), blob::SENTENCE_WEIGHTS, blob::SENTENCE_BIAS, &mut kinds);
        dense(input.as_flattened(), blob::NEEDS_WEIGHTS, blob::NEEDS_BIAS, &mut needs);
        SentenceScores { kinds: softmax(kinds), needs: 1.0 / (1.0 + (-needs[0]).exp()) }
    }
}

/// Joins what is read with a second text.
fn pair(first: Vec<u32>, second: &str, limit: usize) -> (Vec<u32>, usize) {
    tokens::pair(first, &tokens::tokens(second.chars(), limit), limit)
}

/// What a sentence is read in: the end of what was said before, and the message, or as much of it around the sentence as is read.
fn context(before: &str, message: &str, sentence: usize) -> (String, String) {
    let before = if before.trim().is_empty() { "nothing" } else { before.trim() };
    let skipped = before.chars().count().saturating_sub(BEFORE_CHARS);
    let earlier = message.get(..sentence).map_or(0, |text| text.chars().count());
    let skipped_of_message =
        if message.chars().count() <= MESSAGE_CHARS { 0 } else { earlier.saturating_sub(MESSAGE_CHARS / 2) };
    (before.chars().skip(skipped).collect(), message.chars().skip(skipped_of_message).take(MESSAGE_CHARS).collect())
}

fn dense(input: &[f32], weights: Section, bias: Section, output: &mut [f32]) {
    let rows = weights.floats().chunks_exact(input.len());
    for ((output, row), bias) in output.iter_mut().zip(rows).zip(bias.floats()) {
        *output = row.iter().zip(input).map(|(weight, value)| weight * value).sum::<f32>() + bias;
    }
}

fn softmax<const N: usize>(scores: [f32; N]) -> [f32; N] {
    let largest = scores.iter().copied().fold(f32::MIN, f32::max);
    let powers = scores.map(|score| (score - largest).exp());
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

fn largest(scores: &[f32]) -> usize {
    (0..scores.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn labels_are_named_as_in_training() {
        assert!(Relation::ALL.iter().all(|one| one.name() == format!("{one:?}").to_lowercase()));
        assert!(SentenceKind::ALL.iter().all(|one| one.name() == format!("{one:?}").to_lowercase()));
        assert!(Relation::ALL.iter().enumerate().all(|(at, one)| *one as usize == at));
        assert!(SentenceKind::ALL.iter().enumerate().all(|(at, one)| *one as usize == at));
    }

    #[test]
    fn a_long_message_is_read_around_its_sentence() {
        let message = format!("{}the sentence.{}", "before ".repeat(200), " after".repeat(200));
        let at = message.find("the").unwrap_or_default();
        assert!(context("", &message, at).1.contains("the sentence."));
        assert_eq!(context(" ", "short", 0), ("nothing".to_owned(), "short".to_owned()));
        assert_eq!(context(&"x".repeat(300), "m", 0).0.chars().count(), BEFORE_CHARS);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn any_text_has_scores(before in ".{0,40}", message in ".{0,80}", from in 0usize..90, to in 0usize..90) {
            let reader = Reader::new();
            let scores = reader.sentence(&before, &message, from..to);
            let sum: f32 = SentenceKind::ALL.iter().map(|kind| scores.of(*kind)).sum();
            prop_assert!((sum - 1.0).abs() < 1e-4 && (0.0..=1.0).contains(&scores.needs_context()));
            let relation = reader.relation(&before, &message);
            let sum: f32 = Relation::ALL.iter().map(|one| relation.of(*one)).sum();
            prop_assert!((sum - 1.0).abs() < 1e-4);
        }
    }
}
