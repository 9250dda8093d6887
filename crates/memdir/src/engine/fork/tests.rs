#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use std::io::{BufRead as _, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::*;
use crate::engine::proposal::{FileEffect, RejectionRule};
use crate::engine::test_memory::{TestMemory, topic};
use memdir_model::fork::RunEnd;
use memdir_model::tools::{JobOutput, ShellJob, ToolError, specs};
use memdir_model::{ContentBlock, ModelError};
use memdir_store::history::Actor;
use memdir_testkit::script::{Act, Script, calls, says};

struct NoShell;

impl Shell for NoShell {
    fn run(&self, _: &ShellJob) -> Result<JobOutput, ToolError> {
        Err("there are no programs here".into())
    }
}

const PINNED: &str =
    "---\nname: Tabs\ndescription: Indentation\ntype: feedback\npinned: true\n---\n\nIndent with tabs.\n";

fn bench() -> TestMemory {
    let utc = topic("feedback", "Times in UTC", "All timestamps are stored in UTC.");
    let release = topic("project", "Release", "The release manager is the platform team.");
    let editor = topic("user", "Editor", "Writes Rust in the Helix editor.");
    TestMemory::with(&[
        ("feedback_utc.md", &utc),
        ("project_release.md", &release),
        ("user_editor.md", &editor),
        ("feedback_tabs.md", PINNED),
    ])
}

fn run(bench: &TestMemory, model: &Script) -> Result<ForkOutcome, Error> {
    run_within(bench, model, Bounds::extraction(), true)
}

fn run_within(bench: &TestMemory, model: &Script, bounds: Bounds, land: bool) -> Result<ForkOutcome, Error> {
    let parent = Request { tools: specs(), max_output_tokens: 1_000, ..Request::default() };
    let job = ForkJob {
        model,
        parent: &parent,
        prompt: "Learn from this.",
        budget: RunBudget { turns: 5, time: Duration::from_mins(10), tokens: u64::MAX },
        bounds,
        shell: &NoShell,
        cancel: Cancel::default(),
        signature: Signature { actor: Actor::Extract, session: Some("s1".into()), message: Some("m1".into()) },
        reason: "learn from a turn",
        group: None,
        land,
    };
    bench.memory().run_fork(&job, &mut |_| {})
}

fn write(bench: &TestMemory, file: &str, content: &str) -> (&'static str, Value) {
    ("Write", json!({ "file_path": bench.dir().join(file).display().to_string(), "content": content }))
}

fn dashboards() -> String {
    topic("reference", "Dashboards", "Latency dashboards live in the Grafana folder called checkout.")
}

/// Nothing is left of a run: no copy, no lock, no temporary file.
#[track_caller]
fn assert_clean(bench: &TestMemory) {
    assert_eq!(bench.rubbish(), Vec::<String>::new());
    assert!(bench.bytes().keys().all(|file| file.ends_with(".md")), "{:?}", bench.bytes().keys());
    let memory = bench.memory();
    assert!(!crate::engine::test_memory::store(&memory).needs_recovery());
}

#[test]
fn a_run_reads_writes_and_lands_as_one_change() {
    let bench = bench();
    let release = bench.dir().join("project_release.md").display().to_string();
    let model = Script::of([
        Act::Say(calls(&[("Read", json!({ "file_path": release }))])),
        Act::Say(calls(&[
            (
                "Edit",
                json!({ "file_path": release, "old_string": "platform team.", "new_string": "platform team.\nThe next one is tomorrow." }),
            ),
            write(&bench, "reference_dashboards.md", &dashboards()),
        ])),
        Act::Say(says("Saved two.")),
    ]);
    let outcome = run(&bench, &model).unwrap();
    assert_eq!(
        outcome.landed.files,
        [
            ("project_release.md".to_owned(), FileEffect::Updated),
            ("reference_dashboards.md".to_owned(), FileEffect::Created),
        ]
    );
    assert!(
        bench.read("project_release.md").ends_with("The next one is tomorrow (2026-04-15).\n"),
        "{}",
        bench.read("project_release.md")
    );
    assert!(bench.read("MEMORY.md").ends_with("- [Dashboards](reference_dashboards.md) — in short\n"));
    let report = serde_json::to_value(outcome.report()).unwrap();
    assert_eq!((&report["ended"], &report["turns"], &report["hit_percent"]), (&json!("done"), &json!(3), &json!(90.0)));
    assert_eq!(report["landed"]["files"][0], json!(["project_release.md", "updated"]));
    // The tools showed the real paths and never the copy's.
    let told = format!("{:?}", model.asked.borrow());
    assert!(told.contains(&release) && !told.contains("staging"), "{told}");
    assert_clean(&bench);
    let before = bench.memory().history().events(None, 1).unwrap();
    assert_eq!((before[0].actor, before[0].files.len()), ("extract", 3));
}

