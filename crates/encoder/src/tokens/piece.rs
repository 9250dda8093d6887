//! Splits one word into pieces of the vocabulary: always the longest piece that fits next.
//!
//! A word of one of the languages is split with their pieces, too; where both have one of the same letters, theirs comes first.

use crate::blob::{LANGUAGE_SLOTS_AT, LONGEST_PIECE, PIECE_BYTES, PIECE_OFFSETS, PIECE_SLOTS, Section, UNKNOWN};
use crate::shape::{CONTINUES, WORD_START, hash_byte};

/// The tables of pieces that a word is split with, the first one first.
pub(super) type PieceTables = &'static [Section];

/// What every text is read with.
pub(super) const VOCABULARY: PieceTables = &[PIECE_SLOTS];
/// What a text in one of the languages is read with.
pub(super) const LANGUAGES: PieceTables = &[LANGUAGE_SLOTS_AT, PIECE_SLOTS];

/// Appends the pieces of a word, or the one token for the unknown if any part of it has no piece.
pub(super) fn split(tables: PieceTables, word: &str, tokens: &mut Vec<u32>) {
    let before = tokens.len();
    let mut start = 0;
    while start < word.len() {
        let mark = if start == 0 { b"".as_slice() } else { CONTINUES };
        let Some((token, length)) = longest(tables, mark, &word.as_bytes()[start..]) else {
            tokens.truncate(before);
            tokens.push(UNKNOWN);
            return;
        };
        tokens.push(token);
        start += length;
    }
}

/// Finds the longest piece, after its mark, that `rest` starts with, and how many bytes of `rest` it covers.
///
/// Pieces are whole characters, so bytes can be compared.
fn longest(tables: PieceTables, mark: &[u8], rest: &[u8]) -> Option<(u32, usize)> {
    let mut hash = mark.iter().fold(WORD_START, |hash, &byte| hash_byte(hash, byte));
    let rest = &rest[..rest.len().min(LONGEST_PIECE)];
    let mut hashes = [0; LONGEST_PIECE];
    for (slot, &byte) in hashes.iter_mut().zip(rest) {
        hash = hash_byte(hash, byte);
        *slot = hash;
    }
    (1..=rest.len()).rev().find_map(|length| {
        let found = tables.iter().find_map(|table| find(*table, hashes[length - 1], mark, &rest[..length]));
        found.map(|token| (token, length))
    })
}

/// Looks up one piece, given as mark and text.
fn find(table: Section, hash: u32, mark: &[u8], text: &[u8]) -> Option<u32> {
    let (slots, offsets, bytes) = (table.words(), PIECE_OFFSETS.words(), PIECE_BYTES.bytes());
    let mut slot = hash as usize % slots.len();
    // The table is half empty, so the search ends.
    while slots[slot] != 0 {
        let token = slots[slot] - 1;
        let (from, to) = (offsets[token as usize], offsets[token as usize + 1]);
        let piece = &bytes[from as usize..to as usize];
        if piece.strip_prefix(mark) == Some(text) {
            return Some(token);
        }
        slot = (slot + 1) % slots.len();
    }
    None
}
