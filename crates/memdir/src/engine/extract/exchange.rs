//! A conversation as the judge reads it: what the person said, and what each message answers.
//!
//! Enters: messages of any host. Leaves: utterances in the person's own words, with what the assistant
//! had said before and the day it was. Injected text, summaries, tool results and pastes are gone by
//! then; what the assistant says is only ever context.

use jiff::Zoned;
use jiff::civil::Date;

use super::pasted;
use memdir_guard::secrets;
use memdir_hosts::transcript::{Message, Origin, Role};

/// What is kept of an answer; its first sentences say what the assistant makes of the message.
const ANSWER_BYTES: usize = 600;

/// One thing the person said.
#[derive(Clone, Debug)]
pub(super) struct Utterance {
    /// The message it came in.
    pub(super) id: String,
    /// The day, for dates that are relative to it.
    pub(super) day: Date,
    /// Their own words, secrets cut out.
    pub(super) words: String,
    /// It tells a secret, and nothing of it may be kept.
    pub(super) withheld: bool,
    /// Something of the message was taken for somebody else's by its looks.
    pub(super) cut: bool,
    /// What the assistant had said, last.
    pub(super) before: String,
    /// Everything the assistant had said since the person's last message, for what was proposed.
    pub(super) proposal: String,
    /// What the assistant answered.
    pub(super) after: String,
    /// It is new; what was said before only gives context.
    pub(super) fresh: bool,
}

/// What a person said in a conversation, in order; `earlier` is context.
pub(super) fn utterances(earlier: &[Message], messages: &[Message], now: &Zoned) -> Vec<Utterance> {
    let mut found: Vec<Utterance> = Vec::new();
    let (mut before, mut proposal) = (String::new(), String::new());
    for (at, message) in earlier.iter().chain(messages).enumerate() {
        match message.role {
            Role::Assistant if !message.text.trim().is_empty() && message.origin == Origin::Own => {
                before.clone_from(&message.text);
                if !proposal.is_empty() {
                    proposal.push('\n');
                }
                proposal.push_str(&message.text);
                if let Some(last) = found.last_mut().filter(|last| last.after.len() < ANSWER_BYTES) {
                    last.after.push_str(&message.text);
                    last.after.push('\n');
                }
            }
            Role::User if message.is_own() => {
                let own = pasted::own(&message.text);
                let cut = own.guessed;
                let screened = secrets::screen(&own.words);
                let day = message.time.map_or(now.date(), |time| time.to_zoned(now.time_zone().clone()).date());
                let proposal = std::mem::take(&mut proposal);
                if !screened.text.is_empty() {
                    found.push(Utterance {
                        id: message.id.clone(),
                        day,
                        words: screened.text,
                        withheld: screened.withheld.is_some(),
                        cut,
                        before: before.clone(),
                        proposal,
                        after: String::new(),
                        fresh: at >= earlier.len(),
                    });
                }
            }
            _ => {}
        }
    }
    found
}
