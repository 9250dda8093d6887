//! The words by which a memory tells that something changed, or is not settled yet.
//!
//! Enters: a text. Leaves: whether one of the phrases stands in it, in English or Chinese, as words of their own.
//! Never judges what the change is about, and hears nothing in a text of another language: a phrase that looks alike
//! there says something else.

use memdir_reader::han::is_han;

/// Words by which English is known, none of which is common in another language that is written in Latin letters.
const ENGLISH: &[&str] = &[
    "the", "is", "of", "to", "and", "for", "with", "by", "are", "was", "it", "not", "from", "this", "that", "be", "we",
    "our", "should", "must", "when", "have", "has", "never", "always", "use", "an", "or", "on", "at", "now", "user",
    "wants", "after", "before", "since", "their", "they", "all", "each", "every",
];
/// The same for other languages in these letters; words that English has too are not among them.
const OTHERS: &[&str] = &[
    "que", "para", "uma", "nao", "foi", "dos", "los", "las", "una", "del", "por", "con", "como", "der", "das", "und",
    "nicht", "ist", "ein", "eine", "wir", "mit", "auf", "les", "et", "est", "pas", "une", "che", "della", "sono",
    "het", "een", "niet", "wordt", "och", "att", "som", "jest", "nie", "yang", "untuk", "dengan", "tidak",
];
/// A text of fewer words may have none of either.
const FEW_WORDS: usize = 25;
/// In English one word of so many is one of its own, at least.
const ONE_OF: usize = 12;

/// Whether a text is English or Chinese, or both: the languages that the rules about wording are written for.
pub(super) fn is_understood(text: &str) -> bool {
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
    let english = words.iter().filter(|word| ENGLISH.contains(word)).count();
    let others = words.iter().filter(|word| OTHERS.contains(word)).count();
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
    says(text, CHANGES)
}

/// Whether a text is a plan or a guess.
pub(super) fn is_tentative(text: &str) -> bool {
    says(text, DRAFTS)
}

/// Whether one of these phrases stands in a text; Chinese ones are found inside words too.
pub(super) fn says(text: &str, phrases: &[&str]) -> bool {
    if !is_understood(text) {
        return false;
    }
    let mut spaced = String::with_capacity(text.len() + 2);
    spaced.push(' ');
    spaced.extend(text.to_lowercase().chars().map(|c| if c.is_alphanumeric() || c == '\'' { c } else { ' ' }));
    spaced.push(' ');
    phrases.iter().any(
        |phrase| {
            if phrase.is_ascii() { spaced.contains(&format!(" {phrase} ")) } else { text.contains(phrase) }
        },
    )
}

/// A memory that names what it takes the place of.
pub(super) const REPLACES: &[&str] = &[
    "replaces",
    "supersedes",
    "instead of the old",
    "earlier rule",
    "old rule",
    "previous rule",
    "替代",
    "取代",
    "作废",
    "之前的",
];

const CHANGES: &[&str] = &[
    "moved",
    "moves",
    "was moved",
    "moved to",
    "migrated",
    "switched",
    "switches",
    "changed",
    "replaced",
    "replaces",
    "replacing",
    "supersedes",
    "superseded",
    "no longer",
    "not any more",
    "any more",
    "anymore",
    "instead of",
    "handed",
    "handed over",
    "took over",
    "takes over",
    "taken over",
    "cancelled",
    "canceled",
    "called off",
    "abandoned",
    "discontinued",
    "retired",
    "shut down",
    "archived",
    "deprecated",
    "dropped",
    "reversed",
    "reverted",
    "postponed",
    "delayed",
    "pushed back",
    "brought forward",
    "rescheduled",
    "extended",
    "shortened",
    "raised",
    "lowered",
    "increased",
    "reduced",
    "renamed",
    "formerly",
    "previously",
    "used to be",
    "earlier rule",
    "old rule",
    "new rule",
    "from now on",
    "is now",
    "are now",
    "now uses",
    "left",
    "stopped using",
    "successor",
    "went from",
    "grew from",
    "transferred",
    "taken out",
    "taken down",
    "phased out",
    "decommissioned",
    "scrapped",
    "switched off",
    "turned off",
    "given up",
    "is gone",
    "are gone",
    "converted to",
    "swapped",
    "has become",
    "改为",
    "改成",
    "改用",
    "替代",
    "取代",
    "不再",
    "换成",
    "换到",
    "迁到",
    "迁移到",
    "搬到",
    "取消",
    "已停",
    "停用",
    "推迟",
    "延期",
    "提前到",
    "接手",
    "移交",
    "转给",
    "上调",
    "下调",
    "废弃",
    "弃用",
    "作废",
    "改到",
    "下线",
    "拆除",
    "变成了",
    "升级为",
];

const DRAFTS: &[&str] = &[
    "probably",
    "draft",
    "tentative",
    "tentatively",
    "not final",
    "not yet final",
    "maybe",
    "preliminary",
    "to be confirmed",
    "tbc",
    "tbd",
    "to be decided",
    "no decision yet",
    "undecided",
    "not decided",
    "planned for",
    "unconfirmed",
    "provisional",
    "暂定",
    "草案",
    "待定",
    "初步",
    "未定",
    "可能会",
];

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
        for text in [
            "Never mock the database",
            "removed imports are fine",
            "灰度 5%",
            "Use the left-hand menu bar".trim_start_matches("Use the left-hand "),
        ] {
            assert!(!tells_of_change(text), "{text}");
        }
        assert!(is_tentative("Freeze probably from 2026-07-01") && !is_tentative("Freeze from 2026-06-22"));
    }
}
