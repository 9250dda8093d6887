//! What an agent hears before it acts: the hook of Claude Code, called as Claude Code calls it.

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::git_env;
use super::hooking::hook;

/// A project with a few rules.
fn ruled() -> TestEnv {
    let env = git_env();
    for (name, kind, text) in [
        ("Use pnpm", "feedback", "Use pnpm in this repository, never npm: a second lock file broke the release."),
        ("Migrations", "feedback", "Never edit files in db/migrations once they are merged; write a new one."),
        ("Zebra release", "project", "`make zebra-release` needs the VPN and takes 40 minutes."),
        ("Vendor pages", "feedback", "Never fetch docs.acmepay.example, it blocks our address."),
        ("Announcements", "feedback", "Do not post to #general on Slack; announcements go to #releases."),
        ("Logger", "feedback", "Never write `console.log`, use the logger."),
        (
            "Staging database",
            "reference",
            "The staging database is db-staging.internal and wants the role readonly_dev.",
        ),
    ] {
        env.run(&["remember", text, "--type", kind, "--name", name]).ok();
    }
    env
}

/// What the agent is about to do, as its hook is told.
fn before(env: &TestEnv, session: &str, tool: &str, input: &Value) -> Value {
    json!({
        "session_id": session,
        "cwd": env.project(),
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": input,
    })
}

fn ask(env: &TestEnv, session: &str, tool: &str, input: &Value) -> Value {
    let answer = hook(env, &["claude-code"], before(env, session, tool, input).to_string().as_bytes());
    if answer.is_empty() { Value::Null } else { serde_json::from_str(&answer).unwrap() }
}

fn bash(env: &TestEnv, session: &str, command: &str) -> Value {
    ask(env, session, "Bash", &json!({ "command": command }))
}

/// The text that is given, and whether the call is refused.
fn given(answer: &Value) -> (&str, bool) {
    let said = &answer["hookSpecificOutput"];
    match said["permissionDecisionReason"].as_str() {
        Some(reason) => (reason, said["permissionDecision"] == "deny"),
        None => (said["additionalContext"].as_str().unwrap_or_default(), false),
    }
}

#[test]
fn v1_a_call_brings_the_memory_that_speaks_about_it_and_nothing_else_does() {
    let env = ruled();
    let root = env.project();
    let file = |path: &str| root.join(path).display().to_string();
    let command = |line: &str| ("Bash", json!({ "command": line }));
    let calls = [
        (command("npm i left-pad"), "pnpm"),
        (command("cd web && CI=1 sudo npm ci"), "pnpm"),
        (command("(npx prettier --check . | tee log)"), "pnpm"),
        (command("bash -c 'npm install x'"), "pnpm"),
        (command("yarn add zod"), "pnpm"),
        // A number that no directory stack has.
        (command("npm i ~99999999999999999999999"), "pnpm"),
        (command("pnpm add zod"), ""),
        (command("git commit -m 'stop using npm install'"), ""),
        (command("cat package.json | grep npm"), ""),
        (command("sed -i s/a/b/ db/migrations/0001.sql"), "merged"),
        (command("cat db/migrations/0001.sql"), ""),
        (
            ("Edit", json!({ "file_path": file("db/migrations/0001.sql"), "old_string": "a", "new_string": "b" })),
            "merged",
        ),
        (("Read", json!({ "file_path": file("db/migrations/0001.sql") })), ""),
        (("Write", json!({ "file_path": file("docs/migrations.md"), "content": "x" })), ""),
        (command("cd ledger && make zebra-release"), "VPN"),
        (command("make test"), ""),
        (("WebFetch", json!({ "url": "https://docs.acmepay.example/api", "prompt": "x" })), "blocks"),
        (("WebFetch", json!({ "url": "https://doc.rust-lang.org/std", "prompt": "x" })), ""),
        (("mcp__slack__post_message", json!({ "channel": "#general", "text": "out" })), "#releases"),
        (("mcp__slack__post_message", json!({ "channel": "#releases", "text": "out" })), ""),
        (("mcp__slack__list_channels", json!({})), ""),
        (("Edit", json!({ "file_path": file("a.ts"), "old_string": "x", "new_string": "console.log(x)" })), "logger"),
        (("Edit", json!({ "file_path": file("a.ts"), "old_string": "console.log(x)", "new_string": "x" })), ""),
        (command("psql -h db-staging.internal shop"), "readonly_dev"),
        (command("psql -h localhost shop"), ""),
    ];
    for (at, ((tool, input), want)) in calls.iter().enumerate() {
        let answer = ask(&env, &format!("s{at}"), tool, input);
        let (text, _) = given(&answer);
        assert_eq!(text.is_empty(), want.is_empty(), "{tool} {input}: {text}");
        assert!(text.contains(want), "{tool} {input}: {text}");
    }
}

