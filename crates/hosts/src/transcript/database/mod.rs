//! Conversations in a database: some hosts keep all of theirs in one `SQLite` file.
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
use serde_json::Value;

use super::{ConversationDetails, OnMessage, TranscriptError};
use crate::Host;

/// How every `SQLite` file begins.
const MAGIC: &[u8] = b"SQLite format 3\0";
/// How long another process may keep the database busy.
const PATIENCE: Duration = Duration::from_secs(2);
/// A longer value is a file somebody read, and no message.
pub(crate) const VALUE_BYTES: i64 = 4 * 1024 * 1024;
/// Sessions of one database that are looked at.
const SESSIONS: i64 = 20_000;

/// A host's database.
pub(crate) struct Database {
    /// Where it is, below the directory for data.
    pub(crate) file: &'static str,
    /// A table by which it is told from those of other hosts.
    pub(crate) mark: &'static str,
    /// The table of conversations, which have an `id`.
    pub(crate) table: &'static str,
    /// The column of that table which says where one happened.
    pub(crate) place: &'static str,
    /// All conversations, the one that was used last at the end, at most `?1` of them.
    pub(crate) list: &'static str,
    /// Whether a row of the list is a conversation of the user's.
    pub(crate) is_users: fn(&Row<'_>) -> bool,
    /// Reads the messages of a conversation after the given one, or all when it is not there any more (X3).
    pub(crate) read:
        fn(&OpenedConversation<'_>, Option<&str>, &mut OnMessage<'_>) -> rusqlite::Result<ConversationDetails>,
}

impl Database {
    /// The conversations that happened below one of the directories, the oldest first.
    pub(crate) fn sessions(&self, file: &Path, roots: &[PathBuf]) -> Vec<PathBuf> {
        if !is_database(file) {
            return Vec::new();
        }
        let found = open(file).and_then(|connection| {
            let mut sessions = connection.prepare(self.list)?;
            let all = sessions.query_map([SESSIONS], |row| {
                Ok((string(row, "id").filter(|_| (self.is_users)(row)), string(row, self.place)))
            })?;
            Ok(all.flatten().collect::<Vec<_>>())
        });
        let here = |place: &String| roots.iter().any(|root| Path::new(place).starts_with(root));
        let ours = found.unwrap_or_default().into_iter().filter(|(_, place)| place.as_ref().is_some_and(here));
        ours.filter_map(|(id, _)| Some(file.join(id?))).collect()
    }
}

/// One conversation of an open database.
pub(crate) struct OpenedConversation<'o> {
    /// The database.
    pub(crate) connection: Connection,
    /// The conversation.
    pub(crate) session: &'o str,
    database: &'o Database,
}

impl OpenedConversation<'_> {
    /// What is known of it besides its messages.
    pub(crate) fn about(&self) -> rusqlite::Result<ConversationDetails> {
        self.row(|row| ConversationDetails {
            session: Some(self.session.to_owned()),
            cwd: string(row, self.database.place).map(PathBuf::from),
            ..ConversationDetails::default()
        })
    }

    /// What its row says.
    pub(crate) fn row<T>(&self, read: impl FnOnce(&Row<'_>) -> T) -> rusqlite::Result<T> {
        let query = format!("SELECT * FROM {} WHERE id = ?1", self.database.table);
        self.connection.query_row(&query, [self.session], |row| Ok(read(row)))
    }
}

/// The path of a conversation in a database, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConversationPath {
    file: PathBuf,
    session: String,
}

impl ConversationPath {
    /// The conversation that a path names, if it names one in a database.
    pub(crate) fn of(path: &Path) -> Option<ConversationPath> {
        let file = path.parent()?;
        let session = path.file_name()?.to_str()?.to_owned();
        is_database(file).then(|| ConversationPath { file: file.to_path_buf(), session })
    }

    /// The host whose tables these are.
    pub(crate) fn host(&self) -> Option<Host> {
        let connection = open(&self.file).ok()?;
        let has = |table: &str| {
            let found = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1";
            connection.query_row(found, [table], |_| Ok(())).is_ok()
        };
        Host::ALL.into_iter().find(|host| database_of(*host).is_some_and(|database| has(database.mark)))
    }

    /// What is known of it besides its messages.
    pub(crate) fn about(&self, host: Host) -> Result<ConversationDetails, TranscriptError> {
        self.open(host)?.about().map_err(|error| self.failed(error))
    }

    /// Reads the messages after `since`, or all when it is not there any more (X3).
    pub(crate) fn read(
        &self,
        host: Host,
        since: Option<&str>,
        each: &mut OnMessage<'_>,
    ) -> Result<ConversationDetails, TranscriptError> {
        let opened = self.open(host)?;
        (opened.database.read)(&opened, since, each).map_err(|error| self.failed(error))
    }

    /// Opens it as a host's; where that host keeps no database, its tables say whose it is.
    fn open(&self, host: Host) -> Result<OpenedConversation<'_>, TranscriptError> {
        let database = database_of(host).or_else(|| self.host().and_then(database_of));
        let database = database.ok_or_else(|| TranscriptError::Unknown(self.path()))?;
        let connection = open(&self.file).map_err(|error| self.failed(error))?;
        Ok(OpenedConversation { connection, session: &self.session, database })
    }

    fn path(&self) -> PathBuf {
        self.file.join(&self.session)
    }

    fn failed(&self, error: rusqlite::Error) -> TranscriptError {
        match error {
            rusqlite::Error::QueryReturnedNoRows => TranscriptError::Unknown(self.path()),
            error => TranscriptError::Io { path: self.path(), source: io::Error::other(error) },
        }
    }
}

/// Where a host keeps all conversations, if it does.
fn database_of(host: Host) -> Option<&'static Database> {
    host.definition().transcripts.as_ref()?.database.as_ref()
}

/// The same path for the same transcript, however it was written.
pub fn real(path: &Path) -> Result<PathBuf, TranscriptError> {
    let failed = |source| TranscriptError::Io { path: path.to_path_buf(), source };
    match ConversationPath::of(path) {
        Some(kept) => Ok(memdir_store::fs::canonical(&kept.file).map_err(failed)?.join(kept.session)),
        None => memdir_store::fs::canonical(path).map_err(failed),
    }
}

/// How much was written and when; another answer means that somebody writes.
pub fn written(path: &Path) -> Option<(u64, SystemTime)> {
    let facts = |path: &Path| {
        let facts = std::fs::metadata(path).ok()?;
        Some((facts.len(), facts.modified().ok()?))
    };
    let Some(kept) = ConversationPath::of(path) else { return facts(path) };
    let mut log = OsString::from(&kept.file);
    log.push("-wal");
    let (main, log) = (facts(&kept.file)?, facts(Path::new(&log)));
    Some(log.map_or(main, |log| (main.0 + log.0, main.1.max(log.1))))
}

pub(crate) fn is_database(file: &Path) -> bool {
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

/// A text of a row; a column that is not there has none.
pub(crate) fn string(row: &Row<'_>, column: &str) -> Option<String> {
    row.get::<_, Option<String>>(column).ok().flatten()
}

/// The JSON in a text of a row; what is none is counted.
pub(crate) fn parsed(row: &Row<'_>, column: &str, about: &mut ConversationDetails) -> Option<Value> {
    let value = string(row, column).and_then(|text| serde_json::from_str(&text).ok());
    about.odd_lines += usize::from(value.is_none());
    value
}

#[cfg(test)]
mod tests;
