//! The old sentence with one value exchanged, where that is all that a statement changes.
//!
//! Enters: the sentence as it was and what is said now. Leaves: the old sentence with the new value in the place of the old one, so that
//! what it says beside stays ("Thelonius is on duty on Saturdays and orders the narcotics", "thelonius does sundays now"). Nothing where
//! the statement says more than a value, where it is not clear which value is meant, or where a value is no more than a word. Goes by the
//! shape of values, in any language. Pure: nothing is read or written.

use std::ops::Range;

use memdir_reader::{dates, likeness};

use super::exchange::{places_of, words};

/// What a value looks like; one takes the place of another of its shape only.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape {
    Weekday,
    /// A number with what joins its digits: `8:50`, `15.5`, `40`.
    Number(String),
    /// A word with marks or digits inside: `\\mill02\incoming`, `episodes-raw`, `rev-c2`.
    Identifier,
    /// A word with a capital inside a sentence.
    Name,
}

/// A value and where it stands.
struct Value<'t> {
    text: &'t str,
    place: Range<usize>,
    shape: Shape,
}

/// The old sentence with the value that a statement changes; `None` where the statement is more, or less, than that.
pub(super) fn swapped(old: &str, new: &str) -> Option<String> {
    let (was, is) = (values(old), values(new));
    let come = only(&is, &was);
    let [value] = come.as_slice() else { return None };
    // Whatever else it says must stand in the old sentence.
    let known = likeness::words(old);
    let own = likeness::words(value.text);
    if likeness::words(new).iter().any(|word| !known.contains(word) && !own.contains(word)) {
        return None;
    }
    let gone: Vec<&Value<'_>> = only(&was, &is).into_iter().filter(|one| one.shape == value.shape).collect();
    let beside = |text: &str, one: &Value<'_>| -> [Option<String>; 2] { neighbours(text, &one.place) };
    let new_beside = beside(new, value);
    let alike = |one: &&&Value<'_>| beside(old, one).iter().zip(&new_beside).any(|(a, b)| a.is_some() && a == b);
    let meant = match gone.as_slice() {
        [one] => *one,
        several => {
            let mut alike = several.iter().filter(alike);
            let one = alike.next()?;
            if alike.next().is_some() {
                return None;
            }
            *one
        }
    };
    // Said twice, the second one may count something else.
    if places_of(meant.text, old).len() > 1 && !matches!(meant.shape, Shape::Name | Shape::Identifier) {
        return None;
    }
    let mut out = old.to_owned();
    for at in places_of(meant.text, old).into_iter().rev() {
        out.replace_range(at..at + meant.text.len(), value.text);
    }
    Some(out)
}

/// The values of one text that another does not have.
fn only<'a, 't>(one: &'a [Value<'t>], other: &[Value<'_>]) -> Vec<&'a Value<'t>> {
    let same = |a: &Value<'_>, b: &Value<'_>| a.text.eq_ignore_ascii_case(b.text);
    let mut found: Vec<&Value<'t>> = Vec::new();
    for value in one.iter().filter(|value| !other.iter().any(|other| same(value, other))) {
        if !found.iter().any(|known| same(known, value)) {
            found.push(value);
        }
    }
    found
}

fn values(text: &str) -> Vec<Value<'_>> {
    let mut found: Vec<Value<'_>> = Vec::new();
    for (at, place) in words(text).into_iter().enumerate() {
        // A backslash or a quote in front belongs to a path.
        let said = &text[place.clone()];
        let opens = at == 0 || text[..place.start].trim_end().ends_with(['.', '!', '?', '\n', '-', '*']);
        let has_digit = said.contains(|c: char| c.is_ascii_digit());
        let shape = match () {
            () if !dates::weekdays(said).is_empty() => Shape::Weekday,
            () if has_digit && !said.contains(char::is_alphabetic) => Shape::Number(form(said)),
            () if has_digit || said.contains(['_', '/', '@', '#']) || said.contains('.') => Shape::Identifier,
            () if is_quoted(text, &place) => Shape::Identifier,
            () if !opens && said.starts_with(char::is_uppercase) => Shape::Name,
            () => continue,
        };
        found.push(Value { text: said, place, shape });
    }
    found
}

/// Whether words stand in backticks.
fn is_quoted(text: &str, place: &Range<usize>) -> bool {
    text[..place.start].ends_with('`') && text[place.end..].starts_with('`')
}

/// The shape of a number: how its digits are joined, not how many they are.
fn form(number: &str) -> String {
    number.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// The words right before and right behind a place, as far as they mean anything.
fn neighbours(text: &str, place: &Range<usize>) -> [Option<String>; 2] {
    let meaning = |text: &str| likeness::words(text);
    [meaning(&text[..place.start]).last().cloned(), meaning(&text[place.end..]).first().cloned()]
}

#[cfg(test)]
mod tests {
    use super::swapped;

    #[test]
    fn k2_one_value_changes_and_the_sentence_stays() {
        for (old, new, want) in [
            (
                "Thelonius is on duty on Saturdays and orders the narcotics.",
                "thelonius has duty on Sundays",
                Some("Thelonius is on duty on Sundays and orders the narcotics."),
            ),
            (
                "Winter quarters are in Hollabrook from 10 November to 1 March.",
                "winter quarters are in Pentlow",
                Some("Winter quarters are in Pentlow from 10 November to 1 March."),
            ),
            (
                "Jobs come from queue `audio-in`, dead letters go to `audio-dead`.",
                "the queue is `audio-raw`",
                Some("Jobs come from queue `audio-raw`, dead letters go to `audio-dead`."),
            ),
            (
                "A code has 6 digits and ends after 120 seconds.",
                "a code ends after 45 seconds",
                Some("A code has 6 digits and ends after 45 seconds."),
            ),
            ("A code has 6 digits and ends after 120 seconds.", "it is 45 for a code", None),
            ("Numbers go in by 9:15, in writing.", "numbers go in by 8:50 because the van leaves early", None),
            ("Numbers go in by 9:15.", "numbers go in late", None),
        ] {
            assert_eq!(swapped(old, new).as_deref(), want, "{new}");
        }
    }
}
