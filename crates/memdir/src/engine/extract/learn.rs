//! One run over a conversation: from messages to memory.

use super::clause::sentences;
use super::compose::{Draft, Material, compose, kind_of, points_outside, tidy};
use super::cues::{self, Clause};
use super::exchange::{Utterance, utterances};
use super::hearing::{Act, Ear};
use super::judge;
use super::relate::{self, Known, Meant, Relation};
use super::topics::{nearness, topics};
use super::wish::{Wish, wish};
use super::written::written;
use super::{Effect, Extracted, Landing, Proposed, RefusedWish};
use crate::engine::{Error, Memory};
use crate::host::transcript::Message;
use crate::text::likeness;
use crate::text::worth::{NotWorth, not_worth};

/// A later message of the same topic joins the memory of an earlier one when it is this near.
const JOINED: f32 = 0.42;
/// What the ear must say of something that was asked to be remembered before it is refused.
const SURE: f32 = 0.6;

/// What one utterance leads to.
enum Outcome {
    Drafts(Vec<Draft>),
    Forget { words: String, context: String, message: String },
    Refused(RefusedWish),
    /// What was said just before does not count.
    Retracted,
    Nothing,
}

impl Memory {
    /// Learns from the messages of a session.
    pub(super) fn extract_from(
        &self,
        messages: &[Message],
        session: Option<&str>,
        landing: Landing,
    ) -> Result<Extracted, Error> {
        self.require_on()?;
        let mut done = Extracted { messages: messages.len(), ..Extracted::default() };
        let written = written(messages, &self.roots()?);
        let open: Vec<Message> = messages
            .iter()
            .zip(&written.covered)
            .filter(|(message, covered)| !**covered || !message.is_own())
            .map(|(message, _)| message.clone())
            .collect();
        let said = utterances(&open, &self.now);
        if said.is_empty() {
            done.skipped = Some(if written.any() { "already-written" } else { "nothing-said" });
            return Ok(done);
        }
        let ear = Ear::new();
        let mut drafts: Vec<(usize, Draft)> = Vec::new();
        let mut forgets = Vec::new();
        for at in 0..said.len() {
            match hear(ear, &said, at) {
                Outcome::Drafts(several) => {
                    for draft in several {
                        take(ear, &mut drafts, at, draft);
                    }
                }
                Outcome::Forget { words, context, message } => forgets.push((words, context, message)),
                Outcome::Refused(refused) => done.refused.push(refused),
                Outcome::Retracted => drafts.retain(|(from, _)| from + 1 < at),
                Outcome::Nothing => {}
            }
        }
        if drafts.is_empty() && forgets.is_empty() {
            return Ok(done);
        }
        let about: String = drafts
            .iter()
            .map(|(_, draft)| draft.statement.as_str())
            .chain(forgets.iter().map(|(words, ..)| words.as_str()))
            .collect::<Vec<_>>()
            .join(" ");
        let known = relate::known(self, ear.encoder(), &about)?;
        let rules: String = self.rules().files.iter().map(|file| file.text.as_str()).collect::<Vec<_>>().join("\n");
        for (words, context, message) in forgets {
            self.forget_one(&words, &context, &message, session, &known, ear, landing, &mut done)?;
        }
        for (_, draft) in drafts {
            let twice = written.texts.iter().any(|text| repeats(text, &draft));
            if twice || likeness::contains(&rules, &draft.statement) {
                continue;
            }
            self.settle(&draft, session, &known, ear, landing, &mut done)?;
        }
        Ok(done)
    }

    /// The directories that count as memory.
    fn roots(&self) -> Result<Vec<std::path::PathBuf>, Error> {
        let mut roots = vec![self.private_dir()?];
        roots.extend(self.place.user_dir().ok());
        for (_, store) in self.stores()? {
            roots.push(store.root().path().to_path_buf());
        }
        Ok(roots)
    }

