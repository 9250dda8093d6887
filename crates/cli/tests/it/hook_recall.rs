//! Recall behind a hook: what the conversation holds already, what is in use, and what nobody asked (B1).

use memdir_testkit::TestEnv;
use memdir_testkit::model_server::{ModelServer, Turn};
use serde_json::{Value, json};

use super::extracting::Transcript;
use super::git_env;
use super::hooking::{hook, prompt};

const ASK: &str = "behind which flag does the ledger service freeze its branch?";

fn remembering() -> TestEnv {
    let env = git_env();
    remember(&env, "The ledger service freezes its branch behind the flag kestrel", "project", "Ledger freeze");
    env
}

fn remember(env: &TestEnv, text: &str, kind: &str, name: &str) -> String {
    let saved = env.json(&["remember", text, "--type", kind, "--name", name]);
    env.run(&["refresh"]).ok();
    saved["path"].as_str().unwrap().to_owned()
}

/// What a prompt brings, in a conversation that is kept there.
fn asked(env: &TestEnv, talk: &Transcript, session: &str, text: &str) -> String {
    let mut said = prompt(env, session, text);
    said["transcript_path"] = talk.path().into();
    hook(env, &["claude-code"], said.to_string().as_bytes())
}

fn after_tool(env: &TestEnv, session: &str, tool: &str, input: &Value) {
    let said = json!({ "session_id": session, "cwd": env.project(), "hook_event_name": "PostToolUse", "tool_name": tool,
        "tool_input": input, "tool_response": {} });
    hook(env, &["claude-code"], said.to_string().as_bytes());
}

#[test]
fn r4_b1_what_the_model_has_read_itself_is_not_shown_again() {
    let env = remembering();
    let path = env.memory().join("project_ledger_freeze.md");
    let folder = env.memory();
    let home = path.strip_prefix(env.home()).unwrap().display().to_string();
    let calls = [
        ("Read", json!({ "file_path": path })),
        ("Bash", json!({ "command": format!("cat {}", path.display()) })),
        ("Bash", json!({ "command": format!("cd {} && cat project_ledger_freeze.md | head -50", folder.display()) })),
        ("Bash", json!({ "command": format!("sed -n 1,40p ~/{home}") })),
        ("Bash", json!({ "command": format!("cat {}/*.md", folder.display()) })),
        ("Bash", json!({ "command": format!("python3 -c \"print(open('{}').read())\"", path.display()) })),
        ("Bash", json!({ "command": "memdir show project_ledger_freeze" })),
        ("mcp__memdir__read", json!({ "file": "project_ledger_freeze.md" })),
    ];
    for (at, (tool, input)) in calls.iter().enumerate() {
        let session = format!("s{at}");
        let mut talk = Transcript::new(&env, &session);
        talk.user("look at what we know");
        talk.tool(tool, input);
        talk.assistant("Done.");
        assert_eq!(asked(&env, &talk, &session, ASK), "", "{tool} {input}");
    }
    let mentioned = format!("{ASK} @{}", path.display());
    assert_eq!(hook(&env, &["claude-code"], prompt(&env, "at", &mentioned).to_string().as_bytes()), "", "with @");
    let mut talk = Transcript::new(&env, "other");
    talk.tool("Bash", &json!({ "command": format!("ls {} && cat README.md", folder.display()) }));
    talk.tool("Bash", &json!({ "command": format!("wc -l {}", path.display()) }));
    assert!(asked(&env, &talk, "other", ASK).contains("kestrel"), "a listing shows no memory");
}

#[test]
fn r4_b1_a_host_that_reports_its_tools_is_heard_without_a_transcript() {
    let env = remembering();
    after_tool(&env, "s1", "Read", &json!({ "file_path": env.memory().join("project_ledger_freeze.md") }));
    assert_eq!(hook(&env, &["claude-code"], prompt(&env, "s1", ASK).to_string().as_bytes()), "");
    assert!(hook(&env, &["claude-code"], prompt(&env, "s2", ASK).to_string().as_bytes()).contains("kestrel"));
    let said = json!({ "event": "after-tool", "session": "o1", "cwd": env.project(), "tool": "read",
        "input": { "filePath": env.memory().join("project_ledger_freeze.md") } });
    hook(&env, &["opencode"], said.to_string().as_bytes());
    let said = json!({ "event": "prompt", "session": "o1", "cwd": env.project(), "prompt": ASK });
    assert!(!hook(&env, &["opencode"], said.to_string().as_bytes()).contains("behind the flag kestrel\n"));
    assert_eq!(env.json(&["status", "--hooks"])["hooks"][0]["shown"], json!(["manual", "index"]));
}

