//! Answers that must be one JSON object of a schema.

use memdir_model::{ModelError, Request, StopReason};
use memdir_testkit::model_server::{Ending, ModelServer, Turn};
use serde_json::{Value, json};

use crate::{WAYS, ask, call, request, text};

fn schema() -> Value {
    json!({
        "type": "object", "additionalProperties": false, "required": ["names"],
        "properties": { "names": { "type": "array", "items": { "type": "string" } } },
    })
}

fn wanted() -> Request {
    Request { schema: Some(schema().into()), ..request("which?") }
}

#[test]
fn the_wires_own_schema_is_used_where_there_is_one() {
    for way in WAYS {
        let server = ModelServer::queue([Turn::json(&json!({ "names": ["a.md"] }))]);
        let (reply, heard) = ask(&*way.model(&server), &wanted(), &call());
        assert_eq!(text(&reply.unwrap()), r#"{"names":["a.md"]}"#, "{way:?}");
        assert_eq!(heard, r#"{"names":["a.md"]}"#, "{way:?}");
        assert_eq!(server.last().view.schema, Some(schema()), "{way:?}");
    }
}

#[test]
fn a_server_without_schemas_is_asked_in_words_and_remembered() {
    for way in WAYS {
        let server = ModelServer::new(|request| match request.view.schema {
            Some(_) => Turn::status(400, "response_format is not supported"),
            None => Turn::say("```json\n{\"names\": []}\n```"),
        });
        let model = way.model(&server);
        for asked in [2, 3] {
            assert_eq!(text(&ask(&*model, &wanted(), &call()).0.unwrap()), r#"{"names":[]}"#, "{way:?}");
            assert_eq!(server.requests().len(), asked, "{way:?}");
        }
        let last = server.last().view.last_user;
        assert!(last.starts_with("which?") && last.contains("additionalProperties"), "{last}");
    }
}

#[test]
fn an_answer_that_does_not_fit_is_sent_back_once() {
    for way in WAYS {
        for bad in ["Sure! {\"names\":[]}", "", "{\"names\":\"a\"}", "{\"names\":[", "[]"] {
            let server = ModelServer::queue([Turn::say(bad), Turn::say(" {\"names\": [\"b.md\"]}\n")]);
            let reply = ask(&*way.model(&server), &wanted(), &call()).0.unwrap();
            assert_eq!(text(&reply), r#"{"names":["b.md"]}"#, "{way:?} {bad:?}");
            let counted: u64 = server.requests().iter().map(|request| request.count.unwrap().prompt()).sum();
            assert_eq!(reply.usage.input + reply.usage.cache_read + reply.usage.cache_write, counted, "{way:?}");
            assert!(server.last().view.last_user.starts_with("That cannot be used: "), "{way:?}");
        }
    }
}

#[test]
fn an_answer_that_never_fits_is_an_error() {
    for way in WAYS {
        let server = ModelServer::new(|_| Turn::say("I would pick a.md"));
        let (reply, heard) = ask(&*way.model(&server), &wanted(), &call());
        assert!(matches!(reply, Err(ModelError::Malformed { .. })), "{way:?}: {reply:?}");
        assert_eq!((server.requests().len(), heard.as_str()), (2, ""), "{way:?}");
    }
}

#[test]
fn a_refusal_passes_and_a_cut_answer_is_an_error() {
    for way in WAYS {
        let server = ModelServer::queue([
            Turn::say("No.").ending(Ending::Refusal),
            Turn::say("{\"names\":[\"a").ending(Ending::Length),
        ]);
        let model = way.model(&server);
        assert_eq!(ask(&*model, &wanted(), &call()).0.unwrap().stop, StopReason::Refusal, "{way:?}");
        assert!(matches!(ask(&*model, &wanted(), &call()).0, Err(ModelError::Malformed { .. })), "{way:?}");
        assert_eq!(server.requests().len(), 2, "{way:?}");
    }
}
