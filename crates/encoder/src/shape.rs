//! What the build script and the encoder must agree on: the shape of the model, the packing of its
//! matrices and the hash of a vocabulary entry. Plain constants and one function; compiled into both.

/// Width of a token's vector.
pub(crate) const HIDDEN: usize = 384;
/// Width between the two matrices of a feed-forward block.
pub(crate) const INNER: usize = 1536;
/// Attention heads per layer, each [`HEAD`] wide.
pub(crate) const HEADS: usize = 12;
/// Width of one attention head.
pub(crate) const HEAD: usize = HIDDEN / HEADS;
/// Transformer layers.
pub(crate) const LAYERS: usize = 6;
/// Entries of the vocabulary.
pub(crate) const VOCABULARY: usize = 30522;
/// Pieces of the languages that were learned after English and Chinese, numbered behind the vocabulary.
pub(crate) const LANGUAGE_PIECES: usize = 10_000;
/// Rows of the table of words.
pub(crate) const ROWS: usize = VOCABULARY + LANGUAGE_PIECES;
/// Positions kept from the trained 512: no input is longer.
pub(crate) const POSITIONS: usize = 128;
/// What a user message can be.
pub(crate) const CLASSES: usize = 14;

/// Positions that the reader of pairs keeps.
pub(crate) const READER_POSITIONS: usize = 192;
/// What a new statement can be to a known memory.
pub(crate) const RELATIONS: usize = 6;
/// What the relation head reads: the means of both texts, their difference and their product.
pub(crate) const RELATION_INPUT: usize = 4 * HIDDEN;
/// Width of the relation head's inner layer.
pub(crate) const RELATION_INNER: usize = 128;
/// What a sentence of a message can be.
pub(crate) const SENTENCES: usize = 18;
/// What the sentence head reads: the means of the sentence and of everything.
pub(crate) const SENTENCE_INPUT: usize = 2 * HIDDEN;

/// Output rows that lie together in a packed matrix.
pub(crate) const PANEL: usize = 64;
/// Neighbouring inputs of one output that lie together: what one dot-product lane takes.
pub(crate) const GROUP: usize = 4;
/// One row of the embedding table: its scale, then its integers.
pub(crate) const EMBEDDING_ROW: usize = 4 + HIDDEN;

/// Slots of the vocabulary's hash table, a power of two.
pub(crate) const SLOTS: usize = 1 << 16;
/// Slots of the hash table of the languages' pieces, a power of two.
pub(crate) const LANGUAGE_SLOTS: usize = 1 << 15;
/// Where the hash of a piece that starts a word begins.
pub(crate) const WORD_START: u32 = 0x811c_9dc5;
/// What marks a vocabulary entry that continues a word.
pub(crate) const CONTINUES: &[u8] = b"##";

/// Adds one byte to the hash of a vocabulary entry (FNV-1a).
pub(crate) const fn hash_byte(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

/// Finds where input `input` of output `output` lies in a packed matrix of `width` inputs.
pub(crate) const fn packed_index(width: usize, output: usize, input: usize) -> usize {
    let (panel, lane) = (output / PANEL, output % PANEL);
    ((panel * (width / GROUP) + input / GROUP) * PANEL + lane) * GROUP + input % GROUP
}
