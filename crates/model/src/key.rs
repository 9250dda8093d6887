//! A key, and words that must not hold one.
//!
//! A [`ApiKey`] prints as `…` wherever it is printed. What a server said is shortened and cleaned of
//! the key and of anything else that looks like a secret before it becomes part of an error.

use std::fmt;

use memdir_core::limits::MODEL_MESSAGE_CHARS;
use memdir_guard::secrets;

/// What a provider knows the user by. Never printed, never kept.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key as the user gave it; `None` when it is empty or cannot be in a header.
    pub fn new(text: &str) -> Option<ApiKey> {
        let text = text.trim();
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())).then(|| ApiKey(text.to_owned()))
    }

    /// Whether it is one of Anthropic's, which say so.
    pub(super) fn is_anthropics(&self) -> bool {
        self.0.starts_with("sk-ant-")
    }

    /// For the one header that carries it.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// What somebody else said, fit for an error: one short line without the key or other secrets.
pub(super) fn clean(said: &str, key: Option<&ApiKey>) -> String {
    let without_key = key.map_or_else(|| said.to_owned(), |key| said.replace(key.expose(), "…"));
    // Judged whole: a secret that is cut first is not recognised any more.
    let (without_secrets, _) = secrets::redact(&without_key);
    let words: Vec<&str> = without_secrets
        .split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|w| !w.is_empty())
        .collect();
    let line = words.join(" ");
    match line.char_indices().nth(MODEL_MESSAGE_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_printed() {
        let key = ApiKey::new(" abc-key-123 \n").unwrap();
        assert_eq!(format!("{key} {key:?} {:?}", Some(&key)), "… … Some(…)");
        assert_eq!(key.expose(), "abc-key-123");
    }

    #[test]
    fn what_cannot_stand_in_a_header_is_no_key() {
        for text in ["", "  ", "a b", "a\nx: y", "ké"] {
            assert_eq!(ApiKey::new(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_a_server_said_is_one_short_line_without_secrets() {
        let key = ApiKey::new("abc-key-123").unwrap();
        let other = ["sk-ant-api03-", &"Xa9".repeat(31), "AA"].concat();
        let said = format!("wrong\n\tkey abc-key-123\u{7} and {other}: {}", "x".repeat(1000));
        let cleaned = clean(&said, Some(&key));
        assert!(cleaned.starts_with("wrong key … and [redacted: "), "{cleaned}");
        assert!(cleaned.chars().count() <= MODEL_MESSAGE_CHARS + 1);
    }
}
