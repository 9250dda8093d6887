//! Whether something a person said will still matter next month, and which part of it.
//!
//! Enters: one utterance. Leaves: the sentences worth keeping and what kind of thing they are, or why
//! none is. The encoder hears the tone of the whole and of each sentence; phrases say what holds only now,
//! what is undecided, what the code already says. In doubt it stays silent: junk is hated more than gaps.

use super::classifier::{Act, Classifier, Scores};
use super::clause::clauses;
use super::exchange::Utterance;
use super::sort::points_outside;
use super::tidy::tidy;
use memdir_core::limits;
use memdir_lexicon as lexicon;
use memdir_reader::cues::{self, Clause};
use memdir_reader::likeness;
use memdir_reader::sentences::sentences;
use memdir_reader::worth::{NotWorth, not_worth};

/// A whole message at or above this is worth saving.
const WHOLE: f32 = 0.5;
/// Part of a message was cut out, so the rest must speak for itself.
const CUT: f32 = 0.85;
/// A sentence alone must sound more certain: it has less to be judged by.
const ALONE: f32 = 0.85;
/// A message that sounds like this as a whole keeps its sentences together.
const CLEAR: f32 = 0.8;
/// A rule that says "from now on", a complaint with its remedy, what nobody wrote down: believed at this.
const SPELLED_OUT: f32 = 0.2;
/// A correction that the assistant promises to heed is believed at this.
const PROMISED: f32 = 0.08;
/// Above this a message is small talk, whatever else it sounds like.
const CHATTY: f32 = 0.65;
/// A message of more sentences than this says several things, and some of them are for now.
const LONG: usize = 3;
/// Fewer words than this beside a question belong to the question.
const BESIDE: usize = 5;
/// Above this score the classifier alone decides what is not worth saving.
const SURE: f32 = 0.5;
/// Fewer words than this say nothing that can stand alone next month.
const LEAST: usize = 3;

/// What is worth keeping of an utterance.
#[derive(Clone, Debug)]
pub(super) struct Worthy {
    /// The sentences, in order.
    pub(super) kept: Vec<String>,
    /// How the whole sounded.
    pub(super) scores: Scores,
    /// How the kept sentences sound together.
    pub(super) kept_scores: Scores,
}

/// Why nothing of an utterance is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unworthy {
    /// Too little is said.
    Short,
    /// It asks.
    Question,
    /// It holds only now.
    Ephemeral,
    /// It is not decided.
    Doubtful,
    /// Code, git or the instruction files say it.
    Derivable(NotWorth),
    /// Somebody else's words.
    Quoted,
    /// A secret and nothing beside it.
    Secret,
    /// It does not sound like something to keep.
    Unheard,
}

/// What a sentence is to the judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Keep,
    /// Sounds like a thing to do now; kept when it is about the same as the rest.
    Task,
    /// Asks why the assistant did something: what is not wanted.
    Complaint,
    /// Opens like a request, or tells of a fault; never a memory by itself.
    Request,
    Small,
    Question,
    Ephemeral,
    Doubtful,
    /// A page or a program says it.
    Hearsay,
    Derivable(NotWorth),
    Secret,
}

