//! What becomes of one character: its kind and its plain form, looked up in the embedded table.

use crate::blob::{CHARACTER_KEYS, CHARACTER_RANGES, CHARACTER_VALUES};

/// How a character takes part in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharacterKind {
    /// Belongs to the word around it.
    Part,
    /// Leaves no trace: control characters, combining marks.
    Dropped,
    /// Separates words.
    Space,
    /// Is a word of its own: punctuation, Chinese characters.
    Alone,
}

pub(super) fn kind(char: char) -> CharacterKind {
    match char {
        'a'..='z' | 'A'..='Z' | '0'..='9' => return CharacterKind::Part,
        ' ' => return CharacterKind::Space,
        _ => {}
    }
    let code = u32::from(char);
    let ranges = CHARACTER_RANGES.words().as_chunks::<3>().0;
    let after = ranges.partition_point(|&[first, ..]| first <= code);
    match after.checked_sub(1).map(|at| ranges[at]) {
        Some([_, last, kind]) if code <= last => match kind {
            0 => CharacterKind::Dropped,
            1 => CharacterKind::Space,
            _ => CharacterKind::Alone,
        },
        _ => CharacterKind::Part,
    }
}

/// Returns a character in lower case and without accents, which can be up to three characters.
pub(super) fn plain(char: char) -> impl Iterator<Item = char> {
    let code = u32::from(char);
    let codes = match char {
        '\0'..='\x7f' => [u32::from(char.to_ascii_lowercase()), 0, 0],
        '가'..='힣' => hangul(code),
        _ => match CHARACTER_KEYS.words().binary_search(&code) {
            Ok(at) => CHARACTER_VALUES.words().as_chunks::<3>().0[at],
            Err(_) => [code, 0, 0],
        },
    };
    codes.into_iter().filter(|&code| code != 0).filter_map(char::from_u32)
}

/// Takes a Hangul syllable apart, as Unicode defines it (section 3.12).
fn hangul(code: u32) -> [u32; 3] {
    let index = code - 0xac00;
    let last = match index % 28 {
        0 => 0,
        last => 0x11a7 + last,
    };
    [0x1100 + index / 588, 0x1161 + index % 588 / 28, last]
}
