//! What was said becomes memory: a fact that moved is put right, a line of a log that is worth it
//! becomes a memory of its own.
//!
//! Enters: the workspace and statements, the oldest first. Leaves: revised candidates with the old words and their source noted, new
//! ones, and what the words do not decide. The judge says what a statement is to what is known, as at every other way into memory; the
//! time it was said decides which of two stands (K6): what is older than a memory changes nothing in it, and is not learned beside it
//! either. A conversation only revises what is known: learning from it is the extraction's work. Relative dates are resolved here alone,
//! from the day something was said (H2). Silence, jokes, task state and small talk are left alone.

use std::collections::HashSet;

use serde::Serialize;

use memdir_encoder::{Encoder, LABELS, QuantVector, Reader, SAVE_LABELS, SentenceKind};

use super::pairs::cosine;
use super::raw_statements::RawStatement;
use super::restate::{LONG, move_date, moved_day, refine, restate};
use super::statement::{SAID, Statement, dated};
use super::time_order::{TimeOrder, order};
use super::unite::PossibleContradiction;
use super::wording::says;
use super::workspace::{Workspace, WorkspaceMemory};
use crate::engine::Error;
use crate::engine::judge::{Judge, KnownMemory, Verdict};
use memdir_core::kind::Type;
use memdir_guard::secrets;
use memdir_lexicon as lexicon;
use memdir_reader::facts::Facts;
use memdir_reader::likeness::words;
use memdir_reader::{title, worth};
use memdir_store::topic::NewTopic;

/// What is known is revised from here: the judge has the last word.
const SAID_OF_KNOWN: f32 = 0.25;
/// A log's own words are learned from here, as a fact or a pointer.
const TOLD: f32 = 0.85;
/// This many memories are read against a statement.
const NEAR: usize = 6;
/// A memory that is further away is about something else,
const FAR: f32 = 0.45;
/// and so is one that is so much further away than the nearest.
const BEHIND: f32 = 0.05;
/// What it counts that both name the same host, path or key, or that the statement names the memory in full.
const NAMED: f32 = 0.3;

/// Takes in what was said, the oldest first. Returns the dates that were said.
pub(super) fn apply(
    workspace: &mut Workspace,
    raw: &[RawStatement],
    unsure: &mut Vec<PossibleContradiction>,
    left_out: &mut Vec<UnusedLogLine>,
) -> Result<HashSet<String>, Error> {
    let mut said: HashSet<String> = HashSet::new();
    let (encoder, reader, judge) = (Encoder::new(), Reader::new(), Judge::default());
    for one in raw {
        said.extend(Facts::read(&dated(one)).dates().map(str::to_owned));
        let whole = one.text.trim();
        if let Some(why) = not_kept(whole) {
            left_out.extend(UnusedLogLine::of(one, why));
            continue;
        }
        let chances = encoder.utterance(whole, &one.before);
        let scores = reader.sentence(&one.before, whole, 0..whole.len());
        let kind = scores.best();
        // A log tells of praise, where a message would be it.
        let liked = one.logged && one.by_user && says(whole, &lexicon::LIKED);
        let chance = chances[..SAVE_LABELS].iter().sum::<f32>().max(scores.worth_keeping());
        // What somebody filed under a type was worth it to them.
        let save: f32 = if one.kind.is_some() { 1.0 } else { chance };
        // What sounds like the task of the moment may still be about what is known; then a person decides.
        let fleeting = save < SAID_OF_KNOWN;
        if fleeting && !liked && !(one.by_user && matches!(kind, SentenceKind::OneOff | SentenceKind::Derivable)) {
            continue;
        }
        let mut statement = Statement::of(one, reader, fleeting);
        let near = near(workspace, encoder, &statement);
        let known: Vec<KnownMemory> =
            near.iter().map(|(score, at)| known(&workspace.candidates[*at], *score)).collect();
        let near: Vec<usize> = near.into_iter().map(|(_, at)| at).collect();
        let mut verdict = judge.verdict(&statement.text, &known);
        if matches!(verdict, Verdict::New) && !fleeting && !one.before.is_empty() {
            // "It is Strata" says what is true of what was spoken of before; what that was is a guess.
            verdict = judge.verdict(&format!("{} {}", one.before, statement.text), &known);
            statement.leans = !matches!(verdict, Verdict::New | Verdict::Same(_));
        }
        if take_in(workspace, &statement, &near, &verdict, (&mut said, unsure)) {
            left_out.extend(already_said(workspace, &statement, &near, &verdict));
            continue;
        }
        if one.logged && (save >= SAID || liked) && (one.by_user || told(&chances) >= TOLD) {
            let guessed = || if liked { Type::Feedback } else { judge.kind(&statement.text) };
            let kind = one.kind.unwrap_or_else(guessed);
            remember(workspace, &statement, kind)?;
        }
    }
    Ok(said)
}

