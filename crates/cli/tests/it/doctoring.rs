//! `doctor` finds what is wrong and `doctor --fix` repairs it, once.

use super::env;

fn checks(env: &memdir_testkit::TestEnv) -> Vec<String> {
    let findings = env.run(&["doctor", "--json"]).json()["findings"].clone();
    findings.as_array().unwrap().iter().map(|finding| finding["check"].as_str().unwrap().to_owned()).collect()
}

fn topic(name: &str) -> String {
    format!("---\nname: {name}\ndescription: what {name} is about\ntype: project\n---\n\n{name} itself.\n")
}

#[test]
fn i6_every_drift_is_found_and_repaired_once_and_no_word_goes() {
    let env = env();
    for file in ["alpha", "beta", "gamma", "sub/delta"] {
        env.write_memory(&format!("{file}.md"), topic(file));
    }
    let long = "x".repeat(230);
    let index = format!(
        "\u{feff}# mine\r\n* [Alpha](alpha.md) — {long} the end\r\n- [Gone](gone.md) — nothing there\r\n\
         - [Delta](delta.md) — moved\r\n- [Beta](beta.md) — b\r\n- [Beta again](beta.md) — more\r\n\
         - [Beta](beta.md) — b\r\nprose of mine"
    );
    env.write_memory("MEMORY.md", &index);
    let found = env.run(&["doctor", "--json"]).json()["findings"].clone();
    let drift: Vec<(&str, &str, u64)> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["check"].as_str().unwrap(), one["level"].as_str().unwrap(), one["count"].as_u64().unwrap()))
        .collect();
    assert_eq!(
        drift,
        [
            ("dangling-pointer", "warning", 2),
            ("doubled-pointer", "warning", 1),
            ("missing-pointer", "warning", 1),
            ("long-line", "info", 1),
        ],
        "{found}"
    );
    assert_eq!(found[0]["files"], serde_json::json!(["delta.md", "gone.md"]));
    assert_eq!((&found[0]["file"], &found[0]["fixable"]), (&"MEMORY.md".into(), &true.into()));
    let before: Vec<_> = env.memory_files().into_iter().map(|file| (env.read_memory(&file), file)).collect();
    env.run(&["doctor", "--fix"]).fails(1).says("--yes");
    let fixed = env.run(&["doctor", "--fix", "--yes"]).ok();
    assert!(fixed.stdout.contains("-- [Gone](gone.md)"), "{fixed}");
    let expected = index
        .replace("[Gone](gone.md)", "Gone (gone.md)")
        .replace("(delta.md)", "(sub/delta.md)")
        .replace("- [Beta](beta.md) — b\r\nprose", "prose")
        .replace("prose of mine", "prose of mine\r\n- [gamma](gamma.md) — what gamma is about");
    assert_eq!(env.read_memory("MEMORY.md"), expected);
    for (text, file) in before.iter().filter(|(_, file)| file != "MEMORY.md") {
        assert_eq!(&env.read_memory(file), text, "{file}");
    }
    // The second time there is nothing left to do.
    env.run(&["doctor", "--fix", "--yes"]).ok().says("Nothing to repair");
    assert_eq!(env.read_memory("MEMORY.md"), expected);
    // And the repair can be taken back.
    env.run(&["undo"]).ok();
    assert_eq!(env.read_memory("MEMORY.md"), index);
}

#[test]
fn h5_how_memory_is_written_is_no_finding_and_the_same_on_many_files_is_one() {
    let env = env();
    let mut index = String::from("# Notes\n\nProse in between.\n\n- a plain note without a link\n");
    for at in 0..30 {
        let text = match at % 5 {
            0 => format!("# Heading {at}\n\nWritten by hand, number {at}.\n"),
            1 => format!("\u{feff}---\nname: slug-name-{at}\ndescription: number {at}\n---\n\nBody of number {at}.\n"),
            2 => format!("---\r\nname: n{at}\r\ntype: banana\r\n---\r\n\r\nCRLF number {at}.\r\n"),
            _ => format!(
                "---\nname: N {at}\ndescription: about {at}\ntype: project\n---\n\nSee src/gone_{at}.rs for {at}.\n"
            ),
        };
        env.write_memory(&format!("m{at}.md"), text);
        index.push_str(&format!("* [M {at}](m{at}.md): {}\n", "long ".repeat(if at % 2 == 0 { 50 } else { 2 })));
    }
    env.write_memory("MEMORY.md", &index);
    std::fs::create_dir_all(env.project().join("src")).unwrap();
    let found = env.run(&["doctor", "--json"]).json()["findings"].clone();
    let said: Vec<&str> = found.as_array().unwrap().iter().map(|one| one["check"].as_str().unwrap()).collect();
    assert_eq!(said, ["long-line", "stale-evidence"], "{found}");
    assert_eq!((&found[0]["count"], &found[1]["count"]), (&15.into(), &12.into()), "{found}");
    assert_eq!(found[1]["files"].as_array().unwrap().len(), 12);
    let run = env.run(&["doctor"]).ok();
    assert!(
        run.stdout.lines().count() <= 6 && run.stdout.contains("(12): ") && run.stdout.contains("and 9 more"),
        "{run}"
    );
    env.run(&["doctor", "--fix", "--yes"]).ok().says("Nothing to repair");
    assert_eq!(env.read_memory("MEMORY.md"), index);
}

