//! Statuses, cuts, rubbish, servers that die.

use memdir_model::{Endpoint, ModelError};
use memdir_testkit::model_server::{Fault, ModelServer, Quirks, Turn};

use crate::{KEY, WAYS, ask, call, request, text};

#[test]
fn a_busy_server_is_asked_again_after_the_time_it_names() {
    for way in WAYS {
        for status in [429, 529, 500, 502, 503] {
            let server =
                ModelServer::queue([Turn::status(status, "later").header("retry-after", "0"), Turn::say("now")]);
            let (reply, heard) = ask(&*way.model(&server), &request("go"), &call());
            assert_eq!((text(&reply.unwrap()).as_str(), heard.as_str()), ("now", "now"), "{way:?} {status}");
            assert_eq!(server.requests().len(), 2, "{way:?} {status}");
        }
    }
}

#[test]
fn a_server_that_stays_busy_is_left_alone_after_some_attempts() {
    for way in WAYS {
        let server = ModelServer::new(|_| Turn::status(529, "Overloaded").header("retry-after", "0.001"));
        let (reply, _) = ask(&*way.model(&server), &request("go"), &call());
        assert!(matches!(reply, Err(ModelError::Busy { status: 529, attempts: 4, .. })), "{way:?}: {reply:?}");
        assert_eq!(server.requests().len(), 4, "{way:?}");
    }
}

#[test]
fn a_wait_longer_than_the_call_is_not_waited() {
    for way in WAYS {
        let server = ModelServer::queue([Turn::status(429, "tomorrow").header("retry-after", "86400")]);
        let (reply, _) = ask(&*way.model(&server), &request("go"), &call());
        assert!(matches!(reply, Err(ModelError::Busy { status: 429, attempts: 1, .. })), "{way:?}: {reply:?}");
    }
}

#[test]
fn a_refusal_is_final_and_says_why_without_the_key() {
    for way in WAYS {
        for status in [400, 401, 403, 404, 413] {
            let server = ModelServer::queue([Turn::status(status, &format!("the key {KEY} is no good\nhere"))]);
            let (reply, _) = ask(&*way.model(&server), &request("go"), &call());
            let Err(ModelError::Refused { status: told, message, .. }) = reply else {
                panic!("{way:?} {status}: {reply:?}")
            };
            assert_eq!((told, message.as_str()), (status, "the key … is no good here"), "{way:?}");
            assert_eq!(server.requests().len(), 1, "{way:?} {status}");
        }
    }
}

#[test]
fn a_stream_cut_before_any_word_is_asked_for_again() {
    for way in WAYS {
        let server = ModelServer::queue([Turn::say("one two").with(Fault::CutAfter(1)), Turn::say("one two")]);
        let (reply, heard) = ask(&*way.model(&server), &request("go"), &call());
        assert_eq!((text(&reply.unwrap()).as_str(), heard.as_str()), ("one two", "one two"), "{way:?}");
    }
}

#[test]
fn a_stream_cut_after_words_is_an_error_and_not_repeated() {
    for way in WAYS {
        let server = ModelServer::queue([Turn::say("one two").with(Fault::CutAfter(way.first_word()))]);
        let (reply, heard) = ask(&*way.model(&server), &request("go"), &call());
        assert!(matches!(reply, Err(ModelError::Connection { .. })), "{way:?}: {reply:?}");
        assert_eq!(heard, "one ", "{way:?}");
        assert_eq!(server.requests().len(), 1, "{way:?}");
    }
}

#[test]
fn a_stream_that_ends_cleanly_in_the_middle_is_cut_too() {
    for way in WAYS {
        // A proxy that closes the body properly although the answer is not over.
        let begun = match way {
            crate::Way::Anthropic => {
                "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"half\"}}"
            }
            crate::Way::Chat => "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}",
            crate::Way::Responses => "data: {\"type\":\"response.output_text.delta\",\"delta\":\"half\"}",
        };
        let raw = format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{begun}\n\n");
        let server = ModelServer::queue([Turn::raw(raw)]);
        let (reply, heard) = ask(&*way.model(&server), &request("go"), &call());
        assert!(matches!(reply, Err(ModelError::Connection { .. })), "{way:?}: {reply:?}");
        assert_eq!(heard, "half", "{way:?}");
    }
}

