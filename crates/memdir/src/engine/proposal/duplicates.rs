//! Is a new memory an old one in other words?
//!
//! The judge tells, as at every other way into memory. What says more than a known memory is folded into it; what says no more is turned down. A new
//! memory may say what one that is changed or removed by the same proposal said: merging is that.

use std::collections::{HashMap, HashSet};

use super::{Accepted, FileEffect, ProposalVerdict, RejectionRule};
use crate::engine::find_duplicate::WantedMemory;
use crate::engine::judge::{ComparedMemory, Judge, Verdict};
use crate::engine::{Error, Memory};
use memdir_core::kind::Scope;
use memdir_guard::confine::RelPath;
use memdir_reader::likeness::{self, Note, TextPolarity};
use memdir_reader::sentences;
use memdir_store::Store;
use memdir_store::staging::Changes;
use memdir_store::topic::Topic;

impl Memory {
    /// Looks for known memories behind the new ones of a verdict.
    pub(super) fn fold_known(
        &self,
        store: &Store,
        changes: &Changes,
        verdict: &mut ProposalVerdict,
    ) -> Result<(), Error> {
        let (created, rest) = std::mem::take(&mut verdict.accepted)
            .into_iter()
            .partition::<Vec<_>, _>(|accepted| accepted.action == FileEffect::Created);
        verdict.accepted = rest;
        if created.is_empty() {
            return Ok(());
        }
        let touched: HashSet<&str> = changes.made.iter().map(|change| change.file.as_str()).collect();
        let spelled = self.spellings(store)?;
        let mut news: Vec<(Note, RelPath)> = Vec::new();
        for accepted in created {
            let topic = Topic::parse(accepted.after.clone().unwrap_or_default());
            let scope = if accepted.file.in_team() { Scope::Team } else { Scope::Private };
            let (name, description) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
            let body = topic.body();
            let wanted =
                WantedMemory { scope, kind: topic.kind(), name: &name, description: &description, body: &body };
            if let Some(other) = spelled.get(&accepted.file.as_str().to_lowercase()) {
                let reason = format!("{other} has the same name in other letters");
                verdict.reject(&accepted.file, RejectionRule::Confinement, reason);
                continue;
            }
            let note = wanted.note();
            if let Some((_, other)) = news.iter().find(|(other, _)| other.likeness(&note) >= likeness::SAME) {
                verdict.reject(
                    &accepted.file,
                    RejectionRule::Duplicate,
                    format!("it says what {other} says, which is new too"),
                );
                continue;
            }
            match self.said_by(store, &wanted, &topic, |path| !touched.contains(path))? {
                Some(known) => fold(store, &accepted, &topic, &known, verdict)?,
                None => {
                    news.push((note, accepted.file.clone()));
                    verdict.accepted.push(accepted);
                }
            }
        }
        verdict.accepted.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(())
    }

    /// The memory that a new one says again, by its name or by what the judge reads.
    fn said_by(
        &self,
        store: &Store,
        wanted: &WantedMemory<'_>,
        topic: &Topic,
        may: impl Fn(&str) -> bool,
    ) -> Result<Option<RelPath>, Error> {
        if let Some(known) = self.find_duplicate(store, wanted, &may)? {
            return Ok(Some(known));
        }
        let (judge, said) = (Judge::default(), likeness::statement_of(&topic.body()));
        let mut known = self.known_near(&[wanted.scope], judge.encoder(), &said)?;
        known.retain(|one| may(one.file.as_str()));
        Ok(match judge.verdict(&said, &known) {
            Verdict::Same(at) => Some(known.swap_remove(at).file),
            _ => None,
        })
    }

    /// Turns down what would make a memory say something about another thing (K4): that is a memory of its own.
    pub(super) fn keep_apart(&self, verdict: &mut ProposalVerdict) {
        let judge = Judge::default();
        let told = |bytes: &[u8]| {
            let topic = Topic::parse(bytes.to_vec());
            let (name, statement) =
                (topic.name().unwrap_or_default().into_owned(), likeness::statement_of(&topic.body()));
            ComparedMemory { name, statement, ..ComparedMemory::default() }
        };
        let is_other = |accepted: &Accepted| {
            let (Some(before), Some(after)) = (&accepted.before, &accepted.after) else { return false };
            let (old, new) = (told(before), told(after));
            let keeps = !sentences::said(&old.statement).is_disjoint(&sentences::said(&new.statement));
            !keeps && !old.statement.is_empty() && !new.statement.is_empty() && judge.both_ways(&old, &new).are_apart()
        };
        verdict.turn_down(
            RejectionRule::Loss,
            "it would say something about another thing; that is a memory of its own",
            is_other,
        );
    }

    /// Every known path in small letters: some file systems do not tell them apart.
    fn spellings(&self, store: &Store) -> Result<HashMap<String, String>, Error> {
        store.notice_once(self.now.timestamp())?;
        let catalog = store.known()?;
        Ok(catalog.iter().map(|known| (known.path.to_lowercase(), known.path.to_owned())).collect())
    }
}

/// Whether every word is known and nothing is denied that was affirmed: the same in another order.
fn no_news(known: &str, new: &str) -> bool {
    let words = likeness::words(known);
    likeness::words(new).iter().all(|word| words.contains(word)) && !Note::read(known).opposes(&Note::read(new))
}

/// Says the new in the known memory, losing nothing of the old.
fn fold(
    store: &Store,
    accepted: &Accepted,
    new: &Topic,
    known: &RelPath,
    verdict: &mut ProposalVerdict,
) -> Result<(), Error> {
    // Two new memories can belong to one known one.
    let standing = verdict.accepted.iter().position(|other| other.file == *known);
    let before = match standing {
        Some(at) => verdict.accepted[at].before.clone(),
        None => store.root().read(known)?,
    };
    let now = standing.map_or_else(|| before.clone(), |at| verdict.accepted[at].after.clone()).unwrap_or_default();
    let mut topic = Topic::parse(now);
    if topic.pinned() {
        verdict.reject(&accepted.file, RejectionRule::Duplicate, format!("{known} says it already, and is pinned"));
        return Ok(());
    }
    if TextPolarity::read(&topic.body()).covers(&TextPolarity::read(&new.body())) || no_news(&topic.body(), &new.body())
    {
        verdict.reject(&accepted.file, RejectionRule::Duplicate, format!("{known} says it already"));
        return Ok(());
    }
    let merged = likeness::merge_body(&topic.body(), &new.body());
    topic.set_body(&merged);
    if topic.kind().is_none()
        && let Some(kind) = new.kind()
    {
        // Nobody asked for a type; where it cannot be had the text is merged all the same.
        let _ = topic.set_kind(kind);
    }
    let mut notes = accepted.notes.clone();
    notes.push(format!("{} says what {known} says, and was folded into it", accepted.file));
    let mut messages = accepted.messages.clone();
    if let Some(at) = standing {
        let other = verdict.accepted.remove(at);
        notes.splice(0..0, other.notes);
        messages.splice(0..0, other.messages);
    }
    let (file, after) = (known.clone(), Some(topic.into_bytes()));
    verdict.accepted.push(Accepted {
        file,
        action: FileEffect::Updated,
        notes,
        messages,
        heir: None,
        renamed: None,
        before,
        after,
    });
    Ok(())
}
