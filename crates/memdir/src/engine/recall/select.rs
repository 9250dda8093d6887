//! Selection by a model in recall (R2, R3): what it is asked, and what its answer may do.
//!
//! Enters: the prompt, the memories on offer, and a function that asks a model. Leaves: at most five
//! of the files that were offered, or `None`, which means that the local result stands. Whatever the
//! model does (answers nonsense, names what was not offered, never answers) changes nothing for the
//! worse, and nobody waits longer than was agreed.

use std::sync::mpsc;
use std::time::Duration;

use serde::Deserialize;

use serde_json::{Value, json};

use memdir_context::prompts::{PromptTemplate, Prompts};
use memdir_core::kind::Type;
use memdir_core::limits::{MANIFEST_FILES, RECALL_FILES, SELECT_TOKENS};
use memdir_model::answer::one_object;
use memdir_model::{AnswerSchema, CallLimits, ChatMessage, Request, SharedModel, StopReason};

/// What a model is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What it is to do.
    pub system: String,
    /// The prompt, the list, the tools.
    pub user: String,
    /// How many tokens the answer may have.
    pub max_tokens: u32,
    /// The texts in force, should it be asked in words for an object.
    pub prompts: Prompts,
}

/// Asks a model and gives its answer; `None` when there is none.
pub type Ask = Box<dyn FnOnce(Question) -> Option<String> + Send>;

/// A model's say: asks it for an object of our schema. An error, a refusal or a cancelled call is not an answer.
pub fn asking(model: SharedModel, call: CallLimits) -> Ask {
    Box::new(move |question| {
        let request = Request {
            system: vec![question.system],
            messages: vec![ChatMessage::user(question.user)],
            max_output_tokens: question.max_tokens,
            schema: Some(AnswerSchema { object: schema(), prompts: question.prompts }),
            ..Request::default()
        };
        let reply = model.ask(&request, &call, &mut |_| {}).ok()?;
        let said = ChatMessage { role: memdir_model::ChatRole::Assistant, content: reply.content };
        (reply.stop == StopReason::Done).then(|| said.text())
    })
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": { "selected_memories": { "type": "array", "items": { "type": "string" } } },
        "required": ["selected_memories"],
        "additionalProperties": false,
    })
}

/// A memory on offer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfferedMemory<'a> {
    /// Its file.
    pub(crate) file: &'a str,
    /// Its type.
    pub(crate) kind: Option<Type>,
    /// When it was written; `None` where nobody knows.
    pub(crate) written: Option<jiff::Timestamp>,
    /// What it is about.
    pub(crate) description: &'a str,
}