#[test]
fn rubbish_in_a_stream_or_a_document_is_named() {
    for way in WAYS {
        let server = ModelServer::queue([
            Turn::say("one two").with(Fault::CorruptAfter(1)),
            Turn::say("one two").with(Fault::CorruptAfter(1)).quirks(Quirks { no_stream: true, ..Quirks::default() }),
        ]);
        let model = way.model(&server);
        for _ in 0..2 {
            let (reply, _) = ask(&*model, &request("go"), &call());
            let Err(ModelError::Malformed { message, .. }) = reply else { panic!("{way:?}: {reply:?}") };
            assert!(message.contains("not JSON"), "{message}");
        }
    }
}

#[test]
fn what_is_not_http_is_a_failed_connection() {
    for way in WAYS {
        let server = ModelServer::new(|_| Turn::raw("SSH-2.0-OpenSSH_9.7\r\n"));
        let (reply, _) = ask(&*way.model(&server), &request("go"), &call());
        assert!(matches!(reply, Err(ModelError::Connection { .. })), "{way:?}: {reply:?}");
        assert_eq!(server.requests().len(), 2, "{way:?}");
    }
}

#[test]
fn a_server_that_dies_is_tried_once_more() {
    for way in WAYS {
        let server = ModelServer::queue([Turn::die()]);
        let (reply, _) = ask(&*way.model(&server), &request("go"), &call());
        assert!(matches!(reply, Err(ModelError::Connection { .. })), "{way:?}: {reply:?}");
        assert_eq!(server.requests().len(), 1, "{way:?}");
    }
}

#[test]
fn nobody_listens() {
    for way in WAYS {
        // A port that no system hands out; a free one could be another test's by the time it is asked.
        let (reply, _) = ask(&*way.at("http://127.0.0.1:1"), &request("go"), &call());
        assert!(matches!(reply, Err(ModelError::Connection { .. })), "{way:?}: {reply:?}");
    }
}

#[test]
fn a_server_without_tls_behind_an_https_address() {
    let server = ModelServer::new(|_| Turn::say("in the open"));
    for way in WAYS {
        let (reply, _) = ask(&*way.at(&server.url().replace("http://", "https://")), &request("go"), &call());
        assert!(matches!(reply, Err(ModelError::Connection { .. })), "{way:?}: {reply:?}");
    }
    assert!(server.requests().is_empty());
}

#[test]
fn a_redirect_is_never_followed_with_the_key() {
    for way in WAYS {
        let thief = ModelServer::new(|_| Turn::say("thanks"));
        let target = format!("{}/v1/messages", thief.url());
        for status in [301, 302, 303, 307, 308] {
            let server = ModelServer::queue([Turn::status(status, "over there").header("location", &target)]);
            let (reply, _) = ask(&*way.model(&server), &request("go"), &call());
            let Err(ModelError::Refused { message, .. }) = reply else { panic!("{way:?} {status}: {reply:?}") };
            assert!(message.contains("redirects") && message.contains(&thief.url()), "{message}");
        }
        assert!(thief.requests().is_empty(), "{way:?}");
    }
}

#[test]
fn only_http_addresses_without_a_password() {
    for base in ["", "ftp://x", "file:///etc", "localhost:11434", "https://me:pw@example.org", "http://"] {
        let refused = Endpoint::new(base, None);
        assert!(matches!(refused, Err(ModelError::NotConfigured(_))), "{base}");
    }
}

#[test]
fn the_key_is_in_no_debug_output() {
    for way in WAYS {
        let endpoint = Endpoint::new("http://127.0.0.1:1", memdir_model::ApiKey::new(KEY)).unwrap();
        let shown = match way {
            crate::Way::Anthropic => format!("{:?} {endpoint:?}", memdir_model::Anthropic::new(endpoint.clone(), "m")),
            _ => format!("{:?}", memdir_model::Openai::new(endpoint, "m", memdir_model::Wire::Chat)),
        };
        assert!(!shown.contains(KEY) && shown.contains('…'), "{shown}");
    }
}
