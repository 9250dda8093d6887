//! A request as it arrived, and one view of it for all wires.

use serde_json::Value;

use super::cache::Count;

/// Which wire a request speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// Anthropic Messages.
    Anthropic,
    /// Anthropic's token counter.
    AnthropicCount,
    /// OpenAI Chat Completions.
    Chat,
    /// OpenAI Responses.
    Responses,
    /// Gemini `generateContent`, streamed or not.
    Gemini,
    /// Gemini's token counter.
    GeminiCount,
    /// A list of models.
    Models,
    /// Anything else.
    Other,
}

impl Api {
    /// The wire of a path.
    pub(super) fn of(method: &str, path: &str) -> Api {
        let path = path.split('?').next().unwrap_or_default();
        match method {
            "POST" if path.ends_with("/v1/messages/count_tokens") => Api::AnthropicCount,
            "POST" if path.ends_with("/v1/messages") => Api::Anthropic,
            "POST" if path.ends_with("/chat/completions") => Api::Chat,
            "POST" if path.ends_with("/responses") => Api::Responses,
            "POST" if path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent") => Api::Gemini,
            "POST" if path.ends_with(":countTokens") => Api::GeminiCount,
            "GET" if path.ends_with("/models") => Api::Models,
            _ => Api::Other,
        }
    }

    /// Its name in script files and logs.
    pub fn name(self) -> &'static str {
        match self {
            Api::Anthropic => "anthropic",
            Api::Chat => "chat",
            Api::Responses => "responses",
            Api::Gemini => "gemini",
            Api::AnthropicCount | Api::GeminiCount => "count",
            Api::Models => "models",
            Api::Other => "other",
        }
    }

    /// Whether the script has a turn for it.
    pub(super) fn is_scripted(self) -> bool {
        matches!(self, Api::Anthropic | Api::Chat | Api::Responses | Api::Gemini)
    }
}

/// What a request says, whatever its wire.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// The model that is asked.
    pub model: String,
    /// The system prompt, joined.
    pub system: String,
    /// The words of the last message that a user wrote.
    pub last_user: String,
    /// The names of the tools on offer.
    pub tools: Vec<String>,
    /// What tools gave back since that message.
    pub tool_results: Vec<String>,
    /// How many messages there are.
    pub messages: usize,
    /// Whether a stream is asked for.
    pub stream: bool,
    /// The JSON schema of the answer.
    pub schema: Option<Value>,
}

/// A request as it arrived. The value of a key is nowhere in it.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Its number, from 1.
    pub number: usize,
    /// The method.
    pub method: String,
    /// The path with its query; a key in it is blotted out.
    pub path: String,
    /// The headers in lower case; the values of keys are blotted out.
    pub headers: Vec<(String, String)>,
    /// Whether it carried a key.
    pub has_key: bool,
    /// Which wire it speaks.
    pub api: Api,
    /// The body as JSON; null when it is none.
    pub body: Value,
    /// The body as it came.
    pub raw: Vec<u8>,
    /// What it says.
    pub view: View,
    /// What the server counted; nothing for what it did not answer.
    pub count: Option<Count>,
    /// The rule of the script that answered it; empty where the script names none.
    pub rule: String,
}

/// What is in place of a key.
pub(super) const BLOT: &str = "…";

