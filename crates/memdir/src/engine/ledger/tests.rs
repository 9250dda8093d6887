use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Zoned;

use super::*;
use crate::engine::metered::Metered;
use memdir_model::{Anthropic, CallLimits, Cancel, ChatMessage, Endpoint, Model as _};
use memdir_testkit::model_server::{Fault, ModelServer, Quirks, Turn};

fn day() -> Date {
    "2026-04-14".parse().unwrap()
}

/// A clock that is at noon of a day.
fn noon(day: &str) -> Clock {
    let noon: Zoned = format!("{day}T12:00:00[UTC]").parse().unwrap();
    Arc::new(move || noon.clone())
}

fn ledger(dir: &Path, limit: u64) -> Ledger {
    Ledger::new(dir, noon("2026-04-14"), limit)
}

fn metered(server: &ModelServer, ledger: &Ledger) -> Metered {
    let endpoint = Endpoint::new(&server.url(), None).unwrap();
    Metered::new(Arc::new(Anthropic::new(endpoint, "m")), ledger.clone())
}

fn ask(model: &Metered) -> Result<Reply, ModelError> {
    let request =
        Request { messages: vec![ChatMessage::user("word ".repeat(80))], max_output_tokens: 10, ..Request::default() };
    model.ask(&request, &CallLimits { timeout: Duration::from_mins(1), cancel: Cancel::default() }, &mut |_| {})
}

#[test]
fn tokens_are_counted_until_they_are_used_up() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = super::tests::ledger(dir.path(), 150);
    let server = ModelServer::new(|_| Turn::say("ok"));
    let model = metered(&server, &ledger);
    let first = ask(&model).unwrap().usage.total();
    assert_eq!((ledger.read().unwrap().spent(), ledger.read().unwrap().calls), (first, 1));
    ask(&model).unwrap();
    let refused = ask(&model).unwrap_err();
    assert!(matches!(refused, ModelError::Spent { limit: 150 }), "{refused}");
    assert_eq!(server.requests().len(), 2);
    let tomorrow = Ledger::new(dir.path(), noon("2026-04-15"), 150);
    ask(&metered(&server, &tomorrow)).unwrap();
}

#[test]
fn a_limit_of_nothing_allows_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let server = ModelServer::new(|_| Turn::say("ok"));
    assert!(matches!(ask(&metered(&server, &ledger(dir.path(), 0))), Err(ModelError::Spent { limit: 0 })));
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
        let ledger = super::tests::ledger(dir.path(), 1_000_000);
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
    let refused = ask(&metered(&server, &ledger(dir.path(), 1_000_000)));
    assert!(matches!(refused, Err(ModelError::NotConfigured(_))), "{refused:?}");
    assert!(server.requests().is_empty());
}

#[test]
fn many_at_once_lose_no_count() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = super::tests::ledger(dir.path(), 1_000_000);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..10 {
                    assert!(ledger.reserve(day(), 7).unwrap());
                    ledger.settle(day(), 7, Usage { output: 3, ..Usage::default() }).unwrap();
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
    let ledger = super::tests::ledger(dir.path(), 100);
    assert!(ledger.reserve(day(), 7).unwrap());
    std::fs::write(books.join("2026-04-14.json"), "{broken").unwrap();
    assert!(ledger.reserve(day(), 7).unwrap());
    assert_eq!(ledger.read().unwrap().spent(), 7);
    let mut left = fs::names(&books).unwrap();
    left.sort();
    assert_eq!(left, ["2026-04-01.json", "2026-04-14.json", "lock", "notes.json"]);
}

#[test]
fn a_process_that_lives_over_midnight_counts_on_the_new_day() {
    let dir = tempfile::tempdir().unwrap();
    let time: Arc<Mutex<Zoned>> = Arc::new(Mutex::new("2026-04-14T23:59:00[Europe/Berlin]".parse().unwrap()));
    let clock = Arc::clone(&time);
    let ledger = Ledger::new(dir.path(), Arc::new(move || clock.lock().unwrap().clone()), 150);
    let hand = Arc::clone(&time);
    let server = ModelServer::new(move |request| {
        // The second answer takes until after midnight.
        if request.view.last_user.contains("late") {
            *hand.lock().unwrap() = "2026-04-15T00:01:00[Europe/Berlin]".parse().unwrap();
        }
        Turn::say("ok")
    });
    let model = metered(&server, &ledger);
    let call = CallLimits { timeout: Duration::from_mins(1), cancel: Cancel::default() };
    let say = |words: &str| {
        let messages = vec![ChatMessage::user(words.repeat(80))];
        model.ask(&Request { messages, max_output_tokens: 10, ..Request::default() }, &call, &mut |_| {})
    };
    let first = say("word ").unwrap().usage.total() + say("late ").unwrap().usage.total();
    let book = |day: &str| ledger.read_day(day.parse().unwrap()).unwrap();
    // It began yesterday, so it is yesterday's, and nothing of it stays reserved.
    assert_eq!((book("2026-04-14").spent(), book("2026-04-14").reserved), (first, 0));
    assert!(ledger.is_spent(&book("2026-04-14")) && !ledger.is_spent(&ledger.read().unwrap()));
    say("word ").unwrap();
    assert_eq!((book("2026-04-15").calls, book("2026-04-14").calls), (1, 2));
}