/// A line of a log in our own form that no memory was made of (L2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnusedLogLine {
    /// What it says.
    pub line: String,
    /// Where it stands.
    pub source: String,
    /// Why.
    pub why: String,
}

impl UnusedLogLine {
    /// Other lines are a log's own words, and most of them are for the day.
    fn of(raw: &RawStatement, why: String) -> Option<UnusedLogLine> {
        let (line, _) = secrets::redact(&raw.text);
        raw.kind.is_some().then(|| UnusedLogLine { line, source: raw.source.clone(), why })
    }
}

/// Why nothing is kept of a statement, whatever is known.
fn not_kept(text: &str) -> Option<String> {
    if !secrets::scan(text).is_empty() {
        return Some("It holds a secret.".to_owned());
    }
    worth::not_worth(text).map(|reason| reason.why().to_owned())
}

/// Why a statement that was dealt with has changed nothing, if so.
fn already_said(
    workspace: &Workspace,
    statement: &Statement<'_>,
    near: &[usize],
    verdict: &Verdict,
) -> Option<UnusedLogLine> {
    let candidate = |place: usize| &workspace.candidates[near[place]];
    let why = match verdict {
        Verdict::Same(place) => format!("{} says it already.", candidate(*place).file),
        Verdict::Update(place, _) | Verdict::Refine(place) | Verdict::Drop(place) | Verdict::Undecided(place) => {
            let candidate = candidate(*place);
            if candidate.topic.pinned() {
                format!("{} is pinned, so only a person changes it.", candidate.file)
            } else if order(statement.raw.when, candidate) == TimeOrder::Earlier {
                format!("{} says what was said later.", candidate.file)
            } else {
                return None;
            }
        }
        Verdict::New => return None,
    };
    UnusedLogLine::of(statement.raw, why)
}

fn known(candidate: &WorkspaceMemory, near: f32) -> KnownMemory {
    KnownMemory::found(candidate.scope(), candidate.file.clone(), candidate.topic.clone(), near)
}

/// How sure it is that a line states a fact or says where something is.
fn told(chances: &[f32]) -> f32 {
    let is_fact = |label: &&str| matches!(*label, "project" | "reference");
    LABELS.iter().zip(chances).filter(|(label, _)| is_fact(label)).map(|(_, chance)| chance).sum()
}

/// The memories that a statement may be about, the nearest first.
fn near(workspace: &Workspace, encoder: Encoder, statement: &Statement<'_>) -> Vec<(f32, usize)> {
    let own = encoder.encode_query(&statement.text).quantise();
    let before = &statement.raw.before;
    let with = (!before.is_empty()).then(|| encoder.encode_query(&format!("{before} {}", statement.text)).quantise());
    let said: HashSet<String> = words(&statement.text).into_iter().collect();
    let places = places(&statement.text);
    let near = |vector: &QuantVector, candidate: &WorkspaceMemory| {
        let pair = candidate.vectors.as_ref();
        pair.map_or(0.0, |pair| cosine(vector, &pair.header).max(cosine(vector, &pair.whole)))
    };
    let score = |candidate: &WorkspaceMemory| {
        let name = words(&candidate.name());
        let named = !name.is_empty() && name.iter().all(|word| said.contains(word));
        let text = if places.is_empty() { String::new() } else { candidate.body().to_lowercase() };
        let named = named || places.iter().any(|place| text.contains(place));
        let meant = with.as_ref().map_or(0.0, |with| near(with, candidate)).max(near(&own, candidate));
        meant.max(if named { FAR } else { 0.0 }) + if named { NAMED } else { 0.0 }
    };
    let free = workspace.candidates.iter().enumerate().filter(|(_, candidate)| candidate.stays() && !candidate.torn);
    let mut scored: Vec<(f32, usize)> = free.map(|(at, candidate)| (score(candidate), at)).collect();
    let top = scored.iter().map(|(score, _)| *score).fold(0.0, f32::max);
    scored.retain(|(score, _)| *score >= FAR.max(top - BEHIND));
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(NEAR);
    scored
}

