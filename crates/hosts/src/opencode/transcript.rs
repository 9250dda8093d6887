//! opencode: its database, an export (`{info, messages: [{info, parts}]}`), or the rows of the database as JSON lines
//! (`rows.rs`).

use std::fs::File;
use std::io;

use serde_json::{Value, json};

use super::rows;
use crate::transcript::database::{Database, OpenedConversation, VALUE_BYTES, parsed, string};
use crate::transcript::document::{self, DocumentLayout};
use crate::transcript::json::{self, input, is, output, text};
use crate::transcript::{
    Claim, ConversationDetails, Injected, Message, OnMessage, Origin, Signs, Stamp, ToolUse, TranscriptFormat,
    Transcripts, named_after_file, own_of,
};

pub(super) const TRANSCRIPTS: Transcripts = Transcripts {
    find: |search| search.in_database(),
    signs: Signs {
        openings: &[],
        line: is_line,
        document: &[(Claim::Perhaps, &["info", "parts"]), (Claim::Perhaps, &["info", "projectID"])],
    },
    reader: TranscriptFormat::Whole(read_file),
    session_of: named_after_file,
    database: Some(Database {
        file: "opencode/opencode.db",
        mark: "part",
        table: "session",
        place: "directory",
        // Conversations of sub-agents are not the user's.
        list: "SELECT * FROM session WHERE parent_id IS NULL ORDER BY time_updated LIMIT ?1",
        is_users: |_| true,
        read: read_session,
    }),
    injects: Injected { tags: &["mcp_instructions"], openings: &[], wrappers: &[] },
};

fn is_line(line: &Value) -> Option<Claim> {
    let has = |key: &str| line.get(key).is_some();
    let is_row = text(line, "table").is_some() && (has("data") || has("project_id"));
    Claim::Sure.when(is_row).or_else(|| Claim::Perhaps.when(has("info") && has("messages")))
}

fn read_file(file: &File, since: Option<&str>, each: &mut OnMessage<'_>) -> io::Result<ConversationDetails> {
    if rows::is_rows(file)? {
        return rows::read(file, since, each);
    }
    document::read(file, DocumentLayout { array: "messages", element: messages }, since, each)
}

fn read_session(
    opened: &OpenedConversation<'_>,
    since: Option<&str>,
    each: &mut OnMessage<'_>,
) -> rusqlite::Result<ConversationDetails> {
    let connection = &opened.connection;
    let mut about = opened.about()?;
    // What the person took back begins with this message.
    let revert =
        opened.row(|row| string(row, "revert"))?.and_then(|revert| serde_json::from_str::<Value>(&revert).ok());
    let reverted = revert.as_ref().and_then(|revert| text(revert, "messageID"));
    let known = "SELECT 1 FROM message WHERE session_id = ?1 AND id = ?2";
    about.cursor_found = since.is_some_and(|id| connection.query_row(known, (opened.session, id), |_| Ok(())).is_ok());
    let mut skipping = about.cursor_found;
    let mut stored = connection.prepare(
        "SELECT id, data FROM message WHERE session_id = ?1 AND octet_length(data) <= ?2 ORDER BY time_created, id",
    )?;
    let mut parts =
        connection.prepare("SELECT data FROM part WHERE message_id = ?1 AND octet_length(data) <= ?2 ORDER BY id")?;
    let mut rows = stored.query((opened.session, VALUE_BYTES))?;
    while let Some(row) = rows.next()? {
        let Some(id) = string(row, "id") else { continue };
        if reverted == Some(id.as_str()) {
            break;
        }
        if skipping {
            skipping = since != Some(id.as_str());
            continue;
        }
        let Some(mut info) = parsed(row, "data", &mut about) else { continue };
        if let Some(info) = info.as_object_mut() {
            info.insert("id".to_owned(), json!(id));
        }
        let mut of = Vec::new();
        let mut rows = parts.query((&id, VALUE_BYTES))?;
        while let Some(row) = rows.next()? {
            of.extend(parsed(row, "data", &mut about));
        }
        if messages(&json!({ "info": info, "parts": of })).into_iter().try_for_each(&mut *each).is_break() {
            break;
        }
    }
    Ok(about)
}

/// One element of an export.
fn messages(element: &Value) -> Vec<Message> {
    let Some(info) = element.get("info") else { return Vec::new() };
    let parts: Vec<&Value> = element.get("parts").and_then(Value::as_array).into_iter().flatten().collect();
    let id = text(info, "id").unwrap_or_default();
    let time = info.get("time").and_then(|time| time.get("created")).and_then(json::time);
    text(info, "role").map(|role| made(id, role, time, &parts)).unwrap_or_default()
}

/// The messages of one entry, whatever kept it.
pub(super) fn made(id: &str, role: &str, time: Option<jiff::Timestamp>, parts: &[&Value]) -> Vec<Message> {
    let of = |kind: &'static str| parts.iter().filter(move |part| text(part, "type") == Some(kind));
    let texts = of("text").filter(|part| !is(part, "synthetic") && !is(part, "ignored"));
    let texts = texts.filter_map(|part| text(part, "text"));
    let stamp = Stamp { id, time };
    if role == "user" {
        return stamp.said(Origin::Own, unquoted(&own_of(texts))).into_iter().collect();
    }
    let tools = || of("tool").filter_map(|part| Some((text(part, "tool")?, part.get("state")?)));
    let tool_uses: Vec<ToolUse> = tools()
        .map(|(name, state)| ToolUse {
            name: name.to_owned(),
            input: state.get("input").map(input).unwrap_or_default(),
        })
        .collect();
    let results = tools().map(|(_, state)| stamp.result(&output(state)));
    stamp.answer(&texts.collect::<Vec<_>>().join("\n"), tool_uses).into_iter().chain(results).collect()
}

/// `opencode run` keeps the quotation marks around a prompt.
fn unquoted(words: &str) -> &str {
    words.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).filter(|rest| !rest.contains('"')).unwrap_or(words)
}
