//! What is said, told from why it is so and what follows from it (F3).
//!
//! Enters: the sentences of a statement. Leaves: the rule or fact, its reasons and its uses. People give reasons
//! behind a comma more often than behind a "because"; an order is no reason, and a plain fact behind an order is.

use super::clause::clauses;
use super::draft::all_dates;
use super::tidy::tidy;
use memdir_core::kind::Type;
use memdir_lexicon::{self as lexicon, List};
use memdir_reader::cues::{self, Clause};
use memdir_reader::dates;

/// Fewer words than this are no statement without their reason.
const ALONE: usize = 3;

/// What was said, told apart; each in the order it came.
#[derive(Default)]
pub(super) struct Told {
    pub(super) said: Vec<String>,
    pub(super) whys: Vec<String>,
    pub(super) uses: Vec<String>,
}

/// What a clause is to the whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Said,
    Why,
    Use,
}

/// Tells what is said from why it is so and what follows from it.
pub(super) fn told_apart(tidied: &[String], kind: Type) -> Told {
    let pieces: Vec<Vec<&str>> = tidied.iter().map(|sentence| clauses(sentence)).collect();
    let all: Vec<(usize, Clause<'_>)> =
        pieces.iter().enumerate().flat_map(|(at, clauses)| clauses.iter().map(move |c| (at, Clause::new(c)))).collect();
    // A fact of the project is ruled by an order only when the order holds for a time.
    let rule = |clause: &Clause<'_>| match kind {
        Type::Feedback => clause.is_normative(),
        _ => clause.commands() && (clause.is_durable() || clause.is_dated_plan() || dates::has_relative(clause.text)),
    };
    let ruled = all.iter().any(|(_, clause)| rule(clause) && !explicit_reason(clause));
    let place = |at: usize| -> Place {
        let (sentence, clause) = &all[at];
        if !matches!(kind, Type::Feedback | Type::Project) || all.len() == 1 {
            return Place::Said;
        }
        if kind == Type::Project && at > 0 && clause.opens(&lexicon::CONSEQUENCE_OPENING) {
            return Place::Use;
        }
        let first = at == 0 || all[at - 1].0 != *sentence;
        let last = at + 1 == all.len() || all[at + 1].0 != *sentence;
        // Said behind a comma, as people give their reasons.
        let behind = kind == Type::Project && !first && last && !ruled && is_fact(clause);
        if explicit_reason(clause) || (ruled && !rule(clause)) || (!ruled && at > 0 && happened(clause)) || behind {
            Place::Why
        } else {
            Place::Said
        }
    };
    let mut lists: [(Place, Vec<(usize, String)>); 3] =
        [(Place::Said, Vec::new()), (Place::Why, Vec::new()), (Place::Use, Vec::new())];
    for (at, (sentence, clause)) in all.iter().enumerate() {
        let place = place(at);
        let text = match place {
            Place::Said => clause.text,
            Place::Why => without(clause.text, &lexicon::REASON_TIE),
            Place::Use => without(clause.text, &lexicon::CONSEQUENCE_TIE),
        };
        let Some((_, list)) = lists.iter_mut().find(|(of, _)| *of == place) else { continue };
        match list.last_mut() {
            // Clauses of one sentence stay together.
            Some((of, last)) if of == sentence => last.push_str(&format!("{} {text}", joint(last))),
            _ => list.push((*sentence, text.to_owned())),
        }
    }
    let [(_, said), (_, whys), (_, uses)] = lists;
    // "Don't, the tax office reads it": what is left must be able to stand alone.
    if said.iter().map(|(_, text)| cues::length(text)).sum::<usize>() < ALONE {
        return Told { said: tidied.to_vec(), ..Told::default() };
    }
    let texts = |list: Vec<(usize, String)>| list.into_iter().map(|(_, text)| tidy(&text)).collect();
    Told { said: texts(said), whys: texts(whys), uses: texts(uses) }
}

/// A plain fact, which behind a comma is a reason: no date, no order, nothing that goes on with the sentence.
fn is_fact(clause: &Clause<'_>) -> bool {
    let goes_on = clause.opens(&lexicon::GOES_ON_OPENING);
    !goes_on && !clause.commands() && !dates::has_relative(clause.text) && all_dates(clause.text).is_empty()
}

fn joint(before: &str) -> &'static str {
    if before.ends_with(memdir_reader::han::is_unspaced) { "，" } else { "," }
}

fn explicit_reason(clause: &Clause<'_>) -> bool {
    clause.opens(&lexicon::REASON_OPENING) || (clause.says(&lexicon::REASON_INSIDE) && !clause.commands())
}

/// Something went wrong once, or would: why a rule or a fact is there.
fn happened(clause: &Clause<'_>) -> bool {
    clause.is_reason() || clause.says(&lexicon::MISHAP)
}

/// A clause without the word that ties it to the one before.
fn without<'t>(text: &'t str, ties: &List) -> &'t str {
    let lower = text.to_lowercase();
    let cut = ties.longest_prefix_of(&lower).filter(|_| lower.len() == text.len());
    let rest = cut.map_or(text, |cut| &text[cut.len()..]);
    // "because of the holiday" is not a sentence without its "because of".
    if rest.to_lowercase().starts_with("of ") { text } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(sentences: &[&str], kind: Type) -> (String, String, String) {
        let sentences: Vec<String> = sentences.iter().map(|sentence| (*sentence).to_owned()).collect();
        let Told { said, whys, uses } = told_apart(&sentences, kind);
        (said.join(" / "), whys.join(" / "), uses.join(" / "))
    }

    #[test]
    fn f3_reasons_stand_behind_commas_and_because() {
        let why = |sentence: &str, kind| told(&[sentence], kind).1;
        assert_eq!(
            why("never push charts without a changelog entry, argo picks it up at once", Type::Feedback),
            "argo picks it up at once"
        );
        assert_eq!(why("we drop IE mode on 2026-03-31 because HR moved", Type::Project), "HR moved");
        assert_eq!(
            why("the launch moved to 2026-10-01, the licence is not through yet", Type::Project),
            "the licence is not through yet"
        );
        assert_eq!(why("测试里别mock数据库，上次全绿上线炸了", Type::Feedback), "上次全绿上线炸了");
        assert_eq!(why("bugs are tracked in Linear, project INGEST, by support", Type::Reference), "");
    }

    #[test]
    fn f3_what_follows_is_a_use_and_a_lone_order_keeps_its_reason() {
        assert_eq!(
            told(&["the interns start on 2026-05-02, so keep the docs building"], Type::Project).2,
            "keep the docs building"
        );
        assert_eq!(told(&["don't, the tax office reads those tables"], Type::Feedback).1, "");
    }
}
