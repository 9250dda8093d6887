//! Whether something a person said will still matter next month, and which part of it.
//!
//! Enters: one utterance. Leaves: the sentences worth keeping and what kind of thing they are, or why
//! none is. The encoder hears the tone of the whole and of each sentence; phrases say what holds only now,
//! what is undecided, what the code already says. In doubt it stays silent: junk is hated more than gaps.

use super::clause::sentences;
use super::cues::{self, Clause};
use super::exchange::Utterance;
use super::hearing::{Act, Ear, Heard};
use crate::guard::secrets;
use crate::text::likeness;
use crate::text::worth::{NotWorth, not_worth};

/// A whole message at or above this is worth saving.
const WHOLE: f32 = 0.62;
/// A sentence alone must sound more certain: it has less to be judged by.
const ALONE: f32 = 0.8;
/// A rule that says "from now on" is believed at this.
const RULED: f32 = 0.2;
/// Above this the ear is taken at its word about what is not worth saving.
const SURE: f32 = 0.5;
/// Fewer words than this say nothing that can stand alone next month.
const LEAST: usize = 3;

/// What is worth keeping of an utterance.
#[derive(Clone, Debug)]
pub(super) struct Worthy {
    /// The sentences, in order.
    pub(super) kept: Vec<String>,
    /// How the whole sounded.
    pub(super) heard: Heard,
    /// How the kept sentences sound together.
    pub(super) heard_kept: Heard,
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
    /// A thing to do now; kept when it is about the same as the rest.
    Task,
    Small,
    Question,
    Ephemeral,
    Doubtful,
    Derivable(NotWorth),
    Secret,
}

/// Judges one utterance.
pub(super) fn judge(ear: Ear, said: &Utterance) -> Result<Worthy, Unworthy> {
    let words = said.words.as_str();
    let all: Vec<Clause<'_>> = sentences(words).into_iter().map(Clause::new).collect();
    if cues::length(words) < LEAST || all.is_empty() {
        return Err(Unworthy::Short);
    }
    let whole = ear.hear(words, &said.before);
    let heard: Vec<Heard> =
        all.iter().map(|part| if all.len() == 1 { whole } else { ear.hear(part.text, &said.before) }).collect();
    let parts: Vec<Part> = all.iter().zip(&heard).map(|(clause, heard)| part(clause, *heard, whole)).collect();
    let best = |part: Part| {
        let of = parts.iter().zip(&heard).filter(|(one, _)| **one == part);
        of.map(|(_, heard)| heard.save()).fold(0.0, f32::max)
    };
    let ruled = all
        .iter()
        .zip(&parts)
        .any(|(clause, part)| matches!(part, Part::Keep | Part::Task) && clause.is_durable() && clause.commands());
    if whole.of(Act::Quoted) > SURE && !ruled {
        return Err(Unworthy::Quoted);
    }
    let kept = parts.contains(&Part::Keep);
    let worthy = (kept && whole.save() >= WHOLE)
        || best(Part::Keep) >= ALONE
        || (ruled && whole.save().max(best(Part::Keep)).max(best(Part::Task)) >= RULED);
    if !worthy {
        return Err(unworthy(&parts, whole));
    }
    let kept = chosen(&all, &parts);
    if kept.iter().map(|sentence| cues::length(sentence)).sum::<usize>() < LEAST {
        return Err(Unworthy::Short);
    }
    let heard_kept = ear.hear(&kept.join(" "), &said.before);
    Ok(Worthy { kept, heard: whole, heard_kept })
}

/// What one sentence is.
fn part(clause: &Clause<'_>, heard: Heard, whole: Heard) -> Part {
    if !secrets::scan(clause.text).is_empty() {
        return Part::Secret;
    }
    if clause.is_acknowledgement() || clause.length() == 0 {
        return Part::Small;
    }
    if clause.is_doubtful() {
        return Part::Doubtful;
    }
    if clause.asks() || heard.of(Act::Question) > SURE {
        return Part::Question;
    }
    if clause.is_ephemeral() {
        return Part::Ephemeral;
    }
    if let Some(reason) = not_worth(clause.text) {
        return Part::Derivable(reason);
    }
    let durable = clause.is_durable() && clause.is_normative();
    if heard.of(Act::Derivable) > SURE && !durable && whole.save() < ALONE {
        return Part::Derivable(NotWorth::CodeStructure);
    }
    if heard.of(Act::Chitchat) > SURE && clause.length() < 6 {
        return Part::Small;
    }
    if heard.of(Act::Ephemeral) + heard.of(Act::OneOff) > SURE && !durable {
        return Part::Task;
    }
    Part::Keep
}

/// The sentences to keep: what is worth it, and tasks that speak of the same thing.
fn chosen(all: &[Clause<'_>], parts: &[Part]) -> Vec<String> {
    let kept: Vec<usize> = (0..all.len()).filter(|at| parts[*at] == Part::Keep).collect();
    let kept = if kept.is_empty() { (0..all.len()).filter(|at| parts[*at] == Part::Task).collect() } else { kept };
    let topic: Vec<String> = kept.iter().flat_map(|at| likeness::words(all[*at].text)).collect();
    let same = |at: &usize| {
        parts[*at] == Part::Task && likeness::words(all[*at].text).iter().any(|word| topic.contains(word))
    };
    (0..all.len()).filter(|at| kept.contains(at) || same(at)).map(|at| all[at].text.to_owned()).collect()
}

fn unworthy(parts: &[Part], whole: Heard) -> Unworthy {
    let has = |part: Part| parts.contains(&part);
    let derivable = parts.iter().find_map(|part| match part {
        Part::Derivable(reason) => Some(*reason),
        _ => None,
    });
    if has(Part::Doubtful) {
        Unworthy::Doubtful
    } else if let Some(reason) = derivable {
        Unworthy::Derivable(reason)
    } else if has(Part::Secret) || whole.of(Act::Secret) > SURE {
        Unworthy::Secret
    } else if has(Part::Ephemeral) || has(Part::Task) {
        Unworthy::Ephemeral
    } else if has(Part::Question) {
        Unworthy::Question
    } else {
        Unworthy::Unheard
    }
}
