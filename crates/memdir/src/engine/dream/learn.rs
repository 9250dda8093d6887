//! What was said becomes memory: a fact that moved is put right, a line of a log that is worth it
//! becomes a memory of its own.
//!
//! Enters: the workspace and statements. Leaves: revised candidates with the old words and their source noted,
//! and new ones. A conversation only revises what is known: learning from it is the extraction's
//! work. Relative dates are resolved here alone, from the day something was said (H2). In a revised memory the
//! sentences that were contradicted go and the rest stays; in a long one nothing goes, and the new line is proposed.
//! Silence, jokes, task state and anything the encoder takes for small talk are left alone, and
//! so is a memory in a language that is not understood.

use std::collections::{BTreeSet, HashSet};

use jiff::civil::Date;
use jiff::{Span, ToSpan as _};
use memdir_encoder::{Encoder, LABELS, QuantVector, SAVE_LABELS};

use super::heard::Heard;
use super::pairs::cosine;
use super::unite::is_exchange;
use super::wording::{is_understood, says, tells_of_change};
use super::workspace::{Dropped, Grounds, Workspace};
use crate::engine::Error;
use memdir_core::kind::Type;
use memdir_guard::secrets;
use memdir_lexicon as lexicon;
use memdir_reader::facts::{Facts, sentences};
use memdir_reader::likeness::{self, Note, words};
use memdir_reader::{dates, guess, title, worth};
use memdir_store::topic::NewTopic;

/// A person's line is learned from here.
const SAID: f32 = 0.5;
/// A person who says that something changed is believed from here: it only revises what is known.
const SAID_CHANGED: f32 = 0.25;
/// A log's own words are learned from here, as a fact or a pointer.
const TOLD: f32 = 0.85;
/// A statement this near to a memory is about it.
const ABOUT: f32 = 0.42;
/// And so much nearer than to the next.
const CLEARLY: f32 = 0.08;
/// What it counts that the statement names the memory in full.
const NAMED: f32 = 0.3;

/// Takes in what was said, the oldest first. Returns the dates that were said.
pub(super) fn learn(workspace: &mut Workspace, heard: &[Heard]) -> Result<HashSet<String>, Error> {
    let mut said: HashSet<String> = HashSet::new();
    if heard.is_empty() {
        return Ok(said);
    }
    let encoder = Encoder::new();
    let names: Vec<Vec<String>> = workspace.candidates.iter().map(|candidate| words(&candidate.name())).collect();
    for one in heard {
        said.extend(Facts::read(&dated(one)).dates().map(str::to_owned));
        let text = one.text.trim();
        if !secrets::scan(text).is_empty() || worth::not_worth(text).is_some() {
            continue;
        }
        let chances = encoder.utterance(text, &one.before);
        let save: f32 = chances[..SAVE_LABELS].iter().sum();
        let liked = one.logged && one.by_user && says(text, &lexicon::LIKED);
        let changed = one.by_user && tells_of_change(text);
        if save < if changed { SAID_CHANGED } else { SAID } && !liked {
            continue;
        }
        if let Some(at) = about(workspace, encoder, one, &names)
            && revise(workspace, at, one, &mut said)
        {
            continue;
        }
        if one.logged && (save >= SAID || liked) && (one.by_user || told(&chances) >= TOLD) {
            remember(workspace, one)?;
        }
    }
    Ok(said)
}

/// How sure it is that a line states a fact or says where something is.
fn told(chances: &[f32]) -> f32 {
    LABELS
        .iter()
        .zip(chances)
        .filter(|(label, _)| matches!(**label, "project" | "reference"))
        .map(|(_, chance)| chance)
        .sum()
}

