//! What somebody said since the last dream, as far as it may be kept.
//!
//! Enters: a raw statement. Leaves: its sentences that hold longer than the moment, with the days that its relative dates mean, without
//! the word that answered a question. Decides nothing about memory.

use std::collections::HashSet;

use memdir_encoder::{Reader, SentenceKind};

use super::raw_statements::RawStatement;
use super::workspace::WorkspaceMemory;
use memdir_lexicon as lexicon;
use memdir_reader::facts::Facts;
use memdir_reader::likeness::words;
use memdir_reader::{dates, sentences};

/// A line is learned from here.
pub(super) const SAID: f32 = 0.5;
/// From here a statement needs what was said before it to be understood.
const NEEDS: f32 = 0.5;
/// This many words of a memory say that it was spoken of.
const SPOKEN_OF: usize = 2;

/// What somebody said, as far as it may be kept.
pub(super) struct Statement<'h> {
    pub(super) raw: &'h RawStatement,
    /// With the days that its relative dates mean, and without the sentences that are for the moment.
    pub(super) text: String,
    /// It sounds as if it held for the moment only.
    pub(super) fleeting: bool,
    /// It is about something that was named before it.
    pub(super) leans: bool,
    /// By itself it says nothing: "ok, leave it".
    bare: bool,
}

impl<'h> Statement<'h> {
    pub(super) fn of(raw: &'h RawStatement, reader: Reader, fleeting: bool) -> Statement<'h> {
        let whole = raw.text.trim();
        if raw.kind.is_some() {
            let text = capital(&dates::resolve(whole, raw.day).text);
            return Statement { raw, text, fleeting, leans: false, bare: false };
        }
        let mut kept: Vec<&str> = Vec::new();
        let mut at = 0;
        let all = sentences::sentences(whole);
        for sentence in &all {
            let start = whole[at..].find(sentence).map_or(at, |found| at + found);
            at = start + sentence.len();
            let scores = reader.sentence(&raw.before, whole, start..at);
            if all.len() == 1 || scores.worth_keeping() + scores.of(SentenceKind::Reason) >= SAID {
                kept.push(sentence);
            }
        }
        let text = if kept.is_empty() { whole.to_owned() } else { kept.join(" ") };
        let text = tidied(&dates::resolve(&text, raw.day).text);
        let bare = reader.sentence(&raw.before, whole, 0..whole.len()).needs_context() >= NEEDS;
        Statement { raw, text, fleeting, leans: false, bare }
    }

    /// Whether it names anything that a memory speaks of, or can be understood without it, or tells what was spoken of before it.
    pub(super) fn can_stand_for(&self, candidate: &WorkspaceMemory) -> bool {
        self.names(candidate) || tells_of(&self.raw.before, &self.text, &candidate.text())
    }

    /// Whether its own words say what it is about, as far as they have to.
    pub(super) fn names(&self, candidate: &WorkspaceMemory) -> bool {
        !self.bare || common(&self.text, &candidate.text()) > 0
    }
}

/// Whether a text that needs what was said before it says a value of what a memory is about, which is there: "it is Strata",
/// after "three candidates, no decision yet". "Ok, leave it" says none.
fn tells_of(before: &str, text: &str, memory: &str) -> bool {
    common(before, memory) >= SPOKEN_OF && !Facts::read(text).marks.is_empty()
}

/// How many words of a text another one says.
fn common(text: &str, other: &str) -> usize {
    let other: HashSet<String> = words(other).into_iter().collect();
    let own: HashSet<String> = words(text).into_iter().collect();
    own.intersection(&other).count()
}

/// What was said, with the days that its relative dates mean.
pub(super) fn dated(raw: &RawStatement) -> String {
    dates::resolve(&raw.text, raw.day).text
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
    capital(rest)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_may_tell_of_what_was_named_before_it_and_a_bare_answer_may_not() {
        let memory = "Database choice. Three candidates are evaluated, no decision yet";
        let before = "My notes say three candidates and no decision.";
        assert!(tells_of(before, "We decided on 2026-04-02: it is Strata", memory));
        assert!(!tells_of(before, "ok, leave it", memory));
        assert!(!tells_of("The build is green.", "We decided on 2026-04-02: it is Strata", memory));
    }

    #[test]
    fn an_answer_loses_its_no_and_a_rule_keeps_it() {
        assert_eq!(tidied("no we left trello"), "We left trello");
        assert_eq!(tidied("no pandas in the ingest path"), "No pandas in the ingest path");
    }
}
