//! A short name and a one-line description for a statement.
//!
//! Enters: what somebody wrote, Markdown or not, English or Chinese. Leaves: one line within a
//! limit of characters, cut at a word. Never empty while there is anything to say, and never
//! longer than its limit.

use super::dates;
use super::han::is_unspaced;
use super::plain::{plain, statement};
use super::sentences::sentences_of;
use memdir_core::limits::DESCRIPTION_CHARS;
use memdir_lexicon as lexicon;

/// The longest name; index lines hold it beside the hook.
const TITLE_CHARS: usize = 60;
/// Text beyond this cannot change a title or a summary.
const ENOUGH_BYTES: usize = 8 * 1024;

/// A short clean name from the first clause of `text`.
pub fn title(text: &str) -> String {
    // Words such as "tomorrow" would be all that is read of it in an index.
    let line = dates::without_words(&first_words(text));
    let line = without_openings(&line);
    let clause = first_clause(line);
    let cut = cut_at_word(clause, TITLE_CHARS, "");
    let name = trimmed(&cut);
    let name = if cut.len() < clause.len() { without_loose_end(name) } else { name };
    let mut chars = name.chars();
    match chars.next() {
        Some(first) if is_plain_word(name) && first.to_uppercase().count() == 1 => {
            first.to_uppercase().chain(chars).collect()
        }
        _ => name.to_owned(),
    }
}

/// One line that says what `text` says, within [`DESCRIPTION_CHARS`].
pub fn summary(text: &str) -> String {
    let line = first_words(text);
    let mut end = 0;
    for sentence in sentences_of(&line) {
        let upto = end + sentence.len();
        if end > 0 && line[..upto].trim_end().chars().count() > DESCRIPTION_CHARS {
            break;
        }
        end = upto;
    }
    cut_at_word(line[..end].trim(), DESCRIPTION_CHARS, "…")
}

/// The statement, or all of the text where nothing stands before its labels.
fn first_words(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(ENOUGH_BYTES)];
    let line = statement(text);
    if line.is_empty() { plain(text) } else { line }
}

/// What somebody wants kept, without the words that ask for it: "please remember that", "from now on".
pub fn without_openings(line: &str) -> &str {
    let mut rest = line.trim_start_matches(|c: char| !c.is_alphanumeric() && !"\"'`(《「".contains(c));
    // "Ok so please remember that" has three.
    for _ in 0..4 {
        let Some(opening) = lexicon::REMEMBER_OPENING.longest_prefix_of(&rest.to_ascii_lowercase()) else { break };
        let after = rest[opening.len()..].trim_start_matches([' ', ',', ':', '，', '：', '、']);
        if after.is_empty() {
            break;
        }
        rest = after;
    }
    rest
}

