//! Server-sent events out of a stream of bytes.
//!
//! Enters: bytes in pieces of any size. Leaves: events, the same ones however the bytes were cut.
//! Lines end with LF, CRLF or CR; data may span lines; comments and unknown fields are skipped;
//! bytes that are not UTF-8 become replacement characters. Never holds more than one event.

use memdir_core::limits::MODEL_EVENT_BYTES;

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SseEvent {
    /// Its name; empty when it has none.
    pub name: String,
    /// Its data, lines joined.
    pub data: String,
}

/// An event that is larger than anything a model sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// The parser.
#[derive(Debug, Default)]
pub struct SseParser {
    line: Vec<u8>,
    name: Option<String>,
    data: Option<String>,
    /// The last byte was a CR; an LF after it belongs to it.
    after_cr: bool,
    /// A byte order mark may still come.
    begun: bool,
}

impl SseParser {
    /// Takes more bytes and gives the events they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<SseEvent>, TooLarge> {
        let mut events = Vec::new();
        for &byte in bytes {
            match byte {
                b'\n' if self.after_cr => self.after_cr = false,
                b'\n' | b'\r' => {
                    self.after_cr = byte == b'\r';
                    events.extend(self.end_line());
                }
                _ => {
                    self.after_cr = false;
                    self.line.push(byte);
                    if self.line.len() + self.data.as_ref().map_or(0, String::len) > MODEL_EVENT_BYTES {
                        return Err(TooLarge);
                    }
                }
            }
        }
        Ok(events)
    }

    /// The bytes have ended. Some servers leave out the blank line after their last event.
    pub fn finish(&mut self) -> Option<SseEvent> {
        let event = if self.line.is_empty() { None } else { self.end_line() };
        event.or_else(|| self.take())
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let bytes = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&bytes);
        let line = if self.begun { &*line } else { line.strip_prefix('\u{feff}').unwrap_or(&line) };
        self.begun = true;
        if line.is_empty() {
            return self.take();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => self.name = Some(value.to_owned()),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            _ => {}
        }
        None
    }

    /// The event so far; one without data is none.
    fn take(&mut self) -> Option<SseEvent> {
        let name = self.name.take().unwrap_or_default();
        self.data.take().map(|data| SseEvent { name, data })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(pieces: &[&[u8]]) -> Vec<SseEvent> {
        let mut events = SseParser::default();
        let mut found: Vec<SseEvent> = pieces.iter().flat_map(|piece| events.push(piece).unwrap()).collect();
        found.extend(events.finish());
        found
    }

    fn event(name: &str, data: &str) -> SseEvent {
        SseEvent { name: name.into(), data: data.into() }
    }

    #[test]
    fn lines_comments_names_and_endings() {
        for (bytes, want) in [
            ("data: a\n\n", vec![event("", "a")]),
            ("data:a\r\n\r\ndata: b\r\r", vec![event("", "a"), event("", "b")]),
            (": hello\nevent: ping\ndata: {}\nid: 7\nretry: 1\n\n", vec![event("ping", "{}")]),
            ("data: a\ndata:  b\ndata\n\n", vec![event("", "a\n b\n")]),
            ("event: lost\n\ndata: a\n\n", vec![event("", "a")]),
            ("\u{feff}data: a\n\n\n\n", vec![event("", "a")]),
            ("data: no blank line", vec![event("", "no blank line")]),
            ("data: a\n", vec![event("", "a")]),
            ("database: a\n\n", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(all(&[bytes.as_bytes()]), want, "{bytes:?}");
        }
    }

    #[test]
    fn a_character_cut_in_two_is_whole_again() {
        let bytes = "data: é€🦀\n\n".as_bytes();
        for at in 0..bytes.len() {
            assert_eq!(all(&[&bytes[..at], &bytes[at..]]), [event("", "é€🦀")], "{at}");
        }
    }

    #[test]
    fn an_endless_event_is_refused() {
        let mut events = SseParser::default();
        let piece = vec![b'x'; 1024 * 1024];
        let refused = (0..=MODEL_EVENT_BYTES / piece.len()).any(|_| events.push(&piece).is_err());
        assert!(refused);
    }

    proptest! {
        #[test]
        fn any_chunking_gives_the_same_events(
            lines in prop::collection::vec("(data|event|id|:)?:? ?[a-zé🦀{}\"]{0,6}(\r\n|\n|\r)", 0..20),
            cuts in prop::collection::vec(0_usize..200, 0..12),
        ) {
            let bytes = lines.concat().into_bytes();
            let whole = all(&[&bytes]);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(all(&pieces), whole.clone());
            let bytewise: Vec<&[u8]> = bytes.chunks(1).collect();
            prop_assert_eq!(all(&bytewise), whole);
        }

        #[test]
        fn arbitrary_bytes_are_no_trouble(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = all(&[&bytes]);
        }
    }
}
