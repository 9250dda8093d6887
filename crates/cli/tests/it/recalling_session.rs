//! A short prompt is read together with the one before it, which the transcript of the session has (B1).

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::extracting::Transcript;
use super::git_env;
use super::hooking::{hook, prompt};

fn filled() -> TestEnv {
    let env = git_env();
    for (file, name, body) in [
        ("project_rounding", "VAT is rounded on every line", "src/invoice/totals.ts adds up what was rounded before."),
        ("project_visa", "Visas take nine weeks", "Musicians need nine weeks for a visa to Japan or Brazil."),
        ("project_portal", "Portal", "The portal is behind the flag PORTAL_OPEN until September."),
        ("reference_board", "Board", "The board of the team is on the wall beside the kitchen."),
        ("project_garden", "Garden", "The garden is watered by the neighbours until the autumn."),
        ("reference_lift", "Lift", "The lift is inspected by Mr Aalto."),
        ("project_radio", "Radio", "The radio in the hall plays until six."),
        ("reference_keys", "Keys", "The keys of the archive hang in the safe."),
    ] {
        let kind = file.split('_').next().unwrap();
        let text = format!("---\nname: {name}\ndescription: {name}\ntype: {kind}\n---\n\n{body}\n");
        env.write_memory(&format!("{file}.md"), &text);
    }
    env.run(&["refresh"]).ok();
    env
}

fn asked(env: &TestEnv, talk: &Transcript, session: &str, text: &str) -> String {
    let mut said = prompt(env, session, text);
    said["transcript_path"] = talk.path().into();
    hook(env, &["claude-code"], said.to_string().as_bytes())
}

#[test]
fn b1_a_short_prompt_goes_on_from_the_one_before() {
    let env = filled();
    let mut talk = Transcript::new(&env, "s1");
    talk.user("plan the flights of the musicians for the tour to Switzerland");
    talk.assistant("Here is a plan.");
    assert!(asked(&env, &talk, "s1", "now the one to Japan").contains("nine weeks"));
    let talk = Transcript::new(&env, "s2");
    assert!(!asked(&env, &talk, "s2", "now the one to Japan").contains("nine weeks"));
}

/// What was asked before is read from the transcript each time, and kept nowhere.
#[test]
fn b1_what_was_asked_before_is_kept_nowhere() {
    let env = filled();
    let secret = ["ghp", "_x7Kq2mVb9TzR4nWc8YdL1sHf6GjP3aEu5oXi"].concat();
    let mut talk = Transcript::new(&env, "s1");
    talk.user("plan the flights of the zebras");
    talk.tool("Bash", &json!({ "command": format!("gh {secret}") }));
    asked(&env, &talk, "s1", "now the one to Japan");
    let kept = |words: &str| {
        let found = std::process::Command::new("grep").args(["-rl", words]).arg(env.state()).output().unwrap();
        String::from_utf8_lossy(&found.stdout).into_owned()
    };
    assert_eq!((kept("zebras"), kept(&secret)), (String::new(), String::new()));
    let call: Value = env.json(&["status", "--hooks"])["hooks"][0].clone();
    assert!(!call.to_string().contains("Japan"), "{call}");
}
