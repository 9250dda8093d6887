//! What was said, in the shape of requests, with the transcript's id of each message.
//!
//! Two messages of one speaker in a row are one: so the same lines give the same bytes, whether they
//! were just said or read back from a transcript.

use memdir::model::{ChatMessage, ChatRole, ContentBlock};

/// A conversation.
#[derive(Debug, Default)]
pub(super) struct ChatHistory {
    messages: Vec<ChatMessage>,
    /// The transcript's id of the last line of each message.
    ends: Vec<String>,
}

impl ChatHistory {
    /// One more piece.
    pub(super) fn push(&mut self, role: ChatRole, block: ContentBlock, id: &str) {
        match (self.messages.last_mut(), self.ends.last_mut()) {
            (Some(last), Some(end)) if last.role == role => {
                last.content.push(block);
                id.clone_into(end);
            }
            _ => {
                self.messages.push(ChatMessage { role, content: vec![block] });
                self.ends.push(id.to_owned());
            }
        }
    }

    pub(super) fn messages(&self) -> &[ChatMessage] {
        &self.messages
    }

    /// The ids of the messages, for a cursor (X3).
    pub(super) fn ends(&self) -> &[String] {
        &self.ends
    }

    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Tool calls that nobody answered: the process died, or somebody stopped it.
    pub(super) fn open_calls(&self) -> Vec<String> {
        let Some(last) = self.messages.last().filter(|last| last.role == ChatRole::Assistant) else {
            return Vec::new();
        };
        let calls = last.content.iter().filter_map(|block| match block {
            ContentBlock::ToolUse { id, .. } => Some(id.clone()),
            _ => None,
        });
        calls.collect()
    }

    /// The tools that were used lately, and the files that were read (R4, R5).
    pub(super) fn used(&self) -> (Vec<String>, Vec<String>) {
        let (mut tools, mut files) = (Vec::new(), Vec::new());
        for block in self.messages.iter().flat_map(|message| &message.content) {
            let ContentBlock::ToolUse { name, input, .. } = block else { continue };
            if !tools.contains(name) {
                tools.push(name.clone());
            }
            if let ("Read", Some(path)) = (name.as_str(), input["file_path"].as_str()) {
                files.push(path.to_owned());
            }
        }
        (tools, files)
    }
}

/// How many messages came after a cursor; all of them when it is not there any more (X3).
pub(super) fn since(ends: &[String], cursor: Option<&str>) -> usize {
    let found = cursor.and_then(|cursor| ends.iter().rposition(|end| end == cursor));
    found.map_or(ends.len(), |at| ends.len() - at - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x3_a_lost_cursor_means_all_messages() {
        let ends: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        for (cursor, new) in [(None, 3), (Some("a"), 2), (Some("c"), 0), (Some("gone"), 3)] {
            assert_eq!(since(&ends, cursor), new, "{cursor:?}");
        }
    }

    #[test]
    fn one_speaker_in_a_row_is_one_message() {
        let text = |text: &str| ContentBlock::Text { text: text.to_owned() };
        let mut talk = ChatHistory::default();
        talk.push(ChatRole::User, text("context"), "1");
        talk.push(ChatRole::User, text("hello"), "2");
        talk.push(
            ChatRole::Assistant,
            ContentBlock::ToolUse {
                id: "t".into(),
                name: "Read".into(),
                input: serde_json::json!({ "file_path": "/a" }),
            },
            "3",
        );
        assert_eq!((talk.messages().len(), talk.ends()), (2, &["2".to_owned(), "3".to_owned()][..]));
        assert_eq!(
            (talk.open_calls(), talk.used()),
            (vec!["t".to_owned()], (vec!["Read".to_owned()], vec!["/a".to_owned()]))
        );
        talk.push(ChatRole::User, text("next"), "4");
        assert!(talk.open_calls().is_empty());
    }
}
