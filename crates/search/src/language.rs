//! What language a short text is in, so that words in common are expected only where there can be some.
//!
//! Enters: a text. Leaves: its language as far as it shows: by script, and among those of Latin letters by their function words.
//! An identifier or a name shows none. Never more than a hint.

use memdir_lexicon::{FUNCTION_WORD, Lang};

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextLanguage {
    /// Nothing tells.
    Unknown,
    Known(Lang),
    /// Another script, by the 256 characters that its letters are among.
    Script(u32),
}

/// One letter in so many is enough to tell a script: names and identifiers are Latin in every language.
const ONE_OF: usize = 6;

/// A language shows in so many bytes; of a prompt with a whole file in it more would cost every hook.
const LOOKED_AT_BYTES: usize = 4_096;

impl TextLanguage {
    pub(super) fn of(text: &str) -> TextLanguage {
        let text = &text[..text.floor_char_boundary(LOOKED_AT_BYTES)];
        let (mut letters, mut han, mut kana, mut hangul, mut other) = (0usize, 0usize, 0usize, 0usize, None);
        let mut others = 0usize;
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            letters += 1;
            match c {
                '\u{3040}'..='\u{30ff}' => kana += 1,
                '\u{3400}'..='\u{9fff}' => han += 1,
                '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7af}' => hangul += 1,
                '\u{0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => {}
                c => {
                    others += 1;
                    other = Some(u32::from(c) / 256);
                }
            }
        }
        let enough = |count: usize| count > 0 && count * ONE_OF >= letters;
        if enough(hangul) {
            TextLanguage::Known(Lang::Ko)
        } else if enough(kana + han) {
            TextLanguage::Known(if kana > 0 { Lang::Ja } else { Lang::Zh })
        } else if let Some(script) = other.filter(|_| enough(others)) {
            TextLanguage::Script(script)
        } else {
            by_words(text)
        }
    }

    /// Whether the weights of most prompts were fitted to it: in other languages a memory is less near to what it is about.
    pub(super) fn is_fitted(self) -> bool {
        matches!(self, TextLanguage::Unknown | TextLanguage::Known(Lang::En | Lang::Zh))
    }

    /// Whether two texts are certainly of different languages.
    pub(super) fn differs_from(self, other: TextLanguage) -> bool {
        self != TextLanguage::Unknown && other != TextLanguage::Unknown && self != other
    }
}

/// The language whose function words a text says most often; nothing where two say as many.
fn by_words(text: &str) -> TextLanguage {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    let (mut best, mut most, mut tie) = (TextLanguage::Unknown, 0, false);
    for lang in Lang::ALL {
        let list = FUNCTION_WORD.of(*lang);
        let count = words.iter().filter(|word| list.binary_search(word).is_ok()).count();
        if count > most {
            (best, most, tie) = (TextLanguage::Known(*lang), count, false);
        } else if count == most {
            tie = true;
        }
    }
    if tie { TextLanguage::Unknown } else { best }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_told_by_script_or_by_its_small_words() {
        for (text, lang) in [
            ("why does the nightly export fail for the new tenants", Lang::En),
            ("warum bricht der Export in der Nacht ab und wir sehen nichts", Lang::De),
            ("por qué falla la exportación de las facturas con los nuevos", Lang::Es),
            ("pourquoi les exports ne passent pas dans la nuit", Lang::Fr),
            ("夜间导出为什么失败 export_job", Lang::Zh),
            ("夜間のエクスポートが失敗する", Lang::Ja),
            ("야간 내보내기가 왜 실패하나", Lang::Ko),
        ] {
            assert_eq!(TextLanguage::of(text), TextLanguage::Known(lang), "{text}");
        }
        assert!(matches!(TextLanguage::of("почему падает ночная выгрузка"), TextLanguage::Script(_)));
        assert_eq!(TextLanguage::of("retry_policy.rs"), TextLanguage::Unknown);
    }

    #[test]
    fn only_what_is_known_differs() {
        let (english, german) =
            (TextLanguage::of("the tests of the parser"), TextLanguage::of("die Tests und der Parser"));
        assert!(english.differs_from(german) && !english.differs_from(english));
        assert!(!TextLanguage::of("pg_dump").differs_from(german));
    }
}
