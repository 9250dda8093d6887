use serde_json::{Value, json};

use super::*;
use crate::engine::test_memory::{TestMemory, store, topic};
use memdir_model::ModelError;
use memdir_model::tools::{JobOutput, ShellJob, ToolError};
use memdir_team::merge::{EITHER, END, OR};
use memdir_testkit::script::{Act, Script, calls, says};

struct NoShell;

impl Shell for NoShell {
    fn run(&self, _: &ShellJob) -> Result<JobOutput, ToolError> {
        Err("there are no programs here".into())
    }
}

fn bench() -> TestMemory {
    let mut files: Vec<(String, String)> = (0..9)
        .map(|at| {
            let text = format!("Service number {at} of the shop is owned by the team called crew{at} in hall {at}.");
            (format!("project_{at}.md"), topic("project", &format!("Service {at}"), &text))
        })
        .collect();
    let sourced = "---\nname: Sourced\ndescription: From a session\ntype: project\nmetadata:\n  originSessionId: abc\n---\n\nThe vendor is Northwind.\n";
    files.push(("project_sourced.md".into(), sourced.into()));
    let pinned =
        topic("feedback", "Tabs", "Indent with tabs.").replace("type: feedback\n", "type: feedback\npinned: true\n");
    files.push(("feedback_tabs.md".into(), pinned));
    let files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    TestMemory::with(&files)
}

fn write(bench: &TestMemory, file: &str, content: &str) -> (&'static str, Value) {
    ("Write", json!({ "file_path": bench.dir().join(file).display().to_string(), "content": content }))
}

fn read(bench: &TestMemory, file: &str) -> (&'static str, Value) {
    ("Read", json!({ "file_path": bench.dir().join(file).display().to_string() }))
}

fn job(model: &Script, cancel: Cancel) -> DreamJob<'_> {
    DreamJob { scope: Scope::Private, transcripts: &[], model, shell: &NoShell, cancel, yes: true, group: None }
}

fn dream(bench: &TestMemory, model: &Script) -> Result<ModelDream, Error> {
    let memory = bench.memory();
    let hold = memory.dream().begin(Scope::Private, true)?;
    let job = job(model, Cancel::default());
    let made = memory.dream().run_model(&job, &hold, &mut |_| {});
    match &made {
        Ok(_) => hold.finish()?,
        Err(_) => hold.roll_back(),
    }
    made
}

#[test]
fn d3_what_a_model_must_not_do_changes_nothing_and_is_named() {
    let secret = format!("ghp_{}", "FAKEfake".repeat(5).chars().take(36).collect::<String>());
    let table: Vec<(&str, Box<dyn Fn(&TestMemory) -> Vec<Act>>)> = vec![
        (
            "no-fact-lost",
            Box::new(|bench| {
                vec![
                    Act::Say(calls(&[read(bench, "project_0.md")])),
                    Act::Say(calls(&[write(bench, "project_0.md", "")])),
                    Act::Say(says("tidied")),
                ]
            }),
        ),
        (
            "pinned",
            Box::new(|bench| {
                let new = topic("feedback", "Tabs", "Indent with spaces.");
                vec![
                    Act::Say(calls(&[read(bench, "feedback_tabs.md")])),
                    Act::Say(calls(&[write(bench, "feedback_tabs.md", &new)])),
                    Act::Say(says("ok")),
                ]
            }),
        ),
        (
            "sources-kept",
            Box::new(|bench| {
                let new = topic("project", "Sourced", "The vendor is Northwind.");
                vec![
                    Act::Say(calls(&[read(bench, "project_sourced.md")])),
                    Act::Say(calls(&[write(bench, "project_sourced.md", &new)])),
                    Act::Say(says("ok")),
                ]
            }),
        ),
        (
            "secret",
            Box::new(move |bench| {
                let new = topic(
                    "reference",
                    "Deploys",
                    &format!("Deploys go through the vendor portal with {secret} as the token."),
                );
                vec![Act::Say(calls(&[write(bench, "reference_deploys.md", &new)])), Act::Say(says("ok"))]
            }),
        ),
        ("turns", Box::new(|bench| (0..200).map(|_| Act::Say(calls(&[read(bench, "project_0.md")]))).collect())),
        (
            "busy",
            Box::new(|bench| {
                let new = topic("project", "Service 0", "Service number 0 moved.");
                vec![
                    Act::Say(calls(&[read(bench, "project_0.md")])),
                    Act::Say(calls(&[write(bench, "project_0.md", &new)])),
                    Act::Fail(ModelError::Busy { driver: "anthropic", status: 529, attempts: 4 }),
                ]
            }),
        ),
    ];
    for (reason, acts) in table {
        let bench = bench();
        let memory = bench.memory();
        store(&memory).notice(memory.now.timestamp()).unwrap();
        let before = bench.bytes();
        let error = dream(&bench, &Script::of(acts(&bench))).unwrap_err().to_string();
        assert!(error.contains("nothing was changed") && error.contains(reason), "{reason}: {error}");
        assert_eq!(bench.bytes(), before, "{reason}");
        // The next run works.
        let new = topic("reference", "Boards", "Latency boards are in the Grafana folder checkout.");
        let good = Script::of([Act::Say(calls(&[write(&bench, "reference_boards.md", &new)])), Act::Say(says("ok"))]);
        let made = dream(&bench, &good).unwrap();
        assert_eq!(made.landed.files.len(), 1, "{reason}");
    }
}