#[test]
fn i6_a_file_name_too_long_for_a_line_is_repaired_once() {
    let env = env();
    let name = format!("{}.md", "n".repeat(195));
    env.write_memory(&name, topic("Long name"));
    env.run(&["doctor", "--fix", "--yes"]).ok();
    assert!(env.read_memory("MEMORY.md").contains(&name));
    env.run(&["doctor", "--fix", "--yes"]).ok().says("Nothing to repair");
}

#[test]
fn secrets_in_existing_files_are_reported_and_the_secret_is_not_printed() {
    let env = env();
    let secret = ["ghp", "_", "x7Kq2mVb9TzR4nWc8YdL1sHf6GjP3aEu5oXi"].concat();
    env.write_memory("token.md", format!("{}\n{secret}\n", topic("token")));
    env.write_memory("MEMORY.md", "- [token](token.md) — t\n");
    let run = env.run(&["doctor"]).fails(1);
    assert!(run.stdout.contains("secret") && !run.stdout.contains(&secret), "{run}");
}

#[test]
fn files_that_others_can_write_are_found_and_closed() {
    use std::os::unix::fs::PermissionsExt as _;
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let file = env.memory().join(env.memory_files().iter().find(|file| *file != "MEMORY.md").unwrap());
    let set = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    // As Claude Code writes them under a umask of 022 and of 002.
    for (file_mode, dir_mode) in [(0o644, 0o755), (0o664, 0o775)] {
        set(&file, file_mode);
        set(&env.memory(), dir_mode);
        assert!(checks(&env).is_empty());
    }
    set(&file, 0o666);
    set(&env.memory(), 0o777);
    let found = env.run(&["doctor", "--json"]).json()["findings"].clone();
    assert_eq!((&found[0]["check"], &found[0]["count"]), (&"permissions".into(), &2.into()), "{found}");
    env.run(&["doctor", "--fix", "--yes"]).ok();
    assert!(checks(&env).is_empty());
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o644);
}

