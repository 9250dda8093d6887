//! `remember` and `forget`: one memory comes or goes, as one change that `undo` takes back. Never removes what is pinned.

use memdir::engine::{Error, Memory, Remember, RememberOutcome};
use memdir::kind::{AgentScope, Scope, Type};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ToolAnswer, answer, handle};
use crate::ServeContext;

/// What `remember` takes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RememberInput {
    text: String,
    #[serde(rename = "type")]
    kind: Option<Type>,
    name: Option<String>,
    description: Option<String>,
    why: Option<String>,
    apply: Option<String>,
    scope: Option<Scope>,
    agent: Option<String>,
    agent_scope: Option<String>,
}

/// The answer of `remember`.
#[derive(Serialize, JsonSchema)]
pub(super) struct RememberAnswer {
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

pub(super) fn remember(context: &ServeContext, memory: &Memory, wanted: RememberInput) -> Result<ToolAnswer, Error> {
    let RememberInput { text, kind, name, description, why, apply, scope, agent, agent_scope } = wanted;
    let wanted = Remember { text, kind, name, description, why, apply, scope };
    let done = match (&agent, agent_scope.as_deref().map_or(Some(AgentScope::User), AgentScope::parse)) {
        (Some(agent), Some(reach)) => memory.files().remember_of_agent(agent, reach, &wanted)?,
        (Some(_), None) => return Err(Error::Refused("agent_scope is user, project or local".into())),
        (None, _) => memory.files().remember(&wanted)?,
    };
    context.changed(memory);
    let action = match done.action {
        RememberOutcome::Created => "created",
        RememberOutcome::Updated => "updated",
        RememberOutcome::Unchanged => "unchanged",
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
    let saved = RememberAnswer {
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
pub(super) struct ForgetAnswer {
    /// The files that were archived.
    files: Vec<String>,
    /// The change, for `undo`.
    change: Option<String>,
}

pub(super) fn forget(context: &ServeContext, memory: &Memory, file: &str) -> Result<ToolAnswer, Error> {
    // Only what is named exactly: of memories that merely fit, a person chooses.
    memory.files().find(file)?;
    let found = memory.files().meant(file)?.memories;
    if let Some(pinned) = found.iter().find(|listed| listed.pinned) {
        return Err(Error::Refused(format!(
            "{} is pinned: only the user removes it. Ask them to unpin it first",
            pinned.file
        )));
    }
    let done = memory.files().forget(&found)?;
    context.changed(memory);
    let undo = done.change.as_deref().map(|change| format!(" (change {change})")).unwrap_or_default();
    let text = format!("Forgot {}{undo}.", done.files.join(", "));
    answer(&ForgetAnswer { files: done.files, change: done.change }, text)
}
