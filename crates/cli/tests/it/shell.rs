//! Packaging and manners: completions, man page, help, demo, broken pipes, colours.

use std::process::Stdio;

use super::env;

#[test]
fn completions_and_man_page_cover_every_command() {
    let env = env();
    let man = env.run(&["man"]).ok().stdout;
    for shell in ["bash", "zsh", "fish"] {
        let script = env.run(&["completions", shell]).ok().stdout;
        for command in ["remember", "forget", "undo", "doctor", "context"] {
            assert!(script.contains(command), "{shell} lacks {command}");
            assert!(man.contains(command), "man lacks {command}");
        }
    }
}

#[test]
fn the_demo_runs_and_leaves_nothing_behind() {
    let env = env();
    let run = env.run(&["demo"]).ok();
    for word in ["memdir saved", "remembered", "secret", "waiting for your yes", "says all of it now", "2026-04-16"] {
        assert!(run.stdout.contains(word), "the demo lacks {word}\n{run}");
    }
    run.says("`memdir init`");
    assert!(!env.home().join(".claude").exists());
    let steps = env.json(&["demo"])["steps"].clone();
    assert!(steps.as_array().unwrap().len() > 8);
}

#[test]
fn colours_only_on_a_terminal() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    assert!(!env.run(&["list"]).ok().stdout.contains('\u{1b}'));
    assert!(env.run(&["list", "--color", "always"]).ok().stdout.contains('\u{1b}'));
}

#[test]
fn terminal_tricks_in_a_memory_are_shown_not_obeyed() {
    let env = env();
    env.write_memory("evil.md", "---\nname: evil\ndescription: \"\u{1b}]0;owned\u{7} text\"\ntype: user\n---\n");
    assert!(!env.run(&["list"]).ok().stdout.contains('\u{1b}'));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let env = env();
    for at in 0..300 {
        env.write_memory(&format!("n{at}.md"), format!("---\nname: n{at}\ndescription: {}\n---\n", "x".repeat(300)));
    }
    let mut child = env.command(&["list"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_error_in_json_is_json_too() {
    let env = env();
    let run = env.run(&["show", "nothing", "--json"]).fails(1);
    assert!(run.json()["error"].as_str().unwrap().contains("no memory"));
}

#[test]
fn nothing_typed_means_status_when_piped() {
    env().run::<&str>(&[]).ok().prints("memory ");
}

#[test]
fn edit_runs_the_users_editor_and_keeps_text_that_cannot_be_saved() {
    let mut env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let file = "feedback_use_utc_everywhere.md";
    env.var("EDITOR", "sed -i s/everywhere$/always/");
    env.run(&["edit", file]).ok();
    assert!(env.read_memory(file).contains("Use UTC always"));
    let secret = ["ghp", "_", "x7Kq2mVb9TzR4nWc8YdL1sHf6GjP3aEu5oXi"].concat();
    env.var("EDITOR", &format!("sed -i '$a {secret}'"));
    let run = env.run(&["edit", file]).fails(1).says("secret").says("Your text is in");
    let copy = run.stderr.split("Your text is in ").nth(1).unwrap().trim().to_owned();
    assert!(std::fs::read_to_string(copy).unwrap().contains(&secret));
    assert!(!env.read_memory(file).contains(&secret));
}