/// What a tool of ours gives, or was given, the conversation holds (in every host, as it passes the answer on).
#[test]
fn r4_b1_what_our_own_tools_handed_out_is_not_shown_again() {
    let env = remembering();
    let path = env.memory().join("project_ledger_freeze.md").display().to_string();
    let reminder = format!("<system-reminder>\nMemory (saved today): {path}:\n\nIt freezes.\n</system-reminder>");
    let blocks = json!([{ "type": "text", "text": reminder }]);
    let asked = json!({ "query": "how is a release made?" });
    let named = json!({ "file": "project_ledger_freeze.md" });
    let saved = json!("Remembered in project_ledger_freeze.md (change abcdefghij).");
    let printed = "updated project_ledger_freeze.md (project, private)  undo: memdir undo abcdefghij\n";
    let command = json!({ "command": "memdir remember 'It freezes behind kestrel'" });
    let calls = [
        ("claude-code", "mcp__memdir__recall", &asked, blocks.clone()),
        ("claude-code", "mcp__plugin_memdir_memdir__read", &named, json!("It freezes.")),
        ("claude-code", "mcp__memdir__remember", &json!({ "text": "It freezes" }), saved),
        ("claude-code", "Bash", &command, json!({ "stdout": printed, "stderr": "" })),
        ("codex", "mcp__memdir__recall", &asked, json!({ "content": blocks.clone(), "isError": false })),
        ("gemini", "mcp_memdir_read", &named, json!({ "llmContent": "It freezes." })),
        ("copilot", "memdir-recall", &asked, json!({ "textResultForLlm": reminder })),
        ("opencode", "memdir_read", &named, Value::Null),
        ("qwen", "mcp__memdir__recall", &asked, json!({ "output": blocks.to_string() })),
    ];
    for (at, (host, tool, input, answer)) in calls.iter().enumerate() {
        let shown = |session: &str, call: bool| {
            let (cwd, event) = (env.project(), if *host == "gemini" { "AfterTool" } else { "PostToolUse" });
            let (told, ask) = match *host {
                "copilot" => (
                    json!({ "sessionId": session, "cwd": cwd, "toolName": tool, "toolArgs": input, "toolResult": answer }),
                    json!({ "sessionId": session, "cwd": cwd, "prompt": ASK }),
                ),
                "opencode" => (
                    json!({ "event": "after-tool", "session": session, "cwd": cwd, "tool": tool, "input": input }),
                    json!({ "event": "prompt", "session": session, "cwd": cwd, "prompt": ASK }),
                ),
                _ => (
                    json!({ "session_id": session, "cwd": cwd, "hook_event_name": event, "tool_name": tool,
                        "tool_input": input, "tool_response": answer }),
                    json!({ "session_id": session, "cwd": cwd, "prompt": ASK,
                        "hook_event_name": if *host == "gemini" { "BeforeAgent" } else { "UserPromptSubmit" } }),
                ),
            };
            let args = |event| if *host == "copilot" { vec![*host, event] } else { vec![*host] };
            if call {
                hook(&env, &args("postToolUse"), told.to_string().as_bytes());
            }
            hook(&env, &args("userPromptSubmitted"), ask.to_string().as_bytes());
            env.json(&["status", "--hooks"])["hooks"][0]["shown"].to_string()
        };
        assert!(shown(&format!("a{at}"), false).contains("project_ledger_freeze.md"), "{host} {tool}");
        assert!(!shown(&format!("b{at}"), true).contains("project_ledger_freeze.md"), "{host} {tool} {input}");
    }
}

/// What was read before a compaction is gone from the conversation.
#[test]
fn r4_r8_what_was_read_before_a_summary_may_come_again() {
    let env = remembering();
    let path = env.memory().join("project_ledger_freeze.md");
    let mut talk = Transcript::new(&env, "s1");
    talk.user("look at what we know");
    talk.tool("Read", &json!({ "file_path": path }));
    assert_eq!(asked(&env, &talk, "s1", ASK), "");
    talk.line(
        "user",
        &json!("This session is being continued."),
        &json!({ "isCompactSummary": true, "parentUuid": null }),
    );
    assert!(asked(&env, &talk, "s1", ASK).contains("kestrel"));
}

const LINEAR: &str = "file a Linear ticket for team payments, and which label does it need?";

fn linear() -> TestEnv {
    let env = git_env();
    env.write_memory(
        "reference_how_to_use_linear.md",
        "---\nname: How to use Linear\ndescription: Usage of the Linear tools\ntype: reference\n---\n\nTo file a ticket, create_issue takes team and title.\n",
    );
    env.write_memory(
        "feedback_linear_label.md",
        "---\nname: Linear ticket pitfall\ndescription: A Linear ticket for team payments is lost without the label billing\ntype: feedback\n---\n\nWatch out.\n",
    );
    env.run(&["refresh"]).ok();
    env
}

