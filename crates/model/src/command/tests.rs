//! What each agent is given, and what becomes of what it prints.

use std::sync::Mutex;
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::tools::Writes;
use crate::{Cancel, StopReason};

/// A runner that says what it is told to and keeps what it was asked to start.
struct Recorder {
    lines: Vec<&'static str>,
    end: Result<ProgramEnd, RunError>,
    jobs: Mutex<Vec<ProgramStart>>,
}

impl Runner for Recorder {
    fn run(&self, job: &ProgramStart, _: &CallLimits, on_line: OnLine<'_>) -> Result<ProgramEnd, RunError> {
        self.jobs.lock().unwrap().push(job.clone());
        for line in &self.lines {
            if on_line(line).is_break() {
                return Err(RunError::Enough);
            }
        }
        self.end.clone()
    }

    fn gate(&self) -> Option<PathBuf> {
        None
    }
}

fn asked(
    agent: Agent,
    lines: Vec<&'static str>,
    end: Result<ProgramEnd, RunError>,
    agent_run: Option<AgentRun>,
) -> (Result<AgentOutput, ModelError>, String, ProgramStart) {
    let runner = Arc::new(Recorder { lines, end, jobs: Mutex::default() });
    let branch = Branch { agent: Agent::Claude, session: "s".into(), dir: "/project".into() };
    let model =
        CommandLine::new(agent, "/bin/agent".into(), None, "/tmp".into(), Arc::clone(&runner) as Arc<dyn Runner>)
            .branching_off(Some(branch));
    let request = Request {
        system: vec!["Be careful.".into()],
        messages: vec![ChatMessage::user("hello secret words")],
        ..Request::default()
    };
    let call = CallLimits { timeout: Duration::from_secs(9), cancel: Cancel::default() };
    let mut heard = String::new();
    let mut hear = |piece: AgentEvent<'_>| match piece {
        AgentEvent::Text(text) => heard.push_str(text),
        AgentEvent::Tool(_) => {}
    };
    let output = match &agent_run {
        Some(agent_run) => model.send(&AgentRequest { agent_run, request: &request, call: &call }, &mut hear),
        None => model.tell(&model.question(&request), &call, None, &mut hear),
    };
    let job = runner.jobs.lock().unwrap().remove(0);
    (output, heard, job)
}

fn ended(code: i32) -> ProgramEnd {
    ProgramEnd { code: Some(code), stderr: "warning: something\nfatal: it broke".into() }
}

const AGENTS: [Agent; 4] = [Agent::Claude, Agent::Codex, Agent::Gemini, Agent::Qwen];

fn answer(agent: Agent) -> Vec<&'static str> {
    match agent {
        Agent::Claude | Agent::Qwen => vec![
            "a warning of node, not JSON",
            r#"{"type":"system","subtype":"init","session_id":"s-1","tools":[]}"#,
            r#"{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"Good day."}]},"parent_tool_use_id":null}"#,
            r#"{"type":"assistant","message":{"content":[{"type":"text","text":"inner"}]},"parent_tool_use_id":"t1"}"#,
            r#"{"type":"result","subtype":"success","is_error":false,"result":"Good day.","session_id":"s-1","usage":{"input_tokens":5,"cache_creation_input_tokens":7,"cache_read_input_tokens":80,"output_tokens":3},"permission_denials":[{"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}]}"#,
        ],
        Agent::Codex => vec![
            r#"{"type":"thread.started","thread_id":"s-1"}"#,
            r#"{"type":"turn.started"}"#,
            r#"{"type":"error","message":"Reconnecting... 1/5"}"#,
            r#"{"type":"item.completed","item":{"id":"i0","type":"reasoning","text":"x"}}"#,
            r#"{"type":"item.completed","item":{"id":"i1","type":"agent_message","text":"Good day."}}"#,
            r#"{"type":"turn.completed","usage":{"input_tokens":92,"cached_input_tokens":80,"output_tokens":3}}"#,
        ],
        Agent::Gemini => vec![
            r#"{"type":"init","timestamp":"t","session_id":"s-1","model":"m"}"#,
            r#"{"type":"message","role":"user","content":"hello"}"#,
            r#"{"type":"message","role":"assistant","content":"Good ","delta":true}"#,
            r#"{"type":"error","severity":"warning","message":"slow"}"#,
            r#"{"type":"message","role":"assistant","content":"day.","delta":true}"#,
            r#"{"type":"result","status":"success","stats":{"total_tokens":95,"input_tokens":92,"output_tokens":3,"cached":80,"input":12}}"#,
        ],
    }
}

