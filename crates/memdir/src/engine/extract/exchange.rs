//! A conversation as the judge reads it: what the person said, and what each message answers.
//!
//! Enters: messages of any host. Leaves: utterances in the person's own words, with what the assistant
//! had said before and the day it was. Injected text, summaries, tool results and pastes are gone by
//! then; what the assistant says is only ever context.

use jiff::civil::Date;
use jiff::{Timestamp, Zoned};

use super::pasted;
use memdir_guard::secrets;
use memdir_hosts::transcript::{Message, Origin, Role};

/// One thing the person said.
#[derive(Clone, Debug)]
pub(super) struct Utterance {
    /// The message it came in.
    pub(super) id: String,
    /// The day, for dates that are relative to it.
    pub(super) day: Date,
    /// When it was said; later wins (K6).
    pub(super) time: Timestamp,
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
            }
            Role::User if message.is_own() => {
                let own = pasted::own(&message.text);
                let cut = own.guessed;
                let screened = secrets::screen(&own.words);
                let withheld = screened.withheld.is_some() || !secrets::scan(&message.text).is_empty();
                // Never after now, whatever a clock said (K6).
                let time = message.time.map_or(now.timestamp(), |time| time.min(now.timestamp()));
                let day = time.to_zoned(now.time_zone().clone()).date();
                let proposal = std::mem::take(&mut proposal);
                if !screened.text.is_empty() {
                    found.push(Utterance {
                        id: message.id.clone(),
                        day,
                        time,
                        words: screened.text,
                        withheld,
                        cut,
                        before: before.clone(),
                        proposal,
                        fresh: at >= earlier.len(),
                    });
                }
            }
            _ => {}
        }
    }
    found
}