#[test]
fn r5_b1_how_to_use_a_tool_in_use_is_held_back_and_its_warning_comes() {
    let env = linear();
    let before = hook(&env, &["claude-code"], prompt(&env, "s0", LINEAR).to_string().as_bytes());
    assert!(before.contains("create_issue takes team and title") && before.contains("the label billing"), "{before}");
    let mut talk = Transcript::new(&env, "s1");
    talk.tool("mcp__linear__create_issue", &json!({ "title": "x" }));
    let shown = asked(&env, &talk, "s1", LINEAR);
    assert!(shown.contains("the label billing") && !shown.contains("create_issue takes team and title"), "{shown}");
    after_tool(&env, "s2", "mcp__linear__create_issue", &json!({ "title": "x" }));
    let shown = hook(&env, &["claude-code"], prompt(&env, "s2", LINEAR).to_string().as_bytes());
    assert!(shown.contains("the label billing") && !shown.contains("create_issue takes team and title"), "{shown}");
}

/// Asks a model in this process and gives what comes after the next tool.
fn late(env: &TestEnv, session: &str) -> String {
    env.run(&["choose", &format!("--session={session}")]).ok();
    let tool = json!({ "session_id": session, "cwd": env.project(), "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": { "command": "true" } });
    hook(env, &["claude-code"], tool.to_string().as_bytes())
}

fn with_model(env: &mut TestEnv, server: &ModelServer) {
    env.var("ANTHROPIC_API_KEY", "k").var("ANTHROPIC_BASE_URL", &server.url()).var("MEMDIR_MODEL_CONSENT", "1");
}

#[test]
fn r4_r5_a_models_late_choice_keeps_to_the_same_rules() {
    let server = ModelServer::queue([Turn::json(
        &json!({ "selected_memories": ["reference_how_to_use_linear.md", "project_zebra.md", "project_read.md"] }),
    )]);
    let mut env = linear();
    remember(&env, "The zebra job runs at noon", "project", "zebra");
    let path = remember(&env, "The giraffe job runs at midnight", "project", "read");
    with_model(&mut env, &server);
    let mut talk = Transcript::new(&env, "s1");
    talk.tool("mcp__linear__create_issue", &json!({ "title": "x" }));
    talk.tool("Read", &json!({ "file_path": path }));
    asked(&env, &talk, "s1", LINEAR);
    let late = late(&env, "s1");
    assert!(late.contains("at noon"), "{late}");
    assert!(!late.contains("create_issue takes team and title") && !late.contains("at midnight"), "{late}");
    let request = server.requests()[0].body.to_string();
    assert!(!request.contains("reference_how_to_use_linear.md") && !request.contains("project_read.md"), "{request}");
}

#[test]
fn r3_a_prompt_and_its_late_choice_bring_five_memories_at_most() {
    let names: Vec<String> = (0..9).map(|at| format!("project_port_{at}.md")).collect();
    let server = ModelServer::queue([Turn::json(&json!({ "selected_memories": names }))]);
    let mut env = git_env();
    for at in 0..3 {
        let text = format!("The ledger service freezes branch number {at} behind the flag kestrel{at}");
        remember(&env, &text, "project", &format!("Ledger freeze {at}"));
    }
    for at in 0..9 {
        remember(&env, &format!("Port {at} of the ferry belongs to pier {at}"), "project", &format!("port {at}"));
    }
    with_model(&mut env, &server);
    hook(&env, &["claude-code"], prompt(&env, "s1", ASK).to_string().as_bytes());
    let at_once = env.json(&["status", "--hooks"])["hooks"][0]["shown"].as_array().unwrap().len();
    late(&env, "s1");
    let later = env.json(&["status", "--hooks"])["hooks"][0]["shown"].as_array().unwrap().len();
    assert!(at_once > 0 && later > 0 && at_once + later == 5, "{at_once} and {later}");
}

