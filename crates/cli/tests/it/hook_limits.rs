//! How much recall brings: of one memory, of one prompt, of one session (R7, R8).

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::git_env;
use super::hooking::{hook, prompt};

fn told(env: &TestEnv, session: &str, text: &str) -> String {
    let answer = hook(env, &["claude-code"], prompt(env, session, text).to_string().as_bytes());
    if answer.is_empty() {
        return answer;
    }
    let answer: Value = serde_json::from_str(&answer).unwrap();
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
}

/// What a reminder says of each memory: its file, and the text below its header.
fn parts(reminder: &str) -> Vec<(String, String)> {
    let parts = reminder.split("\nMemory").skip(1);
    let named = parts.filter_map(|part| part.split_once(":\n"));
    named.map(|(path, text)| (path.rsplit('/').next().unwrap().to_owned(), text.to_owned())).collect()
}

#[test]
fn r7_a_memory_is_cut_by_lines_and_by_bytes() {
    let env = git_env();
    let body = |line: &str, lines: usize| -> String { format!("{line}\n").repeat(lines) };
    for (file, name, text) in [
        (
            "reference_ledger_flag.md",
            "Ledger freeze flag",
            format!("The ledger service is frozen behind kestrel.\n{}", body("L.", 900)),
        ),
        (
            "reference_ledger_rota.md",
            "Ledger freeze rota",
            format!(
                "The ledger service is frozen by Ben.\n{}",
                body("Dinner is served at eight, on the terrace in summer.", 190)
            ),
        ),
    ] {
        let about = format!("{name}: behind which flag and by whom the ledger service is frozen");
        env.write_memory(file, format!("---\nname: {name}\ndescription: '{about}'\ntype: reference\n---\n\n{text}"));
    }
    env.run(&["refresh"]).ok();
    let parts = parts(&told(&env, "s1", "behind which flag, and by whom, is the ledger service frozen?"));
    assert_eq!(parts.len(), 2, "{parts:?}");
    for (file, text) in &parts {
        let (shown, note) = text.split_once("\n\n(").expect("it says that there is more");
        assert!(note.contains(&format!("{file} for the rest")), "{note}");
        assert!(shown.trim().len() <= 4_096 && shown.trim().lines().count() <= 200, "{file}: {}", shown.len());
    }
    let of = |file: &str| parts.iter().find(|part| part.0 == file).unwrap().1.as_str();
    assert!(of("reference_ledger_flag.md").matches("\nL.").count() > 100, "cut by lines");
    assert!(of("reference_ledger_rota.md").len() > 3_500, "cut by bytes");
}

#[test]
fn r8_a_session_is_shown_so_much_and_no_more_until_it_forgets() {
    let env = git_env();
    let steps = |pump: usize| -> String {
        let step = |at| {
            format!(
                "Step {at}: pump P-{pump:03} is drained, and valve {} is turned {} times.\n",
                at * 7 % 113,
                at * 5 % 31
            )
        };
        (0..80).map(step).collect()
    };
    for pump in 0..110 {
        let text = format!(
            "---\nname: Pump P-{pump:03}\ndescription: how pump P-{pump:03} of the harbour is inspected\ntype: project\n---\n\n{}",
            steps(pump)
        );
        env.write_memory(&format!("project_pump_{pump:03}.md"), text);
    }
    env.run(&["refresh"]).ok();
    let ask = |pump: usize| format!("how is pump P-{pump:03} of the harbour inspected?");
    let mut all = 0;
    for pump in 0..105 {
        let text = told(&env, "s1", &ask(pump));
        assert!(text.len() <= 10_000, "{}", text.len());
        all += text.len();
    }
    assert!(all <= 60_000 && all > 50_000, "{all}");
    // What nobody has seen does not come either, and the reason is the right one.
    assert_eq!(told(&env, "s1", &ask(109)), "");
    let call = env.json(&["status", "--hooks"])["hooks"][0].clone();
    assert_eq!(call["reason"], "the session has been shown as much as it may be", "{call}");
    assert!(told(&env, "s2", &ask(109)).contains("project_pump_109.md"), "another session has its own");
    let start =
        json!({ "session_id": "s1", "cwd": env.project(), "hook_event_name": "SessionStart", "source": "compact" });
    hook(&env, &["claude-code"], start.to_string().as_bytes());
    assert!(told(&env, "s1", &ask(109)).contains("project_pump_109.md"), "it has forgotten what it was shown");
}
