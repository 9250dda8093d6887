//! A memory made of what a person said.
//!
//! Enters: the parts worth keeping, why they are so, what they are about, and the day. Leaves: a draft: the rule or fact
//! first, then why and where it applies (F3), absolute dates (F4), a type and a scope (T2). The words stay the
//! person's; only small talk, "I" and "tomorrow" are changed. Never adds what nobody said.

use super::draft::{Draft, last_date};
use super::exchange::Utterance;
use super::person::about_user;
use super::tidy::tidy;
use memdir_core::kind::{Scope, Type};
use memdir_lexicon::{self as lexicon, List};
use memdir_reader::cues::{self, ClauseCues};
use memdir_reader::sentences::sentences;
use memdir_reader::{dates, title};

/// What a draft is made from.
pub(super) struct DraftSource<'m> {
    pub(super) said: &'m [&'m str],
    pub(super) whys: &'m [&'m str],
    pub(super) kind: Type,
    /// What it approves or refers to.
    pub(super) about: Option<String>,
    /// The message it was said in.
    pub(super) one: &'m Utterance,
}

/// Makes a draft; `None` when nothing is left that can stand alone.
pub(super) fn compose(from: &DraftSource<'_>) -> Option<Draft> {
    let day = from.one.day;
    let mut said: Vec<String> = from.said.iter().map(|part| tidy(part)).filter(|part| !part.is_empty()).collect();
    let whole = said.join(". ");
    if cues::length(&whole) < 2 {
        return None;
    }
    let mut whys: Vec<String> = from.whys.iter().map(|why| tidy(without(&tidy(why), &lexicon::REASON_TIE))).collect();
    let explained = matches!(from.kind, Type::Feedback | Type::Project);
    if !explained {
        said.append(&mut whys);
    }
    let finish = |pieces: &[String]| -> String {
        let text = about_user(&pieces.iter().map(|piece| ended(piece)).collect::<Vec<_>>().join(" "));
        let text = dates::resolve(&title::fact(&text), day).text;
        sentences(&text).into_iter().map(capital).collect::<Vec<_>>().join(" ")
    };
    let statement = finish(&said);
    let why = (!whys.is_empty()).then(|| finish(&whys));
    let last = last_date(&format!("{statement} {}", why.as_deref().unwrap_or_default()));
    let ahead = last.filter(|last| from.kind == Type::Project && *last >= day);
    let apply = ahead.map(|last| format!("Plan with it; after {last} check whether it still holds."));
    Some(Draft {
        kind: from.kind,
        scope: scope(from.kind, &ClauseCues::new(&whole)),
        statement,
        why,
        apply,
        about: from.about.clone(),
        day,
        time: from.one.time,
        messages: vec![from.one.id.clone()],
    })
}

/// Personal, or everybody's (T2).
pub(super) fn scope(kind: Type, said: &ClauseCues<'_>) -> Scope {
    let mine = said.says(&lexicon::FIRST_PERSON) && !said.says(&lexicon::WE);
    let ours = said.says(&lexicon::SHARED_CONCERN);
    match kind {
        Type::User => Scope::Private,
        Type::Feedback if mine || !ours => Scope::Private,
        _ => Scope::Team,
    }
}

/// A clause without the word that ties it to the one before.
fn without<'t>(text: &'t str, ties: &List) -> &'t str {
    let lower = text.to_lowercase();
    let cut = ties.longest_prefix_of(&lower).filter(|_| lower.len() == text.len());
    let rest = cut.map_or(text, |cut| &text[cut.len()..]);
    // "because of the holiday" is not a sentence without its "because of".
    if rest.to_lowercase().starts_with("of ") { text } else { rest }
}

/// A reason that came later, as it is in a memory.
pub(super) fn reason(text: &str, day: jiff::civil::Date) -> String {
    let text = about_user(&ended(&tidy(without(&tidy(text), &lexicon::REASON_TIE))));
    let text = dates::resolve(&text, day).text;
    sentences(&text).into_iter().map(capital).collect::<Vec<_>>().join(" ")
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
