//! A prompt and a store → the few memories that matter, or none.
//!
//! Enters: the prompt with its vector and the tools in use, and a store as index, vectors and what is
//! known about each memory. Leaves: at most five memories with a score and a reason, and the reason for
//! each that was looked at and left out. Never reads a file or a clock; the same input gives the same
//! answer.
//!
//! Only the best by words and the best by meaning become candidates, so the cost hardly grows with the
//! store. Of those, usage notes of tools in use (R5) and outdated versions are held back; the rest is
//! judged by `fuse`.

use super::experience::Experience;
use super::explain::{self, Matched};
use super::features::{self, FeatureRow};
use super::fuse::{self, Judgement};
use super::language::TextLanguage;
use super::lexical::{self, BadSegment, Searcher};
use super::named::{self, NamedTime, SharedName};
use super::semantic::{Compared, Nearness, Vectors};
use super::supersede::{self, CandidatePair};
use super::tokens::{Tokenizer, more_than_one_word};
use super::tools::{ToolNote, Tools};
use super::wording::{self, PAST_WORDS};
use memdir_core::kind::{Scope, Type};
use memdir_core::limits::RECALL_FILES;
use memdir_encoder::Embedding;

/// Candidates by words, and as many by meaning.
const CANDIDATES: usize = 32;

/// A prompt that is so much nearer to the older version asks for that one. Prompts for the newer are
/// hardly ever: 1 in 60 of the training stores.
const ASKED_FOR: f32 = 0.2;
/// What has this share of the score that is needed came near.
pub(crate) const NEAR: f32 = 0.33;

/// What the user said.
#[derive(Clone, Copy)]
pub struct Prompt<'a> {
    /// The user's last own message (R6).
    pub text: &'a str,
    /// Its vector, where there is an encoder.
    pub vector: Option<&'a Embedding>,
    /// Tools used lately.
    pub tools: &'a Tools,
    /// The days and months it names.
    pub times: &'a [NamedTime],
}

impl Prompt<'_> {
    /// Whether it is in a language that the weights of most prompts were fitted to, as far as it shows.
    pub fn in_fitted_language(&self) -> bool {
        TextLanguage::of(self.text).is_fitted()
    }
}

/// What is known about a memory without reading it.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// Its file, relative to its scope.
    pub file: &'a str,
    /// `name` in the frontmatter.
    pub name: &'a str,
    /// `description` in the frontmatter.
    pub description: &'a str,
    /// Its type, if it has one.
    pub kind: Option<Type>,
    /// Whose it is.
    pub scope: Scope,
    /// Days since it was written; `None` where nobody knows.
    pub age_days: Option<u32>,
    /// How often it was opened lately.
    pub uses: u32,
    /// Whether a person pinned it.
    pub pinned: bool,
    /// What came of telling it before.
    pub experience: Experience,
}

/// A store as the ranker sees it.
#[derive(Clone)]
pub struct Corpus<'c, 'a> {
    /// The words of all memories.
    pub searcher: &'c Searcher<'a>,
    /// The vectors of those that have them.
    pub vectors: Vectors<'a>,
    /// What is known about a document; nothing when it is gone.
    pub known: &'c dyn Fn(u32) -> Option<Known<'a>>,
    /// Whether it was shown or read in this session already (R4).
    pub surfaced: &'c dyn Fn(u32) -> bool,
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    /// The memories that matter, best first; at most five (R3).
    pub selected: Vec<Chosen>,
    /// Those that were looked at and left out, best first.
    pub skipped: Vec<Skipped>,
    /// Those that share words with the prompt, are close in meaning, and are in the session already (R4).
    pub seen: Vec<u32>,
}

/// A memory that matters.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Its document number.
    pub doc: u32,
    /// How likely it matters, 0 to 1.
    pub score: f32,
    /// Why, in words.
    pub why: String,
    /// The same without a word of the prompt, for what is written down.
    pub grounds: String,
    /// Which of its passages is meant, counted from one; zero where it is the memory as a whole.
    pub passage: usize,
}

/// A memory left out.
#[derive(Clone, Debug)]
pub struct Skipped {
    /// Its document number.
    pub doc: u32,
    /// How likely it matters, 0 to 1; held back ones have 0.
    pub score: f32,
    /// What kept it out.
    pub cause: Cause,
    /// Why it was left out, in words.
    pub reason: String,
    /// Little was missing, or only something else kept it out.
    pub near: bool,
}

/// What keeps a memory out of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It says how to use a tool that is in use (R5).
    ToolInUse,
    /// A newer memory says something else.
    Outdated,
    /// As many as may come were better.
    Crowded,
    /// It has too little to do with the prompt.
    TooFar,
}

