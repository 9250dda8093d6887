//! Cline: `messages` in `~/.cline/data/sessions/<id>/<id>.messages.json`, and
//! `tasks/<id>/api_conversation_history.json` in the storage of the editors it lives in.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::transcript::document::{self, DocumentLayout};
use crate::transcript::find::names;
use crate::transcript::json::{self, output, text};
use crate::transcript::{
    Claim, ConversationDetails, Injected, Message, OnMessage, Origin, Search, Signs, Stamp, ToolUse, TranscriptFormat,
    Transcripts, named_after_file, named_after_folder, own_beside_results, own_of,
};

/// Bytes of a conversation that are looked at for where it happened.
const HEAD: u64 = 256 * 1024;
/// Editors whose storage is looked into.
const EDITORS: &[&str] = &["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];
/// What a conversation is called in an editor's storage; its folder is named after it.
const IN_EDITOR: &str = "api_conversation_history";

pub(super) const TRANSCRIPTS: Transcripts = Transcripts {
    find,
    signs: Signs { openings: &[], line: is_line, document: &[(Claim::Perhaps, &["messages", "role"])] },
    reader: TranscriptFormat::Whole(read),
    session_of,
    database: None,
    injects: Injected {
        tags: &["environment_details", "file_content"],
        openings: &[],
        wrappers: &["user_input", "task", "feedback", "user_message", "answer"],
    },
};

fn find(search: &Search<'_>) -> Vec<PathBuf> {
    let of_program = search.below_home(".cline/data/sessions").into_iter().flat_map(|dir| {
        names(&dir).into_iter().map(|id| dir.join(&id).join(format!("{id}.messages.json"))).collect::<Vec<_>>()
    });
    let of_editors = editor_tasks(search).into_iter().flat_map(|dir| {
        names(&dir).into_iter().map(|id| dir.join(id).join(format!("{IN_EDITOR}.json"))).collect::<Vec<_>>()
    });
    let all = of_program.chain(of_editors).filter(|file| file.is_file());
    all.filter(|file| happened_in(file, &search.project.roots)).collect()
}

/// The folders in which editors keep its conversations.
fn editor_tasks(search: &Search<'_>) -> Vec<PathBuf> {
    let roots = [
        search.named_or_below_home("XDG_CONFIG_HOME", ".config"),
        search.below_home("Library/Application Support"),
        search.below_home(".vscode-server/data"),
    ];
    let storages = roots.into_iter().flatten().flat_map(|root| {
        let editors = EDITORS.iter().map(|editor| root.join(editor).join("User")).chain([root.join("User")]);
        editors.map(|user| user.join("globalStorage/saoudrizwan.claude-dev/tasks")).collect::<Vec<_>>()
    });
    storages.filter(|tasks| tasks.is_dir()).collect()
}

/// Whether a conversation happened here: its messages tell the working directory in so many words, or a file beside
/// them does.
fn happened_in(file: &Path, roots: &[PathBuf]) -> bool {
    // Everything happened below the root of all directories.
    if roots.iter().any(|root| root.parent().is_none()) {
        return true;
    }
    let mut head = Vec::new();
    for beside in
        [Some(file.to_path_buf()), file.parent().map(|dir| dir.join("task_metadata.json"))].into_iter().flatten()
    {
        // One that is not there or cannot be read says nothing.
        let _ = File::open(beside).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    }
    roots.iter().any(|root| {
        let name = root.to_string_lossy();
        let ends =
            |rest: &[u8]| rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric() && !b"-_.".contains(byte));
        memchr::memmem::find_iter(&head, name.as_bytes()).any(|at| ends(&head[at + name.len()..]))
    })
}

fn is_line(line: &Value) -> Option<Claim> {
    let first = line.get("messages").and_then(|messages| messages.get(0));
    Claim::Perhaps.when(first.is_some_and(|first| first.get("role").is_some()))
}

fn session_of(path: &Path) -> Option<String> {
    let name = named_after_file(path)?;
    if name == IN_EDITOR { named_after_folder(path) } else { Some(name.trim_end_matches(".messages").to_owned()) }
}

fn read(file: &File, since: Option<&str>, each: &mut OnMessage<'_>) -> io::Result<ConversationDetails> {
    document::read(file, DocumentLayout { array: "messages", element: messages }, since, each)
}

/// One element of `messages`.
fn messages(element: &Value) -> Vec<Message> {
    let Some(role) = text(element, "role") else { return Vec::new() };
    let time = element.get("ts").and_then(json::time);
    let id =
        text(element, "id").map_or_else(|| element.get("ts").map(Value::to_string).unwrap_or_default(), str::to_owned);
    let content = element.get("content").unwrap_or(&Value::Null);
    let blocks = || content.as_array().into_iter().flatten();
    let of = |kind: &'static str| blocks().filter(move |block| text(block, "type") == Some(kind));
    let stamp = Stamp { id: &id, time };
    if role == "assistant" {
        let words = match content {
            Value::String(text) => text.clone(),
            _ => of("text").filter_map(|block| text(block, "text")).collect::<Vec<_>>().join("\n"),
        };
        let tool_uses = of("tool_use").filter_map(|block| ToolUse::read(block, "input")).collect();
        return stamp.answer(&words, tool_uses).into_iter().collect();
    }
    let results =
        of("tool_result").filter_map(|block| block.get("content")).map(|result| stamp.result(&output(result)));
    // Each text block is somebody's: the person's, or the host's.
    let texts = || content.as_str().into_iter().chain(of("text").filter_map(|block| text(block, "text")));
    // Older versions write a tool's answer as text, under a line of its own.
    let told = |text: &str| text.starts_with('[') && text.lines().next().is_some_and(|line| line.ends_with("Result:"));
    let beside = of("tool_result").next().is_some() || texts().any(told);
    let words = if beside { own_beside_results(texts()) } else { own_of(texts()) };
    let shown = element.get("metadata").and_then(|data| text(data, "displayRole"));
    let origin = if shown.is_some_and(|role| role != "user") { Origin::Injected } else { Origin::Own };
    results.chain(stamp.said(origin, &words)).collect()
}
