//! A script as a JSON file, for runs in which real clients talk to the server.
//!
//! ```json
//! { "rules": [
//!     { "name": "save", "when": { "last_user": "remember (?P<fact>.+)", "has_tool": "^Write$", "tool_results": 0 },
//!       "times": 1, "reply": { "text": "Saving.", "calls": [{ "tool": "^Write$", "input": { "content": "{{fact}}" } }] } },
//!     { "when": { "last_user": "fail" }, "times": 1, "reply": { "status": 529, "headers": { "retry-after": "0" } } } ],
//!   "default": { "text": "ok" } }
//! ```
//!
//! The first rule that fits and is not used up answers. `when`: `last_user`, `system`, `model`,
//! `any` (the whole body), `tool_result`, `has_tool` are regular expressions; `api` is a wire's
//! name; `tool_results` a number; `no_tools` true or false. Groups of a match are in the reply as
//! `{{name}}` or `{{1}}`; `calls.tool` picks the first tool on offer that fits. A reply may also
//! have `json`, `thought`, `ending` (`length`, `refusal`, `pause`), and one of `status`, `silence`,
//! `stall_after`, `cut_after`, `corrupt_after`, `overload_after`, `die`.

use std::collections::BTreeMap;
use std::sync::Mutex;

use regex::Regex;
use serde_json::{Map, Value, json};

use super::{Ending, Fault, Piece, Recorded, Turn, lock};

/// What a script file says, ready to answer.
pub struct FileScript {
    rules: Vec<Rule>,
    fallback: Value,
    used: Mutex<Vec<usize>>,
}

struct Rule {
    name: String,
    when: Map<String, Value>,
    patterns: BTreeMap<String, Regex>,
    times: Option<u64>,
    reply: Value,
}

impl FileScript {
    /// Reads a script.
    pub fn parse(text: &str) -> Result<FileScript, String> {
        let document: Value = serde_json::from_str(text).map_err(|error| format!("the script is not JSON: {error}"))?;
        let mut rules = Vec::new();
        for (at, rule) in document["rules"].as_array().into_iter().flatten().enumerate() {
            let name = rule["name"].as_str().map_or_else(|| format!("rule {at}"), str::to_owned);
            let when = rule["when"].as_object().cloned().unwrap_or_default();
            let mut patterns = BTreeMap::new();
            for (key, value) in &when {
                match (key.as_str(), value) {
                    ("last_user" | "system" | "model" | "any" | "tool_result" | "has_tool", Value::String(pattern)) => {
                        let regex =
                            Regex::new(&format!("(?s){pattern}")).map_err(|error| format!("{name}: {error}"))?;
                        patterns.insert(key.clone(), regex);
                    }
                    ("api", Value::String(_)) | ("tool_results", Value::Number(_)) | ("no_tools", Value::Bool(_)) => {}
                    _ => return Err(format!("{name}: `when` has no {key}, or not with that value")),
                }
            }
            let reply = rule["reply"].clone();
            if !reply.is_object() {
                return Err(format!("{name}: no reply"));
            }
            rules.push(Rule { name, when, patterns, times: rule["times"].as_u64(), reply });
        }
        let fallback = document.get("default").cloned().unwrap_or_else(|| json!({ "text": "ok" }));
        let used = Mutex::new(vec![0; rules.len()]);
        Ok(FileScript { rules, fallback, used })
    }

    /// The turn for a request, with the name of its rule.
    pub fn turn(&self, request: &Recorded) -> Turn {
        let mut used = lock(&self.used);
        for (at, rule) in self.rules.iter().enumerate() {
            if rule.times.is_some_and(|times| used[at] as u64 >= times) {
                continue;
            }
            if let Some(groups) = rule.fits(request) {
                used[at] += 1;
                return Turn { rule: rule.name.clone(), ..turn(&filled(&rule.reply, &groups), request) };
            }
        }
        Turn { rule: "default".into(), ..turn(&self.fallback, request) }
    }
}

impl Rule {
    /// The groups of its matches, when all of them fit.
    fn fits(&self, request: &Recorded) -> Option<BTreeMap<String, String>> {
        let view = &request.view;
        let mut groups = BTreeMap::new();
        for (key, regex) in &self.patterns {
            let subject = match key.as_str() {
                "last_user" => view.last_user.clone(),
                "system" => view.system.clone(),
                "model" => view.model.clone(),
                "tool_result" => view.tool_results.join("\n"),
                "has_tool" => view.tools.iter().find(|tool| regex.is_match(tool)).cloned()?,
                _ => String::from_utf8_lossy(&request.raw).into_owned(),
            };
            let found = regex.captures(&subject)?;
            for (at, name) in regex.capture_names().enumerate().skip(1) {
                let text = found.get(at).map_or("", |group| group.as_str()).to_owned();
                groups.insert(at.to_string(), text.clone());
                groups.extend(name.map(|name| (name.to_owned(), text)));
            }
        }
        let plain = self.when.iter().all(|(key, value)| match key.as_str() {
            "api" => value == request.api.name(),
            "tool_results" => value.as_u64() == Some(view.tool_results.len() as u64),
            "no_tools" => value.as_bool() == Some(view.tools.is_empty()),
            _ => true,
        });
        plain.then_some(groups)
    }
}

