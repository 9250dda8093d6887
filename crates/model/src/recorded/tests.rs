//! Whatever a server sends, in whatever pieces: no panic, no words that were not said, the same answer.

use proptest::prelude::*;

use super::*;
use crate::ContentBlock;

const MESSAGES: &str = r#"event: message_start
data: {"type":"message_start","message":{"usage":{"input_tokens":12,"cache_read_input_tokens":3,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: ping
data: {"type":"ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Grüße, "}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"world."}}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t1","name":"Read","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"file_path\":\"/a\"}"}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":18446744073709551615}}

event: message_stop
data: {"type":"message_stop"}

"#;

const CHAT: &str = r#"data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Grüße, "}}]}

data: {"choices":[{"index":0,"delta":{"content":"world."}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t1","function":{"name":"Read","arguments":"{\"file_path\""}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":\"/a\"}"}}]}}]}

data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":12,"completion_tokens":9}}

data: [DONE]

"#;

const RESPONSES: &str = r#"event: response.output_item.added
data: {"type":"response.output_item.added","output_index":0,"item":{"type":"message","content":[]}}

event: response.output_text.delta
data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Grüße, "}

event: response.output_text.delta
data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"world."}

event: response.output_item.done
data: {"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[{"type":"output_text","text":"Grüße, world."}]}}

event: response.output_item.done
data: {"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"t1","name":"Read","arguments":"{\"file_path\":\"/a\"}"}}

event: response.completed
data: {"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Grüße, world."}]},{"type":"function_call","call_id":"t1","name":"Read","arguments":"{\"file_path\":\"/a\"}"}],"usage":{"input_tokens":12,"output_tokens":9}}}

"#;

fn stream(spoken: RecordedApi) -> &'static str {
    match spoken {
        RecordedApi::Messages => MESSAGES,
        RecordedApi::Chat => CHAT,
        RecordedApi::Responses => RESPONSES,
    }
}

fn heard(spoken: RecordedApi, pieces: &[&[u8]]) -> (Result<Reply, BrokenAnswer>, String) {
    let mut said = String::new();
    let reply = read(spoken, pieces.iter().copied(), &mut |text| said.push_str(text));
    (reply, said)
}

/// What must hold of any bytes.
fn hold(spoken: RecordedApi, bytes: &[u8], cut: usize) {
    let (whole, said) = heard(spoken, &[bytes]);
    let (first, rest) = bytes.split_at(cut.min(bytes.len()));
    let bytewise: Vec<&[u8]> = bytes.chunks(1).collect();
    for (pieces, words) in [heard(spoken, &[first, rest]), heard(spoken, &bytewise)] {
        assert_eq!((&pieces, &words), (&whole, &said), "{spoken:?}: pieces are not the whole");
    }
    let Ok(reply) = whole else { return };
    let words = reply.content.iter().any(|block| matches!(block, ContentBlock::Text { text } if !text.is_empty()));
    assert!(!words || !said.is_empty(), "{spoken:?}: {:?} was never said", reply.content);
    // Sums of whatever numbers a server names.
    let mut usage = reply.usage;
    usage.add(reply.usage);
    assert!(usage.total() >= usage.output && usage.hit_percent().is_none_or(|hit| (0.0..=100.0).contains(&hit)));
}

#[test]
fn a_recorded_answer_is_read_on_every_wire() {
    for spoken in RecordedApi::ALL {
        let (reply, said) = heard(spoken, &[stream(spoken).as_bytes()]);
        let reply = reply.unwrap();
        assert_eq!(said, "Grüße, world.", "{spoken:?}");
        assert!(
            matches!(&reply.content[..], [ContentBlock::Text { .. }, ContentBlock::ToolUse { name, input, .. }] if name == "Read" && input["file_path"] == "/a"),
            "{spoken:?}: {reply:?}"
        );
        assert_eq!(reply.usage.input, 12, "{spoken:?}");
    }
}

#[test]
fn an_answer_that_is_cut_anywhere_is_whole_or_an_error() {
    for spoken in RecordedApi::ALL {
        let bytes = stream(spoken).as_bytes();
        for end in 0..bytes.len() {
            hold(spoken, &bytes[..end], end / 2);
        }
    }
}

#[test]
fn blocks_that_are_no_objects_are_nonsense() {
    for block in ["5", "\"x\"", "[]", "null", "{}", "true"] {
        let stream = format!(
            "data: {{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{block}}}\n\n\
             data: {{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":\"x\"}}}}\n\n\
             data: {{\"type\":\"message_stop\"}}\n\n"
        );
        assert!(heard(RecordedApi::Messages, &[stream.as_bytes()]).0.is_err(), "{block}");
    }
}

/// Pieces of JSON that stand where others should.
fn odd() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "null",
        "5",
        "-1",
        "18446744073709551615",
        "\"x\"",
        "[]",
        "{}",
        "[{}]",
        "true",
        "\"\\ud83d\"",
        "{\"index\":99999999}",
    ])
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..400), cut in 0_usize..400) {
        for spoken in RecordedApi::ALL {
            hold(spoken, &bytes, cut);
        }
    }

    #[test]
    fn a_stream_with_a_value_exchanged_is_survived(at in 0_usize..40, value in odd(), cut in 0_usize..2000, whole: bool) {
        for spoken in RecordedApi::ALL {
            // The value behind the colon so-and-so becomes another.
            let text = stream(spoken);
            let colons: Vec<usize> = text.match_indices("\":").map(|(at, _)| at + 2).collect();
            let start = colons[at % colons.len()];
            let length = text[start..].find([',', '}', '\n']).unwrap_or(0);
            let mut changed = text.to_owned();
            changed.replace_range(start..start + length, value);
            if whole {
                changed = changed.lines().filter_map(|line| line.strip_prefix("data: ")).next_back().unwrap_or("").to_owned();
            }
            hold(spoken, changed.as_bytes(), cut);
        }
    }

    #[test]
    fn lines_in_any_order_are_survived(order in prop::collection::vec(0_usize..64, 0..24), cut in 0_usize..2000) {
        for spoken in RecordedApi::ALL {
            let events: Vec<&str> = stream(spoken).split_inclusive("\n\n").collect();
            let mixed: String = order.iter().map(|at| events[at % events.len()]).collect();
            hold(spoken, mixed.as_bytes(), cut);
        }
    }
}
