//! Which parts of a message belong together: one topic, one memory (K8).
//!
//! Enters: the parts of a message, as the reader heard them. Leaves: for each topic what is said of it and why, in order. A reason goes
//! with what it follows, or, where nothing came before it, with what follows it. A part that cannot be understood alone joins the one
//! before it. Nothing is changed in the words.

use memdir_encoder::{Encoder, SentenceKind};

use super::heard::Part;
use memdir_core::kind::Type;
use memdir_reader::likeness;

/// Nearer than this in meaning, two sentences of a message are about one thing.
const NEAR: f32 = 0.3;
/// The same where they are things of different types: a rule and who the person is have little in common.
const NEAR_OTHER: f32 = 0.45;
/// A part that needs what stands around it at this is not alone.
pub(super) const NEEDS: f32 = 0.5;

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
        let weight = |kind: SentenceKind| self.said.iter().map(|part| part.sound.of(kind)).sum::<f32>();
        let of_type = |wanted: Type| {
            SentenceKind::WORTH_KEEPING.into_iter().filter(|kind| type_of(*kind) == wanted).map(weight).sum::<f32>()
        };
        // What stands first is what the rest follows from.
        let first = self.said.first().map(|part| type_of(part.sound.kept_as()));
        let score = |kind: Type| of_type(kind) + if first == Some(kind) { 0.5 } else { 0.0 };
        Type::ALL.into_iter().max_by(|a, b| score(*a).total_cmp(&score(*b))).unwrap_or(Type::Project)
    }

    /// Whether no part of it can be understood without something outside the message.
    pub(super) fn needs_context(&self) -> bool {
        self.said.iter().all(|part| part.sound.needs_context() >= NEEDS)
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
    for part in parts {
        if keep(part) {
            match groups.last_mut().filter(|group| goes_on(encoder, group, part)) {
                Some(group) => group.said.push(*part),
                None => groups.push(Group { said: vec![*part], whys: std::mem::take(&mut waiting) }),
            }
        } else if part.sound.best() == SentenceKind::Reason {
            match groups.last_mut() {
                Some(group) => group.whys.push(*part),
                None => waiting.push(*part),
            }
        }
    }
    (groups, waiting)
}

/// Whether a part is about the same thing as those before it.
fn goes_on(encoder: Encoder, group: &Group<'_>, part: &Part<'_>) -> bool {
    let text = group.text();
    let same_sentence = group.said.last().is_some_and(|last| last.sentence == part.sentence);
    let same_type = group.kind() == type_of(part.sound.kept_as());
    if part.sound.needs_context() >= NEEDS || (same_sentence && same_type) {
        return true;
    }
    let near = nearness(encoder, &text, part.text);
    let shared = same_type && likeness::words(part.text).iter().any(|word| likeness::words(&text).contains(word));
    near >= if same_type || same_sentence { NEAR } else { NEAR_OTHER } || (shared && near >= NEAR / 2.0)
}

/// How near two pieces are in meaning.
pub(super) fn nearness(encoder: Encoder, first: &str, second: &str) -> f32 {
    let [whole, _] = encoder.encode_memory("", "", first);
    encoder.encode_query(second).cosine(&whole)
}
