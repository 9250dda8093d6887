//! JSON of a host ⇄ event and answer.
//!
//! Enters: what a host writes to a hook's standard input. Leaves: a [`HookCall`], and the answer as
//! one line of JSON. Never fails: what is no JSON, or says nothing we know, is an ignored event.
//! Answers have the keys that their host knows and no others, since strict hosts refuse the rest.

mod action;
pub(crate) mod claude_like;
mod own_tools;

pub(crate) use action::action;
pub(crate) use own_tools::handed_out;

use std::path::PathBuf;

use serde_json::{Value, json};

use super::Host;
use super::event::{Event, HookCall};
use super::profile::{AnswerShape, Profile};
use super::transcript::typed;

/// Why a call that names no event is ignored.
const TRIAL: &str = "it names no event";

/// Whether a call only tries whether somebody answers, as `memdir init` does: no agent made it.
pub fn is_trial(call: &HookCall) -> bool {
    call.event == Event::Ignored(TRIAL) && call.session.is_none()
}

/// What happened. `event` is the event's name where the host does not say it in its JSON.
pub fn read(host: Host, input: &[u8], event: Option<&str>) -> HookCall {
    let Ok(said) = serde_json::from_slice::<Value>(input) else {
        return HookCall { event: Event::Ignored("it is not JSON"), ..HookCall::default() };
    };
    if !said.is_object() {
        return HookCall { event: Event::Ignored("it is not an object"), ..HookCall::default() };
    }
    let Some(read) = host.definition().hook else {
        return HookCall { event: Event::Ignored("this host has no hooks that memdir answers"), ..HookCall::default() };
    };
    let mut call = read(&said, event);
    // `memdir init` tries a hook like this.
    if call.name.is_empty() && matches!(call.event, Event::Ignored(_)) {
        call.event = Event::Ignored(TRIAL);
    }
    call
}

/// The answer in the host's own shape: what the model reads, and a line for the person where the host shows one. `None`: there
/// is nothing to say, or nobody to hear it.
pub fn answer(profile: &Profile, call: &HookCall, text: &str, message: Option<&str>) -> Option<String> {
    let mut answer = match profile.shape? {
        _ if text.is_empty() => json!({}),
        AnswerShape::Nested => {
            json!({ "hookSpecificOutput": { "hookEventName": call.name, "additionalContext": text } })
        }
        AnswerShape::Top => json!({ "additionalContext": text }),
    };
    if let (Some(key), Some(message)) = (profile.message, message) {
        answer[key] = message.into();
    }
    (answer != json!({})).then(|| format!("{answer}\n"))
}

/// The answer that refuses an action, with the reason that the model reads.
pub fn refusal(call: &HookCall, reason: &str) -> String {
    let said = json!({ "hookEventName": call.name, "permissionDecision": "deny", "permissionDecisionReason": reason });
    format!("{}\n", json!({ "hookSpecificOutput": said }))
}

/// A text in an object.
pub(crate) fn text<'v>(said: &'v Value, key: &str) -> Option<&'v str> {
    said.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// A path in an object; only one that says where it is, whatever the working directory.
pub(crate) fn path(said: &Value, key: &str) -> Option<PathBuf> {
    text(said, key).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// What the user said, or why it does not count: a slash command is for the host, what the host put in is nobody's
/// question (R6), and nothing is nothing.
pub(crate) fn prompt(said: &str) -> Event {
    let said = said.trim();
    if said.is_empty() {
        return Event::Ignored("the prompt is empty");
    }
    let typed = typed(said);
    if typed.is_empty() {
        Event::Ignored("nobody typed any of the prompt")
    } else if is_slash_command(&typed) {
        Event::Ignored("the prompt is a command for the host")
    } else {
        Event::Prompt(typed)
    }
}

/// `/clear`, `/mcp__x__y arg`; not `/usr/bin/env is missing`.
fn is_slash_command(said: &str) -> bool {
    let Some(rest) = said.strip_prefix('/') else { return false };
    let word = rest.split_whitespace().next().unwrap_or_default();
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':'))
}

#[cfg(test)]
mod tests;