impl Recorded {
    /// Reads a request.
    pub(super) fn new(method: String, path: &str, headers: Vec<(String, String)>, raw: Vec<u8>) -> Recorded {
        let api = Api::of(&method, path);
        let body: Value = serde_json::from_slice(&raw).unwrap_or(Value::Null);
        let mut has_key = false;
        let headers = headers
            .into_iter()
            .map(|(name, value)| {
                let is_key =
                    matches!(name.as_str(), "authorization" | "x-api-key" | "x-goog-api-key" | "proxy-authorization");
                has_key |= is_key && !value.trim().is_empty();
                (name, if is_key { BLOT.to_owned() } else { value })
            })
            .collect();
        let path = match path.split_once('?') {
            Some((path, query)) => {
                let parts = query.split('&').map(|part| {
                    let is_key = part.starts_with("key=");
                    has_key |= is_key;
                    if is_key { format!("key={BLOT}") } else { part.to_owned() }
                });
                format!("{path}?{}", parts.collect::<Vec<_>>().join("&"))
            }
            None => path.to_owned(),
        };
        let view = view(api, &path, &body);
        Recorded { number: 0, method, path, headers, has_key, api, body, raw, view, count: None, rule: String::new() }
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

fn view(api: Api, path: &str, body: &Value) -> View {
    let mut view = View {
        model: text(&body["model"]),
        stream: body["stream"].as_bool().unwrap_or(false),
        tools: names(body),
        ..View::default()
    };
    match api {
        Api::Anthropic | Api::AnthropicCount => {
            view.system = text(&body["system"]);
            view.schema = body.pointer("/output_config/format/schema").cloned();
            for message in list(&body["messages"]) {
                let results = list(&message["content"]).filter(|block| block["type"] == "tool_result");
                let results: Vec<String> = results.map(|block| text(&block["content"])).collect();
                view.hear(text(&message["role"]) == "user", text(&message["content"]), results);
            }
        }
        Api::Chat => {
            view.schema = body.pointer("/response_format/json_schema/schema").cloned();
            for message in list(&body["messages"]) {
                let words = text(&message["content"]);
                match message["role"].as_str() {
                    Some("system" | "developer") => view.instruct(&words),
                    Some("tool") => view.hear(true, String::new(), vec![words]),
                    role => view.hear(role == Some("user"), words, Vec::new()),
                }
            }
        }
        Api::Responses => {
            view.system = text(&body["instructions"]);
            view.schema = body.pointer("/text/format/schema").cloned();
            if let Some(words) = body["input"].as_str() {
                view.hear(true, words.to_owned(), Vec::new());
            }
            for item in list(&body["input"]) {
                match (item["type"].as_str().unwrap_or("message"), item["role"].as_str()) {
                    ("message", Some("system" | "developer")) => view.instruct(&text(&item["content"])),
                    ("message", role) => view.hear(role == Some("user"), text(&item["content"]), Vec::new()),
                    (kind, _) if kind.ends_with("_output") => {
                        view.hear(true, String::new(), vec![text(&item["output"])]);
                    }
                    _ => view.hear(false, String::new(), Vec::new()),
                }
            }
        }
        Api::Gemini | Api::GeminiCount => {
            let last = path.rsplit('/').next().unwrap_or_default();
            last.split(':').next().unwrap_or_default().clone_into(&mut view.model);
            view.stream = path.contains(":streamGenerateContent");
            view.system = text(&body["systemInstruction"]["parts"]);
            let config = &body["generationConfig"];
            view.schema = config.get("responseJsonSchema").or_else(|| config.get("responseSchema")).cloned();
            for content in list(&body["contents"]) {
                let results = list(&content["parts"]).filter_map(|part| part.get("functionResponse"));
                let results: Vec<String> = results.map(|result| result["response"].to_string()).collect();
                view.hear(content["role"] != "model", text(&content["parts"]), results);
            }
        }
        Api::Models | Api::Other => {}
    }
    view
}

impl View {
    fn instruct(&mut self, words: &str) {
        if !self.system.is_empty() {
            self.system.push('\n');
        }
        self.system.push_str(words);
    }

    fn hear(&mut self, user: bool, words: String, results: Vec<String>) {
        self.messages += 1;
        if user && !results.is_empty() {
            self.tool_results.extend(results);
        } else if user && !words.is_empty() {
            self.last_user = words;
            self.tool_results.clear();
        }
    }
}

fn names(body: &Value) -> Vec<String> {
    let mut names = Vec::new();
    for tool in list(&body["tools"]) {
        // Gemini and Codex group their tools.
        let inner: Vec<&Value> = list(&tool["functionDeclarations"]).chain(list(&tool["tools"])).collect();
        if inner.is_empty() {
            let name = [&tool["name"], &tool["function"]["name"], &tool["type"]].into_iter().find_map(Value::as_str);
            names.extend(name.map(str::to_owned));
        } else {
            names.extend(inner.iter().filter_map(|tool| tool["name"].as_str()).map(str::to_owned));
        }
    }
    names
}

pub(super) fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The plain words of any of the wires' content shapes.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let parts = parts.iter().map(text).filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join("\n")
        }
        Value::Object(part) => part.get("text").and_then(Value::as_str).unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}
