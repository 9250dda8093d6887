//! Servers that are nearly compatible: Ollama, llama.cpp, vLLM, OpenRouter.

use memdir_model::{ContentBlock, StopReason, Usage};
use memdir_testkit::model_server::{ModelServer, Quirks, Turn};
use serde_json::json;

use crate::{WAYS, Way, ask, call, request, text, with_tools};

#[test]
fn servers_that_say_nothing_of_tokens() {
    for way in WAYS {
        let quirks = Quirks { no_usage: true, ..Quirks::default() };
        let server = ModelServer::queue([Turn::say("one two").quirks(quirks)]);
        let reply = ask(&*way.model(&server), &request("go"), &call()).0.unwrap();
        assert_eq!((text(&reply).as_str(), reply.usage), ("one two", Usage::default()), "{way:?}");
    }
}

#[test]
fn servers_that_leave_out_the_end_mark() {
    for way in [Way::Anthropic, Way::Chat] {
        let quirks = Quirks { no_done: true, ..Quirks::default() };
        let server = ModelServer::queue([Turn::say("one two").quirks(quirks)]);
        assert_eq!(text(&ask(&*way.model(&server), &request("go"), &call()).0.unwrap()), "one two", "{way:?}");
    }
}

#[test]
fn servers_that_answer_in_one_piece() {
    for way in WAYS {
        let quirks = Quirks { no_stream: true, ..Quirks::default() };
        let turn = Turn::say("one two").thinking("hm").and_call("Read", json!({ "file": "a" }));
        let server = ModelServer::queue([turn.quirks(quirks)]);
        let (reply, heard) = ask(&*way.model(&server), &with_tools("go"), &call());
        let reply = reply.unwrap();
        assert_eq!(
            (text(&reply).as_str(), heard.as_str(), reply.stop),
            ("one two", "one two", StopReason::Tools),
            "{way:?}"
        );
        assert!(
            reply
                .content
                .iter()
                .any(|block| matches!(block, ContentBlock::ToolUse { input, .. } if input["file"] == "a"))
        );
        assert!(reply.usage.total() > 0, "{way:?}");
    }
}

#[test]
fn arguments_as_an_object_and_calls_without_ids() {
    for quirks in [
        Quirks { whole_arguments: true, ..Quirks::default() },
        Quirks { no_ids: true, ..Quirks::default() },
        Quirks { whole_arguments: true, no_ids: true, ..Quirks::default() },
        Quirks { whole_arguments: true, no_ids: true, no_stream: true, no_usage: true, ..Quirks::default() },
    ] {
        let turn = Turn::call("Read", json!({ "file": "a" })).and_call("Read", json!({ "file": "b" }));
        let server = ModelServer::queue([turn.quirks(quirks)]);
        let reply = ask(&*Way::Chat.model(&server), &with_tools("go"), &call()).0.unwrap();
        assert_eq!(reply.stop, StopReason::Tools, "{quirks:?}");
        let calls: Vec<(&str, &str)> = reply
            .content
            .iter()
            .filter_map(|block| match block {
                ContentBlock::ToolUse { id, input, .. } => Some((id.as_str(), input["file"].as_str().unwrap())),
                _ => None,
            })
            .collect();
        assert_eq!(calls.iter().map(|(_, file)| *file).collect::<Vec<_>>(), ["a", "b"], "{quirks:?}");
        assert_ne!(calls[0].0, calls[1].0, "{quirks:?}");
    }
}

#[test]
fn reasoning_is_not_part_of_what_is_said() {
    let server = ModelServer::queue([Turn::say("yes").thinking("long thoughts")]);
    let (reply, heard) = ask(&*Way::Chat.model(&server), &request("go"), &call());
    assert_eq!((text(&reply.unwrap()).as_str(), heard.as_str()), ("yes", "yes"));
}
