//! What is shown: answers on stdout as they are said, everything else around them, quietly.
//!
//! With `--json` each thing that happens is one JSON line. Text from a model is shown, never obeyed:
//! control characters are made visible.

use std::io::{self, Write as _};

use memdir::engine::{Learned, Recalled};
use memdir::model::Usage;
use serde_json::{Value, json};

use super::session::ChatSession;
use super::tools::MEMORY_TOOL;
use crate::failure::Failure;
use crate::hint;
use crate::ui::{Style, Ui, clip, safe};

/// Columns of a tool call that are shown.
const CALL_COLUMNS: usize = 90;
/// Lines of a change that are shown before the person is asked.
const PREVIEW_LINES: usize = 8;

/// Where things are shown.
pub(super) struct ChatScreen<'u> {
    pub(super) ui: &'u mut Ui,
    /// Whether a person types here.
    terminal: bool,
    /// Whether the last thing shown did not end its line.
    open_line: bool,
}

impl<'u> ChatScreen<'u> {
    pub(super) fn new(ui: &'u mut Ui, terminal: bool) -> ChatScreen<'u> {
        ChatScreen { ui, terminal, open_line: false }
    }

    fn event(&mut self, event: &Value) {
        // Who does not read events misses them.
        let _ = self.ui.print_json(event);
    }

    /// A few words at the beginning.
    pub(super) fn welcome(&mut self, chat_session: &ChatSession, model: Option<&str>) {
        let session = chat_session.id();
        if self.ui.json {
            return self.event(&json!({ "event": "session", "session": session, "model": model }));
        }
        let model = model.unwrap_or("no model");
        let line = format!("{}  {}", self.ui.paint(Style::Bold, "memdir chat"), safe(model));
        self.ui.say(line);
        let hint = "/help lists the commands, Ctrl-C stops an answer, Ctrl-D leaves";
        let hint = self.ui.paint(Style::Dim, hint);
        self.ui.say(hint);
    }

    /// Shows that it is the person's turn.
    pub(super) fn prompt(&mut self, goes_on: bool) {
        if self.terminal && !self.ui.json {
            let mark = self.ui.paint(Style::Bold, if goes_on { "… " } else { "> " });
            let _ = io::stderr().lock().write_all(mark.as_bytes());
        }
    }

    /// Leaves the line that the person was typing.
    pub(super) fn leave_line(&mut self) {
        if self.terminal {
            let _ = io::stderr().lock().write_all(b"\n");
        }
    }

    /// A piece of an answer.
    pub(super) fn text(&mut self, piece: &str) {
        if self.ui.json {
            return self.event(&json!({ "event": "text", "text": piece }));
        }
        // A reader that is gone shows when the answer is complete.
        let _ = self.ui.raw(&safe(piece));
        self.open_line = !piece.ends_with('\n');
    }

    /// The end of a piece of the answer.
    pub(super) fn end_line(&mut self) -> Result<(), Failure> {
        if std::mem::take(&mut self.open_line) {
            self.ui.raw("\n")?;
        }
        Ok(())
    }

    /// A tool is called.
    pub(super) fn tool(&mut self, name: &str, input: &Value) {
        if self.ui.json {
            return self.event(&json!({ "event": "tool", "tool": name, "input": input }));
        }
        let what = |keys: &[&str]| keys.iter().find_map(|key| input[*key].as_str()).unwrap_or_default().to_owned();
        let what = match name {
            MEMORY_TOOL => format!("{} {}", what(&["command"]), what(&["path", "old_path"])),
            _ => what(&["file_path", "command", "pattern"]),
        };
        self.note(&clip(&format!("{name} {what}"), CALL_COLUMNS));
    }

    /// What came of it.
    pub(super) fn result(&mut self, name: &str, text: &str, is_error: bool) {
        if self.ui.json {
            return self.event(&json!({ "event": "tool_result", "tool": name, "is_error": is_error, "text": text }));
        }
        if is_error {
            let line = format!("  {}", clip(text.lines().next().unwrap_or_default(), CALL_COLUMNS));
            let line = self.ui.paint(Style::Warn, &line);
            self.ui.say(line);
        }
    }

    /// Memories were put beside the message.
    pub(super) fn recalled(&mut self, recalled: &Recalled) {
        let files: Vec<&str> = recalled.selected.iter().map(|one| one.file.as_str()).collect();
        if self.ui.json {
            return self.event(&json!({ "event": "recall", "files": files, "bytes": recalled.bytes }));
        }
        self.note(&format!("recalled {}", files.join(", ")));
    }

    /// What a turn cost.
    pub(super) fn usage(&mut self, usage: Usage) {
        let hit = usage.hit_percent();
        if self.ui.json {
            return self.event(&json!({ "event": "usage", "usage": usage, "hit_percent": hit }));
        }
        let cached = hit.map_or_else(String::new, |hit| format!(" ({hit:.0} % from cache)"));
        let read = usage.read();
        self.note(&format!("{read} tokens read{cached}, {} written", usage.output));
    }

    /// What was learned (X8). Says whether there was anything to show.
    pub(super) fn learned(&mut self, learned: &Learned, at_prompt: bool) -> bool {
        if self.ui.json {
            self.event(&json!({ "event": "learned", "learned": learned, "line": hint::learned_line(learned) }));
            return true;
        }
        let line = match (hint::learned_line(learned), &learned.error) {
            (Some(line), _) => format!("memory: {line}"),
            (None, Some(error)) => format!("memory: nothing was learned, {error}"),
            (None, None) => return false,
        };
        if at_prompt && self.terminal {
            // The prompt is there already.
            let _ = io::stderr().lock().write_all(b"\r");
        }
        let line = self.ui.paint(Style::Good, &safe(&line));
        self.ui.say(line);
        true
    }

    /// What a change takes away and brings, the first lines of each.
    pub(super) fn preview(&mut self, gone: &str, new: &str) {
        if self.ui.json {
            return;
        }
        for (sign, style, text) in [('-', Style::Bad, gone), ('+', Style::Good, new)] {
            for line in text.lines().take(PREVIEW_LINES) {
                let line = self.ui.paint(style, &format!("  {sign} {}", clip(line, CALL_COLUMNS)));
                self.ui.say(line);
            }
            let more = text.lines().count().saturating_sub(PREVIEW_LINES);
            if more > 0 {
                let line = self.ui.paint(Style::Dim, &format!("  {sign} … {more} more lines"));
                self.ui.say(line);
            }
        }
    }

    /// Something beside the answer.
    pub(super) fn note(&mut self, text: &str) {
        if self.ui.json {
            return self.event(&json!({ "event": "note", "text": text }));
        }
        let line = self.ui.paint(Style::Dim, &format!("· {}", safe(text)));
        self.ui.say(line);
    }

    /// An explanation.
    pub(super) fn say(&mut self, text: &str) {
        if self.ui.json {
            return self.event(&json!({ "event": "note", "text": text }));
        }
        self.ui.say(text);
    }

    /// Something went wrong, and the conversation goes on.
    pub(super) fn complain(&mut self, text: &str) {
        // What was said up to here stays on its own line.
        let _ = self.end_line();
        if self.ui.json {
            return self.event(&json!({ "event": "error", "error": text }));
        }
        self.ui.complain(&safe(text));
    }

    /// A yes or no; without a terminal a no.
    pub(super) fn confirm(&mut self, question: &str) -> bool {
        self.ui.confirm(&safe(question)).unwrap_or(false)
    }

    /// The same, and `--yes` is not an answer.
    pub(super) fn ask(&mut self, question: &str) -> bool {
        self.ui.ask(&safe(question)).unwrap_or(false)
    }

    /// The chat is over.
    pub(super) fn ended(&mut self, session: Option<&str>) {
        if self.ui.json {
            return self.event(&json!({ "event": "done", "session": session }));
        }
        let Some(session) = session else { return };
        let line = self.ui.paint(Style::Dim, &format!("· go on with: memdir chat --resume {session}"));
        self.ui.say(line);
    }
}
