//! Which of the four types a statement is (F2).
//!
//! Enters: what somebody wrote, a statement or a whole memory. Leaves: a type, always one: a
//! statement without any sign is a fact of the project. Judged by cues, each with a weight; the
//! sum decides. Never certain: whoever knows the type says so.

mod cues;

use memdir_lexicon as lexicon;
use std::cmp::Reverse;

use super::dates::CALENDAR_NAMES;
use super::plain::{Label, plain};
use cues::CUES;
use memdir_core::kind::Type;

/// A body that gives a reason is a rule or a fact, hardly a person or a pointer.
const EXPLAINED: i32 = 9;
/// A year or a date is a matter of the project.
const DATED: i32 = 2;
/// A place with a proper name, "are in Lokalise", or a name in quotation marks.
const NAMED_PLACE: i32 = 6;
/// Text beyond this does not change what kind of thing is said.
const ENOUGH_BYTES: usize = 4 * 1024;

/// The most likely type of `text`.
pub fn guess_kind(text: &str) -> Type {
    let text = &text[..text.floor_char_boundary(ENOUGH_BYTES)];
    let marked = lowered(text);
    let lines: Vec<String> = text.lines().take(3).map(|line| lowered(line).trim_start().to_owned()).collect();
    let mut best = (Type::Project, i32::MIN);
    for cues in CUES {
        // The longest opening tells most: "i'm " rather than "i".
        let opening = cues
            .opening
            .iter()
            .filter(|(cue, _)| lines.iter().any(|line| line.starts_with(cue)))
            .max_by_key(|(cue, weight)| (cue.len(), Reverse(*weight)));
        let inside = cues.inside.iter().filter(|(cue, _)| marked.contains(cue));
        let score = cues.weight
            + opening.map_or(0, |(_, weight)| weight)
            + inside.map(|(_, weight)| weight).sum::<i32>()
            + beyond_cues(cues.kind, text);
        if score > best.1 || (score == best.1 && cues.kind == Type::Project) {
            best = (cues.kind, score);
        }
    }
    best.0
}

/// What the shape of a text says, beside its words.
fn beyond_cues(kind: Type, text: &str) -> i32 {
    let explained = || text.lines().any(|l| Label::of(l).is_some());
    let dated = || {
        text.split(|c: char| !c.is_ascii_digit())
            .any(|w| w.len() == 4 && (w.starts_with("202") || w.starts_with("203")))
    };
    match kind {
        Type::Feedback if explained() => EXPLAINED,
        // One more than a rule: where both are explained, a fact is the likelier.
        Type::Project => i32::from(explained()) * (EXPLAINED + 1) + i32::from(dated()) * DATED,
        Type::Reference if names_a_place(text) => NAMED_PLACE,
        _ => 0,
    }
}

/// "tracked in Linear", "on the Confluence page", "view 'Eng triage'", 「性能/压测」.
fn names_a_place(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let proper = |at: usize| words.get(at).is_some_and(|w| is_proper(w));
    let after = words.iter().enumerate().any(|(at, word)| {
        let article = words.get(at + 1).is_some_and(|w| lexicon::en::ARTICLE_OF_PLACE.contains(w));
        lexicon::en::BEFORE_PLACE.contains(word) && (proper(at + 1) || (article && proper(at + 2)))
    });
    let spaced = [(" '", '\''), (" \"", '"')];
    let tight = [("“", '”'), ("「", '」'), ("《", '》')];
    let quoted = spaced
        .iter()
        .chain(&tight)
        .any(|(open, close)| text.split_once(open).is_some_and(|(_, rest)| rest.chars().take(40).any(|c| c == *close)));
    after || quoted
}

/// A capitalised word that is neither a month nor a weekday.
fn is_proper(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_uppercase)
        && chars.next().is_some_and(char::is_alphanumeric)
        && !CALENDAR_NAMES.contains(&word.trim_end_matches(|c: char| !c.is_alphanumeric()))
}

/// Lower case, on one line, with blanks for marks, so that a cue is found at the end of a clause.
fn lowered(text: &str) -> String {
    let labels_off: String = text.lines().filter(|l| Label::of(l).is_none()).flat_map(|l| [l, "\n"]).collect();
    let mut line = String::from(" ");
    line.extend(
        plain(&labels_off)
            .to_lowercase()
            .chars()
            .map(|c| if matches!(c, ',' | ';' | '!' | '?' | '(' | ')' | '"' | '。' | '，') { ' ' } else { c }),
    );
    let line = line.replace(". ", " ");
    let mut line = line.trim_end_matches('.').to_owned();
    line.push(' ');
    line
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Type::{Feedback, Project, Reference, User};
    use super::*;

    #[test]
    fn f2_the_four_types_by_their_words() {
        let table: &[(&str, Type)] = &[
            ("I'm a data scientist, I mostly care about what we log", User),
            ("I am the release manager, not an engineer", User),
            ("my role is platform lead", User),
            ("User is red-green colour blind; charts need labels", User),
            ("Ten years of Go, new to React", User),
            ("I prefer reading diffs to summaries", User),
            ("我是做嵌入式出身的,C 很熟", User),
            ("我负责召回网关", User),
            ("never mock the database in integration tests", Feedback),
            ("always run the linter before you commit", Feedback),
            ("don't add docstrings to private helpers", Feedback),
            ("use pnpm, not npm", Feedback),
            ("stop summarising at the end", Feedback),
            ("不要在回答末尾总结", Feedback),
            ("以后都用中文回答", Feedback),
            ("请先跑测试再提交", Feedback),
            ("merge freeze from 2026-03-05 until the mobile release", Project),
            ("We dropped GraphQL on 2026-04-09, three partners could not cache it", Project),
            ("Marguerite owns the pricing rules since the rounding incident", Project),
            ("the contract with the vendor ends in December", Project),
            ("版本 3.0 推迟到 2026-10,合规还没过", Project),
            ("Pipeline bugs are tracked in the Linear project INGEST", Reference),
            ("the runbook lives in Notion", Reference),
            ("grafana.internal/d/checkout-latency is what oncall watches", Reference),
            ("support posts a digest in the Slack channel #voice-of-rider", Reference),
            ("https://status.altavia.example", Reference),
            ("接口文档在语雀「小程序/接口」", Reference),
            ("发布看板在飞书", Reference),
        ];
        let wrong: Vec<_> = table
            .iter()
            .filter(|(text, want)| guess_kind(text) != *want)
            .map(|(text, want)| format!("{text:?}: {} for {want}", guess_kind(text)))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn f3_a_body_with_a_reason_is_a_rule_or_a_fact() {
        let alone = "User ids are read after consent.";
        assert_eq!(guess_kind(alone), User);
        let explained = format!("{alone}\n\n**Why:** law.\n**How to apply:** every reader.");
        assert!(matches!(guess_kind(&explained), Feedback | Project));
        assert_eq!(guess_kind(""), Project);
    }

    proptest! {
        #[test]
        fn every_text_has_a_type(text in "(?s).{0,300}") {
            let _ = guess_kind(&text);
        }
    }
}
