//! Conversations in a database: opencode and goose keep all of theirs in one `SQLite` file.
//!
//! Enters: `<database>/<session>`, the path of a file that cannot exist, since its folder is a file. Leaves: the same messages
//! as the host's own export, row by row. The database is opened read-only and never waited for longer than a moment; columns
//! that are missing are done without. Where not even a reader's own files can be made beside it, what has not reached the
//! main file yet is not seen. Never writes, and trusts nothing that the schema defines.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, OpenFlags, Row};
use serde_json::{Value, json};

use super::json::text;
use super::{About, Each, TranscriptError, goose, opencode};
use crate::host::Host;

/// How every `SQLite` file begins.
const MAGIC: &[u8] = b"SQLite format 3\0";
/// How long another process may keep the database busy.
const PATIENCE: Duration = Duration::from_secs(2);
/// A longer value is a file somebody read, and no message.
const VALUE_BYTES: i64 = 4 * 1024 * 1024;
/// Sessions of one database that are looked at.
const SESSIONS: i64 = 20_000;

/// One conversation of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    file: PathBuf,
    session: String,
}

impl Kept {
    /// The conversation that a path names, if it names one in a database.
    pub(super) fn of(path: &Path) -> Option<Kept> {
        let file = path.parent()?;
        let session = path.file_name()?.to_str()?.to_owned();
        is_database(file).then(|| Kept { file: file.to_path_buf(), session })
    }

    /// The host whose tables these are.
    pub(super) fn host(&self) -> Option<Host> {
        let connection = open(&self.file).ok()?;
        let has = |table: &str| {
            let found = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1";
            connection.query_row(found, [table], |_| Ok(())).is_ok()
        };
        match (has("part"), has("messages")) {
            (true, _) => Some(Host::Opencode),
            (false, true) => Some(Host::Goose),
            (false, false) => None,
        }
    }

    /// What is known of it besides its messages.
    pub(super) fn about(&self, host: Host) -> Result<About, TranscriptError> {
        let connection = open(&self.file).map_err(|error| self.failed(error))?;
        Ok(self.session(&connection, host).map_err(|error| self.failed(error))?.0)
    }

    /// Reads the messages after `since`, or all when it is not there any more (X3).
    pub(super) fn read(&self, host: Host, since: Option<&str>, each: &mut Each<'_>) -> Result<About, TranscriptError> {
        let connection = open(&self.file).map_err(|error| self.failed(error))?;
        let read = match host {
            Host::Goose => self.read_goose(&connection, since, each),
            _ => self.read_opencode(&connection, since, each),
        };
        read.map_err(|error| self.failed(error))
    }

    fn session(&self, connection: &Connection, host: Host) -> rusqlite::Result<(About, Option<String>)> {
        let (table, place) = if host == Host::Goose { ("sessions", "working_dir") } else { ("session", "directory") };
        connection.query_row(&format!("SELECT * FROM {table} WHERE id = ?1"), [&self.session], |row| {
            let cwd = string(row, place).map(PathBuf::from);
            let about = About { session: Some(self.session.clone()), cwd, ..About::default() };
            // What the person took back begins with this message.
            let revert = string(row, "revert").and_then(|revert| serde_json::from_str::<Value>(&revert).ok());
            Ok((about, revert.and_then(|revert| text(&revert, "messageID").map(str::to_owned))))
        })
    }

    fn read_opencode(
        &self,
        connection: &Connection,
        since: Option<&str>,
        each: &mut Each<'_>,
    ) -> rusqlite::Result<About> {
        let (mut about, reverted) = self.session(connection, Host::Opencode)?;
        about.cursor_found = self.knows(connection, "SELECT 1 FROM message WHERE session_id = ?1 AND id = ?2", since);
        let mut skipping = about.cursor_found;
        let mut messages = connection.prepare(
            "SELECT id, data FROM message WHERE session_id = ?1 AND octet_length(data) <= ?2 ORDER BY time_created, id",
        )?;
        let mut parts = connection
            .prepare("SELECT data FROM part WHERE message_id = ?1 AND octet_length(data) <= ?2 ORDER BY id")?;
        let mut rows = messages.query((&self.session, VALUE_BYTES))?;
        while let Some(row) = rows.next()? {
            let Some(id) = string(row, "id") else { continue };
            if reverted.as_deref() == Some(&id) {
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
            if opencode::messages(&json!({ "info": info, "parts": of })).into_iter().try_for_each(&mut *each).is_break()
            {
                break;
            }
        }
        Ok(about)
    }

    fn read_goose(&self, connection: &Connection, since: Option<&str>, each: &mut Each<'_>) -> rusqlite::Result<About> {
        let (mut about, _) = self.session(connection, Host::Goose)?;
        let mut messages = connection
            .prepare("SELECT * FROM messages WHERE session_id = ?1 AND octet_length(content_json) <= ?2 ORDER BY id")?;
        // Older versions number their messages, newer ones name them too.
        let name =
            |row: &Row<'_>| string(row, "message_id").or_else(|| row.get::<_, i64>("id").ok().map(|id| id.to_string()));
        if let Some(since) = since {
            let mut rows = messages.query((&self.session, VALUE_BYTES))?;
            while let Some(row) = rows.next()? {
                about.cursor_found |= name(row).as_deref() == Some(since);
            }
        }
        let mut skipping = about.cursor_found;
        let mut rows = messages.query((&self.session, VALUE_BYTES))?;
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
            if goose::messages(&element).into_iter().try_for_each(&mut *each).is_break() {
                break;
            }
        }
        Ok(about)
    }

