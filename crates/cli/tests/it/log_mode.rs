//! Daily-log mode in the agents: told, appended to, distilled, recalled (L1, L1b, L2, M2).

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::extracting::Transcript;
use super::git_env;
use super::hooking::{hook, prompt};
use super::mcp::Host;

const LOG: &str = "logs/2026/04/2026-04-14.md";

fn logging() -> TestEnv {
    let mut env = git_env();
    env.var("MEMDIR_MODE", "log");
    env
}

fn topics(env: &TestEnv) -> Vec<String> {
    let topic = |file: &String| file.ends_with(".md") && !file.starts_with("logs/") && file != "MEMORY.md";
    env.memory_files().into_iter().filter(topic).collect()
}

/// What a host is told at its start and beside its first prompt.
fn told(env: &TestEnv, host: &str) -> String {
    let cwd = env.project();
    let said: Vec<(Vec<&str>, Value)> = match host {
        "copilot" => vec![
            (vec!["copilot", "sessionStart"], json!({ "sessionId": "s", "cwd": cwd, "source": "new" })),
            (
                vec!["copilot", "userPromptSubmitted"],
                json!({ "sessionId": "s", "cwd": cwd, "prompt": "hello there you" }),
            ),
        ],
        "opencode" => {
            vec![(vec![host], json!({ "event": "prompt", "session": "s", "cwd": cwd, "prompt": "hello there you" }))]
        }
        _ => vec![
            (
                vec![host],
                json!({ "hook_event_name": "SessionStart", "source": "startup", "session_id": "s", "cwd": cwd }),
            ),
            (
                vec![host],
                json!({ "hook_event_name": if host == "gemini" { "BeforeAgent" } else { "UserPromptSubmit" },
                    "session_id": "s", "cwd": cwd, "prompt": "hello there you" }),
            ),
        ],
    };
    said.iter().map(|(args, said)| hook(env, args, said.to_string().as_bytes())).collect()
}

#[test]
fn l1_m2_every_host_hears_where_and_how_to_log_and_which_day_it_is() {
    for host in ["claude-code", "codex", "gemini", "copilot", "opencode", "qwen"] {
        let env = logging();
        let told = told(&env, host);
        let place = env.memory().join("logs/YYYY/MM/YYYY-MM-DD.md").display().to_string();
        assert!(told.contains(&place) && told.contains("- HH:MM [feedback]"), "{host}: {told}");
        assert_eq!(told.matches("It is 2026-04-14 now").count(), 1, "{host}: {told}");
    }
    let mut env = git_env();
    assert_eq!(told(&env, "claude-code"), "", "in normal mode it has a manual of its own");
    // The manual names no day; the day comes beside a prompt, and once more when it has changed.
    env.var("MEMDIR_MODE", "log");
    told(&env, "claude-code");
    let beside = |env: &TestEnv| {
        hook(env, &["claude-code"], prompt(env, "s", "go on with it, would you").to_string().as_bytes())
    };
    assert_eq!(beside(&env), "");
    env.at("2026-04-15T00:10:00Z");
    assert_eq!(beside(&env).matches("It is 2026-04-15 now").count(), 1);
    assert_eq!(beside(&env), "");
}

#[test]
fn l1_a_host_that_only_has_mcp_hears_where_and_how_to_log() {
    for (env, logs) in [(logging(), true), (git_env(), false)] {
        let (mut host, hello) = Host::ready(&env, "2025-06-18", json!({}));
        let told = hello["result"]["instructions"].as_str().unwrap().to_owned();
        let place = env.memory().join("logs/YYYY/MM/YYYY-MM-DD.md").display().to_string();
        assert_eq!(told.contains(&place) && told.contains("- HH:MM [type]"), logs, "{told}");
        assert!(!told.contains("2026"), "the day is not in it: {told}");
        // What it is told to do does what it was told.
        let saved = host.call("remember", json!({ "text": "Releases go out on Tuesdays", "type": "project" }));
        assert_eq!(saved["structuredContent"]["file"] == LOG, logs, "{saved}");
    }
}

#[test]
fn m2_t2_claude_code_hears_of_the_team_in_team_mode() {
    let mut env = git_env();
    env.var("MEMDIR_MODE", "team");
    let told = told(&env, "claude-code");
    assert!(told.contains("<scope>always private</scope>") && told.contains("memory/team`"), "{told}");
}

