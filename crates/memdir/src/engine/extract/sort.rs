//! Which type a statement is, and whose memory it belongs in (F2, T2).
//!
//! Enters: what was said and how it sounded. Leaves: one of the four types, and a scope. Judged by tone,
//! wording, dates and places together; the sum decides.

use jiff::civil::Date;

use super::classifier::{Act, Scores};
use super::draft::last_date;
use super::tidy::tidy;
use memdir_core::kind::{Scope, Type};
use memdir_lexicon as lexicon;
use memdir_reader::cues::Clause;
use memdir_reader::{code_words, dates, guess};

/// The type of what was said: how it sounds, and what it is about.
pub(super) fn kind_of(text: &str, scores: Scores, act: Act, day: Date) -> Type {
    let clause = Clause::new(text);
    let opening = tidy(text);
    let ordered = Clause::new(&opening).commands_first();
    let ahead = last_date(&dates::resolve(text, day).text).is_some_and(|last| last > day);
    let pointed = names_a_place(text);
    let guessed = guess::guess_kind(text);
    let score = |kind: Type| {
        let sound = match kind {
            Type::User => scores.of(Act::Profile),
            Type::Feedback => scores.of(Act::Correction) + scores.of(Act::Confirmation),
            Type::Project => scores.of(Act::Project),
            Type::Reference => scores.of(Act::Reference),
        };
        let sign = match kind {
            // A rule with an end, or somebody's plan, is a matter of the project.
            Type::Project if ahead && clause.is_dated_plan() => 2.2,
            Type::Project if ahead && !pointed => 1.2,
            Type::Project if clause.explains_choice() => 0.9,
            Type::Feedback if clause.prefers_over() => 1.2,
            Type::Feedback if ordered && !clause.tells_identity() => 0.8,
            Type::Feedback if clause.commands() && !clause.is_about_self() => 0.25,
            Type::User if clause.tells_identity() => 0.3,
            Type::Reference if pointed => 0.7,
            Type::Reference if points_outside(text) => 0.2,
            _ => 0.0,
        };
        sound + sign + if guessed == kind { 0.2 } else { 0.0 } + if act.kind() == Some(kind) { 0.1 } else { 0.0 }
    };
    Type::ALL.into_iter().max_by(|a, b| score(*a).total_cmp(&score(*b))).unwrap_or(Type::Project)
}

/// Whether it says where something is, by the name of the place: in the "Costs" sheet, on board x.example/y.
fn names_a_place(text: &str) -> bool {
    let quoted = ['"', '「', '“', '\''].iter().any(|mark| text.contains(*mark));
    let address = text.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '#');
        word.contains("://")
            || (word.contains('.') && word.contains('/') && !code_words::is_path(word))
            || (word.starts_with('#') && word.len() > 3 && word[1..].starts_with(|c: char| c.is_ascii_alphabetic()))
    });
    let located = Clause::new(text).says(&lexicon::LOCATED_AT);
    located && (address || (quoted && points_outside(text)))
}

/// Whether something outside the repository is named: an address, a channel, a place in quotation marks.
pub(super) fn points_outside(text: &str) -> bool {
    Clause::new(text).says(&lexicon::OUTSIDE_PLACE)
        || text.split_whitespace().any(|word| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '#');
            (word.starts_with('#') && word.len() > 3 && word[1..].starts_with(|c: char| c.is_ascii_alphabetic()))
                || (word.contains('.') && word.contains('/') && !code_words::is_path(word))
        })
}

/// Personal, or everybody's (T2).
pub(super) fn scope(kind: Type, said: &Clause<'_>) -> Scope {
    let mine = said.says(&lexicon::FIRST_PERSON) && !said.says(&lexicon::WE);
    let ours = said.says(&lexicon::SHARED_CONCERN);
    match kind {
        Type::User => Scope::Private,
        Type::Feedback if mine || !ours => Scope::Private,
        _ => Scope::Team,
    }
}
