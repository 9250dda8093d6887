//! What a text means, as far as somebody asks.
//!
//! Enters: a text. Leaves: its vector, made once however many memories it is compared with, and how near a memory without a stored
//! vector is to it. Reads no file.

use std::cell::OnceCell;

use memdir_encoder::{Embedding, Encoder};
use memdir_store::topic::Topic;

/// A text that is compared with memories.
pub(in crate::engine) struct TextMeaning<'t> {
    pub(in crate::engine) text: &'t str,
    encoder: Encoder,
    vector: OnceCell<Embedding>,
}

impl<'t> TextMeaning<'t> {
    pub(in crate::engine) fn of(encoder: Encoder, text: &'t str) -> TextMeaning<'t> {
        TextMeaning { text, encoder, vector: OnceCell::new() }
    }

    pub(super) fn encoder(&self) -> Encoder {
        self.encoder
    }

    pub(super) fn vector(&self) -> &Embedding {
        self.vector.get_or_init(|| self.encoder.encode_query(self.text))
    }

    /// The cosine with a memory that has no stored vector.
    pub(in crate::engine) fn nearness(&self, topic: &Topic) -> f32 {
        let (name, description) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
        let vectors = self.encoder.encode_memory(&name, &description, &topic.body());
        vectors.iter().map(|vector| vector.cosine(self.vector())).fold(0.0, f32::max)
    }
}
