//! Killed at any moment: each file is old or new, and the next command heals the rest.

use std::process::Stdio;
use std::time::{Duration, Instant};

use memdir_testkit::TestEnv;

use super::env;

const KILLS: u32 = 1_000;

#[test]
fn a_thousand_kills_leave_old_or_new() {
    let env = env();
    let body = |version: u32| {
        format!("version {version} begins\n{}version {version} ends\n", format!("line of {version}\n").repeat(40))
    };
    env.run(&["remember", &body(0), "--type", "project", "--name", "Victim"]).ok();
    let whole_run = duration_of(&env, &["edit", "project_victim.md", "--body", &body(0)]);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut completed = 0;
    for round in 1..=KILLS {
        let args: [&str; 4] = match round % 4 {
            0 => ["remember", "Another memory that comes and goes", "--name", "Other"],
            1 => ["forget", "project_other.md", "--quiet", "--yes"],
            _ => ["edit", "project_victim.md", "--body", &body(round)],
        };
        let mut child = env.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Any moment of its life, a little more than the whole of it.
        let moment = whole_run.mul_f64(random.next() * 1.2);
        let started = Instant::now();
        while started.elapsed() < moment {
            std::hint::spin_loop();
        }
        completed += u32::from(child.try_wait().unwrap().is_some());
        let _ = child.kill();
        child.wait().unwrap();
        readable(&env, round);
    }
    assert!(completed < KILLS, "nothing was killed in the middle");
    // The next command heals the rest.
    env.run(&["remember", "The last word", "--type", "project"]).ok();
    let findings = env.run(&["doctor", "--json"]).json()["findings"].clone();
    assert!(findings.as_array().unwrap().iter().all(|finding| finding["fixable"] == false), "{findings}");
    assert!(env.memory_files().iter().all(|file| file.ends_with(".md")), "{:?}", env.memory_files());
    assert!(
        env.json(&["history", "--limit", "100000"])["changes"]
            .as_array()
            .unwrap()
            .iter()
            .all(|change| change["actor"] == "user")
    );
}

/// The victim is one whole version; every other file is whole too.
fn readable(env: &TestEnv, round: u32) {
    let memory = env.home().join(".claude/projects");
    let mut stack = vec![memory];
    while let Some(dir) = stack.pop() {
        for path in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                stack.push(path);
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            if path.file_name().is_some_and(|name| name == "project_victim.md") {
                let version = text
                    .lines()
                    .find_map(|line| line.strip_prefix("version ")?.strip_suffix(" begins"))
                    .unwrap_or_else(|| panic!("round {round}: torn\n{text}"));
                assert!(text.trim_end().ends_with(&format!("version {version} ends")), "round {round}: torn\n{text}");
                assert_eq!(text.matches(&format!("line of {version}\n")).count(), 40, "round {round}: mixed\n{text}");
            } else if path.extension().is_some_and(|extension| extension == "md")
                && path.file_name().is_some_and(|name| name != "MEMORY.md")
            {
                assert!(
                    text.starts_with("---\n") && text.ends_with('\n'),
                    "round {round}: {} is torn\n{text}",
                    path.display()
                );
            }
        }
    }
}

fn duration_of(env: &TestEnv, args: &[&str]) -> Duration {
    let started = Instant::now();
    env.run(args).ok();
    started.elapsed()
}

/// A small generator of its own: the moments should be spread, not unpredictable.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}