/// One line of the manifest (R2).
pub(crate) fn manifest_line(offer: &OfferedMemory<'_>) -> String {
    let kind = offer.kind.map(|kind| format!("[{kind}] ")).unwrap_or_default();
    let time = offer.written.map(|at| at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
    let time = time.as_deref().unwrap_or("time unknown");
    let about = offer.description.split_whitespace().collect::<Vec<_>>().join(" ");
    let about = if about.is_empty() { String::new() } else { format!(": {about}") };
    format!("- {kind}{} ({time}){about}", offer.file)
}

/// Lets a model choose among `offers`, which come in the order they should be read.
pub(crate) fn choose(
    query: &str,
    offers: &[OfferedMemory<'_>],
    tools: &[String],
    ask: Ask,
    patience: Duration,
    prompts: &mut Prompts,
) -> Option<Vec<String>> {
    let system = prompts.render(PromptTemplate::Select, &[("files", &RECALL_FILES.to_string())]).ok()?;
    let list: Vec<String> = offers.iter().take(MANIFEST_FILES).map(manifest_line).collect();
    let tools = if tools.is_empty() { String::new() } else { format!("\n\nTools in use: {}", tools.join(", ")) };
    let question = Question {
        system,
        user: format!("Request: {query}\n\nMemories:\n{}{tools}", list.join("\n")),
        max_tokens: SELECT_TOKENS,
        prompts: prompts.clone(),
    };
    let (send, answer) = mpsc::channel();
    // Detached on purpose: a model that never answers must not keep anybody.
    std::thread::spawn(move || send.send(ask(question)));
    let answer = answer.recv_timeout(patience).ok()??;
    accepted(&answer, offers)
}

#[derive(Deserialize)]
struct Answer {
    selected_memories: Vec<String>,
}

/// What of an answer counts: files that were offered, each once, at most five.
fn accepted(answer: &str, offers: &[OfferedMemory<'_>]) -> Option<Vec<String>> {
    let answer: Answer = serde_json::from_value(one_object(answer).ok()?).ok()?;
    let mut files: Vec<String> = Vec::new();
    for name in answer.selected_memories {
        let offered = offers.iter().take(MANIFEST_FILES).any(|offer| offer.file == name);
        if offered && !files.contains(&name) && files.len() < RECALL_FILES {
            files.push(name);
        }
    }
    Some(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offers() -> Vec<OfferedMemory<'static>> {
        ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md"]
            .into_iter()
            .map(|file| OfferedMemory {
                file,
                kind: Some(Type::Feedback),
                written: Some(jiff::Timestamp::from_second(1_774_700_000).unwrap()),
                description: "about\n this",
            })
            .collect()
    }

    fn with_answer(answer: Option<&str>) -> Option<Vec<String>> {
        let answer = answer.map(str::to_owned);
        choose(
            "fix the tests",
            &offers(),
            &["Bash".into()],
            Box::new(move |_| answer),
            Duration::from_secs(20),
            &mut Prompts::built_in(),
        )
    }

    #[test]
    fn r2_manifest_lines() {
        assert_eq!(manifest_line(&offers()[0]), "- [feedback] a.md (2026-03-28T12:13:20Z): about this");
        assert_eq!(
            manifest_line(&OfferedMemory { kind: None, description: "", ..offers()[0] }),
            "- a.md (2026-03-28T12:13:20Z)"
        );
    }

    #[test]
    fn r3_the_question_carries_request_list_and_tools() {
        let (send, asked) = mpsc::channel();
        let ask: Ask = Box::new(move |question| {
            send.send(question).unwrap();
            None
        });
        assert_eq!(
            choose(
                "fix the tests",
                &offers(),
                &["mcp__x__spawn".into()],
                ask,
                Duration::from_secs(20),
                &mut Prompts::built_in()
            ),
            None
        );
        let question = asked.recv().unwrap();
        assert_eq!(question.max_tokens, 256);
        assert!(
            question.user.contains("fix the tests")
                && question.user.contains("- [feedback] f.md (")
                && question.user.contains("mcp__x__spawn")
        );
        assert!(question.system.contains("at most 5") && question.system.contains("selected_memories"));
    }

    #[test]
    fn r3_only_what_was_offered_and_at_most_five() {
        let answer = r#"{"selected_memories":["x.md","b.md","a.md","b.md","c.md","d.md","e.md","f.md"]}"#;
        assert_eq!(with_answer(Some(answer)).unwrap(), ["b.md", "a.md", "c.md", "d.md", "e.md"]);
        assert_eq!(with_answer(Some(r#"{"selected_memories":[]}"#)).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn r3_prose_refusal_broken_json_and_silence_leave_the_local_result() {
        for answer in [
            "I would pick a.md",
            "",
            "{\"selected\":[]}",
            "[\"a.md\"]",
            "{\"selected_memories\":\"a.md\"}",
            "{\"selected_memories\":[",
        ] {
            assert_eq!(with_answer(Some(answer)), None, "{answer}");
        }
        assert_eq!(with_answer(None), None);
    }

    #[test]
    fn r3_r9_a_model_that_never_answers_is_not_waited_for() {
        let (_keep, never) = mpsc::channel::<()>();
        let ask: Ask = Box::new(move |_| {
            let _ = never.recv();
            None
        });
        assert_eq!(
            choose("fix the tests", &offers(), &[], ask, Duration::from_millis(20), &mut Prompts::built_in()),
            None
        );
    }
}
