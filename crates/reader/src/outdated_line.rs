//! Whether a line about a memory still says what the memory says.
//!
//! Enters: a line, and what the memory said before and says now. Leaves: yes or no. A line is outdated if it says a
//! word that the memory has dropped, or a value (a name, a number) that gave way to another in its name or
//! description, even where its text still tells of the former one. Never judges wording: what the memory did not say
//! before, the line may go on saying.

use std::collections::HashSet;

use super::likeness;

/// What a memory says.
pub struct MemoryText<'a> {
    /// Its name and description.
    pub head: String,
    /// Its text.
    pub body: &'a str,
}

/// Whether a line says what was said before and is not said any more.
pub fn is_outdated(line: &str, before: &MemoryText<'_>, after: &MemoryText<'_>) -> bool {
    let all = |told: &MemoryText<'_>| -> HashSet<String> {
        likeness::words(&told.head).into_iter().chain(likeness::words(told.body)).collect()
    };
    let (had, has) = (all(before), all(after));
    if likeness::words(line).iter().any(|word| had.contains(word) && !has.contains(word)) {
        return true;
    }
    let (was, now) = (values(&before.head), values(&after.head));
    let is_new = now.iter().any(|value| !was.contains(value) && !before.body.contains(value));
    is_new && values(line).iter().any(|value| was.contains(value) && !now.contains(value))
}

/// Names, numbers and identifiers: words with a capital letter or a digit.
fn values(text: &str) -> HashSet<&str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.contains(|c: char| c.is_uppercase() || c.is_numeric()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outdated(line: &str, before: (&str, &str), after: (&str, &str)) -> bool {
        let told = |(head, body): (&str, &'static str)| MemoryText { head: head.to_owned(), body };
        let leak = |(head, body): (&str, &str)| (head.to_owned(), &*Box::leak(body.to_owned().into_boxed_str()));
        let (before, after) = (leak(before), leak(after));
        is_outdated(line, &told((&before.0, before.1)), &told((&after.0, after.1)))
    }

    #[test]
    fn k2_a_line_that_says_the_former_value_is_outdated() {
        let rota = ("Rota", "Ben runs the rota, weekly.");
        assert!(outdated("[Rota](rota.md) — ask Ben", rota, ("Rota", "Dana runs the rota, weekly.")));
        // The former value still is in the text, as history.
        let kept = ("Rota: Dana", "Dana runs the rota, weekly. Ben did until 2026-05-01.");
        assert!(outdated("[Rota](rota.md) — ask Ben", ("Rota: Ben", rota.1), kept));
    }

    #[test]
    fn other_words_and_more_words_leave_a_line_alone() {
        let rota = ("Rota", "Ben runs the rota, weekly.");
        assert!(!outdated(
            "Rota — who carries the pager, ask Ben",
            rota,
            ("Rota", "Ben runs the rota, weekly. Not in May.")
        ));
        assert!(!outdated("Rota — ask Ben", ("Who has the rota", rota.1), ("Duty rota", rota.1)));
        // A description that no longer names what the text still says.
        assert!(!outdated(
            "Real Postgres",
            ("Tests use Postgres", "Postgres, no mocks."),
            ("Tests use a database", "Postgres, no mocks.")
        ));
    }
}