#[test]
fn broken_frontmatter_links_and_odd_entries_are_named() {
    let env = env();
    env.write_memory("unclosed.md", "---\nname: Unclosed\ntype: banana\n\nbody\n");
    env.write_memory("bad.md", b"---\nname: \xff\xfe\ndescription: d\ntype: user\n---\nx\n");
    std::fs::create_dir(env.memory().join("dir.md")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", env.memory().join("link.md")).unwrap();
    let found = checks(&env);
    for check in ["unclosed-fence", "invalid-utf8", "odd-entry"] {
        assert!(found.iter().any(|name| name == check), "{check} is missing in {found:?}");
    }
}

#[test]
fn memories_whose_evidence_is_gone_are_named_by_doctor_and_status() {
    let env = env();
    std::fs::create_dir_all(env.project().join("src/auth")).unwrap();
    std::fs::write(env.project().join("src/auth/mod.rs"), "fn check_token() {}\n").unwrap();
    let remember = |name: &str, text: &str, scope: &str| {
        let saved = env.json(&["remember", text, "--type", "project", "--name", name, "--scope", scope]);
        saved["file"].as_str().unwrap().to_owned()
    };
    remember("Tokens", "Tokens are checked in src/auth/mod.rs by `check_token`", "private");
    assert!(checks(&env).is_empty());
    assert_eq!(env.json(&["status"])["stale"]["count"], 0);
    let path = remember("Sessions", "The session table is explained in src/auth/session.rs, ask Mara", "private");
    let symbol = remember("Refresh", "Refreshing goes through `renew_token` in src/auth/mod.rs", "team");
    remember("Elsewhere", "My scratch notes are in src/auth/notes.txt", "user");
    let found = env.run(&["doctor", "--json"]).json()["findings"].clone();
    let said: Vec<&serde_json::Value> =
        found.as_array().unwrap().iter().filter(|finding| finding["check"] == "stale-evidence").collect();
    let mut files = [path.as_str(), symbol.as_str()];
    files.sort_unstable();
    assert_eq!((said.len(), &said[0]["count"], &said[0]["files"]), (1, &2.into(), &files.to_vec().into()), "{found}");
    let stale = env.json(&["status"])["stale"].clone();
    assert_eq!((&stale["count"], &stale["checked"]), (&2.into(), &3.into()), "{stale}");
    let gone = |file: &str| {
        let memories = stale["memories"].as_array().unwrap();
        memories.iter().find(|memory| memory["file"] == file).unwrap_or_else(|| panic!("{stale}"))["gone"][0].clone()
    };
    assert_eq!((gone(&path), gone(&symbol)), ("src/auth/session.rs".into(), "renew_token".into()));
    env.run(&["status"]).ok().prints("2 memories name what is gone: ");
}

#[test]
fn two_that_say_the_same_are_named_not_touched_and_near_ones_are_not() {
    let env = env();
    env.write_memory("one.md", "---\nname: DB tests\ndescription: integration tests use a real database\ntype: feedback\n---\nIntegration tests use a real Postgres database, never mocks.\n");
    env.write_memory("two.md", "---\nname: No mocks\ndescription: integration tests use a real database\ntype: feedback\n---\nIntegration tests use a real Postgres database, never mocks.\n");
    env.write_memory("three.md", "---\nname: Near\ndescription: integration tests use a real database\ntype: feedback\n---\nIntegration tests use a real MySQL database, never mocks.\n");
    let found = env.run(&["doctor", "--json"]).json()["findings"].clone();
    let double: Vec<_> = found.as_array().unwrap().iter().filter(|one| one["check"] == "duplicate").collect();
    assert_eq!((double.len(), &double[0]["count"]), (1, &1.into()), "{found}");
    env.run(&["doctor", "--fix", "--yes"]).ok();
    assert!(env.memory().join("one.md").exists() && env.memory().join("two.md").exists());
}

#[test]
fn a_memory_that_a_newer_one_contradicts_is_named_not_touched() {
    let env = env();
    let old = "---\nname: CI on Jenkins\ndescription: CI runs on Jenkins, job ledger-main\ntype: project\n---\n\nCI runs on Jenkins, job ledger-main.\n";
    let new = "---\nname: CI on GitHub Actions\ndescription: CI moved from Jenkins to GitHub Actions, workflow ledger.yml\ntype: project\n---\n\nSince 2026-04-01 CI no longer runs on Jenkins; it moved to GitHub Actions, workflow ledger.yml.\n";
    env.write_memory("project_ci_jenkins.md", old);
    env.write_memory("project_ci_actions.md", new);
    let file = std::fs::File::options().write(true).open(env.memory().join("project_ci_jenkins.md")).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_740_000_007)).unwrap();
    env.run(&["refresh"]).ok();
    let findings = env.run(&["doctor", "--json"]).json()["findings"].clone();
    let found = findings.as_array().unwrap().iter().find(|one| one["check"] == "contradiction").expect("it is named");
    assert_eq!(found["file"], "project_ci_jenkins.md", "{findings}");
    assert!(found["message"].as_str().unwrap().contains("project_ci_actions.md"), "{findings}");
    assert_eq!(env.read_memory("project_ci_jenkins.md"), old);
}

#[test]
fn a_cut_wire_is_found() {
    let env = env();
    std::fs::create_dir_all(env.home().join(".claude")).unwrap();
    env.run(&["init", "claude-code", "--yes", "--no-model"]).ok();
    assert!(!checks(&env).contains(&"wiring".to_owned()));
    let settings = env.home().join(".claude/settings.json");
    let text = std::fs::read_to_string(&settings).unwrap();
    let mut parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
    parsed["hooks"].as_object_mut().unwrap().remove("UserPromptSubmit").expect("it was wired");
    std::fs::write(&settings, parsed.to_string()).unwrap();
    assert!(checks(&env).contains(&"wiring".to_owned()));
    env.run(&["init", "claude-code", "--yes", "--no-model"]).ok();
    assert!(!checks(&env).contains(&"wiring".to_owned()));
}

