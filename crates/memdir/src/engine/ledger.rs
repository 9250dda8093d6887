//! What models used today, and a model that stops when it was enough.
//!
//! One small file a day in the state directory, changed under its own lock, since several processes
//! think at once. What a call will probably use is written down before it is made and put right
//! afterwards: a process that dies in the middle has not thought for free, and where nothing can be
//! written down nothing is asked.

use std::fs::File;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::limits::LEDGER_DAYS;
use crate::model::command::{Errand, Errands, Heard, Told};
use crate::model::{Block, Call, Model, ModelError, Reply, Request, SharedModel, Usage};
use crate::store::fs::{self, Durability, FsError};

/// A day's tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Day {
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

impl Day {
    /// Everything that counts against the day's limit.
    pub(crate) fn spent(&self) -> u64 {
        self.used.total().saturating_add(self.reserved)
    }
}

/// The book of one day.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    dir: PathBuf,
    day: Date,
    limit: u64,
}

impl Ledger {
    /// The book of a day, below the state directory.
    pub(crate) fn new(state: &Path, day: Date, limit: u64) -> Ledger {
        Ledger { dir: state.join("model"), day, limit }
    }

    /// What was used so far.
    pub(crate) fn read(&self) -> Result<Day, FsError> {
        Ok(serde_json::from_slice(&fs::read_beside(&self.file())?).unwrap_or_default())
    }

    /// Whether nothing is left.
    pub(crate) fn is_spent(&self, day: &Day) -> bool {
        day.spent() >= self.limit
    }

    /// Writes down what a call will probably use; `false` when the day's tokens are used up.
    fn reserve(&self, tokens: u64) -> Result<bool, FsError> {
        self.change(|day| {
            let left = !self.is_spent(day);
            if left {
                day.reserved = day.reserved.saturating_add(tokens);
                day.calls += 1;
            }
            left
        })
    }

