//! Which scripts have no spaces between words, and what that means for counting them.
//!
//! Enters: a character or a text. Leaves: yes or no. Reads no further than it must.

/// Scripts written without spaces: Han, Kana, and Hangul, whose particles stick to the words.
pub(super) fn unspaced(c: char) -> bool {
    han_or_kana(c) || matches!(c, '\u{ac00}'..='\u{d7af}')
}

fn han_or_kana(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9d}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether a prompt says more than one word, the least that recall answers to (R6). Every Han or Kana
/// character counts as a word.
pub fn more_than_one_word(text: &str) -> bool {
    let mut words = 0;
    let mut inside = false;
    for c in text.chars() {
        if han_or_kana(c) {
            words += 1;
            inside = false;
        } else if c.is_whitespace() {
            inside = false;
        } else if c.is_alphanumeric() && !inside {
            words += 1;
            inside = true;
        }
        if words > 1 {
            return true;
        }
    }
    false
}
