//! What each part of a message is, as the reader scores it.
//!
//! Enters: one utterance, with what the assistant had said before it. Leaves: its parts in order, each with what it is: something
//! to keep, the reason of something, a wish, or nothing of use, and how sure the reader is. A sentence is read as a whole; one of
//! several clauses also clause by clause, so that a reason is told from its rule and a task from the fact beside it. Knows no
//! phrases, and decides nothing about memory.

use memdir_encoder::{Reader, SentenceKind, SentenceScores};

use super::clause::clauses;
use super::exchange::Utterance;
use super::groups::NEEDS;
use super::wish;
use memdir_core::limits;
use memdir_reader::cues;
use memdir_reader::sentences::sentences;

/// How much the reading of the whole sentence counts for each of its clauses: a clause alone has little to be judged by.
const OF_WHOLE: f32 = 0.4;
/// A clause is cut off from a sentence that is kept where it is something else at this.
const CUT_OFF: f32 = 0.5;
/// A reason is one at this: alone it sounds like any fact, and more so the more its sentence is worth keeping.
const REASON: f32 = 0.4;
/// A clause that is worth keeping at this is so by itself.
const SURE: f32 = 0.7;
/// A clause that seems to be small talk and is longer than this stays: openings and asides are short.
const SMALL: usize = 3;

/// How likely a part is each of the kinds, and whether it needs what stands around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartScores {
    kinds: [f32; SentenceKind::ALL.len()],
    needs: f32,
}

impl PartScores {
    fn of_scores(scores: &SentenceScores) -> PartScores {
        PartScores { kinds: SentenceKind::ALL.map(|kind| scores.of(kind)), needs: scores.needs_context() }
    }

    /// How a clause scores in its sentence.
    fn within(self, whole: PartScores) -> PartScores {
        let mut kinds = self.kinds;
        for (own, of_whole) in kinds.iter_mut().zip(whole.kinds) {
            *own = (1.0 - OF_WHOLE) * *own + OF_WHOLE * of_whole;
        }
        PartScores { kinds, needs: self.needs.min(whole.needs) }
    }

    pub(super) fn of(&self, kind: SentenceKind) -> f32 {
        self.kinds[kind as usize]
    }

    pub(super) fn best(&self) -> SentenceKind {
        let likelier = |a: &SentenceKind, b: &SentenceKind| self.of(*a).total_cmp(&self.of(*b));
        SentenceKind::ALL.into_iter().max_by(likelier).unwrap_or(SentenceKind::Empty)
    }

    /// How likely it is worth keeping.
    pub(super) fn worth(&self) -> f32 {
        SentenceKind::WORTH_KEEPING.iter().map(|kind| self.of(*kind)).sum()
    }

    /// What it is if it is worth keeping.
    pub(super) fn kept_as(&self) -> SentenceKind {
        let likelier = |a: &SentenceKind, b: &SentenceKind| self.of(*a).total_cmp(&self.of(*b));
        SentenceKind::WORTH_KEEPING.into_iter().max_by(likelier).unwrap_or(SentenceKind::Fact)
    }

    /// The same for words that say themselves that they hold from now on: what sounds like a task is a rule.
    pub(super) fn as_standing(self) -> PartScores {
        let mut kinds = self.kinds;
        kinds[SentenceKind::Rule as usize] += std::mem::take(&mut kinds[SentenceKind::OneOff as usize]);
        PartScores { kinds, ..self }
    }

    /// How likely it holds for the work at hand only.
    pub(super) fn for_now(&self) -> f32 {
        self.of(SentenceKind::OneOff) + self.of(SentenceKind::Transient)
    }

    /// How likely it was asked, supposed, quoted or not meant: nobody has said that it is so.
    pub(super) fn unsaid(&self) -> f32 {
        use SentenceKind::{Hypothetical, Question, Quoted, Retracted, Sarcasm};
        [Question, Hypothetical, Quoted, Sarcasm, Retracted].iter().map(|kind| self.of(*kind)).sum()
    }

    /// How likely it takes back what was said before.
    pub(super) fn taken_back(&self) -> f32 {
        let forgets = if self.needs >= NEEDS { self.of(SentenceKind::Forget) } else { 0.0 };
        self.of(SentenceKind::Retracted) + forgets
    }

    pub(super) fn needs_context(&self) -> f32 {
        self.needs
    }
}

/// A part of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'u> {
    pub(super) text: &'u str,
    /// Which sentence it is in.
    pub(super) sentence: usize,
    pub(super) scores: PartScores,
    /// What it is to its sentence.
    pub(super) place: PartRole,
}

