//! Answers that break in the middle, or are an error although the status says that all is well.

use memdir_model::{ContentBlock, Model, ModelError, Reply, StopReason};
use memdir_testkit::model_server::{Ending, ModelServer, Turn};
use serde_json::{Value, json};

use crate::{KEY, WAYS, Way, ask, call, request, text, with_tools};

/// A stream with a good status that says these things and is then closed properly.
fn stream(events: &[Value]) -> Turn {
    let events: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    Turn::raw(format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{events}"))
}

/// The same in one piece.
fn document(value: &Value) -> Turn {
    let body = value.to_string();
    let length = body.len();
    Turn::raw(format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    ))
}

fn asked(way: Way, turns: impl IntoIterator<Item = Turn>) -> (Result<Reply, ModelError>, String, usize) {
    let server = ModelServer::queue(turns);
    let (reply, heard) = ask(&*way.model(&server), &with_tools("go"), &call());
    (reply, heard, server.requests().len())
}

/// The first word of an answer, as this wire tells it.
fn first_word(way: Way) -> Vec<Value> {
    match way {
        Way::Anthropic => vec![
            json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "half" } }),
        ],
        Way::Chat => vec![json!({ "choices": [{ "delta": { "content": "half" } }] })],
        Way::Responses => vec![json!({ "type": "response.output_text.delta", "delta": "half" })],
    }
}

/// An error inside a stream: `busy`, or one that asking again does not mend.
fn error(way: Way, busy: bool) -> Value {
    let words = format!("the key {KEY} is not enough");
    match (way, busy) {
        (Way::Anthropic, true) => json!({ "type": "error", "error": { "type": "rate_limit_error", "message": words } }),
        (Way::Anthropic, false) => {
            json!({ "type": "error", "error": { "type": "invalid_request_error", "message": words } })
        }
        (Way::Chat, true) => json!({ "error": { "code": 429, "message": words } }),
        (Way::Chat, false) => json!({ "choices": [{ "finish_reason": "error", "error": { "message": words } }] }),
        (Way::Responses, true) => {
            json!({ "type": "response.failed", "response": { "error": { "code": "rate_limit_exceeded", "message": words } } })
        }
        (Way::Responses, false) => json!({ "type": "error", "code": null, "message": words }),
    }
}

#[test]
fn an_error_told_in_a_stream_is_final_and_says_why_without_the_key() {
    for way in WAYS {
        let (reply, _, requests) = asked(way, [stream(&[error(way, false)])]);
        let Err(ModelError::Refused { status: 400, message, .. }) = reply else { panic!("{way:?}: {reply:?}") };
        assert!(message.contains("the key … is not enough"), "{way:?}: {message}");
        assert_eq!(requests, 1, "{way:?}");
    }
}

#[test]
fn a_server_that_is_busy_in_a_stream_is_asked_again() {
    for way in WAYS {
        let (reply, heard, requests) = asked(way, [stream(&[error(way, true)]), Turn::say("now")]);
        assert_eq!((text(&reply.unwrap()).as_str(), heard.as_str(), requests), ("now", "now", 2), "{way:?}");
    }
}

/// Words that were handed on cannot be taken back: said twice, they would appear twice.
#[test]
fn a_server_that_is_busy_after_words_is_not_asked_again() {
    for way in WAYS {
        let events = [first_word(way), vec![error(way, true)]].concat();
        let (reply, heard, requests) = asked(way, [stream(&events), Turn::say("half again")]);
        assert!(matches!(reply, Err(ModelError::Busy { status: 429, attempts: 1, .. })), "{way:?}: {reply:?}");
        assert_eq!((heard.as_str(), requests), ("half", 1), "{way:?}");
    }
}

#[test]
fn every_kind_of_trouble_that_the_messages_api_knows() {
    for (kind, status) in [("api_error", 500), ("timeout_error", 500), ("overloaded_error", 529)] {
        let events = [first_word(Way::Anthropic), vec![json!({ "type": "error", "error": { "type": kind } })]].concat();
        let (reply, ..) = asked(Way::Anthropic, [stream(&events)]);
        let Err(ModelError::Busy { status: told, .. }) = reply else { panic!("{kind}: {reply:?}") };
        assert_eq!(told, status, "{kind}");
    }
}

#[test]
fn an_error_in_one_piece_is_no_answer() {
    for way in WAYS {
        let error = json!({ "type": "error", "error": { "type": "permission_error", "message": "not for you" } });
        let (reply, heard, requests) = asked(way, [document(&error)]);
        let Err(ModelError::Refused { message, .. }) = reply else { panic!("{way:?}: {reply:?}") };
        assert!(message.contains("not for you"), "{way:?}: {message}");
        assert_eq!((heard.as_str(), requests), ("", 1), "{way:?}");
    }
}

#[test]
fn a_document_that_is_no_answer_is_named() {
    for way in WAYS {
        for value in [json!({}), json!([]), json!("hello"), json!({ "choices": [], "content": 7, "output": {} })] {
            let (reply, heard, _) = asked(way, [document(&value)]);
            let Err(ModelError::Malformed { message, .. }) = reply else { panic!("{way:?} {value}: {reply:?}") };
            assert!(message.contains("the answer has no"), "{way:?} {value}: {message}");
            assert_eq!(heard, "", "{way:?}");
        }
    }
}

