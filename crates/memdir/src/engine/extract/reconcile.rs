//! What becomes of drafts and wishes: written, held against what is known, refused, or left to wait.
//!
//! What a draft is to what is known, the judge says; here the verdict is carried out. Each change is signed with the session and the
//! message that led to it. A run that was cut short is done again, and what it had changed already is recognised by that signature:
//! nothing happens twice.

use std::collections::HashSet;

use super::clause::clauses;
use super::draft::Draft;
use super::forget::{ForgetTarget, meant};
use super::outcome::Forget;
use super::pasted::own_words;
use super::{Conversation, Effect, Extracted, Landing, Proposed, RefusedWish};
use crate::engine::inbox::ProposalOrigin;
use crate::engine::judge::{Between, Judge, KnownMemory, Verdict};
use crate::engine::{Error, Memory, NewProposal, ProposedFile};
use memdir_core::kind::{Scope, Type};
use memdir_core::settings::Mode;
use memdir_guard::prompt_injection::PromptInjection;
use memdir_guard::secrets;
use memdir_store::ChangeError;
use memdir_store::history::Author;

/// What is quoted of a message where somebody decides about it.
const QUOTED_BYTES: usize = 200;
/// What is hardly worth keeping changes a memory only where that is at least this near.
const HINTED: f32 = 0.5;
/// So often a draft is judged again when somebody else was faster.
const JUDGED_AGAIN: usize = 3;

