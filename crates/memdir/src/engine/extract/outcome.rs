//! What one utterance leads to: drafts, a wish to forget, a refusal, or nothing.
//!
//! An explicit wish is heard first and wins over the judge (not over secrets, nor over what is not worth
//! keeping, F7); then the judge decides.

use super::clause::sentences;
use super::compose::{Material, compose};
use super::cues::{self, Clause};
use super::draft::Draft;
use super::exchange::Utterance;
use super::hearing::{Act, Ear};
use super::sort::{kind_of, points_outside};
use super::tidy::tidy;
use super::topics::topics;
use super::wish::{Wish, wish};
use super::{RefusedWish, judge};
use crate::text::worth::{NotWorth, not_worth};

/// What the ear must say of something that was asked to be remembered before it is refused.
const SURE: f32 = 0.6;
/// And how little it must sound like something to keep.
const DOUBTED: f32 = 0.4;

/// What one utterance leads to.
pub(super) enum Outcome {
    Drafts(Vec<Draft>),
    Forget(Forget),
    Refused(RefusedWish),
    /// What was said just before does not count.
    Retracted,
    Nothing,
}

/// A wish to forget, and what it was said about.
pub(super) struct Forget {
    pub(super) words: String,
    pub(super) context: String,
    pub(super) message: String,
}

/// What one utterance leads to.
pub(super) fn hear(ear: Ear, said: &[Utterance], at: usize) -> Outcome {
    let one = &said[at];
    let message = one.id.clone();
    let heard = ear.hear(&one.words, &one.before);
    // A wish in somebody else's words is nobody's wish.
    let quoted = heard.of(Act::Quoted) > SURE;
    match wish(&one.words).filter(|_| !quoted) {
        Some(Wish::Forget(words)) => {
            let context = format!("{} {}", said.get(at.wrapping_sub(1)).map_or("", |before| &before.words), one.before);
            return Outcome::Forget(Forget { words, context, message });
        }
        Some(Wish::Remember(what)) => return remember(ear, said, at, &what),
        None => {}
    }
    if heard.of(Act::Forget) > 0.8 && cues::length(&one.words) > 2 {
        let context = one.before.clone();
        return Outcome::Forget(Forget { words: one.words.clone(), context, message });
    }
    if sentences(&one.words).into_iter().any(|sentence| Clause::new(sentence).retracts()) {
        return Outcome::Retracted;
    }
    let Ok(worthy) = judge::judge(ear, one) else { return Outcome::Nothing };
    let groups = topics(ear, &worthy.kept, &one.before, one.day);
    let alone = groups.len() == 1;
    let changes = Clause::new(&one.words).changes();
    let drafts = groups.iter().filter_map(|kept| {
        let text = kept.join(". ");
        let heard = if alone { worthy.heard_kept } else { ear.hear(&text, &one.before) };
        // Of two topics, one may be the task at hand.
        let task = Clause::new(&tidy(&text)).requests() && !Clause::new(&text).is_durable();
        if !alone && (heard.save() < 0.1 || task) {
            return None;
        }
        let sounds = if alone { worthy.heard } else { heard };
        let material = Material {
            kept,
            kind: kind_of(&text, heard, sounds.act(), one.day),
            act: if sounds.of(Act::Confirmation) > 0.5 { Act::Confirmation } else { heard.act() },
            day: one.day,
            message: &one.id,
            proposal: &one.proposal,
            request: at.checked_sub(1).map(|before| said[before].words.as_str()),
            explicit: false,
        };
        let draft = compose(&material)?;
        Some(Draft { changes: draft.changes || changes, ..draft })
    });
    Outcome::Drafts(drafts.collect())
}

/// Something was asked to be remembered: it is, unless it is a secret or not worth keeping (F7).
fn remember(ear: Ear, said: &[Utterance], at: usize, what: &str) -> Outcome {
    let one = &said[at];
    let refused = |reason: &'static str, why: &str, question: Option<&str>| {
        Outcome::Refused(RefusedWish {
            reason,
            why: why.to_owned(),
            question: question.map(str::to_owned),
            message: one.id.clone(),
        })
    };
    // "remember that" may point at the message before.
    let earlier = at.checked_sub(1).map(|before| said[before].words.as_str()).unwrap_or_default();
    let small = sentences(what).into_iter().all(|sentence| Clause::new(&tidy(sentence)).is_acknowledgement());
    let what = if cues::length(what) >= 3 && !small { what } else { earlier };
    let secret = one.words.contains(judge::REDACTED);
    let clean: Vec<String> = sentences(what)
        .into_iter()
        .map(Clause::new)
        .filter(|clause| !clause.asks() && (!secret || !judge::hides(clause)))
        .map(|clause| clause.text.to_owned())
        .collect();
    if secret && clean.iter().all(|sentence| cues::length(sentence) < 4) {
        let why = "It holds a secret; memdir never saves secrets.";
        return refused("secret", why, Some("Where is the secret kept, so that the place can be remembered?"));
    }
    let text = clean.join(" ");
    if cues::length(&text) < 3 {
        return refused(
            "nothing-said",
            "Nothing was said that could stand alone later.",
            Some("What exactly should be remembered?"),
        );
    }
    let heard = ear.hear(&text, "");
    // How the wish sounds as a whole says more than what it is about alone.
    let wished = ear.hear(&one.words, &one.before);
    let unlikely = wished.save() < DOUBTED && !Clause::new(&text).is_durable() && !points_outside(&text);
    let verdict = not_worth(&text).or_else(|| not_worth(what)).or_else(|| {
        if judge::is_kept_elsewhere(one) || (unlikely && wished.of(Act::Derivable) > SURE) {
            Some(NotWorth::CodeStructure)
        } else if (unlikely && wished.of(Act::Ephemeral) + wished.of(Act::OneOff) > SURE)
            || Clause::new(&text).is_ephemeral()
        {
            Some(NotWorth::TaskState)
        } else {
            None
        }
    });
    if let Some(verdict) = verdict {
        let reason = if verdict == NotWorth::TaskState { "task-state" } else { "derivable" };
        return refused(reason, verdict.why(), Some(verdict.question()));
    }
    let material = Material {
        kept: &clean,
        kind: kind_of(&text, heard, heard.act(), one.day),
        act: heard.act(),
        day: one.day,
        message: &one.id,
        proposal: "",
        request: None,
        explicit: true,
    };
    Outcome::Drafts(compose(&material).into_iter().collect())
}
