//! What a text states, in pieces that can be looked for elsewhere: its sentences and words, and the facts in them
//! that no other wording can stand for (numbers, dates, paths, identifiers, names).
//!
//! Enters: a text in any language. Leaves: those pieces, and which of them another text does not have. Goes by the
//! shape of the writing alone (marks, digits, capitals, quotes), never by lists of words, so that it holds for a language
//! that nothing else here understands. Never judges what a sentence means: two sentences are one only when they are
//! written alike.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::han::is_unspaced;
use super::sentences::sentences_of;

/// What sort of fact is in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactKind {
    /// A year with its month, and a day where there is one, written as `2026-04-10`.
    Date,
    /// Anything else with digits.
    Number,
    /// A path, an address, a command, a key: a word with marks inside, or written as code.
    Identifier,
    /// A word with a capital inside a sentence, or what is in quotes.
    Name,
}

/// The pieces of one text.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Each sentence as it is written, without marks of lists and emphasis.
    pub sentences: HashSet<String>,
    /// Words in lower case; pairs of characters where there are no spaces between words.
    pub words: HashSet<String>,
    /// What no other wording can stand for.
    pub marks: BTreeSet<(FactKind, String)>,
}

impl Facts {
    /// Reads a text.
    pub fn read(text: &str) -> Facts {
        let mut facts = Facts { words: words(text), ..Facts::default() };
        for sentence in sentences(text) {
            marks(&sentence, &mut facts.marks);
            facts.sentences.insert(bare(&sentence));
        }
        facts
    }

    /// Whether all words and marks of another text stand here.
    pub fn names_all(&self, other: &Facts) -> bool {
        other.words.is_subset(&self.words) && other.marks.is_subset(&self.marks)
    }

    /// How many facts of each sort another text has and this one has not.
    pub fn lacks(&self, other: &Facts) -> BTreeMap<FactKind, usize> {
        let mut count = BTreeMap::new();
        for (sort, _) in other.marks.difference(&self.marks) {
            *count.entry(*sort).or_default() += 1;
        }
        count
    }

    /// The dates.
    pub fn dates(&self) -> impl Iterator<Item = &str> {
        self.marks.iter().filter(|(sort, _)| *sort == FactKind::Date).map(|(_, date)| date.as_str())
    }
}

/// The sentences of a text as they are written, line by line; what is in a fence or a table is a line each.
pub fn sentences(text: &str) -> Vec<String> {
    let sentences = text.lines().flat_map(sentences_of).map(str::trim);
    sentences.filter(|sentence| sentence.chars().any(char::is_alphanumeric)).map(str::to_owned).collect()
}

/// A sentence without the marks of Markdown around it, and with single spaces.
fn bare(sentence: &str) -> String {
    let text = sentence.trim_start_matches(['-', '*', '+', '#', '>', ' ', '\t']).replace("**", "");
    let text = text.trim_end_matches(['.', '。', '!', '?', '！', '？', ' ']);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a text.
fn words(text: &str) -> HashSet<String> {
    let lower = text.to_lowercase();
    let mut found = HashSet::new();
    for run in lower.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let mut spaced = String::new();
        let mut unspaced: Vec<char> = Vec::new();
        for c in run.chars().chain([' ']) {
            if is_unspaced(c) {
                unspaced.push(c);
                continue;
            }
            match unspaced.as_slice() {
                [] => {}
                [one] => drop(found.insert(one.to_string())),
                many => found.extend(many.windows(2).map(|pair| pair.iter().collect::<String>())),
            }
            unspaced.clear();
            if c != ' ' {
                spaced.push(c);
            }
        }
        if !spaced.is_empty() {
            found.insert(spaced);
        }
    }
    found
}

/// Adds what a sentence says that no other wording can stand for.
fn marks(sentence: &str, found: &mut BTreeSet<(FactKind, String)>) {
    found.extend(dates(sentence).into_iter().map(|date| (FactKind::Date, date)));
    for quoted in between(sentence, &[('`', '`'), ('"', '"'), ('“', '”'), ('「', '」'), ('『', '』'), ('«', '»')])
    {
        let sort = if sentence.contains(&format!("`{quoted}`")) { FactKind::Identifier } else { FactKind::Name };
        found.insert((sort, quoted));
    }
    let apart = |c: char| c.is_whitespace() || "`\"“”「」『』«»()[]<>{}（）【】《》,;，；、。|*".contains(c);
    for (at, word) in sentence.split(apart).filter(|word| !word.is_empty()).enumerate() {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !"/~.$%+-_".contains(c));
        let word = word.trim_end_matches(['.', '-', '+', '~']);
        let (mut inner, mut digits, mut capital) = (false, false, false);
        for c in word.chars() {
            inner |= "/._@#:=\\".contains(c);
            digits |= c.is_numeric();
            capital |= c.is_uppercase();
        }
        let sort = match () {
            () if !word.chars().any(char::is_alphanumeric) || !dates(word).is_empty() => continue,
            () if inner && word.chars().any(char::is_alphabetic) => FactKind::Identifier,
            () if digits => FactKind::Number,
            // The first word of a sentence has its capital anyway, unless there is more of it.
            () if capital && (at > 0 || word.chars().skip(1).any(char::is_uppercase)) => FactKind::Name,
            () => continue,
        };
        found.insert((sort, word.to_owned()));
    }
}

