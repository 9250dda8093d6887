//! The tool loop: its budget, its end, what the model is told.

#![allow(clippy::disallowed_methods, clippy::expect_used, clippy::unwrap_used, missing_docs)] // it is all test

use std::time::Duration;

use serde_json::{Value, json};

use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_model::fork::{Fork, ForkProgress, ForkRun, RunBudget, RunEnd};
use memdir_model::tools::Toolbox;
use memdir_model::tools::{JobOutput, Permissions, Shell, ShellJob, ToolError, Writes, specs};
use memdir_model::{Cancel, ChatMessage, ChatRole, ContentBlock, ModelError, Reply, Request, StopReason, Usage};
use memdir_store::fs::Root;
use memdir_store::staging::Staging;
use memdir_testkit::script::{Act, COST, Script, calls, says};

struct NoShell;

impl Shell for NoShell {
    fn run(&self, _: &ShellJob) -> Result<JobOutput, ToolError> {
        Err("there are no programs here".into())
    }
}

struct Case {
    dir: tempfile::TempDir,
    staging: Staging,
    budget: RunBudget,
    cancel: Cancel,
}

impl Case {
    fn new() -> Case {
        let dir = tempfile::tempdir().unwrap();
        let root = Root::create(&dir.path().join("memory")).unwrap();
        std::fs::write(root.path().join("a.md"), "alpha\n").unwrap();
        let staging = Staging::of(&root, &dir.path().join("state")).unwrap();
        let budget = RunBudget { turns: 5, time: Duration::from_mins(10), tokens: u64::MAX };
        Case { dir, staging, budget, cancel: Cancel::default() }
    }

    fn file(&self, name: &str) -> String {
        self.dir.path().canonicalize().unwrap().join("memory").join(name).display().to_string()
    }

    fn run(&self, model: &Script) -> ForkRun {
        self.run_watched(model, &mut |_| {})
    }

