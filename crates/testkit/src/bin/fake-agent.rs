//! An agent of the command line that answers, misbehaves, hangs or dies, as its orders say.
//!
//! Which agent it plays is the name it was started by: `claude`, `codex`, `gemini`, `qwen`.
//! `FAKE_AGENT_MODE` says what it does, `FAKE_AGENT_SAYS` what it answers; what it was given
//! (arguments, stdin, directory, guard, process numbers) goes to the file `FAKE_AGENT_LOG` as JSON.
//! `FAKE_AGENT_DOES` is what it does with its own tools first: a list of `{tool, input}`. It asks its
//! hook before each, as the real one does, and takes it from where that one does.

#![allow(clippy::disallowed_methods, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)] // a tool for tests

use std::io::{Read as _, Write as _};
#[cfg(unix)]
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};

use serde_json::{Value, json};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let agent = args.first().and_then(|path| path.rsplit('/').next()).unwrap_or_default().to_owned();
    let mode = std::env::var("FAKE_AGENT_MODE").unwrap_or_else(|_| "answer".into());
    if mode == "nap" {
        // What another one leaves behind: holds its pipes open until it is ended.
        loop {
            std::thread::park();
        }
    }
    let mut stdin = String::new();
    if mode != "deaf" {
        std::io::stdin().read_to_string(&mut stdin).expect("stdin is text");
    }
    let child = matches!(mode.as_str(), "hang" | "spend" | "leave-child" | "leave-daemon").then(|| {
        let program = std::env::current_exe().expect("its own path");
        let mut child = Command::new(program);
        if mode == "leave-daemon" {
            #[cfg(unix)]
            child.process_group(0);
        }
        child.env("FAKE_AGENT_MODE", "nap").spawn().expect("a child").id()
    });
    let denied = if mode == "hang" { Vec::new() } else { work(&agent) };
    let log = json!({
        "denied": denied.len(), "errand": std::env::var("MEMDIR_ERRAND").ok(),
        "argv": &args[1..], "stdin": stdin, "cwd": std::env::current_dir().ok(), "pid": std::process::id(), "child": child,
        "inside": std::env::var("MEMDIR_INSIDE").ok(),
    });
    if let Ok(path) = std::env::var("FAKE_AGENT_LOG") {
        std::fs::write(path, log.to_string()).expect("the log can be written");
    }
    // Whoever waits for what it does looks for it in the log first.
    let denied = if mode == "hang" { work(&agent) } else { denied };
    act(&agent, &mode, &denied)
}

fn act(agent: &str, mode: &str, denied: &[Value]) -> ExitCode {
    match mode {
        "answer" if !denied.is_empty() && matches!(agent, "claude" | "qwen") => {
            let last = json!({
                "type": "result", "subtype": "success", "is_error": false, "result": "The answer.", "num_turns": 2,
                "usage": { "input_tokens": 30, "cache_read_input_tokens": 60, "output_tokens": 10 },
                "permission_denials": denied,
            });
            println!("{last}");
        }
        "silent" => {}
        "prose" => println!("I am sure that this is fine.\n{{\"type\": \"res"),
        "json" => say(agent, "{\"names\": []}"),
        "spend" => {
            let spends = std::env::var("FAKE_AGENT_SPENDS").ok().and_then(|n| n.parse().ok()).unwrap_or(1000_u64);
            println!(
                "{}",
                json!({
                    "type": "assistant", "parent_tool_use_id": null,
                    "message": {
                        "id": "msg_1", "content": [{ "type": "tool_use", "id": "t1", "name": "Read", "input": {} }],
                        "usage": { "input_tokens": spends, "cache_read_input_tokens": 150, "output_tokens": 50 },
                    },
                })
            );
            loop {
                std::thread::park();
            }
        }
        "hang" => loop {
            std::thread::park();
        },
        "die" => {
            eprintln!("warning: nothing much\nfatal: it broke");
            return ExitCode::from(3);
        }
        "abort" => std::process::abort(),
        "flood" => {
            let line = json!({ "type": "noise", "noise": "x".repeat(60_000) }).to_string();
            // Until nobody reads any more.
            while writeln!(std::io::stdout(), "{line}").is_ok() {}
        }
        "long-line" => while std::io::stdout().write_all(&[b'x'; 8 * 1024]).is_ok() {},
        "error" => {
            for event in failure(agent) {
                println!("{event}");
            }
            return ExitCode::from(1);
        }
        _ => say(agent, &std::env::var("FAKE_AGENT_SAYS").unwrap_or_else(|_| "The answer.".into())),
    }
    ExitCode::SUCCESS
}

