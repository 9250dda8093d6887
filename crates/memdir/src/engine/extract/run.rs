//! One run over a conversation: from messages to memory.
//!
//! Enters: new messages, what was said before them, and whether what comes of them lands or waits. Leaves: what was saved, refused, passed
//! over or left to the inbox, each with its message. Never asks a model.

use std::collections::HashSet;

use super::compose::reason;
use super::draft::Draft;
use super::exchange::{Utterance, utterances};
use super::grounds::document_says;
use super::outcome::{Forget, Networks, Outcome, read, read_wishes, says_more};
use super::reconcile::Reconciler;
use super::written::{WrittenByAgent, written};
use super::{Conversation, Extracted, Landing};
use crate::engine::judge::{Between, Judge};
use crate::engine::{Error, Learning, Memory};
use memdir_hosts::transcript::Message;
use memdir_reader::likeness;
use memdir_store::history::{Actor, Visit};

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
        self.heed(conversation, landing, read_wishes)
    }

    /// What a model has to judge: the messages that the agent has not saved itself (X4), if the person says more in
    /// them than what was asked of memory.
    pub(in crate::engine) fn left_to_judge(
        &self,
        conversation: &Conversation<'_>,
    ) -> Result<Option<Vec<Message>>, Error> {
        let open = open(conversation.messages, &written(conversation.messages, &self.roots()?));
        let said = utterances(conversation.earlier, &open, &self.now);
        let more = said.iter().any(|one| one.fresh && says_more(Networks::default(), one));
        Ok(more.then_some(open))
    }

    fn heed(
        &self,
        conversation: &Conversation<'_>,
        landing: Landing,
        read: impl Fn(Networks, &[Utterance], usize) -> Outcome,
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
        let mut drafts: Vec<(usize, Draft)> = Vec::new();
        let (mut forgets, mut hints) = (Vec::new(), Vec::new());
        for at in (0..said.len()).filter(|at| said[*at].fresh) {
            let outcome = read(Networks::default(), &said, at);
            if outcome.retracts {
                drafts.retain(|(from, _)| from + 1 < at);
            }
            if let (Some(why), Some((_, draft))) = (&outcome.why, drafts.iter_mut().rfind(|(from, _)| from + 1 == at)) {
                draft.why.get_or_insert_with(|| reason(why, said[at].day));
            }
            for draft in outcome.drafts {
                take(&mut drafts, at, draft);
            }
            for forget in outcome.forgets {
                // "Forget it", right behind something that would be saved, means that and nothing that is known.
                let before = drafts.len();
                drafts.retain(|(from, draft)| *from >= at || !takes_back(&forget, at - from, draft));
                if before == drafts.len() || !forget.points_back {
                    forgets.push(forget);
                }
            }
            hints.extend(outcome.hints);
            done.refused.extend(outcome.refused);
        }
        if drafts.is_empty() && forgets.is_empty() && hints.is_empty() {
            return Ok(done);
        }
        let landed = conversation.session.map(|session| self.landed(session)).transpose()?.unwrap_or_default();
        // What one run has changed is taken back by one undo (K8).
        let _group = self.group.begin();
        let mut reconciler = Reconciler { memory: self, conversation: *conversation, landing, landed, done };
        for forget in &forgets {
            reconciler.forget(forget)?;
        }
        for hint in &hints {
            reconciler.correct(hint)?;
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
fn open(messages: &[Message], written: &WrittenByAgent) -> Vec<Message> {
    let with = messages.iter().zip(&written.covered);
    with.filter(|(message, covered)| !**covered || !message.is_own()).map(|(message, _)| message.clone()).collect()
}

/// Whether a wish to forget means what was said this many messages before.
fn takes_back(forget: &Forget, before: usize, draft: &Draft) -> bool {
    forget.points_back && before == 1
        || matches!(Judge::default().between(&forget.words, &draft.text()), Between::Ends | Between::Replaces)
}

/// Adds a draft, or lets one of an earlier message say it: what is said again, corrected or added to is one memory.
fn take(drafts: &mut Vec<(usize, Draft)>, at: usize, draft: Draft) {
    let judge = Judge::default();
    for (from, earlier) in drafts.iter_mut().rev().filter(|(from, _)| *from < at) {
        match judge.between(&draft.statement, &earlier.text()) {
            Between::Apart => continue,
            Between::Same => {
                earlier.why = earlier.why.take().or(draft.why);
                earlier.messages.extend(draft.messages);
            }
            Between::Refines => earlier.join(draft),
            Between::Replaces | Between::Ends => {
                let messages = [std::mem::take(&mut earlier.messages), draft.messages.clone()].concat();
                *earlier = Draft { messages, ..draft };
            }
        }
        *from = at;
        return;
    }
    drafts.push((at, draft));
}

/// Whether a text that was written says what a draft says.
fn repeats(text: &str, draft: &Draft) -> bool {
    likeness::contains(text, &draft.statement) || likeness::likeness(text, &draft.text()) >= likeness::MAYBE
}
