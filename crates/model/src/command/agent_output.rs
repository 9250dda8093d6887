//! What an agent prints, line by line, as a reply.
//!
//! Claude Code and Qwen Code print messages and a result; Codex prints items and the end of a turn;
//! Gemini CLI prints pieces of a message and a result. Lines that are not JSON, and events nobody
//! here knows, are skipped: all of them add new ones.
//!
//! What it uses is counted while it comes, where the agent says it: Claude Code and Qwen Code with each message, the
//! others only at the end. Gemini CLI's turns are counted by what it prints; Claude Code and Qwen Code count their own.

use std::collections::HashMap;

use serde_json::Value;

use super::{Agent, AgentEvent, AgentRun, ProgramEnd, calls};
use crate::{ContentBlock, Reply, StopReason, Usage};

/// All that an agent told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentOutput {
    /// What it said last, and what it cost.
    pub reply: Reply,
    /// The session it ran in, where it says so.
    pub session: Option<String>,
    /// What it wanted to do and was denied: the tool and its input.
    pub denied: Vec<(String, Value)>,
    /// How often it thought, where it says so.
    pub turns: Option<u32>,
    /// The bound it was ended at, while it worked; what it did up to there is half of something.
    pub cut: Option<Bound>,
}

/// What an agent may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// How often it thinks.
    Turns,
    /// What it reads and says.
    Tokens,
}

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoReply {
    /// The agent or its provider said no.
    Refused(u16, String),
    /// Its provider has no time.
    Busy(u16),
    /// It ended without a result.
    Ended(String),
    /// It ended well, and without a result.
    Nonsense,
}

/// An agent's output while it comes.
pub(super) struct OutputReader {
    agent: Agent,
    output: AgentOutput,
    /// What was said last.
    text: String,
    /// The result has come.
    done: bool,
    failure: Option<(Option<u16>, String)>,
    /// What each message used that it has told: the same message comes in several lines.
    used: Vec<(String, Usage)>,
    /// It has called a tool, so it will think again.
    goes_on: bool,
    /// Tools have answered since it last thought (Gemini CLI).
    answered: bool,
    /// Calls that may still turn out denied, by their number (Gemini CLI).
    calls: HashMap<String, (String, Value)>,
}

impl OutputReader {
    pub(super) fn new(agent: Agent) -> OutputReader {
        OutputReader {
            agent,
            output: AgentOutput::default(),
            text: String::new(),
            done: false,
            failure: None,
            used: Vec::new(),
            goes_on: false,
            answered: true,
            calls: HashMap::new(),
        }
    }

    /// The bound of a run that it has reached and would go past.
    pub(super) fn over(&self, agent_run: &AgentRun) -> Option<Bound> {
        if self.done {
            None
        } else if self.goes_on && self.spent().total() >= agent_run.max_tokens {
            Some(Bound::Tokens)
        } else if self.agent == Agent::Gemini && self.output.turns > Some(agent_run.max_turns) {
            Some(Bound::Turns)
        } else {
            None
        }
    }

    /// What it has told, when it was ended at a bound.
    pub(super) fn cut(mut self, bound: Bound) -> AgentOutput {
        self.output.reply.usage = self.spent();
        self.output.reply.stop = StopReason::Length;
        self.output.cut = Some(bound);
        self.output
    }

    fn spent(&self) -> Usage {
        let mut all = Usage::default();
        self.used.iter().for_each(|(_, usage)| all.add(*usage));
        all
    }

    /// A message has told what it has used so far.
    fn count(&mut self, message: &Value) {
        let usage = claude_usage(&message["usage"]);
        let id = message["id"].as_str().unwrap_or_default();
        match self.used.last_mut().filter(|(known, _)| known == id && !id.is_empty()) {
            Some((_, known)) if usage.total() > known.total() => *known = usage,
            Some(_) => {}
            None => self.used.push((id.to_owned(), usage)),
        }
    }

