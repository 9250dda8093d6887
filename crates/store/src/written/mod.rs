//! When a memory was written: what its age, its rank and a conflict of two go by (K6).
//!
//! Enters: what a file says of itself, what the history has heard, the transcript of its session, the file's own time. Leaves:
//! one time and what it rests on, or that nobody knows. The file's time comes last, and is not believed where many files have
//! nearly the same: a clone or a copy made those. Never looks at a clock; what claims to be later than now counts as now.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, time};
use jiff::tz::TimeZone;

use super::Store;
use super::daily_log::{day_of_log, is_daily_log};
use super::fs::{self, FileStat};
use super::history::{Actor, Change, FileChange, Hash, Version, Visit};
use super::topic::{Header, Topic};

/// So many files that came one right after the other came in one go, and their times tell when that was.
const TOGETHER: usize = 5;
/// At most so far apart, in nanoseconds.
const APART_NS: i64 = 500_000_000;
/// A file whose time was set by hand or by an archiver was changed later than it says; others were not, but for this.
const UNSET_NS: u64 = 2_000_000_000;
/// Bytes at the end of a transcript among which its last message is.
const TRANSCRIPT_TAIL: u64 = 64 * 1024;

/// When a memory was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// When; for [`TimeSource::Unknown`] a time by which it was there.
    pub at: Timestamp,
    /// How that is known.
    pub source: TimeSource,
}

/// How it is known when a memory was written, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeSource {
    /// `metadata.modified` or `modified` in the file, or the day in the name of a daily log.
    Frontmatter,
    /// A change of ours.
    History,
    /// The conversation it came from.
    Transcript,
    /// The file's own time, when it was first seen.
    FileTime,
    /// Nobody knows.
    Unknown,
}

impl TimeSource {
    /// All of them, in the order of their numbers in caches.
    pub(crate) const ALL: [TimeSource; 5] = [
        TimeSource::Unknown,
        TimeSource::Frontmatter,
        TimeSource::History,
        TimeSource::Transcript,
        TimeSource::FileTime,
    ];

    /// Its number in caches.
    pub fn number(self) -> u8 {
        TimeSource::ALL.iter().position(|&other| other == self).unwrap_or(0) as u8
    }

    /// The other way; what is no number of ours is not known.
    pub fn numbered(number: u8) -> TimeSource {
        TimeSource::ALL.get(usize::from(number)).copied().unwrap_or(TimeSource::Unknown)
    }
}

impl Written {
    /// When, never after now; `None` if unknown.
    pub fn time(&self, now: Timestamp) -> Option<Timestamp> {
        (self.source != TimeSource::Unknown).then(|| self.at.min(now))
    }

    /// The time to hold against files of the project, in nanoseconds; where nobody knows, nothing was changed since.
    pub fn compared_with_files(&self) -> i64 {
        if self.source == TimeSource::Unknown { i64::MAX } else { nanoseconds(self.at) }
    }

    /// Whether another says the same, however it is known.
    pub fn says(&self, other: &Written) -> bool {
        let known = |written: &Written| (written.source != TimeSource::Unknown).then_some(written.at);
        known(self) == known(other)
    }

    /// What a file says of itself.
    pub(crate) fn claimed(header: &Header) -> Option<Written> {
        let at = moment(header.modified.as_deref()?.trim())?;
        Some(Written { at, source: TimeSource::Frontmatter })
    }

    /// A daily log is as old as its day, whenever somebody last wrote into it.
    pub fn of_day(path: &str) -> Option<Written> {
        let day = day_of_log(path).filter(|_| is_daily_log(path))?;
        Some(Written { at: noon(day)?, source: TimeSource::Frontmatter })
    }

    /// The file's own time.
    pub fn of_file(facts: &FileStat) -> Written {
        Written { at: timestamp(facts.mtime_ns), source: TimeSource::FileTime }
    }

    /// Nobody knows, but by then it was there.
    pub(crate) fn unknown(by: Timestamp) -> Written {
        Written { at: by, source: TimeSource::Unknown }
    }

    /// What a change in the history tells of a file that it wrote. `before`: what was known of the file until then.
    ///
    /// Whoever only puts memory in order says nothing new. What we have heard since the file was last dated counts more than its
    /// date.
    pub fn of_change(change: &Change, file: &FileChange, header: &Header, before: Option<Written>) -> Written {
        if let Some(day) = Written::of_day(&file.path) {
            return day;
        }
        let others = change.actor == Actor::Outside;
        let source = if others { TimeSource::FileTime } else { TimeSource::History };
        let told = file.written.map(|at| Written { at, source });
        let heard = match told {
            Some(told) => told,
            None if others => Written::unknown(change.time),
            None if is_tidying(change) || says_the_same(file) => before.unwrap_or_else(|| arrival(change)),
            None => Written { at: change.time, source },
        };
        match Written::claimed(header) {
            Some(claimed) if heard.source != TimeSource::History || heard.at <= claimed.at => claimed,
            _ => heard,
        }
    }
}

/// Whether a change only puts in order what was said before.
fn is_tidying(change: &Change) -> bool {
    change.undoes.is_some() || matches!(change.actor, Actor::Dream | Actor::Doctor | Actor::Team)
}

