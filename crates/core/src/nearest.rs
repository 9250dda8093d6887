//! The known name that was probably meant.
//!
//! Enters: a name nobody knows and the known ones. Leaves: the closest, when it is close. Never
//! spends more than a few thousand steps, however long the name.

/// Longer names are not typing mistakes.
const LONGEST: usize = 64;

/// The known name with the fewest edits, if a third of it or less would change.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name: Vec<char> = name.chars().take(LONGEST + 1).map(|ch| ch.to_ascii_lowercase()).collect();
    if name.len() > LONGEST {
        return None;
    }
    known
        .into_iter()
        .map(|word| (edits(&name, word), word))
        .min_by_key(|(edits, _)| *edits)
        .filter(|(edits, word)| edits * 3 <= word.len())
        .map(|(_, word)| word)
}

/// Letters to insert, drop or change.
fn edits(name: &[char], word: &str) -> usize {
    let mut row: Vec<usize> = (0..=name.len()).collect();
    for (line, letter) in word.chars().map(|ch| ch.to_ascii_lowercase()).enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, other) in name.iter().enumerate() {
            let changed = diagonal + usize::from(*other != letter);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[name.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_mistake_finds_its_word_and_nonsense_finds_none() {
        let known = ["recall.enabled", "extract.enabled", "dream.min_hours", "mode"];
        for (name, want) in [
            ("recal.enabled", Some("recall.enabled")),
            ("recall.enable", Some("recall.enabled")),
            ("RECALL_ENABLED", Some("recall.enabled")),
            ("dream.minhours", Some("dream.min_hours")),
            ("mod", Some("mode")),
            ("zzz", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, known), want, "{name}");
        }
        assert_eq!(nearest(&"x".repeat(5_000_000), known), None);
        assert_eq!(edits(&['k', 'i', 't', 't', 'e', 'n'], "sitting"), 3);
    }
}
