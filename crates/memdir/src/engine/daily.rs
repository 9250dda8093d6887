//! Daily logs: one file a day, appended (L1, L3).
//!
//! Enters: a line, or a day. Leaves: the line in today's log, as a change of the history; the text of the logs of a day or of all
//! days. Never changes or removes a line that stands.
//!
//! memdir writes `logs/YYYY/MM/YYYY-MM-DD.md` inside the memory directory; a `logs` folder beside
//! it (L1b) and the dated layout below the user's memory (L3) are read the same way.

use jiff::Zoned;
use serde::Serialize;

use super::outside_memory::{BESIDE, dated};
use super::{Error, Memory, Sessions};
use memdir_core::kind::{Scope, Type};
use memdir_core::settings::Mode;
use memdir_guard::confine::RelPath;
use memdir_store::Intent;
use memdir_store::daily_log::day_of_log;
use memdir_store::fs::{self, Durability, Root};
use memdir_store::history::Author;

/// What was logged.
#[derive(Debug, Serialize)]
pub struct Logged {
    /// The file, relative to the memory directory.
    pub file: String,
    /// Where it is.
    pub path: String,
    /// The line that was added.
    pub line: String,
    /// The change, for `undo`.
    pub change: Option<String>,
}

/// One day's log as it is read back.
#[derive(Debug, Serialize)]
pub struct DayLog {
    /// The file, as it is named in listings.
    pub file: String,
    /// Where it is.
    pub path: String,
    /// Calendar days since that day; from the date, not from the file's time.
    pub age_days: i64,
    /// Its text.
    pub text: String,
}

impl Sessions<'_> {
    /// Appends a line to today's log.
    pub fn log_add(&self, text: &str) -> Result<Logged, Error> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return Err(Error::Refused("there is nothing to log: the text is empty".into()));
        }
        let memory = self.memory;
        memory.append_to_log(Scope::Private, &memory.author(), "log", &memory.now, &text)
    }

    /// The logs of one day, or of every day, newest first.
    pub fn logs(&self, day: Option<jiff::civil::Date>) -> Result<Vec<DayLog>, Error> {
        let mut logs = Vec::new();
        for (scope, store) in self.memory.stores()? {
            self.memory.logs_below(store.root(), if scope == Scope::User { "user:" } else { "" }, day, &mut logs)?;
        }
        if let Some(root) = self.memory.logs_beside() {
            self.memory.logs_below(&root, BESIDE, day, &mut logs)?;
        }
        logs.sort_by(|a: &DayLog, b: &DayLog| a.age_days.cmp(&b.age_days).then_with(|| a.file.cmp(&b.file)));
        Ok(logs)
    }
}

impl Memory {
    /// Whether what is learned goes into the day's log, and into topics only when memory is dreamt (L1).
    pub(super) fn keeps_log(&self) -> bool {
        self.settings.mode == Mode::Log
    }

    /// Appends an entry to the log of the day it was said on. An entry that is there word for word is not doubled.
    pub(super) fn append_to_log(
        &self,
        scope: Scope,
        author: &Author,
        reason: &str,
        said: &Zoned,
        entry: &str,
    ) -> Result<Logged, Error> {
        let store = self.writable(scope)?;
        let file = RelPath::parse(&format!("logs/{}.md", said.strftime("%Y/%m/%Y-%m-%d")))?;
        let line = format!("- {} {entry}", said.strftime("%H:%M"));
        let ((), change) = store.change(author, &Intent::new(reason), |edit| {
            let mut content = edit.read(&file)?.unwrap_or_default();
            if content.split(|byte| *byte == b'\n').any(|known| known == line.as_bytes()) {
                return Ok(());
            }
            if !content.is_empty() && !content.ends_with(b"\n") {
                content.push(b'\n');
            }
            content.extend_from_slice(line.as_bytes());
            content.push(b'\n');
            edit.write(&file, content)
        })?;
        Ok(Logged {
            path: store.root().show(&file),
            file: file.to_string(),
            line,
            change: change.map(|change| change.id.to_string()),
        })
    }

    /// What tells a session which day it is, once a day (L1): the prompt itself never holds a date. `None` outside
    /// daily-log mode, and when the session knows.
    pub(crate) fn day_change(&self, session: &str) -> Result<Option<String>, Error> {
        if !self.keeps_log() || !self.place.enabled {
            return Ok(None);
        }
        let (dir, day) = (self.session_dir(session), self.now.date().to_string());
        let path = dir.join("day");
        if fs::read_beside(&path).is_ok_and(|known| known == day.as_bytes()) {
            return Ok(None);
        }
        fs::create_private_dir(&dir)?;
        fs::replace(&path, day.as_bytes(), Durability::Cache)?;
        let said = self.prompts().phrase("day-changed", &[("day", &day)]);
        said.map(Some).map_err(|error| Error::Refused(error.to_string()))
    }

    fn logs_below(
        &self,
        root: &Root,
        prefix: &str,
        day: Option<jiff::civil::Date>,
        into: &mut Vec<DayLog>,
    ) -> Result<(), Error> {
        for path in dated(root)? {
            let Some(date) = day_of_log(path.as_str()) else { continue };
            if day.is_some_and(|day| day != date) {
                continue;
            }
            let Ok(Some(bytes)) = root.read(&path) else { continue };
            let age_days = i64::from((self.now.date() - date).get_days()).max(0);
            into.push(DayLog {
                file: format!("{prefix}{path}"),
                path: root.show(&path),
                age_days,
                text: String::from_utf8_lossy(&bytes).into_owned(),
            });
        }
        Ok(())
    }
}

/// A memory as one entry of a log: `[type] text`, with its reasons on the same line.
pub(super) fn entry(kind: Type, text: &str, why: Option<&str>, apply: Option<&str>) -> String {
    let labelled = [("**Why:**", why), ("**How to apply:**", apply)];
    let reasons = labelled.iter().filter_map(|(label, words)| Some(format!(" {label} {}", (*words)?)));
    let whole = format!("[{kind}] {text}{}", reasons.collect::<String>());
    whole.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use crate::engine::test_memory::TestMemory;

    #[test]
    fn l1_the_day_is_told_once_and_only_in_log_mode() {
        let bench = TestMemory::new().set("MEMDIR_MODE", "log");
        let told = bench.memory().day_change("s1").unwrap().unwrap();
        assert!(told.contains("2026-04-14"), "{told}");
        assert_eq!(bench.memory().day_change("s1").unwrap(), None);
        assert!(bench.memory().day_change("s2").unwrap().is_some());
        let mut later = bench.memory();
        later.now = "2026-04-15T00:10:00[UTC]".parse().unwrap();
        assert!(later.day_change("s1").unwrap().unwrap().contains("2026-04-15"));
        assert_eq!(TestMemory::new().memory().day_change("s1").unwrap(), None);
    }
}
