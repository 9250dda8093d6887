//! Time limits and cancelling, whatever the server is doing.

use std::time::Duration;

use memdir_model::{CallLimits, Cancel, ModelError};
use memdir_testkit::model_server::{Fault, ModelServer, Quirks, Turn};

use crate::{WAYS, Way, ask, call, request};

/// The ways in which a server keeps somebody waiting.
fn stalls(way: Way) -> Vec<(&'static str, Turn)> {
    vec![
        ("silence", Turn::silence()),
        ("head only", Turn::say("one two").with(Fault::StallAfter(0))),
        ("after a word", Turn::say("one two").with(Fault::StallAfter(way.first_word()))),
        (
            "half a document",
            Turn::say("one two").with(Fault::StallAfter(1)).quirks(Quirks { no_stream: true, ..Quirks::default() }),
        ),
    ]
}

#[test]
fn a_call_ends_when_its_time_is_up_and_the_connection_is_closed() {
    std::thread::scope(|scope| {
        for (way, what, turn) in
            WAYS.into_iter().flat_map(|way| stalls(way).into_iter().map(move |(what, turn)| (way, what, turn)))
        {
            scope.spawn(move || {
                let server = ModelServer::queue([turn]);
                // Long enough to reach the server on a machine that is busy.
                let short = CallLimits { timeout: Duration::from_secs(2), cancel: Cancel::default() };
                let (reply, _) = ask(&*way.model(&server), &request("go"), &short);
                assert!(matches!(reply, Err(ModelError::Timeout { seconds: 2, .. })), "{way:?} {what}: {reply:?}");
                server.wait_for_hang_ups(1);
                assert_eq!(server.requests().len(), 1, "{way:?} {what}");
            });
        }
    });
}

#[test]
fn a_cancelled_call_ends_and_the_connection_is_closed() {
    for way in WAYS {
        for (what, turn) in stalls(way) {
            let server = ModelServer::queue([turn]);
            let model = way.model(&server);
            let call = call();
            let cancel = call.cancel.clone();
            std::thread::scope(|scope| {
                let asking = scope.spawn(|| ask(&*model, &request("go"), &call));
                server.wait_for_stalls(1);
                cancel.cancel();
                let (reply, _) = asking.join().unwrap();
                assert!(matches!(reply, Err(ModelError::Cancelled)), "{way:?} {what}: {reply:?}");
            });
            server.wait_for_hang_ups(1);
        }
    }
}

#[test]
fn a_call_cancelled_before_it_begins_asks_nobody() {
    for way in WAYS {
        let server = ModelServer::queue([Turn::say("never")]);
        let call = call();
        call.cancel.cancel();
        assert!(matches!(ask(&*way.model(&server), &request("go"), &call).0, Err(ModelError::Cancelled)));
        assert!(server.requests().is_empty(), "{way:?}");
    }
}

#[test]
fn cancelling_from_within_the_words_stops_the_rest() {
    for way in WAYS {
        let server = ModelServer::queue([Turn::say("one two three").with(Fault::StallAfter(way.first_word() + 1))]);
        let call = call();
        let mut heard = String::new();
        let reply = way.model(&server).ask(&request("go"), &call, &mut |text| {
            heard.push_str(text);
            call.cancel.cancel();
        });
        assert!(matches!(reply, Err(ModelError::Cancelled)), "{way:?}: {reply:?}");
        assert!(heard.starts_with("one ") && !heard.contains("three"), "{heard}");
    }
}

#[test]
fn a_stall_that_ends_in_time_is_only_slow() {
    for way in WAYS {
        let server = ModelServer::queue([Turn::say("one two").with(Fault::StallAfter(way.first_word()))]);
        let model = way.model(&server);
        std::thread::scope(|scope| {
            let asking = scope.spawn(|| ask(&*model, &request("go"), &call()));
            server.wait_for_stalls(1);
            server.release();
            let (reply, heard) = asking.join().unwrap();
            assert!(reply.is_ok() && heard == "one two", "{way:?}: {reply:?}");
        });
    }
}
