//! `remember`: file and pointer together, nothing doubled, nothing secret.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use super::{env, git_env};

#[test]
fn i4_q2_file_and_pointer_are_saved_together() {
    let env = env();
    let done = env.json(&[
        "remember",
        "Integration tests use a real database",
        "--type",
        "feedback",
        "--name",
        "No database mocks",
        "--why",
        "mocks hid a broken migration",
        "--apply",
        "tests that touch SQL",
    ]);
    assert_eq!(done["action"], "created");
    assert_eq!(done["file"], "feedback_no_database_mocks.md");
    assert!(done["change"].is_string());
    let text = env.read_memory("feedback_no_database_mocks.md");
    // F1, F3
    assert!(text.starts_with("---\nname: No database mocks\ndescription: "), "{text}");
    assert!(text.contains("\ntype: feedback\n"), "{text}");
    assert!(
        text.contains("\n**Why:** mocks hid a broken migration\n**How to apply:** tests that touch SQL\n"),
        "{text}"
    );
    // I1
    assert_eq!(
        env.read_memory("MEMORY.md"),
        "- [No database mocks](feedback_no_database_mocks.md) — Integration tests use a real database\n"
    );
}

#[test]
fn f6_new_files_are_private() {
    let env = env();
    env.run(&["remember", "I review on a small screen", "--type", "user"]).ok();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let memory = env.memory();
    assert_eq!(mode(&memory), 0o700);
    for file in env.memory_files() {
        assert_eq!(mode(&memory.join(&file)), 0o600, "{file}");
    }
    assert_eq!(mode(&env.state()), 0o700);
}

