//! The file a conversation is kept in: JSON lines in the shape of Claude Code's transcripts.
//!
//! `<config home>/projects/<slug of the working directory>/<session>.jsonl`. One line a content
//! block, each with `uuid` and `parentUuid`; what memdir put in is marked `isMeta`; after a
//! compaction a boundary begins again. What is read back gives the same messages. Lines that make no
//! sense, and those of other kinds, are stepped over.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use memdir::model::{ChatRole, ContentBlock, Usage};
use memdir::store::fs;
use serde_json::{Value, json};

use super::conversation::ChatHistory;
use crate::failure::Failure;

/// What a line of the user holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UserLine {
    /// What the person typed.
    Typed,
    /// What memdir added: context, reminders (R10).
    Meta,
    /// What is in place of an older part of the conversation.
    Summary,
}

/// A transcript being written.
pub(super) struct Transcript {
    file: PathBuf,
    session: String,
    cwd: String,
    entrypoint: &'static str,
    parent: Option<String>,
}

/// What the model said, besides the words.
pub(super) struct ReplyExtras<'s> {
    pub(super) model: &'s str,
    pub(super) stop: &'static str,
    pub(super) usage: Usage,
}

impl Transcript {
    /// The transcript of a session in a directory; it is made with its first line.
    pub(super) fn new(dir: &Path, session: &str, cwd: &Path, interactive: bool) -> Transcript {
        Transcript {
            file: dir.join(format!("{session}.jsonl")),
            session: session.to_owned(),
            cwd: cwd.display().to_string(),
            // Readers take what begins with `sdk` for a run without a person.
            entrypoint: if interactive { "memdir" } else { "sdk-memdir" },
            parent: None,
        }
    }

    /// Words on the user's side.
    pub(super) fn user(&mut self, text: &str, kind: UserLine, now: Timestamp) -> Result<String, Failure> {
        let mut line = json!({ "type": "user", "message": { "role": "user", "content": text } });
        match kind {
            UserLine::Typed => {}
            UserLine::Meta => line["isMeta"] = json!(true),
            UserLine::Summary => line["isCompactSummary"] = json!(true),
        }
        self.write(line, now)
    }

    /// What a tool gave back.
    pub(super) fn result(&mut self, block: &ContentBlock, now: Timestamp) -> Result<String, Failure> {
        self.write(json!({ "type": "user", "message": { "role": "user", "content": [block] } }), now)
    }

    /// An answer, a line for each of its blocks; gives the id of each line.
    pub(super) fn answer(
        &mut self,
        blocks: &[ContentBlock],
        said: &ReplyExtras<'_>,
        now: Timestamp,
    ) -> Result<Vec<String>, Failure> {
        let id = format!("msg_{}", fresh_id()?.replace('-', ""));
        let usage = json!({
            "input_tokens": said.usage.input, "output_tokens": said.usage.output,
            "cache_read_input_tokens": said.usage.cache_read, "cache_creation_input_tokens": said.usage.cache_write,
        });
        let mut ids = Vec::new();
        for (at, block) in blocks.iter().enumerate() {
            let message = json!({
                "id": id, "type": "message", "role": "assistant", "model": said.model,
                "content": [block], "stop_reason": said.stop, "usage": usage,
            });
            ids.push(self.write(json!({ "type": "assistant", "message": message, "apiBlockIndex": at }), now)?);
        }
        Ok(ids)
    }

    /// From here on the conversation begins with a summary.
    pub(super) fn boundary(&mut self, now: Timestamp) -> Result<(), Failure> {
        let before = self.parent.take();
        let line = json!({
            "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted",
            "logicalParentUuid": before, "compactMetadata": { "trigger": "manual" },
        });
        self.write(line, now).map(|_| ())
    }

    fn write(&mut self, mut line: Value, now: Timestamp) -> Result<String, Failure> {
        let id = fresh_id()?;
        let common = json!({
            "parentUuid": self.parent, "isSidechain": false, "uuid": id, "timestamp": now.to_string(),
            "userType": "external", "entrypoint": self.entrypoint, "cwd": self.cwd, "sessionId": self.session,
            "version": env!("CARGO_PKG_VERSION"),
        });
        if let (Value::Object(line), Value::Object(common)) = (&mut line, common) {
            line.extend(common);
        }
        if let Some(dir) = self.file.parent() {
            fs::create_private_dir(dir)?;
        }
        fs::append_synced(&self.file, format!("{line}\n").as_bytes())?;
        self.parent = Some(id.clone());
        Ok(id)
    }