/// Uses the tools it was told to use, where its hook lets it; gives what it was denied.
fn work(agent: &str) -> Vec<Value> {
    let Ok(does) = std::env::var("FAKE_AGENT_DOES") else { return Vec::new() };
    let calls: Vec<Value> = serde_json::from_str(&does).expect("a list of calls");
    let mut denied = Vec::new();
    for call in calls {
        let (tool, input) = (call["tool"].as_str().expect("a tool"), &call["input"]);
        if !is_allowed(agent, tool, input) {
            denied.push(json!({ "tool_name": tool, "tool_input": input }));
            continue;
        }
        if tool == "apply_patch" {
            patch(input["command"].as_str().expect("a patch"));
        }
        if matches!(tool, "Edit" | "edit" | "replace") {
            let path = input["file_path"].as_str().expect("a path");
            change(path, input["old_string"].as_str().expect("text"), input["new_string"].as_str().expect("text"));
        }
        if matches!(tool, "Write" | "write_file") {
            let path = input["file_path"].as_str().expect("a path");
            // Where it may not write, the system says no, as it does to any agent.
            let _ = std::fs::write(path, input["content"].as_str().expect("content"));
        }
        if tool == "Bash" {
            // Codex has no other tool to write with; what is let through runs.
            let command = input["command"].as_str().expect("a command");
            let _ = Command::new("sh").args(["-c", command]).status();
        }
    }
    denied
}

fn change(path: &str, old: &str, new: &str) {
    let text = std::fs::read_to_string(path).expect("the file is there");
    std::fs::write(path, text.replacen(old, new, 1)).expect("the file can be written");
}

/// A patch as Codex applies it, as far as tests write them: one file.
fn patch(text: &str) {
    let mut lines = text.lines().skip(1);
    let (what, path) = lines.next().and_then(|line| line.split_once(" File: ")).expect("a file");
    let begins = |mark: char| {
        let lines = text.lines().filter_map(|line| line.strip_prefix(mark));
        lines.collect::<Vec<_>>().join("\n")
    };
    match what {
        "*** Delete" => std::fs::remove_file(path).expect("the file can be removed"),
        "*** Add" => drop(std::fs::write(path, begins('+') + "\n")),
        _ => change(path, &begins('-'), &begins('+')),
    }
}

/// What its hook says, if it has one.
fn is_allowed(agent: &str, tool: &str, input: &Value) -> bool {
    let Some(mut hook) = hook(agent) else { return true };
    let mut child =
        hook.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().expect("the hook starts");
    let event = if agent == "gemini" { "BeforeTool" } else { "PreToolUse" };
    let asked = json!({ "hook_event_name": event, "tool_name": tool, "tool_input": input });
    child.stdin.take().expect("a pipe").write_all(asked.to_string().as_bytes()).expect("the hook listens");
    let said = child.wait_with_output().expect("the hook ends");
    let answer: Value = serde_json::from_slice(&said.stdout).unwrap_or_default();
    said.status.success()
        && match agent {
            "codex" => answer["hookSpecificOutput"]["permissionDecision"] != "deny",
            "gemini" => answer["decision"] == "allow",
            _ => answer["hookSpecificOutput"]["permissionDecision"] == "allow",
        }
}