    fn knows(&self, connection: &Connection, query: &str, id: Option<&str>) -> bool {
        id.is_some_and(|id| connection.query_row(query, (&self.session, id), |_| Ok(())).is_ok())
    }

    fn failed(&self, error: rusqlite::Error) -> TranscriptError {
        let path = self.file.join(&self.session);
        match error {
            rusqlite::Error::QueryReturnedNoRows => TranscriptError::Unknown(path),
            error => TranscriptError::Io { path, source: io::Error::other(error) },
        }
    }
}

/// The conversations of a database that happened below one of the directories, the oldest first.
pub(super) fn sessions(file: &Path, host: Host, roots: &[PathBuf]) -> Vec<PathBuf> {
    if !is_database(file) {
        return Vec::new();
    }
    // Conversations of sub-agents are not the user's.
    let query = match host {
        Host::Goose => "SELECT *, working_dir AS place FROM sessions ORDER BY updated_at LIMIT ?1",
        _ => "SELECT *, directory AS place FROM session WHERE parent_id IS NULL ORDER BY time_updated LIMIT ?1",
    };
    let found = open(file).and_then(|connection| {
        let mut sessions = connection.prepare(query)?;
        let all = sessions.query_map([SESSIONS], |row| {
            let alone = string(row, "session_type").is_none_or(|kind| kind != "sub_agent");
            Ok((string(row, "id").filter(|_| alone), string(row, "place")))
        })?;
        Ok(all.flatten().collect::<Vec<_>>())
    });
    let here = |place: &String| roots.iter().any(|root| Path::new(place).starts_with(root));
    let ours = found.unwrap_or_default().into_iter().filter(|(_, place)| place.as_ref().is_some_and(here));
    ours.filter_map(|(id, _)| Some(file.join(id?))).collect()
}

/// The same path for the same transcript, however it was written.
pub fn real(path: &Path) -> Result<PathBuf, TranscriptError> {
    let failed = |source| TranscriptError::Io { path: path.to_path_buf(), source };
    match Kept::of(path) {
        Some(kept) => Ok(crate::store::fs::canonical(&kept.file).map_err(failed)?.join(kept.session)),
        None => crate::store::fs::canonical(path).map_err(failed),
    }
}

/// How much was written and when; another answer means that somebody writes.
pub fn written(path: &Path) -> Option<(u64, SystemTime)> {
    let facts = |path: &Path| {
        let facts = std::fs::metadata(path).ok()?;
        Some((facts.len(), facts.modified().ok()?))
    };
    let Some(kept) = Kept::of(path) else { return facts(path) };
    let mut log = OsString::from(&kept.file);
    log.push("-wal");
    let (main, log) = (facts(&kept.file)?, facts(Path::new(&log)));
    Some(log.map_or(main, |log| (main.0 + log.0, main.1.max(log.1))))
}

pub(super) fn is_database(file: &Path) -> bool {
    let mut head = [0; 16];
    file.is_file() && File::open(file).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == *MAGIC
}

fn open(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let ready = |connection: Connection| {
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))?;
        Ok(connection)
    };
    Connection::open_with_flags(file, flags).and_then(ready).or_else(|error| {
        // A log that nobody may open beside it: what is in the main file is better than nothing.
        let Some(path) = file.to_str() else { return Err(error) };
        let path = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let immutable = format!("file:{path}?immutable=1");
        Connection::open_with_flags(immutable, flags | OpenFlags::SQLITE_OPEN_URI).and_then(ready).map_err(|_| error)
    })
}

fn string(row: &Row<'_>, column: &str) -> Option<String> {
    row.get::<_, Option<String>>(column).ok().flatten()
}

fn parsed(row: &Row<'_>, column: &str, about: &mut About) -> Option<Value> {
    let value = string(row, column).and_then(|text| serde_json::from_str(&text).ok());
    about.odd_lines += usize::from(value.is_none());
    value
}

#[cfg(test)]
mod tests;
