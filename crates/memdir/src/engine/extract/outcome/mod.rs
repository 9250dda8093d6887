//! What one utterance leads to: drafts, wishes to forget, refusals, or nothing.
//!
//! Enters: what was said, as the reader scored it. A part is kept where the reader is sure enough that it will matter next month and can
//! be understood then. An explicit wish wins over that (not over secrets, nor over what is not worth keeping, F7). A message in which a
//! secret stands, or seems to, yields nothing at all.

use jiff::civil::Date;
use memdir_encoder::{Encoder, Reader, SentenceKind};

use super::RefusedWish;
use super::antecedent::{approved, question, referred};
use super::clause::clauses;
use super::compose::{DraftSource, compose};
use super::draft::Draft;
use super::exchange::Utterance;
use super::groups::{NEEDS, WHY, groups, type_of};
use super::parts::{Part, PartRole, alone, read_parts};
use super::wish;
use memdir_core::kind::Type;
use memdir_lexicon as lexicon;
use memdir_reader::cues;
use memdir_reader::dates::{self, DateMeaning};
use memdir_reader::phrase_match::PhraseMatcher;
use memdir_reader::sentences::sentences;
use memdir_reader::worth::{DiscardReason, not_worth};

/// From this on a part is worth keeping.
const KEEP: f32 = 0.7;
/// The same where something that is not the person's was cut out of the message, and the rest must speak for itself.
const KEEP_BESIDE_PASTE: f32 = 0.8;
/// From this on a part is not worth saving but may say that something known has changed.
const HINT: f32 = 0.25;
/// From this on a wish is taken for one.
const WISH: f32 = 0.5;
/// Below this a wish to forget may only say what takes the place of something.
const CERTAIN: f32 = 0.95;
/// A message that seems to hold a secret at this yields nothing.
const SECRET: f32 = 0.65;
/// From this on a message takes back the one before it.
const TAKEN_BACK: f32 = 0.7;
/// Fewer words than this say nothing that can stand alone next month.
const LEAST: usize = 3;
/// Something that was asked to be remembered is refused when it is this sure to stand elsewhere, or to hold for now only.
const REFUSED: f32 = 0.3;

/// The two networks, and what they read with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Networks {
    pub(super) reader: Reader,
    pub(super) encoder: Encoder,
}

/// What one utterance leads to.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) drafts: Vec<Draft>,
    /// Not worth saving by themselves; but a known memory that they contradict is out of date.
    pub(super) hints: Vec<Draft>,
    pub(super) forgets: Vec<Forget>,
    pub(super) refused: Option<RefusedWish>,
    /// Why what was said before is so.
    pub(super) why: Option<String>,
    /// What was said before does not count.
    pub(super) retracts: bool,
}

/// A wish to forget, and what it was said about.
#[derive(Debug)]
pub(super) struct Forget {
    pub(super) words: String,
    pub(super) context: String,
    /// What it says, where that takes the place of something.
    pub(super) instead: Option<Draft>,
    /// It only points at what was said before: "forget it".
    pub(super) points_back: bool,
    pub(super) message: String,
}

/// What one utterance leads to.
pub(super) fn read(networks: Networks, said: &[Utterance], at: usize) -> Outcome {
    let Some(parts) = read_parts(networks.reader, &said[at]) else { return Outcome::default() };
    if is_secret(&said[at], &parts) {
        return withheld(&said[at]);
    }
    let (mut outcome, rest) = wishes(networks, said, at, &parts);
    statements(networks, said, at, &rest, &mut outcome);
    outcome
}

/// The same for what is asked of memory itself alone.
pub(super) fn read_wishes(networks: Networks, said: &[Utterance], at: usize) -> Outcome {
    let Some(parts) = read_parts(networks.reader, &said[at]) else { return Outcome::default() };
    if is_secret(&said[at], &parts) { withheld(&said[at]) } else { wishes(networks, said, at, &parts).0 }
}

fn withheld(one: &Utterance) -> Outcome {
    Outcome { refused: Some(RefusedWish::withheld(&one.id)), ..Outcome::default() }
}

