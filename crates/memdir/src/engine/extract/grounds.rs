//! What a model's memory must stand on: something the person said themselves.
//!
//! Enters: a part of a conversation, and what the model was told before it. Leaves, for each statement that it wants to save:
//! the messages it comes from, or the rule it breaks. A statement that only a tool's result, a pasted text or the
//! assistant's own words say is nobody's; so is what the instruction files say already, and what was said as a question, a
//! guess or for the moment. The offline engine hears the same way. Never changes a file.

use std::collections::BTreeSet;

use jiff::Zoned;
use jiff::civil::Date;

use super::Conversation;
use super::compose::{reason, scope};
use super::exchange::{Utterance, utterances};
use super::groups::{nearness, type_of};
use super::outcome::Networks;
use super::parts::{Part, PartScores, alone, read_parts};
use crate::engine::proposal::{Fault, Grounding, RejectionRule, Support};
use memdir_encoder::SentenceKind;
use memdir_hosts::transcript::{Message, Origin, Role};
use memdir_lexicon as lexicon;
use memdir_reader::cues::ClauseCues;
use memdir_reader::likeness;
use memdir_reader::sentences::sentences;
use memdir_reader::worth::{DiscardReason, not_worth};

/// The share of a statement's words that the person must have said.
const SAID: f32 = 0.5;
/// The same where it is also near in meaning to something they said.
const SAID_NEAR: f32 = 0.25;
/// Near in meaning.
const NEAR: f32 = 0.5;
/// So near that no word needs to be shared: one language said it, another writes it down.
const SAME_MEANING: f32 = 0.66;
/// The share of words from which on nobody asks where else it stands.
const MOSTLY: f32 = 0.8;
/// The share of words that only others said, above which it is theirs.
const FOREIGN: f32 = 0.5;
/// How sure the reader must be of what a sentence is.
const SURE: f32 = 0.5;
/// Bytes of what tools and the assistant said that are looked at.
const OTHERS_BYTES: usize = 256 * 1024;

/// What was said in a part of a conversation, and by whom.
pub struct Grounds {
    networks: Networks,
    said: Vec<Utterance>,
    /// Words of the person, and of what they approved or corrected.
    trusted: BTreeSet<String>,
    tools: BTreeSet<String>,
    assistant: BTreeSet<String>,
    /// Paragraphs of the instruction files.
    rules: Vec<String>,
    /// Paragraphs of what the model itself was told.
    told: Vec<String>,
    day: Date,
}

impl std::fmt::Debug for Grounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grounds").field("said", &self.said.len()).finish_non_exhaustive()
    }
}

impl Grounds {
    /// Listens to a conversation. `rules`: the instruction files; `told`: the model's own instructions.
    pub(crate) fn new(conversation: &Conversation<'_>, now: &Zoned, rules: &str, told: &str) -> Grounds {
        let networks = Networks::default();
        let said = utterances(conversation.earlier, conversation.messages, now);
        let mut trusted: BTreeSet<String> = BTreeSet::new();
        for one in &said {
            trusted.extend(likeness::words(&one.words));
            if answers_it(networks, one) {
                trusted.extend(likeness::words(&one.proposal));
            }
        }
        let others = |wanted: fn(&Message) -> bool| {
            let texts =
                conversation.messages.iter().filter(|message| wanted(message)).map(|message| message.text.as_str());
            let mut room = OTHERS_BYTES;
            let mut words = BTreeSet::new();
            for text in texts {
                let part = &text[..text.floor_char_boundary(room)];
                room -= part.len();
                words.extend(likeness::words(part));
            }
            words
        };
        Grounds {
            // A paste is in a message of the person: what of it is theirs is in `trusted`.
            tools: others(|message| message.role != Role::Assistant),
            assistant: others(|message| message.role == Role::Assistant && message.origin == Origin::Own),
            day: said.iter().rfind(|one| one.fresh).map_or(now.date(), |one| one.day),
            rules: paragraphs(rules),
            told: paragraphs(told),
            networks,
            said,
            trusted,
        }
    }

    fn grounding(&self, closest: &Closest<'_>) -> Grounding {
        let one = closest.of[0];
        let scores = alone(self.networks.reader, &one.before, &closest.parts.join(". "));
        let kind = type_of(scores.kept_as());
        let parts = read_parts(self.networks.reader, one).unwrap_or_default();
        let whys = parts.iter().filter(|part| part.scores.best() == SentenceKind::Reason);
        let whys = whys.map(|part| reason(part.text, one.day)).collect::<Vec<_>>().join(" ");
        Grounding {
            messages: closest.of.iter().map(|one| one.id.clone()).collect(),
            kind,
            scope: scope(kind, &ClauseCues::new(&one.words)),
            why: (!whys.is_empty()).then_some(whys),
            day: one.day,
        }
    }

    /// How the sentences that a statement comes from score where they stand.
    fn part_scores(&self, closest: &Closest<'_>) -> Vec<PartScores> {
        let parts = closest.of.iter().filter_map(|one| read_parts(self.networks.reader, one)).flatten();
        let inside = |text: &str| closest.parts.iter().any(|sentence| sentence.contains(text));
        parts.filter(|part| inside(part.text)).map(|part| part.scores).collect()
    }

