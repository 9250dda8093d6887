#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::engine::Signature;
use crate::engine::proposal::{Bounds, FileEffect, RejectionRule};
use crate::engine::test_memory::{TestMemory, topic};
use memdir_model::command::{
    Agent, Bound, Branch, CommandLine, OnLine, ProgramEnd as Exit, ProgramStart, RunError, Runner,
};
use memdir_model::tools::{JobOutput, Shell, ShellJob as ShellErrand, ToolError};
use memdir_model::{ChatRole, Model};
use memdir_store::history::Actor;

struct NoShell;

impl Shell for NoShell {
    fn run(&self, _: &ShellErrand) -> Result<JobOutput, ToolError> {
        Err("there are no programs here".into())
    }
}

/// A program that does something in the directory and then says that it is done.
struct Program {
    act: Box<dyn Fn(&ProgramStart) + Send + Sync>,
    end: Result<Exit, RunError>,
    jobs: Mutex<Vec<ProgramStart>>,
    /// Tokens of its first message.
    uses: u64,
}

impl Program {
    fn new(act: impl Fn(&ProgramStart) + Send + Sync + 'static) -> Program {
        Program {
            act: Box::new(act),
            end: Ok(Exit { code: Some(0), stderr: String::new() }),
            jobs: Mutex::default(),
            uses: 1,
        }
    }

    fn ending(self, end: RunError) -> Program {
        Program { end: Err(end), ..self }
    }
}

impl Runner for Program {
    fn run(&self, job: &ProgramStart, _: &CallLimits, on_line: OnLine<'_>) -> Result<Exit, RunError> {
        self.jobs.lock().unwrap().push(job.clone());
        (self.act)(job);
        let first = on_line(&json!({
            "type": "assistant", "parent_tool_use_id": null,
            "message": {
                "content": [{ "type": "tool_use", "name": "Write", "input": {} }, { "type": "text", "text": "Saved one." }],
                "usage": { "input_tokens": self.uses, "output_tokens": 1 },
            },
        }).to_string());
        if first.is_break() {
            return Err(RunError::Enough);
        }
        let _ = on_line(
            &json!({
                "type": "result", "subtype": "success", "is_error": false, "result": "Saved one.", "num_turns": 3,
                "usage": { "input_tokens": 5, "cache_read_input_tokens": 95, "output_tokens": 3 },
                "permission_denials": [
                    { "tool_name": "Write", "tool_input": { "file_path": "/etc/passwd", "content": "x" } },
                    { "tool_name": "Read", "tool_input": { "file_path": "/work/secret" } },
                ],
            })
            .to_string(),
        );
        self.end.clone()
    }

    fn gate(&self) -> Option<PathBuf> {
        Some("/bin/memdir".into())
    }
}

fn bench() -> TestMemory {
    let utc = topic("feedback", "Times in UTC", "All timestamps are stored in UTC.");
    TestMemory::with(&[("feedback_utc.md", &utc)])
}

fn run(bench: &TestMemory, program: Program, branch: Option<Branch>) -> (ForkOutcome, Vec<ProgramStart>, Vec<String>) {
    let program = Arc::new(program);
    let runner: Arc<dyn Runner> = Arc::<Program>::clone(&program);
    let model = CommandLine::new(Agent::Claude, "/bin/claude".into(), None, bench.home(), runner).branching_off(branch);
    let parent = Request {
        system: vec!["The manual.".into()],
        messages: vec![
            ChatMessage::user("We deploy on Thursdays."),
            ChatMessage { role: ChatRole::Assistant, content: vec![ContentBlock::Text { text: "Noted.".into() }] },
        ],
        ..Request::default()
    };
    let model: &dyn Model = &model;
    let job = ForkJob {
        model,
        parent: &parent,
        prompt: "Save what is worth it.",
        budget: RunBudget { turns: 5, time: Duration::from_mins(1), tokens: 1_000_000 },
        bounds: Bounds::extraction(),
        shell: &NoShell,
        cancel: Cancel::default(),
        signature: Signature { actor: Actor::Extract, session: Some("s1".into()), message: None },
        reason: "learned from the conversation",
        group: None,
        land: true,
    };
    let mut seen = Vec::new();
    let outcome = bench.memory().run_fork(&job, &mut |progress| seen.push(format!("{progress:?}"))).unwrap();
    let jobs = program.jobs.lock().unwrap().clone();
    (outcome, jobs, seen)
}