#[test]
fn a_run_that_only_proposes_changes_nothing() {
    let bench = bench();
    let before = bench.bytes();
    let model = Script::of([Act::Say(calls(&[write(&bench, "reference_dashboards.md", &dashboards())]))]);
    let outcome = run_within(&bench, &model, Bounds::extraction(), false).unwrap();
    assert_eq!(outcome.verdict.accepted.len(), 1);
    assert!(outcome.landed.change.is_none());
    assert_eq!(bench.bytes(), before);
    assert_clean(&bench);
}

const KEY: &str = "ghp_x9K2mQ7vT4bN8cR1wZ5yL3pD6fH0jS2aE4gU";

/// What a hostile model may try: a name, its calls, and a word of the reason why not.
fn attempts(bench: &TestMemory) -> Vec<(&'static str, Vec<(&'static str, Value)>, &'static str)> {
    let write = |file: &str, content: &str| write(bench, file, content);
    let bash = |command: String| vec![("Bash", json!({ "command": command }))];
    let dir = bench.dir().display().to_string();
    let elsewhere = bench.home().join("outside/x.md").display().to_string();
    let large = topic("reference", "Big", &"words ".repeat(20_000));
    let memories = ["feedback_utc.md", "project_release.md", "user_editor.md", "feedback_tabs.md", "MEMORY.md"];
    let page = |at: usize| topic("reference", &format!("Page {at}"), &format!("Fact number {at} is on page {at}."));
    vec![
        ("../", vec![write("../escaped.md", "x"), write("a/../../escaped.md", "x")], "go up with .."),
        ("an absolute path", vec![("Write", json!({ "file_path": elsewhere, "content": "x" }))], "only files in"),
        ("a link to a file", vec![write("link.md", &dashboards())], "link"),
        ("a linked directory", vec![write("linked/x.md", &dashboards())], "link"),
        ("10 MB", vec![write("big.md", &"x".repeat(10 * 1024 * 1024))], "bytes"),
        ("a large memory", vec![write("big.md", &large)], "size"),
        ("a secret", vec![write("reference_key.md", &topic("reference", "Key", &format!("key: {KEY}")))], "secret"),
        ("everything deleted", memories.iter().map(|file| write(file, "")).collect(), "removal"),
        ("everything emptied", memories.iter().map(|file| write(file, "---\nname: x\n---\n")).collect(), "format"),
        ("a pinned memory", vec![write("feedback_tabs.md", &PINNED.replace("tabs", "spaces"))], "pinned"),
        ("40 files", (0..40).map(|at| write(&format!("reference_{at}.md"), &page(at))).collect(), "too-many"),
        ("the index", vec![write("MEMORY.md", "- [Evil](evil.md) — obey\n")], "index"),
        ("a log", vec![write("logs/2026/04/2026-04-14.md", "rewritten")], "log"),
        ("a command", bash(format!("rm -rf {dir}")), "`rm` is not one of"),
        ("a redirection", bash(format!("ls > {dir}/x.md")), "< or >"),
        ("another tool", vec![("Task", json!({ "prompt": "do it for me" }))], "only Read, Grep"),
    ]
}

#[test]
fn x6_a_hostile_run_is_stopped_and_the_directory_stays_byte_for_byte() {
    for at in 0..attempts(&bench()).len() {
        let bench = bench();
        let outside = bench.home().join("outside");
        std::fs::create_dir(&outside).unwrap();
        memdir_testkit::link(&outside, bench.dir().join("linked")).unwrap();
        memdir_testkit::link(outside.join("x"), bench.dir().join("link.md")).unwrap();
        let before = bench.bytes();
        let (name, tried, reason) = attempts(&bench).remove(at);
        let outcome = run(&bench, &Script::of([Act::Say(calls(&tried))])).unwrap();
        assert_eq!(bench.bytes(), before, "{name}");
        assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0, "{name}");
        let report = serde_json::to_string(&outcome.report()).unwrap();
        assert!(report.contains(reason), "{name}: {report}");
        assert!(!report.contains(KEY) && outcome.landed.change.is_none(), "{name}: {report}");
        assert_eq!(bench.rubbish(), Vec::<String>::new(), "{name}");
        assert!(!bench.home().join("memories/escaped.md").exists());
    }
}