#[test]
fn f6_permissions_of_existing_files_are_kept() {
    let env = env();
    env.run(&["remember", "Deploys go out on Tuesdays", "--name", "Deploys"]).ok();
    let file = env.memory().join(env.memory_files().into_iter().find(|file| file != "MEMORY.md").unwrap());
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    env.run(&["pin", file.to_str().unwrap()]).ok();
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn the_same_thing_again_updates_and_doubles_nothing() {
    let env = env();
    let first = env.json(&["remember", "Use pnpm, not npm, in this repository", "--type", "feedback"]);
    let again = env.json(&["remember", "Use pnpm, not npm, in this repository", "--type", "feedback"]);
    assert_eq!(again["action"], "unchanged");
    let more = env.json(&[
        "remember",
        "Use pnpm, not npm, in this repository",
        "--type",
        "feedback",
        "--why",
        "the lockfile is pnpm's",
    ]);
    assert_eq!(more["action"], "updated");
    assert_eq!(more["file"], first["file"]);
    assert_eq!(env.read_memory("MEMORY.md").lines().count(), 1);
    assert!(env.read_memory(first["file"].as_str().unwrap()).contains("**Why:** the lockfile is pnpm's"));
}

#[test]
fn a_different_thing_is_a_new_memory() {
    let env = env();
    env.run(&["remember", "Use tabs for indentation in Go files", "--type", "feedback"]).ok();
    env.run(&["remember", "Never commit generated protobuf code", "--type", "feedback"]).ok();
    assert_eq!(env.read_memory("MEMORY.md").lines().count(), 2);
}

#[test]
fn f4_a_relative_date_gets_its_day_beside_it_whatever_the_type() {
    for kind in ["project", "feedback", "user", "reference"] {
        let env = env();
        let done = env.json(&["remember", "The merge freeze of the board starts on Thursday", "--type", kind]);
        let text = env.read_memory(done["file"].as_str().unwrap());
        assert!(text.contains("starts on Thursday (2026-04-16)"), "{kind}: {text}");
        assert!(done["warnings"].to_string().contains("2026-04-16"), "{done}");
    }
}

#[test]
fn f4_a_habit_gets_no_date() {
    let env = env();
    for habit in ["No deploys on Friday", "Standup is Monday at 9:30", "每周五发版", "Freitags wird nicht deployt"]
    {
        let done = env.json(&["remember", habit, "--type", "project"]);
        let text = env.read_memory(done["file"].as_str().unwrap());
        assert!(text.contains(habit) && !text.contains("2026-"), "{text}");
    }
}

#[test]
fn secrets_are_refused_and_leave_no_trace() {
    let env = env();
    env.run(&["remember", "Deploys need a token from the vault", "--type", "reference"]).ok();
    let secret = ["ghp", "_", "x7Kq2mVb9TzR4nWc8YdL1sHf6GjP3aEu5oXi"].concat();
    let before = env.memory_files();
    let run = env.run(&["remember", &format!("the token is {secret}"), "--json"]).fails(1).says("secret");
    assert_eq!(run.json()["action"], "refused");
    for scope in ["private", "team", "user"] {
        env.run(&["remember", "A note", "--type", "project", "--why", &secret, "--scope", scope]).fails(1);
    }
    assert_eq!(env.memory_files(), before);
    let found = env.program("grep", &["-rl", &secret, env.home().to_str().unwrap()]).output().unwrap();
    assert!(found.stdout.is_empty(), "{}", String::from_utf8_lossy(&found.stdout));
}

#[test]
fn f7_what_the_code_says_is_saved_with_a_warning() {
    let env = env();
    let done = env.json(&["remember", "The auth module is in src/auth/mod.rs", "--type", "project"]);
    assert_eq!(done["action"], "created");
    assert!(!done["warnings"].as_array().unwrap().is_empty());
}

#[test]
fn t2_a_user_memory_never_goes_to_the_team() {
    let env = env();
    env.run(&["remember", "I am new to Kubernetes", "--type", "user", "--scope", "team"]).fails(1).says("personal");
    assert!(!env.memory().join("team").exists());
}

#[test]
fn t1_team_memory_has_its_own_folder_and_index() {
    let env = env();
    let done = env.json(&["remember", "Releases are cut by Mara", "--type", "project", "--scope", "team"]);
    assert_eq!(done["scope"], "team");
    assert!(done["file"].as_str().unwrap().starts_with("team/"));
    assert_eq!(env.read_memory("team/MEMORY.md").lines().count(), 1);
    assert!(!env.memory().join("MEMORY.md").exists());
}

#[test]
fn t2_in_team_mode_project_facts_lean_to_the_team() {
    let mut env = env();
    env.var("MEMDIR_MODE", "team");
    assert_eq!(env.json(&["remember", "The launch is on 2026-06-01", "--type", "project"])["scope"], "team");
    assert_eq!(env.json(&["remember", "Keep answers short", "--type", "feedback"])["scope"], "private");
    assert_eq!(env.json(&["remember", "I am a data scientist", "--type", "user"])["scope"], "private");
}

#[test]
fn p9_user_scope_is_seen_in_every_project() {
    let env = git_env();
    env.run(&["remember", "I prefer short answers", "--type", "user", "--scope", "user"]).ok();
    let other = env.home().join("elsewhere");
    std::fs::create_dir_all(&other).unwrap();
    let listed = env.run_in(&other, &["list", "--json"]).ok().json();
    assert_eq!(listed["memories"][0]["scope"], "user");
    assert!(env.home().join(".claude/memory/MEMORY.md").is_file());
    env.run_in(&other, &["context", "--part", "index"]).ok().prints("I prefer short answers");
}

#[test]
fn i5_without_an_index_only_the_file_is_written() {
    let mut env = env();
    env.var("MEMDIR_GATES", "tengu_moth_copse=true");
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    assert_eq!(env.memory_files().len(), 1);
    assert!(!env.memory().join("MEMORY.md").exists());
    // Nobody misses the pointer, and recall finds the file without it.
    env.run(&["doctor"]).ok().prints("All is well");
    let manual = env.run(&["context", "--part", "manual"]).ok().stdout;
    assert!(!manual.contains("add a pointer"), "{manual}");
    let recalled = env.json(&["recall", "in which time zone are logs, is UTC used everywhere?"]);
    assert_eq!(recalled["selected"][0]["file"], "feedback_use_utc_everywhere.md", "{recalled}");
}

#[test]
fn i4_the_users_own_lines_stay_as_they_are() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let mine = "# My notes\r\n\r\nhand-written, no bullet\r\n- [Gone](gone.md) – old\r\n";
    env.write_memory("MEMORY.md", mine);
    env.run(&["remember", "Dates are ISO 8601", "--type", "feedback"]).ok();
    let index = env.read_memory("MEMORY.md");
    assert!(index.starts_with(mine), "{index:?}");
    assert_eq!(index.lines().count(), 5);
}

