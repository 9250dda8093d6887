//! Real processes that answer, misbehave, hang and die.

use std::path::Path;
use std::sync::Arc;

use memdir::model::command::{Agent, AgentRequest, AgentRun, Bound, Branch, CodingAgent as _, CommandLine};
use memdir::model::tools::{Permissions, Writes};
use memdir::model::{Cancel, ChatMessage, ContentBlock, Model, ModelError, Reply, Request};
use serde_json::Value;

use super::*;

/// A runner that puts the fake agent's orders into its environment, as a user's shell would.
struct Ordered(Vec<(String, String)>);

impl Runner for Ordered {
    fn run(&self, job: &ProgramStart, call: &CallLimits, on_line: OnLine<'_>) -> Result<ProgramEnd, RunError> {
        let mut job = job.clone();
        job.env.extend(self.0.clone());
        Processes.run(&job, call, on_line)
    }

    fn gate(&self) -> Option<PathBuf> {
        Processes.gate()
    }
}

struct Stage {
    dir: tempfile::TempDir,
}

impl Stage {
    fn new() -> Stage {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("own")).unwrap();
        for agent in Agent::ALL {
            memdir_testkit::link(memdir_testkit::binary("fake-agent"), dir.path().join(agent.program())).unwrap();
        }
        Stage { dir }
    }

    fn agent(&self, agent: Agent, mode: &str) -> CommandLine {
        let orders = [("FAKE_AGENT_MODE", mode.to_owned()), ("FAKE_AGENT_LOG", self.log().display().to_string())];
        let orders = orders.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let program = self.dir.path().join(agent.program());
        CommandLine::new(agent, program, None, self.own(), Arc::new(Ordered(orders)))
    }

    /// The directory of ours that agents get.
    fn own(&self) -> std::path::PathBuf {
        self.dir.path().canonicalize().unwrap().join("own")
    }

    fn log(&self) -> std::path::PathBuf {
        self.dir.path().join("log.json")
    }

    fn logged(&self) -> Value {
        serde_json::from_slice(&std::fs::read(self.log()).unwrap()).unwrap()
    }
}

fn request(user: &str) -> Request {
    Request {
        system: vec!["Be careful.".into()],
        messages: vec![ChatMessage::user(user)],
        max_output_tokens: 100,
        ..Request::default()
    }
}

fn call() -> CallLimits {
    CallLimits { timeout: Duration::from_mins(1), cancel: Cancel::default() }
}

fn tell(agent: &CommandLine, call: &CallLimits) -> (Result<Reply, ModelError>, String) {
    let mut heard = String::new();
    let told = agent.ask(&request("what is the secret word?"), call, &mut |text| heard.push_str(text));
    (told, heard)
}

fn alive(pid: i32) -> bool {
    // A zombie that nobody has reaped yet is dead.
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z"))
}

