//! One run over a conversation: from messages to memory.

use std::collections::HashSet;

use super::classifier::Classifier;
use super::draft::Draft;
use super::exchange::{Utterance, utterances};
use super::grounds::document_says;
use super::outcome::{Outcome, read, read_wish};
use super::reconcile::Reconciler;
use super::relate;
use super::topics::nearness;
use super::written::{Written, written};
use super::{Conversation, Extracted, Landing, RefusedWish};
use crate::engine::{Error, Learning, Memory};
use memdir_hosts::transcript::Message;
use memdir_reader::cues::Clause;
use memdir_reader::likeness;
use memdir_reader::sentences::sentences;
use memdir_store::history::{Actor, Visit};

/// A later message of the same topic joins the memory of an earlier one when it is this near.
pub(super) const JOINED: f32 = 0.42;
/// Changes of memory that are looked through for what this session has done; a run that died did so lately.
const LANDED: usize = 2_000;

impl Learning<'_> {
    /// Learns from what is new in a conversation.
    pub fn extract(&self, conversation: &Conversation<'_>, landing: Landing) -> Result<Extracted, Error> {
        self.memory.heed(conversation, landing, read)
    }
}

impl Memory {
    /// Does what is asked of memory itself, and leaves the rest to a model.
    pub(in crate::engine) fn grant_wishes(
        &self,
        conversation: &Conversation<'_>,
        landing: Landing,
    ) -> Result<Extracted, Error> {
        self.heed(conversation, landing, |classifier, said, at| {
            read_wish(classifier, said, at).unwrap_or(Outcome::Nothing)
        })
    }

    /// What a model has to judge: the messages that the agent has not saved itself (X4), if the person says more in
    /// them than what was asked of memory.
    pub(in crate::engine) fn left_to_judge(
        &self,
        conversation: &Conversation<'_>,
    ) -> Result<Option<Vec<Message>>, Error> {
        let open = open(conversation.messages, &written(conversation.messages, &self.roots()?));
        let said = utterances(conversation.earlier, &open, &self.now);
        let classifier = Classifier::new();
        let more = (0..said.len()).filter(|at| said[*at].fresh).any(|at| {
            let small = sentences(&said[at].words).into_iter().all(|part| Clause::new(part).is_acknowledgement());
            !small && read_wish(classifier, &said, at).is_none()
        });
        Ok(more.then_some(open))
    }

    fn heed(
        &self,
        conversation: &Conversation<'_>,
        landing: Landing,
        read: impl Fn(Classifier, &[Utterance], usize) -> Outcome,
    ) -> Result<Extracted, Error> {
        self.require_on()?;
        let messages = conversation.messages;
        let mut done = Extracted { messages: messages.len(), ..Extracted::default() };
        let written = written(messages, &self.roots()?);
        let said = utterances(conversation.earlier, &open(messages, &written), &self.now);
        if !said.iter().any(|one| one.fresh) {
            done.skipped = Some(if written.any() { "already-written" } else { "nothing-said" });
            return Ok(done);
        }
        let classifier = Classifier::new();
        let mut drafts: Vec<(usize, Draft)> = Vec::new();
        let mut forgets = Vec::new();
        let mut corrections: Vec<Draft> = Vec::new();
        for at in (0..said.len()).filter(|at| said[*at].fresh) {
            if said[at].withheld {
                done.refused.push(RefusedWish::withheld(&said[at].id));
                continue;
            }
            match read(classifier, &said, at) {
                Outcome::Drafts(several) => {
                    for draft in several {
                        take(classifier, &mut drafts, at, draft);
                    }
                }
                Outcome::Correction(draft) => corrections.push(draft),
                Outcome::Forget(forget) => forgets.push(forget),
                Outcome::Refused(refused) => done.refused.push(refused),
                Outcome::Retracted => drafts.retain(|(from, _)| from + 1 < at),
                Outcome::Nothing => {}
            }
        }
        if drafts.is_empty() && forgets.is_empty() && corrections.is_empty() {
            return Ok(done);
        }
        let statements =
            drafts.iter().map(|(_, draft)| draft).chain(&corrections).map(|draft| draft.statement.as_str());
        let about: Vec<&str> = statements.chain(forgets.iter().map(|forget| forget.words.as_str())).collect();
        let known = relate::known(self, classifier.encoder(), &about.join(" "))?;
        let landed = conversation.session.map(|session| self.landed(session)).transpose()?.unwrap_or_default();
        let mut reconciler =
            Reconciler { memory: self, conversation: *conversation, landing, classifier, known, landed, done };
        for forget in &forgets {
            reconciler.forget(forget)?;
        }
        for draft in &corrections {
            reconciler.correct(draft)?;
        }
        let rules: String = self.rules().files.iter().map(|file| file.text.as_str()).collect::<Vec<_>>().join("\n");
        for (_, draft) in &drafts {
            let twice = written.texts.iter().any(|text| repeats(text, draft));
            if !twice && !document_says(&rules, &draft.statement) {
                reconciler.settle(draft)?;
            }
        }
        Ok(reconciler.done)
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

/// The messages without those of the person that the agent has taken care of.
fn open(messages: &[Message], written: &Written) -> Vec<Message> {
    let with = messages.iter().zip(&written.covered);
    with.filter(|(message, covered)| !**covered || !message.is_own()).map(|(message, _)| message.clone()).collect()
}

/// Adds a draft, or joins it to the one it goes on with.
fn take(classifier: Classifier, drafts: &mut Vec<(usize, Draft)>, at: usize, draft: Draft) {
    let near = |one: &Draft| nearness(classifier.encoder(), &one.text(), &draft.statement);
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
