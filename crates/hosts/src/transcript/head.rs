//! What the beginning of a transcript says of it: which session, and where it happened.
//!
//! Enters: a path and its host. Leaves: the same as a reading would, without the messages. Never reads more
//! than the first lines, however long the conversation is.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value;

use super::database::ConversationPath;
use super::lines::{self, Region};
use super::{ConversationDetails, Host, TranscriptError, TranscriptFormat, read};

/// Lines that are looked at.
const LINES: usize = 64;
/// And bytes.
const BYTES: u64 = 1024 * 1024;

/// What a transcript is about.
pub fn about(path: &Path, host: Host) -> Result<ConversationDetails, TranscriptError> {
    let kept = host.definition().transcripts.as_ref().ok_or_else(|| TranscriptError::Unknown(path.to_path_buf()))?;
    if let Some(stored) = ConversationPath::of(path) {
        return stored.about(host);
    }
    let failed = |source| TranscriptError::Io { path: path.to_path_buf(), source };
    let mut about = match kept.reader {
        TranscriptFormat::Whole(_) => read(path, host, None, &mut |_| ControlFlow::Break(()))?,
        TranscriptFormat::Lines { notice, .. } => {
            File::open(path).and_then(|file| first_lines(&file, notice)).map_err(failed)?
        }
    };
    about.session = about.session.or_else(|| (kept.session_of)(path));
    Ok(about)
}

fn first_lines(file: &File, notice: fn(&Value, &mut ConversationDetails)) -> io::Result<ConversationDetails> {
    let mut about = ConversationDetails::default();
    let mut seen = 0;
    let end = file.metadata()?.len().min(BYTES);
    lines::for_each(file, Region { start: 0, end }, |line, _| {
        seen += 1;
        if let Ok(value) = serde_json::from_slice::<Value>(line) {
            notice(&value, &mut about);
        }
        Ok(seen < LINES && (about.session.is_none() || about.cwd.is_none()))
    })?;
    Ok(about)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_tells_what_the_whole_tells() {
        for name in [
            "claude-code/transcript.jsonl",
            "codex/rollout.jsonl",
            "gemini/session-2026-11-15T06-25-2e65a108.jsonl",
            "copilot/events.jsonl",
            "opencode/export.json",
            "qwen/chat.jsonl",
            "goose/session-export.json",
            "cline/messages.json",
        ] {
            let path = crate::testing::fixture(name);
            let host = super::super::detect(&path).unwrap();
            let (whole, _) = crate::testing::read_all(&path, host, None).unwrap();
            let head = about(&path, host).unwrap();
            assert_eq!(
                (head.session, head.cwd, head.unattended),
                (whole.session, whole.cwd, whole.unattended),
                "{name}"
            );
        }
    }
}
