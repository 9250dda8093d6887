//! What time it is, and in which zone: the machine's clock, or what `--now` and `MEMDIR_NOW` say.

use std::path::Path;
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use memdir::surroundings::Surroundings;

use crate::args::Global;
use crate::failure::Failure;

/// What time it is whenever it is asked; it stands still where `--now` or `MEMDIR_NOW` stop it.
pub(super) fn clock(global: &Global, around: &Surroundings) -> Result<memdir::engine::Clock, Failure> {
    if clock_is_fixed(global, around) {
        let fixed = now(global, around)?;
        return Ok(Arc::new(move || fixed.clone()));
    }
    let zone = time_zone(around).unwrap_or_else(TimeZone::system);
    Ok(Arc::new(move || Timestamp::now().to_zoned(zone.clone())))
}

fn clock_is_fixed(global: &Global, around: &Surroundings) -> bool {
    global.now.is_some() || around.var("MEMDIR_NOW").is_some()
}

/// The machine's own clock, whatever `--now` says: signatures of requests hold for minutes.
pub(crate) fn moment() -> Timestamp {
    Timestamp::now()
}

/// The clock, or what `--now` and `MEMDIR_NOW` say it is.
pub(super) fn now(global: &Global, around: &Surroundings) -> Result<Zoned, Failure> {
    let timestamp = match global.now.as_deref().or_else(|| around.var("MEMDIR_NOW")) {
        None => Timestamp::now(),
        Some(given) => given
            .parse()
            .map_err(|_| Failure::refused(format!("{given} is not a time; write it as 2026-04-30T12:00:00Z")))?,
    };
    Ok(timestamp.to_zoned(time_zone(around).unwrap_or_else(TimeZone::system)))
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