#[test]
fn x6_what_the_users_agent_writes_lands_as_one_checked_change() {
    let bench = bench();
    let dir = bench.dir();
    let new = topic("project", "Deploys", "Deploys are on Thursdays.");
    let written = new.clone();
    let program = Program::new(move |_| {
        std::fs::write(dir.join("project_deploys.md"), &written).unwrap();
        std::fs::write(dir.join("feedback_utc.md"), "").unwrap();
        std::fs::write(dir.join("MEMORY.md"), "mine\n").unwrap();
    });
    let (outcome, jobs, seen) = run(&bench, program, None);
    assert_eq!(outcome.landed.files, [("project_deploys.md".to_owned(), FileEffect::Created)]);
    let removal = outcome.verdict.rejected.iter().find(|rejection| rejection.file == "feedback_utc.md").unwrap();
    assert_eq!(removal.rule, RejectionRule::Removal, "emptied is removed, as in the other lane");
    assert_eq!(bench.read("project_deploys.md"), new);
    assert!(bench.read("MEMORY.md").contains("(project_deploys.md)") && !bench.read("MEMORY.md").contains("mine"));
    assert!(bench.read("feedback_utc.md").contains("stored in UTC"));
    // How it went, in the words of any run.
    let run = &outcome.run;
    assert_eq!((run.turns, run.said.as_str(), run.usage.cache_read), (3, "Saved one.", 95));
    assert!(run.denied[0].reason.contains("only files in the memory directory"), "{:?}", run.denied);
    assert!(run.denied[1].reason.contains("the agent itself"), "{:?}", run.denied);
    assert!(seen.iter().any(|event| event == "Tool(\"Write\")") && seen.iter().any(|event| event.contains("Touched")));
    // Without a conversation of its own it reads all of it, elsewhere than in the project.
    assert!(jobs[0].stdin.contains("The manual.") && jobs[0].stdin.contains("Thursdays"));
    assert!(jobs[0].stdin.trim_end().ends_with("Save what is worth it.\n</user>"), "{}", jobs[0].stdin);
    assert_eq!(jobs[0].dir, bench.home());
    assert_eq!(bench.rubbish(), Vec::<String>::new());
}

#[test]
fn x2_a_branch_is_told_only_what_is_new() {
    let bench = bench();
    let branch = Branch { agent: Agent::Claude, session: "abc".into(), dir: bench.project() };
    let (_, jobs, _) = run(&bench, Program::new(|_| ()), Some(branch));
    assert_eq!((jobs[0].stdin.as_str(), &jobs[0].dir), ("Save what is worth it.\n", &bench.project()));
    assert!(jobs[0].args.join(" ").contains("--resume abc --fork-session"));
    // Its memory stays on, as in the conversation it branches off.
    assert!(!jobs[0].env.iter().any(|(name, _)| name == "CLAUDE_CODE_DISABLE_AUTO_MEMORY"));
}

#[test]
fn the_check_at_the_agents_hook_knows_that_its_sender_lives() {
    use memdir_model::command::gate::{self, GateTerms};
    let bench = bench();
    let answers = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&answers);
    let file = bench.dir().join("a.md");
    let ask = json!({ "tool_name": "Write", "tool_input": { "file_path": file, "content": "x" } }).to_string();
    let again = ask.clone();
    let program = Program::new(move |job| {
        let terms = job.env.iter().find(|(name, _)| name == gate::TERMS).unwrap().1.clone();
        kept.lock().unwrap().push((GateTerms::answer(Agent::Claude, &terms, ask.as_bytes(), &job.dir, None), terms));
    });
    run(&bench, program, None);
    let (answer, terms) = answers.lock().unwrap().remove(0);
    assert_eq!(answer.denied, None);
    let later = GateTerms::answer(Agent::Claude, &terms, again.as_bytes(), &bench.dir(), None);
    assert!(later.denied.is_some(), "an agent that was left alone");
}

#[test]
fn a_run_that_did_not_end_changes_nothing() {
    for (end, word) in [
        (RunError::Cancelled, "cancelled"),
        (RunError::TimedOut, "failed"),
        (RunError::Failed("it broke".into()), "failed"),
        (RunError::TooMuch, "failed"),
    ] {
        let bench = bench();
        let before = bench.bytes();
        let dir = bench.dir();
        let program = Program::new(move |_| {
            std::fs::write(dir.join("half.md"), topic("project", "Half", "It is half of it.")).unwrap();
            std::fs::remove_file(dir.join("feedback_utc.md")).unwrap();
        });
        let (outcome, ..) = run(&bench, program.ending(end), None);
        assert_eq!(outcome.run.ended.as_str(), word);
        assert_eq!(bench.bytes(), before, "{word}");
        assert!(outcome.landed.change.is_none() && outcome.verdict.accepted.is_empty());
        assert_eq!(bench.rubbish(), Vec::<String>::new());
    }
}

#[test]
fn a_run_that_was_ended_at_its_bound_changes_nothing_and_is_paid_for() {
    let bench = bench();
    let before = bench.bytes();
    let dir = bench.dir();
    let program = Program::new(move |_| std::fs::write(dir.join("feedback_utc.md"), "").unwrap());
    let (outcome, ..) = run(&bench, Program { uses: 1_000_000, ..program }, None);
    assert!(matches!(outcome.run.ended, RunEnd::Cut(Bound::Tokens)), "{:?}", outcome.run.ended);
    assert_eq!(outcome.report().ended, "cut-at-tokens");
    assert_eq!(outcome.run.usage.total(), 1_000_001);
    assert_eq!(bench.bytes(), before);
    assert_eq!(bench.rubbish(), Vec::<String>::new());
}
