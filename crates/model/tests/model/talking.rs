//! Words, tools, reasons to stop, counts.

use memdir_model::{Anthropic, ApiKey, ChatMessage, ChatRole, ContentBlock, Endpoint, StopReason};
use memdir_testkit::model_server::{Ending, Fault, ModelServer, Turn};
use serde_json::json;

use crate::{KEY, WAYS, Way, ask, call, request, text, with_tools};

#[test]
fn words_arrive_while_they_are_said_and_whole_at_the_end() {
    for way in WAYS {
        let server = ModelServer::queue([Turn::say("Good morning,  söder 🦀.\n\nBye.").thinking("hm")]);
        let model = way.model(&server);
        let mut pieces = 0;
        let mut heard = String::new();
        let reply = model.ask(&request("hello"), &call(), &mut |piece| {
            pieces += 1;
            heard.push_str(piece);
        });
        let reply = reply.unwrap();
        assert_eq!(
            (text(&reply), heard.as_str()),
            ("Good morning,  söder 🦀.\n\nBye.".into(), "Good morning,  söder 🦀.\n\nBye."),
            "{way:?}"
        );
        assert!(pieces > 2, "{way:?}: {pieces}");
        assert_eq!(reply.stop, StopReason::Done, "{way:?}");
        let seen = server.last();
        assert_eq!(
            (seen.view.model.as_str(), seen.view.system.as_str(), seen.view.last_user.as_str()),
            ("m-1", "You are careful.", "hello")
        );
        assert!(seen.has_key && seen.view.stream, "{way:?}");
        assert_eq!(seen.header("user-agent").unwrap(), concat!("memdir/", env!("CARGO_PKG_VERSION")));
        let count = seen.count.unwrap();
        assert_eq!(reply.usage.input + reply.usage.cache_read + reply.usage.cache_write, count.prompt(), "{way:?}");
        assert!(reply.usage.output > 0, "{way:?}");
        assert!(!String::from_utf8_lossy(&seen.raw).contains(KEY), "{way:?}: the key is in the body");
    }
}

#[test]
fn tools_are_called_and_their_results_go_back() {
    for way in WAYS {
        let server = ModelServer::queue([
            Turn::say("Let me look.")
                .thinking("a file")
                .and_call("Read", json!({ "file": "a \"quoted\" é.md" }))
                .and_call("Read", json!({})),
            Turn::say("It says yes."),
        ]);
        let model = way.model(&server);
        let mut request = with_tools("what does a.md say?");
        let (reply, heard) = ask(&*model, &request, &call());
        let reply = reply.unwrap();
        assert_eq!((reply.stop, heard.as_str()), (StopReason::Tools, "Let me look."), "{way:?}");
        let calls: Vec<(String, serde_json::Value)> = reply
            .content
            .iter()
            .filter_map(|block| match block {
                ContentBlock::ToolUse { id, name, input } if name == "Read" => Some((id.clone(), input.clone())),
                _ => None,
            })
            .collect();
        assert_eq!(calls.len(), 2, "{way:?}");
        assert_eq!(calls[0].1, json!({ "file": "a \"quoted\" é.md" }), "{way:?}");
        assert_ne!(calls[0].0, calls[1].0, "{way:?}");
        assert_eq!(server.last().view.tools, ["Read"], "{way:?}");
        request.messages.push(ChatMessage { role: ChatRole::Assistant, content: reply.content });
        let results = calls.iter().zip(["yes", "no such file"]).map(|((id, _), content)| ContentBlock::ToolResult {
            tool_use_id: id.clone(),
            content: content.into(),
            is_error: content != "yes",
        });
        request.messages.push(ChatMessage { role: ChatRole::User, content: results.collect() });
        let (reply, _) = ask(&*model, &request, &call());
        assert_eq!(text(&reply.unwrap()), "It says yes.", "{way:?}");
        let results = server.last().view.tool_results;
        assert!(results[0].contains("yes") && results[1].contains("no such file"), "{way:?}: {results:?}");
    }
}

#[test]
fn a_call_without_words_streams_nothing() {
    for way in WAYS {
        let server = ModelServer::queue([Turn::call("Read", json!({ "file": "x" }))]);
        let (reply, heard) = ask(&*way.model(&server), &with_tools("go"), &call());
        assert_eq!((reply.unwrap().stop, heard.as_str()), (StopReason::Tools, ""), "{way:?}");
    }
}