/// The parts of an utterance; `None` where it has so many sentences that most are not the person's.
pub(super) fn read_parts(reader: Reader, said: &Utterance) -> Option<Vec<Part<'_>>> {
    let words = said.words.as_str();
    let all = sentences(words);
    if all.len() > limits::EXTRACT_SENTENCES {
        return None;
    }
    let mut parts = Vec::new();
    for (sentence, text) in all.into_iter().enumerate() {
        let whole = scores(reader, said, text);
        let pieces = clauses(text);
        // A wish in so many words goes on to what it is about.
        if pieces.len() < 2 || is_of_one_piece(whole) || wish::is_plain(text) {
            let place = if whole.best() == SentenceKind::Reason { PartRole::Reason } else { PartRole::Alone };
            parts.push(Part { text, sentence, scores: whole, place });
            continue;
        }
        let scored: Vec<Part<'_>> = pieces
            .into_iter()
            .map(|text| Part {
                text,
                sentence,
                scores: scores(reader, said, text).within(whole),
                place: PartRole::Alone,
            })
            .collect();
        parts.extend(joined(text, whole, &scored));
    }
    Some(parts)
}

/// How a text scores by itself.
pub(super) fn alone(reader: Reader, before: &str, text: &str) -> PartScores {
    PartScores::of_scores(&reader.sentence(before, text, 0..text.len()))
}

fn scores(reader: Reader, said: &Utterance, text: &str) -> PartScores {
    let start = text.as_ptr() as usize - said.words.as_ptr() as usize;
    PartScores::of_scores(&reader.sentence(&said.before, &said.words, start..start + text.len()))
}

/// A supposition, a quotation or a joke is one as a whole; so is what is asked of memory.
fn is_of_one_piece(whole: PartScores) -> bool {
    use SentenceKind::{Forget, Hypothetical, Quoted, Remember, Retracted, Sarcasm, Secret};
    let kind = whole.best();
    matches!(kind, Forget | Hypothetical | Quoted | Remember | Retracted | Sarcasm | Secret)
        && whole.of(kind) >= CUT_OFF
}

/// Clauses that are the same thing, one after the other, are one part: its words stay as they were typed.
fn joined<'u>(sentence: &'u str, whole: PartScores, pieces: &[Part<'u>]) -> Vec<Part<'u>> {
    let mut parts: Vec<Part<'u>> = Vec::new();
    let mut last: Option<PartRole> = None;
    for part in pieces {
        let place = place(whole, part);
        match parts.last_mut().filter(|_| last == Some(place)) {
            Some(before) => {
                let start = before.text.as_ptr() as usize - sentence.as_ptr() as usize;
                let end = part.text.as_ptr() as usize - sentence.as_ptr() as usize + part.text.len();
                before.text = &sentence[start..end];
                if part.scores.worth() > before.scores.worth() {
                    before.scores = part.scores;
                }
            }
            None => {
                // What belongs to a sentence that is worth keeping is as sure as that.
                let lent = matches!(place, PartRole::Said(_)) && part.scores.worth() < whole.worth().min(SURE);
                parts.push(Part { place, scores: if lent { whole } else { part.scores }, ..*part });
            }
        }
        last = Some(place);
    }
    // What holds together holds as a whole.
    if let [only] = parts.as_mut_slice() {
        *only = Part { text: sentence, scores: whole, place: PartRole::Alone, ..*only };
    }
    parts
}

/// What a part is to its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartRole {
    /// It is the sentence.
    Alone,
    /// It says what the sentence says; conditions and exceptions do too.
    Said(SentenceKind),
    Reason,
    /// Something else: a task, a question, small talk.
    Beside(SentenceKind),
}

fn place(whole: PartScores, clause: &Part<'_>) -> PartRole {
    use SentenceKind::{Derivable, Empty, Hypothetical, OneOff, Question, Quoted, Reason, Sarcasm, Transient};
    let scores = clause.scores;
    let kind = scores.best();
    let kept = whole.worth() >= CUT_OFF;
    let cut = scores.of(kind) >= CUT_OFF;
    match kind {
        Reason if scores.of(Reason) >= REASON => PartRole::Reason,
        _ if scores.worth() >= CUT_OFF => PartRole::Said(scores.kept_as()),
        // What would have been otherwise, or what somebody said about it, tells why.
        Hypothetical | Quoted | Sarcasm if cut && kept => PartRole::Reason,
        Empty if cut && kept && cues::length(clause.text) >= SMALL => PartRole::Said(whole.kept_as()),
        // Alone a clause lacks what the sentence makes of it.
        Derivable | Transient if cut && whole.worth() >= SURE => PartRole::Said(whole.kept_as()),
        Derivable | Empty | OneOff | Question | Transient if cut => PartRole::Beside(kind),
        _ if kept => PartRole::Said(whole.kept_as()),
        _ => PartRole::Beside(whole.best()),
    }
}
