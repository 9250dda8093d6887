use serde_json::{Value, json};

use super::*;
use crate::engine::test_memory::{TestMemory, topic};
use memdir_model::tools::{JobOutput, ShellJob, ToolError};
use memdir_model::{ChatRole, ModelError};
use memdir_store::history::Actor;
use memdir_testkit::script::{Act, Script, calls, says};

struct NoShell;

impl Shell for NoShell {
    fn run(&self, _: &ShellJob) -> Result<JobOutput, ToolError> {
        Err("there are no programs here".into())
    }
}

fn bench() -> TestMemory {
    TestMemory::with(&[("user_editor.md", &topic("user", "Editor", "Writes Rust in the Helix editor."))])
}

fn assistant(content: Vec<ContentBlock>) -> ChatMessage {
    ChatMessage { role: ChatRole::Assistant, content }
}

fn parent(messages: Vec<ChatMessage>) -> Request {
    Request { system: vec!["You help.".into()], tools: specs(), messages, max_output_tokens: 500, schema: None }
}

fn talk() -> Request {
    let answer = vec![ContentBlock::Text { text: "Good.".into() }];
    parent(vec![ChatMessage::user("Tests use a real database, always."), assistant(answer)])
}

fn learn(bench: &TestMemory, model: &Script, parent: &Request, new: usize, shares: bool) -> Learned {
    let signature = Signature { actor: Actor::Extract, session: Some("s1".into()), message: Some("m2".into()) };
    let learn = LearnRequest {
        model,
        parent,
        new_messages: new,
        shares_prefix: shares,
        shell: &NoShell,
        cancel: Cancel::default(),
        signature,
        own_texts: &[],
        grounds: None,
        group: None,
    };
    bench.memory().learn().run(&learn, &mut |_| {}).unwrap()
}

fn write(bench: &TestMemory, file: &str) -> (&'static str, Value) {
    let content = topic("feedback", "Real database", "Tests use a real database.");
    ("Write", json!({ "file_path": bench.dir().join(file).display().to_string(), "content": content }))
}

#[test]
fn x2_x7_x8_the_parents_prefix_the_manifest_the_date_and_one_line() {
    let bench = bench();
    let model = Script::of([Act::Say(calls(&[write(&bench, "feedback_db.md")])), Act::Say(says("Saved."))]);
    let parent = talk();
    let learned = learn(&bench, &model, &parent, 2, true);
    assert!(learned.is_done());
    assert_eq!(learned.line().as_deref(), Some("saved feedback_db.md"));
    let asked = &model.asked.borrow()[0];
    assert_eq!((&asked.system, &asked.tools), (&parent.system, &parent.tools));
    assert_eq!(asked.messages[..2], parent.messages[..]);
    let prompt = asked.messages[2].text();
    for words in
        ["last 2 messages", "- [user] user_editor.md (", "Tuesday, 2026-04-14", &bench.dir().display().to_string()]
    {
        assert!(prompt.contains(words), "{words}: {prompt}");
    }
    let last = bench.memory().last_extraction().unwrap();
    assert_eq!((last.ended.as_str(), last.files.as_slice()), ("done", &["feedback_db.md".to_owned()][..]));
    assert_eq!((last.hit_percent, last.usage.cache_read), (Some(90.0), 180));
}

#[test]
fn x2_without_a_parent_there_is_no_hit_percentage() {
    let bench = bench();
    let parent = bench.memory().fresh_parent(talk().messages, &[]).unwrap();
    assert!(parent.system[0].starts_with("# Memory") && parent.tools.len() == 6);
    let learned = learn(&bench, &Script::default(), &parent, 2, false);
    assert_eq!((learned.run.unwrap().hit_percent, bench.memory().last_extraction().unwrap().hit_percent), (None, None));
}

#[test]
fn x4_nothing_is_learned_when_the_agent_saved_it_itself() {
    let bench = bench();
    let (name, input) = write(&bench, "feedback_db.md");
    let call = ContentBlock::ToolUse { id: "t1".into(), name: name.into(), input };
    let result = |is_error| ChatMessage {
        role: ChatRole::User,
        content: vec![ContentBlock::ToolResult { tool_use_id: "t1".into(), content: String::new(), is_error }],
    };
    for (is_error, new, skipped) in
        [(false, 4, Some("already-written")), (true, 4, None), (false, 1, None), (false, 0, Some("nothing-new"))]
    {
        let messages = vec![
            ChatMessage::user("Remember the database."),
            assistant(vec![call.clone()]),
            result(is_error),
            assistant(vec![ContentBlock::Text { text: "Saved.".into() }]),
        ];
        let model = Script::default();
        let learned = learn(&bench, &model, &parent(messages), new, true);
        assert_eq!(learned.skipped, skipped, "{is_error} {new}");
        assert_eq!(model.asked.borrow().is_empty(), skipped.is_some());
        assert!(learned.is_done());
    }
}

#[test]
fn x5_a_failed_run_is_not_done_and_changes_nothing() {
    let bench = bench();
    let before = bench.bytes();
    let busy = || ModelError::Busy { driver: "script", status: 529, attempts: 4 };
    for error in [busy(), ModelError::Cancelled, ModelError::Timeout { driver: "script", seconds: 1 }] {
        let model = Script::of([Act::Say(calls(&[write(&bench, "feedback_db.md")])), Act::Fail(error)]);
        let learned = learn(&bench, &model, &talk(), 2, true);
        assert!(!learned.is_done() && learned.line().is_none(), "{learned:?}");
        assert_eq!((bench.bytes(), bench.rubbish()), (before.clone(), Vec::<String>::new()));
    }
}

#[test]
fn x7_at_most_five_turns() {
    let bench = bench();
    let read = || {
        Act::Say(calls(&[("Read", json!({ "file_path": bench.dir().join("user_editor.md").display().to_string() }))]))
    };
    let model = Script::of(std::iter::repeat_with(read).take(9));
    let learned = learn(&bench, &model, &talk(), 2, true);
    assert_eq!((learned.run.unwrap().turns, model.asked.borrow().len()), (5, 5));
}

#[test]
fn x3_the_cursor_is_kept_for_each_session_and_goes_with_it() {
    let memory = bench().memory();
    assert_eq!(memory.learn().learned_up_to("a"), None);
    memory.learn().set_learned_up_to("a", "u-1").unwrap();
    memory.learn().set_learned_up_to("a", "u-2").unwrap();
    assert_eq!((memory.learn().learned_up_to("a").as_deref(), memory.learn().learned_up_to("b")), (Some("u-2"), None));
    memory.sessions().reset("a").unwrap();
    assert_eq!(memory.learn().learned_up_to("a"), None);
}