#[test]
fn v2_a_prohibition_holds_the_call_once_and_anything_else_is_told() {
    let env = ruled();
    let first = bash(&env, "s1", "npm i left-pad");
    let (reason, held) = given(&first);
    assert!(held && reason.contains("never npm") && reason.contains("make the same call again"), "{reason}");
    let said = first["hookSpecificOutput"].as_object().unwrap();
    assert_eq!((first.as_object().unwrap().len(), said.len(), &said["hookEventName"]), (1, 3, &json!("PreToolUse")));
    assert_eq!(bash(&env, "s1", "npm i left-pad"), Value::Null, "the same call goes through");
    assert_eq!(bash(&env, "s1", "npx prettier ."), Value::Null, "never twice for the same memory");
    assert!(given(&bash(&env, "s2", "npm i left-pad")).1, "another session");
    let told = bash(&env, "s1", "make zebra-release");
    let (text, held) = given(&told);
    assert!(!held && text.contains("VPN"), "{told}");
    let calls = env.json(&["status", "--hooks"])["hooks"].clone();
    let of = |at: usize| (calls[at]["held"].as_bool(), calls[at]["why"][0].as_str().unwrap_or_default().to_owned());
    assert!(of(0).0.is_none() && of(0).1.starts_with("it speaks about make"), "{calls}");
    assert_eq!(of(1), (Some(true), "it forbids npm".to_owned()));
    env.run(&["status", "--hooks"]).ok().prints("held, ").prints("(it forbids npm)");
}

#[test]
fn v2_a_memory_that_was_told_beside_a_prompt_still_holds_what_it_forbids() {
    let env = ruled();
    let prompt = json!({
        "session_id": "s1", "cwd": env.project(), "hook_event_name": "UserPromptSubmit",
        "prompt": "should I install packages with npm or with pnpm in this repository?",
    });
    assert!(hook(&env, &["claude-code"], prompt.to_string().as_bytes()).contains("never npm"));
    assert!(given(&bash(&env, "s1", "npm i left-pad")).1);
}

#[test]
fn v2_the_setting_decides_and_a_host_that_cannot_refuse_is_told() {
    let env = ruled();
    let mut call = before(&env, "", "Bash", &json!({ "command": "npm i left-pad" }));
    call.as_object_mut().unwrap().remove("session_id");
    let answer: Value = serde_json::from_str(&hook(&env, &["claude-code"], call.to_string().as_bytes())).unwrap();
    assert!(
        !given(&answer).1 && given(&answer).0.contains("never npm"),
        "without a session nobody knows a second call"
    );
    let mut after = before(&env, "q1", "Bash", &json!({ "command": "npm i left-pad" }));
    after["hook_event_name"] = json!("PostToolUse");
    let qwen = hook(&env, &["qwen"], after.to_string().as_bytes());
    assert!(qwen.contains("never npm") && !qwen.contains("deny"), "{qwen}");
    let codex =
        hook(&env, &["codex"], before(&env, "c1", "Bash", &json!({ "command": "npm ci" })).to_string().as_bytes());
    assert!(codex.contains("\"permissionDecision\":\"deny\""), "{codex}");
    env.run(&["settings", "recall.before_action", "tell"]).ok();
    let answer = bash(&env, "t1", "npm i left-pad");
    assert!(!given(&answer).1 && given(&answer).0.contains("never npm"), "{answer}");
    env.run(&["settings", "recall.before_action", "off"]).ok();
    assert_eq!(bash(&env, "t2", "npm i left-pad"), Value::Null);
    env.run(&["status", "--hooks"]).ok().prints("nothing: recall.before_action is off");
}

/// What a prohibition forbids depends on the rest of its sentence, on the place that the memory names, and on the branch that the line is on.
#[test]
fn v1_v2_a_prohibition_is_read_with_its_sentence_its_place_and_its_branch() {
    let env = git_env();
    for (name, text) in [
        ("Packages", "Packages are installed with pnpm, never with npm."),
        ("Never delete scans", "Nothing under /mnt/scans is ever deleted."),
        ("Main", "Never commit directly on main."),
        ("远程分支", "远程分支一律不要删，审计要用。"),
        ("Soci", "Non inviare mai mail ai soci."),
        ("New handlers", "Always register a new handler in the table of routes and add a test for it."),
        ("Clients", "Everything in src/gen/ is made from the protos. Never edit it by hand."),
    ] {
        env.run(&["remember", text, "--type", "feedback", "--name", name]).ok();
    }
    let edit = |file: &str| {
        let path = env.project().join(file);
        ("Edit", json!({ "file_path": path, "old_string": "1", "new_string": "2" }))
    };
    let command = |line: &str| ("Bash", json!({ "command": line }));
    for (at, ((tool, input), told, held)) in [
        (command("npm view zod version"), "", false),
        (command("npm install zod"), "pnpm", true),
        (command("rm -rf node_modules/.cache dist"), "", false),
        (command("rm -rf /mnt/scans/1871"), "scans", true),
        (command("git checkout main && git commit -am fix"), "main", true),
        (command("git checkout topic && git commit -am fix"), "main", false),
        (command("git push origin --delete feature/old"), "审计", true),
        (command("git branch --list"), "", false),
        (("mcp__mailer__send", json!({ "to": "soci@coro.example", "body": "Prova" })), "soci", true),
        (edit("http/handlers/label.go"), "table of routes", false),
        (edit("src/gen/tolls/v1/tolls.go"), "protos", true),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = ask(&env, &format!("s{at}"), tool, &input);
        let (text, refused) = given(&answer);
        assert_eq!(refused, held, "{input}: {text}");
        assert!(text.contains(told) && text.is_empty() == told.is_empty(), "{input}: {text}");
    }
    let call = &env.json(&["status", "--hooks"])["hooks"][0];
    assert!(call.to_string().contains("it forbids src/gen"), "{call}");
}
