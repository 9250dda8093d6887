//! `eval extract`: each conversation of a set in a memory directory of its own, learned from by the
//! built-in engine, and what was saved held against what was expected.

use std::path::Path;

use memdir::engine::{Conversation, Extracted, Landing};
use memdir::hosts::transcript::{Message, Origin, Role, ToolUse};
use memdir::store::topic::Topic;
use serde::Deserialize;

use super::given::{GivenMemory, write_given};
use super::tally::{ExtractMetrics, SavedItem, Tally};
use super::{Scratch, open};
use crate::commands::CommandResult;
use crate::failure::Failure;
use crate::ui::Ui;

/// One conversation of a set (`evals/FORMAT.md`).
#[derive(Deserialize)]
pub(super) struct ConversationCase {
    pub(super) id: String,
    now: String,
    #[serde(default)]
    existing: Vec<GivenMemory>,
    messages: Vec<CaseMessage>,
    #[serde(default)]
    pub(super) expected: Vec<Expected>,
    #[serde(default)]
    pub(super) forbidden: Vec<String>,
    pub(super) kind: String,
}

/// One message.
#[derive(Deserialize)]
struct CaseMessage {
    role: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    tool_uses: Vec<Used>,
}

/// One tool call.
#[derive(Deserialize)]
struct Used {
    name: String,
    #[serde(default)]
    input: serde_json::Value,
}

/// What should be done to memory.
#[derive(Deserialize)]
pub(super) struct Expected {
    #[serde(rename = "type", default)]
    pub(super) kind: Option<String>,
    pub(super) action: String,
    #[serde(default)]
    pub(super) file: Option<String>,
    #[serde(default)]
    pub(super) must_mention: Vec<Vec<String>>,
    #[serde(default)]
    pub(super) dates: Vec<String>,
    #[serde(default)]
    pub(super) scope: Option<String>,
    #[serde(default)]
    pub(super) why: bool,
}

pub(crate) fn extract(dir: &Path, misses: bool, ui: &mut Ui) -> CommandResult {
    let text = std::fs::read_to_string(dir.join("cases.jsonl"))
        .map_err(|error| Failure::refused(format!("{} has no cases.jsonl: {error}", dir.display())))?;
    let scratch = Scratch::new();
    let mut tally = Tally::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case: ConversationCase = serde_json::from_str(line)
            .map_err(|error| Failure::refused(format!("a conversation is not as FORMAT.md says: {error}")))?;
        let saved = learn(&case, &scratch.0)?;
        let wrong = tally.add(&case, &saved);
        if misses && !wrong.is_empty() {
            ui.line(format!("{} [{}] {}", case.id, case.kind, wrong.join("; ")))?;
            for saved in &saved {
                let (action, file, kind, scope) = (saved.action, &saved.file, &saved.kind, &saved.scope);
                let text = saved.text.replace('\n', " ⏎ ");
                ui.line(format!("    {action} {file} ({kind}, {scope}): {text}"))?;
            }
        }
    }
    let metrics = tally.metrics();
    if ui.json {
        return Ok(ui.print_json(&metrics)?);
    }
    print(&metrics, ui)
}

fn print(metrics: &ExtractMetrics, ui: &mut Ui) -> CommandResult {
    ui.line(format!(
        "{:<20}{:>6}{:>8}{:>10}{:>8}{:>7}{:>7}{:>7}{:>11}",
        "kind", "cases", "clean", "precision", "recall", "type", "scope", "why", "forbidden"
    ))?;
    for (kind, score) in metrics.kinds.iter().map(|(kind, score)| (kind.as_str(), score)).chain([("all", &metrics.all)])
    {
        ui.line(format!(
            "{kind:<20}{:>6}{:>8}{:>10}{:>8}{:>7}{:>7}{:>7}{:>11}",
            score.cases,
            part(score.clean),
            part(score.precision),
            part(score.recall),
            part(score.type_right),
            part(score.scope_right),
            part(score.why_kept),
            score.forbidden,
        ))?;
    }
    let strict = &metrics.all;
    ui.line(format!(
        "with the type as a condition: precision {}, recall {}",
        part(strict.precision_typed),
        part(strict.recall_typed)
    ))?;
    Ok(())
}

/// A share, or a dash where there was nothing to share.
fn part(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{share:.3}"))
}

/// Lays a case out, learns from it and reads what was saved.
fn learn(case: &ConversationCase, scratch: &Path) -> Result<Vec<SavedItem>, Failure> {
    let store = scratch.join("cases").join(&case.id);
    write_given(&case.existing, &store)?;
    // Both scopes are there to be chosen from.
    let memory = open(&store, scratch, &case.now, &[("MEMDIR_MODE", "team")])?;
    let messages = messages(case, &store);
    let done =
        memory.learn().extract(&Conversation { messages: &messages, ..Conversation::default() }, Landing::Now)?;
    read_back(&done, &store)
}

fn messages(case: &ConversationCase, store: &Path) -> Vec<Message> {
    let here = store.display().to_string();
    let time = case.now.parse().ok();
    case.messages
        .iter()
        .enumerate()
        .map(|(at, spoken)| Message {
            id: format!("m{at}"),
            role: match spoken.role.as_str() {
                "user" => Role::User,
                "assistant" => Role::Assistant,
                _ => Role::Tool,
            },
            origin: Origin::Own,
            text: spoken.text.clone(),
            tool_uses: spoken
                .tool_uses
                .iter()
                .map(|used| ToolUse { name: used.name.clone(), input: placed(&used.input, &here) })
                .collect(),
            time,
        })
        .collect()
}

/// The same input with the set's word for the memory directory replaced by the real one.
fn placed(input: &serde_json::Value, here: &str) -> serde_json::Value {
    match input {
        serde_json::Value::String(text) => text.replace("<memory>", here).into(),
        serde_json::Value::Array(values) => values.iter().map(|value| placed(value, here)).collect(),
        serde_json::Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), placed(value, here))).collect()
        }
        other => other.clone(),
    }
}

fn read_back(done: &Extracted, store: &Path) -> Result<Vec<SavedItem>, Failure> {
    done.saved
        .iter()
        .map(|saved| {
            let text = match std::fs::read(store.join(&saved.file)) {
                Ok(bytes) => {
                    let topic = Topic::parse(bytes);
                    let (name, description) = (topic.name().unwrap_or_default(), topic.description());
                    format!("{name}\n{}\n{}", description.unwrap_or_default(), topic.body())
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
                Err(error) => return Err(error.into()),
            };
            Ok(SavedItem {
                action: saved.action.verb(),
                file: saved.file.clone(),
                renamed_from: saved.renamed_from.clone(),
                kind: saved.kind.map_or("untyped", memdir::kind::Type::as_str),
                scope: saved.scope.as_str(),
                text,
            })
        })
        .collect()
}
