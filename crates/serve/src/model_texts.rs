//! The words a model reads, from `prompts/mcp.md`: one line each, `key: words`.

const WORDS: &str = include_str!("../prompts/mcp.md");

/// The words of a key. Every key in use is there; a test asks for all of them.
pub(crate) fn words(key: &str) -> &'static str {
    WORDS.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).unwrap_or_default()
}

/// The same with its one slot filled.
pub(crate) fn filled(key: &str, slot: &str, value: &str) -> String {
    // A template and its slot fit, or the test below fails.
    memdir::context::render::fill(words(key), &[(slot, value)]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_filled() {
        assert!(filled("ask.remember", "text", "tea at four").ends_with("tea at four"));
        assert!(filled("ask.recall.none", "query", "tea").ends_with("tea"));
        assert_eq!(words("no such key"), "");
    }
}
