use super::*;
use memdir_hosts::transcript::{Origin, Role};

fn said(text: &str) -> Message {
    Message {
        id: String::new(),
        role: Role::User,
        origin: Origin::Own,
        text: text.to_owned(),
        tool_uses: Vec::new(),
        time: None,
    }
}

#[test]
fn a_long_conversation_is_told_from_its_end() {
    let long = "x".repeat(limits::EXTRACT_ANSWER_BYTES);
    let fits = limits::NOTES_TOLD_BYTES / limits::EXTRACT_ANSWER_BYTES;
    let all: Vec<Message> = (0..fits + 5).map(|_| said(&long)).collect();
    assert_eq!(latest(&all).len(), fits);
    assert_eq!(latest(&all[..3]).len(), 3);
    assert!(latest(&[]).is_empty());
}