/// What is new to us: a few memories are from now, a team's whole folder is not.
fn arrival(change: &Change) -> Written {
    if change.actor == Actor::Team && change.files.len() >= TOGETHER {
        return Written::unknown(change.time);
    }
    Written { at: change.time, source: TimeSource::History }
}

/// Whether only other parts of the frontmatter differ: a pin, a type.
fn says_the_same(file: &FileChange) -> bool {
    let topic = |version: &Option<Version>| version.as_ref().and_then(Version::content).map(Topic::parse);
    let (Some(before), Some(after)) = (topic(&file.before), topic(&file.after)) else { return false };
    before.name() == after.name() && before.description() == after.description() && before.body() == after.body()
}

/// Which of these files came in one go: their times are when they came, and not when they were written.
pub(super) fn came_together(times: &[FileStat]) -> impl Fn(&FileStat) -> bool + use<> {
    let mut made: Vec<i64> = times.iter().filter(|facts| is_unset(facts)).map(|facts| facts.mtime_ns).collect();
    made.sort_unstable();
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for run in made.chunk_by(|one, next| next.saturating_sub(*one) <= APART_NS) {
        if let ([first, .., last], true) = (run, run.len() >= TOGETHER) {
            runs.push((*first, *last));
        }
    }
    move |facts| is_unset(facts) && runs.iter().any(|(first, last)| (*first..=*last).contains(&facts.mtime_ns))
}

/// Whether a file has the time at which it was put there.
fn is_unset(facts: &FileStat) -> bool {
    facts.ctime_ns.abs_diff(facts.mtime_ns) <= UNSET_NS
}

/// The ends of the conversations that memories name, each looked up once.
#[derive(Default)]
pub(super) struct SessionEnds(HashMap<String, Option<Timestamp>>);

impl SessionEnds {
    /// When the conversation that a memory came from ended; transcripts lie beside the memory directory (S1, P2).
    pub(super) fn end_of(&mut self, store: &Store, header: &Header) -> Option<Timestamp> {
        let session = header.session.as_deref()?;
        if let Some(known) = self.0.get(session) {
            return *known;
        }
        let found = transcript_end(store, session);
        self.0.insert(session.to_owned(), found);
        found
    }
}

fn transcript_end(store: &Store, session: &str) -> Option<Timestamp> {
    const KEY: &[u8] = b"\"timestamp\":\"";
    let plain = !session.is_empty() && session.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let dir = store.root().path().parent().filter(|_| plain)?;
    let tail = fs::tail(&dir.join(format!("{session}.jsonl")), TRANSCRIPT_TAIL).ok()?;
    let at = memchr::memmem::rfind(&tail, KEY)? + KEY.len();
    let value = tail[at..].split(|&byte| byte == b'"').next()?;
    std::str::from_utf8(value).ok()?.parse().ok()
}

impl Store {
    /// When a memory was written, as far as is known without another look at the directory: the one answer for whoever has just
    /// read it.
    pub fn written(&self, path: &str, header: &Header, facts: &FileStat) -> Written {
        if let Some(day) = Written::of_day(path) {
            return day;
        }
        let known = self.known().ok();
        let known = known.as_ref().and_then(|catalog| catalog.get(path));
        match known {
            Some(known) if known.facts.is_none_or(|known| known == *facts) => known.written,
            _ => Written::claimed(header).unwrap_or_else(|| Written::of_file(facts)),
        }
    }

    /// When a former text of a file was written, from the history.
    pub(super) fn written_before(&self, path: &str, hash: Hash) -> Option<Timestamp> {
        let (mut wanted, mut found) = (hash, None);
        let visited = self.journal.newest_first_naming(&[path.to_owned()], |change| {
            let wrote =
                |file: &&FileChange| file.path == path && file.after.as_ref().is_some_and(|after| after.hash == wanted);
            let Some(file) = change.files.iter().find(wrote) else { return Visit::More };
            found = file.written;
            if found.is_some() || change.actor == Actor::Outside {
                return Visit::Enough;
            }
            match &file.before {
                // Whoever put it in order did not write it.
                Some(before) if is_tidying(&change) || says_the_same(file) => wanted = before.hash,
                _ => found = Some(change.time),
            }
            if found.is_some() { Visit::Enough } else { Visit::More }
        });
        visited.ok().and(found)
    }
}

/// A time as people and hosts write it. A day alone is its noon, which is that day nearly everywhere.
fn moment(text: &str) -> Option<Timestamp> {
    let day = |text: &str| text.parse::<Date>().ok().filter(|_| text.len() <= 10);
    text.parse::<Timestamp>().ok().or_else(|| match day(text) {
        Some(day) => noon(day),
        None => zoned(text.parse::<DateTime>().ok()?),
    })
}

fn noon(day: Date) -> Option<Timestamp> {
    zoned(day.to_datetime(time(12, 0, 0, 0)))
}

fn zoned(time: DateTime) -> Option<Timestamp> {
    time.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

/// A file's time; times outside the calendar read as its beginning.
pub fn timestamp(ns: i64) -> Timestamp {
    Timestamp::from_nanosecond(i128::from(ns)).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// A time as caches keep it; what lies outside of it is as far as it goes.
pub fn nanoseconds(at: Timestamp) -> i64 {
    let wide = at.as_nanosecond();
    i64::try_from(wide).unwrap_or(if wide < 0 { i64::MIN } else { i64::MAX })
}

#[cfg(test)]
mod tests;
