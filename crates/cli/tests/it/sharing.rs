//! Team memory holds no secret and nothing about a person, whichever way it comes in (T2, T3).

use super::env;

fn secret() -> String {
    ["ghp", "_", "x7Kq2mVb9TzR4nWc8YdL1sHf6GjP3aEu5oXi"].concat()
}

#[test]
fn t3_a_secret_gets_into_team_memory_by_no_command() {
    let env = env();
    env.run(&["remember", "Releases are cut by Mara", "--type", "project", "--name", "Releases", "--scope", "team"])
        .ok();
    let before = env.read_memory("team/project_releases.md");
    let token = secret();
    let told = format!("the token is {token}");
    for args in [
        vec!["remember", &told, "--type", "project", "--scope", "team"],
        vec![
            "remember",
            "Releases are cut by Mara",
            "--type",
            "project",
            "--name",
            "Releases",
            "--scope",
            "team",
            "--why",
            &token,
        ],
        vec!["remember", "A note", "--type", "project", "--name", &token, "--scope", "team"],
        vec!["edit", "team/project_releases.md", "--body", &told],
        vec!["edit", "team/project_releases.md", "--description", &told],
    ] {
        let run = env.run(&args).fails(1).says("secret");
        assert!(!run.stderr.contains(&token) && !run.stdout.contains(&token), "the refusal repeats the secret\n{run}");
    }
    // Nor by moving what somebody wrote by hand.
    env.write_memory("by_hand.md", format!("---\nname: By hand\ndescription: d\ntype: project\n---\n\n{told}\n"));
    env.run(&["move", "by_hand.md", "--scope", "team"]).fails(1).says("secret");
    assert!(env.memory().join("by_hand.md").exists() && !env.memory().join("team/by_hand.md").exists());
    assert_eq!(env.read_memory("team/project_releases.md"), before);
    assert_eq!(env.read_memory("team/MEMORY.md").lines().count(), 1);
}

#[test]
fn t2_a_user_memory_is_not_moved_to_the_team() {
    let env = env();
    let saved = env.json(&["remember", "I am new to Kubernetes", "--type", "user"]);
    env.run(&["move", saved["file"].as_str().unwrap(), "--scope", "team"]).fails(1).says("personal");
    // One that got there by hand is reported.
    env.write_memory("team/user_role.md", "---\nname: Role\ndescription: d\ntype: user\n---\n\nA person.\n");
    env.run(&["doctor"]).fails(1).prints("team-scope");
}
