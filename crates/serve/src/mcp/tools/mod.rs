//! The seven tools: what each takes, what it does, what it answers.
//!
//! Enters: a tool's name and its arguments as a model gave them. Leaves: typed data and a text for
//! the model, or a refusal in words that it can act on. A memory that is pinned is the user's:
//! no tool removes it.
//!
//! Here is what all tools share: their arguments, how a memory is named, an answer. What they do is in [`read`]
//! (recall, search, read), [`write`] (remember, forget) and [`history`] (history, undo); what a model is told of them in
//! [`spec`].

mod history;
mod read;
mod spec;
mod write;

pub(super) use spec::{SPECS, Spec};

use std::borrow::Cow;
use std::path::PathBuf;

use memdir::engine::{Error, Memory};
use memdir::guard::shown::for_model;
use memdir::kind::Scope;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::ServeContext;

/// What a tool answers: data, and the same for reading.
pub(super) struct ToolAnswer {
    pub(super) data: Value,
    pub(super) text: String,
}

/// The project a call names, taken out of its arguments.
pub(super) fn project_of(arguments: &mut Value) -> Result<Option<PathBuf>, Error> {
    match arguments.as_object_mut().and_then(|fields| fields.remove("project")) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(project)) => Ok(Some(PathBuf::from(project))),
        Some(_) => Err(Error::Refused("project must be a directory's path".into())),
    }
}

/// Runs a tool. `None`: there is no tool of that name.
pub(super) fn call(
    name: &str,
    arguments: Value,
    context: &ServeContext,
    memory: &Memory,
) -> Option<Result<ToolAnswer, Error>> {
    Some(match name {
        "recall" => taken(arguments).and_then(|Query { query }| read::recall(context, memory, &query)),
        "search" => taken(arguments).and_then(|SearchTerm { term }| read::search(memory, &term)),
        "read" => taken(arguments).and_then(|File { file }| read::read(memory, &file)),
        "remember" => taken(arguments).and_then(|wanted| write::remember(context, memory, wanted)),
        "forget" => taken(arguments).and_then(|File { file }| write::forget(context, memory, &file)),
        "history" => taken(arguments).and_then(|MaybeFile { file }| history::history(memory, file.as_deref())),
        "undo" => taken(arguments).and_then(|MaybeChange { change }| history::undo(context, memory, change.as_deref())),
        _ => return None,
    })
}

fn taken<T: DeserializeOwned>(arguments: Value) -> Result<T, Error> {
    serde_json::from_value(arguments).map_err(|error| Error::Refused(format!("the arguments do not fit: {error}")))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Query {
    query: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchTerm {
    term: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    file: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MaybeFile {
    file: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MaybeChange {
    change: Option<String>,
}

/// How a memory is named so that any tool finds it again.
pub(super) fn handle(scope: Scope, file: &str) -> String {
    if scope == Scope::User { format!("user:{file}") } else { file.to_owned() }
}

fn answer(data: &impl Serialize, text: String) -> Result<ToolAnswer, Error> {
    let mut data = serde_json::to_value(data).map_err(|error| Error::Refused(error.to_string()))?;
    escape(&mut data);
    Ok(ToolAnswer { data, text: for_model(&text).into_owned() })
}

/// A model reads the data as it reads the text.
fn escape(data: &mut Value) {
    match data {
        Value::String(text) => {
            if let Cow::Owned(escaped) = for_model(text) {
                *text = escaped;
            }
        }
        Value::Array(all) => all.iter_mut().for_each(escape),
        Value::Object(fields) => fields.values_mut().for_each(escape),
        _ => {}
    }
}
