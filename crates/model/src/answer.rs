//! A model's answer as the one JSON object that was asked for.
//!
//! Enters: an answer and a schema. Leaves: the object, or in a few words what is wrong, so that the
//! model can be told. An answer is the object and nothing else; a code fence around it and a
//! `<think>` part before it, which some local models cannot leave off, are tolerated. Never guesses:
//! an object somewhere in prose is prose.

use serde_json::Value;

/// How deep a schema is followed; ours are flat.
const DEPTH: usize = 16;

/// Why an answer is not one JSON object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAnObject {
    /// Nothing was said.
    #[error("it is empty")]
    Empty,
    /// A list, a text, a number.
    #[error("it is JSON, but not an object")]
    OtherJson,
    /// Prose, or an object in prose.
    #[error("it is not JSON alone ({0})")]
    NotJson(String),
}

/// The one JSON object of an answer.
pub fn one_object(answer: &str) -> Result<Value, NotAnObject> {
    let text = unfenced(after_thought(answer).trim());
    if text.is_empty() {
        return Err(NotAnObject::Empty);
    }
    match serde_json::from_str::<Value>(text).map_err(|error| NotAnObject::NotJson(error.to_string()))? {
        object @ Value::Object(_) => Ok(object),
        _ => Err(NotAnObject::OtherJson),
    }
}

/// The object of an answer that also follows the schema.
pub(crate) fn object_that_fits(answer: &str, schema: &Value) -> Result<Value, String> {
    let object = one_object(answer).map_err(|error| error.to_string())?;
    fits(&object, schema, "the answer", DEPTH)?;
    Ok(object)
}

/// What comes after a `<think>` part; an answer that is only thought is empty.
fn after_thought(answer: &str) -> &str {
    match answer.trim_start().strip_prefix("<think>") {
        Some(thought) => thought.split_once("</think>").map_or("", |(_, rest)| rest),
        None => answer,
    }
}

/// What is between code fences, when the whole answer is one fenced block.
fn unfenced(text: &str) -> &str {
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let Some((word, body)) = inner.and_then(|inner| inner.split_once('\n')) else { return text };
    let word = word.trim();
    if (word.is_empty() || word.eq_ignore_ascii_case("json")) && !body.contains("\n```") { body.trim() } else { text }
}

/// Whether a value follows a schema, as far as types, required keys, further keys, items and enumerations go.
fn fits(value: &Value, schema: &Value, place: &str, depth: usize) -> Result<(), String> {
    if depth == 0 {
        return Ok(());
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        return Err(format!("{place} is none of the allowed values"));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|kind| is(value, kind)) {
        return Err(format!("{place} is not of type {}", types.join(" or ")));
    }
    if let Value::Object(fields) = value {
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !fields.contains_key(key) {
                return Err(format!("{place} lacks `{key}`"));
            }
        }
        for (key, inner) in fields {
            match schema["properties"].get(key) {
                Some(inner_schema) => fits(inner, inner_schema, &format!("`{key}`"), depth - 1)?,
                None if schema["additionalProperties"] == Value::Bool(false) => {
                    return Err(format!("{place} may not have a key that is not in the schema"));
                }
                None => {}
            }
        }
    }
    if let Value::Array(items) = value {
        for item in items {
            fits(item, &schema["items"], &format!("an item of {place}"), depth - 1)?;
        }
    }
    Ok(())
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn an_object_alone_fenced_or_after_a_thought() {
        for answer in [
            "{\"a\":1}",
            "  {\"a\":1}\n",
            "```json\n{\"a\":1}\n```",
            "```\n{\"a\":1}```",
            "```JSON \n\n{\"a\":\n1}\n\n```\n",
            "<think>{\"a\":2}? no</think>\n\n{\"a\":1}",
            "\n<think></think>```json\n{\"a\":1}\n```",
        ] {
            assert_eq!(one_object(answer), Ok(json!({ "a": 1 })), "{answer}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for answer in [
            "",
            "  ",
            "I would pick a.md",
            "Sure: {\"a\":1}",
            "{\"a\":1} Hope that helps",
            "{\"a\":1}{\"a\":2}",
            "[{\"a\":1}]",
            "\"{}\"",
            "{\"a\":",
            "```json\n{\"a\":1}\n```\n```json\n{\"a\":2}\n```",
            "```json\n{\"a\":1}\n``` done",
            "```python\n{\"a\":1}\n```",
            "<think>{\"a\":1}",
            "null",
        ] {
            assert!(one_object(answer).is_err(), "{answer}");
        }
    }

    #[test]
    fn a_schema_is_followed() {
        let schema = json!({
            "type": "object", "additionalProperties": false, "required": ["names"],
            "properties": { "names": { "type": "array", "items": { "type": "string" } }, "mode": { "enum": ["a", "b"] }, "n": { "type": ["integer", "null"] } },
        });
        for good in [r#"{"names":[]}"#, r#"{"names":["x"],"mode":"a","n":null}"#] {
            assert!(object_that_fits(good, &schema).is_ok(), "{good}");
        }
        for (bad, words) in [
            (r"{}", "lacks `names`"),
            (r#"{"names":"x"}"#, "`names` is not of type array"),
            (r#"{"names":[1]}"#, "an item of `names`"),
            (r#"{"names":[],"more":1}"#, "not in the schema"),
            (r#"{"names":[],"mode":"c"}"#, "allowed values"),
            (r#"{"names":[],"n":1.5}"#, "integer or null"),
        ] {
            let problem = object_that_fits(bad, &schema).unwrap_err();
            assert!(problem.contains(words), "{bad}: {problem}");
        }
    }

    proptest! {
        #[test]
        fn every_object_is_found_again(keys in prop::collection::btree_map("[a-z`\\\\n\"{}]{0,5}", "\\PC{0,20}", 0..5), fence in any::<bool>()) {
            let object = json!(keys);
            let text = if fence { format!("```json\n{object}\n```") } else { object.to_string() };
            prop_assert_eq!(one_object(&text), Ok(object));
        }

        #[test]
        fn prose_around_an_object_is_never_taken(before in "[a-zA-Z ,.]{1,20}", after in "[a-zA-Z ,.]{0,20}") {
            prop_assume!(!before.trim().is_empty());
            let answer = format!("{before}{{\"a\":1}}{after}");
            prop_assert!(one_object(&answer).is_err());
        }

        #[test]
        fn any_text_is_no_trouble(text in "\\PC{0,60}", schema in "\\PC{0,10}") {
            let _ = object_that_fits(&text, &json!({ "type": schema }));
        }
    }
}