#[test]
fn c3_an_overlong_instruction_file_is_reported() {
    let env = env();
    std::fs::write(env.project().join("CLAUDE.md"), "word ".repeat(9_000)).unwrap();
    assert_eq!(checks(&env), ["long-instructions"]);
    env.run(&["doctor"]).fails(1).says("1 finding; it cannot");
}

#[test]
fn all_is_well_in_a_fresh_directory() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    env.run(&["doctor"]).ok().prints("All is well.");
}

/// Type, name and text of what an agent has written down in a few weeks of work.
const ORDINARY: &[(&str, &str, &str)] = &[
    ("feedback", "no mocks in integration tests", "Integration tests talk to a real Postgres, not to mocks."),
    ("feedback", "small commits", "Commits stay under two hundred lines of diff."),
    ("feedback", "no emoji", "No emoji in commit messages or release notes."),
    ("feedback", "ask before adding dependencies", "Ask before a new crate enters the workspace."),
    ("feedback", "tests first for bugs", "A bug fix begins with a test that fails."),
    ("feedback", "answers in short", "Answers stay short; details only when asked for."),
    ("feedback", "pnpm", "Packages of the web client are installed with pnpm."),
    ("feedback", "imports sorted", "Imports in the web client are sorted by the linter, not by hand."),
    ("feedback", "review before merge", "A merge to main waits for one review."),
    (
        "feedback",
        "staging deploys by hand",
        "Deploys to staging are started by hand, those to production by the pipeline.",
    ),
    (
        "project",
        "billing rewrite",
        "The billing rewrite replaces the nightly batch by events, because refunds arrived a day late.",
    ),
    ("project", "release freeze", "The branch for a release is frozen on Thursdays at noon."),
    (
        "project",
        "search latency budget",
        "Search must answer within eighty milliseconds at the ninety-ninth percentile.",
    ),
    ("project", "import latency budget", "The importer may take up to four seconds for one file."),
    ("project", "data retention", "Customer exports are deleted after thirty days for legal reasons."),
    ("project", "log retention", "Access logs are kept for ninety days."),
    ("project", "mobile team owner", "Priya leads the mobile team since spring."),
    ("project", "payments owner", "Tomas owns the payments service."),
    ("project", "on-call rota", "The on-call rota changes on Mondays at ten."),
    ("project", "api v2", "Version two of the API goes public once the partner pilot has ended."),
    ("project", "feature flags", "Feature flags live for one quarter at most."),
    ("project", "currency rounding", "Amounts are rounded half to even, as the auditors asked."),
    ("project", "eu region", "The EU region runs on its own cluster in Frankfurt."),
    ("project", "us region", "The US region shares its cluster with staging."),
    ("reference", "error tracker", "Errors of the web client are in the tracker under the project storefront."),
    ("reference", "dashboards", "Latency dashboards are in the folder checkout of Grafana."),
    ("reference", "runbooks", "Runbooks are in the wiki below operations."),
    ("reference", "design files", "Design files are in the Figma team atlas."),
    ("user", "role", "The user is a backend engineer who is new to React."),
    ("user", "time zone", "The user works from Lisbon and starts at eight."),
];

#[test]
fn h5_thirty_ordinary_files_as_claude_code_writes_them_are_well() {
    use std::os::unix::fs::PermissionsExt as _;
    let env = env();
    let mut index = String::new();
    for (kind, name, text) in ORDINARY {
        let slug = name.replace(' ', "-").to_lowercase();
        let more = match *kind {
            "feedback" | "project" => "\n\n**Why:** it was agreed on.\n**How to apply:** whenever it comes up.",
            _ => "",
        };
        env.write_memory(
            &format!("{kind}_{}.md", slug.replace('-', "_")),
            format!(
                "---\nname: {slug}\ndescription: {text}\nmetadata: \n  node_type: memory\n  type: {kind}\n  \
                 originSessionId: 0d3bfa52-65a9-4d0f-9d2c-0a7f5f0b8a11\n  modified: 2026-04-02T09:12:44.101Z\n---\n\n{text}{more}\n"
            ),
        );
        index.push_str(&format!("- [{name}]({kind}_{}.md) — {text}\n", slug.replace('-', "_")));
    }
    env.write_memory("MEMORY.md", &index);
    for file in env.memory_files() {
        let path = env.memory().join(file);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o664)).unwrap();
    }
    std::fs::set_permissions(env.memory(), std::fs::Permissions::from_mode(0o775)).unwrap();
    assert_eq!(env.run(&["doctor"]).ok().stdout, "All is well.\n");
}