fn deletes(bench: &TestMemory, files: &[&str], said: &str) -> Script {
    let reads: Vec<_> = files.iter().map(|file| read(bench, file)).collect();
    let writes: Vec<_> = files.iter().map(|file| write(bench, file, "")).collect();
    Script::of([Act::Say(calls(&reads)), Act::Say(calls(&writes)), Act::Say(says(said))])
}

#[test]
fn d3_a_third_of_the_store_waits_in_the_inbox_and_a_yes_lands_it() {
    let bench = bench();
    let before = bench.bytes();
    let model = deletes(&bench, &["project_0.md", "project_1.md", "project_2.md", "project_3.md"], "tidied");
    let made = dream(&bench, &model).unwrap();
    let ModelWaits { proposal: id, why } = made.waits.unwrap();
    assert!(why.starts_with("loss: 4 of 11"), "{why}");
    assert!(made.landed.change.is_none());
    let kept: Vec<_> = bench.bytes().into_iter().filter(|(file, _)| !file.starts_with('.')).collect();
    assert_eq!(kept, before.into_iter().collect::<Vec<_>>(), "nothing was changed");
    let memory = bench.memory();
    assert_eq!(memory.inbox().list().unwrap()[0].reason, format!("dream; {why}"));
    assert_eq!(memory.inbox().accept(&id).unwrap().files.len(), 4);
    assert!(!bench.dir().join("project_3.md").exists());
}

#[test]
fn d3_what_goes_for_a_reason_lands_and_the_history_has_the_reason() {
    let bench = bench();
    let model = deletes(&bench, &["project_0.md"], "- project_0.md: the service was shut down, project_1.md says so");
    let made = dream(&bench, &model).unwrap();
    assert_eq!(made.landed.files.len(), 1, "{:?}", made.waits);
    let memory = bench.memory();
    let event = &memory.history().events(None, 1).unwrap()[0];
    assert!(event.reason.contains("the service was shut down"), "{}", event.reason);
    memory.history().undo(Some(made.landed.change.as_deref().unwrap())).unwrap();
    assert!(bench.dir().join("project_0.md").exists());
}

#[test]
fn d3_a_reason_without_a_source_that_speaks_of_it_waits_for_a_yes() {
    for said in [
        "- project_0.md: nobody needs this any more, it is old",
        // There is no such memory, it is the file itself, or it says nothing of the kind.
        "- project_0.md: the service was shut down, project_99.md says so",
        "- project_0.md: the service was shut down, project_0.md says so",
        "- project_0.md: the service was shut down, feedback_tabs.md says so",
    ] {
        let bench = bench();
        let before = bench.bytes();
        let made = dream(&bench, &deletes(&bench, &["project_0.md"], said)).unwrap();
        let why = made.waits.unwrap().why;
        assert!(why.starts_with("source: project_0.md"), "{said}: {why}");
        assert!(before.iter().all(|(file, bytes)| bench.bytes().get(file) == Some(bytes)), "{said}");
    }
    // The name of a file inside another name, or behind another name, gives no reason for it.
    for said in ["- my_project_0.md: the service was shut down", "- project_1.md: project_0.md said so before"] {
        let bench = bench();
        let error = dream(&bench, &deletes(&bench, &["project_0.md"], said)).unwrap_err().to_string();
        assert!(error.contains("no-fact-lost"), "{said}: {error}");
    }
}

