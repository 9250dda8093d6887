//! Codex speaks like Claude Code. It lets an agent of its own write memories and runs the user's hooks in it: without a
//! transcript, below its own directory.

use serde_json::Value;

use crate::event::{Event, HookCall};
use crate::wire::claude_like;

pub(super) fn read(said: &Value, event: Option<&str>) -> HookCall {
    let mut call = claude_like::read(said, event);
    let below_memories =
        call.cwd.as_ref().is_some_and(|cwd| cwd.components().any(|part| part.as_os_str() == "memories"));
    if call.transcript.is_none() && below_memories && !claude_like::is_sub_agent(said) {
        call.event = Event::Ignored("it is the host's own memory agent");
    }
    call
}