/// What one run holds on to.
pub(super) struct Reconciler<'l> {
    pub(super) memory: &'l Memory,
    pub(super) conversation: Conversation<'l>,
    pub(super) landing: Landing,
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
        self.again(|run| {
            let (known, verdict) = run.verdict(draft)?;
            match verdict {
                Verdict::New => run.create(draft, None, &author),
                Verdict::Undecided(at) => run.create(draft, Some(&known[at]), &author),
                Verdict::Same(at) if known[at].lacks(&draft.new_statement()) => {
                    run.change(draft, &known[at], &Verdict::Refine(at), &author)
                }
                Verdict::Same(_) => Ok(()),
                Verdict::Refine(at) if uses(draft, &known[at]) => Ok(()),
                Verdict::Update(at, _) | Verdict::Refine(at) | Verdict::Drop(at) => {
                    run.change(draft, &known[at], &verdict, &author)
                }
            }
        })
    }

    /// Changes the memory that says otherwise than a draft; without one nothing happens.
    pub(super) fn correct(&mut self, draft: &Draft) -> Result<(), Error> {
        let (known, verdict) = self.verdict(draft)?;
        let (Verdict::Update(at, _) | Verdict::Drop(at)) = verdict else { return Ok(()) };
        if known[at].near < HINTED {
            return Ok(());
        }
        let Some(key) = self.key(draft.messages.first().map(String::as_str)) else { return Ok(()) };
        let author = self.memory.learner(self.conversation.session, Some(&key));
        match self.change(draft, &known[at], &verdict, &author) {
            // It was a hint, and somebody knows better.
            Err(Error::Change(ChangeError::Contended(_))) => Ok(()),
            done => done,
        }
    }

    /// What a draft is to what is known; what goes on with a memory of the last run belongs to it.
    fn verdict(&self, draft: &Draft) -> Result<(Vec<KnownMemory>, Verdict), Error> {
        let judge = Judge::default();
        let mut known = self.memory.known_near(&self.scopes(), judge.encoder(), &draft.statement)?;
        // What this run has saved is another topic of the same conversation: drafts were held against each other.
        let own = |one: &KnownMemory| {
            self.done.saved.iter().any(|saved| saved.action == Effect::Created && saved.file == one.file.as_str())
        };
        known.retain(|one| !own(one));
        let recent = |at: usize| self.conversation.recent.iter().any(|file| file == known[at].file.as_str());
        let verdict = match judge.verdict(&draft.statement, &known) {
            Verdict::Undecided(at) if recent(at) => Verdict::Refine(at),
            verdict => verdict,
        };
        Ok((known, verdict))
    }

    fn scopes(&self) -> Vec<Scope> {
        let team = (self.memory.settings.mode == Mode::Team).then_some(Scope::Team);
        [Scope::Private, Scope::User].into_iter().chain(team).collect()
    }

    /// Does something again while others are faster.
    fn again(&mut self, mut work: impl FnMut(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        let mut left = JUDGED_AGAIN;
        loop {
            match work(self) {
                Err(Error::Change(ChangeError::Contended(_))) if left > 0 => left -= 1,
                done => return done,
            }
        }
    }

    /// Writes a new memory; where it may contradict a known one, with a question (K7).
    fn create(&mut self, draft: &Draft, beside: Option<&KnownMemory>, author: &Author) -> Result<(), Error> {
        if self.memory.keeps_log() {
            let saved = self.memory.land_in_log(draft, author)?;
            self.done.saved.extend(saved);
            return Ok(());
        }
        if self.landing == Landing::Now {
            let saved = self.memory.land_new(draft, author)?;
            if let Some(old) = beside {
                let origin = ProposalOrigin {
                    scope: saved.scope,
                    session: author.session.clone(),
                    message: author.message.clone(),
                };
                self.memory.ask_whether(&draft.new_statement(), old, &saved.file, origin)?;
            }
            self.done.saved.push(saved);
            return Ok(());
        }
        let (scope, file) = self.memory.draft_new(draft)?;
        let waiting =
            Proposed { scope, file: Some(file.file.clone()), ..proposed(draft, Effect::Created, None, self.memory) };
        self.wait(waiting, file)
    }

    /// Says in a known memory what a draft says.
    fn change(&mut self, draft: &Draft, known: &KnownMemory, verdict: &Verdict, author: &Author) -> Result<(), Error> {
        // Something said later has been written down since (K6).
        if known.said_at.is_some_and(|known| known > draft.time) {
            return Ok(());
        }
        if self.memory.keeps_log() {
            let saved = self.memory.land_in_log(draft, author)?;
            self.done.saved.extend(saved);
        } else if known.pinned() {
            let refused = pinned(known, draft.messages.first());
            self.done.refused.push(refused);
        } else if self.landing == Landing::Now {
            let saved = self.memory.land_change(draft, known, verdict, author)?;
            self.done.saved.extend(saved);
        } else if let Some(file) = self.memory.draft_change(draft, known, verdict) {
            self.wait(proposed(draft, Effect::Updated, Some(known), self.memory), file)?;
        }
        Ok(())
    }

    pub(super) fn forget(&mut self, wish: &Forget) -> Result<(), Error> {
        let Some(key) = self.key(Some(&wish.message)) else { return Ok(()) };
        let judge = Judge::default();
        let known = self.known_of(judge, wish)?;
        let meant = meant(judge, &wish.words, &wish.context, &known);
        // "X is Y now, no longer Z" says what takes its place.
        if let (ForgetTarget::One(at), Some(draft)) = (&meant, &wish.instead)
            && judge.between(&wish.words, &known[*at].stated()) == Between::Replaces
        {
            let author = self.memory.learner(self.conversation.session, Some(&key));
            return self.change(draft, &known[*at], &Verdict::Update(*at, None), &author);
        }
        match meant {
            ForgetTarget::One(at) if known[at].pinned() => {
                let refused = pinned(&known[at], Some(&wish.message));
                self.done.refused.push(refused);
            }
            ForgetTarget::One(at) if self.landing == Landing::Now => {
                let author = self.memory.learner(self.conversation.session, Some(&key));
                let saved = self.memory.land_forget(&known[at], &author)?;
                self.done.saved.push(saved);
            }
            ForgetTarget::One(at) => {
                let one = &known[at];
                let waiting = Proposed {
                    id: None,
                    action: Effect::Deleted,
                    file: Some(one.file.to_string()),
                    kind: one.kind(),
                    scope: one.scope,
                    name: one.name(),
                    description: one.description(),
                    body: String::new(),
                    message: Some(wish.message.clone()),
                };
                self.wait(waiting, self.memory.draft_forget(one))?;
            }
            ForgetTarget::Several(several) => {
                let files: Vec<&str> = several.iter().map(|at| known[*at].file.as_str()).collect();
                self.done.refused.push(RefusedWish {
                    reason: "unclear",
                    why: "Several memories may be meant.".to_owned(),
                    question: Some(format!("Which one should be forgotten: {}?", files.join(", "))),
                    message: wish.message.clone(),
                });
            }
            ForgetTarget::None => {}
        }
        Ok(())
    }
    /// The memories that a wish to forget may mean: by all its words, and by those before its reasons.
    fn known_of(&self, judge: Judge, wish: &Forget) -> Result<Vec<KnownMemory>, Error> {
        let mut known = self.memory.known_near(&self.scopes(), judge.encoder(), &wish.words)?;
        if let [first, _, ..] = clauses(&wish.words).as_slice() {
            for one in self.memory.known_near(&self.scopes(), judge.encoder(), first)? {
                match known.iter_mut().find(|known| (known.scope, &known.file) == (one.scope, &one.file)) {
                    Some(known) => known.near = known.near.max(one.near),
                    None => known.push(one),
                }
            }
        }
        Ok(known)
    }

    /// Leaves a change before a person, with what was said.
    fn wait(&mut self, waiting: Proposed, file: ProposedFile) -> Result<(), Error> {
        let said = self.conversation.messages.iter().find(|one| Some(&one.id) == waiting.message.as_ref());
        let words = said.map(|one| own_words(&one.text)).unwrap_or_default();
        let (words, _) = secrets::redact(&words[..words.floor_char_boundary(QUOTED_BYTES)]);
        let why = if words.is_empty() { String::new() } else { format!("the user said: {}", words.replace('\n', " ")) };
        let origin = ProposalOrigin {
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

fn pinned(known: &KnownMemory, message: Option<&String>) -> RefusedWish {
    RefusedWish {
        reason: "pinned",
        why: format!("{} is pinned, so only a person changes it.", known.file),
        question: Some(format!("Should {} be changed? Unpinning it lets automation change it.", known.file)),
        message: message.cloned().unwrap_or_default(),
    }
}

fn proposed(draft: &Draft, action: Effect, known: Option<&KnownMemory>, memory: &Memory) -> Proposed {
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

/// Whether a draft only uses what a memory points to: an instruction about a place says what to do there, not where it is.
fn uses(draft: &Draft, known: &KnownMemory) -> bool {
    draft.kind == Type::Feedback && known.kind() == Some(Type::Reference)
}
