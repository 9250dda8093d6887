//! The words by which a memory tells that something changed, or is not settled yet.
//!
//! Enters: a text. Leaves: whether one of the phrases is in it, in English or Chinese, as words of their own.
//! Never judges what the change is about, and hears nothing in a text of another language: a phrase that looks alike
//! there says something else.

use memdir_lexicon::{self as lexicon, List};
use memdir_reader::han::is_han;
use memdir_reader::phrase_match::PhraseMatcher;

/// A text of fewer words may have none of either.
const FEW_WORDS: usize = 25;
/// In English one word of so many is one of its own, at least.
const ONE_OF: usize = 12;

/// Whether a text is English or Chinese, or both: the languages that the rules about wording are written for.
pub(in crate::engine) fn is_understood(text: &str) -> bool {
    let letters = || text.chars().filter(|c| c.is_alphabetic());
    // Greek letters and the like stand for numbers and names; a second script in earnest is another language.
    let foreign = letters().filter(|c| !is_han(*c) && !is_latin(*c)).count();
    if foreign > 2 && foreign * 50 > letters().count() {
        return false;
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !is_latin(c)).filter(|word| !word.is_empty()).collect();
    let accented = words.iter().filter(|word| !word.is_ascii()).count();
    if accented * 6 > words.len() {
        return false;
    }
    let english = words.iter().filter(|word| lexicon::en::FUNCTION_WORD.binary_search(word).is_ok()).count();
    let others = words.iter().filter(|word| lexicon::FUNCTION_WORD.contains(word)).count() - english;
    if others > 0 && others >= english {
        return false;
    }
    // Beside Chinese, Latin words are names.
    let han = letters().filter(|c| is_han(*c)).count();
    if han > 0 && han * 2 >= words.len() || words.len() < FEW_WORDS {
        return true;
    }
    english * ONE_OF >= words.len()
}

fn is_latin(c: char) -> bool {
    c.is_alphabetic() && matches!(c, 'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// Whether a text tells that something is otherwise now.
pub(super) fn tells_of_change(text: &str) -> bool {
    says(text, &lexicon::CHANGE)
}

/// Whether a text is a plan or a guess.
pub(super) fn is_tentative(text: &str) -> bool {
    says(text, &lexicon::TENTATIVE)
}

/// Whether one of these phrases is in a text; Chinese ones are found inside words too.
pub(super) fn says(text: &str, phrases: &List) -> bool {
    is_understood(text) && PhraseMatcher::new(text).says(phrases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_language_is_left_alone_whatever_words_stand_in_it() {
        for text in [
            "Tickets are filed in Linear, project OPS.",
            "批处理改为 03:30 在 Linux 集群上运行",
            "Wrap at 80.",
            "Bug tracker. Bugs are in Trello board Sensor bugs, Trello board Sensor bugs, project Ost.",
            "The café of Zoë serves everybody who works on the second floor of the building.",
        ] {
            assert!(is_understood(text), "{text}");
        }
        for text in [
            "배포는 오늘 취소되었다, moved to GitHub Actions",
            "取消したい予約は今週中に連絡する",
            "A equipe decidiu usar uma fila nova porque o servidor antigo foi desligado, is now offline em todo lugar",
            "Wir haben den Server umgezogen und die alte Maschine wurde archived, weil der Vertrag endet",
            "Chúng tôi đã chuyển máy chủ sang nơi khác, old rule bị bỏ",
            "Сервер больше не работает, moved",
        ] {
            assert!(!is_understood(text) && !tells_of_change(text), "{text}");
        }
    }

    #[test]
    fn words_of_change_are_heard_in_both_languages_and_not_inside_words() {
        for text in
            ["CI moved to GitHub Actions", "the pilot was cancelled.", "首批改为 10%", "Mara took over the desk"]
        {
            assert!(tells_of_change(text), "{text}");
        }
        for text in ["Never mock the database", "removed imports are fine", "灰度 5%", "Use the left-hand menu bar"] {
            assert!(!tells_of_change(text), "{text}");
        }
        assert!(is_tentative("Freeze probably from 2026-07-01") && !is_tentative("Freeze from 2026-06-22"));
    }
}
