//! A weekday that is a habit stays one.
//!
//! Enters: what a memory says and what is said anew. Leaves: the new words, without the date that was put beside a weekday where the
//! memory's own weekday has none. "Deploys moved to Thursday" means one Thursday of a single deploy, and every Thursday of what is known
//! to happen on Tuesdays; only what it changes tells which.

use std::borrow::Cow;

use memdir_reader::dates;

/// The new words as the memory would say them.
pub(super) fn kept<'t>(old: &str, new: &'t str) -> Cow<'t, str> {
    if dates::weekdays(old).is_empty() || dates::whole_dates(old).next().is_some() {
        return Cow::Borrowed(new);
    }
    let mut text = Cow::Borrowed(new);
    while let Some(place) = dated_weekday(&text) {
        let without = format!("{}{}", text[..place.start].trim_end(), &text[place.end..]);
        text = Cow::Owned(without);
    }
    text
}

/// Whether new words lose a date because what they change is a habit.
pub(in crate::engine) fn is_habit_of(old: &str, new: &str) -> bool {
    kept(old, new) != new
}

/// Where a date in brackets stands right behind a weekday.
fn dated_weekday(text: &str) -> Option<std::ops::Range<usize>> {
    dates::whole_dates(text).find_map(|(place, _)| {
        let (before, behind) = (&text[..place.start], &text[place.end..]);
        let before = before.strip_suffix(['(', '（'])?;
        let close = behind.chars().next().filter(|close| [')', '）'].contains(close))?;
        let word = before.trim_end();
        let last = word.char_indices().rev().take(12).map(|(at, _)| at).last()?;
        let is_weekday = !dates::weekdays(word[last..].rsplit(char::is_whitespace).next()?).is_empty();
        is_weekday.then(|| before.len()..place.end + close.len_utf8())
    })
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn k2_a_habit_that_moves_to_another_weekday_stays_a_habit() {
        for (old, new, text) in [
            ("we deploy on tuesdays", "we moved deploys to thursday (2026-11-19)", "we moved deploys to thursday"),
            ("发版在周四", "发版改到周二（2026-11-17）了", "发版改到周二了"),
            (
                "Wir liefern dienstags",
                "Lieferung ist ab Donnerstag (2026-11-19) früh",
                "Lieferung ist ab Donnerstag früh",
            ),
            (
                "the demo is on 2026-11-17, a Tuesday",
                "the demo moved to Thursday (2026-11-19)",
                "the demo moved to Thursday (2026-11-19)",
            ),
            ("we deploy by hand", "the deploy is on Thursday (2026-11-19)", "the deploy is on Thursday (2026-11-19)"),
            (
                "we deploy on tuesdays",
                "we deploy twice until June (2026-06-30)",
                "we deploy twice until June (2026-06-30)",
            ),
        ] {
            assert_eq!(kept(old, new), text);
        }
    }
}
