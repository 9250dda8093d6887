//! Conversations as the hosts keep them, read as one kind of [`Message`].
//!
//! Enters: a file of one of nine hosts, or one conversation of a host's database, and perhaps the id of the last message that is known
//! already. Leaves: the messages after it, in order, one at a time. A file is streamed: what is in
//! memory is one line, or one message of a JSON document, however long the conversation is. Unknown
//! lines, broken JSON, NUL bytes and a torn last line are stepped over and counted.
//!
//! Never takes for the person what a host, a hook, a sub-agent or memdir itself put in: such text is
//! cut out, or its message marked [`Origin::Injected`]. Where a host keeps branches, the one that
//! ends the file is followed by its parent links; what the person took back is not read.

mod aider;
mod chain;
mod claude_code;
mod cline;
mod codex;
mod copilot;
mod database;
mod detect;
mod document;
mod find;
mod gemini;
mod goose;
mod head;
mod json;
mod lines;
mod message;
mod opencode;
mod own;
mod plain;
mod qwen;
mod recent;
mod tail;

#[cfg(test)]
mod tests;

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub use database::{real, written};
pub use detect::detect;
pub use find::{Machine, Whereabouts, kept_at, transcripts};
pub use head::about;
pub use message::{Each, Message, Origin, Role, ToolUse};
pub(crate) use own::own;
pub use recent::recent;

use super::Host;
use lines::Region;
use message::Stamp;

/// Why a transcript could not be read.
#[derive(Debug, thiserror::Error)]
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
    #[error("{} is not a transcript of a known agent; name the agent with --host", .0.display())]
    Unknown(PathBuf),
}

/// What is known of a conversation besides its messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
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
pub fn read(path: &Path, host: Host, since: Option<&str>, each: &mut Each<'_>) -> Result<About, TranscriptError> {
    if let Some(kept) = database::Kept::of(path) {
        return kept.read(host, since, each);
    }
    if database::is_database(path) {
        return Err(TranscriptError::Unknown(path.to_path_buf()));
    }
    let failed = |source| TranscriptError::Io { path: path.to_path_buf(), source };
    let file = std::fs::File::open(path).map_err(failed)?;
    let mut about = match host {
        Host::Opencode | Host::Goose | Host::Cline => document::read(&file, host, since, each),
        Host::Aider => aider::read(&file, since, each),
        _ => {
            let region = tail::after(&file, since);
            region.and_then(|(region, found)| {
                let mut about = read_lines(&file, host, &region, each)?;
                about.cursor_found = found;
                Ok(about)
            })
        }
    }
    .map_err(failed)?;
    if about.session.is_none() {
        about.session = session_of(path, host);
    }
    Ok(about)
}

fn read_lines(file: &std::fs::File, host: Host, region: &Region, each: &mut Each<'_>) -> io::Result<About> {
    match host {
        Host::Codex => codex::read(file, region, each),
        Host::Gemini => gemini::read(file, region, each),
        Host::Copilot => copilot::read(file, region, each),
        Host::Qwen => qwen::read(file, region, each),
        _ => claude_code::read(file, region, each),
    }
}

/// Every message after `since` at once, for a conversation that is known to be short.
pub fn read_all(path: &Path, host: Host, since: Option<&str>) -> Result<(About, Vec<Message>), TranscriptError> {
    let mut messages = Vec::new();
    let about = read(path, host, since, &mut |message| {
        messages.push(message);
        ControlFlow::Continue(())
    })?;
    Ok((about, messages))
}

/// The session a file is named after.
fn session_of(path: &Path, host: Host) -> Option<String> {
    let stem = path.file_stem()?.to_str()?;
    match host {
        // One folder a session.
        Host::Cline if stem == "api_conversation_history" => path.parent()?.file_name()?.to_str().map(str::to_owned),
        Host::Copilot => path.parent()?.file_name()?.to_str().map(str::to_owned),
        Host::Cline => Some(stem.trim_end_matches(".messages").to_owned()),
        _ => Some(stem.to_owned()),
    }
}
