//! goose: its database, and `goose session export --format json` with its messages in `conversation`.

use std::fs::File;
use std::io;

use rusqlite::Row;
use serde_json::{Value, json};

use crate::transcript::database::{Database, OpenedConversation, VALUE_BYTES, parsed, string};
use crate::transcript::document::{self, DocumentLayout};
use crate::transcript::json::{self, output, text};
use crate::transcript::{
    Claim, ConversationDetails, Injected, Message, OnMessage, Origin, Signs, Stamp, ToolUse, TranscriptFormat,
    Transcripts, named_after_file, own_beside_results, own_of,
};

pub(super) const TRANSCRIPTS: Transcripts = Transcripts {
    find: |search| search.in_database(),
    signs: Signs {
        openings: &[],
        line: |line| Claim::Sure.when(line.get("conversation").is_some() && line.get("working_dir").is_some()),
        document: &[(Claim::Sure, &["conversation", "working_dir"])],
    },
    reader: TranscriptFormat::Whole(read_export),
    session_of: named_after_file,
    database: Some(Database {
        file: "goose/sessions/sessions.db",
        mark: "messages",
        table: "sessions",
        place: "working_dir",
        list: "SELECT * FROM sessions ORDER BY updated_at LIMIT ?1",
        is_users: |row| string(row, "session_type").is_none_or(|kind| kind != "sub_agent"),
        read: read_session,
    }),
    injects: Injected::NOTHING,
};

fn read_export(file: &File, since: Option<&str>, each: &mut OnMessage<'_>) -> io::Result<ConversationDetails> {
    document::read(file, DocumentLayout { array: "conversation", element: messages }, since, each)
}

fn read_session(
    opened: &OpenedConversation<'_>,
    since: Option<&str>,
    each: &mut OnMessage<'_>,
) -> rusqlite::Result<ConversationDetails> {
    let mut about = opened.about()?;
    let mut stored = opened
        .connection
        .prepare("SELECT * FROM messages WHERE session_id = ?1 AND octet_length(content_json) <= ?2 ORDER BY id")?;
    // Older versions number their messages, newer ones name them too.
    let name =
        |row: &Row<'_>| string(row, "message_id").or_else(|| row.get::<_, i64>("id").ok().map(|id| id.to_string()));
    if let Some(since) = since {
        let mut rows = stored.query((opened.session, VALUE_BYTES))?;
        while let Some(row) = rows.next()? {
            about.cursor_found |= name(row).as_deref() == Some(since);
        }
    }
    let mut skipping = about.cursor_found;
    let mut rows = stored.query((opened.session, VALUE_BYTES))?;
    while let Some(row) = rows.next()? {
        let Some(id) = name(row) else { continue };
        if skipping {
            skipping = since != Some(id.as_str());
            continue;
        }
        let Some(content) = parsed(row, "content_json", &mut about) else { continue };
        let metadata = string(row, "metadata_json").and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let created = row.get::<_, i64>("created_timestamp").ok();
        let element = json!({
            "id": id, "role": string(row, "role"), "created": created, "content": content, "metadata": metadata,
        });
        if messages(&element).into_iter().try_for_each(&mut *each).is_break() {
            break;
        }
    }
    Ok(about)
}

/// One element of an export.
fn messages(element: &Value) -> Vec<Message> {
    let Some(role) = text(element, "role") else { return Vec::new() };
    let id = text(element, "id").unwrap_or_default();
    let time = element.get("created").and_then(json::time);
    let content = || element.get("content").and_then(Value::as_array).into_iter().flatten();
    let of = |kind: &'static str| content().filter(move |part| text(part, "type") == Some(kind));
    let texts = || of("text").filter_map(|part| text(part, "text"));
    let stamp = Stamp { id, time };
    if role == "assistant" {
        let calls = of("toolRequest").filter_map(|part| part.get("toolCall")?.get("value"));
        let tool_uses = calls.filter_map(|call| ToolUse::read(call, "arguments")).collect();
        return stamp.answer(&texts().collect::<Vec<_>>().join("\n"), tool_uses).into_iter().collect();
    }
    let words = if of("toolResponse").next().is_some() { own_beside_results(texts()) } else { own_of(texts()) };
    let results = of("toolResponse").filter_map(|part| part.get("toolResult")).map(output);
    let hidden = element.get("metadata").and_then(|data| data.get("userVisible")) == Some(&Value::Bool(false));
    let origin = if hidden { Origin::Injected } else { Origin::Own };
    results.map(|result| stamp.result(&result)).chain(stamp.said(origin, &words)).collect()
}