/// Whether something is said that is neither small talk nor a wish.
pub(super) fn says_more(networks: Networks, one: &Utterance) -> bool {
    let small = |part: &Part<'_>| part.scores.best() == SentenceKind::Empty || is_wish(part) || is_forget(part);
    read_parts(networks.reader, one).is_none_or(|parts| !parts.iter().all(small))
}

/// Whether a text asks something of memory.
pub(super) fn asks_of_memory(reader: Reader, one: &Utterance) -> bool {
    read_parts(reader, one).is_some_and(|parts| parts.iter().any(|part| is_wish(part) || is_forget(part)))
}

fn is_secret(one: &Utterance, parts: &[Part<'_>]) -> bool {
    one.withheld || parts.iter().any(|part| part.scores.of(SentenceKind::Secret) >= SECRET)
}

/// A wish may sound like the thing that it is about; in so many words it is one all the same, unless it is asked.
fn is_wish(part: &Part<'_>) -> bool {
    part.scores.of(SentenceKind::Remember) >= WISH
        || (wish::is_plain(part.text) && part.scores.of(SentenceKind::Question) < WISH)
}

/// "Don't forget that …" is the opposite.
fn is_forget(part: &Part<'_>) -> bool {
    part.scores.of(SentenceKind::Forget) >= WISH && !wish::opens(part.text)
}

/// What is asked of memory itself, and the parts that are left.
fn wishes<'u>(networks: Networks, said: &[Utterance], at: usize, parts: &[Part<'u>]) -> (Outcome, Vec<Part<'u>>) {
    let one = &said[at];
    let mut outcome = Outcome::default();
    if let Some(place) = parts.iter().position(is_forget) {
        let (before, wish) = (&parts[..place], &parts[place]);
        // "The rule about tabs? Scrap it": what comes first says which.
        let named = before.last().filter(|_| wish.scores.needs_context() >= NEEDS);
        let words = named.into_iter().chain([wish]).map(|part| part.text).collect::<Vec<_>>().join(" ");
        let earlier = at.checked_sub(1).map_or("", |before| &said[before].words);
        let context = format!("{earlier} {}", one.before);
        let kind = type_of(wish.scores.kept_as());
        let instead = compose(&DraftSource { said: &[wish.text], whys: &[], kind, about: None, one })
            .filter(|_| wish.scores.of(SentenceKind::Forget) < CERTAIN);
        let points_back = named.is_none() && wish.scores.needs_context() >= NEEDS;
        outcome.forgets.push(Forget { words: gone(&words), context, instead, points_back, message: one.id.clone() });
        let named = named.map(|part| part.text);
        let rest = parts.iter().filter(|part| !is_forget(part) && Some(part.text) != named).copied().collect();
        return (outcome, rest);
    }
    let Some(place) = parts.iter().position(is_wish) else { return (outcome, parts.to_vec()) };
    // Reasons follow.
    let after = &parts[place + 1..];
    let told = |part: &&Part<'_>| part.place == PartRole::Reason || part.scores.of(SentenceKind::Reason) >= WHY;
    let whys = after.iter().take_while(told).count();
    match wished(networks, said, at, &parts[..=place], &after[..whys]) {
        Ok(draft) => outcome.drafts.push(draft),
        Err(refused) => outcome.refused = Some(refused),
    }
    let before = if points_back(networks, &parts[..=place]) { &[][..] } else { &parts[..place] };
    (outcome, before.iter().chain(&after[whys..]).copied().collect())
}

/// What should go: the words of a wish to forget without what they say should stay.
fn gone(words: &str) -> String {
    let stays = |clause: &str| lexicon::STAYS_OPENING.longest_prefix_of(&clause.trim_start().to_lowercase()).is_some();
    let all = sentences(words).into_iter().flat_map(clauses).flat_map(|clause| clause.split(", "));
    let kept: Vec<&str> = all.filter(|clause| !stays(clause)).collect();
    if kept.is_empty() { words.to_owned() } else { kept.join(", ") }
}

