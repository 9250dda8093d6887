//! What a memory is called where people see it, and how it is named by those who want it: one way for every command.

use memdir_testkit::TestEnv;
use serde_json::json;

use super::env;
use super::mcp::Host;
use super::pty::Terminal;
use super::serving::Page;

const TITLE: &str = "How the factor command rounds";
const PROMPT: &str = "which way does the factor command round halves?";

fn slugs() -> TestEnv {
    let env = env();
    env.write_memory(
        "factor-command-semantics.md",
        "---\nname: factor-command-semantics\ndescription: The factor command rounds halves to even\n\
         metadata:\n  type: reference\n---\n\nThe factor command rounds halves to even.\n",
    );
    env.write_memory(
        "feedback_small_diffs.md",
        "---\nname: feedback_small_diffs\ntype: feedback\n---\n\nKeep diffs small.\n",
    );
    env.write_memory("MEMORY.md", format!("# Mine\n\n- [{TITLE}](factor-command-semantics.md) — halves go to even\n"));
    env
}

#[test]
fn where_a_name_is_a_slug_people_see_the_title_of_the_index() {
    let env = slugs();
    let list = env.json(&["list"]);
    let row = |file: &str| {
        let rows = list["memories"].as_array().unwrap();
        rows.iter().find(|row| row["file"] == file).unwrap().clone()
    };
    let factor = row("factor-command-semantics.md");
    assert_eq!((&factor["name"], &factor["title"]), (&json!("factor-command-semantics"), &json!(TITLE)));
    assert_eq!(row("feedback_small_diffs.md")["title"], "Small diffs");
    env.run(&["list"]).ok().prints(TITLE).prints("Small diffs");
    assert_eq!(env.json(&["recall", PROMPT])["selected"][0]["title"], TITLE);
    env.run(&["recall", PROMPT]).ok().prints(TITLE);
    assert_eq!(env.json(&["show", "factor-command-semantics"])["title"], TITLE);
    assert_eq!(env.json(&["search", "rounds halves"])["hits"][0]["title"], TITLE);
    let page = Page::open(&env);
    let answer = page.get("/api/memories?q=rounds").json();
    assert_eq!(answer["memories"][0]["title"], TITLE, "{answer}");
    assert_eq!(page.get("/api/memory?file=factor-command-semantics.md").json()["title"], TITLE);
}

#[test]
fn another_line_in_the_index_is_seen_at_once_and_no_file_changes() {
    let env = slugs();
    let before = env.read_memory("factor-command-semantics.md");
    assert_eq!(env.json(&["recall", PROMPT])["selected"][0]["title"], TITLE);
    let index = env.read_memory("MEMORY.md");
    // In place, as an editor does: the directory does not change.
    env.write_memory("MEMORY.md", index.replace(TITLE, "Rounding in factor"));
    assert_eq!(env.json(&["recall", PROMPT])["selected"][0]["title"], "Rounding in factor");
    env.write_memory("MEMORY.md", "# Mine\n");
    assert_eq!(env.json(&["recall", PROMPT])["selected"][0]["title"], "Factor command semantics");
    assert_eq!(env.read_memory("factor-command-semantics.md"), before);
}

/// Three memories, two of them about tests that fail now and then.
fn flaky() -> TestEnv {
    let env = env();
    for (name, description) in [
        ("Flaky payment tests", "rerun three times"),
        ("Flaky login tests", "the clock is to blame"),
        ("Staging database", "reset every night"),
    ] {
        env.run(&["remember", &format!("{name}: {description}"), "--type", "project", "--name", name]).ok();
    }
    env
}

const PAYMENT: &str = "project_flaky_payment_tests.md";

#[test]
fn q2_every_command_takes_a_file_a_title_a_beginning_or_words() {
    let env = flaky();
    for typed in [
        &["project_flaky_payment_tests.md"][..],
        &["project_flaky_payment_tests"],
        &["Flaky payment tests"],
        &["flaky", "PAYMENT", "tests"],
        &["flaky_pay"],
        &["project_flaky_p"],
        &["payment"],
        &["tests", "payment"],
    ] {
        for command in ["show", "blame"] {
            let args: Vec<&str> = [&[command], typed].concat();
            assert_eq!(env.json(&args)["file"], PAYMENT, "{args:?}");
        }
        let history = env.json(&[&["history"], typed].concat())["changes"].clone();
        assert_eq!(history.as_array().unwrap().len(), 1, "{typed:?}: {history}");
    }
    // A title is a name; what merely fits is not.
    env.run(&["pin", "flaky", "payment", "tests"]).ok();
    env.run(&["unpin", "Flaky payment tests"]).ok();
}

#[test]
fn q2_what_only_fits_is_never_changed_without_a_yes() {
    let env = flaky();
    let before = env.read_memory(PAYMENT);
    for command in [
        &["pin", "payment"][..],
        &["unpin", "payment"],
        &["forget", "payment"],
        &["purge", "payment"],
        &["move", "payment", "--scope", "user"],
        &["edit", "payment", "--why", "x"],
    ] {
        env.run(command).fails(1).says(PAYMENT);
    }
    // The end of a file's name is not its name.
    env.run(&["forget", "tests"]).fails(1).says(PAYMENT);
    assert_eq!((env.memory_files().len(), env.read_memory(PAYMENT)), (4, before));
    // One that fits and a yes are enough; several are not.
    env.run(&["pin", "payment", "--yes"]).ok();
    assert!(env.read_memory(PAYMENT).contains("pinned: true"));
    env.run(&["pin", "flaky", "--yes"]).fails(1).says("did you mean").says("project_flaky_login_tests.md");
    // Nor is a slip, and who names a file gets no other.
    env.run(&["forget", "stagin databse", "--yes"]).fails(1).says("did you mean project_staging_database.md");
    env.run(&["show", "flaky_paymnt_tests.md"]).fails(1).says("did you mean").says(PAYMENT);
    env.run(&["forget", "payment.md", "--yes"]).fails(1).says("no memory payment.md");
    assert_eq!(env.memory_files().len(), 4);
}

