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
fn the_question_is_on_the_screen_with_what_it_asks_about() {
    let env = with_claude();
    let asked = env.run(&["init"]).fails(1);
    assert!(asked.stdout.contains("+  \"hooks\"") && asked.stdout.lines().count() < 30, "{asked}");
    asked.prints("--dry-run shows each");
    // Whoever looks first sees every line, and what is somebody else's is never left out.
    let looked = env.run(&["init", "--dry-run"]).ok();
    assert!(looked.stdout.lines().count() > 60 && !looked.stdout.contains("--dry-run shows each"), "{looked}");
    env.run(&["init", "--yes"]).ok();
    let out = env.run(&["init", "--remove", "--yes"]).ok();
    assert!(out.stdout.lines().count() < 30, "{out}");
}

#[test]
fn status_and_told_know_which_agents_are_wired() {
    let env = with_claude();
    std::fs::write(env.home().join(".claude/settings.json"), "{}\n").unwrap();
    env.run(&["status"]).ok().prints("agents    none is wired; `memdir init` does it").prints("memories  none yet");
    env.run(&["told"]).ok().says("`memdir init` wires memdir");
    env.run(&["init", "--yes"]).ok();
    env.run(&["status"]).ok().prints("agents    Claude Code\n");
    assert_eq!(
        env.json(&["status"])["agents"],
        json!([{ "name": "claude-code", "title": "Claude Code", "runs": true }])
    );
    for command in [&["told"][..], &["status", "--hooks"]] {
        env.run(command).ok().says("Claude Code is wired: start it and ask it something.");
    }
    env.run(&["remember", "Releases are cut by Mara", "--type", "project"]).ok();
    env.run(&["status"]).ok().prints("memories  1 project\n");
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
    // Every tool that a memory can speak about is announced.
    let matcher = document["hooks"]["PreToolUse"][0]["matcher"].as_str().unwrap();
    let tools: Vec<&str> = matcher.trim_start_matches("^(").trim_end_matches(")$").split('|').collect();
    for tool in ["Bash", "Read", "Edit", "MultiEdit", "Write", "NotebookEdit", "WebFetch", "WebSearch", "mcp__.*"] {
        assert!(tools.contains(&tool), "{tool}: {matcher}");
    }
    // Trying it out is no call of an agent.
    assert_eq!(env.json(&["status", "--hooks"])["hooks"].as_array().unwrap().len(), 0);
}