/// A call of a tool whose arguments stop in the middle, and why the answer ended.
fn half_a_call(way: Way, at_the_limit: bool) -> Vec<Value> {
    match way {
        Way::Anthropic => vec![
            json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "tool_use", "id": "t", "name": "Read", "input": {} } }),
            json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "input_json_delta", "partial_json": "{\"file\": \"a" } }),
            json!({ "type": "message_delta", "delta": { "stop_reason": if at_the_limit { "max_tokens" } else { "tool_use" } } }),
            json!({ "type": "message_stop" }),
        ],
        Way::Chat => vec![
            json!({ "choices": [{ "delta": { "tool_calls": [{ "index": 0, "id": "t", "function": { "name": "Read", "arguments": "{\"file\": \"a" } }] } }] }),
            json!({ "choices": [{ "delta": {}, "finish_reason": if at_the_limit { "length" } else { "tool_calls" } }] }),
        ],
        Way::Responses => {
            let end = if at_the_limit { "incomplete" } else { "completed" };
            let item =
                json!({ "type": "function_call", "call_id": "t", "name": "Read", "arguments": "{\"file\": \"a" });
            vec![
                json!({ "type": "response.output_item.done", "item": item }),
                json!({ "type": format!("response.{end}"), "response": { "status": end, "incomplete_details": { "reason": "max_output_tokens" } } }),
            ]
        }
    }
}

#[test]
fn half_a_call_at_the_output_limit_is_no_call() {
    for way in WAYS {
        let (reply, ..) = asked(way, [stream(&half_a_call(way, true))]);
        let reply = reply.unwrap();
        assert_eq!((reply.stop, reply.content), (StopReason::Length, Vec::<ContentBlock>::new()), "{way:?}");
    }
}

#[test]
fn half_a_call_that_claims_to_be_whole_is_named() {
    for way in WAYS {
        let (reply, ..) = asked(way, [stream(&half_a_call(way, false))]);
        let Err(ModelError::Malformed { message, .. }) = reply else { panic!("{way:?}: {reply:?}") };
        assert!(message.contains("not JSON"), "{way:?}: {message}");
    }
}

#[test]
fn what_a_filter_stopped_is_a_refusal() {
    let chat = [json!({ "choices": [{ "delta": { "refusal": "I will not." }, "finish_reason": "stop" }] })];
    let end = json!({ "status": "incomplete", "incomplete_details": { "reason": "content_filter" }, "output": [] });
    let responses = [json!({ "type": "response.incomplete", "response": end })];
    for (way, events) in [(Way::Chat, &chat), (Way::Responses, &responses)] {
        assert_eq!(asked(way, [stream(events)]).0.unwrap().stop, StopReason::Refusal, "{way:?}");
    }
}

/// Some servers leave out the blank line after their last event, and with it the end of the answer.
#[test]
fn the_last_event_counts_without_its_blank_line() {
    let events = "data: {\"choices\":[{\"delta\":{\"content\":\"all\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}";
    let raw = format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{events}");
    let (reply, heard, requests) = asked(Way::Chat, [Turn::raw(raw)]);
    assert_eq!((text(&reply.unwrap()).as_str(), heard.as_str(), requests), ("all", "all", 1));
}

/// The connection breaks, but why the answer ended was said before: nothing is missing.
#[test]
fn an_answer_that_only_lacks_its_end_mark_is_whole() {
    let events = "data: {\"choices\":[{\"delta\":{\"content\":\"all\"},\"finish_reason\":\"stop\"}]}\n\n";
    // A length that is never reached.
    let raw = format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 10000\r\n\r\n{events}");
    let (reply, heard, requests) = asked(Way::Chat, [Turn::raw(raw)]);
    assert_eq!((text(&reply.unwrap()).as_str(), heard.as_str(), requests), ("all", "all", 1));
}

#[test]
fn an_answer_without_an_end_is_left() {
    let ping = format!("data: {}\n\n", json!({ "type": "ping", "filler": "x".repeat(1 << 20) }));
    for kind in ["text/event-stream", "application/json"] {
        let raw = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n{}", ping.repeat(33));
        let (reply, _, requests) = asked(Way::Anthropic, [Turn::raw(raw)]);
        let Err(ModelError::Malformed { message, .. }) = reply else { panic!("{kind}: {reply:?}") };
        assert_eq!((message.as_str(), requests), ("the answer does not end", 1), "{kind}");
    }
}

#[test]
fn a_server_that_always_pauses_is_not_asked_forever() {
    let server = ModelServer::new(|_| Turn::say("on").ending(Ending::Pause));
    let (reply, heard) = ask(&*Way::Anthropic.model(&server), &request("go"), &call());
    let reply = reply.unwrap();
    assert_eq!(reply.stop, StopReason::Length);
    assert_eq!((text(&reply), server.requests().len()), (heard.clone(), heard.len() / 2));
    assert!(server.requests().len() < 20, "{}", server.requests().len());
}

#[test]
fn a_model_is_known_by_its_driver_and_name() {
    let server = ModelServer::queue([]);
    let names = WAYS.map(|way| Model::name(&*way.model(&server)));
    assert_eq!(names, ["anthropic/m-1", "openai/m-1", "openai/m-1"]);
}