/// Why a candidate does not take part.
#[derive(Clone, Debug, PartialEq)]
pub enum RuledOut {
    /// It says how to use a tool that is in use (R5).
    ToolInUse(String),
    /// A newer memory says something else; its file.
    Outdated(String),
}

/// A candidate before it is judged.
pub struct Candidate<'a> {
    /// Its document number.
    pub doc: u32,
    /// What is known about it.
    pub known: Known<'a>,
    /// Why it does not take part, if so.
    pub held: Option<RuledOut>,
    /// What speaks for and against it; all zero for one held back.
    pub row: FeatureRow,
    /// Whether it warns about a tool in use.
    pub warns: bool,
    /// What it and the prompt both name outright.
    pub named: Option<SharedName>,
    /// Whether it has vectors, and the prompt too.
    pub embedded: bool,
    /// Which of its passages is nearest, counted from one.
    passage: usize,
    pub(super) matched: Matched,
}

/// Looks for the memories that matter to a prompt.
pub fn rank(prompt: &Prompt<'_>, corpus: &Corpus<'_, '_>) -> Result<Ranking, BadSegment> {
    if !more_than_one_word(prompt.text) {
        return Ok(Ranking::default());
    }
    let (candidates, seen) = gather(prompt, corpus)?;
    let judged = fuse::judge(prompt, &candidates);
    Ok(Ranking { seen, ..choose(candidates, &judged) })
}

fn choose(candidates: Vec<Candidate<'_>>, judged: &Judgement) -> Ranking {
    let mut order: Vec<(f32, Candidate<'_>)> = judged.scores.iter().copied().zip(candidates).collect();
    order.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.doc.cmp(&other.doc)));
    let mut ranking = Ranking::default();
    for (score, candidate) in order {
        let doc = candidate.doc;
        if candidate.held.is_none() && judged.passes(score) && ranking.selected.len() < RECALL_FILES {
            ranking.selected.push(Chosen {
                doc,
                score,
                why: explain::why(&candidate),
                grounds: explain::grounds(&candidate),
                passage: candidate.passage,
            });
        } else {
            let full = ranking.selected.len() >= RECALL_FILES;
            ranking.skipped.push(Skipped {
                doc,
                score,
                cause: match &candidate.held {
                    Some(RuledOut::ToolInUse(_)) => Cause::ToolInUse,
                    Some(RuledOut::Outdated(_)) => Cause::Outdated,
                    None if judged.passes(score) => Cause::Crowded,
                    None => Cause::TooFar,
                },
                reason: explain::reason(&candidate, judged, score, full),
                near: candidate.held.is_some() || score >= judged.floor() * NEAR,
            });
        }
    }
    ranking
}

/// Collects what may matter, with everything that speaks for and against it.
pub fn candidates<'a>(prompt: &Prompt<'_>, corpus: &Corpus<'_, 'a>) -> Result<Vec<Candidate<'a>>, BadSegment> {
    Ok(gather(prompt, corpus)?.0)
}

