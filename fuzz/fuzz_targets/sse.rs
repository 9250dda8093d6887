//! Server-sent events: however the bytes are cut, the events are the same, and none is larger than it may be.
//!
//! Input: a stream; its first byte says where it is cut.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir::limits::MODEL_EVENT_BYTES;
use memdir::model::sse::{Event, SseParser};
use memdir_fuzz::cut;

fuzz_target!(|data: &[u8]| {
    let (first, rest) = cut(data);
    let whole = heard(&[data]);
    assert_eq!(heard(&[first, rest]), whole, "cut in two");
    assert_eq!(heard(&data.chunks(1).collect::<Vec<_>>()), whole, "byte by byte");
    for event in whole.iter().flatten() {
        assert!(event.data.len() <= MODEL_EVENT_BYTES * 3 && !event.name.contains('\n'));
    }
});

/// The events, or nothing when one of them does not end.
fn heard(pieces: &[&[u8]]) -> Option<Vec<Event>> {
    let mut events = SseParser::default();
    let mut found = Vec::new();
    for piece in pieces {
        found.extend(events.push(piece).ok()?);
    }
    found.extend(events.finish());
    Some(found)
}