fn wait_until_gone(pid: i32) {
    let until = Instant::now() + Duration::from_secs(30);
    while alive(pid) {
        assert!(Instant::now() < until, "process {pid} is still there");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until the agent has written its log, whole.
fn wait_for_log(log: &Path) -> Value {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        if let Some(log) = std::fs::read(log).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            return log;
        }
        assert!(Instant::now() < until, "the agent has not started");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn each_agent_is_asked_by_stdin_with_the_guard_set() {
    for agent in Agent::ALL {
        let stage = Stage::new();
        let (told, heard) = tell(&stage.agent(agent, "answer"), &call());
        let told = told.unwrap();
        assert_eq!(told.content, [ContentBlock::Text { text: "The answer.".into() }], "{agent}");
        assert_eq!(heard, "The answer.", "{agent}");
        assert!(told.usage.total() > 0, "{agent}");
        let log = stage.logged();
        assert!(log["stdin"].as_str().unwrap().contains("secret word"), "{agent}");
        assert!(!log["argv"].to_string().contains("secret word"), "{agent}: {}", log["argv"]);
        assert_eq!(log["inside"], "1", "{agent}");
    }
}

fn agent_run(dir: &Path) -> AgentRun {
    let roots = vec![dir.to_path_buf()];
    let permissions = Permissions { writes: Writes::Memories, roots, cwd: dir.to_path_buf(), home: None };
    AgentRun { permissions, max_turns: 3, max_tokens: 1000, mark: None }
}

#[test]
fn an_agent_that_would_go_past_its_tokens_is_ended_with_everything_it_started() {
    let stage = Stage::new();
    let work = tempfile::tempdir().unwrap();
    let agent_run = agent_run(work.path());
    // It says what it has used, calls a tool, and never comes back.
    let agent = stage.agent(Agent::Claude, "spend");
    let told = agent
        .send(&AgentRequest { agent_run: &agent_run, request: &request("go"), call: &call() }, &mut |_| {})
        .unwrap();
    assert_eq!((told.cut, told.reply.usage.total()), (Some(Bound::Tokens), 1200));
    let log = stage.logged();
    for key in ["pid", "child"] {
        wait_until_gone(i32::try_from(log[key].as_i64().unwrap()).unwrap());
    }
}

#[test]
fn an_errand_runs_in_its_directory() {
    let stage = Stage::new();
    let work = tempfile::tempdir().unwrap();
    let dir = work.path().canonicalize().unwrap();
    let agent_run = agent_run(&dir);
    for agent in Agent::ALL {
        let branch = Branch { agent: Agent::Claude, session: "s-7".into(), dir: dir.clone() };
        let sent = stage.agent(agent, "answer").branching_off(Some(branch));
        sent.send(&AgentRequest { agent_run: &agent_run, request: &request("go"), call: &call() }, &mut |_| {})
            .unwrap();
        let log = stage.logged();
        // Gemini CLI takes our hook only from a directory it runs in, and memory as one that is included.
        let own = stage.own().join("gemini");
        let there = if agent == Agent::Gemini { &own } else { &dir };
        assert_eq!(log["cwd"], there.display().to_string(), "{agent}");
        assert!(log["argv"].to_string().contains(&dir.display().to_string()) || agent == Agent::Codex, "{agent}");
        let resumes = log["argv"].to_string().contains("\"--resume\",\"s-7\",\"--fork-session\"");
        assert_eq!(resumes, agent == Agent::Claude, "{}", log["argv"]);
    }
}

#[test]
fn misbehaviour_is_named() {
    for agent in Agent::ALL {
        let stage = Stage::new();
        let error = |mode: &str| tell(&stage.agent(agent, mode), &call()).0.unwrap_err();
        assert!(matches!(error("prose"), ModelError::Malformed { .. }), "{agent}");
        assert!(matches!(error("silent"), ModelError::Malformed { .. }), "{agent}");
        assert!(matches!(error("error"), ModelError::Refused { .. }), "{agent}");
        let died = error("die");
        assert!(died.to_string().contains("ended with code 3: fatal: it broke"), "{died}");
        let killed = error("abort");
        assert!(killed.to_string().contains("was ended by a signal"), "{killed}");
        assert!(matches!(error("flood"), ModelError::Malformed { .. }), "{agent}");
        assert!(matches!(error("long-line"), ModelError::Malformed { .. }), "{agent}");
    }
}

#[test]
fn a_program_that_is_not_there() {
    let missing = CommandLine::new(Agent::Claude, "/nowhere/claude".into(), None, "/".into(), Arc::new(Processes));
    let error = tell(&missing, &call()).0.unwrap_err();
    assert!(error.to_string().contains("/nowhere/claude could not be started"), "{error}");
}

#[test]
fn an_agent_that_does_not_listen_still_answers() {
    let stage = Stage::new();
    let long = request(&"word ".repeat(200_000));
    let reply = stage.agent(Agent::Claude, "deaf").ask(&long, &call(), &mut |_| {}).unwrap();
    assert_eq!(reply.content, [ContentBlock::Text { text: "The answer.".into() }]);
}

#[test]
fn a_cancelled_agent_is_ended_with_everything_it_started() {
    let stage = Stage::new();
    let agent = stage.agent(Agent::Claude, "hang");
    let call = call();
    let cancel = call.cancel.clone();
    let told = std::thread::scope(|scope| {
        let asking = scope.spawn(|| tell(&agent, &call));
        let log = wait_for_log(&stage.log());
        cancel.cancel();
        let (told, _) = asking.join().unwrap();
        for key in ["pid", "child"] {
            wait_until_gone(i32::try_from(log[key].as_i64().unwrap()).unwrap());
        }
        told
    });
    assert!(matches!(told, Err(ModelError::Cancelled)), "{told:?}");
}

#[test]
fn an_agent_whose_time_is_up_is_ended_with_everything_it_started() {
    let stage = Stage::new();
    let short = CallLimits { timeout: Duration::from_secs(2), cancel: Cancel::default() };
    let (told, _) = tell(&stage.agent(Agent::Codex, "hang"), &short);
    assert!(matches!(told, Err(ModelError::Timeout { seconds: 2, .. })), "{told:?}");
    let log = wait_for_log(&stage.log());
    for key in ["pid", "child"] {
        wait_until_gone(i32::try_from(log[key].as_i64().unwrap()).unwrap());
    }
}

#[test]
fn what_an_agent_leaves_running_does_not_keep_the_answer() {
    let stage = Stage::new();
    let (told, _) = tell(&stage.agent(Agent::Claude, "leave-child"), &call());
    assert_eq!(told.unwrap().content, [ContentBlock::Text { text: "The answer.".into() }]);
    wait_until_gone(i32::try_from(stage.logged()["child"].as_i64().unwrap()).unwrap());
}

#[test]
fn what_went_its_own_way_does_not_keep_the_answer_either() {
    let stage = Stage::new();
    let (told, _) = tell(&stage.agent(Agent::Codex, "leave-daemon"), &call());
    assert_eq!(told.unwrap().content, [ContentBlock::Text { text: "The answer.".into() }]);
    let daemon = i32::try_from(stage.logged()["child"].as_i64().unwrap()).unwrap();
    assert!(alive(daemon));
    rustix::process::kill_process(rustix::process::Pid::from_raw(daemon).unwrap(), rustix::process::Signal::KILL)
        .unwrap();
}

#[test]
fn a_schema_is_asked_for_in_words_and_repaired_once() {
    let stage = Stage::new();
    let schema =
        serde_json::json!({ "type": "object", "required": ["names"], "properties": { "names": { "type": "array" } } });
    let wanted = Request { schema: Some(schema.into()), ..request("which?") };
    let reply = stage.agent(Agent::Claude, "json").ask(&wanted, &call(), &mut |_| {}).unwrap();
    assert_eq!(reply.content, [ContentBlock::Text { text: "{\"names\":[]}".into() }]);
    let error = stage.agent(Agent::Claude, "answer").ask(&wanted, &call(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, ModelError::Malformed { .. }), "{error}");
    assert!(stage.logged()["stdin"].as_str().unwrap().contains("That cannot be used"));
}