#[test]
fn q2_on_a_terminal_one_of_several_is_chosen() {
    let env = flaky();
    let mut terminal = Terminal::start(env.command(&["pin", "flaky"]), 100, 30);
    terminal.shows("1  ");
    terminal.shows("2  ");
    terminal.shows("Which one?");
    terminal.types("2\n");
    let shown = terminal.leaves();
    let second = shown.lines().find(|line| line.trim_start().starts_with("2  ")).unwrap().to_owned();
    let file = second.split_whitespace().nth(1).unwrap();
    assert!(env.read_memory(file).contains("pinned: true"), "{shown}");
    assert_eq!(env.json(&["list"])["memories"].to_string().matches(r#""pinned":true"#).count(), 1);
}

#[test]
fn q2_the_page_and_the_tools_name_the_choices_and_do_nothing() {
    let env = flaky();
    let page = Page::open(&env);
    let refused = page.post("/api/forget", &json!({ "file": "flaky" }));
    assert_eq!(refused.status, 404, "{refused:?}");
    assert!(refused.json()["error"].as_str().unwrap().contains(PAYMENT), "{refused:?}");
    assert_eq!(page.get("/api/memory?file=Flaky%20payment%20tests").json()["file"], PAYMENT);
    let (mut mcp, _) = Host::ready(&env, "2025-06-18", json!({}));
    let refused = mcp.call("forget", json!({ "file": "payment" }));
    assert!(refused["isError"].as_bool().unwrap() && refused.to_string().contains(PAYMENT), "{refused}");
    assert_eq!(env.memory_files().len(), 4);
    let gone = mcp.call("forget", json!({ "file": "Flaky payment tests" }));
    assert!(gone.to_string().contains(PAYMENT), "{gone}");
    assert_eq!(env.memory_files().len(), 3);
}

#[test]
fn a_sentence_needs_no_quotes_and_a_reason_no_editor() {
    let env = env();
    let saved = env.json(&["remember", "Use", "UTC", "everywhere", "--type", "feedback"]);
    let file = saved["file"].as_str().unwrap();
    assert!(env.read_memory(file).contains("Use UTC everywhere"));
    assert_eq!(env.json(&["recall", "do", "we", "use", "UTC?"]), env.json(&["recall", "do we use UTC?"]));
    assert_eq!(env.json(&["search", "UTC", "everywhere"])["hits"], env.json(&["search", "UTC everywhere"])["hits"]);
    env.run(&["edit", file, "--why", "logs were compared by hand", "--apply", "new columns"]).ok();
    env.run(&["edit", file, "--why", "two zones met in one log"]).ok();
    let text = env.read_memory(file);
    assert!(text.ends_with("\n\n**Why:** two zones met in one log\n**How to apply:** new columns\n"), "{text}");
}

#[test]
fn help_is_a_command_and_other_names_lead_to_it() {
    let env = env();
    env.run(&["help"]).ok().prints("Usage: memdir");
    env.run(&["help", "forget"]).ok().prints("undo brings it back");
    for (typed, command) in [("rm", "forget"), ("ls", "list"), ("cat", "show"), ("add", "remember")] {
        env.run(&[typed, "x"]).fails(2).says(&format!("'{command}'"));
    }
}

#[test]
fn an_empty_name_is_asked_for_and_a_path_is_refused_as_it_was_typed() {
    let env = env();
    env.run(&["remember", "Staging is called heron", "--type", "reference", "--name", ""]).ok();
    env.run(&["list"]).ok().prints("reference_staging_is_called_heron.md");
    for command in ["show", "pin", "blame"] {
        env.run(&[command, ""]).fails(1).says("The name is empty");
    }
    for command in ["undo", "diff"] {
        env.run(&[command, ""]).fails(1).says("there is no change ");
    }
    let out = env.run(&["show", "../../etc/passwd"]).fails(1).says("path \"../../etc/passwd");
    assert!(!out.stderr.contains("team/"), "{out}");
    env.run(&["recall", ""]).ok().says("the prompt is empty");
    env.run(&["notes", "show", "nobody"]).fails(1).says("no notes of a session nobody");
    env.run(&["adopt"]).fails(1);
    // The numbers of the system say nothing to a person.
    let missing = env.run(&["extract", "nowhere.jsonl"]).fails(1);
    assert!(missing.stderr.contains("No such file") && !missing.stderr.contains("os error"), "{missing}");
}

#[test]
fn a_search_that_finds_only_a_line_of_an_index_does_not_say_that_nothing_was_found() {
    let env = env();
    env.run(&["remember", "Staging is called heron", "--type", "reference"]).ok();
    let run = env.run(&["search", "["]).ok();
    assert!(run.stdout.contains("MEMORY.md:1") && !run.stderr.contains("Nothing found"), "{run}");
}
