//! Arithmetic on days, weeks and months.
//!
//! Enters: dates and what was said of them. Leaves: dates. Never fails: a day that the calendar
//! does not have, or that lies beyond its end, is no day.

use jiff::Span;
use jiff::civil::{Date, Weekday};

/// Where the words around a phrase place it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tense {
    /// It has happened.
    Past,
    /// It is planned.
    Future,
    /// The words do not say.
    Open,
}

/// A day this recently gone is meant rather than the same day next year, when nothing else tells.
const JUST_GONE_DAYS: i64 = 14;
/// The same for months.
const JUST_GONE_MONTHS: i32 = 2;

pub(super) fn plus_days(day: Date, days: i64) -> Option<Date> {
    day.checked_add(Span::new().try_days(days).ok()?).ok()
}

/// The Monday of the week `weeks` after the one that `day` is in.
pub(super) fn monday(day: Date, weeks: i64) -> Option<Date> {
    plus_days(day, weeks * 7 - i64::from(day.weekday().to_monday_zero_offset()))
}

/// A weekday of the Monday-based week `weeks` after the one that `day` is in.
pub(super) fn in_week(day: Date, weeks: i64, weekday: Weekday) -> Option<Date> {
    plus_days(monday(day, weeks)?, i64::from(weekday.to_monday_zero_offset()))
}

/// The first such weekday after `day`.
pub(super) fn following(day: Date, weekday: Weekday) -> Option<Date> {
    let ahead = (weekday.to_monday_zero_offset() - day.weekday().to_monday_zero_offset() - 1).rem_euclid(7) + 1;
    plus_days(day, i64::from(ahead))
}

/// The last such weekday before `day`.
pub(super) fn preceding(day: Date, weekday: Weekday) -> Option<Date> {
    let back = (day.weekday().to_monday_zero_offset() - weekday.to_monday_zero_offset() - 1).rem_euclid(7) + 1;
    plus_days(day, -i64::from(back))
}

/// A weekday named alone: the next one for a plan, the last one for the past.
pub(super) fn weekday(day: Date, weekday: Weekday, tense: Tense) -> Option<Date> {
    if tense == Tense::Past { preceding(day, weekday) } else { following(day, weekday) }
}

/// The working week ends on Friday; said at the weekend, the end meant is Sunday.
pub(super) fn end_of_week(day: Date, weeks: i64) -> Option<Date> {
    let friday = in_week(day, weeks, Weekday::Friday)?;
    if friday < day && weeks == 0 { in_week(day, 0, Weekday::Sunday) } else { Some(friday) }
}

/// The month `months` after the one that `day` is in.
pub(super) fn month_after(day: Date, months: i32) -> Option<(i16, i8)> {
    let index = i32::from(day.year()) * 12 + i32::from(day.month()) - 1 + months;
    let year = i16::try_from(index.div_euclid(12)).ok().filter(|y| (1..=9999).contains(y))?;
    Some((year, index.rem_euclid(12) as i8 + 1))
}

pub(super) fn last_of_month((year, month): (i16, i8)) -> Option<Date> {
    Some(Date::new(year, month, 1).ok()?.last_of_month())
}

/// The quarter `quarters` after the one that `day` is in.
pub(super) fn quarter_after(day: Date, quarters: i32) -> Option<(i16, i8)> {
    let (year, month) = month_after(day, quarters * 3)?;
    Some((year, (month - 1) / 3 + 1))
}

pub(super) fn last_of_quarter((year, quarter): (i16, i8)) -> Option<Date> {
    last_of_month((year, quarter * 3))
}

/// The year of a month that was named without one.
pub(super) fn month(day: Date, month: i8, tense: Tense) -> Option<(i16, i8)> {
    let ahead = (i32::from(month) - i32::from(day.month())).rem_euclid(12);
    let back = ahead - 12;
    match tense {
        _ if ahead == 0 => month_after(day, 0),
        Tense::Past => month_after(day, back),
        Tense::Open if -back <= JUST_GONE_MONTHS => month_after(day, back),
        Tense::Open | Tense::Future => month_after(day, ahead),
    }
}

/// The year of a quarter that was named without one.
pub(super) fn quarter(day: Date, quarter: i8, tense: Tense) -> Option<(i16, i8)> {
    let now = quarter_after(day, 0)?.1;
    let ahead = (i32::from(quarter) - i32::from(now)).rem_euclid(4);
    quarter_after(day, if tense == Tense::Past && ahead > 0 { ahead - 4 } else { ahead })
}

