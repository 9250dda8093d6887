//! The rows of opencode's database as JSON lines (`{"table": "message" | "part", …}`, a message's parts after it).

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use serde_json::Value;

use super::transcript::made;
use crate::transcript::json::{self, text};
use crate::transcript::lines::{self, Region};
use crate::transcript::{ConversationDetails, OnMessage};

/// Whether a file holds rows: its first line is an object that names a table.
pub(super) fn is_rows(file: &File) -> io::Result<bool> {
    let mut head = Vec::new();
    let mut file = file;
    file.seek(SeekFrom::Start(0))?;
    file.take(4096).read_to_end(&mut head)?;
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    Ok(memchr::memmem::find(line, b"\"table\"").is_some())
}

/// A message whose parts are still coming.
struct Pending {
    id: String,
    parts: Vec<Value>,
}

pub(super) fn read(file: &File, since: Option<&str>, each: &mut OnMessage<'_>) -> io::Result<ConversationDetails> {
    let all = Region { start: 0, end: file.metadata()?.len() };
    let mut about = ConversationDetails::default();
    // Who says what stands in other rows than what is said.
    let mut speakers: HashMap<String, (String, Option<jiff::Timestamp>)> = HashMap::new();
    let mut odd = 0;
    let long = lines::for_each(file, all, |line, _| {
        let Ok(row) = serde_json::from_slice::<Value>(line) else {
            odd += usize::from(!line.trim_ascii().is_empty());
            return Ok(true);
        };
        match text(&row, "table") {
            Some("session") => {
                about.session = text(&row, "id").map(str::to_owned);
                about.cwd = text(&row, "directory").map(Into::into);
            }
            Some("message") => {
                let data = data(&row);
                let role = data.as_ref().and_then(|data| text(data, "role")).unwrap_or("assistant");
                let time = row.get("time_created").and_then(json::time);
                if let Some(id) = text(&row, "id") {
                    about.cursor_found |= since == Some(id);
                    speakers.insert(id.to_owned(), (role.to_owned(), time));
                }
            }
            _ => {}
        }
        Ok(true)
    })?;
    about.odd_lines = odd + long;
    let mut skipping = about.cursor_found;
    let mut pending: Option<Pending> = None;
    let mut finish = |pending: Option<Pending>| -> ControlFlow<()> {
        let Some(Pending { id, parts }) = pending else { return ControlFlow::Continue(()) };
        if skipping {
            skipping = since != Some(id.as_str());
            return ControlFlow::Continue(());
        }
        let Some((role, time)) = speakers.get(&id) else { return ControlFlow::Continue(()) };
        let parts: Vec<&Value> = parts.iter().collect();
        made(&id, role, *time, &parts).into_iter().try_for_each(&mut *each)
    };
    let mut stopped = false;
    lines::for_each(file, all, |line, _| {
        let Ok(row) = serde_json::from_slice::<Value>(line) else { return Ok(true) };
        let (Some("part"), Some(id)) = (text(&row, "table"), text(&row, "message_id")) else { return Ok(true) };
        if pending.as_ref().is_none_or(|pending| pending.id != id) {
            let done = pending.replace(Pending { id: id.to_owned(), parts: Vec::new() });
            if finish(done).is_break() {
                pending = None;
                stopped = true;
                return Ok(false);
            }
        }
        if let (Some(pending), Some(part)) = (&mut pending, data(&row)) {
            pending.parts.push(part);
        }
        Ok(true)
    })?;
    if !stopped {
        let _ = finish(pending);
    }
    Ok(about)
}

/// What a row holds: JSON inside a string.
fn data(row: &Value) -> Option<Value> {
    serde_json::from_str(text(row, "data")?).ok()
}
