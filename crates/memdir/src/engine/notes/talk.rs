//! A conversation as the notes see it: who said what, which tools were called, what went wrong.
//!
//! Enters: the JSON lines of a transcript, a host's or of the plain form `{"role","text"}`. Leaves:
//! turns. Lines that are no message are skipped.

use serde_json::Value;

/// One message.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Turn {
    /// `user`, `assistant` or `tool`.
    pub(super) role: String,
    /// Its words.
    pub(super) text: String,
    /// Tools it calls, with their input.
    pub(super) calls: Vec<(String, Value)>,
    /// A tool that failed.
    pub(super) failed: bool,
}

impl Turn {
    fn say(&mut self, text: &str) {
        let all = format!("{}\n{text}", self.text);
        all.trim().clone_into(&mut self.text);
    }
}

/// Reads a transcript.
pub(super) fn read(text: &str) -> Vec<Turn> {
    text.lines().filter_map(turn).collect()
}

fn turn(line: &str) -> Option<Turn> {
    let value: Value = serde_json::from_str(line).ok()?;
    if value.get("isMeta").and_then(Value::as_bool) == Some(true) {
        return None;
    }
    let inner = value.get("message").unwrap_or(&value);
    let role = inner.get("role").or_else(|| value.get("type"))?.as_str()?;
    let mut turn = Turn { role: role.to_owned(), ..Turn::default() };
    match inner.get("text").or_else(|| inner.get("content")) {
        Some(Value::String(text)) => text.trim().clone_into(&mut turn.text),
        Some(Value::Array(parts)) => parts.iter().for_each(|part| take(part, &mut turn)),
        _ => {}
    }
    for call in inner.get("tool_uses").and_then(Value::as_array).into_iter().flatten() {
        take_call(call, &mut turn);
    }
    if role == "tool" {
        turn.failed = looks_failed(&turn.text);
    }
    let known = matches!(turn.role.as_str(), "user" | "assistant" | "tool");
    (known && !turn.text.starts_with("<system-reminder>")).then_some(turn)
}

fn take(part: &Value, turn: &mut Turn) {
    match part.get("type").and_then(Value::as_str) {
        Some("text") => {
            let text = part.get("text").and_then(Value::as_str).unwrap_or_default();
            turn.say(text);
        }
        Some("tool_use") => take_call(part, turn),
        Some("tool_result") => {
            "tool".clone_into(&mut turn.role);
            let content = part.get("content");
            let text = match content {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Array(parts)) => {
                    parts.iter().filter_map(|part| part.get("text")?.as_str()).collect::<Vec<_>>().join("\n")
                }
                _ => String::new(),
            };
            turn.failed |= part.get("is_error").and_then(Value::as_bool) == Some(true) || looks_failed(&text);
            turn.say(&text);
        }
        _ => {}
    }
}

fn take_call(call: &Value, turn: &mut Turn) {
    let name = call.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    turn.calls.push((name, call.get("input").cloned().unwrap_or(Value::Null)));
}

/// Whether the output of a tool tells of a failure.
fn looks_failed(text: &str) -> bool {
    text.lines().any(is_error_line)
}

/// A line that names an error.
pub(super) fn is_error_line(line: &str) -> bool {
    let line = line.trim_start();
    let starts = ["error:", "error[", "Error:", "ERROR", "fatal:", "Traceback", "panicked at", "FAILED", "E   "];
    starts.iter().any(|start| line.starts_with(start)) || line.contains("panicked at") || line.contains("Exception:")
}