#[test]
fn refusals_and_limits_are_told_apart() {
    for way in WAYS {
        let server = ModelServer::queue([
            Turn::say("I would rather not.").ending(Ending::Refusal),
            Turn::say("on and on").ending(Ending::Length),
        ]);
        let model = way.model(&server);
        for (want, words) in [(StopReason::Refusal, "I would rather not."), (StopReason::Length, "on and on")] {
            let reply = ask(&*model, &request("go"), &call()).0.unwrap();
            assert_eq!((reply.stop, text(&reply)), (want, words.to_owned()), "{way:?}");
        }
    }
}

#[test]
fn a_paused_turn_is_taken_up_again() {
    let server = ModelServer::queue([Turn::say("First,").ending(Ending::Pause), Turn::say(" second.")]);
    let (reply, heard) = ask(&*Way::Anthropic.model(&server), &request("go"), &call());
    let reply = reply.unwrap();
    assert_eq!((text(&reply).as_str(), heard.as_str()), ("First, second.", "First, second."));
    let counted: u64 = server.requests().iter().map(|request| request.count.unwrap().prompt()).sum();
    assert_eq!(reply.usage.input + reply.usage.cache_read + reply.usage.cache_write, counted);
    assert_eq!(server.last().view.messages, 2);
}

#[test]
fn thoughts_of_the_provider_go_back_unchanged() {
    let server = ModelServer::queue([Turn::say("yes").thinking("deep"), Turn::say("again")]);
    let model = Way::Anthropic.model(&server);
    let mut request = request("go");
    let reply = ask(&*model, &request, &call()).0.unwrap();
    let thought = json!({ "type": "thinking", "thinking": "deep", "signature": "c2lnbmVk" });
    assert_eq!(reply.content[0], ContentBlock::Opaque(thought.clone()));
    request.messages.push(ChatMessage { role: ChatRole::Assistant, content: reply.content });
    request.messages.push(ChatMessage::user("and?"));
    ask(&*model, &request, &call()).0.unwrap();
    assert_eq!(server.last().body["messages"][1]["content"][0], thought);
}

#[test]
fn tokens_are_counted_by_the_provider() {
    let server = ModelServer::queue([]);
    let model = Anthropic::new(Endpoint::new(&server.url(), ApiKey::new(KEY)).unwrap(), "m-1");
    let short = model.count_tokens(&request("hello"), &call()).unwrap();
    let long = model.count_tokens(&request(&"hello ".repeat(400)), &call()).unwrap();
    assert!(short > 0 && long > short + 500, "{short} {long}");
    assert_eq!(server.last().path, "/v1/messages/count_tokens");
}

#[test]
fn base_urls_with_and_without_their_version() {
    for (way, bases, path) in [
        (Way::Anthropic, ["", "/", "/v1", "/v1/"], "/v1/messages"),
        (Way::Chat, ["", "/", "/v1", "/v1/"], "/v1/chat/completions"),
        (Way::Responses, ["", "/", "/v1", "/v1/"], "/v1/responses"),
    ] {
        for base in bases {
            let server = ModelServer::queue([Turn::say("ok")]);
            ask(&*way.at(&format!("{}{base}", server.url())), &request("hi"), &call()).0.unwrap();
            assert_eq!(server.last().path, path, "{base:?}");
        }
    }
}

#[test]
fn a_server_that_is_overloaded_in_the_middle() {
    for way in WAYS {
        let late = Fault::OverloadAfter(way.first_word());
        let server = ModelServer::queue([
            Turn::say("never heard").with(Fault::OverloadAfter(1)),
            Turn::say("one two"),
            Turn::say("one two").with(late),
        ]);
        let model = way.model(&server);
        let (reply, heard) = ask(&*model, &request("go"), &call());
        assert_eq!((text(&reply.unwrap()).as_str(), heard.as_str()), ("one two", "one two"), "{way:?}");
        let (reply, heard) = ask(&*model, &request("go"), &call());
        assert!(matches!(reply, Err(memdir_model::ModelError::Busy { attempts: 1, .. })), "{way:?}: {reply:?}");
        assert_eq!(heard, "one ", "{way:?}");
        assert_eq!(server.requests().len(), 3, "{way:?}");
    }
}
