//! How old a memory is, in words a model understands (A1, A2, A3).
//!
//! Enters: when a memory was written, where that is known, and the time now, both from the caller. Leaves: days,
//! words, headers. Never reads a clock, and never takes an unknown age for a young one. Days are those of the local calendar: what was saved
//! late yesterday is from yesterday, not "zero days old".

use jiff::{Timestamp, Zoned};

use crate::prompts::{PromptTemplate, Prompts, RenderError};
use memdir_guard::shown::{for_model, one_line};

/// Local calendar days between a writing and now; one in the future counts as today.
pub fn age_days(written: Timestamp, now: &Zoned) -> i64 {
    let changed = written.to_zoned(now.time_zone().clone()).date();
    let hours = now.date().duration_since(changed).as_hours();
    (hours / 24).max(0)
}

/// `today`, `yesterday` or `N days ago` (A1).
pub(crate) fn age_words(days: i64) -> String {
    match days {
        ..=0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        _ => format!("{days} days ago"),
    }
}

/// The same of a memory, whose age may be unknown.
pub fn memory_age(days: Option<i64>) -> String {
    days.map_or_else(|| "age unknown".to_owned(), age_words)
}

/// What stands above a recalled memory (A2): its age, or from two days on the caveat first, as where nobody knows.
pub(crate) fn memory_header(path: &str, days: Option<i64>, prompts: &mut Prompts) -> Result<String, RenderError> {
    let path = one_line(path);
    let caveat = match days {
        Some(days) if days <= 1 => return Ok(format!("Memory (saved {}): {path}:", age_words(days))),
        Some(days) => prompts.render(PromptTemplate::Staleness, &[("days", &days.to_string())])?,
        None => prompts.phrase("age-unknown", &[])?,
    };
    Ok(format!("{caveat}\n\nMemory: {path}:"))
}

/// A daily log as a listing shows it (A3): name and age, text, and from two days on a note.
pub fn daily_entry(name: &str, days: i64, text: &str, prompts: &mut Prompts) -> Result<String, RenderError> {
    let (name, text) = (one_line(name), for_model(text.trim_end()));
    if days <= 1 {
        return Ok(format!("## {name} ({})\n{text}", age_words(days)));
    }
    let note = prompts.render(PromptTemplate::DailyNote, &[("days", &days.to_string())])?;
    Ok(format!("## {name} ({days} days old)\n{text}\n{note}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn days(mtime: &str, now: &str) -> i64 {
        age_days(mtime.parse().unwrap(), &now.parse().unwrap())
    }

    #[test]
    fn a1_days_are_those_of_the_local_calendar() {
        let cases = [
            // (changed, now, days)
            ("2026-04-10T08:00:00Z", "2026-04-10T20:00:00+00:00[UTC]", 0),
            ("2026-04-09T23:59:59Z", "2026-04-10T00:00:01+00:00[UTC]", 1),
            ("2026-04-10T00:00:00Z", "2026-04-10T23:59:59+00:00[UTC]", 0),
            ("2026-02-22T10:00:00Z", "2026-04-10T09:00:00+00:00[UTC]", 47),
            // One instant, two calendars.
            ("2026-04-09T23:00:00Z", "2026-04-10T10:00:00+09:00[Asia/Tokyo]", 0),
            ("2026-04-09T23:00:00Z", "2026-04-09T21:00:00-04:00[America/New_York]", 0),
            ("2026-04-09T03:00:00Z", "2026-04-09T21:00:00-04:00[America/New_York]", 1),
            // The short day (23 h) and the long day (25 h) count as one day each.
            ("2026-03-28T22:30:00Z", "2026-03-29T23:30:00+02:00[Europe/Berlin]", 1),
            ("2026-03-29T22:30:00Z", "2026-03-30T00:45:00+02:00[Europe/Berlin]", 0),
            ("2026-10-24T22:30:00Z", "2026-10-25T23:30:00+01:00[Europe/Berlin]", 0),
            ("2026-10-24T21:30:00Z", "2026-10-25T23:30:00+01:00[Europe/Berlin]", 1),
            // A leap day, and a clock that runs backwards.
            ("2028-02-28T12:00:00Z", "2028-03-01T12:00:00+00:00[UTC]", 2),
            ("2026-05-01T00:00:00Z", "2026-04-10T12:00:00+00:00[UTC]", 0),
        ];
        for (changed, now, want) in cases {
            assert_eq!(days(changed, now), want, "{changed} seen at {now}");
        }
    }

    #[test]
    fn a1_words() {
        let cases = [(-3, "today"), (0, "today"), (1, "yesterday"), (2, "2 days ago")];
        for (days, want) in cases {
            assert_eq!(age_words(days), want);
        }
    }

    #[test]
    fn a2_fresh_memories_carry_their_age_in_the_header() {
        let mut prompts = Prompts::built_in();
        let mut header = |days| memory_header("/m/a.md", Some(days), &mut prompts).unwrap();
        assert_eq!(header(0), "Memory (saved today): /m/a.md:");
        assert_eq!(header(1), "Memory (saved yesterday): /m/a.md:");
    }

    #[test]
    fn a2_older_memories_carry_a_caveat_with_the_days_first() {
        let header = memory_header("/m/a.md", Some(47), &mut Prompts::built_in()).unwrap();
        let (caveat, rest) = header.split_once("\n\n").unwrap();
        assert_eq!(rest, "Memory: /m/a.md:");
        for part in ["47 days", "true then", "outdated", "Check"] {
            assert!(caveat.contains(part), "no {part:?} in {caveat}");
        }
    }

    #[test]
    fn k6_an_unknown_age_is_said_to_be_unknown_and_is_no_young_one() {
        let header = memory_header("/m/a.md", None, &mut Prompts::built_in()).unwrap();
        let (caveat, rest) = header.split_once("\n\n").unwrap();
        assert_eq!(rest, "Memory: /m/a.md:");
        assert!(caveat.contains("not known") && caveat.contains("outdated") && !caveat.contains("days"), "{caveat}");
        assert_eq!((memory_age(None), memory_age(Some(1))), ("age unknown".to_owned(), "yesterday".to_owned()));
    }

    #[test]
    fn a3_daily_files_carry_age_and_a_note_when_old() {
        let mut prompts = Prompts::built_in();
        let mut entry = |days| daily_entry("2026-04-10.md", days, "- x\n", &mut prompts).unwrap();
        assert_eq!(entry(0), "## 2026-04-10.md (today)\n- x");
        assert_eq!(entry(1), "## 2026-04-10.md (yesterday)\n- x");
        let old = entry(7);
        assert!(old.starts_with("## 2026-04-10.md (7 days old)\n- x\nNote: "), "{old}");
        assert!(old.contains("7 days") && old.contains("check"), "{old}");
    }

    proptest! {
        #[test]
        fn a1_never_negative_and_never_shrinks_as_time_passes(
            changed in -2_000_000_000_i64..4_000_000_000,
            now in -2_000_000_000_i64..4_000_000_000,
            later in 0_i64..100_000_000,
            // Zones whose clocks never fall back across midnight.
            zone in prop::sample::select(vec!["UTC", "Europe/Berlin", "America/Los_Angeles"]),
        ) {
            let zone = jiff::tz::TimeZone::get(zone).unwrap();
            let at = |second| Timestamp::from_second(second).unwrap();
            let first = age_days(at(changed), &at(now).to_zoned(zone.clone()));
            let second = age_days(at(changed), &at(now + later).to_zoned(zone));
            prop_assert!(first >= 0 && second >= first);
        }
    }
}
