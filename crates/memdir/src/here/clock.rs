//! What time it is, and in which zone: the machine's clock, or the time at which it was stopped.

use std::path::Path;
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use memdir_core::surroundings::Surroundings;

use crate::engine::{Clock, Error};

/// What time it is whenever it is asked; it stands still where `stopped` or `MEMDIR_NOW` name a time.
pub fn clock(stopped: Option<&str>, around: &Surroundings) -> Result<Clock, Error> {
    if stopped_at(stopped, around).is_some() {
        let fixed = now(stopped, around)?;
        return Ok(Arc::new(move || fixed.clone()));
    }
    let zone = time_zone(around).unwrap_or_else(TimeZone::system);
    Ok(Arc::new(move || Timestamp::now().to_zoned(zone.clone())))
}

/// What time it is now, or what `stopped` and `MEMDIR_NOW` say it is.
pub fn now(stopped: Option<&str>, around: &Surroundings) -> Result<Zoned, Error> {
    let timestamp = match stopped_at(stopped, around) {
        None => Timestamp::now(),
        Some(given) => given
            .parse()
            .map_err(|_| Error::Refused(format!("{given} is not a time; write it as 2026-04-30T12:00:00Z")))?,
    };
    Ok(timestamp.to_zoned(time_zone(around).unwrap_or_else(TimeZone::system)))
}

fn stopped_at<'a>(stopped: Option<&'a str>, around: &'a Surroundings) -> Option<&'a str> {
    stopped.or_else(|| around.var("MEMDIR_NOW"))
}

/// The time zone from its one file. Only where that is not so simple is the whole database of
/// zones looked through, which takes longer than everything else a command does.
fn time_zone(around: &Surroundings) -> Option<TimeZone> {
    let zones = Path::new("/usr/share/zoneinfo");
    let file = match around.vars.get("TZ") {
        None => zones.join(std::fs::read_link("/etc/localtime").ok()?.to_str()?.split_once("zoneinfo/")?.1),
        Some(name) => zones.join(name.strip_prefix(':').unwrap_or(name)),
    };
    let name = file.strip_prefix(zones).ok()?.to_str()?;
    let usual = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '/' | '_' | '-' | '+');
    if around.vars.contains_key("TZDIR") || name.is_empty() || !name.chars().all(usual) {
        return None;
    }
    TimeZone::tzif(name, &std::fs::read(&file).ok()?).ok()
}
