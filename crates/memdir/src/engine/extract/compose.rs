//! A memory made of what a person said.
//!
//! Enters: the sentences worth keeping, what they answer, and the day. Leaves: a draft: the rule or fact
//! first, then why and where it applies (F3), absolute dates (F4), a type and a scope (T2). The words stay the
//! person's; only small talk, "I" and "tomorrow" are changed. Never adds what nobody said.

use jiff::civil::Date;

use super::backdrop::{approved, circumstance, is_complaint, points_back, question, unwanted};
use super::classifier::Act;
use super::draft::{Draft, last_date};
use super::person::about_user;
use super::reasons::{Told, told_apart};
use super::sort::scope;
use super::tidy::tidy;
use memdir_core::kind::Type;
use memdir_reader::cues::{self, Clause};
use memdir_reader::dates;
use memdir_reader::sentences::sentences;

/// What a draft is made from.
pub(super) struct Material<'m> {
    pub(super) kept: &'m [String],
    pub(super) kind: Type,
    pub(super) act: Act,
    pub(super) day: Date,
    pub(super) message: &'m str,
    /// What the assistant had proposed.
    pub(super) proposal: &'m str,
    /// What the person had asked for before.
    pub(super) request: Option<&'m str>,
}

/// Makes a draft; `None` when nothing is left that can stand alone.
pub(super) fn compose(from: &Material<'_>) -> Option<Draft> {
    let tidied: Vec<String> = from.kept.iter().map(|sentence| tidy(sentence)).filter(|s| !s.is_empty()).collect();
    let whole = tidied.join(". ");
    if cues::length(&whole) < 2 {
        return None;
    }
    let (complaints, tidied): (Vec<String>, Vec<String>) =
        tidied.into_iter().partition(|sentence| is_complaint(sentence));
    let Told { said: mut statements, whys, uses } = told_apart(&tidied, from.kind);
    statements.extend(complaints.iter().map(|sentence| unwanted(sentence)));
    if from.act == Act::Confirmation
        && let Some(choice) = approved(&whole, from.proposal)
    {
        statements.push(choice);
    }
    let spoken = Clause::new(&whole);
    let finish = |pieces: &[String]| -> String {
        let text = about_user(&pieces.iter().map(|piece| ended(piece)).collect::<Vec<_>>().join(" "));
        let text = dates::resolve(&text, from.day).text;
        sentences(&text).into_iter().map(capital).collect::<Vec<_>>().join(" ")
    };
    let statement = finish(&statements);
    let why = (!whys.is_empty()).then(|| finish(&whys));
    let last = last_date(&format!("{statement} {}", why.as_deref().unwrap_or_default()));
    let factual = matches!(from.kind, Type::Project | Type::Reference);
    let about = from.request.filter(|_| factual).and_then(|request| question(&whole, request));
    let apply = match from.kind {
        Type::Feedback => from.request.and_then(|request| circumstance(&whole, request)),
        Type::Project if !uses.is_empty() => Some(finish(&uses)),
        Type::Project => last
            .filter(|last| *last >= from.day)
            .map(|last| format!("Plan with it; after {last} check whether it still holds.")),
        _ => None,
    };
    Some(Draft {
        kind: from.kind,
        scope: scope(from.kind, &spoken),
        why: why.filter(|_| matches!(from.kind, Type::Feedback | Type::Project)),
        statement,
        about,
        apply,
        day: from.day,
        messages: vec![from.message.to_owned()],
        changes: spoken.changes(),
        context: from.request.filter(|_| points_back(&whole)).map(str::to_owned),
    })
}

/// A piece with its end.
fn ended(piece: &str) -> String {
    let piece = piece.trim();
    if piece.ends_with(['.', '!', '?', '。', '！', '？']) {
        piece.to_owned()
    } else if piece.ends_with(memdir_reader::han::is_unspaced) {
        format!("{piece}。")
    } else {
        format!("{piece}.")
    }
}

/// A sentence with a capital, unless its first word is a name of code.
pub(super) fn capital(sentence: &str) -> String {
    let first = sentence.split_whitespace().next().unwrap_or_default();
    let word = first.trim_end_matches(|c: char| !c.is_alphanumeric());
    let simple = !word.is_empty() && word.chars().all(|c| c.is_lowercase() || c == '\'') && word.is_ascii();
    let mut letters = sentence.chars();
    match letters.next() {
        Some(letter) if simple => letter.to_uppercase().chain(letters).collect(),
        _ => sentence.to_owned(),
    }
}
