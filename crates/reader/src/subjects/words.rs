//! A sentence in words: prose, and what is set as code.
//!
//! Enters: a sentence. Leaves: its words and marks in order. A word keeps what belongs to a path, an address, an option or a
//! name; marks that end a part of a sentence are words of their own. Text without blanks between words stays in one piece.

use serde::{Deserialize, Serialize};

use crate::han::is_unspaced;

/// A word or a mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClauseWord {
    /// As it is compared: in small letters, without marks around it.
    pub text: String,
    /// As it is written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub written: String,
    /// Which piece of code it belongs to, counted from one; 0 for prose.
    #[serde(default, skip_serializing_if = "is_prose")]
    pub code: u8,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks like this")]
fn is_prose(code: &u8) -> bool {
    *code == 0
}

impl ClauseWord {
    fn new(written: &str, code: u8) -> ClauseWord {
        let text = written.to_lowercase();
        let written = if text == written { String::new() } else { written.to_owned() };
        ClauseWord { text, written, code }
    }

    /// As it is written.
    pub fn as_written(&self) -> &str {
        if self.written.is_empty() { &self.text } else { &self.written }
    }

    /// Whether it ends a part of a sentence.
    pub fn is_mark(&self) -> bool {
        self.code == 0 && matches!(self.text.as_str(), "," | ";" | ":" | "(" | ")" | "—")
    }

    /// Whether it is text without blanks between its words.
    pub fn is_unspaced(&self) -> bool {
        self.text.chars().any(is_unspaced)
    }

    /// Whether no everyday word looks like this: code, a path, an option, a name with capitals or marks inside.
    pub(crate) fn is_technical(&self) -> bool {
        self.code > 0 || self.looks_technical()
    }

    /// The same for a word that nobody set as code.
    pub fn looks_technical(&self) -> bool {
        let written = self.as_written();
        let inner = written.trim_matches(|letter: char| !letter.is_alphanumeric());
        written.starts_with("--")
            || written.starts_with('@')
            || inner.contains(['_', '/', '.', ':', '=', '*', '('])
            || inner.char_indices().any(|(at, letter)| {
                letter.is_uppercase() && inner[..at].ends_with(|before: char| before.is_lowercase())
            })
    }
}

/// The words of a sentence.
pub(super) fn words(sentence: &str) -> Vec<ClauseWord> {
    let mut found = Vec::new();
    let mut code = 0;
    for (at, piece) in sentence.split('`').enumerate() {
        let is_code = at % 2 == 1;
        if is_code {
            code += 1;
            found.extend(
                piece
                    .split_whitespace()
                    .map(|word| word.trim_matches(['"', '\'', ',']))
                    .filter(|word| !word.is_empty())
                    .map(|word| ClauseWord::new(word, code)),
            );
        } else {
            add_prose(piece, &mut found);
        }
    }
    found
}

fn add_prose(text: &str, found: &mut Vec<ClauseWord>) {
    let mut word = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let unspaced = is_unspaced(letter);
        if letter.is_whitespace() || is_break(letter) {
            push(&mut word, found);
            match letter {
                ',' | '，' | '、' => found.push(ClauseWord::new(",", 0)),
                ';' | '；' | '。' | '.' | '!' | '?' | '！' | '？' => found.push(ClauseWord::new(";", 0)),
                ':' | '：' => found.push(ClauseWord::new(":", 0)),
                '(' | '（' => found.push(ClauseWord::new("(", 0)),
                ')' | '）' => found.push(ClauseWord::new(")", 0)),
                '—' | '–' | '→' => found.push(ClauseWord::new("—", 0)),
                _ => {}
            }
            continue;
        }
        // Marks inside of a word belong to it; those behind it do not.
        let ends =
            letters.peek().is_none_or(|next| next.is_whitespace() || matches!(next, '"' | '\'' | ')' | '”' | '*'));
        match letter {
            ',' | ';' | ':' | '.' | '!' | '?' if ends => {
                push(&mut word, found);
                found.push(ClauseWord::new(
                    if letter == ',' {
                        ","
                    } else if letter == ':' {
                        ":"
                    } else {
                        ";"
                    },
                    0,
                ));
            }
            '(' | ')' | '[' | ']' if word.is_empty() || ends => {
                // A pair of brackets directly behind a name belongs to it.
                if letter == '(' && letters.peek() == Some(&')') {
                    word.push('(');
                    continue;
                }
                if letter == ')' && word.ends_with('(') {
                    word.push(')');
                    continue;
                }
                push(&mut word, found);
                found.push(ClauseWord::new(if matches!(letter, '(' | '[') { "(" } else { ")" }, 0));
            }
            '-' if word.is_empty() && ends => found.push(ClauseWord::new("—", 0)),
            _ => {
                if word
                    .chars()
                    .next_back()
                    .is_some_and(|last| is_unspaced(last) != unspaced && letter.is_alphanumeric())
                {
                    push(&mut word, found);
                }
                word.push(if letter == '’' { '\'' } else { letter });
            }
        }
    }
    push(&mut word, found);
}

fn is_break(letter: char) -> bool {
    matches!(
        letter,
        '，' | '、'
            | '；'
            | '。'
            | '！'
            | '？'
            | '：'
            | '（'
            | '）'
            | '—'
            | '–'
            | '→'
            | '"'
            | '“'
            | '”'
            | '„'
            | '«'
            | '»'
            | '「'
            | '」'
            | '|'
    )
}

fn push(word: &mut String, found: &mut Vec<ClauseWord>) {
    let whole = std::mem::take(word);
    // Stars and underscores around a word set it in bold; a star inside or before a dot is a pattern.
    let bold = whole.starts_with("**") && !whole.starts_with("**/") || whole.starts_with('_') && whole.ends_with('_');
    let trimmed = if bold { whole.trim_matches(['*', '_']) } else { whole.trim_end_matches("**") };
    let trimmed = trimmed.trim_matches(['\'', ',']);
    if trimmed.chars().any(char::is_alphanumeric) {
        found.push(ClauseWord::new(trimmed, 0));
    }
}
