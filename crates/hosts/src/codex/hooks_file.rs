//! Whether Codex takes a `hooks.json` at all (B4), as seen in version 0.166.
//!
//! Enters: the file as it stands on the disk. Leaves: the first thing for which Codex leaves the whole file out, with every hook
//! in it. An event that it does not know, and a key of a hook that it does not know, it passes over. Never writes.

use serde::Deserialize;

/// The file. Codex refuses a key beside these two, and any key that stands twice.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "it is read to see whether it can be")]
struct HooksFile {
    description: Option<String>,
    #[serde(default)]
    hooks: Events,
}

/// The events that it knows; of others it does not look at the value.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Events {
    permission_request: Vec<MatcherGroup>,
    post_compact: Vec<MatcherGroup>,
    post_tool_use: Vec<MatcherGroup>,
    pre_compact: Vec<MatcherGroup>,
    pre_tool_use: Vec<MatcherGroup>,
    session_end: Vec<MatcherGroup>,
    session_start: Vec<MatcherGroup>,
    stop: Vec<MatcherGroup>,
    subagent_start: Vec<MatcherGroup>,
    subagent_stop: Vec<MatcherGroup>,
    user_prompt_submit: Vec<MatcherGroup>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "it is read to see whether it can be")]
struct MatcherGroup {
    matcher: Option<String>,
    #[serde(default)]
    hooks: Vec<HookHandler>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(dead_code, reason = "it is read to see whether it can be")]
enum HookHandler {
    Command(Program),
    McpTool { server: String },
    Prompt {},
    Agent {},
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "it is read to see whether it can be")]
struct Program {
    command: String,
    command_windows: Option<String>,
    timeout: Option<u64>,
    #[serde(default)]
    r#async: bool,
    status_message: Option<String>,
}

/// What is wrong with it, and in which line.
pub(super) fn refusal(text: &str) -> Option<(String, usize)> {
    // A list is read as a file without hooks.
    if text.trim_start().starts_with('[') {
        return None;
    }
    let error = serde_json::from_str::<HooksFile>(text).err()?;
    let said = error.to_string();
    let what = said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what);
    Some((what.to_owned(), error.line()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str =
        r#"{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "true", "timeout": 5 }] }] } }"#;

    /// What the real Codex 0.166 says of these files (`hooks/list` of its app server).
    #[test]
    fn b4_it_is_refused_where_codex_refuses_it() {
        let with = |more: &str| OURS.replacen("{ \"Stop\"", &format!("{{ {more}, \"Stop\""), 1);
        let entry = |entry: &str| with(&format!("\"PreToolUse\": [{{ \"hooks\": [{entry}] }}]"));
        for (text, words) in [
            (OURS.replacen('{', "{ \"mine\": 1,", 1), "unknown field `mine`"),
            (OURS.replacen('{', "{ \"description\": 1,", 1), "expected a string"),
            (OURS.replacen('{', "{ \"hooks\": {},", 1), "duplicate field `hooks`"),
            (with("\"Stop\": []"), "duplicate field `Stop`"),
            (with("\"PreToolUse\": \"x\""), "expected a sequence"),
            (with("\"SessionEnd\": null"), "expected a sequence"),
            (with("\"PreToolUse\": [{ \"matcher\": 5 }]"), "expected a string"),
            (with("\"PreToolUse\": [{ \"hooks\": null }]"), "expected a sequence"),
            (entry(r#"{ "command": "x" }"#), "missing field `type`"),
            (entry(r#"{ "type": "command" }"#), "missing field `command`"),
            (entry(r#"{ "type": "other", "command": "x" }"#), "unknown variant `other`"),
            (entry(r#"{ "type": "mcp_tool" }"#), "missing field `server`"),
            (entry(r#"{ "type": "command", "command": "x", "timeout": "5" }"#), "expected u64"),
            (entry(r#"{ "type": "command", "command": "x", "timeout": -5 }"#), "expected u64"),
            (entry(r#"{ "type": "command", "command": "x", "async": "yes" }"#), "expected a boolean"),
            (entry(r#"{ "type": "command", "command": "x", "statusMessage": 5 }"#), "expected a string"),
            (
                entry(r#"{ "type": "command", "command": "x", "timeout": 5, "timeout": 6 }"#),
                "duplicate field `timeout`",
            ),
            ("{ \"hooks\": null }".to_owned(), "null"),
            (format!("// mine\n{OURS}"), "expected value"),
            (format!("\u{feff}{OURS}"), "expected value"),
        ] {
            let said = refusal(&text).unwrap_or_else(|| panic!("it is taken: {text}")).0;
            assert!(said.contains(words), "{text}: {said}");
        }
        for text in [
            OURS.to_owned(),
            "{}".to_owned(),
            with("\"Mine\": \"x\""),
            with("\"Mine\": [], \"Mine\": []"),
            with("\"PreToolUse\": [{ \"matcher\": null, \"mine\": 1 }]"),
            entry(r#"{ "type": "command", "command": "x", "args": ["a"], "mine": 1, "timeout": null }"#),
            entry(r#"{ "type": "prompt" }, { "type": "agent" }"#),
        ] {
            assert_eq!(refusal(&text), None, "{text}");
        }
    }
}
