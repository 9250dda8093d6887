//! Transcripts: any bytes are read by every host's reader, and a cursor never brings more than all.
//!
//! Input: a file, and a cursor.

#![no_main]

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use memdir::hosts::Host;
use memdir::hosts::transcript::{ConversationDetails, Message, detect, read};
use memdir_fuzz::{parts, scratch};

static FILE: LazyLock<PathBuf> = LazyLock::new(|| scratch("transcript").join("session.jsonl"));

fuzz_target!(|data: &[u8]| {
    let [bytes, since]: [&[u8]; 2] = parts(data);
    std::fs::write(&*FILE, bytes).expect("a transcript");
    let since = String::from_utf8_lossy(since);
    let _ = detect(&FILE);
    for host in Host::ALL.into_iter().filter(|host| host.has_transcripts()) {
        let (_, all) = read_all(host, None);
        let (about, after) = read_all(host, Some(&since));
        if about.cursor_found {
            // A cut at the cursor may follow another branch, never a longer one.
            assert!(after.len() <= all.len() || bytes.len() > after.len(), "more after the cursor than in all");
        } else {
            assert_eq!(all, after, "a lost cursor reads everything");
        }
        assert!(all.iter().all(|message| message.text.len() <= memdir::limits::MESSAGE_BYTES));
    }
});

fn read_all(host: Host, since: Option<&str>) -> (ConversationDetails, Vec<Message>) {
    let mut messages = Vec::new();
    let about = read(&FILE, host, since, &mut |message| {
        messages.push(message);
        ControlFlow::Continue(())
    });
    (about.expect("reading"), messages)
}