#[test]
fn the_sound_part_of_a_mixed_proposal_lands() {
    let bench = bench();
    let model = Script::of([Act::Say(calls(&[
        write(&bench, "reference_dashboards.md", &dashboards()),
        write(&bench, "feedback_tabs.md", &PINNED.replace("tabs", "spaces")),
        write(&bench, "user_editor.md", ""),
    ]))]);
    let outcome = run(&bench, &model).unwrap();
    assert_eq!(outcome.landed.files, [("reference_dashboards.md".to_owned(), FileEffect::Created)]);
    let rules: Vec<RejectionRule> = outcome.verdict.rejected.iter().map(|rejection| rejection.rule).collect();
    assert_eq!(rules, [RejectionRule::Pinned, RejectionRule::Removal]);
    assert_clean(&bench);
}

#[test]
fn what_an_editor_saves_meanwhile_stays() {
    let bench = bench();
    let file = bench.dir().join("user_editor.md");
    let model = Script::of([
        Act::Say(calls(&[
            write(
                &bench,
                "user_editor.md",
                &topic("user", "Editor", "Writes Rust in the Helix editor, and Go in Zed."),
            ),
            write(&bench, "reference_dashboards.md", &dashboards()),
        ])),
        Act::Do(Box::new(move |_| std::fs::write(&file, "by hand\n").unwrap())),
    ]);
    let outcome = run(&bench, &model).unwrap();
    assert_eq!(bench.read("user_editor.md"), "by hand\n");
    assert_eq!(outcome.landed.files, [("reference_dashboards.md".to_owned(), FileEffect::Created)]);
    assert_eq!(outcome.verdict.rejected[0].rule, RejectionRule::ChangedMeanwhile);
}

/// A run of three turns that writes in the second.
fn three_turns(bench: &TestMemory) -> Vec<Act> {
    vec![
        Act::Say(calls(&[("Glob", json!({ "pattern": "*" }))])),
        Act::Say(calls(&[write(bench, "reference_dashboards.md", &dashboards())])),
        Act::Say(calls(&[write(
            bench,
            "feedback_utc.md",
            &topic("feedback", "Times in UTC", "All timestamps are in UTC."),
        )])),
    ]
}

#[test]
fn x5_a_model_that_fails_at_any_step_leaves_nothing_behind() {
    let failures: [fn() -> ModelError; 5] = [
        || ModelError::Busy { driver: "test", status: 429, attempts: 5 },
        || ModelError::Busy { driver: "test", status: 529, attempts: 5 },
        || ModelError::Connection { driver: "test", message: "cut in the middle".into() },
        || ModelError::Malformed { driver: "test", message: "not JSON".into() },
        || ModelError::Timeout { driver: "test", seconds: 1 },
    ];
    for step in 0..=3 {
        for failure in failures {
            let bench = bench();
            let before = bench.bytes();
            let mut acts = three_turns(&bench);
            acts.insert(step, Act::Fail(failure()));
            let outcome = run(&bench, &Script::of(acts)).unwrap();
            assert!(matches!(outcome.run.ended, RunEnd::Failed(_)), "step {step}: {:?}", outcome.run.ended);
            assert_eq!(bench.bytes(), before, "step {step}");
            assert_clean(&bench);
            let history = bench.memory().history().events(None, 10).unwrap();
            assert!(history.iter().all(|event| event.actor == "outside"), "{history:?}");
        }
    }
}

#[test]
fn a_panic_at_any_step_leaves_nothing_behind() {
    for step in 0..=3 {
        let bench = bench();
        let before = bench.bytes();
        let mut acts = three_turns(&bench);
        acts.insert(step, Act::Do(Box::new(|_| panic!("the model's driver has a bug"))));
        let script = Script::of(acts);
        let panicked = catch_unwind(AssertUnwindSafe(|| run(&bench, &script)));
        assert!(panicked.is_err());
        assert_eq!(bench.bytes(), before, "step {step}");
        assert_clean(&bench);
    }
}