    /// What the person said that comes closest to a statement: by shared words, and by meaning where none is shared.
    fn closest(&self, statement: &str, wanted: &BTreeSet<String>) -> Option<Closest<'_>> {
        let mut near: f32 = 0.0;
        let mut scored: Vec<(usize, f32, &Utterance, &str)> = Vec::new();
        for one in self.said.iter().filter(|one| one.fresh) {
            let mut own: BTreeSet<String> = likeness::words(&one.words).into_iter().collect();
            if answers_it(self.networks, one) {
                own.extend(likeness::words(&one.proposal));
            }
            let whole = nearness(self.networks.encoder, statement, &one.words);
            near = near.max(whole);
            let answered = wanted.intersection(&own).count();
            for sentence in sentences(&one.words) {
                let words: BTreeSet<String> = likeness::words(sentence).into_iter().collect();
                let shared = wanted.intersection(&words).count();
                let meaning = nearness(self.networks.encoder, statement, sentence).max(whole);
                near = near.max(meaning);
                // An answer to what the assistant proposed shares its words with the proposal.
                scored.push((shared.max(answered.div_ceil(2)), meaning, one, sentence));
            }
        }
        let most = scored.iter().map(|(shared, ..)| *shared).max()?;
        let best = scored.iter().map(|(_, meaning, ..)| *meaning).fold(0.0, f32::max);
        let fits = |shared: usize, meaning: f32| if most > 0 { shared * 2 >= most } else { meaning >= best };
        scored.retain(|(shared, meaning, ..)| fits(*shared, *meaning));
        let mut of: Vec<&Utterance> = Vec::new();
        for (_, _, one, _) in &scored {
            if !of.iter().any(|there| there.id == one.id) {
                of.push(one);
            }
        }
        let parts = scored.iter().map(|(_, _, _, sentence)| *sentence).collect();
        Some(Closest { near, of, parts })
    }
}

impl Support for Grounds {
    fn day(&self) -> Date {
        self.day
    }

    fn weigh(&self, text: &str) -> Result<Grounding, Fault> {
        let statement = likeness::statement_of(text);
        let fault = |rule: RejectionRule, reason: &str| Err(Fault { rule, reason: reason.to_owned() });
        if let Some(verdict) = not_worth(text).filter(|reason| reason.stands_elsewhere()) {
            let rule =
                if verdict == DiscardReason::TaskState { RejectionRule::TaskState } else { RejectionRule::Derivable };
            return fault(rule, verdict.why());
        }
        if is_written(&self.rules, &statement) {
            return fault(RejectionRule::Written, "the instruction files say it already");
        }
        let wanted: BTreeSet<String> =
            likeness::words(&statement).into_iter().filter(|word| !lexicon::REPORTING_WORD.contains(word)).collect();
        let share = |count: usize| count as f32 / wanted.len().max(1) as f32;
        let said = share(wanted.intersection(&self.trusted).count());
        // The manual has examples, and somebody may mean one of them.
        if said < MOSTLY && is_written(&self.told, &statement) {
            return fault(RejectionRule::Written, "it repeats what the model itself is told");
        }
        let closest = self.closest(&statement, &wanted);
        let near = closest.as_ref().map_or(0.0, |closest| closest.near);
        let only = |others: &BTreeSet<String>| {
            share(wanted.iter().filter(|word| others.contains(*word) && !self.trusted.contains(*word)).count())
        };
        let (tools, assistant) = (only(&self.tools), only(&self.assistant));
        if tools.max(assistant) > FOREIGN && near < SAME_MEANING {
            let whose = if tools >= assistant { "a tool's result or a pasted text" } else { "the assistant" };
            return fault(RejectionRule::Support, &format!("only {whose} says it, and the user does not"));
        }
        let stands = said >= SAID || (said >= SAID_NEAR && near >= NEAR) || near >= SAME_MEANING;
        let Some(closest) = closest.filter(|_| stands) else {
            return fault(RejectionRule::Support, "nothing the user said supports it");
        };
        let all_scores = self.part_scores(&closest);
        if !all_scores.is_empty() && all_scores.iter().all(|scores| scores.unsaid() >= SURE) {
            return fault(RejectionRule::Undecided, "it was asked, guessed or quoted, not decided");
        }
        if !all_scores.is_empty() && all_scores.iter().all(|scores| scores.for_now() >= SURE) {
            return fault(RejectionRule::TaskState, DiscardReason::TaskState.why());
        }
        Ok(self.grounding(&closest))
    }
}

/// The sentences of the person that come closest to a statement.
struct Closest<'g> {
    near: f32,
    of: Vec<&'g Utterance>,
    parts: Vec<&'g str>,
}

/// Whether the person approves or corrects what the assistant had said; a mere "ok" does neither (Z4).
fn answers_it(networks: Networks, one: &Utterance) -> bool {
    let answers = |part: &Part<'_>| {
        let scores = part.scores;
        scores.of(SentenceKind::Praise) >= SURE || (scores.worth() >= SURE && scores.needs_context() >= SURE)
    };
    !one.proposal.is_empty() && read_parts(networks.reader, one).is_some_and(|parts| parts.iter().any(answers))
}

/// The pieces of a text that say one thing each.
fn paragraphs(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for block in text.split("\n\n") {
        found.extend(block.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned));
        if block.lines().count() > 1 {
            found.push(block.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    found
}

/// Whether one piece says what a statement says; words scattered over a long document do not.
pub(super) fn is_written(pieces: &[String], statement: &str) -> bool {
    pieces.iter().any(|piece| likeness::contains(piece, statement))
}

/// The same for a whole document.
pub(super) fn document_says(document: &str, statement: &str) -> bool {
    is_written(&paragraphs(document), statement)
}
