//! Relative dates: resolving is complete, idempotent and says what it did (F4).
//!
//! Input: two bytes for the day, then the text.

#![no_main]

use jiff::civil::{Date, date};
use libfuzzer_sys::fuzz_target;
use memdir::reader::dates::{DateMeaning, has_relative, resolve};
use memdir_fuzz::text;

fuzz_target!(|data: &[u8]| {
    let (day, said) = data.split_at(data.len().min(2));
    let number = day.iter().fold(0_i32, |number, byte| number << 8 | i32::from(*byte));
    let today = date(2000, 1, 1).saturating_add(jiff::Span::new().days(number));
    let said = text(said);
    holds(&said, today);
    // Where the calendar runs out nothing is promised but survival.
    let _ = (resolve(&said, Date::MAX), resolve(&said, Date::MIN));
});

fn holds(said: &str, today: Date) {
    let once = resolve(said, today);
    assert_eq!(resolve(&once.text, today).text, once.text, "resolving twice is not resolving once");
    assert!(!has_relative(&once.text), "{:?} is left relative", once.text);
    assert_eq!(once.changes.is_empty(), once.text == said, "changed in silence, or not at all");
    let mut end = 0;
    for change in &once.changes {
        assert!(change.start >= end, "changes overlap");
        assert!(said.get(change.start..).is_some_and(|rest| rest.starts_with(&change.said)), "{:?} was not said", change.said);
        end = change.start + change.said.len();
        let shown = match change.meant {
            DateMeaning::Day(day) | DateMeaning::About(day) | DateMeaning::Week(day) | DateMeaning::Weekend(day) => day.to_string(),
            DateMeaning::Days(first, last) => {
                assert!(first <= last, "{first} is after {last}");
                first.to_string()
            }
            DateMeaning::Month(year, month) => format!("{year:04}-{month:02}"),
            DateMeaning::Quarter(year, quarter) => format!("{year:04}-Q{quarter}"),
            DateMeaning::Year(year) => format!("{year:04}"),
        };
        assert!(once.text.contains(&shown), "{:?} lacks {shown}", once.text);
    }
}
