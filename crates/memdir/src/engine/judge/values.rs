//! Values that exclude each other: two numbers of one unit, two weekdays.
//!
//! Enters: two texts about the same thing. Leaves: whether one says another value where the other says one. The reader hears what a
//! sentence is about better than whether a number in it has changed; this looks at nothing else.

use std::collections::BTreeSet;

use memdir_reader::dates;

/// The values of a text.
#[derive(Debug, Default)]
pub(super) struct Values {
    weekdays: BTreeSet<i8>,
    /// A number with the word behind it, or before it where none follows.
    numbers: BTreeSet<(String, String)>,
    /// Names in which letters and digits stand together: `MQ3`, `rev-c2`.
    names: BTreeSet<String>,
}

impl Values {
    pub(super) fn of(text: &str) -> Values {
        let mut values = Values { weekdays: dates::weekdays(text), ..Values::default() };
        let words: Vec<String> = text
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | ':' | '-' | '%')))
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '%').to_lowercase())
            .filter(|word| !word.is_empty())
            .collect();
        let is_name = |word: &&String| {
            word.starts_with(char::is_alphabetic) && word.contains(|c: char| c.is_ascii_digit()) && word.is_ascii()
        };
        values.names = words.iter().filter(is_name).cloned().collect();
        for (at, word) in words.iter().enumerate().filter(|(_, word)| word.starts_with(|c: char| c.is_ascii_digit())) {
            let is_word = |word: &&String| word.starts_with(char::is_alphabetic);
            let beside = words
                .get(at + 1)
                .filter(is_word)
                .or_else(|| at.checked_sub(1).and_then(|at| words.get(at)).filter(is_word));
            values.numbers.insert((beside.cloned().unwrap_or_default(), word.clone()));
        }
        values
    }

    /// Whether both name the same thing by a name with digits, which few sentences of a note share.
    pub(super) fn names_one_of(&self, other: &Values) -> bool {
        self.names.intersection(&other.names).next().is_some()
    }

    /// Whether both say a value of one sort, and not the same.
    pub(super) fn conflict(&self, other: &Values) -> bool {
        let days =
            !self.weekdays.is_empty() && !other.weekdays.is_empty() && self.weekdays.is_disjoint(&other.weekdays);
        let number = |(unit, number): &(String, String)| {
            let there: Vec<&String> =
                other.numbers.iter().filter(|(of, _)| of == unit).map(|(_, number)| number).collect();
            !there.is_empty() && !there.contains(&number)
        };
        days || self.numbers.iter().any(number)
    }
}

#[cfg(test)]
mod tests {
    use super::Values;

    #[test]
    fn another_number_of_the_same_unit_or_another_weekday_is_another_value() {
        for (old, new, conflict) in [
            ("releases go out on Thursdays", "releases go out on Tuesdays, never in December", true),
            ("releases go out on Thursdays", "Thursday is release day", false),
            ("每周四发版", "发版改到周二", true),
            ("quotes hold 72 hours", "quotes hold 48 hours", true),
            ("quotes hold 72 hours", "quotes hold 72 hours, 3 items at most", false),
            ("port 8080", "port 9090", true),
            ("keep 2 replicas", "keep two replicas", false),
            ("Postgres 14 in production", "backups every 6 hours", false),
        ] {
            assert_eq!(Values::of(old).conflict(&Values::of(new)), conflict, "{old} / {new}");
        }
    }

    #[test]
    fn a_thing_is_known_by_its_name_with_digits() {
        for (one, other, same) in [
            ("MQ3: folder 14", "die Dateien für MQ3 liegen in Ordner 16", true),
            ("MQ2: folder 11", "die Dateien für MQ3 liegen in Ordner 16", false),
            ("keep 2 replicas", "2 reviewers", false),
        ] {
            assert_eq!(Values::of(one).names_one_of(&Values::of(other)), same, "{one} / {other}");
        }
    }
}
