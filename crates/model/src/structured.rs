//! An answer that must be a JSON object of a given schema.
//!
//! The wire's own support is tried first. A server that refuses it is asked in words instead, and
//! remembered. Whatever comes is read strictly; what does not fit is sent back once with what is
//! wrong with it. Leaves a reply whose only text is the object, or an error; a refusal and calls of
//! tools pass through.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::answer::object_that_fits;
use super::{AnswerSchema, ChatMessage, ChatRole, ContentBlock, ModelError, Reply, Request, StopReason, Usage};

/// Asks for an object. `one` asks once; a request whose schema is `None` is asked in words.
pub(super) fn ask(
    driver: &'static str,
    request: &Request,
    schema: &AnswerSchema,
    in_words: &AtomicBool,
    one: &mut dyn FnMut(&Request) -> Result<Reply, ModelError>,
) -> Result<Reply, ModelError> {
    let mut asked = if in_words.load(Ordering::Relaxed) { worded(request, schema)? } else { request.clone() };
    let first = match one(&asked) {
        Err(ModelError::Refused { status: 400 | 404 | 422 | 501, .. }) if asked.schema.is_some() => {
            asked = worded(request, schema)?;
            let reply = one(&asked)?;
            in_words.store(true, Ordering::Relaxed);
            reply
        }
        other => other?,
    };
    let mut usage = first.usage;
    let problem = match judged(driver, first.clone(), &schema.object, usage)? {
        Ok(reply) => return Ok(reply),
        Err(problem) => problem,
    };
    let said = words(&first.content);
    let said = if said.is_empty() { "(nothing)".to_owned() } else { said };
    asked.messages.push(ChatMessage { role: ChatRole::Assistant, content: vec![ContentBlock::Text { text: said }] });
    asked.messages.push(ChatMessage::user(phrase(schema, "json-repair", &[("problem", &problem)])?));
    let second = one(&asked)?;
    usage.add(second.usage);
    judged(driver, second, &schema.object, usage)?.map_err(|message| ModelError::Malformed { driver, message })
}

/// The reply with its object alone, or what is wrong with it.
fn judged(
    driver: &'static str,
    reply: Reply,
    schema: &Value,
    usage: Usage,
) -> Result<Result<Reply, String>, ModelError> {
    match reply.stop {
        StopReason::Tools | StopReason::Refusal => return Ok(Ok(Reply { usage, ..reply })),
        // It would be cut at the same place again.
        StopReason::Length => {
            let message = "the answer was longer than it may be".into();
            return Err(ModelError::Malformed { driver, message });
        }
        StopReason::Done => {}
    }
    let object = object_that_fits(&words(&reply.content), schema);
    Ok(object.map(|object| Reply {
        content: vec![ContentBlock::Text { text: object.to_string() }],
        stop: StopReason::Done,
        usage,
    }))
}

/// The request with its schema in words, at the end, so that what was cached stays cached.
fn worded(request: &Request, schema: &AnswerSchema) -> Result<Request, ModelError> {
    let mut worded = Request { schema: None, ..request.clone() };
    let block = ContentBlock::Text { text: phrase(schema, "json-only", &[("schema", &schema.object.to_string())])? };
    match worded.messages.last_mut() {
        Some(last) if last.role == ChatRole::User => last.content.push(block),
        _ => worded.messages.push(ChatMessage { role: ChatRole::User, content: vec![block] }),
    }
    Ok(worded)
}

fn phrase(schema: &AnswerSchema, key: &str, values: &[(&str, &str)]) -> Result<String, ModelError> {
    schema.prompts.clone().phrase(key, values).map_err(|error| ModelError::NotConfigured(error.to_string()))
}

/// All words of some blocks.
pub(super) fn words(content: &[ContentBlock]) -> String {
    let words = content
        .iter()
        .filter_map(|block| if let ContentBlock::Text { text } = block { Some(text.as_str()) } else { None });
    words.collect()
}