/// What should be remembered: the last of the parts is the wish, and `whys` follow it.
fn wished(
    networks: Networks,
    said: &[Utterance],
    at: usize,
    parts: &[Part<'_>],
    whys: &[Part<'_>],
) -> Result<Draft, RefusedWish> {
    let one = &said[at];
    let nothing = || {
        let why = "Nothing was said that could be understood on its own later.";
        refusal(one, "nothing-said", why, "What exactly should be remembered?")
    };
    let (wish, before) = parts.split_last().ok_or_else(nothing)?;
    let mut texts: Vec<String> = Vec::new();
    if points_back(networks, parts) {
        texts.extend(before.iter().filter(|part| is_stated(part)).map(|part| part.text.to_owned()));
        if texts.is_empty() {
            let earlier = at.checked_sub(1).map(|before| &said[before]).filter(|earlier| !earlier.withheld);
            let told = earlier.and_then(|earlier| last_said(networks, earlier));
            texts.extend(told.or_else(|| referred(networks.encoder, wish.text, &one.proposal)));
        }
    } else {
        texts.extend(wish::content(wish.text).map(str::to_owned));
    }
    let text = texts.join(". ");
    if cues::length(&text) < 3 {
        return Err(nothing());
    }
    let scores = alone(networks.reader, "", &text);
    let elsewhere = not_worth(&text).filter(|reason| reason.stands_elsewhere());
    let verdict = elsewhere.or_else(|| {
        if wish.scores.of(SentenceKind::Derivable) >= REFUSED {
            Some(DiscardReason::CodeStructure)
        } else if wish.scores.for_now() >= REFUSED && scores.worth() < HINT {
            Some(DiscardReason::TaskState)
        } else {
            None
        }
    });
    if let Some(verdict) = verdict {
        let reason = if verdict == DiscardReason::TaskState { "task-state" } else { "derivable" };
        return Err(refusal(one, reason, verdict.why(), verdict.question()));
    }
    let material = DraftSource {
        said: &texts.iter().map(String::as_str).collect::<Vec<_>>(),
        whys: &whys.iter().map(|part| part.text).collect::<Vec<_>>(),
        kind: type_of(scores.kept_as()),
        about: None,
        one,
    };
    compose(&material).ok_or_else(nothing)
}

/// Whether a wish, the last of the parts, is about what was said before it and not about its own words.
fn points_back(networks: Networks, parts: &[Part<'_>]) -> bool {
    let Some((wish, before)) = parts.split_last() else { return true };
    let Some(own) = wish::content(wish.text) else { return true };
    let poor = alone(networks.reader, "", own).worth() < HINT && before.iter().any(is_stated);
    poor || wish.scores.needs_context() >= NEEDS
}

fn is_stated(part: &Part<'_>) -> bool {
    part.scores.unsaid() < WISH && part.scores.of(SentenceKind::Empty) < WISH
}

/// The last thing that an earlier message states.
fn last_said(networks: Networks, earlier: &Utterance) -> Option<String> {
    let parts = read_parts(networks.reader, earlier)?;
    let told = parts.iter().rfind(|part| part.scores.worth() >= HINT)?;
    Some(told.text.to_owned())
}

fn refusal(one: &Utterance, reason: &'static str, why: &str, question: &str) -> RefusedWish {
    RefusedWish { reason, why: why.to_owned(), question: Some(question.to_owned()), message: one.id.clone() }
}

/// What is said and not asked for.
fn statements(networks: Networks, said: &[Utterance], at: usize, parts: &[Part<'_>], outcome: &mut Outcome) {
    let one = &said[at];
    let parts: Vec<Part<'_>> = parts.iter().map(|part| ordained(*part)).collect();
    let enough = if one.cut { KEEP_BESIDE_PASTE } else { KEEP };
    // A rule that somebody laughs about is not meant, or may not be.
    let laughed = sentences_that_say(&parts, &lexicon::LAUGHTER);
    let withdrawn = sentences_that_say(&parts, &lexicon::NEVER_MIND);
    let keep = |part: &Part<'_>| {
        let joke = part.scores.kept_as() == SentenceKind::Rule && laughed.contains(&part.sentence);
        let withdraws = withdrawn.contains(&part.sentence);
        part.scores.worth() >= enough && cues::length(part.text) >= LEAST && !joke && !withdraws
    };
    let (found, reasons) = groups(networks.encoder, &parts, keep);
    let earlier = at.checked_sub(1).map(|before| &said[before]);
    for group in &found {
        let text = group.text();
        let kind = group.kind();
        // Code, git and this conversation keep it (F7).
        if not_worth(&text).is_some_and(DiscardReason::stands_elsewhere) {
            continue;
        }
        // What holds today is gone tomorrow.
        if matches!(kind, Type::Feedback | Type::User) && is_for_today(&text, one.day) {
            continue;
        }
        let praised = group.said.iter().any(|part| part.scores.kept_as() == SentenceKind::Praise);
        let needs = group.needs_context();
        let about = if praised {
            approved(networks.encoder, &text, needs, &one.proposal)
        } else if needs {
            let before = [Some(one.proposal.as_str()), earlier.map(|earlier| earlier.words.as_str())];
            let meant = before.into_iter().flatten().find_map(|before| referred(networks.encoder, &text, before));
            meant.map(|meant| format!("About: {meant}"))
        } else if matches!(kind, Type::Project | Type::Reference) {
            let asked = earlier.and_then(|earlier| question(networks.encoder, networks.reader, &text, earlier));
            asked.map(|asked| format!("About: {asked}"))
        } else {
            None
        };
        // What "it" is must stand somewhere.
        if needs && about.is_none() {
            continue;
        }
        let material = DraftSource {
            said: &group.said.iter().map(|part| part.text).collect::<Vec<_>>(),
            whys: &group.whys.iter().map(|part| part.text).collect::<Vec<_>>(),
            kind,
            about,
            one,
        };
        outcome.drafts.extend(compose(&material));
    }
    if found.is_empty() && !reasons.is_empty() {
        outcome.why = Some(reasons.iter().map(|part| part.text).collect::<Vec<_>>().join(" "));
    }
    // "No wait, scrap that": what is taken back was said before, and the words for it open the message.
    let opening = parts.iter().find(|part| part.scores.best() != SentenceKind::Empty);
    outcome.retracts = opening.is_some_and(|part| part.scores.taken_back() >= TAKEN_BACK) || !withdrawn.is_empty();
    if !one.cut {
        let hints = parts.iter().filter(|part| !keep(part) && hints(part));
        outcome.hints.extend(hints.filter_map(|part| {
            let said = &[part.text];
            compose(&DraftSource { said, whys: &[], kind: type_of(part.scores.kept_as()), about: None, one })
        }));
    }
}

/// "From now on" and "always" say a rule and leave no doubt, and the reader hears too many of them as tasks.
fn ordained(part: Part<'_>) -> Part<'_> {
    let said = PhraseMatcher::new(part.text);
    let standing = said.says(&lexicon::ORDAINED) && !said.says(&lexicon::AS_ALWAYS);
    Part { scores: if standing { part.scores.as_standing() } else { part.scores }, ..part }
}

/// Whether a text says of itself that it holds on the day it is said, and not from then on.
fn is_for_today(text: &str, day: Date) -> bool {
    let said = PhraseMatcher::new(text);
    let found = dates::resolve(text, day).changes;
    !found.is_empty()
        && found.iter().all(|change| change.meant == DateMeaning::Day(day))
        && !said.says(&lexicon::ORDAINED)
        && !said.says(&lexicon::DURABLE)
}

/// The sentences that say one of some phrases.
fn sentences_that_say(parts: &[Part<'_>], phrases: &lexicon::List) -> Vec<usize> {
    parts.iter().filter(|part| PhraseMatcher::new(part.text).says(phrases)).map(|part| part.sentence).collect()
}

fn hints(part: &Part<'_>) -> bool {
    part.scores.worth() >= HINT && part.scores.unsaid() < HINT && part.scores.needs_context() < NEEDS
}

#[cfg(test)]
mod tests;