    /// Writes a draft, changes what it changes, or leaves it when it is known.
    fn settle(
        &self,
        draft: &Draft,
        session: Option<&str>,
        known: &[Known],
        ear: Ear,
        landing: Landing,
        done: &mut Extracted,
    ) -> Result<(), Error> {
        let message = draft.messages.first().map(String::as_str);
        let author = self.learner(session, message);
        match relate::relate(draft, known, ear.encoder()) {
            Relation::Known(_) => {}
            Relation::Update(at) if known[at].pinned => done.refused.push(pinned(&known[at], message)),
            Relation::Update(at) if landing == Landing::Now => {
                done.saved.extend(self.land_update(draft, &known[at], &author)?);
            }
            Relation::Update(at) => done.waiting.push(proposed(draft, Effect::Updated, Some(&known[at]), self)),
            Relation::New if landing == Landing::Now => done.saved.push(self.land_new(draft, &author)?),
            Relation::New => done.waiting.push(proposed(draft, Effect::Created, None, self)),
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)] // one call, and each is its own thing
    fn forget_one(
        &self,
        words: &str,
        context: &str,
        message: &str,
        session: Option<&str>,
        known: &[Known],
        ear: Ear,
        landing: Landing,
        done: &mut Extracted,
    ) -> Result<(), Error> {
        match relate::meant(words, context, known, ear.encoder()) {
            Meant::One(at) if known[at].pinned => done.refused.push(pinned(&known[at], Some(message))),
            Meant::One(at) if landing == Landing::Now => {
                done.saved.push(self.land_forget(&known[at], &self.learner(session, Some(message)))?);
            }
            Meant::One(at) => done.waiting.push(Proposed {
                action: Effect::Deleted,
                file: Some(known[at].file.to_string()),
                kind: known[at].kind,
                scope: known[at].scope,
                name: known[at].name().to_owned(),
                description: known[at].description().to_owned(),
                body: String::new(),
                message: Some(message.to_owned()),
            }),
            Meant::Several(several) => {
                let files: Vec<&str> = several.iter().map(|at| known[*at].file.as_str()).collect();
                done.refused.push(RefusedWish {
                    reason: "unclear",
                    why: "Several memories may be meant.".to_owned(),
                    question: Some(format!("Which one should be forgotten: {}?", files.join(", "))),
                    message: message.to_owned(),
                });
            }
            Meant::None => {}
        }
        Ok(())
    }
}

/// What one utterance leads to.
fn hear(ear: Ear, said: &[Utterance], at: usize) -> Outcome {
    let one = &said[at];
    let message = one.id.clone();
    let heard = ear.hear(&one.words, &one.before);
    // A wish in somebody else's words is nobody's wish.
    let quoted = heard.of(Act::Quoted) > SURE;
    match wish(&one.words).filter(|_| !quoted) {
        Some(Wish::Forget(words)) => {
            let context = format!("{} {}", said.get(at.wrapping_sub(1)).map_or("", |before| &before.words), one.before);
            return Outcome::Forget { words, context, message };
        }
        Some(Wish::Remember(what)) => return remember(ear, said, at, &what),
        None => {}
    }
    if heard.of(Act::Forget) > 0.8 && cues::length(&one.words) > 2 {
        let context = one.before.clone();
        return Outcome::Forget { words: one.words.clone(), context, message };
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
        .filter(|clause| !(secret && judge::hides(clause)) && !clause.asks())
        .map(|clause| clause.text.to_owned())
        .collect();
    if secret && clean.iter().all(|sentence| cues::length(sentence) < 4) {
        let why = "It holds a secret; memdir never saves secrets.";
        return refused("secret", why, Some("Where is the secret kept, so that the place can be remembered?"));
    }
    let text = clean.join(" ");
    if cues::length(&text) < 3 {
        return refused("nothing-said", "Nothing was said that could stand alone later.", Some("What exactly should be remembered?"));
    }
    let heard = ear.hear(&text, "");
    let durable = Clause::new(&text).is_durable();
    let verdict = not_worth(&text).or_else(|| not_worth(what)).or_else(|| {
        if durable || points_outside(&text) {
            None
        } else if heard.of(Act::Derivable) > SURE {
            Some(NotWorth::CodeStructure)
        } else if heard.of(Act::Ephemeral) + heard.of(Act::OneOff) > SURE || Clause::new(&text).is_ephemeral() {
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

/// Adds a draft, or joins it to the one it goes on with.
fn take(ear: Ear, drafts: &mut Vec<(usize, Draft)>, at: usize, draft: Draft) {
    let near = |one: &Draft| nearness(ear.encoder(), &one.text(), &draft.statement);
    let shared = |one: &Draft| {
        let words = likeness::words(&one.text());
        likeness::words(&draft.text()).iter().any(|word| words.contains(word))
    };
    let goes_on = drafts.iter().rposition(|(from, one)| {
        one.kind == draft.kind && at > *from && at - from <= 2 && (near(one) >= JOINED || shared(one) && near(one) >= JOINED - 0.15)
    });
    match goes_on {
        Some(place) => {
            drafts[place].1.join(draft);
            drafts[place].0 = at;
        }
        None => drafts.push((at, draft)),
    }
}

/// Whether a text that was written says what a draft says.
fn repeats(text: &str, draft: &Draft) -> bool {
    likeness::contains(text, &draft.statement) || likeness::likeness(text, &draft.text()) >= likeness::MAYBE
}

fn pinned(known: &Known, message: Option<&str>) -> RefusedWish {
    RefusedWish {
        reason: "pinned",
        why: format!("{} is pinned, so only a person changes it.", known.file),
        question: Some(format!("Should {} be changed? `memdir unpin` lets automation at it.", known.file)),
        message: message.unwrap_or_default().to_owned(),
    }
}

fn proposed(draft: &Draft, action: Effect, known: Option<&Known>, memory: &Memory) -> Proposed {
    Proposed {
        action,
        file: known.map(|known| known.file.to_string()),
        kind: Some(draft.kind),
        scope: known.map_or_else(|| memory.scope_for(draft), |known| known.scope),
        name: draft.name(),
        description: draft.description(),
        body: draft.text(),
        message: draft.messages.first().cloned(),
    }
}
