//! Scores → sentences.
//!
//! Enters: what was known and measured. Leaves: a short reason that a person can check against the
//! memory: words that are there, how close the meaning is, what it was held back for.

use super::fuse::Judgement;
use super::lexical::{Counts, Field, Lookup};
use super::named::SharedName;
use super::rank::{Candidate, RuledOut};
use super::tokens::TokenShape;

/// Words named in a reason.
const NAMED: usize = 3;
/// From these cosines on, meaning is called very close, and close.
const VERY_CLOSE: f32 = 0.5;
pub(super) const CLOSE: f32 = 0.33;
/// A memory used this often is called so.
const OFTEN: u32 = 3;

/// The prompt's words that a memory holds, the most telling first.
pub(super) struct Matched {
    words: Vec<String>,
    in_title: bool,
}

impl Matched {
    pub(super) fn new(lookup: &Lookup<'_, '_>, counts: &[Counts]) -> Matched {
        let mut hits: Vec<_> = lookup.terms.iter().zip(counts).filter(|(_, counts)| counts.any()).collect();
        hits.sort_by(|(one, _), (other, _)| other.weight.total_cmp(&one.weight));
        let in_title = hits.iter().take(NAMED).any(|(_, counts)| counts.has(Field::File) || counts.has(Field::Name));
        let plain = hits.iter().filter(|(term, _)| term.shape != TokenShape::Whole);
        Matched { words: plain.take(NAMED).map(|(term, _)| term.spelled.clone()).collect(), in_title }
    }
}

/// Why a memory was chosen.
pub(super) fn why(candidate: &Candidate<'_>) -> String {
    let words: Vec<String> = candidate.matched.words.iter().map(|word| format!("“{word}”")).collect();
    let named = candidate.named.as_ref().map(|named| match named {
        SharedName::Identifier(name) => format!("it names {name}"),
        SharedName::Day(said) => format!("it speaks of the time of “{said}”"),
        SharedName::WrittenThen(said) => format!("it was written then: “{said}”"),
    });
    because(candidate, &words.join(", "), named)
}

/// The same without a word of the prompt: what a person wrote is not kept where nobody looked it through.
pub(super) fn grounds(candidate: &Candidate<'_>) -> String {
    let words = match candidate.matched.words.len() {
        1 => "a word of the prompt".to_owned(),
        many => format!("{many} words of the prompt"),
    };
    let named = candidate.named.as_ref().map(|named| match named {
        SharedName::Identifier(_) => "it names an identifier of the prompt".to_owned(),
        SharedName::Day(_) => "it speaks of a time that the prompt names".to_owned(),
        SharedName::WrittenThen(_) => "it was written at a time that the prompt names".to_owned(),
    });
    because(candidate, &words, named)
}

fn because(candidate: &Candidate<'_>, words: &str, named: Option<String>) -> String {
    let Candidate { known, row, matched, .. } = candidate;
    let mut parts = Vec::from_iter(named);
    let cosine = row[0].max(row[1]);
    if cosine >= VERY_CLOSE {
        parts.push(format!("very close in meaning ({cosine:.2})"));
    } else if cosine >= CLOSE {
        parts.push(format!("close in meaning ({cosine:.2})"));
    } else if cosine > 0.0 && matched.words.is_empty() {
        parts.push(format!("nearest in meaning ({cosine:.2})"));
    }
    if !matched.words.is_empty() {
        let place = if matched.in_title { "in its title" } else { "in its text" };
        parts.push(format!("{words} {place}"));
    }
    if known.pinned {
        parts.push("pinned".to_string());
    }
    if known.uses >= OFTEN {
        parts.push(format!("opened {} times", known.uses));
    }
    parts.extend(known.experience.words());
    parts.join("; ")
}

/// Why a memory was left out.
pub(super) fn reason(candidate: &Candidate<'_>, judged: &Judgement, score: f32, full: bool) -> String {
    let learned = candidate.known.experience.words().map(|words| format!("; {words}")).unwrap_or_default();
    match &candidate.held {
        Some(RuledOut::ToolInUse(tool)) => format!("says how to use {tool}, which is in use already"),
        Some(RuledOut::Outdated(newer)) => format!("out of date: {newer} is newer and about the same"),
        None if full && judged.passes(score) => "five others matter more".to_string(),
        None if judged.any < judged.floor() => {
            format!("the prompt seems to need no memory ({:.0} %)", judged.any * 100.0)
        }
        None => {
            let (score, needed) = (score * 100.0, judged.floor() * 100.0);
            format!("too little to do with the prompt ({score:.0} %, {needed:.0} % needed){learned}")
        }
    }
}