#[test]
fn d3_a_log_that_speaks_of_it_bears_a_loss_out_and_what_the_model_wrote_itself_does_not() {
    let log = "- 09:00 user: service number 0 of the shop was shut down\n";
    let bench = bench();
    bench.put("logs/2026/04/2026-04-13.md", log);
    let said = "- project_0.md: it was shut down, logs/2026/04/2026-04-13.md";
    let made = dream(&bench, &deletes(&bench, &["project_0.md"], said)).unwrap();
    assert!(made.waits.is_none() && made.landed.files.len() == 1);
    let reason = &bench.memory().history().events(None, 1).unwrap()[0].reason;
    assert!(reason.contains("[logs/2026/04/2026-04-13.md]"), "{reason}");

    let bench = self::bench();
    let new = topic("project", "Shut down", "Service number 0 of the shop was shut down for good.");
    let model = Script::of([
        Act::Say(calls(&[read(&bench, "project_0.md")])),
        Act::Say(calls(&[write(&bench, "project_0.md", ""), write(&bench, "project_shut_down.md", &new)])),
        Act::Say(says("- project_0.md: the service was shut down, project_shut_down.md says so")),
    ]);
    assert!(dream(&bench, &model).unwrap().waits.is_some_and(|waits| waits.why.starts_with("source:")));
}

#[test]
fn t1_a_model_is_told_of_two_versions_and_may_keep_one() {
    let bench = bench();
    let both =
        topic("project", "Releases", &format!("{EITHER}\n\nJon cuts releases.\n\n{OR}\n\nAda cuts releases.\n\n{END}"));
    bench.put("team/project_releases.md", &both);
    let memory = bench.memory();
    store(&memory).notice(memory.now.timestamp()).unwrap();
    let signals = memory.dream().signals(store(&memory), Scope::Private, &[]).unwrap();
    assert!(signals.contains("two versions in: team/project_releases.md"), "{signals}");
    let one = topic("project", "Releases", "Jon cuts releases.");
    let model = Script::of([
        Act::Say(calls(&[read(&bench, "team/project_releases.md")])),
        Act::Say(calls(&[write(&bench, "team/project_releases.md", &one)])),
        Act::Say(says("- team/project_releases.md: Jon has cut them since March, as he said himself")),
    ]);
    let made = dream(&bench, &model).unwrap();
    assert!(made.waits.is_none(), "{:?}", made.waits);
    assert_eq!(bench.read("team/project_releases.md"), one);
    memory.history().undo(Some(made.landed.change.as_deref().unwrap())).unwrap();
    assert_eq!(bench.read("team/project_releases.md"), both);
}

#[test]
fn d3_with_review_a_models_dream_waits_whole() {
    let bench = bench().set("MEMDIR_REVIEW", "true");
    let new = topic("reference", "Boards", "Latency boards are in the Grafana folder checkout.");
    let good = Script::of([Act::Say(calls(&[write(&bench, "reference_boards.md", &new)])), Act::Say(says("ok"))]);
    let made = dream(&bench, &good).unwrap();
    assert!(made.waits.is_some() && made.landed.change.is_none());
    assert!(!bench.dir().join("reference_boards.md").exists());
}

#[test]
fn d4_a_dream_has_the_permissions_of_an_extraction() {
    let bench = bench();
    let outside = bench.project().join("src.rs").display().to_string();
    let model = Script::of([
        Act::Say(calls(&[
            ("Write", json!({ "file_path": outside, "content": "x" })),
            ("Bash", json!({ "command": format!("touch {outside}") })),
        ])),
        Act::Say(says("ok")),
    ]);
    assert!(dream(&bench, &model).is_ok_and(|made| made.landed.files.is_empty()));
    assert!(!bench.project().join("src.rs").exists());
}

#[test]
fn d2_a_model_that_was_overtaken_lands_nothing() {
    let bench = bench();
    let memory = bench.memory();
    let hold = memory.dream().begin(Scope::Private, true).unwrap();
    let new = topic("reference", "Boards", "Latency boards are in the Grafana folder checkout.");
    let good = Script::of([Act::Say(calls(&[write(&bench, "reference_boards.md", &new)])), Act::Say(says("ok"))]);
    let later = "2026-04-14T12:30:00Z".parse().unwrap();
    let other = store(&memory).hold_dream(later, None).unwrap();
    let error = memory.dream().run_model(&job(&good, Cancel::default()), &hold, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("took over"), "{error}");
    assert!(other.is_mine() && !bench.dir().join("reference_boards.md").exists());
}