/// Judges one utterance.
pub(super) fn judge(classifier: Classifier, said: &Utterance) -> Result<Worthy, Unworthy> {
    let words = said.words.as_str();
    if sentences(words).len() > limits::EXTRACT_SENTENCES {
        return Err(Unworthy::Quoted);
    }
    let tidied: Vec<String> = sentences(words).into_iter().map(tidy).filter(|sentence| !sentence.is_empty()).collect();
    let all: Vec<Clause<'_>> = tidied.iter().map(|sentence| Clause::new(sentence)).collect();
    let rule = all.iter().any(|clause| clause.commands() && clause.length() >= 2);
    if all.is_empty() || (cues::length(words) < LEAST && !rule) {
        return Err(Unworthy::Short);
    }
    // A secret drowns out what is said beside it.
    let secret = words.contains(REDACTED);
    let beside: Vec<&str> = all.iter().filter(|clause| secret && !hides(clause)).map(|clause| clause.text).collect();
    let whole =
        if secret { classifier.classify(&beside.join(". "), "") } else { classifier.classify(words, &said.before) };
    let scores: Vec<Scores> = all
        .iter()
        .map(|part| if all.len() == 1 { whole } else { classifier.classify(part.text, &said.before) })
        .collect();
    let parts: Vec<Part> = all
        .iter()
        .zip(&scores)
        .map(|(clause, scores)| if secret && hides(clause) { Part::Secret } else { part(clause, *scores, whole) })
        .collect();
    if whole.of(Act::Quoted) > SURE || parts.iter().all(|part| *part == Part::Secret) {
        return Err(if whole.of(Act::Quoted) > SURE { Unworthy::Quoted } else { Unworthy::Secret });
    }
    if all.iter().any(Clause::is_sarcastic) || Clause::new(words).is_sarcastic() {
        return Err(Unworthy::Doubtful);
    }
    if is_kept_elsewhere(said) {
        return Err(Unworthy::Derivable(NotWorth::CodeStructure));
    }
    let of = |wanted: Part| parts.iter().zip(&scores).filter(move |(part, _)| **part == wanted);
    let best = |wanted: Part| of(wanted).map(|(_, scores)| scores.save()).fold(0.0, f32::max);
    let open = |at: &usize| matches!(parts[*at], Part::Keep | Part::Task);
    let spelled_out = (0..all.len()).filter(open).any(|at| {
        let complained = all.iter().any(Clause::complains) && all[at].is_normative();
        let approved = all[at].approves() && shares(all[at].text, &said.before);
        (all[at].is_durable() && all[at].commands())
            || complained
            || all[at].is_unwritten()
            || all[at].explains_choice()
            || approved
    });
    // The assistant understood it as a rule: the words that count are still the person's.
    let promised = answers(&said.after).any(|answer| answer.promises())
        && (0..all.len()).filter(open).any(|at| all[at].is_normative() || all[at].complains());
    let ordained = !said.cut && (0..all.len()).filter(open).any(|at| all[at].ordains());
    let enough = if said.cut { CUT } else { WHOLE };
    let sound = whole.save().max(best(Part::Keep)).max(best(Part::Task));
    let kept = parts.contains(&Part::Keep);
    let worthy = (kept && whole.save() >= enough)
        || (parts.contains(&Part::Task) && whole.save() >= CLEAR.max(enough))
        || (best(Part::Keep) >= ALONE && !said.cut && whole.of(Act::Question) < SURE)
        || (spelled_out && sound >= if said.cut { enough } else { SPELLED_OUT })
        || ordained
        || (promised && !said.cut && sound >= PROMISED);
    if !worthy || (whole.of(Act::Chitchat) > CHATTY && !spelled_out) {
        return Err(unworthy(&parts, whole));
    }
    let rule = whole.of(Act::Confirmation) + whole.of(Act::Correction) > SURE;
    let kept = chosen(&all, &parts, whole.save() >= CLEAR || spelled_out || promised || ordained || rule);
    // Beside a question, a few words more only explain the question.
    let asked = parts.contains(&Part::Question);
    let said_beside: usize = kept.iter().map(|sentence| cues::length(sentence)).sum();
    if kept.is_empty() || (asked && said_beside < BESIDE) {
        return Err(unworthy(&parts, whole));
    }
    let kept_scores = classifier.classify(&kept.join(" "), &said.before);
    Ok(Worthy { kept, scores: whole, kept_scores })
}

/// What stands where a secret was.
pub(super) const REDACTED: &str = "[redacted:";

/// Whether a sentence of a message with a secret in it is about that secret; where secrets are kept may be told.
pub(super) fn hides(clause: &Clause<'_>) -> bool {
    let names = clause.says(&lexicon::SECRET_WORD);
    clause.text.contains(REDACTED) || (names && !points_outside(clause.text) && !clause.is_durable())
}

/// Whether the assistant answered that code, documents or a tool keep it already.
pub(super) fn is_kept_elsewhere(said: &Utterance) -> bool {
    answers(&said.after).any(|answer| answer.is_kept_elsewhere())
}

fn answers(after: &str) -> impl Iterator<Item = Clause<'_>> {
    sentences(after).into_iter().take(4).map(Clause::new)
}

