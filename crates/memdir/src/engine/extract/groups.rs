//! Which parts of a message belong together: one topic, one memory (K8).
//!
//! Enters: the parts of a message, as the reader scored them. Leaves: for each topic what is said of it and why, in order. A reason goes
//! with what it follows, or, where nothing came before it, with what follows it. A part that cannot be understood alone joins the one
//! before it. Nothing is changed in the words.

use memdir_encoder::{Encoder, SentenceKind};

use super::parts::{Part, PartRole};
use memdir_core::kind::Type;
use memdir_lexicon as lexicon;
use memdir_reader::likeness;

/// Further than this in meaning, what is marked as another topic is one.
const MARKED: f32 = 0.35;
/// Further than this, two sentences without a common word are two topics even without a mark. People rarely say two things in one
/// message that have nothing to do with each other, and what they say of one thing is seldom near in meaning.
const FAR: f32 = 0.1;
/// A part that needs what stands around it at this is not alone.
pub(super) const NEEDS: f32 = 0.5;

/// What sounds like a reason at this is one where it follows a rule or a fact.
pub(super) const WHY: f32 = 0.2;

/// One topic of a message.
#[derive(Clone, Debug)]
pub(super) struct Group<'u> {
    pub(super) said: Vec<Part<'u>>,
    pub(super) whys: Vec<Part<'u>>,
}

impl Group<'_> {
    /// What was said of it.
    pub(super) fn text(&self) -> String {
        self.said.iter().map(|part| part.text).collect::<Vec<_>>().join(" ")
    }

    /// The type: that of the kind which the parts speak for most.
    pub(super) fn kind(&self) -> Type {
        let weight = |kind: SentenceKind| self.said.iter().map(|part| part.scores.of(kind)).sum::<f32>();
        let of_type = |wanted: Type| {
            SentenceKind::WORTH_KEEPING.into_iter().filter(|kind| type_of(*kind) == wanted).map(weight).sum::<f32>()
        };
        // What stands first is what the rest follows from.
        let first = self.said.first().map(|part| type_of(part.scores.kept_as()));
        let score = |kind: Type| of_type(kind) + if first == Some(kind) { 0.5 } else { 0.0 };
        Type::ALL.into_iter().max_by(|a, b| score(*a).total_cmp(&score(*b))).unwrap_or(Type::Project)
    }

    /// Whether no part of it can be understood without something outside the message.
    pub(super) fn needs_context(&self) -> bool {
        self.said.iter().all(|part| part.scores.needs_context() >= NEEDS)
    }
}

/// The type of memory that a kind of sentence becomes.
pub(super) fn type_of(kind: SentenceKind) -> Type {
    match kind {
        SentenceKind::Rule | SentenceKind::Praise => Type::Feedback,
        SentenceKind::Profile => Type::User,
        SentenceKind::Pointer => Type::Reference,
        _ => Type::Project,
    }
}

/// What a message says by topic, and reasons for which it names nothing.
pub(super) fn groups<'u>(
    encoder: Encoder,
    parts: &[Part<'u>],
    keep: impl Fn(&Part<'u>) -> bool,
) -> (Vec<Group<'u>>, Vec<Part<'u>>) {
    let mut groups: Vec<Group<'u>> = Vec::new();
    let mut waiting: Vec<Part<'u>> = Vec::new();
    let mut before: Option<&Part<'u>> = None;
    for part in parts {
        if part.place == PartRole::Reason {
            match groups.last_mut() {
                Some(group) => group.whys.push(*part),
                None => waiting.push(*part),
            }
        } else if keep(part) {
            match groups.last_mut().filter(|group| goes_on(encoder, group, part)) {
                Some(group) if explains(group, part) => group.whys.push(*part),
                Some(group) => group.said.push(*part),
                None => {
                    let stated =
                        |one: &&Part<'u>| one.scores.unsaid() < NEEDS && one.scores.of(SentenceKind::Empty) < NEEDS;
                    // "That is Ines. She owns it": what comes first says who.
                    let meant = before.filter(|_| part.scores.needs_context() >= NEEDS).filter(stated);
                    let said = meant.into_iter().chain([part]).copied().collect();
                    groups.push(Group { said, whys: std::mem::take(&mut waiting) });
                }
            }
        }
        before = Some(part);
    }
    (groups, waiting)
}

/// Whether a part is about the same thing as those before it.
fn goes_on(encoder: Encoder, group: &Group<'_>, part: &Part<'_>) -> bool {
    if part.scores.needs_context() >= NEEDS {
        return true;
    }
    let text = group.text();
    let near = nearness(encoder, &text, part.text);
    let lower = part.text.to_lowercase();
    if lexicon::NEW_TOPIC_OPENING.longest_prefix_of(&lower).is_some() && near < MARKED {
        return false;
    }
    if group.said.last().is_some_and(|last| last.sentence == part.sentence) {
        return true;
    }
    let kinds = (group.kind(), type_of(part.scores.kept_as()));
    // A rule and a fact beside it, or who somebody is and what follows from it, explain each other.
    let tied = matches!(kinds, (Type::Feedback, Type::Project) | (Type::Project | Type::User, Type::Feedback));
    // Where something stands is no part of who somebody is or of what holds, unless it is about the same.
    let least = if kinds.0 == kinds.1 { FAR } else { MARKED };
    tied || near >= least || shares(&text, part.text)
}

/// Whether a part that is worth keeping tells why: behind a rule, a plain fact does.
fn explains(group: &Group<'_>, part: &Part<'_>) -> bool {
    let fact = part.scores.kept_as() == SentenceKind::Fact;
    match group.kind() {
        Type::Feedback => fact,
        Type::Project => fact && part.scores.of(SentenceKind::Reason) >= WHY,
        _ => false,
    }
}

fn shares(one: &str, other: &str) -> bool {
    let words = likeness::words(one);
    likeness::words(other).iter().any(|word| words.contains(word))
}

/// How near two pieces are in meaning.
pub(super) fn nearness(encoder: Encoder, first: &str, second: &str) -> f32 {
    let [whole, _] = encoder.encode_memory("", "", first);
    encoder.encode_query(second).cosine(&whole)
}
