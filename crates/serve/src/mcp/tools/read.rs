//! `recall`, `search` and `read`: what is known, in three depths. Changes no memory; that one was read is noted.

use memdir::engine::{Error, Memory, Opened};
use memdir::kind::Scope;
use memdir::limits::MCP_SEARCH_HITS;
use schemars::JsonSchema;
use serde::Serialize;

use super::{ToolAnswer, answer, handle};
use crate::ServeContext;

/// The answer of `recall`.
#[derive(Serialize, JsonSchema)]
pub(super) struct RecallAnswer {
    /// The memories, best first.
    memories: Vec<RecalledMemory>,
    /// Their texts, with how old each is.
    text: String,
    /// Why nothing was looked for, if so.
    reason: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct RecalledMemory {
    /// The file, for `read` and `forget`.
    file: String,
    /// Whose memory: private, team or user.
    scope: String,
    /// user, feedback, project or reference.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// What people call it.
    title: String,
    /// What it is about.
    description: String,
    /// How old it is, in days; nothing if unknown.
    age_days: Option<i64>,
    /// How sure the choice is, 0 to 1.
    score: f32,
    /// Why it was chosen.
    why: String,
    /// The team it came from and who wrote it, for a shared memory.
    from: Option<String>,
}

pub(super) fn recall(context: &ServeContext, memory: &Memory, query: &str) -> Result<ToolAnswer, Error> {
    let recalled = context.recall(memory, query)?;
    let memories = recalled
        .selected
        .into_iter()
        .map(|one| RecalledMemory {
            file: handle(one.scope, &one.file),
            scope: one.scope.to_string(),
            kind: one.kind.map(|kind| kind.to_string()),
            title: one.title,
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
    answer(&RecallAnswer { memories, text: recalled.reminder, reason }, text)
}

/// The answer of `search`.
#[derive(Serialize, JsonSchema)]
pub(super) struct SearchAnswer {
    /// The lines that match.
    hits: Vec<FoundLine>,
    /// Whether there are more.
    more: bool,
}

#[derive(Serialize, JsonSchema)]
struct FoundLine {
    /// The file, for `read`.
    file: String,
    /// What people call the memory.
    title: Option<String>,
    /// Its line, from 1.
    line: i64,
    /// The line.
    text: String,
    /// The team it came from and who wrote it, for a shared memory.
    from: Option<String>,
}

pub(super) fn search(memory: &Memory, term: &str) -> Result<ToolAnswer, Error> {
    let mut found = SearchAnswer { hits: Vec::new(), more: false };
    memory.recall().search(term, false, false, &mut |hit| {
        found.more = found.hits.len() >= MCP_SEARCH_HITS;
        if !found.more {
            let file = handle(hit.scope.unwrap_or(Scope::Private), &hit.file);
            found.hits.push(FoundLine {
                file,
                title: hit.title,
                line: hit.line as i64,
                text: hit.text,
                from: hit.from,
            });
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
pub(super) struct ReadAnswer {
    /// The file.
    file: String,
    /// Where it is.
    path: String,
    /// Whose memory.
    scope: String,
    /// user, feedback, project or reference.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// What people call it.
    title: String,
    /// What it is about.
    description: Option<String>,
    /// Whether it is pinned: then only the user changes it.
    pinned: bool,
    /// The team it came from and who wrote it, for a shared memory.
    from: Option<String>,
    /// The whole file.
    text: String,
}

pub(super) fn read(memory: &Memory, file: &str) -> Result<ToolAnswer, Error> {
    let opened = memory.files().open(file)?;
    let text = opened.text();
    let Opened { memory_ref, topic, origin, title } = opened;
    // Who may not be believed is named before what they say.
    let warning = origin
        .as_ref()
        .and_then(|origin| origin.warning(&mut memory.sessions().prompts()))
        .map_or_else(String::new, |words| format!("{words}\n\n"));
    let page = ReadAnswer {
        file: handle(memory_ref.scope, memory_ref.file.as_str()),
        path: memory_ref.store.root().show(&memory_ref.file),
        scope: memory_ref.scope.to_string(),
        kind: topic.kind().map(|kind| kind.to_string()),
        title,
        description: topic.description().map(std::borrow::Cow::into_owned),
        pinned: topic.pinned(),
        from: origin.map(|origin| origin.shown()),
        text: text.clone(),
    };
    answer(&page, warning + &text)
}
