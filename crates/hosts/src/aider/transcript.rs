//! aider: `.aider.chat.history.md` in the repository.
//!
//! Markdown: `# aider chat started at …`, what was typed after `####`, what the program says after
//! `>`, and the answers between them. There are no ids, so a message is named after where it begins
//! and what it says; the file only grows, so that stays true.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::transcript::json::kept;
use crate::transcript::lines::{self, Region};
use crate::transcript::{
    ConversationDetails, Injected, Message, OnMessage, Origin, Role, Search, Signs, TranscriptFormat, Transcripts,
    named_after_file,
};
use memdir_core::limits;

const STARTED: &str = "# aider chat started at ";

pub(super) const TRANSCRIPTS: Transcripts = Transcripts {
    find,
    signs: Signs { openings: &["# aider chat started", "####"], line: |_| None, document: &[] },
    reader: TranscriptFormat::Whole(read),
    session_of: named_after_file,
    database: None,
    injects: Injected::NOTHING,
};

fn find(search: &Search<'_>) -> Vec<PathBuf> {
    let files = search.project.roots.iter().map(|root| root.join(".aider.chat.history.md"));
    files.filter(|file| file.is_file() && search.wants(file)).collect()
}

/// What is being put together.
#[derive(Default)]
struct HistoryReader {
    began: u64,
    role: Option<Role>,
    text: String,
    time: Option<Timestamp>,
    done: Vec<Message>,
}

fn read(file: &File, since: Option<&str>, each: &mut OnMessage<'_>) -> io::Result<ConversationDetails> {
    let mut about = ConversationDetails::default();
    let found = match since {
        None => false,
        Some(since) => {
            let mut found = false;
            walk(file, &mut |message| {
                found |= message.id == since;
                if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            found
        }
    };
    let mut skipping = found;
    about.odd_lines = walk(file, &mut |message| {
        if skipping {
            skipping = Some(message.id.as_str()) != since;
            return ControlFlow::Continue(());
        }
        each(message)
    })?;
    about.cursor_found = found;
    Ok(about)
}

fn walk(file: &File, each: &mut OnMessage<'_>) -> io::Result<usize> {
    let all = Region { start: 0, end: file.metadata()?.len() };
    let mut history = HistoryReader::default();
    let mut stopped = false;
    let long = lines::for_each(file, all, |line, at| {
        history.line(&String::from_utf8_lossy(line), at);
        stopped = std::mem::take(&mut history.done).into_iter().try_for_each(&mut *each).is_break();
        Ok(!stopped)
    })?;
    if !stopped {
        history.end();
        let _ = history.done.into_iter().try_for_each(each);
    }
    Ok(long)
}

impl HistoryReader {
    fn line(&mut self, line: &str, at: u64) {
        let line = line.trim_end();
        if let Some(started) = line.strip_prefix(STARTED) {
            self.end();
            let civil: Option<DateTime> = started.trim().parse().ok();
            // aider writes the clock of its machine; UTC is never more than a day off.
            self.time = civil.and_then(|civil| civil.to_zoned(TimeZone::UTC).ok()).map(|zoned| zoned.timestamp());
            return;
        }
        let (role, words) = if let Some(typed) = line.strip_prefix("#### ").or(line.strip_prefix("####")) {
            (Role::User, typed.trim_end())
        } else if let Some(said) = line.strip_prefix('>') {
            (Role::Tool, said.trim())
        } else {
            (Role::Assistant, line)
        };
        if line.is_empty() && self.role != Some(Role::Assistant) {
            return;
        }
        if self.role != Some(role) {
            self.end();
            self.role = Some(role);
            self.began = at;
        }
        if self.text.len() < limits::MESSAGE_BYTES {
            if !self.text.is_empty() {
                self.text.push('\n');
            }
            self.text.push_str(words);
        }
    }

    fn end(&mut self) {
        let text = std::mem::take(&mut self.text);
        let Some(role) = self.role.take() else { return };
        let text = kept(text.trim());
        // A command to the program is not addressed to the model.
        if text.is_empty() || (role == Role::User && text.starts_with('/')) {
            return;
        }
        let hash = blake3::hash(text.as_bytes());
        let id = format!("{}-{}", self.began, &hash.to_hex().as_str()[..8]);
        self.done.push(Message { id, role, origin: Origin::Own, text, tool_uses: Vec::new(), time: self.time });
    }
}
