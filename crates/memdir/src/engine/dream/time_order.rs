//! When something was said, as exactly as is known, and whether that is later than what a memory says (K6).
//!
//! Enters: a time from a transcript, a day and a minute from a log. Leaves: an order, which may be unknown. A memory whose time
//! only its file tells can have been written at any time before that: what was said later than the file is later, of the rest nobody
//! knows. Never guesses: what is unknown is proposed, not done.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use super::workspace::WorkspaceMemory;

/// When something was said: between two instants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeInterval {
    pub(super) earliest: Timestamp,
    latest: Timestamp,
}

/// What a statement is in time to a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeOrder {
    Later,
    Earlier,
    Unknown,
}

impl TimeInterval {
    /// At a time that a transcript names; never after now.
    pub(super) fn exact(at: Timestamp, now: Timestamp) -> TimeInterval {
        TimeInterval { earliest: at.min(now), latest: at.min(now) }
    }

    /// In a minute of a day. Without one it is the beginning of the day: a day alone is older evidence than a time.
    pub(super) fn on(day: Date, minute: Option<Time>, zone: &TimeZone, now: Timestamp) -> TimeInterval {
        let start = day.to_datetime(minute.unwrap_or(Time::midnight()));
        let start = start.to_zoned(zone.clone()).map_or(Timestamp::UNIX_EPOCH, |zoned| zoned.timestamp()).min(now);
        // A log notes no seconds.
        let known = minute.is_none_or(|minute| minute.second() != 0);
        let end = if known { Ok(start) } else { start.checked_add(59.seconds()) };
        TimeInterval { earliest: start, latest: end.unwrap_or(start).min(now) }
    }
}

/// Whether something was said after what a memory says.
pub(super) fn order(said: Option<TimeInterval>, memory: &WorkspaceMemory) -> TimeOrder {
    let Some(said) = said else { return TimeOrder::Unknown };
    match memory.noted {
        Some(noted) if said.earliest > noted => TimeOrder::Later,
        Some(noted) if said.latest <= noted => TimeOrder::Earlier,
        None if said.earliest > memory.stood_by => TimeOrder::Later,
        None if memory.said_at.is_some_and(|day| said.latest < day) => TimeOrder::Earlier,
        _ => TimeOrder::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memdir_guard::confine::RelPath;
    use memdir_store::topic::Topic;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn k6_the_time_decides_to_the_second_and_not_the_day() {
        let now = at("2026-04-14T22:00:00Z");
        let mut memory = WorkspaceMemory::loose(RelPath::parse("a.md").unwrap(), Topic::parse(Vec::new()));
        let said = |text: &str| Some(TimeInterval::exact(at(text), now));
        memory.noted = Some(at("2026-04-14T10:05:30Z"));
        assert_eq!(order(said("2026-04-14T09:00:00Z"), &memory), TimeOrder::Earlier);
        assert_eq!(order(said("2026-04-14T10:05:31Z"), &memory), TimeOrder::Later);
        assert_eq!(order(None, &memory), TimeOrder::Unknown);
        let logged = |minute: Option<(i8, i8)>| {
            let minute = minute.map(|(hour, minute)| jiff::civil::time(hour, minute, 0, 0));
            Some(TimeInterval::on("2026-04-14".parse().unwrap(), minute, &TimeZone::UTC, now))
        };
        // Within the minute it is unknown; a day alone is no later than a time of that day.
        assert_eq!(order(logged(Some((10, 5))), &memory), TimeOrder::Unknown);
        assert_eq!(order(logged(Some((10, 6))), &memory), TimeOrder::Later);
        assert_eq!(order(logged(None), &memory), TimeOrder::Earlier);
        // A file's own time bounds, and decides nothing else.
        (memory.noted, memory.stood_by) = (None, at("2026-04-14T10:05:30Z"));
        assert_eq!(order(said("2026-04-14T09:00:00Z"), &memory), TimeOrder::Unknown);
        assert_eq!(order(said("2026-04-14T11:00:00Z"), &memory), TimeOrder::Later);
        // Never after now.
        memory.stood_by = now;
        assert_eq!(order(said("2027-01-01T00:00:00Z"), &memory), TimeOrder::Unknown);
    }
}
