//! What goes out to the Messages API.
//!
//! **Cache breakpoints.** The server caches by the beginning of a request, in the order tools,
//! system, messages, up to a block that is marked; what is marked does not change what is cached.
//! Three marks of the four allowed:
//! - the last system block: tools and system are the same for every request of a session;
//! - the last block of the last message: the next request begins with all of this one;
//! - the last block of the user message before that: there the previous request ended, or the
//!   parent of a fork, so its entry is found however many blocks (of tool calls) came since. The
//!   server itself looks back only 20 blocks.
//!
//! So a fork that appends messages has the same bytes as its parent up to the first mark that
//! moved, and the same blocks up to where its own messages begin. Keys that may differ between the
//! two (`max_tokens`, the output format) come after the messages.

use serde_json::{Map, Value, json};

use crate::{ChatMessage, ChatRole, ContentBlock, Request, ToolSpec};

/// The body of a question. The messages are given apart: there may be more than in the request.
pub(super) fn asked(model: &str, request: &Request, messages: &[ChatMessage]) -> Value {
    let mut body = common(model, request, messages);
    body.insert("max_tokens".into(), json!(request.max_output_tokens.max(1)));
    body.insert("stream".into(), json!(true));
    if let Some(schema) = &request.schema {
        body.insert("output_config".into(), json!({ "format": { "type": "json_schema", "schema": schema.object } }));
    }
    Value::Object(body)
}

/// The body of a request that is only counted.
pub(super) fn counted(model: &str, request: &Request) -> Value {
    Value::Object(common(model, request, &request.messages))
}

fn common(model: &str, request: &Request, messages: &[ChatMessage]) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".into(), json!(model));
    if !request.tools.is_empty() {
        body.insert("tools".into(), request.tools.iter().map(tool).collect());
    }
    let mut system: Vec<Value> = request
        .system
        .iter()
        .filter(|text| !text.is_empty())
        .map(|text| json!({ "type": "text", "text": text }))
        .collect();
    if let Some(last) = system.last_mut() {
        mark(last);
    }
    if !system.is_empty() {
        body.insert("system".into(), Value::Array(system));
    }
    body.insert("messages".into(), Value::Array(conversation(messages)));
    body
}

/// Whether a request offers a tool of the provider's own, which it must be told of beforehand.
pub(super) fn offers_own(body: &Value) -> bool {
    body["tools"].as_array().into_iter().flatten().any(|tool| tool["type"].is_string())
}

fn tool(tool: &ToolSpec) -> Value {
    if let Some(own) = &tool.own {
        return json!({ "type": own, "name": tool.name });
    }
    json!({ "name": tool.name, "description": tool.description, "input_schema": tool.input_schema })
}

fn conversation(messages: &[ChatMessage]) -> Vec<Value> {
    let mut sent: Vec<Value> = messages
        .iter()
        .map(|message| {
            let content: Vec<Value> = message.content.iter().filter_map(block).collect();
            let role = if message.role == ChatRole::User { "user" } else { "assistant" };
            json!({ "role": role, "content": content })
        })
        // A message without content is an error to the server.
        .filter(|message| message["content"].as_array().is_some_and(|content| !content.is_empty()))
        .collect();
    let last = sent.len().checked_sub(1);
    let before = last.and_then(|last| (0..last).rev().find(|at| sent[*at]["role"] == "user"));
    for at in last.into_iter().chain(before) {
        if let Some(block) = sent[at]["content"].as_array_mut().and_then(|content| content.last_mut()) {
            mark(block);
        }
    }
    sent
}

fn block(block: &ContentBlock) -> Option<Value> {
    match block {
        // Empty text is an error to the server.
        ContentBlock::Text { text } => (!text.is_empty()).then(|| json!({ "type": "text", "text": text })),
        ContentBlock::ToolUse { id, name, input } => {
            // Whatever the model made up, only an object may be sent back.
            let input = if input.is_object() { input.clone() } else { json!({ "input": input }) };
            Some(json!({ "type": "tool_use", "id": id, "name": name, "input": input }))
        }
        ContentBlock::ToolResult { tool_use_id, content, is_error } => {
            let mut result = json!({ "type": "tool_result", "tool_use_id": tool_use_id, "content": content });
            if *is_error {
                result["is_error"] = json!(true);
            }
            Some(result)
        }
        ContentBlock::Opaque(value) => Some(value.clone()),
    }
}