/// The year of a day that was named by month and day; 29 February waits for a leap year.
pub(super) fn month_day(today: Date, month: i8, day: i8, tense: Tense) -> Option<Date> {
    let year = today.year();
    let next = (year..=year.saturating_add(8)).filter_map(|y| Date::new(y, month, day).ok()).find(|d| *d >= today);
    let last =
        (year.saturating_sub(8)..=year).rev().filter_map(|y| Date::new(y, month, day).ok()).find(|d| *d <= today);
    choose(today, last, next, tense)
}

/// The month of a day that was named by its number alone.
pub(super) fn day_of_month(today: Date, day: i8, tense: Tense) -> Option<Date> {
    let at = |months| {
        let (year, month) = month_after(today, months)?;
        Date::new(year, month, day).ok()
    };
    let next = (0..=2).filter_map(at).find(|d| *d >= today);
    if tense == Tense::Past { (-2..=0).rev().filter_map(at).find(|d| *d <= today) } else { next }
}

/// Two days of a month named by their numbers alone, the second on or after the first.
pub(super) fn days_of_month(today: Date, first: i8, last: i8, tense: Tense) -> Option<(Date, Date)> {
    let last = day_of_month(today, last, tense)?;
    Some((day_of_month(last, first, Tense::Past)?, last))
}

fn choose(today: Date, last: Option<Date>, next: Option<Date>, tense: Tense) -> Option<Date> {
    let just_gone = last.is_some_and(|l| plus_days(l, JUST_GONE_DAYS).is_some_and(|limit| limit >= today));
    match tense {
        Tense::Past => last,
        Tense::Open if just_gone => last,
        Tense::Open | Tense::Future => next,
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Weekday, date};

    use super::*;

    #[test]
    fn weeks_start_on_monday_and_cross_years() {
        let sunday = date(2026, 4, 12);
        assert_eq!(in_week(sunday, 1, Weekday::Monday), Some(date(2026, 4, 13)));
        assert_eq!(in_week(date(2026, 4, 13), 1, Weekday::Monday), Some(date(2026, 4, 20)));
        assert_eq!(in_week(date(2025, 12, 31), 1, Weekday::Friday), Some(date(2026, 1, 9)));
        assert_eq!(following(sunday, Weekday::Sunday), Some(date(2026, 4, 19)));
        assert_eq!(preceding(sunday, Weekday::Sunday), Some(date(2026, 4, 5)));
        assert_eq!(preceding(sunday, Weekday::Saturday), Some(date(2026, 4, 11)));
        assert_eq!(end_of_week(date(2026, 4, 10), 0), Some(date(2026, 4, 10)));
        assert_eq!(end_of_week(date(2026, 4, 11), 0), Some(sunday));
    }

    #[test]
    fn a_year_is_added_by_tense() {
        let today = date(2026, 4, 10);
        assert_eq!(month_day(today, 6, 15, Tense::Future), Some(date(2026, 6, 15)));
        assert_eq!(month_day(today, 1, 3, Tense::Future), Some(date(2027, 1, 3)));
        assert_eq!(month_day(today, 6, 15, Tense::Past), Some(date(2025, 6, 15)));
        assert_eq!(month_day(today, 4, 8, Tense::Open), Some(date(2026, 4, 8)));
        assert_eq!(month_day(today, 4, 10, Tense::Future), Some(today));
        assert_eq!(month(today, 3, Tense::Open), Some((2026, 3)));
        assert_eq!(month(today, 3, Tense::Future), Some((2027, 3)));
        assert_eq!(month(today, 4, Tense::Past), Some((2026, 4)));
        assert_eq!(quarter(today, 1, Tense::Future), Some((2027, 1)));
        assert_eq!(quarter(today, 1, Tense::Past), Some((2026, 1)));
    }

    #[test]
    fn odd_days_are_no_days_or_wait() {
        let today = date(2026, 4, 10);
        assert_eq!(month_day(today, 2, 29, Tense::Future), Some(date(2028, 2, 29)));
        assert_eq!(month_day(today, 2, 30, Tense::Future), None);
        assert_eq!(day_of_month(date(2026, 2, 10), 31, Tense::Future), Some(date(2026, 3, 31)));
        assert_eq!(day_of_month(today, 5, Tense::Past), Some(date(2026, 4, 5)));
        let june = |d| date(2026, 6, d);
        assert_eq!(days_of_month(june(10), 5, 16, Tense::Future), Some((june(5), june(16))));
        assert_eq!(plus_days(Date::MAX, 1), None);
        assert_eq!(month_after(Date::MAX, 1), None);
        assert_eq!(last_of_month((2028, 2)), Some(date(2028, 2, 29)));
        assert_eq!(last_of_quarter((2026, 1)), Some(date(2026, 3, 31)));
    }
}