#[test]
fn each_agents_output_becomes_a_reply() {
    for agent in AGENTS {
        let (output, heard, _) = asked(agent, answer(agent), Ok(ended(0)), None);
        let output = output.unwrap();
        assert_eq!(
            (structured::words(&output.reply.content).as_str(), heard.as_str()),
            ("Good day.", "Good day."),
            "{agent}"
        );
        assert_eq!(
            (output.reply.usage.total(), output.reply.usage.cache_read, output.reply.usage.output),
            (95, 80, 3),
            "{agent}"
        );
        assert_eq!((output.session.as_deref(), output.reply.stop), (Some("s-1"), StopReason::Done), "{agent}");
    }
    assert_eq!(asked(Agent::Claude, answer(Agent::Claude), Ok(ended(0)), None).0.unwrap().denied[0].0, "Bash");
}

#[test]
fn the_prompt_goes_by_stdin_and_hooks_are_told_to_keep_still() {
    for agent in AGENTS {
        let permissions =
            Permissions { writes: Writes::Memories, roots: vec!["/m".into()], cwd: "/".into(), home: None };
        for agent_run in [None, Some(AgentRun { permissions, max_turns: 5, max_tokens: 1000, mark: None })] {
            let on_errand = agent_run.is_some();
            let (_, _, job) = asked(agent, answer(agent), Ok(ended(0)), agent_run);
            assert!(job.stdin.contains("hello secret words"), "{agent}");
            assert!(
                !job.args.iter().any(|arg| arg.contains("secret words") || arg.contains("careful")),
                "{agent}: {:?}",
                job.args
            );
            assert!(job.env.contains(&(INSIDE.to_owned(), "1".to_owned())), "{agent}");
            let resumed = on_errand && agent == Agent::Claude;
            let dir = if resumed { "/project" } else { ["/tmp", "/m"][usize::from(on_errand)] };
            assert_eq!(job.dir, PathBuf::from(dir), "{agent}");
            assert_eq!(job.stdin.contains("Be careful."), !resumed, "{agent}");
        }
    }
}

#[test]
fn failures_are_told_apart() {
    let error = |agent, lines, end| asked(agent, lines, end, None).0.unwrap_err();
    for agent in AGENTS {
        assert!(matches!(error(agent, answer(agent), Err(RunError::Cancelled)), ModelError::Cancelled));
        assert!(matches!(error(agent, answer(agent), Err(RunError::TimedOut)), ModelError::Timeout { seconds: 9, .. }));
        assert!(matches!(
            error(agent, vec![], Err(RunError::Failed("no such file".into()))),
            ModelError::Connection { .. }
        ));
        assert!(matches!(error(agent, vec![], Err(RunError::TooMuch)), ModelError::Malformed { .. }));
        assert!(
            matches!(error(agent, vec!["prose", "{\"type\":"], Ok(ended(0))), ModelError::Malformed { .. }),
            "{agent}"
        );
        let died = error(agent, vec![], Ok(ended(3)));
        assert!(died.to_string().contains("ended with code 3: fatal: it broke"), "{died}");
    }
}

#[test]
fn an_agents_own_errors_are_passed_on() {
    let claude = r#"{"type":"result","subtype":"success","is_error":true,"result":"API Error: 401 bad key","api_error_status":401}"#;
    let limit = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["overloaded"],"api_error_status":529}"#;
    let turns =
        r#"{"type":"result","subtype":"error_max_turns","is_error":true,"usage":{"input_tokens":5,"output_tokens":1}}"#;
    let failed = r#"{"type":"turn.failed","error":{"message":"usage limit"}}"#;
    let gemini = r#"{"type":"result","status":"error","error":{"type":"X","message":"quota"}}"#;
    let error = |agent, line| asked(agent, vec![line], Ok(ended(1)), None).0.unwrap_err();
    assert!(
        matches!(error(Agent::Claude, claude), ModelError::Refused { status: 401, message, .. } if message.contains("bad key"))
    );
    assert!(matches!(error(Agent::Claude, limit), ModelError::Busy { status: 529, .. }));
    assert!(matches!(error(Agent::Codex, failed), ModelError::Refused { message, .. } if message == "usage limit"));
    assert!(matches!(error(Agent::Gemini, gemini), ModelError::Refused { message, .. } if message == "quota"));
    let output = asked(Agent::Claude, vec![turns], Ok(ended(1)), None).0.unwrap();
    assert_eq!(output.reply.stop, StopReason::Length);
}

fn agent_run(max_turns: u32, max_tokens: u64) -> AgentRun {
    let permissions = Permissions { writes: Writes::Memories, roots: vec!["/m".into()], cwd: "/".into(), home: None };
    AgentRun { permissions, max_turns, max_tokens, mark: None }
}