fn shares(text: &str, other: &str) -> bool {
    let there = likeness::words(other);
    likeness::words(text).iter().any(|word| there.contains(word))
}

/// What one sentence is.
fn part(clause: &Clause<'_>, scores: Scores, whole: Scores) -> Part {
    let asking = scores.of(Act::Question);
    match not_worth(clause.text) {
        Some(NotWorth::SmallTalk) => return Part::Small,
        Some(NotWorth::Undecided | NotWorth::NotMeant) => return Part::Doubtful,
        Some(NotWorth::Hearsay) => return Part::Hearsay,
        Some(NotWorth::Announcement) => return Part::Request,
        Some(NotWorth::Question) if clause.complains() => return Part::Complaint,
        Some(NotWorth::Question) => return Part::Question,
        _ if asking > SURE || (clause.sounds_asking() && asking > SURE / 2.0) => return Part::Question,
        Some(NotWorth::ForNow) => return Part::Ephemeral,
        Some(reason) => return Part::Derivable(reason),
        None => {}
    }
    let durable = (clause.is_durable() && clause.is_normative()) || clause.explains_choice();
    if clause.lists_structure() || (scores.of(Act::Derivable) > SURE && !durable && whole.save() < CLEAR) {
        return Part::Derivable(NotWorth::CodeStructure);
    }
    if scores.of(Act::Chitchat) > SURE && clause.length() < 6 && !clause.commands() {
        return Part::Small;
    }
    let explained = clause.is_reason() || clauses(clause.text).len() > 1;
    if !durable && (clause.malfunctions() && !dated(clause.text) || clause.requests() && !explained) {
        return Part::Request;
    }
    if scores.of(Act::Ephemeral) + scores.of(Act::OneOff) > SURE && !durable {
        return Part::Task;
    }
    Part::Keep
}

fn dated(text: &str) -> bool {
    text.split_whitespace().any(|word| word.starts_with("20") && word.len() >= 10)
        || memdir_reader::dates::has_relative(text)
}

/// The sentences to keep: what is worth it, and tasks that speak of the same thing or stand in a message
/// that is clear as a whole.
fn chosen(all: &[Clause<'_>], parts: &[Part], clear: bool) -> Vec<String> {
    let kept: Vec<usize> = (0..all.len()).filter(|at| parts[*at] == Part::Keep).collect();
    let topic: Vec<String> = kept.iter().flat_map(|at| likeness::words(all[*at].text)).collect();
    let same = |at: &usize| likeness::words(all[*at].text).iter().any(|word| topic.contains(word));
    // In a long message the tasks are the tasks.
    let long = parts.iter().filter(|part| **part != Part::Small).count() > LONG;
    let keep = |at: &usize| match parts[*at] {
        Part::Keep => true,
        Part::Task if long => same(at) && !all[*at].commands(),
        Part::Task => clear || same(at) || (all[*at].commands() && !all[*at].requests()),
        Part::Request => !long && same(at) && !all[*at].malfunctions(),
        Part::Complaint => clear,
        _ => false,
    };
    let kept: Vec<usize> = (0..all.len()).filter(keep).collect();
    // A complaint says what a rule is about, and is none.
    if kept.iter().all(|at| parts[*at] == Part::Complaint) {
        return Vec::new();
    }
    kept.into_iter().map(|at| all[at].text.to_owned()).collect()
}

fn unworthy(parts: &[Part], whole: Scores) -> Unworthy {
    let has = |part: Part| parts.contains(&part);
    let derivable = parts.iter().find_map(|part| match part {
        Part::Derivable(reason) => Some(*reason),
        _ => None,
    });
    if has(Part::Doubtful) {
        Unworthy::Doubtful
    } else if let Some(reason) = derivable {
        Unworthy::Derivable(reason)
    } else if has(Part::Hearsay) {
        Unworthy::Quoted
    } else if has(Part::Secret) || whole.of(Act::Secret) > SURE {
        Unworthy::Secret
    } else if has(Part::Ephemeral) || has(Part::Task) || has(Part::Request) {
        Unworthy::Ephemeral
    } else if has(Part::Question) {
        Unworthy::Question
    } else {
        Unworthy::Unheard
    }
}
