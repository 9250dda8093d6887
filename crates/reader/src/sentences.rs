//! Sentences: where they end, and which of them a text says.
//!
//! Enters: text. Leaves: its sentences, as they stand or as their bare words. Two sentences are the same only if they
//! have the same words, numbers and names in the same order: nothing is folded, so no fact is taken for another.

use std::collections::BTreeSet;

use memdir_lexicon as lexicon;

use super::dates;
use super::han::is_unspaced;

/// How far an opening mark looks for its closing one; a mark that is never closed encloses nothing.
const AHEAD: usize = 400;

/// The sentences of a line with what ends them; together they are the line. None ends inside a quotation, brackets, an
/// abbreviation, a path, a number or an address.
pub fn sentences_of(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let end = first_end(rest).unwrap_or(rest.len());
        let (sentence, left) = rest.split_at(end);
        rest = left;
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// The sentences of a text, without the blanks around them and without those that say nothing. The items of "1) … 2) …" are
/// sentences, without their numbers.
pub fn sentences(text: &str) -> Vec<&str> {
    let all = text.lines().flat_map(items).flat_map(sentences_of).map(str::trim);
    all.filter(|sentence| sentence.contains(char::is_alphanumeric)).collect()
}

/// A line, cut where it counts: "1) … 2) …" or "(1) … (2) …", from one on.
fn items(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line;
    for number in 1..10 {
        let Some((before, after)) = numbered(rest, number) else { break };
        found.push(before);
        rest = after;
    }
    // One number alone counts nothing.
    if found.len() < 2 {
        return vec![line];
    }
    found.push(rest);
    found
}

/// What comes before and behind a number with its bracket, at the beginning of a word.
fn numbered(line: &str, number: usize) -> Option<(&str, &str)> {
    let mark = format!("{number})");
    line.match_indices(&mark).find_map(|(at, _)| {
        let before = line[..at].strip_suffix('(').unwrap_or(&line[..at]);
        let begins = before.is_empty() || before.ends_with(char::is_whitespace);
        begins.then(|| (before, &line[at + mark.len()..]))
    })
}

/// Where the first sentence of a line ends, blanks included, if another follows it.
fn first_end(line: &str) -> Option<usize> {
    let mut enclosed = Enclosed::default();
    for (at, letter) in line.char_indices() {
        enclosed.step(line, at, letter);
        let after = &line[at + letter.len_utf8()..];
        if !enclosed.is_inside() && ends_sentence(&line[..at], letter, after) {
            let more = after.trim_start();
            return (!more.is_empty()).then(|| line.len() - more.len());
        }
    }
    None
}

fn ends_sentence(before: &str, letter: char, after: &str) -> bool {
    let next = after.chars().next();
    match letter {
        '。' | '！' | '？' | '।' | '።' | '؟' => true,
        '!' | '?' => next != Some(letter) && next.is_none_or(|next| next.is_whitespace() || is_unspaced(next)),
        '.' => {
            let word = before.rsplit([' ', '(']).next().unwrap_or(before);
            next.is_none_or(char::is_whitespace)
                && !before.ends_with('.')
                && !lexicon::ABBREVIATION.contains(&word.to_lowercase())
                && !dates::is_day_before_month(before, after)
        }
        _ => false,
    }
}

/// Whether a place is inside quotation marks or brackets.
#[derive(Default)]
pub struct Enclosed {
    straight: bool,
    nested: usize,
}

impl Enclosed {
    /// Goes on to the letter at this place of a line.
    pub fn step(&mut self, line: &str, at: usize, letter: char) {
        let after = at + letter.len_utf8();
        let closes = |mark: char| line[after..line.floor_char_boundary(after + AHEAD)].contains(mark);
        match letter {
            '"' if self.straight => self.straight = false,
            '"' => self.straight = closes('"'),
            '(' => self.nested += usize::from(closes(')')),
            '（' => self.nested += usize::from(closes('）')),
            '「' => self.nested += usize::from(closes('」')),
            '《' => self.nested += usize::from(closes('》')),
            '“' => self.nested += usize::from(closes('”')),
            '[' => self.nested += usize::from(closes(']')),
            ')' | '）' | '」' | '》' | '”' | ']' => self.nested = self.nested.saturating_sub(1),
            _ => {}
        }
    }

    /// Whether the place is inside.
    pub fn is_inside(&self) -> bool {
        self.straight || self.nested > 0
    }
}

/// Every sentence of a text by its words alone, without marks, case and line ends.
pub fn said(text: &str) -> BTreeSet<String> {
    let bare = |sentence: &str| {
        let words = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
    };
    text.lines().flat_map(sentences_of).map(bare).filter(|sentence| !sentence.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_cut() {
        assert_eq!(
            sentences("two things 1) use tabs, always 2) the rota is Dana's"),
            ["two things", "use tabs, always", "the rota is Dana's"]
        );
        assert_eq!(sentences("see note 1) for that"), ["see note 1) for that"]);
        assert_eq!(sentences("(1) a b (2) c d"), ["a b", "c d"]);
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        for (text, want) in [
            ("works. but stop that", &["works.", "but stop that"][..]),
            ("why?? I have v1.2 of x.rs, e.g. this", &["why??", "I have v1.2 of x.rs, e.g. this"]),
            ("注释不要动,统一用中文。以后别改", &["注释不要动,统一用中文。", "以后别改"]),
            ("the name is \"a. b\" ok", &["the name is \"a. b\" ok"]),
            ("one\n\ntwo! three", &["one", "two!", "three"]),
            ("it is 5\" wide. ok", &["it is 5\" wide.", "ok"]),
            (
                "der Umzug ist zum 1. Juli fertig. Danach nichts",
                &["der Umzug ist zum 1. Juli fertig.", "Danach nichts"],
            ),
            ("we have 3. Then stop", &["we have 3.", "Then stop"]),
            (" ... ", &[]),
        ] {
            assert_eq!(sentences(text), want, "{text:?}");
        }
    }

    #[test]
    fn a_sentence_is_its_words_and_no_other_words() {
        assert_eq!(said("- **Use** a real Postgres, never mocks.\n"), said("use a real postgres; never mocks"));
        assert_ne!(said("Use Postgres."), said("Use MySQL."));
        assert!(said("One thing. Another 3.5 thing! Ende。完").contains("another 3 5 thing"));
    }
}
