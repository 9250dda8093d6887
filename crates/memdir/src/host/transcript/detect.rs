//! Which host wrote a file, by what is in it.
//!
//! Enters: a path. Leaves: the host, or nothing. The first lines decide; names of files can be
//! anything by the time somebody passes one.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::Value;

use super::TranscriptError;
use super::database::Kept;
use super::json::text;
use crate::host::Host;

/// Bytes of a file that are looked at; a first line can be long.
const HEAD: u64 = 256 * 1024;
/// Lines that are looked at.
const LINES: usize = 40;

/// The host whose transcript this is.
pub fn detect(path: &Path) -> Result<Host, TranscriptError> {
    if let Some(kept) = Kept::of(path) {
        return kept.host().ok_or_else(|| TranscriptError::Unknown(path.to_path_buf()));
    }
    let head = read_head(path).map_err(|source| TranscriptError::Io { path: path.to_path_buf(), source })?;
    of(&head).ok_or_else(|| TranscriptError::Unknown(path.to_path_buf()))
}

fn read_head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

fn of(head: &[u8]) -> Option<Host> {
    let trimmed = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head).trim_ascii_start();
    if trimmed.starts_with(b"# aider chat started") || trimmed.starts_with(b"####") {
        return Some(Host::Aider);
    }
    let lines = trimmed.split(|byte| *byte == b'\n').take(LINES);
    lines.filter_map(|line| serde_json::from_slice(line).ok()).find_map(|value| of_line(&value)).or_else(|| {
        // A document: its first keys are in sight even where its end is not.
        let has = |key: &str| memchr::memmem::find(trimmed, key.as_bytes()).is_some();
        if !trimmed.starts_with(b"{") {
            None
        } else if has("\"conversation\"") && has("\"working_dir\"") {
            Some(Host::Goose)
        } else if has("\"info\"") && (has("\"parts\"") || has("\"projectID\"")) {
            Some(Host::Opencode)
        } else if has("\"messages\"") && has("\"role\"") {
            Some(Host::Cline)
        } else {
            None
        }
    })
}

fn of_line(line: &Value) -> Option<Host> {
    let has = |key: &str| line.get(key).is_some();
    let kind = text(line, "type");
    if text(line, "table").is_some() && (has("data") || has("project_id")) {
        Some(Host::Opencode)
    } else if has("payload") && has("timestamp") {
        Some(Host::Codex)
    } else if has("data") && has("id") && has("parentId") {
        Some(Host::Copilot)
    } else if has("sessionId") && (has("projectHash") || has("startTime")) && !has("uuid") {
        Some(Host::Gemini)
    } else if has("provenance") || line.get("message").is_some_and(|message| message.get("parts").is_some()) {
        Some(Host::Qwen)
    } else if has("isSidechain") || (has("sessionId") && kind.is_some() && !has("messages")) {
        Some(Host::ClaudeCode)
    } else if has("conversation") && has("working_dir") {
        Some(Host::Goose)
    } else if has("info") && has("messages") {
        Some(Host::Opencode)
    } else if line.get("messages").and_then(|messages| messages.get(0)).is_some_and(|first| first.get("role").is_some())
    {
        Some(Host::Cline)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strange_bytes_have_no_host() {
        for bytes in ["", "\0\0", "hello", "{}", "[1]", "{\"a\":1}\n{\"b\":2}", "{\"messages\":"] {
            assert_eq!(of(bytes.as_bytes()), None, "{bytes:?}");
        }
    }
}
