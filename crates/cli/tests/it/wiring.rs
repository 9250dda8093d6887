//! `init`: memdir in an agent's configuration, and out of it again.

use memdir_testkit::{TestEnv, finish};
use serde_json::json;

use super::env;

const SETTINGS: &str = "{\n  // mine\n  \"model\": \"opus\",\n}\n";

fn with_claude() -> TestEnv {
    let env = env();
    std::fs::create_dir_all(env.home().join(".claude")).unwrap();
    std::fs::write(env.home().join(".claude/settings.json"), SETTINGS).unwrap();
    env
}

fn settings(env: &TestEnv) -> String {
    std::fs::read_to_string(env.home().join(".claude/settings.json")).unwrap()
}

#[test]
fn in_twice_and_out_again() {
    let env = with_claude();
    let plan = env.json(&["init", "--yes"]);
    assert_eq!((&plan["applied"], &plan["hosts"][0]["name"]), (&json!(true), &json!("claude-code")));
    assert_eq!(plan["hosts"].as_array().unwrap().len(), 1, "only what is found: {plan}");
    assert_eq!(plan["hosts"][0]["changes"][0]["action"], "change");
    let wired = settings(&env);
    assert!(wired.contains("// mine") && wired.contains("\"claude-code\""), "{wired}");
    assert_eq!(env.json(&["init", "--yes"])["hosts"][0]["changes"], json!([]));
    assert_eq!(settings(&env), wired);
    env.run(&["init", "--remove", "--yes"]).ok();
    assert_eq!(settings(&env), SETTINGS);
    env.run(&["init", "--remove", "--yes"]).ok();
}

#[test]
fn a_look_changes_nothing_and_without_a_yes_nothing_happens() {
    let env = with_claude();
    env.run(&["init", "--dry-run"]).ok().prints("+  \"hooks\"");
    assert_eq!(settings(&env), SETTINGS);
    let refused = env.run(&["init"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("--yes"), "{refused}");
    assert_eq!(settings(&env), SETTINGS);
    let refused = env.run(&["init", "emacs", "--yes"]);
    assert!(refused.code == Some(1) && refused.stderr.contains("claude-code codex"), "{refused}");
}

#[test]
fn what_is_wired_is_a_hook_that_runs() {
    let env = with_claude();
    env.run(&["init", "--yes"]).ok();
    let document: serde_json::Value = {
        let text = settings(&env).replace("// mine", "").replace("  \"model\": \"opus\",", "");
        let clean = text.replace(",\n}", "\n}").replace(",\n  }", "\n  }");
        serde_json::from_str(&clean).unwrap_or_else(|error| panic!("{error}: {clean}"))
    };
    let call = &document["hooks"]["UserPromptSubmit"][0]["hooks"][0];
    assert_eq!(call["args"], json!(["hook", "claude-code"]));
    assert!(std::path::Path::new(call["command"].as_str().unwrap()).is_file());
    // Trying it out is a call like any other.
    assert_eq!(env.json(&["status", "--hooks"])["hooks"].as_array().unwrap().len(), 1);
}

#[test]
fn what_runs_from_a_cache_leaves_a_copy_that_outlives_it() {
    for cache in [".npm/_npx/5f3c/node_modules/@memdir/linux-x64/bin", ".cache/uv/archive-v0/x1/bin"] {
        let env = with_claude();
        let (dir, copy) = (env.home().join(cache), env.home().join(".local/bin/memdir"));
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::copy(env!("CARGO_BIN_EXE_memdir"), dir.join("memdir")).unwrap();
        // As `uvx` does: the cache is on the path while it runs.
        let path = std::env::join_paths(
            std::iter::once(dir.clone()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
        );
        let call = |args: &[&str]| finish(env.program(dir.join("memdir"), args).env("PATH", path.as_ref().unwrap()));
        call(&["init", "--dry-run"]).ok().prints("a copy of it");
        assert!(!copy.exists(), "a look copies nothing");
        call(&["init", "--yes"]).ok();
        assert!(settings(&env).contains(&format!("\"{}\"", copy.display())), "{}", settings(&env));
        std::fs::remove_dir_all(&dir).unwrap();
        finish(&mut env.program(&copy, &["init", "--dry-run"])).ok().prints("is wired already");
    }
}

#[test]
fn a_memory_of_the_hosts_own_is_named_and_its_trust_is_left_to_the_user() {
    let env = env();
    for dir in [".qwen", ".codex"] {
        std::fs::create_dir_all(env.home().join(dir)).unwrap();
    }
    let run = env.run(&["init", "--yes"]).ok().prints("enableManagedAutoMemory").prints("trust");
    assert!(run.stdout.contains("Codex"), "{run}");
    let qwen = std::fs::read_to_string(env.home().join(".qwen/settings.json")).unwrap();
    assert!(!qwen.contains("AutoMemory"), "{qwen}");
    let codex = std::fs::read_to_string(env.home().join(".codex/config.toml")).unwrap();
    assert!(codex.contains("[mcp_servers.memdir]") && !codex.contains("trust") && !codex.contains("hooks"), "{codex}");
}

#[test]
fn agents_without_hooks_get_tools_and_are_tried() {
    let env = env();
    for dir in [".cursor", ".config/zed", ".config/goose", ".cline", ".aider"] {
        std::fs::create_dir_all(env.home().join(dir)).unwrap();
    }
    let run = env.run(&["init", "--yes"]).ok();
    for title in ["goose", "Cline", "Cursor", "Zed"] {
        assert!(run.stderr.contains(&format!("{title}: wired, tried, answers.")), "{run}");
    }
    assert!(run.stderr.contains("aider: wired."), "{run}");
    // None of them calls a hook, so there will be none to look at.
    assert!(run.stderr.contains("ask what it remembers") && !run.stderr.contains("status --hooks"), "{run}");
    assert!(run.stdout.contains("Toggle Extensions"), "{run}");
    let cursor: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(env.home().join(".cursor/mcp.json")).unwrap()).unwrap();
    assert_eq!(cursor["mcpServers"]["memdir"]["args"], json!(["mcp"]));
    env.run(&["init", "--remove", "--yes"]).ok();
    assert!(!env.home().join(".cursor/mcp.json").exists() && env.home().join(".cursor").is_dir());
}

#[test]
fn a_model_is_used_only_after_a_yes() {
    let mut env = with_claude();
    env.var("ANTHROPIC_API_KEY", "sk-ant-dummy");
    env.run(&["init", "--yes", "--no-model"]).ok();
    assert_eq!(env.json(&["settings", "model.consent"])["settings"][0]["value"], json!(false));
    env.run(&["init", "--remove", "--yes"]).ok();
    let asked = env.run(&["init", "--yes"]).ok();
    assert!(asked.stderr.contains("Agreed") && !asked.stderr.contains("offline/"), "{asked}");
    assert_eq!(env.json(&["settings", "model.consent"])["settings"][0]["value"], json!(true));
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_others_are_wired() {
    let env = with_claude();
    std::fs::write(env.home().join(".claude/settings.json"), "{ oh").unwrap();
    std::fs::create_dir_all(env.home().join(".codex")).unwrap();
    let run = env.run(&["init", "--yes"]);
    assert!(run.code == Some(1) && run.stderr.contains("settings.json"), "{run}");
    assert!(env.home().join(".codex/hooks.json").is_file());
    assert_eq!(settings(&env), "{ oh");
}
