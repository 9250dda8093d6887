//! One run over a conversation: from messages to memory.

use std::collections::HashSet;

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
use super::{Conversation, Effect, Extracted, Landing, Proposed, RefusedWish};
use crate::engine::{Error, Memory};
use crate::host::transcript::Message;
use crate::store::history::{Actor, Visit};
use crate::text::likeness;
use crate::text::worth::{NotWorth, not_worth};

/// A later message of the same topic joins the memory of an earlier one when it is this near.
const JOINED: f32 = 0.42;
/// What the ear must say of something that was asked to be remembered before it is refused.
const SURE: f32 = 0.6;
/// And how little it must sound like something to keep.
const DOUBTED: f32 = 0.4;

/// Changes of memory that are looked through for what this session has done; a run that died did so lately.
const LANDED: usize = 2_000;

/// What one utterance leads to.
enum Outcome {
    Drafts(Vec<Draft>),
    Forget(Forget),
    Refused(RefusedWish),
    /// What was said just before does not count.
    Retracted,
    Nothing,
}

/// What one run holds on to.
struct Lesson<'l> {
    memory: &'l Memory,
    conversation: Conversation<'l>,
    landing: Landing,
    ear: Ear,
    known: Vec<Known>,
    /// The messages of this session that memory was changed for already.
    landed: HashSet<String>,
    done: Extracted,
}

impl Memory {
    /// Learns from what is new in a conversation.
    pub fn extract(&self, conversation: &Conversation<'_>, landing: Landing) -> Result<Extracted, Error> {
        self.require_on()?;
        let messages = conversation.messages;
        let mut done = Extracted { messages: messages.len(), ..Extracted::default() };
        let written = written(messages, &self.roots()?);
        let open: Vec<Message> = messages
            .iter()
            .zip(&written.covered)
            .filter(|(message, covered)| !**covered || !message.is_own())
            .map(|(message, _)| message.clone())
            .collect();
        let said = utterances(conversation.earlier, &open, &self.now);
        if !said.iter().any(|one| one.fresh) {
            done.skipped = Some(if written.any() { "already-written" } else { "nothing-said" });
            return Ok(done);
        }
        let ear = Ear::new();
        let mut drafts: Vec<(usize, Draft)> = Vec::new();
        let mut forgets = Vec::new();
        for at in (0..said.len()).filter(|at| said[*at].fresh) {
            match hear(ear, &said, at) {
                Outcome::Drafts(several) => {
                    for draft in several {
                        take(ear, &mut drafts, at, draft);
                    }
                }
                Outcome::Forget(forget) => forgets.push(forget),
                Outcome::Refused(refused) => done.refused.push(refused),
                Outcome::Retracted => drafts.retain(|(from, _)| from + 1 < at),
                Outcome::Nothing => {}
            }
        }
        if drafts.is_empty() && forgets.is_empty() {
            return Ok(done);
        }
        let statements = drafts.iter().map(|(_, draft)| draft.statement.as_str());
        let about: Vec<&str> = statements.chain(forgets.iter().map(|forget| forget.words.as_str())).collect();
        let known = relate::known(self, ear.encoder(), &about.join(" "))?;
        let landed = conversation.session.map(|session| self.landed(session)).transpose()?.unwrap_or_default();
        let mut lesson = Lesson { memory: self, conversation: *conversation, landing, ear, known, landed, done };
        for forget in &forgets {
            lesson.forget(forget)?;
        }
        let rules: String = self.rules().files.iter().map(|file| file.text.as_str()).collect::<Vec<_>>().join("\n");
        for (_, draft) in &drafts {
            let twice = written.texts.iter().any(|text| repeats(text, draft));
            if !twice && !likeness::contains(&rules, &draft.statement) {
                lesson.settle(draft)?;
            }
        }
        Ok(lesson.done)
    }

