//! What a statement comes before: the proposal it approves, the question it answers, the words that "it" and "that" mean.
//!
//! Enters: a statement and what was said before it. Leaves: the one sentence of it that the statement needs to be
//! understood next month. The assistant's words count only as what the person approved or answered, and never with
//! numbers, paths, code or secrets in them: those belong to the task.

use memdir_encoder::{Encoder, Reader, SentenceKind};

use super::compose::capital;
use super::exchange::Utterance;
use super::groups::{NEEDS, nearness};
use super::parts::read_parts;
use super::tidy::tidy;
use memdir_guard::secrets;
use memdir_reader::sentences::sentences;
use memdir_reader::{code_words, cues, likeness};

/// Words that say by themselves what is approved.
const SPELLED_OUT: usize = 5;
/// Sentences of what was said before that are looked at; what a statement means was said last.
const LOOKED_AT: usize = 12;
/// What a shared word is worth beside nearness in meaning.
const SHARED: f32 = 0.2;

/// A sentence that comes no closer than this is not what a statement is about.
const RELATED: f32 = 0.2;
/// Where no more sentences than these were said, one of them is meant.
const FEW: usize = 2;

/// What the person approved: the assistant's sentence about it, as far as their own words need it.
pub(super) fn approved(encoder: Encoder, words: &str, needs: bool, proposal: &str) -> Option<String> {
    if likeness::words(words).len() >= SPELLED_OUT && !needs {
        return None;
    }
    let best = nearest(encoder, words, needs, proposal)?;
    let choice = best.strip_prefix("I've ").or(best.strip_prefix("I ")).or(best.strip_prefix("我")).unwrap_or(best);
    Some(format!("Approved: {}", choice.trim_end_matches(['.', '。'])))
}

/// What a statement refers to, in the words that were said before it.
pub(super) fn referred(encoder: Encoder, words: &str, before: &str) -> Option<String> {
    nearest(encoder, words, true, before).map(|best| capital(&tidy(best)))
}

/// The question that something answers, when it does not say itself what it is about.
pub(super) fn question(encoder: Encoder, reader: Reader, words: &str, asked: &Utterance) -> Option<String> {
    let parts = read_parts(reader, asked)?;
    let question = parts.iter().rfind(|part| part.scores.best() == SentenceKind::Question)?;
    let topic = likeness::words(question.text);
    let shared = likeness::words(words).iter().filter(|word| topic.contains(word)).count();
    let coded =
        question.text.split_whitespace().any(|word| code_words::is_path(word) || code_words::is_identifier(word));
    let usable = (3..=16).contains(&cues::length(question.text)) && topic.len() >= 2;
    // Beside something else that was said, a question may be a request; then what comes next need not answer it.
    let only = parts.iter().all(|part| part.scores.worth() < NEEDS);
    let answers = || only || shared > 0 || nearness(encoder, question.text, words) >= RELATED;
    (usable && shared * 2 < topic.len() && !coded && !asked.withheld && answers())
        .then(|| capital(&tidy(question.text)))
}

/// The sentence that comes closest to a statement, where it may be repeated. `needs`: without one it could not be understood.
fn nearest<'b>(encoder: Encoder, words: &str, needs: bool, before: &'b str) -> Option<&'b str> {
    let said = likeness::words(words);
    let usable = |sentence: &&str| {
        cues::length(sentence) >= 3
            && !sentence.chars().any(|c| c.is_ascii_digit() || c == '`')
            && !sentence.split(' ').any(|word| code_words::is_path(word) || code_words::is_identifier(word))
            && secrets::scan(sentence).is_empty()
    };
    let latest: Vec<&str> = sentences(before).into_iter().rev().take(LOOKED_AT).filter(usable).collect();
    // "Do that every time" has no word of what it means, but where little was said it can only mean that.
    let least = if needs && latest.len() <= FEW { f32::MIN } else { RELATED };
    let scored = latest.into_iter().map(|sentence| {
        let shared = likeness::words(sentence).iter().filter(|word| said.contains(word)).count();
        (nearness(encoder, sentence, words) + SHARED * shared as f32, sentence)
    });
    let scored = scored.filter(|(score, _)| *score >= least);
    scored.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, sentence)| sentence)
}