    fn run_watched(&self, model: &Script, progress: &mut dyn FnMut(ForkProgress<'_>)) -> ForkRun {
        let memory = self.dir.path().canonicalize().unwrap().join("memory");
        let permissions =
            Permissions { writes: Writes::Memories, cwd: memory.clone(), roots: vec![memory], home: None };
        let mut tools = Toolbox::new(permissions, &self.staging, &NoShell);
        let parent = parent();
        let (budget, cancel) = (self.budget, self.cancel.clone());
        Fork { model, parent: &parent, prompt: "Now learn.", budget, cancel }.run(&mut tools, progress)
    }
}

fn parent() -> Request {
    Request {
        system: vec!["You are an agent.".into(), "The manual.".into()],
        tools: specs(),
        messages: vec![
            ChatMessage::user("hello"),
            ChatMessage {
                role: ChatRole::Assistant,
                content: vec![ContentBlock::Opaque(json!({"thought": "hm", "signature": "x"}))],
            },
        ],
        max_output_tokens: 1_000,
        schema: None,
    }
}

fn results(request: &Request) -> Vec<(String, String, bool)> {
    let last = request.messages.last().unwrap();
    assert_eq!(last.role, ChatRole::User);
    last.content
        .iter()
        .map(|block| match block {
            ContentBlock::ToolResult { tool_use_id, content, is_error } => {
                (tool_use_id.clone(), content.clone(), *is_error)
            }
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn x2_the_parent_is_a_prefix_of_every_request_byte_for_byte() {
    let case = Case::new();
    let read = || Act::Say(calls(&[("Read", json!({ "file_path": case.file("a.md") }))]));
    let model = Script::of([read(), read(), Act::Say(says("that is all"))]);
    let run = case.run(&model);
    let asked = model.asked.borrow();
    assert_eq!((run.turns, asked.len()), (3, 3));
    let parent = parent();
    for request in asked.iter() {
        assert_eq!(bytes(&request.system), bytes(&parent.system));
        assert_eq!(bytes(&request.tools), bytes(&parent.tools));
        assert_eq!(bytes(&request.messages[..2].to_vec()), bytes(&parent.messages));
        assert_eq!(request.messages[2], ChatMessage::user("Now learn."));
        assert_eq!((request.max_output_tokens, &request.schema), (1_000, &None));
    }
    // Each request goes on from the one before it.
    for pair in asked.windows(2) {
        assert_eq!(pair[1].messages[..pair[0].messages.len()], pair[0].messages[..]);
    }
}

fn bytes(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

#[test]
fn all_calls_of_a_reply_are_answered_in_one_message_in_order() {
    let case = Case::new();
    let model = Script::of([Act::Say(calls(&[
        ("Read", json!({ "file_path": case.file("a.md") })),
        ("Write", json!({ "file_path": case.file("b.md"), "content": "beta\n" })),
        ("Read", json!({ "file_path": case.file("b.md") })),
        ("Fetch", json!({ "url": "http://example.org" })),
        ("Read", json!("nonsense")),
        ("Bash", json!({ "command": "ls" })),
    ]))]);
    let run = case.run(&model);
    let answers = results(&model.asked.borrow()[1]);
    let ids: Vec<&str> = answers.iter().map(|(id, _, _)| id.as_str()).collect();
    assert_eq!(ids, ["call-0", "call-1", "call-2", "call-3", "call-4", "call-5"]);
    let failed: Vec<bool> = answers.iter().map(|(_, _, failed)| *failed).collect();
    assert_eq!(failed, [false, false, false, true, true, true]);
    assert_eq!(answers[2].1, "     1\tbeta\n");
    assert!(matches!(run.ended, RunEnd::Done));
    assert_eq!(run.denied.len(), 1, "what makes no sense was not denied: {:?}", run.denied);
    assert_eq!(run.denied[0].tool, "Fetch");
}

#[test]
fn what_it_cost_is_added_up() {
    let case = Case::new();
    let model = Script::of([Act::Say(calls(&[("Glob", json!({ "pattern": "*" }))])), Act::Say(says("fine"))]);
    let run = case.run(&model);
    assert_eq!(run.usage, Usage { input: 20, output: 10, cache_read: 180, cache_write: 0 });
    assert_eq!(run.usage.hit_percent(), Some(90.0));
    assert_eq!(run.said, "fine");
}

fn endless() -> Script {
    Script::of((0..50).map(|_| Act::Say(calls(&[("Glob", json!({ "pattern": "*" }))]))))
}

#[test]
fn x7_every_bound_ends_a_run_and_is_named() {
    let mut case = Case::new();
    let run = case.run(&endless());
    assert_eq!((run.ended.as_str(), run.turns), ("turns", 5));
    case.budget.tokens = COST.total() * 2;
    let run = case.run(&endless());
    assert_eq!((run.ended.as_str(), run.turns), ("tokens", 2));
    case.budget.time = Duration::ZERO;
    let run = case.run(&endless());
    assert_eq!((run.ended.as_str(), run.turns), ("time", 0));
}

#[test]
fn the_last_turn_still_writes_what_it_asked_for() {
    let mut case = Case::new();
    case.budget.turns = 1;
    let write = ("Write", json!({ "file_path": case.file("b.md"), "content": "beta" }));
    let run = case.run(&Script::of([Act::Say(calls(&[write]))]));
    assert!(matches!(run.ended, RunEnd::Turns));
    assert!(case.staging.read(&RelPath::parse("b.md").unwrap()).unwrap().is_some());
}

#[test]
fn a_model_that_stops_early_is_told_apart() {
    let case = Case::new();
    let stopped = |stop| {
        let write = ("Write", json!({ "file_path": case.file("cut.md"), "content": "half of a" }));
        case.run(&Script::of([Act::Say(Reply { stop, ..calls(&[write]) })]))
    };
    assert_eq!(stopped(StopReason::Length).ended.as_str(), "length");
    assert_eq!(stopped(StopReason::Refusal).ended.as_str(), "refused");
    assert_eq!(case.staging.read(&RelPath::parse("cut.md").unwrap()).unwrap(), None, "a cut call must not run");
    let failed = case.run(&Script::of([Act::Fail(ModelError::Busy { driver: "test", status: 529, attempts: 3 })]));
    assert!(matches!(failed.ended, RunEnd::Failed(ModelError::Busy { status: 529, .. })));
    assert!(!failed.ended.is_whole());
    let empty = case.run(&Script::of([Act::Say(Reply::default())]));
    assert!(matches!(empty.ended, RunEnd::Done));
}

#[test]
fn somebody_can_stop_it() {
    let case = Case::new();
    let run = case.run(&Script::of([
        Act::Say(calls(&[("Glob", json!({ "pattern": "*" }))])),
        Act::Do(Box::new(|call| call.cancel.cancel())),
        Act::Say(calls(&[("Write", json!({ "file_path": case.file("b.md"), "content": "beta" }))])),
    ]));
    assert!(run.cancelled() && !run.ended.is_whole());
    assert_eq!(case.staging.read(&RelPath::parse("b.md").unwrap()).unwrap(), None);
    assert_eq!(case.run(&Script::default()).turns, 0, "it stays stopped");
}

#[test]
fn a_reply_with_too_many_calls_gets_an_answer_to_each() {
    let case = Case::new();
    let many: Vec<(&str, Value)> = (0..limits::TOOL_CALLS + 3).map(|_| ("Glob", json!({ "pattern": "*" }))).collect();
    let model = Script::of([Act::Say(calls(&many))]);
    case.run(&model);
    let answers = results(&model.asked.borrow()[1]);
    assert_eq!(answers.len(), limits::TOOL_CALLS + 3);
    assert!(answers[limits::TOOL_CALLS].2 && !answers[limits::TOOL_CALLS - 1].2);
}

#[test]
fn d5_whoever_watches_sees_text_tools_and_files() {
    let case = Case::new();
    let write = ("Write", json!({ "file_path": case.file("b.md"), "content": "beta" }));
    let model = Script::of([Act::Say(calls(&[write])), Act::Say(says("saved one"))]);
    let mut seen = Vec::new();
    case.run_watched(&model, &mut |progress| {
        seen.push(match progress {
            ForkProgress::Turn(turn) => format!("turn {turn}"),
            ForkProgress::Text(text) => format!("text {text}"),
            ForkProgress::Tool(name) => format!("tool {name}"),
            ForkProgress::Touched(file) => format!("touched {file}"),
        });
    });
    assert_eq!(seen, ["turn 1", "tool Write", "touched b.md", "turn 2", "text saved one"]);
}