#[test]
fn what_runs_from_a_cache_leaves_a_copy_that_outlives_it() {
    for cache in [".npm/_npx/5f3c/node_modules/@memdir/linux-x64/bin", ".cache/uv/archive-v0/x1/bin"] {
        let env = with_claude();
        std::fs::write(env.home().join(".claude/settings.json"), "{}\n").unwrap();
        let (dir, copy) = (env.home().join(cache), env.home().join(".local/bin/memdir"));
        std::fs::create_dir_all(&dir).unwrap();
        // By a process of its own: one that another test starts meanwhile would hold the new file open for writing.
        finish(&mut env.program("cp", &[env!("CARGO_BIN_EXE_memdir"), dir.join("memdir").to_str().unwrap()])).ok();
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
    assert!(codex.contains("[mcp_servers.memdir]") && !codex.contains("trust") && !codex.contains("[hooks"), "{codex}");
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

/// What `init`, `status` and `doctor` say about an agent's wiring.
fn said(env: &TestEnv) -> [String; 3] {
    let init = env.json(&["init", "--yes"]);
    let obstacles = |host: &serde_json::Value| host["obstacles"].as_array().unwrap().clone();
    let init: Vec<_> = init["hosts"].as_array().unwrap().iter().flat_map(obstacles).collect();
    let status = env.json(&["status"])["warnings"].clone();
    let doctor = env.run(&["doctor", "--json"]).json()["findings"].as_array().unwrap().clone();
    let doctor: Vec<_> = doctor.into_iter().filter(|finding| finding["check"] == "wiring").collect();
    [json!(init).to_string(), status.to_string(), json!(doctor).to_string()]
}

#[test]
fn b4_what_claude_code_would_leave_out_is_said_by_init_status_and_doctor() {
    for (settings, words, do_this) in [
        ("{\n  // mine\n  \"model\": \"opus\"\n}\n", "without comments or trailing commas", "line 2"),
        ("{\n  \"model\": \"opus\",\n}\n", "without comments or trailing commas", "take it out of line"),
        ("{ \"disableAllHooks\": true }", "switches every hook of Claude Code off", "take `disableAllHooks` out"),
        ("{ \"hooks\": {}, \"a\": 1, \"hooks\": {} }", "`hooks` stands more than once", "make one `hooks`"),
        ("{ \"hooks\": { \"Stop\": [], \"Stop\": [] } }", "`hooks.Stop` stands more than once", "make one"),
        ("{ \"model\": 7 }", "`model` in", "correct `model`"),
        ("{ \"permissions\": { \"allow\": \"Bash\" } }", "`permissions.allow` in", "correct"),
    ] {
        let env = with_claude();
        std::fs::write(env.home().join(".claude/settings.json"), settings).unwrap();
        let run = env.run(&["init", "--yes"]).ok().prints(words).prints(do_this);
        assert!(!run.stderr.contains("answers") && run.stderr.contains("will not run yet"), "{settings}: {run}");
        for text in said(&env) {
            assert!(text.contains(words) && text.contains(do_this), "{settings}: {text}");
        }
        env.run(&["init"]).ok().prints("is wired, and will not run it yet");
        // Put right, there is nothing more to say.
        std::fs::write(env.home().join(".claude/settings.json"), "{}").unwrap();
        let run = env.run(&["init", "--yes"]).ok();
        assert!(run.stderr.contains("wired, tried, answers"), "{settings}: {run}");
        assert_eq!(said(&env), ["[]"; 3], "{settings}");
    }
}

/// One value that it does not take, and Claude Code leaves the whole file out.
#[test]
fn b4_a_value_for_which_claude_code_leaves_its_settings_out_is_said() {
    let env = with_claude();
    std::fs::write(env.home().join(".claude/settings.json"), "{}").unwrap();
    env.run(&["init", "--yes"]).ok();
    let wired: serde_json::Value = serde_json::from_str(&settings(&env)).unwrap();
    for (key, value, words) in [
        ("permissions", json!({ "defaultMode": "yolo" }), "`permissions.defaultMode` in"),
        ("permissions", json!({ "additionalDirectories": [7] }), "`permissions.additionalDirectories.0` in"),
        ("cleanupPeriodDays", json!(0), "is not a whole number, 1 or more"),
        ("statusLine", json!({ "command": "date" }), "`statusLine.type` in"),
        ("statusLine", json!({ "type": "command" }), "`statusLine.command` in"),
        ("enabledPlugins", json!({ "memdir@memdir": "yes" }), "`enabledPlugins.memdir@memdir` in"),
        ("alwaysThinkingEnabled", json!("true"), "`alwaysThinkingEnabled` in"),
        ("autoUpdatesChannel", json!("nightly"), "is not one of `latest`, `stable`, `rc`"),
        ("sandbox", json!({ "enabled": "yes" }), "`sandbox.enabled` in"),
        ("model", json!(null), "`model` in"),
    ] {
        let mut odd = wired.clone();
        odd[key] = value;
        std::fs::write(env.home().join(".claude/settings.json"), odd.to_string()).unwrap();
        let warnings = env.json(&["status"])["warnings"].to_string();
        assert!(warnings.contains(words) && warnings.contains("leaves the whole file out"), "{odd}: {warnings}");
    }
}

/// What Claude Code passes over alone, or takes, is no reason to say that its hooks do not run.
#[test]
fn b4_what_claude_code_takes_or_passes_over_is_not_said() {
    let env = with_claude();
    std::fs::write(
        env.home().join(".claude/settings.json"),
        json!({ "mine": 7, "theme": 3, "effortLevel": "most", "attribution": false, "cleanupPeriodDays": 3650.0,
            "enabledPlugins": { "a@b": true, "c@d": ["x"] }, "env": { "A": 1, "B": null },
            "permissions": { "allow": [1, "bash(ls)", "Bash(x) y"], "defaultMode": "acceptEdits", "mine": 1 },
            "statusLine": { "type": "command", "command": "date" },
            "hooks": { "Mine": [], "Notification": [{ "hooks": [{ "type": "mine" }] }] } })
        .to_string(),
    )
    .unwrap();
    let run = env.run(&["init", "--yes"]).ok();
    assert!(run.stderr.contains("wired, tried, answers"), "{run}");
    assert_eq!(said(&env), ["[]"; 3]);
}

#[test]
fn b4_the_strongest_file_decides_whether_hooks_are_off() {
    let env = env();
    std::fs::create_dir_all(env.home().join(".claude")).unwrap();
    let put = |text: &str, file: &str| std::fs::write(env.project().join(".claude").join(file), text).unwrap();
    std::fs::create_dir_all(env.project().join(".claude")).unwrap();
    put("{ \"disableAllHooks\": true }", "settings.json");
    for text in said(&env) {
        assert!(text.contains("disableAllHooks") && text.contains("settings.json"), "{text}");
    }
    put("{ \"disableAllHooks\": false }", "settings.local.json");
    assert_eq!(said(&env), ["[]"; 3]);
    // A project's file with a comment is left out as a whole, and its switch with it.
    std::fs::remove_file(env.project().join(".claude/settings.local.json")).unwrap();
    put("{ \"disableAllHooks\": true } // off", "settings.json");
    let [init, _, doctor] = said(&env);
    assert_eq!((init.as_str(), doctor.as_str()), ("[]", "[]"));
}

#[test]
fn b4_a_file_that_breaks_after_it_was_wired_is_said() {
    let env = with_claude();
    std::fs::write(env.home().join(".claude/settings.json"), "{}").unwrap();
    env.run(&["init", "--yes"]).ok();
    let wired = settings(&env);
    std::fs::write(env.home().join(".claude/settings.json"), wired.trim_end().trim_end_matches('}')).unwrap();
    for words in
        [env.json(&["status"])["warnings"].to_string(), env.run(&["doctor", "--json"]).json()["findings"].to_string()]
    {
        assert!(words.contains("Claude Code does not run memdir's hooks"), "{words}");
    }
}

#[test]
fn b4_hooks_that_codex_does_not_trust_yet_are_said_until_it_does() {
    let env = env();
    std::fs::create_dir_all(env.home().join(".codex")).unwrap();
    let run = env.run(&["init", "--yes"]).ok().prints("start `codex` once and choose to trust them");
    assert!(run.stderr.contains("Codex: wired, but it will not run yet") && !run.stderr.contains("answers"), "{run}");
    let config = env.home().join(".codex/config.toml");
    let wired = std::fs::read_to_string(&config).unwrap();
    let states = |hash: &dyn Fn(&str, &serde_json::Value) -> String| {
        let hooks: serde_json::Value =
            serde_json::from_slice(&std::fs::read(env.home().join(".codex/hooks.json")).unwrap()).unwrap();
        let mut text = wired.clone();
        for (event, name) in [
            ("SessionStart", "session_start"),
            ("UserPromptSubmit", "user_prompt_submit"),
            ("PreToolUse", "pre_tool_use"),
            ("PostToolUse", "post_tool_use"),
            ("PreCompact", "pre_compact"),
            ("Stop", "stop"),
            ("SubagentStart", "subagent_start"),
        ] {
            let file = env.home().join(".codex/hooks.json");
            let hash = hash(name, &hooks["hooks"][event][0]["hooks"][0]);
            text += &format!("\n[hooks.state.\"{}:{name}:0:0\"]\ntrusted_hash = \"{hash}\"\n", file.display());
        }
        std::fs::write(&config, &text).unwrap();
        text
    };
    // Trusted once, and changed since.
    states(&|_, _| "sha256:00".to_owned());
    for text in said(&env) {
        assert!(text.contains("trust") && text.contains("skips them without a word"), "{text}");
    }
    let trusted = states(&|event, hook| {
        let command = hook["command"].to_string();
        let timeout = &hook["timeout"];
        let identity = format!(
            r#"{{"event_name":"{event}","hooks":[{{"async":false,"command":{command},"timeout":{timeout},"type":"command"}}]}}"#
        );
        let digest = ring::digest::digest(&ring::digest::SHA256, identity.as_bytes());
        format!("sha256:{}", digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    });
    assert_eq!(said(&env), ["[]"; 3]);
    for (more, words) in [
        (trusted.replacen("trusted_hash", "enabled = false\ntrusted_hash", 1), "are switched off in"),
        (format!("{trusted}\n[features]\nhooks = false\n"), "`features.hooks = false`"),
        (format!("{trusted}\n[features]\ncodex_hooks = false\n"), "`features.codex_hooks = false`"),
    ] {
        std::fs::write(&config, more).unwrap();
        for text in said(&env) {
            assert!(text.contains(words), "{text}");
        }
    }
}

/// For one thing that it does not understand, Codex leaves every hook of the file out.
#[test]
fn b4_a_hooks_file_that_codex_does_not_take_is_said() {
    let env = env();
    let path = env.home().join(".codex/hooks.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    env.run(&["init", "--yes"]).ok();
    let wired = std::fs::read_to_string(&path).unwrap();
    let first = |more: &str| wired.replacen('{', &format!("{{ {more},"), 1);
    let event = |more: &str| wired.replacen("\"hooks\": {", &format!("\"hooks\": {{ {more},"), 1);
    let other = |entry: &str| event(&format!("\"PostCompact\": [{{ \"hooks\": [{entry}] }}]"));
    for (text, words) in [
        (first("\"mine\": 1"), "unknown field `mine`"),
        (first("\"description\": 1"), "expected a string"),
        (first("\"hooks\": {}"), "duplicate field `hooks`"),
        (other(r#"{ "type": "command", "command": "x", "timeout": "5" }"#), "expected u64"),
        (other(r#"{ "command": "x" }"#), "missing field `type`"),
        (format!("\u{feff}{wired}"), "a byte order mark"),
        (format!("// mine\n{wired}"), "without comments or trailing commas"),
    ] {
        assert_ne!(text, wired, "{words}");
        std::fs::write(&path, &text).unwrap();
        for said in [
            env.json(&["status"])["warnings"].to_string(),
            env.run(&["doctor", "--json"]).json()["findings"].to_string(),
        ] {
            assert!(said.contains(words) && said.contains("leaves the whole file out"), "{words}: {said}");
        }
    }
    // What it passes over is not said.
    std::fs::write(&path, event("\"Mine\": \"x\"")).unwrap();
    assert!(!env.json(&["status"])["warnings"].to_string().contains("leaves the whole file out"));
}

#[test]
fn tools_come_to_claude_code_when_they_are_asked_for_and_go_again() {
    let env = with_claude();
    let own = "{\n  \"numStartups\": 3\n}\n";
    std::fs::write(env.home().join(".claude.json"), own).unwrap();
    env.run(&["init", "claude-code", "--yes"]).ok();
    let read = || std::fs::read_to_string(env.home().join(".claude.json")).unwrap();
    assert_eq!(read(), own, "nobody asked");
    env.run(&["init", "claude-code", "--mcp", "--yes"]).ok();
    let listed: serde_json::Value = serde_json::from_str(&read()).unwrap();
    assert_eq!(listed["mcpServers"]["memdir"]["args"], json!(["mcp", "--hooked"]), "{listed}");
    assert_eq!(listed["numStartups"], 3);
    let server = std::path::Path::new(listed["mcpServers"]["memdir"]["command"].as_str().unwrap()).to_owned();
    assert!(server.is_file());
    env.run(&["init", "claude-code", "--remove", "--yes"]).ok();
    assert_eq!(read(), own);
    // Where the variable names the directory, be it the usual one, Claude Code keeps its file there.
    let mut env = env;
    let config = env.home().join(".claude");
    env.var("CLAUDE_CONFIG_DIR", config.to_str().unwrap());
    env.run(&["init", "claude-code", "--mcp", "--yes"]).ok();
    assert!(std::fs::read_to_string(config.join(".claude.json")).unwrap().contains("--hooked"));
    assert_eq!(std::fs::read_to_string(env.home().join(".claude.json")).unwrap(), own);
}

#[test]
fn one_line_says_how_memory_is_for_a_status_line() {
    let mut env = with_claude();
    std::fs::write(env.home().join(".claude/settings.json"), "{}").unwrap();
    env.run(&["remember", "The pager rota changes on Tuesday", "--type", "project"]).ok();
    assert_eq!(env.run(&["status", "--line"]).ok().stdout, "memdir: 1 memory\n");
    env.run(&["init", "--yes"]).ok();
    std::fs::write(env.home().join(".claude/settings.json"), settings(&env).replacen('{', "{ // x\n", 1)).unwrap();
    let line = env.run(&["status", "--line"]).ok().stdout;
    assert!(line.starts_with("memdir: 1 memory · ") && line.contains("warning"), "{line}");
    env.var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    assert!(env.run(&["status", "--line"]).ok().stdout.starts_with("memdir: off"));
}

#[test]
fn the_marketplace_of_this_repository_offers_the_plugin_with_its_commands() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let market = std::fs::read_to_string(root.join(".claude-plugin/marketplace.json")).unwrap();
    let market: serde_json::Value = serde_json::from_str(&market).unwrap();
    let source = root.join(market["plugins"][0]["source"].as_str().unwrap());
    let plugin = std::fs::read_to_string(source.join(".claude-plugin/plugin.json")).unwrap();
    let plugin: serde_json::Value = serde_json::from_str(&plugin).unwrap();
    assert_eq!(plugin["name"], market["plugins"][0]["name"]);
    assert_eq!(plugin["version"], env!("CARGO_PKG_VERSION"));
    // What each command tells the agent to run is a command line that memdir takes.
    let env = env();
    let mut commands: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(source.join("commands")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        commands.extend(text.split(['`', '"']).filter(|part| part.starts_with("memdir ")).map(str::to_owned));
    }
    assert!(commands.len() >= 6, "{commands:?}");
    for command in commands {
        let words = command.split_whitespace().skip(1).filter(|word| word.starts_with("--") || !word.contains('$'));
        let mut words: Vec<&str> = words.take_while(|word| *word != "FILE").collect();
        words.push("--help");
        let run = env.run(&words);
        assert_eq!(run.code, Some(0), "{command}: {run}");
    }
}

#[test]
fn b4_switches_of_gemini_and_qwen_that_turn_hooks_off_are_said_by_init_status_and_doctor() {
    for (folder, off, on, words) in [
        (
            ".gemini",
            "{ \"hooksConfig\": { \"enabled\": false } }",
            "{ // back\n \"hooksConfig\": { \"enabled\": true } }",
            "`hooksConfig.enabled` in",
        ),
        (".qwen", "{ \"disableAllHooks\": true }", "{ \"disableAllHooks\": false }", "`disableAllHooks` in"),
    ] {
        let env = env();
        let put = |dir: std::path::PathBuf, text: &str| {
            std::fs::create_dir_all(dir.join(folder)).unwrap();
            std::fs::write(dir.join(folder).join("settings.json"), text).unwrap();
        };
        put(env.home(), off);
        env.run(&["init", "--yes"]).ok().prints(words);
        for text in said(&env) {
            assert!(text.contains(words) && text.contains("every hook"), "{folder}: {text}");
        }
        // The settings of the directory it is started in are stronger.
        put(env.project(), on);
        assert_eq!(said(&env), ["[]"; 3], "{folder}");
        put(env.project(), off);
        let settings = env.project().join(folder).join("settings.json").display().to_string();
        for text in said(&env) {
            assert!(text.contains(&settings), "{folder}: {text}");
        }
    }
}

/// Gemini CLI and Qwen Code pass over comments, and do not start with a comma before a closing bracket.
#[test]
fn b4_settings_with_which_gemini_or_qwen_does_not_start_are_said() {
    for folder in [".gemini", ".qwen"] {
        let env = env();
        let path = env.home().join(folder).join("settings.json");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "{\n  // mine\n  \"model\": { \"name\": \"m\" },\n}\n").unwrap();
        for text in said(&env) {
            assert!(text.contains("does not start with it") && text.contains("closing bracket"), "{folder}: {text}");
        }
        let wired = std::fs::read_to_string(&path).unwrap();
        assert!(wired.contains("// mine"), "{wired}");
        std::fs::write(&path, "{\n  // mine\n  \"model\": { \"name\": \"m\" }\n}\n").unwrap();
        assert_eq!(said(&env), ["[]"; 3], "{folder}");
    }
}

#[test]
fn b4_hooks_that_gemini_was_told_to_skip_are_said() {
    let env = env();
    let path = env.home().join(".gemini/settings.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    env.run(&["init", "--yes"]).ok();
    assert_eq!(said(&env), ["[]"; 3]);
    let mut settings: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let command = settings["hooks"]["BeforeAgent"][0]["hooks"][0]["command"].clone();
    assert!(command.as_str().unwrap().contains("hook gemini"), "{settings}");
    settings["hooksConfig"] = json!({ "disabled": ["lint", command] });
    std::fs::write(&path, settings.to_string()).unwrap();
    for text in said(&env) {
        assert!(text.contains("lists memdir's hooks") && text.contains("/hooks"), "{text}");
    }
}

#[test]
fn b2_b4_a_cut_wire_is_said_once_in_the_agent_whose_it_is() {
    let env = env();
    for folder in [".claude", ".gemini"] {
        std::fs::create_dir_all(env.home().join(folder)).unwrap();
    }
    env.run(&["init", "--yes"]).ok();
    let start = |session: &str| {
        let said = json!({ "hook_event_name": "SessionStart", "source": "startup", "session_id": session,
            "cwd": env.project() });
        let answer = super::hooking::hook(&env, &["claude-code"], said.to_string().as_bytes());
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap_or_default();
        answer["systemMessage"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(start("s1"), "");
    // What is wrong with another agent is not said here.
    std::fs::write(env.home().join(".gemini/settings.json"), "{ oh").unwrap();
    assert_eq!(start("s2"), "");
    let whole = settings(&env);
    let mut cut: serde_json::Value = serde_json::from_str(&whole).unwrap();
    cut["hooks"].as_object_mut().unwrap().remove("Stop").expect("it was wired");
    for session in ["a", "b"] {
        std::fs::write(env.home().join(".claude/settings.json"), cut.to_string()).unwrap();
        let said = start(&format!("{session}1"));
        assert!(said.contains("only in part") && said.contains("`memdir init claude-code`"), "{said}");
        assert!(!said.contains("emini"), "{said}");
        assert_eq!(start(&format!("{session}2")), "", "it was said");
        // Put right and cut again, it is said again.
        std::fs::write(env.home().join(".claude/settings.json"), &whole).unwrap();
        assert_eq!(start(&format!("{session}3")), "");
    }
}
