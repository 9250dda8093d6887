//! The sentence encoder behind recall, weights included: a text in, a vector out.
//!
//! Two texts that mean similar things get vectors with a large cosine; [`relevance`] says how likely it is that a memory matters to a prompt.
//! English, Chinese and thirteen more languages. The same text gives the same bits on every processor.
//!
//! ```
//! use memdir_encoder::{Encoder, relevance};
//!
//! let encoder = Encoder::new();
//! let prompt = encoder.encode_query("can we fake the db in these tests?");
//! let [whole, heading] = encoder.encode_memory("No database mocks", "Tests hit a real Postgres", "");
//! let cosine = prompt.cosine(&whole).max(prompt.cosine(&heading));
//! assert!(relevance(cosine) > 0.5);
//! ```
//!
//! # Layout
//! - `tokens`: text to token numbers
//! - `forward`, `attention`, `math`: token numbers to a vector
//! - `kernel`: the integer products, one file per processor family
//! - `blob`, `shape`: the weights, as the build script laid them out
//! - `vector`, `utterance`: what callers hold
//!
//! It reads no file, starts no thread and keeps nothing but the buffers of its passes: the weights are part of the binary and are
//! paged in as they are used.

mod attention;
mod blob;
mod forward;
mod kernel;
mod math;
mod reader;
#[allow(dead_code, reason = "the build script uses the rest")]
mod shape;
mod tokens;
mod utterance;
mod vector;

pub use kernel::Kernel;
pub use reader::{Reader, Relation, RelationScores, SentenceKind, SentenceScores};
pub use utterance::{LABELS, SAVE_LABELS};
pub use vector::{DIMENSIONS, Embedding, QuantVector, dot_scan};

use forward::Trunk;
use kernel::Proof;

/// Names the model and its arithmetic: vectors made under another name cannot be compared with ours.
pub const MODEL_ID: [u8; 16] = blob::IDENTITY;

/// What stored readings of pairs depend on: other weights read anew.
pub const RELATION_ID: [u8; 16] = blob::RELATION_IDENTITY;

/// Tokens of a prompt that are read.
const QUERY_TOKENS: usize = 64;
/// Tokens of a memory that are read.
const MEMORY_TOKENS: usize = shape::POSITIONS;
/// Tokens of a user message, and of what it answers, that are read: as in training.
const UTTERANCE_TOKENS: usize = 112;

/// The trunk behind recall.
const ENCODER: Trunk = Trunk { layers: &blob::LAYERS_AT, places: blob::PLACES, second: None };

/// The encoder. Cheap to make: it only finds out what the processor can do.
#[derive(Clone, Copy, Debug)]
pub struct Encoder {
    kernel: Proof,
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// Takes the fastest kernel this processor can run.
    pub fn new() -> Self {
        Self { kernel: Proof::best() }
    }

    /// Takes the given kernel, if this processor can run it.
    pub fn with_kernel(kernel: Kernel) -> Option<Self> {
        kernel.proof().map(|kernel| Self { kernel })
    }

    /// Encodes what a person typed.
    pub fn encode_query(&self, text: &str) -> Embedding {
        self.embed(text.chars(), QUERY_TOKENS)
    }

    /// Encodes a memory twice: the whole of it, and its name and description alone. The larger cosine counts.
    pub fn encode_memory(&self, name: &str, description: &str, body: &str) -> [Embedding; 2] {
        let head = || name.chars().chain(". ".chars()).chain(description.chars());
        let whole = head().chain(" ".chars()).chain(body.chars());
        [self.embed(whole, MEMORY_TOKENS), self.embed(head(), MEMORY_TOKENS)]
    }

    /// Returns the probability of each of the [`LABELS`] for a user's message.
    ///
    /// `before` is the assistant's message that it answers, or empty.
    pub fn utterance(&self, text: &str, before: &str) -> [f32; LABELS.len()] {
        let tokens = utterance::tokens(text, before, UTTERANCE_TOKENS);
        utterance::classify(&self.mean(&tokens))
    }

    fn embed(self, text: impl Iterator<Item = char>, limit: usize) -> Embedding {
        Embedding::from_direction(self.mean(&tokens::tokens(text, limit)))
    }

    fn mean(self, tokens: &[u32]) -> [f32; DIMENSIONS] {
        forward::mean(&self.kernel.hidden(&ENCODER, tokens, usize::MAX))
    }
}

/// Splits a text into the model's token numbers, with the markers for start and end.
pub fn tokens(text: &str) -> Vec<u32> {
    tokens::tokens(text.chars(), usize::MAX)
}

/// Returns the probability that a memory with this cosine is relevant to a prompt.
pub fn relevance(cosine: f32) -> f32 {
    1.0 / (1.0 + (-(blob::RELEVANCE_SCALE * cosine + blob::RELEVANCE_BIAS)).exp())
}