#[test]
fn l1_remember_mcp_and_extraction_append_and_write_no_topic() {
    let env = logging();
    let saved = env.json(&[
        "remember",
        "Deploys go out on Tuesday mornings",
        "--type",
        "project",
        "--why",
        "the office is full then",
    ]);
    assert_eq!((&saved["file"], &saved["action"], &saved["type"]), (&json!(LOG), &json!("created"), &json!("project")));
    let (mut host, _) = Host::ready(&env, "2025-06-18", json!({}));
    host.call(
        "remember",
        json!({ "text": "The flaky device tests are collected on the Jira board bench", "type": "reference" }),
    );
    host.end();
    let mut talk = Transcript::new(&env, "s1");
    talk.user("no mocks for the database in tests, ever. last year they hid a broken migration in prod");
    talk.assistant("Understood.");
    let end = json!({ "session_id": "s1", "cwd": env.project(), "hook_event_name": "Stop", "stop_hook_active": false,
        "transcript_path": talk.path() });
    hook(&env, &["claude-code"], end.to_string().as_bytes());
    let worked = env.json(&["work"]);
    assert_eq!(worked["runs"][0]["saved"][0]["file"], LOG, "{worked}");
    let log = env.read_memory(LOG);
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines[0], "- 10:00 [project] Deploys go out on Tuesday mornings **Why:** the office is full then");
    assert_eq!(lines[1], "- 10:00 [reference] The flaky device tests are collected on the Jira board bench");
    assert!(lines[2].starts_with("- 09:00 [feedback] No mocks for the database in tests, ever."), "{log}");
    assert_eq!(lines.len(), 3, "{log}");
    assert_eq!(topics(&env), Vec::<String>::new());
    // The same again is not doubled, and a line can be taken back.
    assert_eq!(
        env.json(&[
            "remember",
            "Deploys go out on Tuesday mornings",
            "--type",
            "project",
            "--why",
            "the office is full then"
        ])["action"],
        "unchanged"
    );
    env.run(&["undo"]).ok();
    assert_eq!(env.read_memory(LOG).lines().count(), 2);
}

#[test]
fn l2_a_dream_loses_no_line_of_our_own_form() {
    let env = logging();
    let lines = [
        ("user", "has run Postgres for years and is new to React"),
        ("feedback", "keep commits unsquashed **Why:** the release script reads each one"),
        ("project", "the billing rewrite is due 2026-05-08"),
        ("reference", "flaky device tests are on the Jira board bench"),
        ("user", "likes tea"),
    ];
    let log: String = lines.iter().map(|(kind, text)| format!("- 09:30 [{kind}] {text}\n")).collect();
    let secret = ["ghp", "_", "x7Kq2mVb9TzR4nWc8YdL1sHf6GjP3aEu5oXi"].concat();
    let login = format!("- 09:45 [reference] the release token is {secret}\n");
    env.write_memory("logs/2026/04/2026-04-13.md", format!("{log}{login}- 09:50 ran the tests\n"));
    let dreamt = env.json(&["--yes", "dream", "--force"]);
    for (kind, text) in lines {
        let fact = text.split(" **Why:**").next().unwrap();
        let says = |file: &String| env.read_memory(file).to_lowercase().contains(&fact.to_lowercase());
        let found: Vec<String> = topics(&env).into_iter().filter(says).collect();
        assert_eq!(found.len(), 1, "{text}: {dreamt}");
        let memory = env.read_memory(&found[0]);
        assert!(found[0].starts_with(kind) && memory.contains(&format!("type: {kind}\n")), "{memory}");
        let name = memory.lines().find(|line| line.starts_with("name:")).unwrap();
        assert!(!name.contains('[') && !name.contains("Why"), "{memory}");
        assert!(env.read_memory("MEMORY.md").contains(&found[0]));
    }
    let commits = topics(&env).into_iter().map(|file| env.read_memory(&file)).find(|text| text.contains("unsquashed"));
    assert!(commits.unwrap().contains("\n\n**Why:** the release script reads each one\n"));
    let left = dreamt["left_out"].as_array().unwrap();
    assert_eq!(left.len(), 1, "{dreamt}");
    assert_eq!(
        (&left[0]["why"], &left[0]["source"]),
        (&json!("It holds a secret."), &json!("logs/2026/04/2026-04-13.md"))
    );
    assert!(
        left[0]["line"].as_str().unwrap().starts_with("the release token is") && !dreamt.to_string().contains(&secret)
    );
    // The second dream finds nothing new, and a line that is known already is named with where it stands.
    env.write_memory("logs/2026/04/2026-04-14.md", "- 08:00 [project] the billing rewrite is due 2026-05-08\n");
    let dreamt = env.json(&["--yes", "dream", "--force"]);
    assert!(dreamt["left_out"][0]["why"].as_str().unwrap().contains("says it already"), "{dreamt}");
    assert_eq!(topics(&env).len(), lines.len());
}

#[test]
fn l1b_the_logs_beside_the_memory_are_recalled() {
    let env = git_env();
    let beside = env.memory().parent().unwrap().join("logs/2026/04");
    std::fs::create_dir_all(&beside).unwrap();
    std::fs::create_dir_all(env.memory()).unwrap();
    let text = "- 09:00 [project] the ledger service freezes its branch behind the flag kestrel\n";
    std::fs::write(beside.join("2026-04-10.md"), text).unwrap();
    std::fs::write(beside.join("notes.md"), "the ledger service freezes its branch behind the flag osprey\n").unwrap();
    let ask = "behind which flag does the ledger service freeze its branch?";
    let answer = hook(&env, &["claude-code"], prompt(&env, "s1", ask).to_string().as_bytes());
    assert!(answer.contains("kestrel") && !answer.contains("osprey"), "{answer}");
    assert_eq!(env.json(&["status", "--hooks"])["hooks"][0]["shown"], json!(["../logs/2026/04/2026-04-10.md"]));
    assert_eq!(env.json(&["recall", ask])["selected"][0]["file"], "../logs/2026/04/2026-04-10.md");
    assert_eq!(std::fs::read_to_string(beside.join("2026-04-10.md")).unwrap(), text);
    assert_eq!(std::fs::read_dir(&beside).unwrap().count(), 2, "nothing is written there");
}