#[test]
fn a_prompt_with_a_secret_is_neither_kept_for_a_model_nor_sent_to_it() {
    let server = ModelServer::queue([Turn::json(&json!({ "selected_memories": ["project_zebra.md"] }))]);
    let mut env = linear();
    remember(&env, "The zebra job runs at noon", "project", "zebra");
    with_model(&mut env, &server);
    let secret = ["ghp", "_x7Kq2mVb9TzR4nWc8YdL1sHf6GjP3aEu5oXi"].concat();
    let ask = |said: &str| hook(&env, &["claude-code"], prompt(&env, "s1", said).to_string().as_bytes());
    ask(&format!("{LINEAR}, the token is {secret}"));
    late(&env, "s1");
    assert!(server.requests().is_empty(), "{:?}", server.requests()[0].body);
    let grep = std::process::Command::new("grep").args(["-rl", &secret]).arg(env.state()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&grep.stdout), "");
    // Without it the model is asked.
    ask(LINEAR);
    late(&env, "s1");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn r6_b1_what_the_host_put_in_is_no_question() {
    let env = remembering();
    for said in [
        format!("<task-notification>\n<task-id>b1</task-id>\n<summary>{ASK}</summary>\n</task-notification>"),
        format!("<system-reminder>{ASK}</system-reminder>"),
        format!("<local-command-stdout>{ASK}</local-command-stdout>"),
        format!("<background-report id=\"3\">{ASK}</background-report>\n<agent-output>{ASK}</agent-output>"),
    ] {
        assert_eq!(hook(&env, &["claude-code"], prompt(&env, "s1", &said).to_string().as_bytes()), "", "{said}");
        let call = &env.json(&["status", "--hooks"])["hooks"][0];
        assert_eq!(call["reason"], "nobody typed any of the prompt", "{call}");
    }
    let mixed = format!("<system-reminder>the zebra is loose</system-reminder>\n{ASK}");
    assert!(hook(&env, &["claude-code"], prompt(&env, "s1", &mixed).to_string().as_bytes()).contains("kestrel"));
}

#[test]
fn r4_a_lesson_is_not_told_in_the_session_that_taught_it() {
    let env = git_env();
    let mut talk = Transcript::new(&env, "s1");
    talk.user("from now on never deploy on a friday, the on-call is too thin then");
    talk.assistant("Understood.");
    let end = json!({ "session_id": "s1", "cwd": env.project(), "hook_event_name": "Stop", "stop_hook_active": false,
        "transcript_path": talk.path() });
    hook(&env, &["claude-code"], end.to_string().as_bytes());
    assert_eq!(env.json(&["work"])["runs"][0]["saved"].as_array().unwrap().len(), 1);
    env.run(&["refresh"]).ok();
    let ask = "can I deploy the release this friday?";
    let same = asked(&env, &talk, "s1", ask);
    assert!(!same.contains("on-call"), "{same}");
    assert!(hook(&env, &["claude-code"], prompt(&env, "s2", ask).to_string().as_bytes()).contains("on-call"));
}

/// Every text that `context` lets a user replace is replaced wherever it is said.
#[test]
fn own_texts_stand_in_recall_in_the_question_to_a_model_and_beside_a_new_day() {
    // The first answer is not an object, and is asked for again.
    let server = ModelServer::queue([Turn::say("none"), Turn::json(&json!({ "selected_memories": [] }))]);
    let mut env = remembering();
    remember(&env, "The zebra job runs at noon", "project", "zebra");
    remember(&env, "Never run `make zebra-release` on a Friday", "feedback", "zebra release");
    let texts = env.home().join(".config/memdir/prompts");
    std::fs::create_dir_all(&texts).unwrap();
    for (name, text) in [
        ("staleness", "OWN AGE: {{days}} days."),
        ("select", "OWN QUESTION, {{files}} at most."),
        (
            "phrases",
            "day-changed: OWN DAY {{day}}.\nevidence: OWN EVIDENCE {{findings}}.\nheld: OWN REFUSAL.\n\
             json-repair: OWN REPAIR, {{problem}}.",
        ),
    ] {
        std::fs::write(texts.join(format!("{name}.md")), text).unwrap();
    }
    env.at("2026-06-14T10:00:00Z").var("MEMDIR_MODE", "log");
    with_model(&mut env, &server);
    let shown = hook(&env, &["claude-code"], prompt(&env, "s1", ASK).to_string().as_bytes());
    assert!(shown.contains("OWN AGE: 61 days.") && shown.contains("OWN DAY 2026-06-14."), "{shown}");
    late(&env, "s1");
    let request = server.requests()[0].body.to_string();
    assert!(request.contains("OWN QUESTION, 5 at most."), "{request}");
    assert!(server.last().body.to_string().contains("OWN REPAIR, "), "{:?}", server.last().body);
    let call = json!({ "session_id": "s1", "cwd": env.project(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": "make zebra-release" } });
    let held = hook(&env, &["claude-code"], call.to_string().as_bytes());
    assert!(held.contains("OWN REFUSAL.") && held.contains("on a Friday"), "{held}");
    assert!(env.json(&["recall", ASK])["reminder"].as_str().unwrap().contains("OWN AGE"));
}
