//! The newest part of a conversation, whoever kept it.
//!
//! Enters: a path, and how many bytes of it may be looked at. Leaves: its last messages, oldest first.
//! A file of lines is read from there on; a document is streamed, and only its end is kept. Never
//! holds more than was asked for.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use super::lines::Region;
use super::{Host, Message, TranscriptError, TranscriptFormat, detect, plain, tail};

/// The messages in the last `bytes` of a transcript; of a host where one is known, else by what is in it.
pub fn recent(path: &Path, host: Option<Host>, bytes: u64) -> Result<Vec<Message>, TranscriptError> {
    let host = match host.map_or_else(|| detect(path), Ok) {
        Ok(host) => Some(host),
        Err(TranscriptError::Unknown(_)) => None,
        Err(error) => return Err(error),
    };
    let mut kept = Kept { bytes, held: 0, messages: VecDeque::new() };
    let failed = |source| TranscriptError::Io { path: path.to_path_buf(), source };
    let file = File::open(path).map_err(failed)?;
    let mut keep = |message: Message| {
        kept.push(message);
        ControlFlow::Continue(())
    };
    match host.and_then(|host| host.definition().transcripts.as_ref()).map(|kept| &kept.reader) {
        Some(TranscriptFormat::Whole(read)) => read(&file, None, &mut keep),
        Some(TranscriptFormat::Lines { read, .. }) => {
            last(&file, bytes).and_then(|region| read(&file, &region, &mut keep))
        }
        None => last(&file, bytes).and_then(|region| plain::read(&file, region, &mut keep)),
    }
    .map_err(failed)?;
    Ok(kept.messages.into())
}

/// The whole lines in the last bytes of a file.
fn last(file: &File, bytes: u64) -> io::Result<Region> {
    let end = file.metadata()?.len();
    match end.checked_sub(bytes) {
        None | Some(0) => Ok(Region { start: 0, end }),
        Some(from) => Ok(Region { start: tail::next_line(file, from - 1, end)?, end }),
    }
}

/// The last messages, within a number of bytes.
struct Kept {
    bytes: u64,
    held: u64,
    messages: VecDeque<Message>,
}

impl Kept {
    fn push(&mut self, message: Message) {
        self.held += message.text.len() as u64;
        self.messages.push_back(message);
        while self.held > self.bytes
            && let Some(oldest) = self.messages.pop_front()
        {
            self.held -= oldest.text.len() as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

    use super::*;
    use crate::transcript::Role;

    #[test]
    fn only_whole_lines_of_the_last_bytes_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("talk.jsonl");
        let line = |n: usize| format!("{{\"role\":\"user\",\"text\":\"message number {n:03}\"}}\n");
        std::fs::write(&path, (0..100).map(line).collect::<String>()).unwrap();
        let length = line(0).len() as u64;
        let all = recent(&path, None, u64::MAX).unwrap();
        assert_eq!((all.len(), all[0].role, all[0].is_own()), (100, Role::User, true));
        for (bytes, first) in [(length, "099"), (length * 3, "097"), (length * 3 + 5, "097"), (length * 100, "000")] {
            let got = recent(&path, None, bytes).unwrap();
            assert!(got[0].text.ends_with(first), "{bytes}: {}", got[0].text);
        }
    }

    #[test]
    fn every_host_is_read_alike() {
        for name in
            ["claude-code/transcript.jsonl", "codex/rollout.jsonl", "opencode/export.json", "goose/session-export.json"]
        {
            let path = crate::testing::fixture(name);
            let host = detect(&path).unwrap();
            let (_, whole) = crate::testing::read_all(&path, host, None).unwrap();
            assert_eq!(recent(&path, None, u64::MAX).unwrap(), whole, "{name}");
        }
    }
}
