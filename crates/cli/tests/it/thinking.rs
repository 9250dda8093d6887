//! A model behind the commands: which one, with whose leave, and what it may do to recall.

use std::path::Path;

use memdir_testkit::TestEnv;
use memdir_testkit::model_server::{Ending, Fault, ModelServer, Turn};
use serde_json::{Value, json};

use super::env;

/// Must be nowhere but in the one header.
const KEY: &str = "cli-key-7d20c4e1aa95";

/// A machine with three memories and a model that the user agreed to.
fn stage(server: &ModelServer) -> TestEnv {
    let mut env = env();
    for (file, about) in [
        ("deploy.md", "Deploys go out on Tuesdays after the freeze"),
        ("database.md", "Integration tests use a real database, never mocks"),
        ("style.md", "Error messages end without a full stop"),
        ("one.md", "Unrelated thing number one"),
        ("two.md", "Unrelated thing number two"),
        ("three.md", "Unrelated thing number three"),
    ] {
        let name = file.trim_end_matches(".md");
        env.write_memory(file, format!("---\nname: {name}\ndescription: {about}\ntype: feedback\n---\n{about}.\n"));
    }
    env.var("ANTHROPIC_API_KEY", KEY).var("ANTHROPIC_BASE_URL", &server.url()).var("MEMDIR_MODEL_CONSENT", "1");
    env
}

const PROMPT: &str = "do the integration tests need a database?";

fn recall(env: &TestEnv, selector: &str) -> Value {
    env.json(&["recall", PROMPT, "--selector", selector])
}

fn files(recalled: &Value) -> Vec<&str> {
    recalled["selected"].as_array().unwrap().iter().map(|one| one["file"].as_str().unwrap()).collect()
}