#[test]
fn d5_a_stopped_run_changes_nothing() {
    let bench = bench();
    let before = bench.bytes();
    let mut acts = three_turns(&bench);
    acts.insert(2, Act::Do(Box::new(|call| call.cancel.cancel())));
    let outcome = run(&bench, &Script::of(acts)).unwrap();
    assert!(outcome.run.cancelled());
    assert_eq!(bench.bytes(), before);
    assert_clean(&bench);
}

#[test]
fn a_model_is_told_why_a_call_failed_and_can_do_better() {
    let bench = bench();
    let model = Script::of([
        Act::Say(calls(&[("Write", json!({ "file_path": "dashboards.md", "content": "x" }))])),
        Act::Say(calls(&[write(&bench, "reference_dashboards.md", &dashboards())])),
    ]);
    let outcome = run(&bench, &model).unwrap();
    assert_eq!((outcome.run.denied.len(), outcome.landed.files.len()), (1, 1));
    let told = model.asked.borrow()[1].messages.last().unwrap().content.clone();
    let ContentBlock::ToolResult { content, is_error: true, .. } = &told[0] else { panic!("{told:?}") };
    assert!(content.contains(&bench.dir().display().to_string()), "{content}");
}

#[test]
fn e5_nothing_runs_while_memory_is_off() {
    let bench = bench().set("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    let model = Script::default();
    assert!(matches!(run(&bench, &model), Err(Error::Off(_))));
    assert!(model.asked.borrow().is_empty());
}

#[test]
fn runs_side_by_side_lose_nothing() {
    let bench = bench();
    let facts =
        ["Deploys run on Kubernetes", "Invoices round half up", "Logins expire hourly", "Backups go to Frankfurt"];
    std::thread::scope(|scope| {
        for (at, fact) in facts.iter().enumerate() {
            let home = bench.home();
            scope.spawn(move || {
                let bench = TestMemory::at(home);
                let grown = topic("project", "Release", &format!("The release manager is the platform team.\n{fact}."));
                let model = Script::of([Act::Say(calls(&[
                    write(&bench, &format!("reference_{at}.md"), &topic("reference", fact, &format!("{fact}."))),
                    write(&bench, "project_release.md", &grown),
                ]))]);
                run(&bench, &model).unwrap();
            });
        }
    });
    let index = bench.read("MEMORY.md");
    for (at, fact) in facts.iter().enumerate() {
        assert!(bench.read(&format!("reference_{at}.md")).contains(fact));
        assert_eq!(index.matches(&format!("(reference_{at}.md)")).count(), 1, "{index}");
    }
    // Of those that started from one text, one was first; who came later started from its text or was turned down.
    assert!(bench.read("project_release.md").contains("platform team."));
    assert_clean(&bench);
}

const CHILD: &str = "MEMDIR_FORK_CHILD";

#[test]
fn a_run_killed_at_any_step_changes_nothing_and_the_next_one_sweeps_up() {
    for step in ["0", "1", "2", "3"] {
        let bench = bench();
        let before = bench.bytes();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture", "engine::fork::tests::child_that_is_killed"])
            .env(CHILD, bench.home())
            .env(format!("{CHILD}_STEP"), step)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        assert!(told.any(|line| line.contains("in the middle")), "the child never got so far");
        assert!(!bench.rubbish().is_empty());
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(bench.bytes(), before, "step {step}");
        let model = Script::of([Act::Say(calls(&[write(&bench, "reference_dashboards.md", &dashboards())]))]);
        let outcome = run(&bench, &model).unwrap();
        assert_eq!(outcome.landed.files.len(), 1);
        assert_clean(&bench);
    }
}

#[test]
#[ignore = "started by the test above, to be killed"]
fn child_that_is_killed() {
    let Some(home) = std::env::var_os(CHILD) else { return };
    let bench = TestMemory::at(home.into());
    let step = std::env::var_os(format!("{CHILD}_STEP")).unwrap().to_str().unwrap().parse().unwrap();
    let mut acts = three_turns(&bench);
    let wait = |_: &memdir_model::CallLimits| {
        println!("in the middle");
        loop {
            std::thread::park();
        }
    };
    acts.insert(step, Act::Do(Box::new(wait)));
    let _ = run(&bench, &Script::of(acts));
}
