//! Conversations as the hosts keep them, read as one kind of [`Message`].
//!
//! Enters: a file of a host, or one conversation of a host's database, and perhaps the id of the last message
//! that is known already. Leaves: the messages after it, in order, one at a time. A file is streamed: what is in
//! memory is one line, or one message of a JSON document, however long the conversation is. Unknown
//! lines, broken JSON, NUL bytes and a torn last line are stepped over and counted.
//!
//! Never takes for the person what a host, a hook, a sub-agent or memdir itself put in: such text is
//! cut out, or its message marked [`Origin::Injected`]. Where a host keeps branches, the one that
//! ends the file is followed by its parent links; what the person took back is not read.

pub(crate) mod chain;
pub(crate) mod database;
mod detect;
pub(crate) mod document;
pub(crate) mod find;
mod head;
pub(crate) mod json;
pub(crate) mod lines;
mod message;
pub(crate) mod own_words;
pub(crate) mod parts;
mod plain;
mod recent;
pub(crate) mod tail;

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

pub use database::{real, written};
pub use detect::detect;
pub(crate) use detect::{Claim, Signs};
pub(crate) use find::Search;
pub use find::{TranscriptQuery, kept_at, transcripts};
pub use head::about;
pub(crate) use message::Stamp;
pub use message::{Message, OnMessage, Origin, Role, ToolUse};
pub(crate) use own_words::Injected;
pub use own_words::{own, typed};
pub(crate) use own_words::{own_beside_results, own_of};
pub use recent::recent;

use super::Host;
use database::Database;
use lines::Region;

/// A host's conversations: where they are, how they are recognised, how they are read.
pub(crate) struct Transcripts {
    /// Those that may belong to a project.
    pub(crate) find: fn(&Search<'_>) -> Vec<PathBuf>,
    /// What tells its files from those of others.
    pub(crate) signs: Signs,
    /// How a file is read.
    pub(crate) reader: TranscriptFormat,
    /// The session that a file is named after.
    pub(crate) session_of: fn(&Path) -> Option<String>,
    /// The database that keeps all of them, if one does.
    pub(crate) database: Option<Database>,
    /// What it puts under the person's name.
    pub(crate) injects: Injected,
}

impl Transcripts {
    /// Files of lines, each named after its session.
    pub(crate) const fn of_lines(
        find: fn(&Search<'_>) -> Vec<PathBuf>,
        line: fn(&Value) -> Option<Claim>,
        read: ReadRegion,
        notice: NoticeLine,
        injects: Injected,
    ) -> Transcripts {
        Transcripts {
            find,
            signs: Signs { openings: &[], line, document: &[] },
            reader: TranscriptFormat::Lines { read, notice },
            session_of: named_after_file,
            database: None,
            injects,
        }
    }
}

/// Reads the messages of a part of a file.
pub(crate) type ReadRegion = fn(&File, &Region, &mut OnMessage<'_>) -> io::Result<ConversationDetails>;

/// Takes from one of the first lines what it says of the conversation.
pub(crate) type NoticeLine = fn(&Value, &mut ConversationDetails);

/// How a host's file is read.
pub(crate) enum TranscriptFormat {
    /// One JSON object a line, so that reading can begin anywhere.
    Lines { read: ReadRegion, notice: NoticeLine },
    /// As a whole, each message after the given one.
    Whole(fn(&File, Option<&str>, &mut OnMessage<'_>) -> io::Result<ConversationDetails>),
}

/// A file that is named after its session.
pub(crate) fn named_after_file(path: &Path) -> Option<String> {
    path.file_stem()?.to_str().map(str::to_owned)
}

/// A file in a folder that is named after its session.
pub(crate) fn named_after_folder(path: &Path) -> Option<String> {
    path.parent()?.file_name()?.to_str().map(str::to_owned)
}

/// Why a transcript could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptError {
    /// The file is not there or not readable.
    #[error("could not read the transcript {}: {source}. Check the path and who may read it", .path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No known host writes such files.
    #[error("{} is not a transcript of a known agent", .0.display())]
    Unknown(PathBuf),
}

/// What is known of a conversation besides its messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConversationDetails {
    /// The session's id, as the host calls it.
    pub session: Option<String>,
    /// The directory it happened in.
    pub cwd: Option<PathBuf>,
    /// Whether it ran without a person at a terminal, where the host says so.
    pub unattended: bool,
    /// Lines that made no sense.
    pub odd_lines: usize,
    /// Whether the cursor was found; without it all messages were read (X3).
    pub cursor_found: bool,
}

/// Reads the messages after `since`, or all when it is not there any more (X3).
///
/// Each goes to `each` as it is met; reading stops when that says so.
pub fn read(
    path: &Path,
    host: Host,
    since: Option<&str>,
    each: &mut OnMessage<'_>,
) -> Result<ConversationDetails, TranscriptError> {
    let kept = host.definition().transcripts.as_ref().ok_or_else(|| TranscriptError::Unknown(path.to_path_buf()))?;
    if let Some(stored) = database::ConversationPath::of(path) {
        return stored.read(host, since, each);
    }
    if database::is_database(path) {
        return Err(TranscriptError::Unknown(path.to_path_buf()));
    }
    let failed = |source| TranscriptError::Io { path: path.to_path_buf(), source };
    let file = File::open(path).map_err(failed)?;
    let mut about = match &kept.reader {
        TranscriptFormat::Whole(read) => read(&file, since, each),
        TranscriptFormat::Lines { read, .. } => tail::after(&file, since).and_then(|(region, found)| {
            let mut about = read(&file, &region, each)?;
            about.cursor_found = found;
            Ok(about)
        }),
    }
    .map_err(failed)?;
    if about.session.is_none() {
        about.session = (kept.session_of)(path);
    }
    Ok(about)
}
