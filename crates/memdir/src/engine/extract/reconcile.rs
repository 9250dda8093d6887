//! What becomes of drafts and wishes: written, held against what is known, refused, or left to wait.
//!
//! Each change is signed with the session and the message that led to it. A run that was cut short is done
//! again, and what it had changed already is recognised by that signature: nothing happens twice.

use std::collections::HashSet;

use super::classifier::Classifier;
use super::draft::Draft;
use super::learn::JOINED;
use super::outcome::Forget;
use super::pasted::own_words;
use super::relate::{self, Known, Meant, Relation};
use super::topics::nearness;
use super::{Conversation, Effect, Extracted, Landing, Proposed, RefusedWish};
use crate::engine::inbox::Origin;
use crate::engine::{Error, Memory, NewProposal, ProposedFile};
use memdir_guard::prompt_injection::PromptInjection;
use memdir_guard::secrets;
use memdir_store::history::Author;

/// What is quoted of a message where somebody decides about it.
const QUOTED_BYTES: usize = 200;

/// What one run holds on to.
pub(super) struct Reconciler<'l> {
    pub(super) memory: &'l Memory,
    pub(super) conversation: Conversation<'l>,
    pub(super) landing: Landing,
    pub(super) classifier: Classifier,
    pub(super) known: Vec<Known>,
    /// The messages of this session that memory was changed for already.
    pub(super) landed: HashSet<String>,
    pub(super) done: Extracted,
}

impl Reconciler<'_> {
    /// Writes a draft, changes what it changes, or leaves it when it is known.
    pub(super) fn settle(&mut self, draft: &Draft) -> Result<(), Error> {
        let Some(key) = self.key(draft.messages.first().map(String::as_str)) else { return Ok(()) };
        if PromptInjection::read(&draft.told()).is_planted() {
            self.done.refused.push(RefusedWish {
                reason: "orders",
                why: "It reads like an order planted for a model.".to_owned(),
                question: None,
                message: draft.messages.first().cloned().unwrap_or_default(),
            });
            return Ok(());
        }
        let author = self.memory.learner(self.conversation.session, Some(&key));
        let relation = match relate::relate(draft, &self.known, self.classifier.encoder()) {
            Relation::New => self.goes_on(draft).map_or(Relation::New, Relation::Update),
            other => other,
        };
        match relation {
            Relation::Known(_) => {}
            Relation::Update(at) => self.revise(draft, at, &author)?,
            Relation::New if self.landing == Landing::Now => {
                let saved = self.memory.land_new(draft, &author)?;
                self.done.saved.push(saved);
            }
            Relation::New => {
                let (scope, file) = self.memory.draft_new(draft)?;
                let waiting = Proposed {
                    scope,
                    file: Some(file.file.clone()),
                    ..proposed(draft, Effect::Created, None, self.memory)
                };
                self.wait(waiting, file)?;
            }
        }
        Ok(())
    }

    /// Says in a known memory what a draft says.
    fn revise(&mut self, draft: &Draft, at: usize, author: &Author) -> Result<(), Error> {
        if self.known[at].pinned {
            let refused = pinned(&self.known[at], draft.messages.first());
            self.done.refused.push(refused);
        } else if self.landing == Landing::Now {
            let saved = self.memory.land_update(draft, &self.known[at], author)?;
            self.done.saved.extend(saved);
        } else {
            let waiting = proposed(draft, Effect::Updated, Some(&self.known[at]), self.memory);
            let file = self.memory.draft_update(draft, &self.known[at])?;
            self.wait(waiting, file)?;
        }
        Ok(())
    }

    /// Changes the memory that has another value for what a draft says; without one nothing happens.
    pub(super) fn correct(&mut self, draft: &Draft) -> Result<(), Error> {
        let Some(at) = relate::outdated(draft, &self.known, self.classifier.encoder()) else { return Ok(()) };
        let kind = self.known[at].kind.unwrap_or(draft.kind);
        let Some(key) = self.key(draft.messages.first().map(String::as_str)) else { return Ok(()) };
        let author = self.memory.learner(self.conversation.session, Some(&key));
        self.revise(&Draft { kind, ..draft.clone() }, at, &author)
    }

    /// The memory of the run before that a draft goes on with.
    fn goes_on(&self, draft: &Draft) -> Option<usize> {
        let near = |one: &Known| nearness(self.classifier.encoder(), &one.told(), &draft.statement) >= JOINED;
        self.known.iter().position(|one| {
            let recent = self.conversation.recent.iter().any(|file| file == one.file.as_str());
            let same = one.kind == Some(draft.kind) && !relate::other_names(&draft.statement, &one.told());
            recent && same && near(one)
        })
    }

    pub(super) fn forget(&mut self, wish: &Forget) -> Result<(), Error> {
        let Some(key) = self.key(Some(&wish.message)) else { return Ok(()) };
        match relate::meant(&wish.words, &wish.context, &self.known, self.classifier.encoder()) {
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
                let file = self.memory.draft_forget(one)?;
                let waiting = Proposed {
                    id: None,
                    action: Effect::Deleted,
                    file: Some(one.file.to_string()),
                    kind: one.kind,
                    scope: one.scope,
                    name: one.name().to_owned(),
                    description: one.description().to_owned(),
                    body: String::new(),
                    message: Some(wish.message.clone()),
                };
                self.wait(waiting, file)?;
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

    /// Leaves a change before a person, with what was said.
    fn wait(&mut self, waiting: Proposed, file: ProposedFile) -> Result<(), Error> {
        let said = self.conversation.messages.iter().find(|one| Some(&one.id) == waiting.message.as_ref());
        let words = said.map(|one| own_words(&one.text)).unwrap_or_default();
        let (words, _) = secrets::redact(&words[..words.floor_char_boundary(QUOTED_BYTES)]);
        let why = if words.is_empty() { String::new() } else { format!("the user said: {}", words.replace('\n', " ")) };
        let origin = Origin {
            scope: waiting.scope,
            session: self.conversation.session.map(str::to_owned),
            message: waiting.message.clone(),
        };
        let new =
            NewProposal { kind: "extract", reason: "learned".to_owned(), files: vec![ProposedFile { why, ..file }] };
        if let Some(id) = self.memory.propose_once(new, origin)? {
            self.done.waiting.push(Proposed { id: Some(id), ..waiting });
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

fn pinned(known: &Known, message: Option<&String>) -> RefusedWish {
    RefusedWish {
        reason: "pinned",
        why: format!("{} is pinned, so only a person changes it.", known.file),
        question: Some(format!("Should {} be changed? Unpinning it lets automation at it.", known.file)),
        message: message.cloned().unwrap_or_default(),
    }
}

fn proposed(draft: &Draft, action: Effect, known: Option<&Known>, memory: &Memory) -> Proposed {
    Proposed {
        id: None,
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