#[test]
fn e5_when_memory_is_off_nothing_is_saved() {
    let mut env = env();
    env.var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    env.run(&["remember", "anything at all"]).fails(1).says("off");
    assert!(!env.memory().exists());
}

#[test]
fn the_text_can_come_from_stdin() {
    let env = env();
    let mut child = env
        .command(&["remember", "-", "--type", "feedback"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all("多行记忆：测试要用真实数据库\n".as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    assert!(env.read_memory("MEMORY.md").contains("测试要用真实数据库"));
}

#[test]
fn empty_text_is_refused() {
    env().run(&["remember", "  \n"]).fails(1).says("empty");
}

#[test]
fn i1_a_pointer_is_one_line_of_at_most_150_characters() {
    let env = env();
    let long = "a description that goes on and on ".repeat(20);
    env.run(&["remember", "Use UTC", "--type", "feedback", "--name", &"Name ".repeat(40), "--description", &long]).ok();
    env.run(&["remember", "Use ISO", "--type", "feedback", "--name", "[Iso](evil.md)", "--description", "two\nlines"])
        .ok();
    let index = env.read_memory("MEMORY.md");
    assert_eq!(index.lines().count(), 2, "{index}");
    for line in index.lines() {
        assert!(line.starts_with("- [") && line.chars().count() <= 150, "{line}");
    }
    assert!(!index.contains("](evil.md)"), "{index}");
    // Everything is still in the file, where it belongs.
    assert!(
        env.run(&["doctor", "--json"]).json()["findings"]
            .as_array()
            .unwrap()
            .iter()
            .all(|finding| finding["fixable"] == false)
    );
}

#[test]
fn f3_rule_then_why_then_how_to_apply() {
    let env = env();
    for kind in ["feedback", "project"] {
        let done = env.json(&[
            "remember",
            "The rule",
            "--type",
            kind,
            "--name",
            kind,
            "--why",
            "the reason",
            "--apply",
            "the case",
        ]);
        let text = env.read_memory(done["file"].as_str().unwrap());
        assert!(text.ends_with("\n\nThe rule\n\n**Why:** the reason\n**How to apply:** the case\n"), "{text}");
    }
}

#[test]
fn i1_an_index_or_a_log_is_never_given_frontmatter() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let log = env.json(&["log", "add", "shipped"])["file"].as_str().unwrap().to_owned();
    for file in ["MEMORY.md", &log] {
        let before = env.read_memory(file);
        env.run(&["pin", file]).fails(1).says("not a memory");
        env.run(&["edit", file, "--name", "x"]).fails(1).says("not a memory");
        env.run(&["move", file, "--scope", "user"]).fails(1).says("not a memory");
        assert_eq!(env.read_memory(file), before);
    }
}

#[test]
fn f5_unpinning_a_file_without_a_closing_fence_takes_no_line_of_the_users() {
    let env = env();
    let odd = "---\nname: x\nmetadata:\n  pinned: true\n- note\n  pinned: this is text of mine\nlast\n";
    env.write_memory("odd.md", odd);
    env.run(&["unpin", "odd.md"]).ok();
    assert!(env.read_memory("odd.md").ends_with("- note\n  pinned: this is text of mine\nlast\n"));
}

#[test]
fn h1_what_is_added_to_a_long_note_is_one_line_and_its_index_line_stays() {
    let env = env();
    let note = "---\nname: billing-job\ndescription: The nightly billing job # of 2025\nmetadata:\n  type: project\n  owner: mara\n---\n\n# Billing job\n\nRuns nightly.   Two spaces stay.\n\n## Retries\n\n* three attempts, then a ticket\n* a pause between attempts\n\n## Invoices\n\n| day | what |\n|---|---|\n| 3 | sent |\n";
    let index = "# Jobs\n\n* [Billing, the nightly one](billing.md): retries three times; invoices on day 3\nprose\n";
    env.write_memory("billing.md", note);
    env.write_memory("MEMORY.md", index);
    let said = "Billing retries of the billing job: failed attempts page Mara";
    let done = env.json(&["remember", said, "--type", "project", "--name", "billing-job"]);
    assert_eq!((&done["file"], &done["action"]), (&"billing.md".into(), &"updated".into()), "{done}");
    let now = env.read_memory("billing.md");
    let added: Vec<&str> = now.lines().filter(|line| !note.contains(line)).collect();
    assert_eq!((added.len(), now.replace(&format!("{}\n", added[0]), "")), (1, note.to_owned()));
    assert!(now.contains(&format!("* a pause between attempts\n* {said}\n\n## Invoices")), "{now}");
    assert_eq!(env.read_memory("MEMORY.md"), index);
}

#[test]
fn i4_a_line_that_memdir_did_not_write_stays_through_edits_moves_and_undo() {
    let env = env();
    let file = env.json(&["remember", "Use UTC everywhere", "--type", "feedback", "--name", "Times"])["file"].clone();
    let file = file.as_str().unwrap();
    env.run(&["edit", file, "--description", "all times in UTC"]).ok();
    let own = env.read_memory("MEMORY.md");
    assert!(own.contains("[Times]") && own.contains("all times in UTC"), "memdir's own line follows: {own}");
    let mine = format!("# Mine\r\n+ [Clocks]({file}): why we all think in UTC, {}\r\nprose", "at length ".repeat(20));
    env.write_memory("MEMORY.md", &mine);
    env.run(&["edit", file, "--description", "every time is UTC", "--name", "Time zones"]).ok();
    env.run(&["pin", file]).ok();
    env.run(&["remember", "Use UTC everywhere, in logs as well", "--type", "feedback", "--name", "Time zones"]).ok();
    assert_eq!(env.read_memory("MEMORY.md"), mine);
    env.run(&["forget", file, "--yes"]).ok();
    assert_eq!(env.read_memory("MEMORY.md"), "# Mine\r\nprose");
    env.run(&["undo"]).ok();
    assert_eq!(env.read_memory("MEMORY.md"), mine);
    env.run(&["move", file, "--scope", "team"]).ok();
    let moved = env.read_memory("team/MEMORY.md");
    assert!(mine.contains(moved.trim_end()) && moved.starts_with("+ [Clocks]"), "{moved}");
}

#[test]
fn a_sentence_is_called_by_its_topic_and_its_line_says_nothing_twice() {
    let env = env();
    for text in [
        "From now on, always run the flaky payment tests three times before you call them broken, because the sandbox of the bank drops one request in ten",
        "please remember that our staging database is reset every night at 3 am UTC by the cron job in infra/reset.yaml and nobody should keep data there",
        "Bitte merke dir, dass die Rechnungen der Kunden in Lissabon immer am dritten Werktag des Monats verschickt werden, nie am Wochenende",
        "Recuerda que los despliegues a producción se hacen solo los martes por la mañana, nunca los viernes",
        "À partir de maintenant, les messages de commit sont écrits en anglais même si nous parlons en français",
        "从现在开始，所有的数据库迁移脚本都必须先在预发环境跑一遍，然后由小王审核之后才能合并",
        "今後はテストを書く前に必ず仕様書を確認してください。特に決済モジュールについては担当者の承認が必要です",
        "앞으로 API 응답 형식을 바꿀 때는 반드시 모바일 팀에 먼저 알려 주세요",
    ] {
        let saved = env.json(&["remember", text]);
        let file = saved["file"].as_str().unwrap();
        let shown = env.json(&["show", file]);
        let (title, description) = (shown["title"].as_str().unwrap(), shown["description"].as_str().unwrap());
        assert!(title.chars().count() <= 52 && title.chars().count() * 3 < text.chars().count() * 2, "{title}");
        assert!(!description.contains(title) || description.len() > title.len() + 10, "{title}: {description}");
        let words = file.trim_end_matches(".md").split('_').count();
        assert!((2..=6).contains(&words), "{file}");
        let index = env.read_memory("MEMORY.md");
        let line = index.lines().find(|line| line.contains(file)).unwrap();
        let hook = line.split_once(") — ").unwrap().1;
        assert!(!hook.contains(title), "{line}");
        let end: String = text.chars().rev().take(6).collect::<Vec<_>>().into_iter().rev().collect();
        assert!(line.ends_with(&end), "{line} does not end with {end}");
        for asked in
            ["From now on", "remember", "merke dir", "Recuerda", "partir de maintenant", "从现在开始", "今後", "앞으로"]
        {
            assert!(!shown["text"].as_str().unwrap().contains(asked), "{shown}");
        }
    }
}

#[test]
fn however_somebody_asks_the_name_is_that_of_the_fact() {
    for (text, title, file, hook) in [
        (
            "just so you know, the demo account password rotates every Monday",
            "Demo account password rotates",
            "project_demo_account_password_rotates.md",
            "every Monday",
        ),
        (
            "pls don't touch the generated protobuf files, the build overwrites them",
            "Don't touch the generated protobuf files",
            "feedback_dont_touch_generated_protobuf_files.md",
            "the build overwrites them",
        ),
        (
            "Can you please keep in mind that our customers are dentists and they hate jargon",
            "Customers are dentists",
            "project_customers_are_dentists.md",
            "and they hate jargon",
        ),
        (
            "heads up: please make sure that every new table has a created_at column",
            "Every new table",
            "feedback_every_new_table.md",
            "has a created_at column",
        ),
        (
            "when you write SQL for the warehouse, always put the partition filter first",
            "When you write SQL for the warehouse",
            "feedback_write_sql_warehouse.md",
            "always put the partition filter first",
        ),
        (
            "Für die Zukunft: Commit-Nachrichten immer auf Englisch, auch wenn wir Deutsch reden",
            "Commit-Nachrichten immer auf Englisch",
            "feedback_commit_nachrichten_immer_auf_englisch.md",
            "auch wenn wir Deutsch reden",
        ),
        (
            "Juste pour info, le serveur de recette est éteint le week-end",
            "Serveur de recette",
            "project_serveur_de_recette.md",
            "est éteint le week-end",
        ),
        (
            "Oye, acuérdate de que los informes mensuales se envían el día 5 a contabilidad",
            "Informes mensuales",
            "project_informes_mensuales.md",
            "se envían el día 5 a contabilidad",
        ),
        (
            "麻烦记住，接口返回的金额单位是分，不是元",
            "接口返回的金额单位是分",
            "project_接口返回的金额单位是分.md",
            "不是元",
        ),
    ] {
        let env = env();
        let saved = env.json(&["remember", text]);
        assert_eq!(saved["file"], file, "{text}");
        assert_eq!(env.json(&["show", file])["title"], title, "{text}");
        assert_eq!(env.read_memory("MEMORY.md").trim_end(), format!("- [{title}]({file}) — {hook}"));
    }
}

#[test]
fn two_of_one_topic_get_names_that_tell_them_apart() {
    let env = env();
    let one = env.json(&["remember", "The staging database is reset every night by a job", "--type", "project"]);
    let two =
        env.json(&["remember", "The staging database holds a copy of last month's invoices", "--type", "project"]);
    assert_ne!(one["file"], two["file"]);
    assert!(!two["file"].as_str().unwrap().ends_with("_2.md"), "{two}");
}

#[test]
fn what_is_no_text_is_refused() {
    let env = env();
    let encoded = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5eg".repeat(20);
    for text in ["ELF\u{1}\u{2}\u{7f} and the rest", "?!? --- 123", "broken \u{fffd}\u{fffd} bytes", &encoded] {
        env.run(&["remember", text]).fails(1).says("cannot be remembered");
    }
    assert!(env.memory_files().is_empty());
    env.run(&["remember", "The checksum of v2 is 1f9d8a7b6c5d4e3f", "--type", "reference"]).ok();
}

#[test]
fn k3_a_warning_beside_a_usage_note_is_not_known_already() {
    for (usage, warning, kept) in [
        (
            "terraform plan needs -var-file=prod.tfvars",
            "Never run terraform plan on prod: it locks the state for everybody",
            "locks the state",
        ),
        ("The seed script is called with make seed ENV=dev", "Do not run make seed on staging", "on staging"),
    ] {
        let env = env();
        env.run(&["remember", usage]).ok();
        let done = env.json(&["remember", warning]);
        assert_ne!(done["action"], "unchanged", "{done}");
        let all: String = env.memory_files().iter().map(|file| env.read_memory(file)).collect();
        assert!(all.contains(kept) && all.contains(&usage[..20]), "{all}");
    }
}
