//! Daily logs by their names (L1, L3): `logs/YYYY/MM/YYYY-MM-DD.md`, or the same without `logs/`, or with the day alone.
//!
//! Enters: a path below a memory directory. Leaves: whether it is one, and of which day. Never looks at a file.

use jiff::civil::Date;

/// Whether a path is that of a daily log.
pub fn is_daily_log(path: &str) -> bool {
    let below = path.strip_prefix("team/").unwrap_or(path);
    let below = below.strip_prefix("logs/").unwrap_or(below);
    let mut parts = below.split('/');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let day = day.strip_suffix(".md").unwrap_or(day);
    digits(year, 4)
        && digits(month, 2)
        && (digits(day, 2) || day.strip_prefix(&format!("{year}-{month}-")).is_some_and(|day| digits(day, 2)))
}

/// The day of a log, from its path.
pub fn day_of_log(path: &str) -> Option<Date> {
    let mut parts = path.rsplit('/');
    let (day, month, year) = (parts.next()?.strip_suffix(".md")?, parts.next()?, parts.next()?);
    let day = day.rsplit('-').next()?;
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}
