//! What the beginning of a transcript says of it: which session, and where it happened.
//!
//! Enters: a path and its host. Leaves: the same as a reading would, without the messages. Never reads more
//! than the first lines, however long the conversation is.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value;

use super::database::Kept;
use super::json::text;
use super::lines::{self, Region};
use super::{About, Host, TranscriptError, read, session_of};

/// Lines that are looked at.
const LINES: usize = 64;
/// And bytes.
const BYTES: u64 = 1024 * 1024;

/// What a transcript is about.
pub fn about(path: &Path, host: Host) -> Result<About, TranscriptError> {
    if let Some(kept) = Kept::of(path) {
        return kept.about(host);
    }
    let failed = |source| TranscriptError::Io { path: path.to_path_buf(), source };
    let mut about = match host {
        Host::Opencode | Host::Goose | Host::Cline | Host::Aider => {
            read(path, host, None, &mut |_| ControlFlow::Break(()))?
        }
        _ => File::open(path).and_then(|file| first_lines(&file)).map_err(failed)?,
    };
    about.session = about.session.or_else(|| session_of(path, host));
    Ok(about)
}

fn first_lines(file: &File) -> io::Result<About> {
    let mut about = About::default();
    let mut seen = 0;
    let end = file.metadata()?.len().min(BYTES);
    lines::for_each(file, Region { start: 0, end }, |line, _| {
        seen += 1;
        if let Ok(value) = serde_json::from_slice::<Value>(line) {
            // Codex and Copilot keep it one level down, Copilot the directory two.
            let inner = value.get("payload").or(value.get("data")).unwrap_or(&value);
            let place = inner.get("context").unwrap_or(inner);
            let session = text(inner, "sessionId").or(text(inner, "session_id")).or(text(&value, "sessionId"));
            about.session = about.session.take().or_else(|| session.map(str::to_owned));
            about.cwd = about.cwd.take().or_else(|| text(place, "cwd").map(Into::into));
            about.unattended |= text(inner, "source") == Some("exec")
                || text(&value, "entrypoint").is_some_and(|entry| entry.starts_with("sdk"));
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
            let path: std::path::PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests/fixtures/hosts", name].iter().collect();
            let host = super::super::detect(&path).unwrap();
            let (whole, _) = super::super::read_all(&path, host, None).unwrap();
            let head = about(&path, host).unwrap();
            assert_eq!(
                (head.session, head.cwd, head.unattended),
                (whole.session, whole.cwd, whole.unattended),
                "{name}"
            );
        }
    }
}