/// A value with its `{{groups}}` filled in.
fn filled(value: &Value, groups: &BTreeMap<String, String>) -> Value {
    match value {
        Value::String(text) => Value::String(
            groups.iter().fold(text.clone(), |text, (name, group)| text.replace(&format!("{{{{{name}}}}}"), group)),
        ),
        Value::Array(items) => items.iter().map(|item| filled(item, groups)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, value)| (key.clone(), filled(value, groups))).collect())
        }
        other => other.clone(),
    }
}

fn turn(reply: &Value, request: &Recorded) -> Turn {
    let mut turn = Turn::default();
    let text = |key: &str| reply[key].as_str().map(str::to_owned);
    turn.pieces.extend(text("thought").map(Piece::Thought));
    turn.pieces.extend(text("text").map(Piece::Text));
    turn.pieces.extend(reply.get("json").map(|value| Piece::Text(value.to_string())));
    for call in reply["calls"].as_array().into_iter().flatten() {
        let wanted = call["tool"].as_str().unwrap_or_default();
        let fits = Regex::new(wanted).ok();
        let offered = request.view.tools.iter().find(|tool| fits.as_ref().is_some_and(|fits| fits.is_match(tool)));
        let name = offered.cloned().unwrap_or_else(|| wanted.to_owned());
        turn.pieces.push(Piece::Call { name, input: call.get("input").cloned().unwrap_or_else(|| json!({})) });
    }
    turn.ending = match reply["ending"].as_str() {
        Some("length") => Ending::Length,
        Some("refusal") => Ending::Refusal,
        Some("pause") => Ending::Pause,
        _ => Ending::Natural,
    };
    let number = |key: &str| reply[key].as_u64().map(|number| number as usize);
    let status = number("status").map(|code| Fault::Status {
        code: code as u16,
        headers: reply["headers"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
            .collect(),
        message: text("message").unwrap_or_else(|| "scripted".into()),
    });
    turn.fault = status
        .or_else(|| number("stall_after").map(Fault::StallAfter))
        .or_else(|| number("cut_after").map(Fault::CutAfter))
        .or_else(|| number("corrupt_after").map(Fault::CorruptAfter))
        .or_else(|| number("overload_after").map(Fault::OverloadAfter))
        .or_else(|| (reply["silence"] == true).then_some(Fault::Silence))
        .or_else(|| (reply["die"] == true).then_some(Fault::Die));
    turn
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(user: &str, tools: &Value) -> Recorded {
        let body =
            json!({ "model": "m", "max_tokens": 9, "tools": tools, "messages": [{ "role": "user", "content": user }] });
        Recorded::new("POST".into(), "/v1/messages", Vec::new(), body.to_string().into_bytes())
    }

    #[test]
    fn rules_match_fill_in_and_are_used_up() {
        let script = FileScript::parse(
            r#"{"rules":[
                {"name":"save","when":{"last_user":"remember (?P<fact>.+)","has_tool":"Write$"},"times":1,
                 "reply":{"text":"Saving {{1}}","calls":[{"tool":"Write$","input":{"content":"- {{fact}}"}}]}},
                {"name":"busy","when":{"last_user":"busy","no_tools":true},"reply":{"status":529,"headers":{"retry-after":0}}}]}"#,
        )
        .unwrap();
        let tools = json!([{ "name": "MyWrite" }]);
        let saved = script.turn(&request("remember the milk", &tools));
        assert_eq!(saved.rule, "save");
        assert_eq!(
            saved.pieces,
            [
                Piece::Text("Saving the milk".into()),
                Piece::Call { name: "MyWrite".into(), input: json!({ "content": "- the milk" }) }
            ]
        );
        assert_eq!(script.turn(&request("remember the milk", &tools)).rule, "default");
        let busy = script.turn(&request("busy", &json!([])));
        assert!(matches!(busy.fault, Some(Fault::Status { code: 529, ref headers, .. }) if headers[0].1 == "0"));
    }

    #[test]
    fn a_script_with_a_mistake_says_where() {
        for (script, words) in [
            ("{", "not JSON"),
            (r#"{"rules":[{"when":{"last_usr":"x"},"reply":{}}]}"#, "rule 0: `when` has no last_usr"),
            (r#"{"rules":[{"name":"n","when":{"any":"("},"reply":{}}]}"#, "n: "),
            (r#"{"rules":[{"name":"n"}]}"#, "n: no reply"),
        ] {
            let error = FileScript::parse(script).err().unwrap();
            assert!(error.contains(words), "{error}");
        }
    }
}
