//! Ctrl-C while transcripts are learned from: what was saved stays, and the next run goes on.

use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use memdir_testkit::TestEnv;
use memdir_testkit::model_server::{Fault, ModelServer, Recorded, Turn};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::chatting::{memory_dir, topic, write};
use super::env;
use super::extracting::Transcript;

const TABS: &str = "always indent makefiles with tabs, because make takes nothing else";
const PORTS: &str = "always bind the test server to port 0, because fixed ports collide in CI";

/// Learns the rule about tabs at once, and does not come to an end with the one about ports until `stuck` is off.
fn slow_with_ports(stuck: &'static AtomicBool) -> ModelServer {
    ModelServer::new(move |request: &Recorded| {
        if !request.view.tool_results.is_empty() {
            return Turn::say("Done.");
        }
        let ports = request.body.to_string().contains("fixed ports collide");
        if ports && stuck.load(Ordering::Acquire) {
            return Turn::say("one two three").with(Fault::StallAfter(2));
        }
        let (file, name, rule) =
            if ports { ("feedback_ports.md", "Ports", PORTS) } else { ("feedback_tabs.md", "Tabs", TABS) };
        Turn::say("I save.")
            .and_call("Write", write(memory_dir(request).join(file), &topic("feedback", name, rule, rule)))
    })
}

/// Two conversations, the one about ports the younger.
fn taught(server: &ModelServer) -> TestEnv {
    let mut env = env();
    env.var("ANTHROPIC_API_KEY", "k").var("ANTHROPIC_BASE_URL", &server.url()).var("MEMDIR_MODEL_CONSENT", "1");
    for (age, session, rule) in [(200, "s1", TABS), (100, "s2", PORTS)] {
        let mut talk = Transcript::new(&env, session);
        talk.user(rule);
        talk.assistant("I will.");
        let file = std::fs::File::options().append(true).open(talk.path()).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    }
    env
}

/// Starts learning, and stops it while the model thinks about the second conversation.
fn stopped(env: &TestEnv, server: &ModelServer, args: &[&str], signal: Signal) -> (Option<i32>, String, String) {
    let mut command = env.command(args);
    let learning = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    server.wait_for_stalls(1);
    kill_process(Pid::from_child(&learning), signal).unwrap();
    let done = learning.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (done.status.code(), text(&done.stdout), text(&done.stderr))
}

#[test]
fn x5_ctrl_c_keeps_what_was_learned_and_the_same_command_goes_on() {
    static STUCK: AtomicBool = AtomicBool::new(true);
    let server = slow_with_ports(&STUCK);
    let env = taught(&server);
    let (code, out, said) = stopped(&env, &server, &["extract", "--all"], Signal::INT);
    assert_eq!(code, Some(1), "{out}{said}");
    assert!(out.contains("feedback_tabs.md") && !out.contains("feedback_ports.md"), "{out}");
    assert!(said.contains("stopped at 2 of 2 transcripts; 1 memory that was saved stays"), "{said}");
    assert!(said.contains("The same command goes on where it stopped"), "{said}");
    assert!(env.memory_files().contains(&"feedback_tabs.md".to_owned()));
    STUCK.store(false, Ordering::Release);
    server.release();
    let again = env.json(&["extract", "--all"]);
    let saved: Vec<&Value> = again["saved"].as_array().unwrap().iter().map(|saved| &saved["file"]).collect();
    assert_eq!(saved, [&json!("feedback_ports.md")], "{again}");
    assert_eq!((&again["transcripts"][0]["skipped"], &again["stopped"]), (&json!("nothing-new"), &Value::Null));
}

#[test]
fn x5_a_program_that_is_told_to_end_says_so_in_its_document() {
    static STUCK: AtomicBool = AtomicBool::new(true);
    let server = slow_with_ports(&STUCK);
    let env = taught(&server);
    let (code, out, said) = stopped(&env, &server, &["extract", "--all", "--json"], Signal::TERM);
    let document: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{said}"));
    assert_eq!((code, &document["stopped"]), (Some(1), &json!(true)), "{document}");
    assert_eq!(document["saved"][0]["file"], "feedback_tabs.md");
    assert_eq!(
        (&document["transcripts"][1]["skipped"], &document["transcripts"][1]["cursor"]),
        (&json!("stopped"), &Value::Null)
    );
    server.release();
}