/// The candidates, and beside them what would be one, were it not in the session already.
fn gather<'a>(prompt: &Prompt<'_>, corpus: &Corpus<'_, 'a>) -> Result<(Vec<Candidate<'a>>, Vec<u32>), BadSegment> {
    let spelled_right = |word: &str| memdir_encoder::tokens(word).len() == 3;
    let lookup = corpus.searcher.lookup(prompt.text, &spelled_right)?;
    let found = lookup.top(2 * CANDIDATES);
    let compared = prompt.vector.map(|vector| corpus.vectors.compare(&vector.quantise()));
    let mut docs: Vec<u32> =
        found.iter().map(|hit| hit.doc).filter(|doc| !(corpus.surfaced)(*doc)).take(CANDIDATES).collect();
    if let Some(compared) = &compared {
        let living = |doc: u32| !corpus.searcher.is_dead(doc) && !(corpus.surfaced)(doc);
        for doc in compared.top(CANDIDATES, living) {
            if !docs.contains(&doc) {
                docs.push(doc);
            }
        }
    }
    let named = named::holders(prompt.text, prompt.times, corpus.searcher, corpus.known)?;
    for (doc, _) in &named {
        if !docs.contains(doc) && !(corpus.surfaced)(*doc) {
            docs.push(*doc);
        }
    }
    let close = |doc: u32| {
        compared.as_ref().and_then(|compared| compared.of(doc)).is_some_and(|near| near.best() >= explain::CLOSE)
    };
    let seen: Vec<u32> = found
        .iter()
        .map(|hit| hit.doc)
        .filter(|doc| (corpus.surfaced)(*doc) && close(*doc))
        .take(RECALL_FILES)
        .collect();
    let mut known: Vec<(u32, Known<'a>)> =
        docs.into_iter().filter_map(|doc| Some((doc, (corpus.known)(doc)?))).collect();
    known.sort_by_key(|(doc, _)| *doc);
    let notes = notes(prompt, &known);
    let mut held: Vec<Option<RuledOut>> = notes
        .iter()
        .map(|note| match note {
            Some(ToolNote::Usage(tool)) => Some(RuledOut::ToolInUse((*tool).to_string())),
            _ => None,
        })
        .collect();
    hold_outdated(prompt, &corpus.vectors, compared.as_ref(), &known, &mut held);

    let docs: Vec<u32> = known.iter().map(|(doc, _)| *doc).collect();
    let evidence = lookup.evidence(&docs);
    let open: Vec<(usize, u32, Known<'_>)> = known
        .iter()
        .enumerate()
        .filter(|(place, _)| held[*place].is_none())
        .map(|(place, (doc, known))| (place, *doc, *known))
        .collect();
    let mut rows =
        features::rows(TextLanguage::of(prompt.text), &lookup, &found, compared.as_ref(), &evidence, &open).into_iter();
    let mut out = Vec::with_capacity(known.len());
    for (place, ((doc, known), held)) in known.into_iter().zip(held).enumerate() {
        let row = if held.is_none() { rows.next().unwrap_or_default() } else { FeatureRow::default() };
        let near = compared.as_ref().and_then(|compared| compared.of(doc));
        let (embedded, passage) = (near.is_some(), near.map_or(0, |near| near.passage));
        let warns = matches!(notes[place], Some(ToolNote::Warning(_)));
        let matched = Matched::new(&lookup, evidence.of(place));
        let named = named.iter().find(|(holder, _)| *holder == doc).map(|(_, named)| named.clone());
        out.push(Candidate { doc, known, held, row, warns, named, embedded, passage, matched });
    }
    Ok((out, seen))
}

fn notes<'t>(prompt: &Prompt<'t>, known: &[(u32, Known<'_>)]) -> Vec<Option<ToolNote<'t>>> {
    if prompt.tools.is_empty() {
        return vec![None; known.len()];
    }
    let mut tokenizer = Tokenizer::default();
    let mut note = |known: &Known<'_>| {
        let header = wording::terms(&mut tokenizer, &[known.file, known.name, known.description]);
        prompt.tools.note(&header, known.kind)
    };
    known.iter().map(|(_, known)| note(known)).collect()
}

/// Holds back the older of two versions of one fact, unless it is the older one that is asked for.
fn hold_outdated(
    prompt: &Prompt<'_>,
    vectors: &Vectors<'_>,
    compared: Option<&Compared<'_>>,
    known: &[(u32, Known<'_>)],
    held: &mut [Option<RuledOut>],
) {
    let mut tokenizer = Tokenizer::default();
    let (head, tail) = lexical::ends(prompt.text);
    let past = PAST_WORDS.any(&wording::terms(&mut tokenizer, &[head, tail]));
    let margin = if past { 0.0 } else { ASKED_FOR };
    let near = |place: usize| compared.and_then(|compared| compared.of(known[place].0)).map_or(0.0, Nearness::best);
    let count = known.len();
    let rows: Vec<Option<usize>> = known.iter().map(|(doc, _)| vectors.place(*doc)).collect();
    let alike = vectors.likenesses(&rows);
    let most = |place: usize| alike[place * count..(place + 1) * count].iter().copied().fold(0.0, f32::max);
    for older in 0..count {
        for newer in 0..count {
            let likeness = alike[older * count + newer];
            let (old, new) = (&known[older].1, &known[newer].1);
            let excused = old.pinned || near(older) - near(newer) > margin;
            // Of two whose age is not known, neither is the newer one.
            let Some(gap) = old.age_days.zip(new.age_days).and_then(|(old, new)| old.checked_sub(new)) else {
                continue;
            };
            if likeness < supersede::ALIKE || gap == 0 || excused || held[older].is_some() {
                continue;
            }
            let mutual = likeness >= most(older) && likeness >= most(newer);
            let pair = CandidatePair { older: old, newer: new, gap, likeness, mutual };
            if pair.is_outdated(&mut tokenizer) {
                held[older] = Some(RuledOut::Outdated(new.file.to_string()));
            }
        }
    }
}

#[cfg(test)]
mod tests;
