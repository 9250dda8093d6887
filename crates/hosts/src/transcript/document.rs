//! Conversations in one JSON document, read message by message.
//!
//! Enters: a file that holds an array of messages inside an object, or the array itself, and how a host writes one of
//! its elements. Leaves: the messages. The array is never in memory as a whole: each element becomes a message and
//! is dropped.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::ops::ControlFlow;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::{ConversationDetails, Message, OnMessage};

/// What a host's document looks like.
#[derive(Clone, Copy)]
pub(crate) struct DocumentLayout {
    /// The key of the array.
    pub(crate) array: &'static str,
    /// Makes messages of one element.
    pub(crate) element: fn(&Value) -> Vec<Message>,
}

pub(crate) fn read(
    file: &File,
    layout: DocumentLayout,
    since: Option<&str>,
    each: &mut OnMessage<'_>,
) -> io::Result<ConversationDetails> {
    let found = match since {
        None => false,
        Some(since) => {
            let mut found = false;
            walk(file, layout, &mut |message| {
                found |= message.id == since;
                if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            found
        }
    };
    let mut skipping = found;
    let mut about = walk(file, layout, &mut |message| {
        if skipping {
            skipping = Some(message.id.as_str()) != since;
            return ControlFlow::Continue(());
        }
        // One element may hold several messages under one id.
        if found && Some(message.id.as_str()) == since {
            return ControlFlow::Continue(());
        }
        each(message)
    })?;
    about.cursor_found = found;
    Ok(about)
}

fn walk(file: &File, layout: DocumentLayout, each: &mut OnMessage<'_>) -> io::Result<ConversationDetails> {
    let mut file = file;
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::with_capacity(64 * 1024, file);
    // A byte order mark is no JSON.
    if reader.fill_buf()?.starts_with("\u{feff}".as_bytes()) {
        reader.consume(3);
    }
    let state = RefCell::new(DocumentState { about: ConversationDetails::default(), each, stopped: false });
    let mut document = serde_json::Deserializer::from_reader(reader);
    let read = Document { layout, state: &state }.deserialize(&mut document);
    let state = state.into_inner();
    let mut about = state.about;
    match read {
        Err(error) if error.is_io() => return Err(error.into()),
        // What was read up to the damage counts.
        Err(_) if !state.stopped => about.odd_lines += 1,
        _ => {}
    }
    Ok(about)
}

struct DocumentState<'e> {
    about: ConversationDetails,
    each: &'e mut OnMessage<'e>,
    stopped: bool,
}

/// An object with the array of messages somewhere in it.
#[derive(Clone, Copy)]
struct Document<'s, 'e> {
    layout: DocumentLayout,
    state: &'s RefCell<DocumentState<'e>>,
}

impl<'de> DeserializeSeed<'de> for Document<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Document<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a conversation")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                key if key == self.layout.array => map.next_value_seed(Elements(self))?,
                "info" => {
                    let info: Value = map.next_value()?;
                    self.note("id", info.get("id"));
                    self.note("cwd", info.get("directory"));
                }
                "id" | "sessionId" => self.note("id", Some(&map.next_value()?)),
                "working_dir" => self.note("cwd", Some(&map.next_value()?)),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    /// Older exports are the array itself.
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        Elements(self).visit_seq(seq)
    }
}

impl Document<'_, '_> {
    fn note(&self, what: &str, value: Option<&Value>) {
        let Some(text) = value.and_then(Value::as_str) else { return };
        let about = &mut self.state.borrow_mut().about;
        match what {
            "id" => about.session = Some(text.to_owned()),
            _ => about.cwd = Some(text.into()),
        }
    }
}

struct Elements<'s, 'e>(Document<'s, 'e>);

impl<'de> DeserializeSeed<'de> for Elements<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Elements<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("messages")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(value) = seq.next_element::<Value>()? {
            for message in (self.0.layout.element)(&value) {
                let mut state = self.0.state.borrow_mut();
                if (state.each)(message).is_break() {
                    state.stopped = true;
                    return Err(serde::de::Error::custom("enough"));
                }
            }
        }
        Ok(())
    }
}