    /// Takes a line.
    pub(super) fn line(&mut self, line: &str, on_event: &mut dyn FnMut(AgentEvent<'_>)) {
        let Ok(event) = serde_json::from_str::<Value>(line.trim()) else { return };
        let session = event["session_id"].as_str().or_else(|| event["thread_id"].as_str());
        if let Some(session) = session {
            self.output.session = Some(session.to_owned());
        }
        match self.agent {
            Agent::Claude | Agent::Qwen => self.claude(&event, on_event),
            Agent::Codex => self.codex(&event, on_event),
            Agent::Gemini => self.gemini(&event, on_event),
        }
    }

    fn claude(&mut self, event: &Value, on_event: &mut dyn FnMut(AgentEvent<'_>)) {
        if event["type"] == "assistant" {
            // What a helper of it uses counts, too.
            self.count(&event["message"]);
        }
        match event["type"].as_str() {
            // What a helper of the agent says is not said to us.
            Some("assistant") if event["parent_tool_use_id"].is_null() => {
                let blocks = || event["message"]["content"].as_array().into_iter().flatten();
                for used in blocks().filter(|block| block["type"] == "tool_use") {
                    self.goes_on = true;
                    on_event(AgentEvent::Tool(used["name"].as_str().unwrap_or("?")));
                }
                let texts: String = blocks()
                    .filter(|block| block["type"] == "text")
                    .filter_map(|block| block["text"].as_str())
                    .collect();
                if !texts.is_empty() {
                    on_event(AgentEvent::Text(&texts));
                    self.text = texts;
                }
            }
            Some("result") => {
                self.done = true;
                self.output.reply.usage = claude_usage(&event["usage"]);
                for one in event["permission_denials"].as_array().into_iter().flatten() {
                    self.deny(one["tool_name"].as_str().unwrap_or_default(), &one["tool_input"]);
                }
                self.output.turns = event["num_turns"].as_u64().and_then(|turns| u32::try_from(turns).ok());
                if let Some(text) = event["result"].as_str() {
                    text.clone_into(&mut self.text);
                }
                self.output.reply.stop = match (event["subtype"].as_str(), event["stop_reason"].as_str()) {
                    (Some("error_max_turns"), _) | (_, Some("max_tokens")) => StopReason::Length,
                    (_, Some("refusal")) => StopReason::Refusal,
                    _ => StopReason::Done,
                };
                if event["is_error"] == true && self.output.reply.stop != StopReason::Length {
                    let words = event["errors"][0].as_str().or_else(|| event["error"]["message"].as_str());
                    let words = words.or_else(|| event["result"].as_str()).unwrap_or("an error without a message");
                    let status = event["api_error_status"].as_u64().and_then(|status| u16::try_from(status).ok());
                    self.failure = Some((status, words.to_owned()));
                }
            }
            _ => {}
        }
    }

    fn codex(&mut self, event: &Value, on_event: &mut dyn FnMut(AgentEvent<'_>)) {
        match event["type"].as_str() {
            Some("item.completed") if event["item"]["type"] == "agent_message" => {
                let text = event["item"]["text"].as_str().unwrap_or_default();
                on_event(AgentEvent::Text(text));
                text.clone_into(&mut self.text);
            }
            Some("item.started") => match event["item"]["type"].as_str() {
                Some("command_execution") => on_event(AgentEvent::Tool("Bash")),
                Some("file_change") => on_event(AgentEvent::Tool("Edit")),
                _ => {}
            },
            Some("turn.completed") => {
                self.done = true;
                self.failure = None;
                let count = |key: &str| event["usage"][key].as_u64().unwrap_or(0);
                let cached = count("cached_input_tokens");
                let input = count("input_tokens").saturating_sub(cached);
                self.output.reply.usage =
                    Usage { input, output: count("output_tokens"), cache_read: cached, cache_write: 0 };
            }
            Some("turn.failed") => {
                self.done = true;
                self.failure = Some((None, words(&event["error"]["message"])));
            }
            // Often only a try that is made again.
            Some("error") => self.failure = Some((None, words(&event["message"]))),
            _ => {}
        }
    }

    fn gemini(&mut self, event: &Value, on_event: &mut dyn FnMut(AgentEvent<'_>)) {
        let thinks = event["type"] == "tool_use" || (event["type"] == "message" && event["role"] == "assistant");
        if thinks && std::mem::take(&mut self.answered) {
            self.output.turns = Some(self.output.turns.unwrap_or(0) + 1);
        }
        match event["type"].as_str() {
            Some("tool_result") => {
                self.answered = true;
                let call = event["tool_id"].as_str().and_then(|id| self.calls.remove(id));
                if let Some((tool, input)) = call.filter(|_| event["error"]["type"] == "policy_violation") {
                    self.deny(&tool, &input);
                }
            }
            Some("message") if event["role"] == "assistant" => {
                let text = event["content"].as_str().unwrap_or_default();
                on_event(AgentEvent::Text(text));
                if event["delta"] == true {
                    self.text.push_str(text);
                } else {
                    text.clone_into(&mut self.text);
                }
            }
            // What was said before a tool was called is not the answer.
            Some("tool_use") => {
                self.text.clear();
                let tool = event["tool_name"].as_str().unwrap_or("?");
                on_event(AgentEvent::Tool(tool));
                if let Some(id) = event["tool_id"].as_str() {
                    self.calls.insert(id.to_owned(), (tool.to_owned(), event["parameters"].clone()));
                }
            }
            Some("error") if event["severity"] == "error" => self.failure = Some((None, words(&event["message"]))),
            Some("result") => {
                self.done = true;
                let count = |key: &str| event["stats"][key].as_u64().unwrap_or(0);
                let cached = count("cached");
                let input = count("input_tokens").saturating_sub(cached);
                self.output.reply.usage =
                    Usage { input, output: count("output_tokens"), cache_read: cached, cache_write: 0 };
                if event["status"] == "error" {
                    self.failure = Some((None, words(&event["error"]["message"])));
                } else {
                    self.failure = None;
                }
            }
            _ => {}
        }
    }

    /// It was not let do something: in the names of our own tools.
    fn deny(&mut self, tool: &str, input: &Value) {
        self.output.denied.extend(calls::ours(self.agent, tool, input));
    }

    /// The program has ended.
    pub(super) fn finish(mut self, ended: &ProgramEnd) -> Result<AgentOutput, NoReply> {
        if let Some((status, message)) = self.failure {
            return Err(match status {
                Some(status @ (429 | 500..=599)) => NoReply::Busy(status),
                // Without a status of the provider its own exit code stands for it.
                other => NoReply::Refused(other.unwrap_or_else(|| code(ended)), message),
            });
        }
        if self.done {
            if !self.text.is_empty() {
                self.output.reply.content = vec![ContentBlock::Text { text: self.text }];
            }
            return Ok(self.output);
        }
        match ended.code {
            Some(0) => Err(NoReply::Nonsense),
            _ => {
                let how =
                    ended.code.map_or_else(|| "was ended by a signal".into(), |code| format!("ended with code {code}"));
                let last = ended.stderr.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
                Err(NoReply::Ended(format!("{} {how}: {last}", self.agent)))
            }
        }
    }
}

/// What Claude Code and Qwen Code say that was used.
fn claude_usage(usage: &Value) -> Usage {
    let count = |key: &str| usage[key].as_u64().unwrap_or(0);
    Usage {
        input: count("input_tokens"),
        output: count("output_tokens"),
        cache_read: count("cache_read_input_tokens"),
        cache_write: count("cache_creation_input_tokens"),
    }
}

fn words(value: &Value) -> String {
    value.as_str().unwrap_or("an error without a message").to_owned()
}

fn code(ended: &ProgramEnd) -> u16 {
    ended.code.and_then(|code| u16::try_from(code).ok()).unwrap_or(1)
}
