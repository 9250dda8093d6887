//! JSON: mem0's export, memdir's own, or a plain list of texts.

use std::path::Path;

use jiff::civil::Date;
use serde_json::Value;

use super::{ImportError, ImportedMemory};
use memdir_core::kind::{Scope, Type};
use memdir_core::limits::READ_BYTES;

pub(super) fn file(path: &Path) -> Result<Vec<ImportedMemory>, ImportError> {
    let unread = |reason: String| ImportError::Unread { path: path.to_path_buf(), reason };
    let bytes = memdir_core::read::small(path, READ_BYTES).map_err(|error| unread(error.to_string()))?;
    let bytes = bytes.ok_or_else(|| unread("it does not exist".into()))?;
    let none = || ImportError::NoMemories(path.to_path_buf());
    let document: Value = serde_json::from_slice(&bytes).map_err(|_| none())?;
    let list = ["memories", "results", "data"].iter().find_map(|key| document.get(*key)).unwrap_or(&document);
    let found: Vec<ImportedMemory> =
        list.as_array().ok_or_else(none)?.iter().filter_map(|one| memory(one, path)).collect();
    if found.is_empty() { Err(none()) } else { Ok(found) }
}

fn memory(one: &Value, path: &Path) -> Option<ImportedMemory> {
    let text = |key: &str| one.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let body = one.as_str().map(str::trim).filter(|text| !text.is_empty());
    let body = body.or_else(|| ["body", "memory", "text", "content"].iter().find_map(|key| text(key)))?;
    let day =
        ["modified", "updated_at", "created_at"].iter().find_map(|key| text(key)?.get(..10)?.parse::<Date>().ok());
    Some(ImportedMemory {
        scope: text("scope").and_then(scope).or_else(|| about_a_person(one)),
        kind: text("type").and_then(|word| Type::ALL.into_iter().find(|kind| kind.as_str() == word)),
        name: text("name").map(str::to_owned),
        description: text("description").map(str::to_owned),
        body: body.to_owned(),
        origin: path.display().to_string(),
        day,
        kept: None,
    })
}

/// mem0 files what it knows by whom it is about: a person is the same in every project.
fn about_a_person(one: &Value) -> Option<Scope> {
    let has = |key: &str| one.get(key).is_some_and(|value| !value.is_null());
    (has("memory") && has("user_id") && !has("agent_id") && !has("app_id") && !has("run_id")).then_some(Scope::User)
}

fn scope(word: &str) -> Option<Scope> {
    [Scope::Private, Scope::Team, Scope::User].into_iter().find(|scope| scope.to_string() == word)
}
