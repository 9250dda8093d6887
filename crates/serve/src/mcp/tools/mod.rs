//! The seven tools: what each takes, what it does, what it answers.
//!
//! Enters: a tool's name and its arguments as a model gave them. Leaves: typed data and a text for
//! the model, or a refusal in words that it can act on. A memory that is pinned is the user's:
//! no tool removes it.

mod spec;

pub(super) use spec::{SPECS, Spec};

use std::path::PathBuf;

use memdir::engine::{Error, Event, Memory, Origin, Remember};
use memdir::kind::{Scope, Type};
use memdir::limits::{MCP_HISTORY, MCP_SEARCH_HITS};
use memdir::store::topic::Topic;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::House;

/// What a tool answers: data, and the same for reading.
pub(super) struct Answer {
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
pub(super) fn call(name: &str, arguments: Value, house: &House, memory: &Memory) -> Option<Result<Answer, Error>> {
    Some(match name {
        "recall" => taken(arguments).and_then(|Query { query }| recall(house, memory, &query)),
        "search" => taken(arguments).and_then(|Term { term }| search(memory, &term)),
        "read" => taken(arguments).and_then(|File { file }| read(memory, &file)),
        "remember" => taken(arguments).and_then(|wanted| remember(house, memory, wanted)),
        "forget" => taken(arguments).and_then(|File { file }| forget(house, memory, &file)),
        "history" => taken(arguments).and_then(|MaybeFile { file }| history(memory, file.as_deref())),
        "undo" => taken(arguments).and_then(|MaybeChange { change }| undo(house, memory, change.as_deref())),
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
struct Term {
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    text: String,
    #[serde(rename = "type")]
    kind: Option<Type>,
    name: Option<String>,
    description: Option<String>,
    why: Option<String>,
    apply: Option<String>,
    scope: Option<Scope>,
}

/// How a memory is named so that any tool finds it again.
pub(super) fn handle(scope: Scope, file: &str) -> String {
    if scope == Scope::User { format!("user:{file}") } else { file.to_owned() }
}

/// The answer of `recall`.
#[derive(Serialize, JsonSchema)]
struct Recalled {
    /// The memories, best first.
    memories: Vec<Chosen>,
    /// Their texts, with how old each is.
    text: String,
    /// Why nothing was looked for, if so.
    reason: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Chosen {
    /// The file, for `read` and `forget`.
    file: String,
    /// Whose memory: private, team or user.
    scope: String,
    /// user, feedback, project or reference.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// What it is about.
    description: String,
    /// How old it is, in days.
    age_days: i64,
    /// How sure the choice is, 0 to 1.
    score: f32,
    /// Why it was chosen.
    why: String,
    /// The team it came from and who wrote it, for a shared memory.
    from: Option<String>,
}

fn recall(house: &House, memory: &Memory, query: &str) -> Result<Answer, Error> {
    let recalled = house.recall(memory, query)?;
    let memories = recalled
        .selected
        .into_iter()
        .map(|one| Chosen {
            file: handle(one.scope, &one.file),
            scope: one.scope.to_string(),
            kind: one.kind.map(|kind| kind.to_string()),
            description: one.description,
            age_days: one.age_days,
            score: one.score,
            why: one.why,
            from: one.from.map(|origin| origin.shown()),
        })
        .collect::<Vec<_>>();
    let text = match (memories.is_empty(), recalled.reason) {
        (false, _) => recalled.reminder.clone(),
        (true, Some(reason)) => format!("Nothing was looked for: {reason}."),
        (true, None) => "No memory matters for this.".to_owned(),
    };
    let reason = recalled.reason.map(str::to_owned);
    answer(&Recalled { memories, text: recalled.reminder, reason }, text)
}

/// The answer of `search`.
#[derive(Serialize, JsonSchema)]
struct Found {
    /// The lines that match.
    hits: Vec<FoundLine>,
    /// Whether there are more.
    more: bool,
}

#[derive(Serialize, JsonSchema)]
struct FoundLine {
    /// The file, for `read`.
    file: String,
    /// Its line, from 1.
    line: i64,
    /// The line.
    text: String,
    /// The team it came from and who wrote it, for a shared memory.
    from: Option<String>,
}

fn search(memory: &Memory, term: &str) -> Result<Answer, Error> {
    let mut found = Found { hits: Vec::new(), more: false };
    memory.search(term, false, false, &mut |hit| {
        found.more = found.hits.len() >= MCP_SEARCH_HITS;
        if !found.more {
            let file = handle(hit.scope.unwrap_or(Scope::Private), &hit.file);
            found.hits.push(FoundLine { file, line: hit.line as i64, text: hit.text, from: hit.from });
        }
        !found.more
    })?;
    let line = |hit: &FoundLine| {
        let from = hit.from.as_ref().map_or_else(String::new, |from| format!(" (from {from})"));
        format!("{}:{}{from}: {}\n", hit.file, hit.line, hit.text)
    };
    let mut text: String = found.hits.iter().map(line).collect();
    if found.hits.is_empty() {
        text.push_str("No memory contains this.");
    } else if found.more {
        text.push_str("There is more; search for something narrower.");
    }
    answer(&found, text)
}

/// The answer of `read`.
#[derive(Serialize, JsonSchema)]
struct Page {
    /// The file.
    file: String,
    /// Where it is.
    path: String,
    /// Whose memory.
    scope: String,
    /// user, feedback, project or reference.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// What it is about.
    description: Option<String>,
    /// Whether it is pinned: then only the user changes it.
    pinned: bool,
    /// The team it came from and who wrote it, for a shared memory.
    from: Option<String>,
    /// The whole file.
    text: String,
}

fn read(memory: &Memory, file: &str) -> Result<Answer, Error> {
    memory.notice()?;
    let spot = memory.find(file)?;
    let Some(bytes) = spot.store.root().read(&spot.file)? else { return Err(Error::Unknown(file.to_owned())) };
    memory.note_use(&spot);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let topic = Topic::parse(bytes);
    let origin = memory.origin(spot.file.as_str()).filter(|_| spot.scope == Scope::Team);
    // Who may not be believed is named before what they say.
    let warning = origin.as_ref().and_then(Origin::warning).map_or_else(String::new, |words| format!("{words}\n\n"));
    let page = Page {
        file: handle(spot.scope, spot.file.as_str()),
        path: spot.store.root().show(&spot.file),
        scope: spot.scope.to_string(),
        kind: topic.kind().map(|kind| kind.to_string()),
        description: topic.description().map(std::borrow::Cow::into_owned),
        pinned: topic.pinned(),
        from: origin.map(|origin| origin.shown()),
        text: text.clone(),
    };
    answer(&page, warning + &text)
}

/// The answer of `remember`.
#[derive(Serialize, JsonSchema)]
struct Saved {
    /// The file it is in.
    file: String,
    /// Whose memory.
    scope: String,
    /// Its type.
    #[serde(rename = "type")]
    kind: String,
    /// created, updated or unchanged.
    action: String,
    /// The change, for `undo`.
    change: Option<String>,
    /// What the user should be told.
    warnings: Vec<String>,
}

fn remember(house: &House, memory: &Memory, wanted: Wanted) -> Result<Answer, Error> {
    let Wanted { text, kind, name, description, why, apply, scope } = wanted;
    let done = memory.remember(&Remember { text, kind, name, description, why, apply, scope })?;
    house.changed(memory);
    let action = match done.action {
        memdir::engine::Action::Created => "created",
        memdir::engine::Action::Updated => "updated",
        memdir::engine::Action::Unchanged => "unchanged",
    };
    let file = handle(done.scope, &done.file);
    let mut text = match (action, &done.change) {
        ("created", Some(change)) => format!("Remembered in {file} (change {change})."),
        (_, Some(change)) => format!("Added to {file}, which was about the same (change {change})."),
        (_, None) => format!("{file} says this already."),
    };
    for warning in &done.warnings {
        text.push_str(&format!("\nNote: {warning}"));
    }
    let saved = Saved {
        file,
        scope: done.scope.to_string(),
        kind: done.kind.to_string(),
        action: action.to_owned(),
        change: done.change,
        warnings: done.warnings,
    };
    answer(&saved, text)
}

/// The answer of `forget`.
#[derive(Serialize, JsonSchema)]
struct Gone {
    /// The files that were archived.
    files: Vec<String>,
    /// The change, for `undo`.
    change: Option<String>,
}

fn forget(house: &House, memory: &Memory, file: &str) -> Result<Answer, Error> {
    // Only what is named by its file: words that fit several memories are for a person to choose from.
    if let Err(error) = memory.find(file) {
        let about = memory.forget_candidates(file).unwrap_or_default();
        let near: Vec<String> = about.iter().take(5).map(|listed| handle(listed.scope, &listed.file)).collect();
        return Err(if near.is_empty() {
            error
        } else {
            Error::Refused(format!("{error}. These are about it: {}", near.join(", ")))
        });
    }
    let found = memory.forget_candidates(file)?;
    if let Some(pinned) = found.iter().find(|listed| listed.pinned) {
        return Err(Error::Refused(format!(
            "{} is pinned: only the user removes it. Ask them to run `memdir unpin {}` first",
            pinned.file, pinned.file
        )));
    }
    let done = memory.forget(&found)?;
    house.changed(memory);
    let undo = done.change.as_deref().map(|change| format!(" (change {change})")).unwrap_or_default();
    let text = format!("Forgot {}{undo}.", done.files.join(", "));
    answer(&Gone { files: done.files, change: done.change }, text)
}

/// The answer of `history`.
#[derive(Serialize, JsonSchema)]
struct Changes {
    /// The changes, newest first.
    changes: Vec<Changed>,
}

#[derive(Serialize, JsonSchema)]
struct Changed {
    /// Its name, for `undo`.
    change: String,
    /// When.
    time: String,
    /// Who: user, agent, extract, dream, team, outside or doctor.
    actor: String,
    /// Why.
    reason: String,
    /// Which files.
    files: Vec<String>,
}

fn history(memory: &Memory, file: Option<&str>) -> Result<Answer, Error> {
    let changes: Vec<Changed> = memory
        .history(file, MCP_HISTORY)?
        .into_iter()
        .map(|Event { id, time, actor, reason, files, scope, .. }| Changed {
            change: id,
            time: time.to_string(),
            actor: actor.to_owned(),
            reason,
            files: files.iter().map(|file| handle(scope, file)).collect(),
        })
        .collect();
    let text = if changes.is_empty() {
        "Nothing has changed yet.".to_owned()
    } else {
        let line = |change: &Changed| {
            let Changed { change, time, actor, reason, files } = change;
            format!("{change} {time} {actor}: {reason} ({})\n", files.join(", "))
        };
        changes.iter().map(line).collect()
    };
    answer(&Changes { changes }, text)
}

/// The answer of `undo`.
#[derive(Serialize, JsonSchema)]
struct TakenBack {
    /// The changes that were taken back.
    undone: Vec<String>,
    /// The files that are as before.
    files: Vec<String>,
    /// The new change; undoing it is redoing.
    change: Option<String>,
}

fn undo(house: &House, memory: &Memory, change: Option<&str>) -> Result<Answer, Error> {
    let memdir::engine::Undone { undone, files, change, .. } = memory.undo(change)?;
    house.changed(memory);
    let text = format!("Took back {}: {}.", undone.join(", "), files.join(", "));
    answer(&TakenBack { undone, files, change }, text)
}

fn answer(data: &impl Serialize, text: String) -> Result<Answer, Error> {
    let data = serde_json::to_value(data).map_err(|error| Error::Refused(error.to_string()))?;
    Ok(Answer { data, text })
}