/// Lines in the shapes that Claude Code 2.1, Qwen Code 0.24 and Gemini CLI 0.61 print; the numbers are made up.
const CLAUDE_WORKS: [&str; 5] = [
    r#"{"type":"assistant","message":{"id":"msg_1","content":[{"type":"text","text":"I look."}],"usage":{"input_tokens":100,"cache_creation_input_tokens":50,"cache_read_input_tokens":800,"output_tokens":1}},"parent_tool_use_id":null}"#,
    r#"{"type":"assistant","message":{"id":"msg_1","content":[{"type":"tool_use","id":"t1","name":"Read","input":{}}],"usage":{"input_tokens":100,"cache_creation_input_tokens":50,"cache_read_input_tokens":800,"output_tokens":30}},"parent_tool_use_id":null}"#,
    r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}}"#,
    r#"{"type":"assistant","message":{"id":"msg_2","content":[{"type":"tool_use","id":"t2","name":"Write","input":{}}],"usage":{"input_tokens":10,"cache_creation_input_tokens":40,"cache_read_input_tokens":950,"output_tokens":20}},"parent_tool_use_id":null}"#,
    r#"{"type":"result","subtype":"success","is_error":false,"result":"Done.","num_turns":3,"usage":{"input_tokens":120,"cache_creation_input_tokens":100,"cache_read_input_tokens":2800,"output_tokens":60}}"#,
];

#[test]
fn an_errand_is_ended_when_its_tokens_are_used_up() {
    for (agent, most, cut) in [
        // The first message has used 980, the second 1,020.
        (Agent::Claude, 980, Some(980)),
        (Agent::Claude, 981, Some(2000)),
        (Agent::Qwen, 2000, Some(2000)),
        (Agent::Claude, 2001, None),
    ] {
        let (output, ..) = asked(agent, CLAUDE_WORKS.to_vec(), Ok(ended(0)), Some(agent_run(9, most)));
        let output = output.unwrap();
        assert_eq!(output.cut, cut.map(|_| Bound::Tokens), "{most}");
        assert_eq!(output.reply.usage.total(), cut.unwrap_or(3080), "{most}");
    }
    // What only answers has no more to come, whatever it used.
    let last = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Yes."}],"usage":{"input_tokens":5000,"output_tokens":9}},"parent_tool_use_id":null}"#;
    let lines = vec![last, CLAUDE_WORKS[4]];
    assert_eq!(asked(Agent::Claude, lines, Ok(ended(0)), Some(agent_run(9, 10))).0.unwrap().cut, None);
    // A question has no such bound: it is counted as a whole.
    assert_eq!(asked(Agent::Claude, CLAUDE_WORKS.to_vec(), Ok(ended(0)), None).0.unwrap().cut, None);
}

#[test]
fn the_turns_of_gemini_are_counted_as_they_come() {
    let call = r#"{"type":"tool_use","tool_name":"write_file","tool_id":"w_1","parameters":{"file_path":"/etc/x.md","content":"x"}}"#;
    let denied = r#"{"type":"tool_result","tool_id":"w_1","status":"error","output":"Tool execution blocked: no","error":{"type":"policy_violation","message":"Tool execution blocked: no"}}"#;
    let text = r#"{"type":"message","role":"assistant","content":"W","delta":true}"#;
    let end = r#"{"type":"result","status":"success","stats":{"total_tokens":220,"input_tokens":200,"output_tokens":20,"cached":0}}"#;
    let lines = vec![text, call, call, denied, denied, text, text, end];
    let output = asked(Agent::Gemini, lines.clone(), Ok(ended(0)), Some(agent_run(2, 9))).0.unwrap();
    assert_eq!((output.turns, output.cut), (Some(2), None));
    assert_eq!(output.denied[0].0, "Write", "in our own names");
    let output = asked(Agent::Gemini, lines, Ok(ended(0)), Some(agent_run(1, 9))).0.unwrap();
    assert_eq!(output.cut, Some(Bound::Turns));
}

#[test]
fn a_conversation_is_one_text() {
    let request = Request {
        system: vec!["S".into()],
        messages: vec![
            ChatMessage::user("a"),
            ChatMessage {
                role: ChatRole::Assistant,
                content: vec![ContentBlock::ToolUse { id: "1".into(), name: "Read".into(), input: json!({ "f": 1 }) }],
            },
            ChatMessage {
                role: ChatRole::User,
                content: vec![ContentBlock::ToolResult {
                    tool_use_id: "1".into(),
                    content: "r".into(),
                    is_error: false,
                }],
            },
        ],
        ..Request::default()
    };
    assert_eq!(
        spoken(&request, false),
        "S\n\n<user>\na\n</user>\n<assistant>\n<tool_call name=\"Read\">{\"f\":1}</tool_call>\n</assistant>\n<user>\n<tool_result>r</tool_result>\n</user>\n"
    );
}