    /// Reads a conversation back and goes on from its end.
    pub(super) fn resume(&mut self) -> Result<ChatHistory, Failure> {
        let bytes = fs::read_beside(&self.file)?;
        if bytes.is_empty() {
            return Err(Failure::refused(format!(
                "there is no conversation {} in this directory; its file would be {}",
                self.session,
                self.file.display()
            )));
        }
        // A line that a crash tore must not swallow the next one.
        if !bytes.ends_with(b"\n") {
            fs::append_synced(&self.file, b"\n")?;
        }
        let mut talk = ChatHistory::default();
        for line in String::from_utf8_lossy(&bytes).lines() {
            let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
            let Some(id) = line["uuid"].as_str().filter(|_| line["isSidechain"] != true) else { continue };
            self.parent = Some(id.to_owned());
            if line["subtype"] == "compact_boundary" {
                talk = ChatHistory::default();
            }
            let role = match line["type"].as_str() {
                Some("user") => ChatRole::User,
                Some("assistant") => ChatRole::Assistant,
                _ => continue,
            };
            match &line["message"]["content"] {
                Value::String(text) => talk.push(role, ContentBlock::Text { text: text.clone() }, id),
                Value::Array(blocks) => {
                    for block in blocks.iter().filter_map(|block| serde_json::from_value(block.clone()).ok()) {
                        talk.push(role, block, id);
                    }
                }
                _ => {}
            }
        }
        Ok(talk)
    }
}

/// An id that can be a file name and nothing else.
pub(super) fn checked(id: &str) -> Result<&str, Failure> {
    let fine =
        (1..=100).contains(&id.len()) && id.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    if fine { Ok(id) } else { Err(Failure::refused(format!("{} is not a session id", crate::ui::safe(id)))) }
}

/// A new random id.
pub(super) fn fresh_id() -> Result<String, Failure> {
    let mut bytes = memdir::random::bytes::<16>()?;
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok([&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_back_is_what_was_said() {
        let dir = tempfile::tempdir().unwrap();
        let now = Timestamp::UNIX_EPOCH;
        let mut written = Transcript::new(dir.path(), "s", Path::new("/w"), true);
        let mut talk = ChatHistory::default();
        let text = |text: &str| ContentBlock::Text { text: text.to_owned() };
        for (said, whose) in [("context", UserLine::Meta), ("hello\n", UserLine::Typed)] {
            let id = written.user(said, whose, now).unwrap();
            talk.push(ChatRole::User, text(said), &id);
        }
        let call = ContentBlock::ToolUse { id: "t".into(), name: "Read".into(), input: json!({ "file_path": "/w/a" }) };
        let thought = ContentBlock::Opaque(json!({ "type": "thinking", "thinking": "hm", "signature": "x" }));
        let blocks = [thought, text("I look."), call];
        let said = ReplyExtras { model: "m", stop: "tool_use", usage: Usage::default() };
        for (block, id) in blocks.iter().zip(written.answer(&blocks, &said, now).unwrap()) {
            talk.push(ChatRole::Assistant, block.clone(), &id);
        }
        let result = ContentBlock::ToolResult { tool_use_id: "t".into(), content: "1\tx".into(), is_error: true };
        let id = written.result(&result, now).unwrap();
        talk.push(ChatRole::User, result, &id);
        let mut again = Transcript::new(dir.path(), "s", Path::new("/w"), true);
        let read = again.resume().unwrap();
        assert_eq!((read.messages(), read.ends()), (talk.messages(), talk.ends()));
        assert_eq!(again.parent, written.parent);
        again.boundary(now).unwrap();
        again.user("in short", UserLine::Summary, now).unwrap();
        let read = Transcript::new(dir.path(), "s", Path::new("/w"), true).resume().unwrap();
        assert_eq!((read.messages().len(), read.messages()[0].text().as_str()), (1, "in short"));
    }

    proptest::proptest! {
        #[test]
        fn any_file_is_read_without_failure(lines in proptest::collection::vec(".{0,80}|\\{\"type\":\"(user|assistant)\",\"uuid\":\"[a-c]\",\"message\":\\{\"content\":(\"x\"|\\[\\{\"type\":\"text\"\\}\\]|7)\\}\\}", 1..8)) {
            let dir = tempfile::tempdir().unwrap();
            let mut transcript = Transcript::new(dir.path(), "s", Path::new("/w"), true);
            fs::append_synced(&dir.path().join("s.jsonl"), format!("{}\n{{torn", lines.join("\n")).as_bytes()).unwrap();
            let talk = transcript.resume().unwrap();
            assert_eq!(talk.messages().len(), talk.ends().len());
            assert!(talk.messages().windows(2).all(|pair| pair[0].role != pair[1].role));
        }
    }

    #[test]
    fn an_id_is_a_plain_name() {
        for id in ["", "../x", "a/b", "a.b", "ä"] {
            assert!(checked(id).is_err(), "{id:?}");
        }
        let (one, other) = (fresh_id().unwrap(), fresh_id().unwrap());
        assert!(checked(&one).is_ok() && one != other && one.len() == 36);
    }
}
