//! How much of what is known would be gone.
//!
//! A line is lost when no memory of the proposal says it any more, in whatever words. Everything
//! stays in the history; the bound is there because nobody looks at a background run.

use std::collections::HashMap;

use super::{Accepted, Bounds, FileEffect, LossLimit, ProposalVerdict, RejectionRule};
use crate::engine::find_duplicate::WantedMemory;
use crate::engine::{Error, Memory, listing};
use memdir_core::kind::Scope;
use memdir_guard::confine::RelPath;
use memdir_reader::likeness::TextPolarity;
use memdir_store::Store;
use memdir_store::topic::Topic;
use memdir_store::walk;

impl Memory {
    /// Turns down what would lose too much.
    pub(super) fn check_loss(
        &self,
        store: &Store,
        bounds: &Bounds,
        verdict: &mut ProposalVerdict,
    ) -> Result<(), Error> {
        let mut afters: Vec<(RelPath, TextPolarity)> = verdict.accepted.iter().filter_map(said).collect();
        for accepted in verdict.accepted.iter().filter(|accepted| accepted.action == FileEffect::Removed) {
            afters.extend(self.heir(store, accepted, verdict)?);
        }
        let mut lost: HashMap<RelPath, Lost> = HashMap::new();
        for accepted in &verdict.accepted {
            if let Some(before) = &accepted.before {
                lost.insert(accepted.file.clone(), Lost::of(accepted, before, &afters));
            }
        }
        match bounds.loss {
            LossLimit::Rewrites(most) => {
                let anew = |accepted: &Accepted| {
                    accepted.action == FileEffect::Updated
                        && lost.get(&accepted.file).is_some_and(|lost| lost.bytes * 2 > lost.of)
                };
                let count = verdict.accepted.iter().filter(|accepted| anew(accepted)).count();
                if count > most {
                    let reason = format!("{count} memories would lose most of what they say; at most {most} may");
                    verdict.turn_down(RejectionRule::Loss, &reason, anew);
                }
            }
            LossLimit::Share(most) => {
                let all = bytes_known(store)?;
                let gone: usize = lost.values().map(|lost| lost.bytes).sum();
                let share = if all == 0 { 0.0 } else { gone as f64 / all as f64 };
                if share > most {
                    let percent = |share: f64| (share * 100.0).round();
                    let reason =
                        format!("{} % of what is known would be lost; at most {} % may", percent(share), percent(most));
                    // All of it: half a merge would say things twice.
                    verdict.turn_down(RejectionRule::Loss, &reason, |_| true);
                }
            }
        }
        Ok(())
    }

    /// The memory that says what a removed one said, and stays as it is.
    fn heir(
        &self,
        store: &Store,
        gone: &Accepted,
        verdict: &ProposalVerdict,
    ) -> Result<Option<(RelPath, TextPolarity)>, Error> {
        let topic = Topic::parse(gone.before.clone().unwrap_or_default());
        let scope = if gone.file.in_team() { Scope::Team } else { Scope::Private };
        let (name, description) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
        let body = topic.body();
        let wanted = WantedMemory { scope, kind: topic.kind(), name: &name, description: &description, body: &body };
        let stays = |path: &str| !verdict.accepted.iter().any(|accepted| accepted.file.as_str() == path);
        let Some(heir) = self.find_duplicate(store, &wanted, stays)? else { return Ok(None) };
        let Some(bytes) = store.root().read(&heir)? else { return Ok(None) };
        let said = TextPolarity::read(&whole(&Topic::parse(bytes)));
        Ok(Some((heir, said)))
    }
}

/// What a file would say.
fn said(accepted: &Accepted) -> Option<(RelPath, TextPolarity)> {
    let topic = Topic::parse(accepted.after.clone()?);
    Some((accepted.file.clone(), TextPolarity::read(&whole(&topic))))
}

fn whole(topic: &Topic) -> String {
    format!("{}\n{}\n{}", topic.name().unwrap_or_default(), topic.description().unwrap_or_default(), topic.body())
}

/// What one memory would lose.
struct Lost {
    bytes: usize,
    /// Of this many in all.
    of: usize,
}

impl Lost {
    fn of(accepted: &Accepted, before: &[u8], afters: &[(RelPath, TextPolarity)]) -> Lost {
        let topic = Topic::parse(before.to_vec());
        let after = accepted.after.clone().map(Topic::parse);
        let after = after.as_ref().map(|topic| topic.body().into_owned()).unwrap_or_default();
        let mut lost = Lost { bytes: 0, of: 0 };
        for line in topic.body().lines().map(str::trim).filter(|line| !line.is_empty()) {
            lost.of += line.len();
            if after.lines().any(|kept| kept.trim() == line) {
                continue;
            }
            let meant = TextPolarity::read(line);
            if !afters.iter().any(|(_, said)| said.covers(&meant)) {
                lost.bytes += line.len();
            }
        }
        lost
    }
}

/// How much is known in all.
fn bytes_known(store: &Store) -> Result<usize, Error> {
    let topics = walk::walk(store.root())?.files.into_iter();
    let topics = topics.filter(|found| listing::role(&found.path) == listing::FileRole::Topic);
    Ok(topics.map(|found| found.facts.size as usize).sum())
}
