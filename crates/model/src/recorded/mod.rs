//! Reads a recorded answer of an API without a network: for replays and fuzzing.
//!
//! Enters: the body of a provider's answer, in the pieces it came in. Leaves: the reply a driver would give, or what
//! is wrong with it. The same readers as the drivers', with nothing around them. Never panics, whatever it reads.

use serde_json::Value;

use super::sse::{SseEvent, SseParser};
use super::{Reply, anthropic, openai};

/// Whose answer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedApi {
    /// Anthropic's Messages API.
    Messages,
    /// `OpenAI`'s Chat Completions, and all who speak like it.
    Chat,
    /// `OpenAI`'s Responses.
    Responses,
}

impl RecordedApi {
    /// All of them.
    pub const ALL: [RecordedApi; 3] = [RecordedApi::Messages, RecordedApi::Chat, RecordedApi::Responses];
}

/// What is wrong with a recorded answer, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BrokenAnswer(String);

/// An answer while it is being told.
pub(super) trait AnswerStream {
    /// Takes an event; whether it was the last. An error is in words.
    fn event(&mut self, event: &SseEvent, on_text: &mut dyn FnMut(&str)) -> Result<bool, String>;
    /// Takes an answer that came in one piece.
    fn whole(&mut self, document: &Value, on_text: &mut dyn FnMut(&str)) -> Result<Reply, String>;
    /// The answer.
    fn finish(&mut self) -> Result<Reply, String>;
}

/// Reads an answer that came in pieces. One that begins like a JSON object came whole; all else is events.
pub fn read<'p>(
    spoken: RecordedApi,
    pieces: impl IntoIterator<Item = &'p [u8]>,
    on_text: &mut dyn FnMut(&str),
) -> Result<Reply, BrokenAnswer> {
    let pieces: Vec<&[u8]> = pieces.into_iter().collect();
    let mut telling: Box<dyn AnswerStream> = match spoken {
        RecordedApi::Messages => anthropic::telling(),
        RecordedApi::Chat => openai::telling(openai::Wire::Chat),
        RecordedApi::Responses => openai::telling(openai::Wire::Responses),
    };
    if pieces.iter().flat_map(|piece| piece.iter()).find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{') {
        let document = serde_json::from_slice(&pieces.concat()).map_err(|error| BrokenAnswer(error.to_string()))?;
        return telling.whole(&document, on_text).map_err(BrokenAnswer);
    }
    let mut events = SseParser::default();
    for piece in pieces {
        for event in events.push(piece).map_err(|_| BrokenAnswer("an event does not end".to_owned()))? {
            if telling.event(&event, on_text).map_err(BrokenAnswer)? {
                return telling.finish().map_err(BrokenAnswer);
            }
        }
    }
    if let Some(last) = events.finish() {
        telling.event(&last, on_text).map_err(BrokenAnswer)?;
    }
    telling.finish().map_err(BrokenAnswer)
}

#[cfg(test)]
mod tests;
