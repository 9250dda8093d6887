//! Did the person say it, and is it worth saving?
//!
//! Looked at is what is new: a new memory, or the lines that an update adds. What nobody said, what is not worth keeping
//! and what is undecided is turned down. What can be mended is: the type, where the memory's words and the person's agree
//! against the model; a personal rule in the team's folder; a missing reason that the person gave.

use super::{Accepted, FileEffect, ProposalVerdict, Rejection, RejectionRule};
use jiff::civil::Date;

use memdir_core::kind::{Scope, Type};
use memdir_guard::confine::RelPath;
use memdir_reader::guess::guess_kind;
use memdir_reader::plain::Label;
use memdir_reader::{dates, likeness};
use memdir_store::topic::{BrokenFrontmatter, Topic};

/// Tells what a new statement stands on: whoever has listened to the conversation.
pub(crate) trait Support: std::fmt::Debug + Send + Sync {
    /// The day of the conversation, which relative dates are relative to (F4).
    fn day(&self) -> Date;

    /// What a statement stands on, or the rule it breaks.
    fn weigh(&self, text: &str) -> Result<Grounding, Fault>;
}

/// Why a statement does not stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The rule it breaks.
    pub rule: RejectionRule,
    /// Why, in words.
    pub reason: String,
}

/// What a statement stands on.
#[derive(Clone, Debug)]
pub(crate) struct Grounding {
    /// The messages it comes from, the first first.
    pub messages: Vec<String>,
    /// The type by how it was said.
    pub kind: Type,
    /// Whose it is by how it was said.
    pub scope: Scope,
    /// The reason the person gave.
    pub why: Option<String>,
    /// The day it was said.
    pub day: Date,
}

impl Grounding {
    /// The type that both the words of a memory and the way it was said speak for, where they agree.
    fn agreed_kind(&self, text: &str) -> Option<Type> {
        (guess_kind(text) == self.kind).then_some(self.kind)
    }
}

/// Holds what was accepted so far against what was said.
pub(super) fn check(grounds: &dyn Support, verdict: &mut ProposalVerdict) {
    let taken: Vec<RelPath> = verdict.accepted.iter().map(|accepted| accepted.file.clone()).collect();
    for accepted in std::mem::take(&mut verdict.accepted) {
        let file = accepted.file.clone();
        match stand(grounds, accepted, &taken) {
            Ok(accepted) => verdict.accepted.push(accepted),
            Err((rule, reason)) => verdict.rejected.push(Rejection::of(&file, rule, reason)),
        }
    }
}

fn stand(grounds: &dyn Support, accepted: Accepted, taken: &[RelPath]) -> Result<Accepted, (RejectionRule, String)> {
    let (Some(after), true) = (&accepted.after, accepted.action != FileEffect::Removed) else { return Ok(accepted) };
    let topic = Topic::parse(after.clone());
    let new = added(accepted.before.as_deref(), &topic);
    if likeness::words(&new).is_empty() && accepted.action == FileEffect::Updated {
        // Only order, spelling or frontmatter changed.
        return Ok(accepted);
    }
    let grounding = grounds.weigh(&new).map_err(|fault| (fault.rule, fault.reason))?;
    let mut accepted = Accepted { messages: grounding.messages.clone(), ..accepted };
    if accepted.action == FileEffect::Created {
        mend(&grounding, topic, &mut accepted).map_err(|odd| (RejectionRule::Format, odd.to_string()))?;
        place(&grounding, &mut accepted, taken)?;
    }
    Ok(accepted)
}

/// What a memory says that it did not say before.
fn added(before: Option<&[u8]>, topic: &Topic) -> String {
    let body = topic.body().into_owned();
    let Some(before) = before else { return body };
    let old = Topic::parse(before.to_vec()).body().into_owned();
    let known = |line: &str| old.lines().any(|old| old.trim() == line.trim());
    body.lines().filter(|line| !known(line)).collect::<Vec<_>>().join("\n")
}

/// The right type, and the reason where the person gave one (F2, F3).
fn mend(grounding: &Grounding, mut topic: Topic, accepted: &mut Accepted) -> Result<(), BrokenFrontmatter> {
    let body = topic.body().into_owned();
    let statement = likeness::statement_of(&body);
    if let Some(kind) = grounding.agreed_kind(&statement)
        && topic.kind() != Some(kind)
    {
        let was = topic.kind().map_or("no type", Type::as_str);
        accepted.notes.push(format!("its type is {kind}, not {was}"));
        topic.set_kind(kind)?;
    }
    let explained = body.lines().any(|line| matches!(Label::of(line), Some((Label::Why, _))));
    if matches!(topic.kind(), Some(Type::Feedback | Type::Project)) && !explained {
        match &grounding.why {
            Some(why) => {
                let why = dates::resolve(why, grounding.day).text;
                let body = with_why(&topic.body(), &why);
                topic.set_body(&body);
                accepted.notes.push("the reason was missing; the user gave it".to_owned());
            }
            None => accepted.notes.push("the user gave no reason".to_owned()),
        }
    }
    accepted.after = Some(topic.into_bytes());
    Ok(())
}

/// The body with its reason, before how to apply it.
fn with_why(body: &str, why: &str) -> String {
    let mut lines: Vec<String> = body.trim_end().lines().map(str::to_owned).collect();
    let at = lines.iter().position(|line| matches!(Label::of(line), Some((Label::Apply, _))));
    let line = format!("**Why:** {why}");
    match at {
        Some(at) => lines.insert(at, line),
        None => lines.extend([String::new(), line]),
    }
    lines.join("\n") + "\n"
}

/// What is one person's does not go to the team (T2).
fn place(grounding: &Grounding, accepted: &mut Accepted, taken: &[RelPath]) -> Result<(), (RejectionRule, String)> {
    let kind = accepted.after.clone().and_then(|after| Topic::parse(after).kind());
    let personal = match kind {
        Some(Type::User) => true,
        Some(Type::Feedback) => grounding.scope == Scope::Private,
        _ => false,
    };
    if !personal || !accepted.file.in_team() {
        return Ok(());
    }
    let own = accepted.file.as_str().trim_start_matches("team/");
    let file = RelPath::parse(own).map_err(|refusal| (RejectionRule::Scope, refusal.to_string()))?;
    if taken.contains(&file) {
        return Err((RejectionRule::Scope, "it is personal and does not go to the team".to_owned()));
    }
    accepted.notes.push("it is personal: saved as a private memory, not the team's".to_owned());
    accepted.file = file;
    Ok(())
}
