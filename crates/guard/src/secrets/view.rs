//! A text as a reader sees it: what only a machine can tell apart is made equal.
//!
//! Enters: any text. Leaves: the text with invisible characters dropped, blanks and full-width forms made plain, and letters of
//! other alphabets that stand among Latin ones replaced by those they look like, and for each byte the place it came from.
//! Nothing leaves where nothing was changed: nearly every text is what it looks like.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// A changed text and where its bytes were.
#[derive(Debug, Default)]
pub(super) struct RewrittenText {
    pub(super) text: String,
    /// For each byte of the text, and for its end, a place in the original.
    places: Vec<usize>,
}

impl RewrittenText {
    /// The part of the original that a part of the view was made from.
    pub(super) fn original(&self, part: Range<usize>) -> Range<usize> {
        self.places[part.start]..self.places[part.end]
    }

    pub(super) fn push(&mut self, letter: char, from: usize) {
        self.text.push(letter);
        self.places.resize(self.text.len(), from);
    }

    pub(super) fn end(mut self, original: &str) -> RewrittenText {
        self.places.push(original.len());
        self
    }
}

/// The text made plain, or nothing if it is plain.
pub(super) fn plain(text: &str) -> Option<RewrittenText> {
    // Nearly every text is what it looks like: that is found out before anything is copied.
    if text.is_ascii() || letters(text).all(|(_, letter, shown)| shown == Some(letter)) {
        return None;
    }
    let mut view = RewrittenText::default();
    for (at, _, shown) in letters(text) {
        if let Some(shown) = shown {
            view.push(shown, at);
        }
    }
    Some(view.end(text))
}

/// The text with the letters that only a machine reads made plain: tags spell any text without being seen.
pub(super) fn hidden(text: &str) -> Option<RewrittenText> {
    let spoken = |letter: char| {
        let code = u32::from(letter).checked_sub(TAGS).filter(|code| (0x20..0x7f).contains(code));
        code.and_then(char::from_u32)
    };
    text.chars().any(|letter| spoken(letter).is_some()).then(|| {
        let mut view = RewrittenText::default();
        for (at, letter) in text.char_indices() {
            view.push(spoken(letter).unwrap_or(letter), at);
        }
        view.end(text)
    })
}

/// Where the tags begin, in the order of ASCII.
const TAGS: u32 = 0xE0000;

/// Each letter with its place, and what it looks like.
fn letters(text: &str) -> impl Iterator<Item = (usize, char, Option<char>)> {
    runs(text).flat_map(|(at, run)| {
        let plain = run.is_ascii();
        let mixed = !plain && run.bytes().any(|byte| byte.is_ascii_alphanumeric());
        run.char_indices()
            .map(move |(offset, letter)| (at + offset, letter, if plain { Some(letter) } else { shown(letter, mixed) }))
    })
}

/// The text cut into runs without a blank, each blank a run of its own.
fn runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive(|letter: char| letter.is_whitespace()).map(move |run| {
        let start = at;
        at += run.len();
        (start, run)
    })
}

/// What a letter looks like; nothing if it cannot be seen.
fn shown(letter: char, among_latin: bool) -> Option<char> {
    if letter.is_ascii() {
        return Some(letter);
    }
    if is_invisible(letter) {
        return None;
    }
    if letter.is_whitespace() {
        return Some(' ');
    }
    if let Some(latin) = drawn(letter) {
        return Some(latin);
    }
    if among_latin {
        if is_combining_mark(letter) || matches!(letter, '\u{1f300}'..='\u{1faff}') {
            return None;
        }
        if let Some(latin) = looks_like(letter) {
            return Some(latin);
        }
    }
    // Full-width, mathematical and circled letters; one that becomes several (`…`, `㎏`) stays.
    let mut plain = std::iter::once(letter).nfkc();
    match (plain.next(), plain.next()) {
        (Some(one), None) if one.is_ascii() => Some(one),
        _ => Some(letter),
    }
}

/// Zero-width characters, joiners, marks of direction, soft hyphens, tags and selectors.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2800}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

/// Latin letters drawn as something else, whatever stands beside them: small capitals, in parentheses, and those that flags are
/// made of.
fn drawn(letter: char) -> Option<char> {
    const SMALL_CAPITALS: &str = "ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpꞯqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz";
    let of_row = |first: u32, latin: u8| {
        let place = u32::from(letter).checked_sub(first).filter(|place| *place < 26)?;
        Some(char::from(latin + u8::try_from(place).ok()?))
    };
    of_row(0x249C, b'a').or_else(|| of_row(0x1F1E6, b'A')).or_else(|| pair(SMALL_CAPITALS, letter))
}

/// Cyrillic, Greek, Armenian and Cherokee letters that are drawn like a Latin one.
fn looks_like(letter: char) -> Option<char> {
    const PAIRS: &str = "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwӏlүvгrпnтtмmкkвbАAВBЕEКKМMНHОOРPСCТTХXУYІIЈJЅSԌGԚQԜWΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXαaοoνvρpιiκkυuγyϲcϳjօoսuհhքpոnցgԱUᎪAᏴBᏟCᎠDᎬEᏀGᎻHᏆIᎫJᏦKᏞLᎷMᏢPᏒRᏚSᎢTᏙVᎳWᏃZ";
    pair(PAIRS, letter)
}

/// What stands behind a letter in a row of pairs.
fn pair(pairs: &str, letter: char) -> Option<char> {
    let mut pairs = pairs.chars();
    while let (Some(other), Some(latin)) = (pairs.next(), pairs.next()) {
        if other == letter {
            return Some(latin);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::plain;

    fn seen(text: &str) -> String {
        plain(text).map_or_else(|| text.to_owned(), |view| view.text)
    }

    #[test]
    fn disguises_are_taken_off() {
        assert_eq!(seen("p\u{200b}a\u{ad}s\u{34f}s"), "pass");
        assert_eq!(seen("ｐａｓｓ：１２"), "pass:12");
        assert_eq!(seen("раsswоrd is"), "password is");
        assert_eq!(seen("𝐠𝐡𝐩"), "ghp");
        assert_eq!(seen("ᴘᴀss ⒫⒲ 🇰🇪🇾 p\u{2800}w"), "pass pw KEY pw");
        assert_eq!(seen("pօtհ ᎪᏦ7"), "poth AK7");
        assert_eq!(seen("a\u{a0}b\u{2009}c"), "a b c");
    }

    #[test]
    fn what_is_written_in_its_own_alphabet_stays() {
        for text in ["пароль лежит в сейфе", "密码在这里", "contraseña", "mot de passe à changer", "plain"]
        {
            assert!(plain(text).is_none(), "{text}: {:?}", plain(text));
        }
    }

    #[test]
    fn what_only_a_machine_reads_is_read() {
        let secret: String = "k7!".chars().map(|letter| char::from_u32(0xE0000 + u32::from(letter)).unwrap()).collect();
        let text = format!("é {secret} end");
        let view = super::hidden(&text).unwrap();
        assert_eq!(view.text, "é k7! end");
        assert_eq!(&text[view.original(3..6)], secret);
        assert!(super::hidden("é end").is_none());
    }

    #[test]
    fn a_part_is_found_again_in_the_original() {
        let text = "é ｋ\u{200b}ey end";
        let view = plain(text).unwrap_or_default();
        let at = view.text.find("key").unwrap_or_default();
        assert_eq!(&text[view.original(at..at + 3)], "ｋ\u{200b}ey");
    }
}