/// What is between pairs of quotes.
fn between(text: &str, quotes: &[(char, char)]) -> Vec<String> {
    let mut found = Vec::new();
    for (open, close) in quotes {
        let mut rest = text;
        while let Some((_, after)) = rest.split_once(*open) {
            let Some((inside, after)) = after.split_once(*close) else { break };
            if inside.chars().any(char::is_alphanumeric) {
                found.push(inside.trim().to_owned());
            }
            rest = after;
        }
    }
    found
}

/// Every date with a year in a text: `2026-04-10`, `2026/4/10`, `2026.04`, `2026年4月10日`, `2026년 4월`.
fn dates(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let number = |from: usize, most: usize| -> Option<(u32, usize)> {
        let digits: String = letters.iter().skip(from).take(most).take_while(|c| c.is_ascii_digit()).collect();
        digits.parse().ok().map(|value| (value, from + digits.len()))
    };
    let after = |at: usize, marks: &str| -> Option<usize> {
        let at = at
            + usize::from(
                letters.get(at) == Some(&' ') && letters.get(at + 1).is_some_and(|c| "年년月월".contains(*c)),
            );
        let next = letters.get(at).filter(|c| marks.contains(**c)).map(|_| at + 1)?;
        Some(next + usize::from(letters.get(next) == Some(&' ')))
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let alone = at == 0 || !letters[at - 1].is_ascii_digit();
        let date = alone.then(|| {
            let (year, end) = number(at, 4).filter(|(year, _)| (1900..2200).contains(year))?;
            let (month, end) = number(after(end, "-/.年년")?, 2).filter(|(month, _)| (1..=12).contains(month))?;
            let day = after(end, "-/.月월").and_then(|next| number(next, 2)).filter(|(day, _)| (1..=31).contains(day));
            Some(match day {
                Some((day, end)) => (format!("{year:04}-{month:02}-{day:02}"), end),
                None => (format!("{year:04}-{month:02}"), end),
            })
        });
        match date.flatten() {
            // More digits behind it: a version, a number, not a day.
            Some((date, end)) if letters.get(end).is_none_or(|c| !c.is_ascii_digit()) => {
                found.push(date);
                at = end;
            }
            _ => at += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, sort: FactKind) -> Vec<String> {
        Facts::read(text).marks.into_iter().filter(|(one, _)| *one == sort).map(|(_, what)| what).collect()
    }

    #[test]
    fn h3_facts_are_found_in_any_script() {
        assert_eq!(of("Call Mara at port 8443 by 5%.", FactKind::Number), ["5%", "8443"]);
        assert_eq!(of("call Mara and Jón, или Ивана", FactKind::Name), ["Jón", "Mara", "Ивана"]);
        assert_eq!(
            of("배포는 `make ship` 으로, 로그는 /var/log/app.log 에", FactKind::Identifier),
            ["/var/log/app.log", "make ship"]
        );
        assert_eq!(of("部署在「蓝港」机房", FactKind::Name), ["蓝港"]);
        for text in ["2026-04-10", "seit 2026/4/10.", "2026年4月10日 起", "2026년 4월 10일부터"] {
            assert_eq!(of(text, FactKind::Date), ["2026-04-10"], "{text}");
        }
        assert_eq!(of("version 2026.4.100 and 12026-04-10", FactKind::Date), Vec::<String>::new());
    }

    #[test]
    fn h3_sentences_are_one_only_when_written_alike() {
        let known = Facts::read("- **Why:** the share lost results.\nKeep timeout < 5.");
        let stands = |text: &str| Facts::read(text).sentences.is_subset(&known.sentences);
        assert!(stands("Why: the share  lost results"));
        assert!(!stands("Keep timeout > 5.") && !stands("the share lost results"));
    }

    #[test]
    fn h3_words_of_unspaced_scripts_are_runs_of_characters() {
        let known = Facts::read("所有日志写中文。ログは日本語。");
        assert!(known.names_all(&Facts::read("日志写中文")));
        assert!(!known.names_all(&Facts::read("日志写英文")));
        assert!(known.names_all(&Facts::read("日本語")));
    }
}