/// Puts a breakpoint on a block that can carry one.
fn mark(block: &mut Value) {
    let carries = matches!(block["type"].as_str(), Some("text" | "tool_use" | "tool_result"));
    if let (true, Some(fields)) = (carries, block.as_object_mut()) {
        fields.insert("cache_control".into(), json!({ "type": "ephemeral" }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(messages: Vec<ChatMessage>) -> Request {
        Request {
            system: vec!["You are careful.".into(), "Memory is in /m.".into()],
            tools: vec![ToolSpec {
                name: "Read".into(),
                description: "reads".into(),
                input_schema: json!({ "type": "object" }),
                own: None,
            }],
            messages,
            max_output_tokens: 100,
            schema: None,
        }
    }

    fn marks(body: &Value) -> Vec<String> {
        let text = body.to_string();
        let before = text.match_indices(",\"cache_control\"").map(|(at, _)| &text[..at]);
        before.map(|text| text.rsplit(['{', ',']).next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn breakpoints_sit_at_system_previous_user_message_and_end() {
        let assistant = |text: &str| ChatMessage {
            role: ChatRole::Assistant,
            content: vec![ContentBlock::Text { text: text.into() }],
        };
        let one = request(vec![ChatMessage::user("first")]);
        assert_eq!(marks(&asked("m", &one, &one.messages)), ["\"text\":\"Memory is in /m.\"", "\"text\":\"first\""]);
        let two = request(vec![
            ChatMessage::user("first"),
            assistant("answer"),
            ChatMessage::user("second"),
            assistant("x"),
            ChatMessage::user("third"),
        ]);
        assert_eq!(
            marks(&asked("m", &two, &two.messages)),
            ["\"text\":\"Memory is in /m.\"", "\"text\":\"second\"", "\"text\":\"third\""]
        );
    }

    #[test]
    fn x2_a_fork_has_its_parents_bytes_up_to_the_mark_that_moved() {
        let parent = request(vec![
            ChatMessage::user("first"),
            ChatMessage { role: ChatRole::Assistant, content: vec![ContentBlock::Text { text: "a".into() }] },
            ChatMessage::user("second"),
        ]);
        let mut fork = parent.clone();
        fork.max_output_tokens = 7;
        fork.messages
            .push(ChatMessage { role: ChatRole::Assistant, content: vec![ContentBlock::Text { text: "b".into() }] });
        fork.messages.push(ChatMessage::user("learn"));
        let (parent, fork) =
            (asked("m", &parent, &parent.messages).to_string(), asked("m", &fork, &fork.messages).to_string());
        let unmarked = |text: &str| text.replace(",\"cache_control\":{\"type\":\"ephemeral\"}", "");
        let until_first = parent.find("\"first\"").unwrap() + 7;
        assert_eq!(parent[..until_first], fork[..until_first]);
        let (parent, fork) = (unmarked(&parent), unmarked(&fork));
        let common = parent.split(",\"max_tokens\"").next().unwrap().trim_end_matches(']');
        assert!(fork.starts_with(common), "{parent}\n{fork}");
    }

    #[test]
    fn what_the_server_would_not_take_is_left_out_or_mended() {
        let messages = vec![
            ChatMessage::user(""),
            ChatMessage {
                role: ChatRole::User,
                content: vec![ContentBlock::Text { text: "hi".into() }, ContentBlock::Text { text: String::new() }],
            },
            ChatMessage {
                role: ChatRole::Assistant,
                content: vec![
                    ContentBlock::Opaque(json!({ "type": "thinking", "thinking": "t", "signature": "s" })),
                    ContentBlock::ToolUse { id: "t1".into(), name: "Read".into(), input: json!("oops") },
                ],
            },
            ChatMessage {
                role: ChatRole::User,
                content: vec![ContentBlock::ToolResult {
                    tool_use_id: "t1".into(),
                    content: String::new(),
                    is_error: true,
                }],
            },
        ];
        let body = asked("m", &request(messages.clone()), &messages);
        assert_eq!(body["messages"].as_array().unwrap().len(), 3);
        assert_eq!(body["messages"][0]["content"].as_array().unwrap().len(), 1);
        assert_eq!(body["messages"][1]["content"][0], json!({ "type": "thinking", "thinking": "t", "signature": "s" }));
        assert_eq!(body["messages"][1]["content"][1]["input"], json!({ "input": "oops" }));
        assert_eq!(body["messages"][2]["content"][0]["is_error"], true);
    }
}
