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

/// The hash is the one that JavaScript programs make of a text: 32 bits, of UTF-16 units, written in base 36.
#[test]
fn p2_a_long_path_is_cut_and_hashed() {
    let env = env();
    let project = env.home().join(format!("{}/{}é", "deep".repeat(30), "x".repeat(90)));
    env.init_repository(&project, "one");
    let path = project.to_str().unwrap();
    let plain: String = path
        .encode_utf16()
        .map(|unit| u8::try_from(unit).ok().filter(u8::is_ascii_alphanumeric).map_or('-', char::from))
        .collect();
    assert!(plain.len() > 200, "{plain}");
    let hash = path.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)));
    let (mut left, mut digits) = (hash.unsigned_abs(), Vec::new());
    while left > 0 {
        digits.insert(0, char::from_digit(left % 36, 36).unwrap());
        left /= 36;
    }
    let wanted = format!("{}-{}", &plain[..200], digits.into_iter().collect::<String>());
    assert_eq!(env.run_in(&project, &["status", "--json"]).ok().json()["project"]["slug"], wanted.as_str());
}
