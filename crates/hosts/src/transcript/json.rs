//! Small readings of JSON that every host's reader shares.

use jiff::Timestamp;
use serde_json::Value;

use memdir_core::limits;

/// A string field.
pub(crate) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

/// Whether a field says yes.
pub(crate) fn is(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// A time: RFC 3339, or seconds or milliseconds since the epoch.
pub(crate) fn time(value: &Value) -> Option<Timestamp> {
    /// Seconds reach this in the year 5138; milliseconds were there in 1973.
    const MILLISECONDS_FROM: i64 = 100_000_000_000;
    match value {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => match number.as_i64()? {
            seconds if seconds < MILLISECONDS_FROM => Timestamp::from_second(seconds).ok(),
            milliseconds => Timestamp::from_millisecond(milliseconds).ok(),
        },
        _ => None,
    }
}

/// At most so much of a text, cut at a character.
pub(crate) fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// What is kept of a message's text.
pub(crate) fn kept(text: &str) -> String {
    cut(text, limits::MESSAGE_BYTES).to_owned()
}

/// What is kept of what a tool gave back: enough to see what it was.
pub(crate) fn output(value: &Value) -> String {
    let mut all = String::new();
    collect(value, &mut all, 0);
    all.truncate(all.floor_char_boundary(limits::TOOL_OUTPUT_BYTES));
    all
}

fn collect(value: &Value, all: &mut String, depth: usize) {
    if depth > 8 || all.len() > limits::TOOL_OUTPUT_BYTES {
        return;
    }
    match value {
        Value::String(text) => {
            if !all.is_empty() {
                all.push('\n');
            }
            all.push_str(cut(text, limits::TOOL_OUTPUT_BYTES));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, all, depth + 1)),
        Value::Object(fields) => {
            for key in ["text", "content", "output", "result", "value", "response", "stdout"] {
                if let Some(value) = fields.get(key) {
                    collect(value, all, depth + 1);
                }
            }
        }
        _ => {}
    }
}

/// What a tool was given, long strings cut: a whole file is written through here.
pub(crate) fn input(value: &Value) -> Value {
    match value {
        Value::String(text) => cut(text, limits::MESSAGE_BYTES).into(),
        Value::Array(values) => values.iter().map(input).collect(),
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), input(value))).collect(),
        other => other.clone(),
    }
}