/// Hosts, paths and keys in a text: words with a mark inside, in lower case.
fn places(text: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let is_place = |word: &String| {
        word.len() >= 8 && word.contains(['.', '/', '_', ':']) && !word.starts_with(|c: char| c.is_ascii_digit())
    };
    text.split_whitespace().map(bare).filter(is_place).collect()
}

/// Does what the verdict says, where the time allows it. Returns whether the statement is dealt with.
fn take_in(
    workspace: &mut Workspace,
    statement: &Statement<'_>,
    near: &[usize],
    verdict: &Verdict,
    (said, unsure): (&mut HashSet<String>, &mut Vec<PossibleContradiction>),
) -> bool {
    let (Verdict::Same(place)
    | Verdict::Update(place, _)
    | Verdict::Refine(place)
    | Verdict::Drop(place)
    | Verdict::Undecided(place)) = verdict
    else {
        return false;
    };
    let at = near[*place];
    if matches!(verdict, Verdict::Same(_)) {
        return true;
    }
    let candidate = &mut workspace.candidates[at];
    let order = order(statement.raw.when, candidate);
    if order == TimeOrder::Earlier {
        // What the memory says was said after it.
        return true;
    }
    let moved = moved_day(candidate, &statement.text);
    let shifts = moved.as_ref().is_some_and(|moved| moved.told) && !matches!(verdict, Verdict::Undecided(_));
    // A remark that only answers what was said before cannot take the place of what a memory says.
    let answers = moved.is_none() && !statement.can_stand_for(candidate);
    if matches!(verdict, Verdict::Undecided(_)) || candidate.topic.pinned() || answers {
        let day = statement.raw.day;
        let why = format!("“{}” was said on {day} ({}) and may change it", statement.text, statement.raw.source);
        unsure.push(PossibleContradiction { files: vec![candidate.file.to_string()], why });
        return candidate.topic.pinned() || answers;
    }
    let is_update = matches!(verdict, Verdict::Update(..) | Verdict::Drop(_));
    if !(is_update || shifts || statement.raw.by_user) {
        return false;
    }
    let source = format!("superseded by what was said on {} ({})", statement.raw.day, statement.raw.source);
    let done = match (verdict, moved.filter(|_| is_update || shifts)) {
        (_, Some(moved)) => {
            said.insert(moved.to.to_string());
            move_date(candidate, &moved, &source)
        }
        (Verdict::Update(_, place), None) => restate(workspace, at, statement, place.clone(), &source),
        (Verdict::Drop(_), None) => restate(workspace, at, statement, None, &source),
        _ => refine(candidate, statement),
    };
    let candidate = &mut workspace.candidates[at];
    if !done {
        return false;
    }
    let when = statement.raw.when.map(|when| when.earliest);
    candidate.heard_at = when.or(candidate.heard_at);
    candidate.noted = when.or(candidate.noted);
    if candidate.is_long() {
        candidate.hold(LONG);
    }
    if order == TimeOrder::Unknown {
        candidate.hold("nobody knows which of the two was said later");
    } else if !statement.raw.by_user && !shifts {
        candidate.hold("the log says so, and not a person");
    } else if statement.leans || !statement.names(candidate) {
        candidate.hold("what it is about was named before it");
    } else if statement.fleeting {
        candidate.hold("it may have been said for the moment only");
    }
    true
}

/// Makes a memory of a line of a log.
fn remember(workspace: &mut Workspace, statement: &Statement<'_>, kind: Type) -> Result<(), Error> {
    let text = &statement.text;
    if words(text).len() < 3 && statement.raw.kind.is_none() {
        return Ok(());
    }
    let (fact, body) = with_reasons(text);
    let (name, description) = (title::title(fact), title::summary(fact));
    let new = NewTopic { name: &name, description: &description, kind: Some(kind), body: &body, pinned: false };
    let at = statement.raw.when.map(|when| when.earliest);
    workspace.add(&new, at, format!("from {}", statement.raw.source))
}

/// A line with its reasons as a fact and a body: each reason on a line of its own (F3).
fn with_reasons(line: &str) -> (&str, String) {
    let labels = ["**Why:**", "**How to apply:**"];
    let Some(first) = labels.iter().filter_map(|label| line.find(label)).min() else { return (line, line.to_owned()) };
    let (fact, mut rest) = (line[..first].trim(), line[first..].to_owned());
    for label in labels {
        rest = rest.replace(&format!(" {label}"), &format!("\n{label}"));
    }
    (fact, format!("{fact}\n\n{}", rest.trim()))
}