    /// Puts right what was reserved.
    fn settle(&self, reserved: u64, used: Usage) -> Result<(), FsError> {
        self.change(|day| {
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
            ModelError::NotConfigured(format!("what models use cannot be written down, so none is asked: {error}"))
        };
        let guess = Usage { input: tokens(request), ..Usage::default() };
        if !self.reserve(guess.total()).map_err(unwritable)? {
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
        let _ = self.settle(guess.total(), used);
        result
    }

    fn change<T>(&self, change: impl FnOnce(&mut Day) -> T) -> Result<T, FsError> {
        fs::create_private_dir(&self.dir)?;
        let lock_path = self.dir.join("lock");
        let failed = |error| FsError::io("lock", lock_path.display().to_string(), error);
        let lock = File::options().create(true).truncate(false).write(true).open(&lock_path).map_err(failed)?;
        lock.lock().map_err(failed)?;
        let file = self.file();
        if !file.exists() {
            self.forget_old();
        }
        let mut day = self.read()?;
        let result = change(&mut day);
        fs::replace(&file, &serde_json::to_vec(&day).unwrap_or_default(), Durability::Cache)?;
        Ok(result)
    }

    /// Days that nobody asks about any more.
    fn forget_old(&self) {
        let Ok(names) = fs::names(&self.dir) else { return };
        for name in names {
            let day = name.strip_suffix(".json").and_then(|day| day.parse::<Date>().ok());
            if day.is_some_and(|day| (self.day - day).get_days() > LEDGER_DAYS) {
                // It only takes up room.
                let _ = fs::remove(&self.dir.join(name));
            }
        }
    }

    fn file(&self) -> PathBuf {
        self.dir.join(format!("{}.json", self.day))
    }
}

/// A model whose tokens are counted.
pub(crate) struct Metered {
    inner: SharedModel,
    ledger: Ledger,
}

impl Metered {
    pub(crate) fn new(inner: SharedModel, ledger: Ledger) -> Metered {
        Metered { inner, ledger }
    }
}

impl Model for Metered {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn ask(&self, request: &Request, call: &Call, on_text: &mut dyn FnMut(&str)) -> Result<Reply, ModelError> {
        self.ledger.meter(request, || self.inner.ask(request, call, on_text), |reply| reply)
    }

    fn as_agent(&self) -> Option<&dyn Errands> {
        self.inner.as_agent().map(|_| self as &dyn Errands)
    }
}

impl Errands for Metered {
    fn is_branch(&self) -> bool {
        self.inner.as_agent().is_some_and(Errands::is_branch)
    }

    fn send(
        &self,
        errand: &Errand,
        request: &Request,
        call: &Call,
        on_heard: &mut dyn FnMut(Heard<'_>),
    ) -> Result<Told, ModelError> {
        let Some(agent) = self.inner.as_agent() else {
            return Err(ModelError::NotConfigured(format!("{} is no agent", self.inner.name())));
        };
        self.ledger.meter(request, || agent.send(errand, request, call, on_heard), |told| &told.reply)
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

fn said(content: &[Block]) -> u64 {
    let bytes = content.iter().map(|block| match block {
        Block::Text { text } => text.len(),
        Block::ToolUse { name, input, .. } => name.len() + input.to_string().len(),
        Block::ToolResult { content, .. } => content.len(),
        Block::Opaque(value) => value.to_string().len(),
    });
    bytes.sum::<usize>().div_ceil(4) as u64
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::model::{Anthropic, Cancel, Endpoint, Message};
    use memdir_testkit::model_server::{Fault, ModelServer, Quirks, Turn};

    fn day() -> Date {
        "2026-04-14".parse().unwrap()
    }

    fn metered(server: &ModelServer, ledger: &Ledger) -> Metered {
        let endpoint = Endpoint::new(&server.url(), None).unwrap();
        Metered::new(Arc::new(Anthropic::new(endpoint, "m")), ledger.clone())
    }

    fn ask(model: &Metered) -> Result<Reply, ModelError> {
        let request =
            Request { messages: vec![Message::user("word ".repeat(80))], max_output_tokens: 10, ..Request::default() };
        model.ask(&request, &Call { timeout: Duration::from_mins(1), cancel: Cancel::default() }, &mut |_| {})
    }

    #[test]
    fn tokens_are_counted_until_they_are_used_up() {
        let dir = tempfile::tempdir().unwrap();
        let ledger = Ledger::new(dir.path(), day(), 150);
        let server = ModelServer::new(|_| Turn::say("ok"));
        let model = metered(&server, &ledger);
        let first = ask(&model).unwrap().usage.total();
        assert_eq!((ledger.read().unwrap().spent(), ledger.read().unwrap().calls), (first, 1));
        ask(&model).unwrap();
        let refused = ask(&model).unwrap_err();
        assert!(matches!(refused, ModelError::Spent { limit: 150 }), "{refused}");
        assert_eq!(server.requests().len(), 2);
        let tomorrow = Ledger::new(dir.path(), "2026-04-15".parse().unwrap(), 150);
        ask(&metered(&server, &tomorrow)).unwrap();
    }

    #[test]
    fn a_limit_of_nothing_allows_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let server = ModelServer::new(|_| Turn::say("ok"));
        assert!(matches!(
            ask(&metered(&server, &Ledger::new(dir.path(), day(), 0))),
            Err(ModelError::Spent { limit: 0 })
        ));
        assert!(server.requests().is_empty());
    }

    #[test]
    fn failed_calls_cost_what_they_may_have_cost() {
        for (turn, costs) in [
            (Turn::status(401, "no"), false),
            (Turn::say("one two").with(Fault::CutAfter(4)), true),
            (Turn::say("one two").with(Fault::CorruptAfter(1)), true),
            (Turn::say("one two").quirks(Quirks { no_usage: true, ..Quirks::default() }), true),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let ledger = Ledger::new(dir.path(), day(), 1_000_000);
            let server = ModelServer::queue([turn.clone()]);
            let _ = ask(&metered(&server, &ledger));
            let spent = ledger.read().unwrap();
            assert_eq!((spent.spent() > 90, spent.reserved, spent.calls), (costs, 0, 1), "{turn:?}");
        }
    }

    #[test]
    fn where_nothing_can_be_written_nothing_is_asked() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("model"), "in the way").unwrap();
        let server = ModelServer::new(|_| Turn::say("ok"));
        let refused = ask(&metered(&server, &Ledger::new(dir.path(), day(), 1_000_000)));
        assert!(matches!(refused, Err(ModelError::NotConfigured(_))), "{refused:?}");
        assert!(server.requests().is_empty());
    }

    #[test]
    fn many_at_once_lose_no_count() {
        let dir = tempfile::tempdir().unwrap();
        let ledger = Ledger::new(dir.path(), day(), 1_000_000);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..10 {
                        assert!(ledger.reserve(7).unwrap());
                        ledger.settle(7, Usage { output: 3, ..Usage::default() }).unwrap();
                    }
                });
            }
        });
        let day = ledger.read().unwrap();
        assert_eq!((day.calls, day.reserved, day.used.output), (80, 0, 240));
    }

    #[test]
    fn a_broken_book_starts_anew_and_old_ones_go() {
        let dir = tempfile::tempdir().unwrap();
        let books = dir.path().join("model");
        std::fs::create_dir_all(&books).unwrap();
        for name in ["2026-04-14.json", "2026-04-01.json", "2025-12-01.json", "notes.json"] {
            std::fs::write(books.join(name), "{broken").unwrap();
        }
        std::fs::remove_file(books.join("2026-04-14.json")).unwrap();
        let ledger = Ledger::new(dir.path(), day(), 100);
        assert!(ledger.reserve(7).unwrap());
        std::fs::write(books.join("2026-04-14.json"), "{broken").unwrap();
        assert!(ledger.reserve(7).unwrap());
        assert_eq!(ledger.read().unwrap().spent(), 7);
        let mut left = fs::names(&books).unwrap();
        left.sort();
        assert_eq!(left, ["2026-04-01.json", "2026-04-14.json", "lock", "notes.json"]);
    }
}