/// Up to the first mark that ends a clause, if that says enough to be a name.
fn first_clause(line: &str) -> &str {
    let mut depth = 0usize;
    for (at, c) in line.char_indices() {
        let next = line[at + c.len_utf8()..].chars().next();
        let spaced = next.is_none_or(char::is_whitespace);
        match c {
            '(' | '（' | '「' | '《' | '“' => depth += 1,
            ')' | '）' | '」' | '》' | '”' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = match c {
            '。' | '；' | '！' | '？' | '，' | '：' => true,
            ',' | ';' | ':' | '.' | '!' | '?' => spaced || next.is_some_and(is_unspaced),
            '—' | '–' => line[..at].ends_with(' '),
            _ => false,
        };
        if ends && depth == 0 && is_enough(&line[..at]) {
            return &line[..at];
        }
    }
    line
}

/// Whether a clause can stand as a name: three words, or four unspaced characters.
fn is_enough(clause: &str) -> bool {
    let unspaced = clause.chars().filter(|c| is_unspaced(*c)).count();
    clause.split_whitespace().count() >= 3 || unspaced >= 4
}

/// A cut name without the words that only lead on to what was cut.
fn without_loose_end(name: &str) -> &str {
    let mut rest = name;
    while let Some((before, last)) = rest.rsplit_once(' ') {
        if !lexicon::LOOSE_END.contains(&last.to_lowercase()) || !is_enough(before) {
            break;
        }
        rest = trimmed(before);
    }
    rest
}

/// A leading word that may take a capital: no identifier, no unit, no domain.
fn is_plain_word(name: &str) -> bool {
    let word = name.split_whitespace().next().unwrap_or("");
    word.trim_end_matches([',', ':', ';', '.']).chars().all(|c| c.is_lowercase() || matches!(c, '\'' | '’' | '-'))
}

fn trimmed(name: &str) -> &str {
    let name = name
        .trim_end_matches(|c: char| c.is_whitespace() || ".,;:!?…。，；：！？、—–-/\\|&+=(（[「《\"'“‘".contains(c));
    name.trim_start_matches(|c: char| c.is_whitespace() || ".,;:!?。，；：！？、—–)]".contains(c))
}

/// At most `limit` characters of `line`, cut between words; what was cut is told by `mark`.
fn cut_at_word(line: &str, limit: usize, mark: &str) -> String {
    let Some((end, _)) = line.char_indices().nth(limit) else {
        return line.to_owned();
    };
    let room = limit - mark.chars().count();
    let hard = line.char_indices().nth(room).map_or(end, |(at, _)| at);
    let cuts_word = |at: usize| {
        let tied = |c: char| !c.is_whitespace() && !is_unspaced(c);
        line[..at].ends_with(tied) && line[at..].starts_with(tied)
    };
    let mut at = hard;
    while at > 0 && cuts_word(at) {
        at -= line[..at].chars().next_back().map_or(1, char::len_utf8);
    }
    // A single word longer than the limit has no better place.
    let at = if at < hard / 3 { hard } else { at };
    let kept = line[..at].trim_end_matches(|c: char| c.is_whitespace() || ",;:，；：、—–-(（".contains(c));
    format!("{kept}{mark}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_short_and_clean() {
        for (text, want) in [
            ("Never mock the database in integration tests.", "Never mock the database in integration tests"),
            ("please remember that we ship on Tuesdays, always", "We ship on Tuesdays"),
            ("**Use tabs**, not spaces, in Go files.", "Use tabs, not spaces"),
            ("- use `pnpm` here; npm rewrites the lockfile", "Use pnpm here"),
            ("pnpm-lock.yaml is generated", "pnpm-lock.yaml is generated"),
            (
                "Board api-latency at grafana.sable.internal/d/api-latency; check it",
                "Board api-latency at grafana.sable.internal/d/api-latency",
            ),
            ("注释用中文，标识符用英文。", "注释用中文"),
            ("请记住:回答尽量简短,不要铺垫", "回答尽量简短"),
            ("Terse. No summary at the end of replies.", "Terse. No summary at the end of replies"),
            (
                "the on-call rota (gw-core, see Opsgenie) moves to Lisbon in May because of the new office there",
                "The on-call rota (gw-core, see Opsgenie) moves to Lisbon",
            ),
            ("\n\n**Why:** only a reason", "Why: only a reason"),
            ("...", ""),
            ("", ""),
        ] {
            assert_eq!(title(text), want, "{text:?}");
        }
    }

    #[test]
    fn summaries_are_whole_sentences_where_they_fit() {
        assert_eq!(summary("One. Two.\n\n**Why:** three."), "One. Two.");
        let long = format!("First one. {}.", "word ".repeat(60).trim());
        assert_eq!(summary(&long), "First one.");
        let endless = "word ".repeat(100);
        let got = summary(&endless);
        assert!(got.ends_with("word…") && got.chars().count() <= DESCRIPTION_CHARS, "{got}");
        let chinese = "这是一个很长的句子".repeat(40);
        assert_eq!(summary(&chinese).chars().count(), DESCRIPTION_CHARS);
        assert_eq!(summary("# Rule\nUse *tabs*."), "Rule Use tabs.");
    }

    proptest! {
        #[test]
        fn limits_hold_for_every_text(text in "(?s).{0,400}") {
            let title = title(&text);
            prop_assert!(title.chars().count() <= TITLE_CHARS, "{title:?}");
            prop_assert!(!title.contains('\n') && title.trim() == title);
            let summary = summary(&text);
            prop_assert!(summary.chars().count() <= DESCRIPTION_CHARS);
            prop_assert!(!summary.contains('\n'));
        }
    }
}
