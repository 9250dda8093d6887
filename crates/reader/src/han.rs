//! Which characters are written without spaces between words.
//!
//! Enters: one character. Leaves: yes or no. Never looks at more than that character.

/// Han characters, the ones Chinese words are made of; punctuation is not among them.
pub fn is_han(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{2fa1f}' | '\u{30000}'..='\u{3134f}')
}

/// Han and Kana: the scripts that are cut into pairs of characters for want of spaces.
pub fn is_unspaced(c: char) -> bool {
    is_han(c) || matches!(c, '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}')
}