#[test]
fn d3_the_prompt_tells_what_changed_and_where_to_look() {
    let bench = bench();
    bench.put("logs/2026/04/2026-04-13.md", "- 09:00 user: the demo moved to 2026-05-02\n");
    let memory = bench.memory();
    store(&memory).notice(memory.now.timestamp()).unwrap();
    let hold = memory.dream().begin(Scope::Private, true).unwrap();
    let model = Script::of([Act::Say(says("x"))]);
    let prompt = memory.dream().prompt(store(&memory), &job(&model, Cancel::default()), &hold).unwrap();
    assert!(prompt.contains("+The vendor is Northwind.") && prompt.contains("log: the demo moved"), "{prompt}");
}

#[test]
fn d5_a_stop_leaves_everything_and_the_lock_as_it_was() {
    let bench = bench();
    let memory = bench.memory();
    let hold = memory.dream().begin(Scope::Private, true).unwrap();
    let cancel = Cancel::default();
    cancel.cancel();
    let model = Script::of([Act::Say(says("x"))]);
    let error = memory.dream().run_model(&job(&model, cancel), &hold, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("stopped"), "{error}");
    hold.roll_back();
    assert!(store(&memory).consolidated().is_none());
}

#[test]
fn h4_a_models_first_dream_waits_and_so_does_one_that_changes_too_much_or_a_long_note() {
    let new = topic("reference", "Boards", "Latency boards are in the Grafana folder checkout.");
    let first = bench();
    let memory = first.memory();
    let model = Script::of([Act::Say(calls(&[write(&first, "reference_boards.md", &new)])), Act::Say(says("ok"))]);
    let hold = memory.dream().begin(Scope::Private, true).unwrap();
    let asked = DreamJob { yes: false, ..job(&model, Cancel::default()) };
    let made = memory.dream().run_model(&asked, &hold, &mut |_| {}).unwrap();
    assert!(made.waits.is_some_and(|waits| waits.why.starts_with("first:")));
    assert!(!first.dir().join("reference_boards.md").exists());

    let many = bench().set("MEMDIR_DREAM_MAX_CHANGES", "1");
    let more = |at: usize| {
        let file = format!("project_{at}.md");
        let text = many.read(&file) + "Ask the crew before a deploy.\n";
        (read(&many, &file), write(&many, &file, &text))
    };
    let (one, two) = (more(0), more(1));
    let model =
        Script::of([Act::Say(calls(&[one.0, two.0])), Act::Say(calls(&[one.1, two.1])), Act::Say(says("added"))]);
    assert!(dream(&many, &model).unwrap().waits.is_some_and(|waits| waits.why.starts_with("changes: 2")));

    let long = bench();
    let note = topic("project", "Design", "# Design\n\nThe queue keeps order.\n\nWorkers ack late.");
    long.put("project_design.md", &note);
    let shorter = note.replace("# Design\n\n", "");
    let model = Script::of([
        Act::Say(calls(&[read(&long, "project_design.md")])),
        Act::Say(calls(&[write(&long, "project_design.md", &shorter)])),
        Act::Say(says("tidied")),
    ]);
    assert!(dream(&long, &model).unwrap().waits.is_some_and(|waits| waits.why.starts_with("long: project_design.md")));
    assert_eq!(long.read("project_design.md"), note);
}

#[test]
fn h2_a_date_that_nobody_said_is_turned_down_and_one_that_was_said_lands() {
    let dated = |bench: &TestMemory, date: &str| {
        let text = bench.read("project_0.md").replace("in hall 0.", &format!("in hall 0 since {date}."));
        Script::of([
            Act::Say(calls(&[read(bench, "project_0.md")])),
            Act::Say(calls(&[write(bench, "project_0.md", &text)])),
            Act::Say(says("- project_0.md: says since when, logs/2026/04/2026-04-13.md")),
        ])
    };
    let bench = bench();
    bench.put("logs/2026/04/2026-04-13.md", "- 09:00 user: service number 0 is in hall 0 since yesterday\n");
    let before = bench.read("project_0.md");
    let error = dream(&bench, &dated(&bench, "2026-04-14")).unwrap_err().to_string();
    assert!(error.contains("nobody said 2026-04-14"), "{error}");
    assert_eq!(bench.read("project_0.md"), before);
    let made = dream(&bench, &dated(&bench, "2026-04-12")).unwrap();
    assert_eq!(made.landed.files.len(), 1, "{:?}", made.waits);
}