/// The hook in its settings: where they are is each agent's own matter.
fn hook(agent: &str) -> Option<Command> {
    let args: Vec<String> = std::env::args().collect();
    let shell = |words: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", words]);
        command
    };
    let settings = |text: &str| serde_json::from_str::<Value>(text).expect("settings are JSON");
    let read = |path: &std::path::Path| std::fs::read_to_string(path).ok();
    match agent {
        "codex" => {
            // One that nobody has reviewed is left out.
            let reviewed = args.iter().any(|arg| arg.starts_with("hooks.state=") && arg.contains("trusted_hash"));
            let hooks = args.iter().find_map(|arg| arg.strip_prefix("hooks.PreToolUse=")).filter(|_| reviewed)?;
            let text = hooks.split_once("command=\"").and_then(|(_, rest)| rest.split_once("\",timeout"))?.0;
            Some(shell(text))
        }
        "gemini" => {
            let text = read(std::path::Path::new(".gemini/settings.json"))
                .filter(|_| std::env::var("GEMINI_CLI_TRUST_WORKSPACE").is_ok_and(|trust| trust == "true"))?;
            settings(&text)["hooks"]["BeforeTool"][0]["hooks"][0]["command"].as_str().map(shell)
        }
        "qwen" => {
            let path = std::env::var("QWEN_CODE_SYSTEM_DEFAULTS_PATH").ok()?;
            let text = read(std::path::Path::new(&path))?;
            settings(&text)["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().map(shell)
        }
        _ => {
            let at = args.iter().position(|arg| arg == "--settings")?;
            let settings = settings(&args[at + 1]);
            let hook = &settings["hooks"]["PreToolUse"][0]["hooks"][0];
            let mut command = Command::new(hook["command"].as_str().expect("a program"));
            command.args(hook["args"].as_array().expect("arguments").iter().map(|word| word.as_str().expect("a word")));
            Some(command)
        }
    }
}

/// Answers in the agent's own format.
fn say(agent: &str, words: &str) {
    for event in answer(agent, words) {
        println!("{event}");
    }
}

fn answer(agent: &str, words: &str) -> Vec<Value> {
    match agent {
        "codex" => vec![
            json!({ "type": "thread.started", "thread_id": "session-1" }),
            json!({ "type": "item.completed", "item": { "id": "i1", "type": "agent_message", "text": words } }),
            json!({ "type": "turn.completed", "usage": { "input_tokens": 90, "cached_input_tokens": 60, "output_tokens": 10 } }),
        ],
        "gemini" => vec![
            json!({ "type": "init", "session_id": "session-1", "model": "m" }),
            json!({ "type": "message", "role": "assistant", "content": words, "delta": true }),
            json!({ "type": "result", "status": "success", "stats": { "input_tokens": 90, "cached": 60, "output_tokens": 10 } }),
        ],
        _ => vec![
            json!({ "type": "system", "subtype": "init", "session_id": "session-1" }),
            json!({ "type": "assistant", "parent_tool_use_id": null, "message": { "content": [{ "type": "text", "text": words }] } }),
            json!({
                "type": "result", "subtype": "success", "is_error": false, "result": words, "session_id": "session-1",
                "usage": { "input_tokens": 30, "cache_read_input_tokens": 60, "output_tokens": 10 },
            }),
        ],
    }
}

fn failure(agent: &str) -> Vec<Value> {
    match agent {
        "codex" => vec![json!({ "type": "turn.failed", "error": { "message": "no credits left" } })],
        "gemini" => {
            vec![json!({ "type": "result", "status": "error", "error": { "type": "E", "message": "no credits left" } })]
        }
        _ => vec![
            json!({ "type": "result", "subtype": "success", "is_error": true, "result": "no credits left", "api_error_status": 402 }),
        ],
    }
}
