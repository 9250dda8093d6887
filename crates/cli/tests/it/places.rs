//! Where memory lives, as the client that shares it spells it (P1, P2).

use super::{env, git_env};

#[test]
fn p1_the_config_home_can_be_moved() {
    let mut env = git_env();
    assert!(env.memory().starts_with(env.home().join(".claude/projects")));
    let elsewhere = env.home().join("conf");
    env.var("CLAUDE_CONFIG_DIR", elsewhere.to_str().unwrap());
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    env.run(&["remember", "Keep answers short", "--type", "user", "--scope", "user"]).ok();
    assert!(env.memory().starts_with(elsewhere.join("projects")) && env.memory().join("MEMORY.md").is_file());
    assert!(elsewhere.join("memory/MEMORY.md").is_file());
    assert!(!env.home().join(".claude").exists());
}

#[test]
fn p2_the_directory_is_named_after_the_projects_root() {
    let env = env();
    let project = env.home().join("My Repo_é.v2+x 😀");
    env.init_repository(&project, "one");
    let below = project.join("src/deep");
    std::fs::create_dir_all(&below).unwrap();
    let status = env.run_in(&below, &["status", "--json"]).ok().json();
    let slug = status["project"]["slug"].as_str().unwrap();
    let wanted: String = project
        .to_str()
        .unwrap()
        .encode_utf16()
        .map(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
            _ => '-',
        })
        .collect();
    assert_eq!(slug, wanted);
    let dir = env.home().join(".claude/projects").join(slug).join("memory");
    assert_eq!(status["memory"]["dir"].as_str().unwrap(), dir.to_str().unwrap());
    // Transcripts belong to the working directory, memory to the root.
    let transcripts = env.home().join(".claude/projects").join(format!("{slug}-src-deep"));
    std::fs::create_dir_all(&transcripts).unwrap();
    std::fs::write(transcripts.join("one.jsonl"), "the wombat spoke\n").unwrap();
    let hits = env.run_in(&below, &["search", "wombat", "--transcripts", "--json"]).ok().json()["hits"].clone();
    assert_eq!(hits.as_array().unwrap().len(), 1, "{hits}");
    let hits = env.run_in(&project, &["search", "wombat", "--transcripts", "--json"]).ok().json()["hits"].clone();
    assert_eq!(hits.as_array().unwrap().len(), 0, "{hits}");
}
