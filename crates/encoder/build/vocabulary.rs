//! Turns the vocabulary and the character table into arrays that need no parsing at run time.

use crate::blob::Blob;
use crate::shape::{LANGUAGE_PIECES, LANGUAGE_SLOTS, SLOTS, VOCABULARY, WORD_START, hash_byte};

/// Appends the pieces of the vocabulary and, numbered behind them, those of the languages; their offsets; and for each of the two an
/// open-addressing table from a piece's hash to its number.
pub(crate) fn pieces(blob: &mut Blob, text: &str, languages: &str) -> Result<(), String> {
    let mut pieces: Vec<&str> = text.lines().collect();
    if pieces.len() != VOCABULARY {
        return Err(format!("the vocabulary has {} lines, not {VOCABULARY}", pieces.len()));
    }
    pieces.extend(languages.lines());
    if pieces.len() != VOCABULARY + LANGUAGE_PIECES {
        return Err(format!("the languages have {} lines, not {LANGUAGE_PIECES}", pieces.len() - VOCABULARY));
    }
    let mut offsets = vec![0u32];
    for piece in &pieces {
        offsets.push(offsets[offsets.len() - 1] + piece.len() as u32);
    }
    let longest = pieces.iter().map(|piece| piece.len()).max().unwrap_or(0);
    let slots = slots(&pieces[..VOCABULARY], 1, SLOTS);
    let language_slots = self::slots(&pieces[VOCABULARY..], 1 + VOCABULARY as u32, LANGUAGE_SLOTS);
    for (name, data) in [("PIECE_SLOTS", slots), ("LANGUAGE_SLOTS_AT", language_slots), ("PIECE_OFFSETS", offsets)] {
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

/// A table from hashes to numbers, which count from `first`; zero is an empty slot.
fn slots(pieces: &[&str], first: u32, count: usize) -> Vec<u32> {
    let mut slots = vec![0u32; count];
    for (number, piece) in (first..).zip(pieces) {
        let mut slot = piece.bytes().fold(WORD_START, hash_byte) as usize % count;
        while slots[slot] != 0 {
            slot = (slot + 1) % count;
        }
        slots[slot] = number;
    }
    slots
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
