//! The days and months that a prompt names, by the clock of the session.
//!
//! Enters: a prompt and today. Leaves: each time it names, with its days as memories write them and how long ago it was. A day without a
//! year is that of this year and of the last, and a weekday alone is the one before and the one to come, since a question seldom says
//! which. Of a long prompt only the beginning and the end are read: times inside a paste are those of a log.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use memdir_reader::dates::{DateMeaning, resolve, weekdays, whole_dates};
use memdir_search::named::NamedTime;

/// What is read of a prompt at each end; what a person asks in words of their own is shorter.
const END_BYTES: usize = 480;
/// A span of more days is no time that somebody asks about.
const MOST_DAYS: usize = 92;
/// The times of one prompt; more are a plan that was pasted.
const MOST_TIMES: usize = 6;

/// The times that a prompt names, in its order.
pub(super) fn named(prompt: &str, today: Date) -> Vec<NamedTime> {
    let (head, tail) = ends(prompt);
    let mut times = Vec::new();
    for part in [head, tail] {
        in_words(part, today, &mut times);
    }
    times.truncate(MOST_TIMES);
    times
}

/// The beginning and the end of a long prompt, or all of a short one.
fn ends(prompt: &str) -> (&str, &str) {
    if prompt.len() <= 2 * END_BYTES {
        return (prompt, "");
    }
    (&prompt[..prompt.floor_char_boundary(END_BYTES)], &prompt[prompt.ceil_char_boundary(prompt.len() - END_BYTES)..])
}

fn in_words(text: &str, today: Date, times: &mut Vec<NamedTime>) {
    for (place, day) in whole_dates(text) {
        // A moment with its hour is a line of a log.
        let is_moment = text[place.end..].trim_start_matches(['T', ' ']).starts_with(|c: char| c.is_ascii_digit());
        if !is_moment {
            times.push(time(&text[place], &[(day, day)], today));
        }
    }
    let changes = resolve(text, today).changes;
    for change in &changes {
        let Some((first, last)) = span(change.meant) else { continue };
        let mut spans = vec![(first, last)];
        let has_year = change.said.bytes().filter(u8::is_ascii_digit).count() >= 4;
        let names_month =
            matches!(change.meant, DateMeaning::Month(..)) || change.said.contains(|c: char| c.is_numeric());
        if !has_year && names_month && first > today {
            spans.extend(first.checked_sub(1.year()).ok().zip(last.checked_sub(1.year()).ok()));
        }
        times.push(time(&change.said, &spans, today));
    }
    if changes.is_empty() {
        for day in weekdays(text) {
            let Ok(weekday) = Weekday::from_monday_one_offset(day) else { continue };
            let (Ok(before), Ok(after)) = (today.nth_weekday(-1, weekday), today.nth_weekday(1, weekday)) else {
                continue;
            };
            times.push(time(
                WEEKDAY_NAMES[usize::from(day.unsigned_abs()) - 1],
                &[(after, after), (before, before)],
                today,
            ));
        }
    }
}

/// How a weekday that was named in some language is called in a reason.
const WEEKDAY_NAMES: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The first and the last day of a time; nothing for a whole year.
fn span(meant: DateMeaning) -> Option<(Date, Date)> {
    let from = |first: Date, days: i64| Some((first, first.checked_add(days.days()).ok()?));
    match meant {
        DateMeaning::Day(day) | DateMeaning::About(day) => Some((day, day)),
        DateMeaning::Days(first, last) => Some((first, last)),
        DateMeaning::Week(monday) => from(monday, 6),
        DateMeaning::Weekend(saturday) => from(saturday, 1),
        DateMeaning::Month(year, month) => {
            let first = Date::new(year, month, 1).ok()?;
            Some((first, first.last_of_month()))
        }
        DateMeaning::Quarter(year, quarter) => {
            let first = Date::new(year, quarter * 3 - 2, 1).ok()?;
            Some((first, first.checked_add(2.months()).ok()?.last_of_month()))
        }
        DateMeaning::Year(_) => None,
    }
}

fn time(said: &str, spans: &[(Date, Date)], today: Date) -> NamedTime {
    let mut written = Vec::new();
    for (first, last) in spans {
        let days = first.series(1.day()).take_while(|day| day <= last).take(MOST_DAYS);
        written.extend(days.map(|day| day.to_string()));
        if first.day() == 1 && *last == first.last_of_month() {
            written.push(first.strftime("%Y-%m").to_string());
        }
    }
    // What is written today was written in this session as likely as not.
    let past = spans.iter().find(|(_, last)| *last < today);
    let ago = |day: Date| day.until(today).ok().and_then(|span| u32::try_from(span.get_days()).ok());
    let days_ago = past.and_then(|(first, last)| ago(*last).zip(ago(*first)));
    NamedTime { said: said.to_owned(), written, days_ago }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: Date = Date::constant(2026, 11, 18);

    fn written(prompt: &str) -> Vec<String> {
        named(prompt, TODAY).into_iter().flat_map(|time| time.written).collect()
    }

    #[test]
    fn a_day_is_that_of_the_clock_whatever_way_it_is_named() {
        assert_eq!(written("what did we decide on 3 March?"), ["2026-03-03"]);
        assert_eq!(written("was war am 3. März beschlossen"), ["2026-03-03"]);
        assert_eq!(written("the outage last Tuesday"), ["2026-11-17"]);
        assert_eq!(written("the plan of 2026-05-14, again"), ["2026-05-14"]);
        assert_eq!(written("what's planned for May 14th?"), ["2027-05-14", "2026-05-14"]);
        assert_eq!(written("can I merge on Thursday"), ["2026-11-19", "2026-11-12"]);
        assert_eq!(named("what did we decide on 3 March?", TODAY)[0].days_ago, Some((260, 260)));
        assert_eq!(named("what is due tomorrow", TODAY)[0].days_ago, None);
    }

    #[test]
    fn a_month_is_all_of_its_days() {
        let days = written("what happened in February");
        assert_eq!((days.len(), days[0].as_str(), days[28].as_str()), (29, "2026-02-01", "2026-02"));
    }

    #[test]
    fn a_moment_in_a_log_is_no_time_that_is_asked_about() {
        assert!(written("2026-11-17T08:12:44 ERROR pool exhausted\n2026-11-17 08:12:45 ERROR again").is_empty());
        let log = format!("why?\n{}\nsee above", "a line of the log of 3 March\n".repeat(100));
        assert!(named(&log, TODAY).len() <= MOST_TIMES);
    }
}