    /// The messages of a session that memory was changed for: a run that died half-way is done again.
    fn landed(&self, session: &str) -> Result<HashSet<String>, Error> {
        let mut found = HashSet::new();
        for (_, store) in self.stores()? {
            let mut seen = 0;
            store.journal().newest_first(|change| {
                seen += 1;
                if change.actor == Actor::Extract && change.session.as_deref() == Some(session) {
                    found.extend(change.message);
                }
                if seen < LANDED { Visit::More } else { Visit::Enough }
            })?;
        }
        Ok(found)
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
}

/// A wish to forget, and what it was said about.
struct Forget {
    words: String,
    context: String,
    message: String,
}

impl Lesson<'_> {
    /// Writes a draft, changes what it changes, or leaves it when it is known.
    fn settle(&mut self, draft: &Draft) -> Result<(), Error> {
        let Some(key) = self.key(draft.messages.first().map(String::as_str)) else { return Ok(()) };
        let author = self.memory.learner(self.conversation.session, Some(&key));
        let relation = match relate::relate(draft, &self.known, self.ear.encoder()) {
            Relation::New => self.goes_on(draft).map_or(Relation::New, Relation::Update),
            other => other,
        };
        match relation {
            Relation::Known(_) => {}
            Relation::Update(at) if self.known[at].pinned => {
                let refused = pinned(&self.known[at], draft.messages.first());
                self.done.refused.push(refused);
            }
            Relation::Update(at) if self.landing == Landing::Now => {
                let saved = self.memory.land_update(draft, &self.known[at], &author)?;
                self.done.saved.extend(saved);
            }
            Relation::Update(at) => {
                let waiting = proposed(draft, Effect::Updated, Some(&self.known[at]), self.memory);
                self.done.waiting.push(waiting);
            }
            Relation::New if self.landing == Landing::Now => {
                let saved = self.memory.land_new(draft, &author)?;
                self.done.saved.push(saved);
            }
            Relation::New => self.done.waiting.push(proposed(draft, Effect::Created, None, self.memory)),
        }
        Ok(())
    }

    /// The memory of the run before that a draft goes on with.
    fn goes_on(&self, draft: &Draft) -> Option<usize> {
        let near = |one: &Known| nearness(self.ear.encoder(), &one.told(), &draft.statement) >= JOINED;
        self.known.iter().position(|one| {
            let recent = self.conversation.recent.iter().any(|file| file == one.file.as_str());
            let same = one.kind == Some(draft.kind) && !relate::other_names(&draft.statement, &one.told());
            recent && same && near(one)
        })
    }

    fn forget(&mut self, wish: &Forget) -> Result<(), Error> {
        let Some(key) = self.key(Some(&wish.message)) else { return Ok(()) };
        match relate::meant(&wish.words, &wish.context, &self.known, self.ear.encoder()) {
            Meant::One(at) if self.known[at].pinned => {
                let refused = pinned(&self.known[at], Some(&wish.message));
                self.done.refused.push(refused);
            }
            Meant::One(at) if self.landing == Landing::Now => {
                let author = self.memory.learner(self.conversation.session, Some(&key));
                let saved = self.memory.land_forget(&self.known[at], &author)?;
                self.done.saved.push(saved);
                self.known.remove(at);
            }
            Meant::One(at) => {
                let one = &self.known[at];
                self.done.waiting.push(Proposed {
                    action: Effect::Deleted,
                    file: Some(one.file.to_string()),
                    kind: one.kind,
                    scope: one.scope,
                    name: one.name().to_owned(),
                    description: one.description().to_owned(),
                    body: String::new(),
                    message: Some(wish.message.clone()),
                });
            }
            Meant::Several(several) => {
                let files: Vec<&str> = several.iter().map(|at| self.known[*at].file.as_str()).collect();
                self.done.refused.push(RefusedWish {
                    reason: "unclear",
                    why: "Several memories may be meant.".to_owned(),
                    question: Some(format!("Which one should be forgotten: {}?", files.join(", "))),
                    message: wish.message.clone(),
                });
            }
            Meant::None => {}
        }
        Ok(())
    }

    /// The name a change is signed with: the message, and a number where it leads to several. `None`: an
    /// earlier run that was cut short has made this change already.
    fn key(&mut self, message: Option<&str>) -> Option<String> {
        let message = message.unwrap_or_default();
        let made = self.done.keys.iter().filter(|key| key.split('#').next() == Some(message)).count();
        let key = if made == 0 { message.to_owned() } else { format!("{message}#{}", made + 1) };
        self.done.keys.push(key.clone());
        (!self.landed.contains(&key)).then_some(key)
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

/// Adds a draft, or joins it to the one it goes on with.
fn take(ear: Ear, drafts: &mut Vec<(usize, Draft)>, at: usize, draft: Draft) {
    let near = |one: &Draft| nearness(ear.encoder(), &one.text(), &draft.statement);
    let shared = |one: &Draft| {
        let words = likeness::words(&one.text());
        likeness::words(&draft.text()).iter().any(|word| words.contains(word))
    };
    let goes_on = drafts.iter().rposition(|(from, one)| {
        one.kind == draft.kind
            && at > *from
            && at - from <= 2
            && !relate::other_names(&draft.statement, &one.statement)
            && (near(one) >= JOINED || shared(one) && near(one) >= JOINED - 0.15)
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

fn pinned(known: &Known, message: Option<&String>) -> RefusedWish {
    RefusedWish {
        reason: "pinned",
        why: format!("{} is pinned, so only a person changes it.", known.file),
        question: Some(format!("Should {} be changed? `memdir unpin` lets automation at it.", known.file)),
        message: message.cloned().unwrap_or_default(),
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