/// The memory that a statement is about.
fn about(workspace: &Workspace, encoder: Encoder, heard: &Heard, names: &[Vec<String>]) -> Option<usize> {
    let own = encoder.encode_query(&heard.text).quantise();
    let with = encoder.encode_query(&format!("{} {}", heard.before, heard.text)).quantise();
    let said: HashSet<String> = words(&heard.text).into_iter().collect();
    let places = places(&heard.text);
    let near = |vector: &QuantVector, at: usize| {
        let pair = workspace.candidates[at].vectors.as_ref();
        pair.map_or(0.0, |pair| cosine(vector, &pair.header).max(cosine(vector, &pair.whole)))
    };
    let mut scored: Vec<(f32, usize)> = (0..workspace.candidates.len())
        .filter(|at| workspace.candidates[*at].is_free())
        .map(|at| {
            let name = names.get(at).map(Vec::as_slice).unwrap_or_default();
            let named = !name.is_empty() && name.iter().all(|word| said.contains(word));
            // A host, a path or a key that both write out is as good as a name.
            let text = if places.is_empty() { String::new() } else { workspace.candidates[at].body().to_lowercase() };
            let named = named || places.iter().any(|place| text.contains(place));
            (near(&own, at).max(near(&with, at)) + if named { NAMED } else { 0.0 }, at)
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let second = scored.get(1).map_or(0.0, |(score, _)| *score);
    scored.first().filter(|(score, _)| *score >= ABOUT && *score >= second + CLEARLY).map(|(_, at)| *at)
}

/// Hosts, paths and keys in a text: words with a mark inside, in lower case.
fn places(text: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let is_place = |word: &String| {
        word.len() >= 8 && word.contains(['.', '/', '_', ':']) && !word.starts_with(|c: char| c.is_ascii_digit())
    };
    text.split_whitespace().map(bare).filter(is_place).collect()
}

/// Puts a memory right by what was said later. Returns whether it was about a change.
fn revise(workspace: &mut Workspace, at: usize, heard: &Heard, said: &mut HashSet<String>) -> bool {
    if heard.day < workspace.candidates[at].day || !is_understood(&workspace.candidates[at].text()) {
        return false;
    }
    let text = dated(heard);
    if workspace.candidates[at].says(&text) {
        return true;
    }
    let candidate = &workspace.candidates[at];
    // The day of a reason does not move with the thing.
    let stated = format!("{}\n{}", candidate.description(), likeness::statement_of(&candidate.body()));
    let (known, told) = (days(&stated), days(&text));
    let new: Vec<Date> = told.difference(&known).copied().collect();
    let change = tells_of_change(&text);
    let moved = match (known.iter().next(), known.len(), new.as_slice()) {
        (Some(old), 1, [day]) if change || says(&text, &lexicon::LATER) || says(&text, &lexicon::EARLIER) => {
            Some((*old, *day))
        }
        (Some(old), 1, []) => shift(&text).and_then(|span| Some((*old, old.checked_add(span).ok()?))),
        _ => None,
    };
    let source = format!("superseded by what was said on {} ({})", heard.day, heard.source);
    if let Some((old, day)) = moved {
        // "Two days later" names the day as well as a date does.
        said.insert(day.to_string());
        return move_date(workspace, at, old, day, &source);
    }
    if !(change || says(&text, &lexicon::DECIDED)) || !heard.by_user {
        return false;
    }
    restate(workspace, at, &text, &source);
    true
}

/// Writes another day wherever the old one stood.
fn move_date(workspace: &mut Workspace, at: usize, old: Date, day: Date, source: &str) -> bool {
    let candidate = &mut workspace.candidates[at];
    let (from, to) = (old.to_string(), day.to_string());
    let mut made = candidate.topic.clone();
    let body = candidate.body();
    made.set_body(&dates::replaced(&body, &from, &to));
    for key in ["description", "name"] {
        let said = made.get(key).map(String::from).unwrap_or_default();
        if said.contains(&from) && made.set(key, &dates::replaced(&said, &from, &to)).is_err() {
            return false;
        }
    }
    let told = candidate.description();
    let lines = body.lines().chain([told.as_str()]).filter(|line| line.contains(&from));
    candidate.dropped.extend(lines.map(|line| Dropped { line: line.to_owned(), reason: source.to_owned() }));
    candidate.notes.push(format!("{from} became {to}: {source}"));
    candidate.grounds = Grounds::Said;
    candidate.topic = made;
    if candidate.is_long() {
        candidate.hold(LONG);
    }
    true
}

/// Why a long note is not revised unasked.
const LONG: &str = "it is a long note, and what was said is about one line of it";

/// What was said, with the days that its relative dates mean.
pub(super) fn dated(heard: &Heard) -> String {
    dates::resolve(&heard.text, heard.day).text
}

/// Lets a memory state what is true now: its first sentence goes, and others and uses that the news speaks of.
fn restate(workspace: &mut Workspace, at: usize, text: &str, source: &str) {
    let candidate = &mut workspace.candidates[at];
    let statement = tidied(text);
    candidate.grounds = Grounds::Said;
    if candidate.is_long() {
        candidate.add_line(&statement);
        candidate.notes.push(format!("takes in what was said; {source}"));
        return candidate.hold(LONG);
    }
    let (body, told) = (candidate.body(), candidate.description());
    let news: HashSet<String> = words(&statement).into_iter().collect();
    let touched = |text: &str| words(text).iter().any(|word| news.contains(word));
    let (mut kept, mut labelled, mut dropped) = (vec![statement.clone()], Vec::new(), vec![told.clone()]);
    let mut first = true;
    for line in body.lines().filter(|line| !line.trim().is_empty()) {
        if likeness::statement_of(line).is_empty() {
            let is_why = line.to_lowercase().contains("why") || line.contains("原因");
            if is_why || !touched(line) {
                labelled.push(line.to_owned());
            } else {
                dropped.push(line.to_owned());
            }
            continue;
        }
        let (goes, stays): (Vec<String>, Vec<String>) =
            sentences(line).into_iter().partition(|sentence| std::mem::take(&mut first) || touched(sentence));
        dropped.extend(goes);
        if !stays.is_empty() {
            kept.push(stays.join(" "));
        }
    }
    let mut made = candidate.topic.clone();
    let tail = if labelled.is_empty() { String::new() } else { format!("\n\n{}", labelled.join("\n")) };
    let ending = if body.contains("\r\n") { "\r\n" } else { "\n" };
    made.set_body(&format!("{}{tail}\n", kept.join("\n\n")).replace('\n', ending));
    if made.set("description", &title::summary(&statement)).is_err() {
        return;
    }
    candidate.topic = made;
    if !is_exchange(&dropped.join("\n"), &candidate.text()) {
        candidate.hold("it said more than what was contradicted");
    }
    candidate.dropped.extend(dropped.into_iter().map(|line| Dropped { line, reason: source.to_owned() }));
    candidate.notes.push(format!("states what is true now; {source}"));
}

/// Makes a memory of a line of a log, unless one says it already.
fn remember(workspace: &mut Workspace, heard: &Heard) -> Result<(), Error> {
    let text = tidied(&dated(heard));
    let note = Note::read(&text);
    let own: HashSet<String> = words(&text).into_iter().collect();
    let known = workspace.candidates.iter().filter(|candidate| candidate.stays()).any(|candidate| {
        // Reading a note in full is dear; one that shares no word in its description says something else.
        let about = words(&format!("{} {}", candidate.name(), candidate.description()));
        let shares = about.iter().any(|word| own.contains(word));
        shares && (candidate.says(&text) || Note::read(&candidate.text()).likeness(&note) >= likeness::SAME)
    });
    if known || words(&text).len() < 3 {
        return Ok(());
    }
    let kind = if says(&text, &lexicon::LIKED) { Type::Feedback } else { guess::guess_kind(&text) };
    let (name, description) = (title::title(&text), title::summary(&text));
    let new = NewTopic { name: &name, description: &description, kind: Some(kind), body: &text, pinned: false };
    workspace.add(&new, heard.day, format!("from {}", heard.source))
}

/// A statement without the word that answered a question, with a capital.
fn tidied(text: &str) -> String {
    let mut rest = text.trim();
    while let Some(opening) = lexicon::ANSWER_OPENING.longest_prefix_of(&rest.to_ascii_lowercase()) {
        let after = rest[opening.len()..].trim_start();
        // "no pandas in the ingest path" is a rule.
        if opening == "no " && !after.starts_with("we ") && !after.starts_with("it ") {
            break;
        }
        rest = after;
    }
    let mut chars = rest.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The dates that a text names.
fn days(text: &str) -> BTreeSet<Date> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices('-') {
        let Some(start) = at.checked_sub(4) else { continue };
        if let Some(day) = text.get(start..start + 10).and_then(|day| day.parse().ok()) {
            found.insert(day);
        }
    }
    found
}

/// "two days later than planned", 推迟 3 天.
fn shift(text: &str) -> Option<Span> {
    let lower = text.to_lowercase();
    let tokens: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let sign = if says(text, &lexicon::LATER) {
        1
    } else if says(text, &lexicon::EARLIER) {
        -1
    } else {
        return None;
    };
    tokens.windows(2).find_map(|pair| {
        let count = number(pair[0])? * sign;
        match pair[1] {
            "day" | "days" => Some(count.days()),
            "week" | "weeks" => Some(count.weeks()),
            "month" | "months" => Some(count.months()),
            _ => None,
        }
    })
}

fn number(word: &str) -> Option<i64> {
    match word {
        "a" | "an" => Some(1),
        _ => word
            .parse()
            .ok()
            .filter(|count| *count < 1_000)
            .or_else(|| lexicon::NUMBER.iter().find(|(name, _)| *name == word).map(|(_, count)| count.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l2_delays_are_counted_from_the_known_day() {
        let old: Date = "2026-04-20".parse().unwrap();
        let after = |text: &str| shift(text).map(|span| old.checked_add(span).unwrap().to_string());
        assert_eq!(after("the feed is late: two days later than planned").as_deref(), Some("2026-04-22"));
        assert_eq!(after("it comes a week earlier").as_deref(), Some("2026-04-13"));
        assert_eq!(after("it takes two days"), None);
    }

    #[test]
    fn an_answer_loses_its_no_and_a_rule_keeps_it() {
        assert_eq!(tidied("no we left trello"), "We left trello");
        assert_eq!(tidied("no pandas in the ingest path"), "No pandas in the ingest path");
    }
}