#[test]
fn r3_what_a_model_may_do_to_recall() {
    let local = {
        let env = stage(&ModelServer::queue([]));
        files(&recall(&env, "local")).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(local.contains(&"database.md".to_owned()), "{local:?}");
    let six = json!({ "selected_memories": ["one.md", "two.md", "three.md", "style.md", "deploy.md", "database.md"] });
    let stands = local.iter().map(String::as_str).collect::<Vec<_>>();
    for (what, turns, auto, model_only) in [
        (
            "a choice",
            vec![Turn::json(&json!({ "selected_memories": ["style.md"] }))],
            vec!["style.md"],
            vec!["style.md"],
        ),
        ("none", vec![Turn::json(&json!({ "selected_memories": [] }))], vec![], vec![]),
        (
            "unknown names",
            vec![Turn::json(&json!({ "selected_memories": ["../../etc/passwd", "nope.md", "two.md", "two.md"] }))],
            vec!["two.md"],
            vec!["two.md"],
        ),
        (
            "six names",
            vec![Turn::json(&six)],
            vec!["one.md", "two.md", "three.md", "style.md", "deploy.md"],
            vec!["one.md", "two.md", "three.md", "style.md", "deploy.md"],
        ),
        ("prose", vec![Turn::say("I would pick style.md"), Turn::say("Really, style.md")], stands.clone(), vec![]),
        (
            "prose, then JSON",
            vec![Turn::say("style.md"), Turn::say("{\"selected_memories\":[\"style.md\"]}")],
            vec!["style.md"],
            vec!["style.md"],
        ),
        ("another shape", vec![Turn::say("{\"selected\":[]}"), Turn::say("[]")], stands.clone(), vec![]),
        ("nothing at all", vec![Turn::default(), Turn::default()], stands.clone(), vec![]),
        ("a refusal", vec![Turn::say("No.").ending(Ending::Refusal)], stands.clone(), vec![]),
        (
            "a cut answer",
            vec![Turn::say("{\"selected_memories\":[\"st").ending(Ending::Length)],
            stands.clone(),
            vec![],
        ),
        ("an error", vec![Turn::status(401, "no such key")], stands.clone(), vec![]),
        ("rubbish", vec![Turn::say("x").with(Fault::CorruptAfter(1))], stands.clone(), vec![]),
        ("a dead server", vec![Turn::die()], stands.clone(), vec![]),
    ] {
        for (selector, want) in [("auto", auto), ("model", model_only)] {
            let server = ModelServer::queue(turns.clone());
            let env = stage(&server);
            let recalled = recall(&env, selector);
            assert_eq!(files(&recalled), want, "{what}, {selector}");
            let asked = &server.requests()[0];
            assert_eq!(asked.body["max_tokens"], 256, "{what}");
            assert!(asked.view.schema.is_some() && asked.view.last_user.contains("- [feedback] style.md ("), "{what}");
            let chose = recalled["selector"].as_str().unwrap();
            assert_eq!(chose == "model", recalled["reason"].is_null(), "{what}: {recalled}");
        }
    }
}

#[test]
fn r3_r9_a_model_that_never_answers_is_not_waited_for() {
    let server = ModelServer::new(|_| Turn::silence());
    let env = stage(&server);
    assert!(files(&recall(&env, "auto")).contains(&"database.md"));
    server.wait_for_hang_ups(1);
}

#[test]
fn r4_what_was_shown_already_is_not_on_offer() {
    let server = ModelServer::new(|_| Turn::json(&json!({ "selected_memories": ["style.md"] })));
    let env = stage(&server);
    let args = ["recall", PROMPT, "--selector", "model", "--session", "s", "--surfaced", "two.md"];
    assert_eq!(files(&env.json(&args)), ["style.md"]);
    assert_eq!(files(&env.json(&args)), Vec::<&str>::new());
    let offered = server.last().view.last_user;
    assert!(!offered.contains("style.md") && !offered.contains("two.md") && offered.contains("one.md"), "{offered}");
}

#[test]
fn nothing_is_asked_without_a_yes() {
    let server = ModelServer::new(|_| Turn::json(&json!({ "selected_memories": [] })));
    for (name, value, reason) in [
        ("MEMDIR_MODEL_CONSENT", "0", "no-consent"),
        ("MEMDIR_OFFLINE", "1", "offline"),
        ("MEMDIR_MODEL_DRIVER", "offline", "offline"),
        ("MEMDIR_INSIDE", "1", "inside-an-agent"),
        ("MEMDIR_MODEL_TOKENS_PER_DAY", "0", "budget-spent"),
    ] {
        let mut env = stage(&server);
        env.var(name, value);
        let status = env.json(&["status"]);
        assert_eq!(
            (&status["model"]["driver"], &status["model"]["reason"]),
            (&json!("offline"), &json!(reason)),
            "{name}"
        );
        assert!(files(&recall(&env, "auto")).contains(&"database.md"), "{name}");
        let refused = recall(&env, "model");
        assert_eq!((files(&refused), &refused["reason"]), (vec![], &json!("no model is configured")), "{name}");
    }
    let env = stage(&server);
    assert_eq!(files(&env.json(&["recall", PROMPT, "--offline"])), files(&recall(&env, "local")));
    assert!(server.requests().is_empty(), "somebody was asked without a yes");
}

#[test]
fn a_committed_file_has_no_say_in_where_conversations_go() {
    let server = ModelServer::new(|_| Turn::json(&json!({ "selected_memories": [] })));
    let mut env = stage(&ModelServer::queue([]));
    env.var("MEMDIR_MODEL_CONSENT", "").var("ANTHROPIC_BASE_URL", "");
    let hostile =
        format!("[model]\nconsent = true\nbase_url = \"{}\"\nname = \"m\"\ndriver = \"openai\"\n", server.url());
    std::fs::write(env.project().join(".memdir.toml"), hostile).unwrap();
    let status = env.json(&["status"]);
    assert_eq!((&status["model"]["driver"], &status["model"]["reason"]), (&json!("offline"), &json!("no-consent")));
    recall(&env, "model");
    assert!(server.requests().is_empty());
}

#[test]
fn status_says_what_thinks_and_what_it_used() {
    let server = ModelServer::new(|_| Turn::json(&json!({ "selected_memories": [] })));
    let mut env = stage(&server);
    env.var("MEMDIR_MODEL_NAME", "m-1").var("MEMDIR_MODEL_TOKENS_PER_DAY", "1200");
    let before = env.json(&["status"])["model"].clone();
    assert_eq!(
        (&before["driver"], &before["model"], &before["reason"]),
        (&json!("anthropic"), &json!("m-1"), &json!("ready"))
    );
    assert_eq!((&before["spent_today"], &before["limit"]), (&json!(0), &json!(1200)));
    assert_eq!(env.json(&["status"])["gates"]["recall"], json!({ "run": true, "reason": "model" }));
    let mut asked = 0;
    while env.json(&["status"])["model"]["reason"] == "ready" {
        assert_eq!(recall(&env, "auto")["selector"], "model");
        asked += 1;
        assert!(asked < 20, "the budget does not end");
    }
    let after = env.json(&["status"])["model"].clone();
    assert_eq!((&after["reason"], &after["calls_today"]), (&json!("budget-spent"), &json!(asked)));
    assert!(after["spent_today"].as_u64().unwrap() >= 1200, "{after}");
    assert_eq!(recall(&env, "auto")["selector"], "local");
    assert_eq!(env.json(&["status"])["gates"]["recall"], json!({ "run": true, "reason": "local" }));
    env.var("MEMDIR_RECALL_SELECTOR", "model");
    assert_eq!(env.json(&["status"])["gates"]["recall"], json!({ "run": false, "reason": "no-model:budget-spent" }));
    assert_eq!(server.requests().len(), asked);
    env.run(&["status"]).ok().prints("model     offline  ").prints(" of 1200 tokens today").prints("          today");
    env.at("2026-04-15T10:00:00Z");
    assert_eq!(env.json(&["status"])["model"]["reason"], "ready");
}

#[test]
fn a_setting_in_the_users_file_is_enough() {
    let server = ModelServer::new(|_| Turn::json(&json!({ "selected_memories": ["style.md"] })));
    let mut env = stage(&ModelServer::queue([]));
    env.var("MEMDIR_MODEL_CONSENT", "").var("ANTHROPIC_BASE_URL", "").var("ANTHROPIC_API_KEY", "");
    for (key, value) in [
        ("model.base_url", format!("{}/v1", server.url())),
        ("model.name", "qwen3:8b".into()),
        ("model.consent", "yes".into()),
        ("recall.selector", "model".into()),
    ] {
        env.run(&["settings", key, &value]).ok();
    }
    let status = env.json(&["status"])["model"].clone();
    assert_eq!((&status["driver"], &status["model"]), (&json!("openai"), &json!("qwen3:8b")));
    assert_eq!(files(&env.json(&["recall", PROMPT])), ["style.md"]);
    assert_eq!(server.last().path, "/v1/chat/completions");
    env.run(&["settings", "model.base_url", "https://me:secret@example.org"]).fails(1).says("without a password");
}

/// Copilot CLI takes keys out of the environment of what it starts, so the worker finds none.
#[test]
fn a_key_that_an_agent_hides_is_missed_by_name_and_found_in_a_file() {
    let server = ModelServer::new(|_| Turn::say("Nothing to save."));
    let mut env = env();
    env.var("MEMDIR_MODEL_CONSENT", "1");
    env.write_memory("style.md", "---\nname: style\ndescription: no full stops\ntype: feedback\n---\nNo full stops.\n");
    let mut talk = super::extracting::Transcript::new(&env, "s1");
    talk.user("which port does the server use?");
    talk.assistant("8080.");
    let learned = env.json(&["extract", talk.path()]);
    assert_eq!((&learned["engine"], &learned["reason"]), (&json!("offline"), &json!("nothing-configured")));
    assert!(!env.run(&["status"]).ok().stdout.contains("hide keys"), "nobody has a key");
    env.var("ANTHROPIC_API_KEY", KEY).var("ANTHROPIC_BASE_URL", &server.url());
    env.run(&["status"]).ok().prints("without the model (nothing-configured)").prints("model.key_file");
    env.var("ANTHROPIC_API_KEY", "");
    std::fs::write(env.home().join("key"), format!("{KEY}\n")).unwrap();
    env.run(&["settings", "model.key_file", "key"]).fails(1).says("~/");
    env.run(&["settings", "model.key_file", "~/key"]).ok();
    talk.user("always use tabs in makefiles here");
    talk.assistant("I will.");
    assert_eq!(env.json(&["extract", talk.path()])["engine"], "model");
    assert!(server.last().has_key);
    assert!(!env.run(&["status"]).ok().stdout.contains("hide keys"));
}

#[test]
fn the_users_own_agent_has_its_say_when_it_is_asked_for() {
    let mut env = stage(&ModelServer::queue([]));
    let bin = env.home().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::os::unix::fs::symlink(memdir_testkit::binary("fake-agent"), bin.join("claude")).unwrap();
    let log = env.home().join("agent.json");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    env.var("PATH", &path)
        .var("MEMDIR_MODEL_DRIVER", "command")
        .var("FAKE_AGENT_SAYS", "{\"selected_memories\": [\"style.md\"]}")
        .var("FAKE_AGENT_LOG", &log.display().to_string());
    assert_eq!(env.json(&["status"])["model"]["model"], "claude");
    assert_eq!(recall(&env, "auto")["selector"], "local", "an agent takes too long to be asked every time");
    assert!(!log.exists());
    assert_eq!(files(&recall(&env, "model")), ["style.md"]);
    let log: Value = serde_json::from_slice(&std::fs::read(&log).unwrap()).unwrap();
    assert!(log["stdin"].as_str().unwrap().contains(PROMPT));
    assert!(!log["argv"].to_string().contains("database"), "{}", log["argv"]);
    assert_eq!(log["inside"], "1");
    assert!(env.json(&["status"])["model"]["spent_today"].as_u64().unwrap() > 0);
}

#[test]
fn the_key_is_in_no_output_and_no_file() {
    let server = ModelServer::new(|_| Turn::status(400, &format!("the key {KEY} may not do this")));
    let env = stage(&server);
    for args in [
        &["status"][..],
        &["settings"],
        &["recall", PROMPT, "--selector", "model", "--explain"],
        &["history"],
        &["doctor"],
    ] {
        for json in [false, true] {
            let mut args = args.to_vec();
            args.extend(json.then_some("--json"));
            let run = env.run(&args);
            assert!(!run.stdout.contains(KEY) && !run.stderr.contains(KEY), "{run}");
        }
    }
    assert!(server.requests().iter().any(|request| request.has_key));
    assert_eq!(holding(&env.home(), KEY), Vec::<String>::new());
}

/// Files that hold a text.
fn holding(dir: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(holding(&path, text));
        } else if std::fs::read(&path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text)) {
            found.push(path.display().to_string());
        }
    }
    found
}
