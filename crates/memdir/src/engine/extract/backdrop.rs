//! What a statement stands before: the proposal it approves, the question it answers, the task it came up in.
//!
//! Enters: a statement and what was said before it. Leaves: the little of it that the statement needs to be
//! understood next month. The assistant's words count only as what the person approved, and never with
//! numbers, paths or code in them: those belong to the task.

use super::compose::capital;
use super::tidy::tidy;
use memdir_lexicon as lexicon;
use memdir_reader::cues::{self, Clause};
use memdir_reader::sentences::sentences;
use memdir_reader::{code_words, likeness};

/// Whether a sentence asks why the assistant did something.
pub(super) fn is_complaint(sentence: &str) -> bool {
    let clause = Clause::new(sentence);
    clause.asks() && clause.complains()
}

/// What somebody complains about, as what is not wanted.
pub(super) fn unwanted(sentence: &str) -> String {
    let rest = sentence.trim_end_matches(['?', '？', '!', '！', ' ']);
    let lower = rest.to_lowercase();
    let lead = lexicon::COMPLAINT_LEAD.longest_prefix_of(&lower).filter(|_| lower.len() == rest.len());
    format!("Not wanted: {}", lead.map_or(rest, |lead| &rest[lead.len()..]))
}

/// What the person approved: the assistant's sentence about it, as far as their own words need it.
pub(super) fn approved(words: &str, proposal: &str) -> Option<String> {
    let said = likeness::words(words);
    let vague = Clause::new(words).says(&lexicon::VAGUE_REFERENCE);
    if said.len() >= 5 && !vague {
        return None;
    }
    let fit = |sentence: &str| {
        let shared = likeness::words(sentence).iter().filter(|word| said.contains(word)).count();
        let chosen = Clause::new(sentence).says(&lexicon::CHOICE_MADE);
        shared * 2 + usize::from(chosen)
    };
    let plain = |sentence: &&str| {
        !sentence.chars().any(|c| c.is_ascii_digit() || c == '`') && !sentence.split(' ').any(code_words::is_path)
    };
    let best = sentences(proposal).into_iter().filter(plain).max_by_key(|sentence| fit(sentence))?;
    if fit(best) == 0 || cues::length(best) < 3 {
        return None;
    }
    let choice = best.strip_prefix("I've ").or(best.strip_prefix("I ")).or(best.strip_prefix("我")).unwrap_or(best);
    Some(format!("Approved: {}", choice.trim_end_matches(['.', '。'])))
}

/// The question that something answers, when it does not say itself what it is about.
pub(super) fn question(words: &str, request: &str) -> Option<String> {
    let asked = sentences(request).into_iter().map(tidy).find(|sentence| {
        let clause = Clause::new(sentence);
        (clause.asks() || clause.sounds_asking()) && !clause.malfunctions() && !clause.opens(&lexicon::WHY_OPENING)
    })?;
    let topic = likeness::words(&asked);
    let shared = likeness::words(words).iter().filter(|word| topic.contains(word)).count();
    let coded = asked.split_whitespace().any(|word| code_words::is_path(word) || code_words::is_identifier(word));
    let usable = (3..=16).contains(&cues::length(&asked)) && topic.len() >= 2;
    (usable && shared * 2 < topic.len() && !coded).then(|| capital(&asked))
}

/// Where a rule came up, when it does not say what it is about.
pub(super) fn circumstance(words: &str, request: &str) -> Option<String> {
    let request = tidy(sentences(request).first()?);
    let asked = Clause::new(&request);
    let general = Clause::new(words).says(&lexicon::ABOUT_ANSWERS);
    let shared = likeness::words(words).iter().any(|word| likeness::words(&request).contains(word));
    let usable = asked.requests() && !asked.asks() && (3..=14).contains(&cues::length(&request));
    let coded = request.split_whitespace().any(|word| code_words::is_path(word) || code_words::is_identifier(word));
    (usable && !general && !shared && !coded).then(|| format!("When asked for things like \"{request}\"."))
}

/// Whether a statement speaks of something it does not name.
pub(super) fn points_back(words: &str) -> bool {
    let clause = Clause::new(words);
    clause.opens(&lexicon::POINTS_BACK_OPENING) || likeness::words(words).len() <= 2
}
