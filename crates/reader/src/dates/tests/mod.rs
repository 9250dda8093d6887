//! Tables and properties for the resolving of dates.

mod chinese;
mod english;
mod properties;
mod tabled;

use jiff::civil::{Date, date};

use super::{DateMeaning, resolve};

/// A Friday in the middle of a month.
const TODAY: Date = date(2026, 4, 10);

/// Checks `(text, resolved)` pairs as seen from `today`; equal sides mean nothing was relative.
fn check(today: Date, table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|(text, want)| {
            let got = resolve(text, today);
            (got.text != *want || got.changes.is_empty() != (text == want))
                .then(|| format!("{text:?}\n   want {want:?}\n    got {:?}", got.text))
        })
        .collect();
    assert!(wrong.is_empty(), "from {today}:\n{}", wrong.join("\n"));
}

/// Checks that nothing in these texts is taken for a relative date.
fn untouched(texts: &[&str]) {
    for text in texts {
        let got = resolve(text, TODAY);
        assert_eq!(got.text, *text);
        assert!(!super::has_relative(text), "{text:?}");
    }
}

#[test]
fn f4_changes_say_what_was_said_and_meant() {
    let got = resolve("the freeze starts Thursday, thaw 下周一, audit next month", TODAY);
    let said: Vec<(&str, DateMeaning, usize)> =
        got.changes.iter().map(|c| (c.said.as_str(), c.meant, c.start)).collect();
    assert_eq!(
        said,
        [
            ("Thursday", DateMeaning::Day(date(2026, 4, 16)), 18),
            ("下周一", DateMeaning::Day(date(2026, 4, 13)), 33),
            ("next month", DateMeaning::Month(2026, 5), 50),
        ]
    );
    assert_eq!(
        got.text,
        "the freeze starts Thursday (2026-04-16), thaw 下周一(2026-04-13), audit next month (2026-05)"
    );
}

#[test]
fn f4_a_note_is_read_from_the_day_it_was_written() {
    let note = "Noted on 2026-04-02 (a Thursday): merge freeze starts next Thursday.";
    let day = super::anchor(note).unwrap_or(TODAY);
    let got = resolve(note, day).text;
    assert_eq!(got, "Noted on 2026-04-02 (a Thursday): merge freeze starts next Thursday (2026-04-09).");
}

#[test]
fn f4_a_name_has_the_dates_without_the_words() {
    for (text, want) in [
        ("The demo is the day after tomorrow (2026-04-15) at 14:00", "The demo is 2026-04-15 at 14:00"),
        (
            "Yesterday's (2026-04-09) outage, then next week (2026-04-13 – 2026-04-19).",
            "2026-04-09 outage, then 2026-04-13/2026-04-19.",
        ),
        ("我们下周三(2026-04-15)上线", "我们2026-04-15上线"),
        ("No deploys on Friday (see board)", "No deploys on Friday (see board)"),
        ("It is **tomorrow (2026-04-11)**", "It is **2026-04-11**"),
    ] {
        assert_eq!(super::without_words(text), want);
    }
}

#[test]
fn k2_words_that_meant_the_old_date_go_with_it() {
    let text = "The beta runs until june 30 (2026-06-30); the report on 2026-06-30 is due tomorrow (2026-04-11).";
    let want = "The beta runs until 2026-07-15; the report on 2026-07-15 is due tomorrow (2026-04-11).";
    assert_eq!(super::replaced(text, "2026-06-30", "2026-07-15"), want);
    assert_eq!(super::replaced("port 80, 80 tries", "80", "81"), "port 81, 81 tries");
}
