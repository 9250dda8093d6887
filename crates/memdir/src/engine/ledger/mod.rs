//! What models used today, and whether it was enough.
//!
//! Which day it is, is asked again for every call: a process may live over midnight. A call counts on
//! the day it began.
//!
//! One small file a day in the state directory, changed under its own lock, since several processes
//! think at once. What a call will probably use is written down before it is made and put right
//! afterwards: a process that dies in the middle has not thought for free, and where nothing can be
//! written down nothing is asked.

use std::fs::File;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::Clock;
use memdir_core::limits::LEDGER_DAYS;
use memdir_model::{ContentBlock, ModelError, Reply, Request, Usage};
use memdir_store::fs::{self, Durability, FsError};

/// A day's tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DayTokens {
    /// What was used.
    #[serde(default)]
    pub(crate) used: Usage,
    /// What calls under way will probably use, and calls that never ended.
    #[serde(default)]
    pub(crate) reserved: u64,
    /// How many calls were made.
    #[serde(default)]
    pub(crate) calls: u64,
}

impl DayTokens {
    /// Everything that counts against the day's limit.
    pub(crate) fn spent(&self) -> u64 {
        self.used.total().saturating_add(self.reserved)
    }
}

/// The books, one a day.
#[derive(Clone)]
pub(crate) struct Ledger {
    dir: PathBuf,
    clock: Clock,
    limit: u64,
}

impl Ledger {
    /// The books below the state directory.
    pub(crate) fn new(state: &Path, clock: Clock, limit: u64) -> Ledger {
        Ledger { dir: state.join("model"), clock, limit }
    }

    /// What was used today so far.
    pub(crate) fn read(&self) -> Result<DayTokens, FsError> {
        self.read_day(self.today())
    }

    fn read_day(&self, day: Date) -> Result<DayTokens, FsError> {
        Ok(serde_json::from_slice(&fs::read_beside(&self.file(day))?).unwrap_or_default())
    }

    fn today(&self) -> Date {
        (self.clock)().date()
    }

    /// Whether nothing is left.
    pub(crate) fn is_spent(&self, day: &DayTokens) -> bool {
        day.spent() >= self.limit
    }

    /// Writes down what a call will probably use; `false` when the day's tokens are used up.
    fn reserve(&self, today: Date, tokens: u64) -> Result<bool, FsError> {
        self.change(today, |day| {
            let left = !self.is_spent(day);
            if left {
                day.reserved = day.reserved.saturating_add(tokens);
                day.calls += 1;
            }
            left
        })
    }

    /// Puts right what was reserved.
    fn settle(&self, began: Date, reserved: u64, used: Usage) -> Result<(), FsError> {
        self.change(began, |day| {
            day.reserved = day.reserved.saturating_sub(reserved);
            day.used.add(used);
        })
    }

    /// Makes a call and counts what it used.
    pub(crate) fn meter<T>(
        &self,
        request: &Request,
        ask: impl FnOnce() -> Result<T, ModelError>,
        reply: impl Fn(&T) -> &Reply,
    ) -> Result<T, ModelError> {
        let unwritable = |error: FsError| {
            ModelError::NotConfigured(format!("model usage cannot be recorded, so no model is asked: {error}"))
        };
        let guess = Usage { input: tokens(request), ..Usage::default() };
        let today = self.today();
        if !self.reserve(today, guess.total()).map_err(unwritable)? {
            return Err(ModelError::Spent { limit: self.limit });
        }
        let result = ask();
        let used = match result.as_ref().map(reply) {
            // Some servers do not count.
            Ok(reply) if reply.usage.total() == 0 => Usage { output: said(&reply.content), ..guess },
            Ok(reply) => reply.usage,
            // It never got as far as thinking.
            Err(ModelError::Refused { .. } | ModelError::Busy { .. } | ModelError::NotConfigured(_)) => {
                Usage::default()
            }
            // It may have been thought about and paid for.
            Err(_) => guess,
        };
        // What cannot be put right stays reserved.
        let _ = self.settle(today, guess.total(), used);
        result
    }

    fn change<T>(&self, date: Date, change: impl FnOnce(&mut DayTokens) -> T) -> Result<T, FsError> {
        fs::create_private_dir(&self.dir)?;
        let lock_path = self.dir.join("lock");
        let failed = |error| FsError::io("lock", lock_path.display().to_string(), error);
        let lock = File::options().create(true).truncate(false).write(true).open(&lock_path).map_err(failed)?;
        lock.lock().map_err(failed)?;
        let file = self.file(date);
        if !file.exists() {
            self.forget_old(date);
        }
        let mut day = self.read_day(date)?;
        let result = change(&mut day);
        fs::replace(&file, &serde_json::to_vec(&day).unwrap_or_default(), Durability::Cache)?;
        Ok(result)
    }

    /// Days that nobody asks about any more.
    fn forget_old(&self, today: Date) {
        let Ok(names) = fs::names(&self.dir) else { return };
        for name in names {
            let day = name.strip_suffix(".json").and_then(|day| day.parse::<Date>().ok());
            if day.is_some_and(|day| (today - day).get_days() > LEDGER_DAYS) {
                // It only takes up room.
                let _ = fs::remove(&self.dir.join(name));
            }
        }
    }

    fn file(&self, day: Date) -> PathBuf {
        self.dir.join(format!("{day}.json"))
    }
}

/// About how many tokens a request has: four bytes each.
fn tokens(request: &Request) -> u64 {
    let system: usize = request.system.iter().map(String::len).sum();
    let tools: usize = request
        .tools
        .iter()
        .map(|tool| tool.name.len() + tool.description.len() + tool.input_schema.to_string().len())
        .sum();
    let messages: u64 = request.messages.iter().map(|message| said(&message.content)).sum();
    (system + tools).div_ceil(4) as u64 + messages
}

fn said(content: &[ContentBlock]) -> u64 {
    let bytes = content.iter().map(|block| match block {
        ContentBlock::Text { text } => text.len(),
        ContentBlock::ToolUse { name, input, .. } => name.len() + input.to_string().len(),
        ContentBlock::ToolResult { content, .. } => content.len(),
        ContentBlock::Opaque(value) => value.to_string().len(),
    });
    bytes.sum::<usize>().div_ceil(4) as u64
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
