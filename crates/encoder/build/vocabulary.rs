//! Turns the vocabulary and the character table into arrays that need no parsing at run time.

use crate::blob::Blob;
use crate::shape::{SLOTS, VOCABULARY, WORD_START, hash_byte};

/// Appends the pieces, their offsets and an open-addressing table from a piece's hash to its number.
pub(crate) fn pieces(blob: &mut Blob, text: &str) -> Result<(), String> {
    let pieces: Vec<&str> = text.lines().collect();
    if pieces.len() != VOCABULARY {
        return Err(format!("the vocabulary has {} lines, not {VOCABULARY}", pieces.len()));
    }
    let mut slots = vec![0u32; SLOTS];
    let mut offsets = vec![0u32];
    for (number, piece) in (1u32..).zip(&pieces) {
        let mut slot = piece.bytes().fold(WORD_START, hash_byte) as usize % SLOTS;
        while slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        slots[slot] = number;
        offsets.push(offsets[offsets.len() - 1] + piece.len() as u32);
    }
    let longest = pieces.iter().map(|piece| piece.len()).max().unwrap_or(0);
    for (name, data) in [("PIECE_SLOTS", slots), ("PIECE_OFFSETS", offsets)] {
        let section = blob.words(data);
        blob.section(name, &section);
    }
    let section = blob.bytes(pieces.concat().as_bytes());
    blob.section("PIECE_BYTES", &section);
    blob.constant("LONGEST_PIECE", "usize", &longest.to_string());
    for (name, piece) in [("UNKNOWN", "[UNK]"), ("START", "[CLS]"), ("END", "[SEP]")] {
        let id = pieces.iter().position(|found| *found == piece).ok_or_else(|| format!("no {piece}"))?;
        blob.constant(name, "u32", &id.to_string());
    }
    Ok(())
}

/// Appends the classes of characters as ranges and the characters that change.
pub(crate) fn characters(blob: &mut Blob, text: &str) -> Result<(), String> {
    let (mut ranges, mut keys, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let kind = words.next().unwrap_or_default();
        let codes: Vec<u32> = words
            .map(|word| u32::from_str_radix(word, 16).map_err(|_| format!("`{line}` is no line of the table")))
            .collect::<Result<_, _>>()?;
        match (kind, codes.as_slice()) {
            ("drop", &[first, last]) => ranges.push([first, last, 0]),
            ("space", &[first, last]) => ranges.push([first, last, 1]),
            ("alone", &[first, last]) => ranges.push([first, last, 2]),
            ("map", &[key, ref becomes @ ..]) if becomes.len() <= 3 => {
                keys.push(key);
                values.extend((0..3).map(|at| becomes.get(at).copied().unwrap_or(0)));
            }
            _ => return Err(format!("`{line}` is no line of the table")),
        }
    }
    if !ranges.is_sorted() || !keys.is_sorted() {
        return Err("the character table is not sorted".into());
    }
    for (name, data) in [("CHARACTER_RANGES", ranges.concat()), ("CHARACTER_KEYS", keys), ("CHARACTER_VALUES", values)]
    {
        let section = blob.words(data);
        blob.section(name, &section);
    }
    Ok(())
}
