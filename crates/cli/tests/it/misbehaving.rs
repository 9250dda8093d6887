//! A model that learns badly: whatever it proposes, the engine holds, and says which rule did.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use memdir_testkit::TestEnv;
use memdir_testkit::model_server::{Ending, ModelServer, Recorded, Turn};
use serde_json::{Value, json};

use super::chatting::{is_extraction, memory_dir, topic, write};
use super::env;
use super::extracting::Transcript;

const TOKEN: &str = "ghp_x9K2mQ7vT4bN8cR1wZ5yL3pD6fH0jS2aE4gU";

/// A machine with a model that the user agreed to.
fn stage(server: &ModelServer) -> TestEnv {
    let mut env = env();
    env.var("ANTHROPIC_API_KEY", "model-key-5d2e")
        .var("ANTHROPIC_BASE_URL", &server.url())
        .var("MEMDIR_MODEL_CONSENT", "1");
    env
}

/// A model that writes these files in its first turn and is done in its second.
fn writes(files: Vec<(String, String)>) -> ModelServer {
    ModelServer::new(move |request: &Recorded| {
        assert!(is_extraction(request), "{}", request.view.last_user);
        if !request.view.tool_results.is_empty() {
            return Turn::say("Done.");
        }
        let dir = memory_dir(request);
        files
            .iter()
            .fold(Turn::say("I save."), |turn, (file, text)| turn.and_call("Write", write(dir.join(file), text)))
    })
}

/// One conversation, what the model makes of it, and what comes of that.
struct Case {
    env: TestEnv,
    done: Value,
}

impl Case {
    fn of(talk: &[(&str, &str)], files: &[(&str, String)]) -> Case {
        Case::in_env(|_| {}, talk, files)
    }

    fn in_env(set_up: impl Fn(&mut TestEnv), talk: &[(&str, &str)], files: &[(&str, String)]) -> Case {
        let server = writes(files.iter().map(|(file, text)| ((*file).to_owned(), text.clone())).collect());
        let mut env = stage(&server);
        set_up(&mut env);
        let path = told(&env, talk);
        let done = env.json(&["extract", &path]);
        assert_eq!(done["engine"], "model", "{done}");
        Case { env, done }
    }

    fn saved(&self) -> Vec<&str> {
        self.done["saved"].as_array().unwrap().iter().map(|saved| saved["file"].as_str().unwrap()).collect()
    }

    fn turned_down(&self) -> Vec<(&str, &str)> {
        let all = self.done["turned_down"].as_array().unwrap().iter();
        all.map(|down| (down["file"].as_str().unwrap(), down["rule"].as_str().unwrap())).collect()
    }

    /// Nothing was saved, and both the reply and `status` name the rule.
    #[track_caller]
    fn holds(&self, file: &str, rule: &str) {
        assert_eq!((self.saved(), self.turned_down()), (vec![], vec![(file, rule)]), "{}", self.done);
        assert!(self.env.memory_files().iter().all(|there| there != file));
        let last = &self.env.json(&["status"])["last_extraction"];
        assert_eq!((&last["turned_down"][0]["rule"], &last["rejected"]), (&json!(rule), &json!(1)), "{last}");
        self.env.run(&["status"]).ok().prints(&format!("not saved, {rule}: {file}"));
    }
}

fn told(env: &TestEnv, talk: &[(&str, &str)]) -> String {
    told_in(env, "s1", talk)
}

fn told_in(env: &TestEnv, session: &str, talk: &[(&str, &str)]) -> String {
    let mut transcript = Transcript::new(env, session);
    for (who, text) in talk {
        match *who {
            "user" => transcript.user(text),
            "assistant" => transcript.assistant(text),
            "reminder" => transcript.line("user", &json!(text), &json!({ "isMeta": true })),
            _ => transcript.line(
                "user",
                &json!([{ "type": "tool_result", "tool_use_id": "t", "content": text }]),
                &json!({}),
            ),
        };
    }
    transcript.path().to_owned()
}

fn note(kind: &str, name: &str, body: &str) -> String {
    topic(kind, name, &format!("{name} in short"), body)
}

const MOCKS: &str = "no mocks for the database in integration tests, ever. last quarter they hid a broken migration";

#[test]
fn x8_what_the_person_said_lands_with_its_reason_and_its_messages() {
    let body = "Integration tests never mock the database.";
    let case = Case::of(
        &[
            ("user", "write a test for refunds"),
            ("assistant", "Done, with mocks."),
            ("user", MOCKS),
            ("assistant", "Rewritten."),
        ],
        &[("feedback_no_mocks.md", note("feedback", "No database mocks", body))],
    );
    assert_eq!((case.saved(), case.turned_down()), (vec!["feedback_no_mocks.md"], vec![]));
    // The reason was missing, and the person gave it; relative dates have their dates.
    let text = case.env.read_memory("feedback_no_mocks.md");
    assert!(
        text.contains("**Why:**") && text.contains("broken migration") && text.contains("ast quarter (2026-Q1)"),
        "{text}"
    );
    let change = &case.env.json(&["history", "feedback_no_mocks.md"])["changes"][0];
    assert_eq!(
        (&change["actor"], &change["session"], &change["message"]),
        (&json!("extract"), &json!("s1"), &json!("s1-2"))
    );
    assert!(case.done["usage"]["output"].as_u64().unwrap() > 0 && case.done["usage"]["hit_percent"].is_null());
    let last = &case.env.json(&["status"])["last_extraction"];
    assert_eq!((&last["ended"], &last["files"]), (&json!("done"), &json!(["feedback_no_mocks.md"])));
    case.env.run(&["status"]).ok().prints("undo: memdir undo ");
    case.env.run(&["undo"]).ok();
    assert!(!case.env.memory_files().contains(&"feedback_no_mocks.md".to_owned()));
}

#[test]
fn f7_junk_is_not_saved() {
    let talk = [
        ("user", "where is the parser? and rename the second column to total, thanks"),
        ("assistant", "The parser is in src/parse/mod.rs. I renamed the column and the tests are running."),
    ];
    for (file, kind, body, rule) in [
        ("reference_parser.md", "reference", "The parser is in src/parse/mod.rs.", "derivable"),
        ("project_state.md", "project", "Currently working on step 3 of the rename.", "task-state"),
        ("project_history.md", "project", "Commit abc1234 renamed the second column.", "derivable"),
        ("user_thanks.md", "user", "User said thanks.", "derivable"),
    ] {
        Case::of(&talk, &[(file, note(kind, "A note", body))]).holds(file, rule);
    }
}

#[test]
fn x7_what_is_known_is_not_saved_again() {
    let why = "**Why:** They hid a broken migration.";
    let known = note("feedback", "No database mocks", &format!("Integration tests never mock the database.\n\n{why}"));
    let case = Case::in_env(
        |env| env.write_memory("feedback_db.md", &known),
        &[("user", MOCKS), ("assistant", "Understood.")],
        &[(
            "feedback_other.md",
            note("feedback", "Mocks", &format!("Never mock the database in integration tests.\n\n{why}")),
        )],
    );
    case.holds("feedback_other.md", "duplicate");
}

/// It is told what there is and to read and write in one go each, and after five turns it is over.
#[test]
fn x7_a_model_has_five_turns_and_knows_what_memory_holds() {
    let server = ModelServer::new(|request: &Recorded| {
        let path = memory_dir(request).join("feedback_db.md");
        Turn::say("I look once more.").and_call("Read", json!({ "file_path": path }))
    });
    let env = stage(&server);
    env.write_memory("feedback_db.md", note("feedback", "Database", "Integration tests run on Postgres."));
    let done = env.json(&["extract", &told(&env, &[("user", MOCKS), ("assistant", "Rewritten.")])]);
    let asked = server.requests();
    assert_eq!(asked.len(), 5, "{done}");
    let prompt = &asked[0].view.last_user;
    assert!(prompt.contains("- [feedback] feedback_db.md (") && prompt.contains("Database in short"), "{prompt}");
    for words in ["read", "write", "one turn"] {
        assert!(prompt.to_lowercase().contains(words), "{words}: {prompt}");
    }
}

#[test]
fn t3_secrets_are_cut_out_or_refused() {
    let talk =
        [("user", "the registry is reached with the build account, its token is in vault"), ("assistant", "Ok.")];
    let with = format!("The registry is reached with the build account, the token in vault is {TOKEN}.");
    let case = Case::of(&talk, &[("reference_registry.md", note("reference", "Registry", &with))]);
    assert_eq!(case.saved(), ["reference_registry.md"]);
    let text = case.env.read_memory("reference_registry.md");
    assert!(text.contains("[redacted: ") && !text.contains(TOKEN), "{text}");
    let only = note("reference", "Token", &format!("token: {TOKEN}"));
    Case::of(&talk, &[("reference_token.md", only)]).holds("reference_token.md", "secret");
}

#[test]
fn secrets_in_a_conversation_do_not_reach_the_model() {
    let server = writes(Vec::new());
    let env = stage(&server);
    let said = format!("the deploy user logs in with {TOKEN}, and deploys happen on tuesdays only");
    env.json(&["extract", &told(&env, &[("user", &said), ("assistant", "Ok.")])]);
    assert!(!server.requests().is_empty());
    assert!(server.requests().iter().all(|request| !request.body.to_string().contains(TOKEN)));
}

#[test]
fn f4_relative_dates_become_dates_of_the_conversation() {
    // The conversation was on 2026-04-14; the transcript is read two days later.
    let case = Case::in_env(
        |env| {
            env.at("2026-04-16T10:00:00Z");
        },
        &[
            ("user", "the branch freeze for the audit starts tomorrow, because the auditors copy the repository"),
            ("assistant", "Ok."),
        ],
        &[(
            "project_freeze.md",
            note(
                "project",
                "Audit freeze",
                "The branch freeze for the audit starts tomorrow.\n\n**Why:** The auditors copy the repository.",
            ),
        )],
    );
    let text = case.env.read_memory("project_freeze.md");
    assert!(text.contains("tomorrow (2026-04-15)"), "{text}");
}

#[test]
fn t2_what_is_personal_stays_private() {
    let team = |env: &mut TestEnv| {
        env.var("MEMDIR_MODE", "team");
    };
    let talk = [
        ("user", "I'm a data analyst and new to kubernetes. I prefer short answers, I read on my phone"),
        ("assistant", "Ok."),
    ];
    let about = note("user", "Role", "User is a data analyst and new to kubernetes.");
    Case::in_env(team, &talk, &[("team/user_role.md", about.clone())]).holds("team/user_role.md", "scope");
    let short = note("feedback", "Short answers", "I prefer short answers, I read on my phone.");
    let case = Case::in_env(team, &talk, &[("team/feedback_short.md", short)]);
    assert_eq!(case.saved(), ["feedback_short.md"]);
    // Without team memory nothing goes there.
    Case::of(&talk, &[("team/user_role.md", about)]).holds("team/user_role.md", "scope");
}

#[test]
fn f2_a_wrong_type_is_put_right() {
    let case = Case::of(
        &[("user", "I'm a hydrologist, I know fortran and nothing else"), ("assistant", "I will explain the rest.")],
        &[("project_fortran.md", note("project", "Fortran", "I'm a hydrologist, I know fortran and nothing else."))],
    );
    assert_eq!(case.done["saved"][0]["type"], "user", "{}", case.done);
    assert!(case.env.read_memory("project_fortran.md").contains("type: user"));
}

#[test]
fn forty_files_are_none() {
    let files: Vec<(String, String)> = (0..40)
        .map(|at| {
            let place = format!("{}x{at}", ["alpha", "beta", "gamma", "delta"][at % 4]);
            (
                format!("project_{at}.md"),
                note("project", &format!("Depot {place}"), &format!("Depot {place} closes at {at} past six.")),
            )
        })
        .collect();
    let files: Vec<(&str, String)> = files.iter().map(|(file, text)| (file.as_str(), text.clone())).collect();
    let case = Case::of(&[("user", "depots close at different times past six, I told you all forty")], &files);
    assert!(case.saved().is_empty(), "{}", case.done);
    assert_eq!(case.turned_down().len(), 40);
    assert!(case.turned_down().iter().all(|(_, rule)| *rule == "too-many"), "{:?}", case.turned_down());
    assert_eq!(case.env.memory_files(), Vec::<String>::new());
}

#[test]
fn its_own_instructions_are_no_memory() {
    let server = ModelServer::new(|request: &Recorded| {
        if !request.view.tool_results.is_empty() {
            return Turn::say("Done.");
        }
        // Whatever it was told, word for word.
        let lines =
            request.view.system.lines().filter(|line| line.split_whitespace().count() > 8 && !line.contains('`'));
        let body = lines.take(1).collect::<Vec<_>>().join("\n");
        Turn::call("Write", write(memory_dir(request).join("feedback_rules.md"), &note("feedback", "Rules", &body)))
    });
    let env = stage(&server);
    let done = env.json(&["extract", &told(&env, &[("user", MOCKS), ("assistant", "Ok.")])]);
    assert_eq!(done["saved"], json!([]), "{done}");
    assert!(["written", "support"].contains(&done["turned_down"][0]["rule"].as_str().unwrap()), "{done}");
}

#[test]
fn what_the_instruction_files_say_is_not_saved() {
    let rule = "Commit messages are written in the imperative mood.";
    let case = Case::in_env(
        |env| {
            std::fs::write(env.project().join("CLAUDE.md"), format!("# House\n\n{rule}\n\nTests come first.\n"))
                .unwrap();
        },
        &[("user", "as always: commit messages are written in the imperative mood"), ("assistant", "Yes.")],
        &[("feedback_commits.md", note("feedback", "Commits", rule))],
    );
    case.holds("feedback_commits.md", "written");
}

#[test]
fn what_only_a_tool_a_paste_or_the_assistant_says_is_not_saved() {
    let rule = "Releases are always deployed with the force flag and without approval.";
    let file = "feedback_force.md";
    let note = || note("feedback", "Force releases", rule);
    for talk in [
        vec![("user", "what does the wiki page say?"), ("tool", rule), ("assistant", "It tells how to deploy.")],
        vec![
            (
                "user",
                "check this log\n```\nReleases are always deployed with the force flag and without approval.\n```",
            ),
            ("assistant", "Ok."),
        ],
        vec![
            ("user", "how are we doing with the tickets?"),
            ("assistant", rule),
            ("user", "ok, next ticket please"),
            ("assistant", "Sure."),
        ],
    ] {
        Case::of(&talk, &[(file, note())]).holds(file, "support");
    }
    // The same, in the person's own words.
    let own = Case::of(
        &[("user", "from now on releases are always deployed with the force flag and without approval")],
        &[(file, note())],
    );
    assert_eq!(own.saved(), [file]);
    // And what they approved, in the assistant's.
    let approved = Case::of(
        &[
            ("user", "split the migration"),
            ("assistant", "I kept the backfill in a separate pull request, behind a feature flag."),
            ("user", "yes, that was exactly the right call, keep doing it like that"),
        ],
        &[(
            "feedback_backfill.md",
            topic(
                "feedback",
                "Backfills",
                "Separate backfills",
                "Keep a backfill in a separate pull request behind a feature flag.",
            ),
        )],
    );
    assert_eq!(approved.saved(), ["feedback_backfill.md"], "{}", approved.done);
}

#[test]
fn recalled_memories_are_not_learned_again() {
    let recalled = "The night shift in Lodz is run by a crew of its own.";
    let reminder = format!("<system-reminder>\nMemory (saved today): project_lodz.md:\n{recalled}\n</system-reminder>");
    let talk = [
        ("reminder", reminder.as_str()),
        ("user", "when does the warehouse import run, and who looks at it?"),
        ("assistant", "At night."),
    ];
    Case::of(&talk, &[("project_crew.md", note("project", "Night crew", recalled))])
        .holds("project_crew.md", "support");
}

#[test]
fn a_guess_or_a_matter_of_the_moment_is_not_saved() {
    let guess =
        [("user", "we might move the billing cluster to another region, nothing decided"), ("assistant", "Ok.")];
    Case::of(
        &guess,
        &[("project_move.md", note("project", "Billing cluster", "The billing cluster moves to another region."))],
    )
    .holds("project_move.md", "undecided");
    let asked = [("user", "should the importer run twice a day?"), ("assistant", "It could.")];
    Case::of(&asked, &[("project_importer.md", note("project", "Importer", "The importer should run twice a day."))])
        .holds("project_importer.md", "undecided");
    let now = [("user", "for now just hardcode the exchange rate in this branch"), ("assistant", "Ok.")];
    Case::of(
        &now,
        &[("feedback_rate.md", note("feedback", "Exchange rate", "Hardcode the exchange rate in the branch."))],
    )
    .holds("feedback_rate.md", "task-state");
}

#[test]
fn x6_what_a_model_may_not_do_is_denied_and_recorded() {
    let server = ModelServer::new(|request: &Recorded| {
        if !request.view.tool_results.is_empty() {
            return Turn::say("Done.");
        }
        Turn::call("Bash", json!({ "command": "rm -rf ." }))
            .and_call("Write", write(PathBuf::from("/tmp/memdir-never.md"), "x"))
    });
    let env = stage(&server);
    let done = env.json(&["extract", &told(&env, &[("user", MOCKS), ("assistant", "Ok.")])]);
    assert_eq!((done["denied"].as_array().unwrap().len(), &done["saved"]), (2, &json!([])), "{done}");
}

#[test]
fn the_built_in_engine_takes_over_and_says_why() {
    let talk = [("user", MOCKS), ("assistant", "Rewritten.")];
    for (what, turn, reason) in [
        ("an error", Turn::status(401, "no such key"), "model-failed"),
        ("a refusal", Turn::say("No.").ending(Ending::Refusal), "model-refused"),
        ("a dead server", Turn::die(), "model-failed"),
    ] {
        let server = ModelServer::new(move |_| turn.clone());
        let env = stage(&server);
        let done = env.json(&["extract", &told(&env, &talk)]);
        assert_eq!(done["saved"].as_array().unwrap().len(), 1, "{what}: {done}");
        assert!(done["reason"].as_str().unwrap().starts_with(reason), "{what}: {done}");
        let last = env.json(&["status"])["last_extraction"].clone();
        assert!(last["reason"].as_str().unwrap().starts_with(reason), "{last}");
    }
    let server = ModelServer::queue([]);
    for (name, value, reason) in
        [("MEMDIR_MODEL_CONSENT", "0", "no-consent"), ("MEMDIR_MODEL_TOKENS_PER_DAY", "0", "budget-spent")]
    {
        let mut env = stage(&server);
        env.var(name, value);
        assert_eq!(env.json(&["status"])["gates"]["extract"], json!({ "run": true, "reason": "offline" }));
        let done = env.json(&["extract", &told(&env, &talk)]);
        assert_eq!((&done["engine"], &done["reason"]), (&json!("offline"), &json!(reason)));
        assert_eq!(done["saved"].as_array().unwrap().len(), 1);
        env.run(&["status"]).ok().prints(&format!("by the built-in engine, {reason}"));
    }
    assert!(server.requests().is_empty());
}

#[test]
fn x1_the_worker_asks_the_model_once_and_wishes_do_not_wait_for_it() {
    let server = writes(vec![(
        "feedback_no_mocks.md".into(),
        note("feedback", "No mocks", "Integration tests never mock the database."),
    )]);
    let env = stage(&server);
    let path = told(
        &env,
        &[("user", "remember that the label printers in hall 2 only take latin-1"), ("assistant", "Noted.")],
    );
    let gate = env.json(&["enqueue", &path, "--host", "claude-code"]);
    assert_eq!((&gate["run"], &gate["reason"]), (&json!(true), &json!("model")));
    let worked = env.json(&["work"]);
    assert_eq!(worked["runs"][0]["saved"].as_array().unwrap().len(), 1, "{worked}");
    assert!(server.requests().is_empty(), "nobody has to think about that");
    let path = told_in(&env, "s2", &[("user", MOCKS), ("assistant", "Rewritten.")]);
    env.json(&["enqueue", &path, "--host", "claude-code"]);
    let worked = env.json(&["work"]);
    assert_eq!(worked["runs"][0]["saved"][0]["file"], "feedback_no_mocks.md", "{worked}");
    assert_eq!(server.requests().len(), 2);
    // Read once: the cursor is behind it.
    env.json(&["enqueue", &path, "--host", "claude-code"]);
    assert_eq!(env.json(&["work"])["runs"][0]["skipped"], "nothing-new");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn l1_in_log_mode_what_is_learned_goes_into_the_log_whatever_a_model_would_write() {
    let server = writes(vec![(
        "feedback_no_mocks.md".into(),
        note("feedback", "No mocks", "Integration tests never mock the database."),
    )]);
    let mut env = stage(&server);
    env.var("MEMDIR_MODE", "log");
    let path = told(&env, &[("user", MOCKS), ("assistant", "Rewritten.")]);
    env.json(&["enqueue", &path, "--host", "claude-code"]);
    let worked = env.json(&["work"]);
    let run = &worked["runs"][0];
    assert_eq!((&run["reason"], run["saved"].as_array().map(Vec::len)), (&json!("mode:log"), Some(1)), "{worked}");
    assert!(server.requests().is_empty(), "a model is asked when memory is dreamt");
    let files: Vec<String> = env.memory_files().into_iter().filter(|file| file.ends_with(".md")).collect();
    assert!(!files.is_empty() && files.iter().all(|file| file.starts_with("logs/")), "{files:?}");
}

/// The files that say how far transcripts were read.
fn progress(env: &TestEnv) -> Vec<PathBuf> {
    let dirs = std::fs::read_dir(env.state().join("extract")).into_iter().flatten();
    let files = dirs.flat_map(|dir| std::fs::read_dir(dir.unwrap().path().join("progress")).into_iter().flatten());
    files.map(|file| file.unwrap().path()).filter(|file| file.extension().is_some_and(|end| end == "json")).collect()
}

#[test]
fn x5_a_worker_killed_after_it_has_landed_does_not_land_again() {
    let kept: Arc<Mutex<Option<TestEnv>>> = Arc::default();
    let known: Arc<Mutex<Vec<(PathBuf, Vec<u8>)>>> = Arc::default();
    let (seen, at) = (Arc::clone(&known), Arc::clone(&kept));
    let server = ModelServer::new(move |request: &Recorded| {
        // What is on disk while the model thinks is what is there if the worker is killed right after.
        if let Some(env) = &*at.lock().unwrap() {
            let files = progress(env).into_iter().map(|file| (file.clone(), std::fs::read(file).unwrap()));
            *seen.lock().unwrap() = files.collect();
        }
        if !request.view.tool_results.is_empty() {
            return Turn::say("Done.");
        }
        // Other words each time: likeness alone would not save the day.
        let body = format!("Integration tests never mock the database, {}.", request.view.last_user.len());
        Turn::call(
            "Write",
            write(memory_dir(request).join("feedback_no_mocks.md"), &note("feedback", "No mocks", &body)),
        )
    });
    *kept.lock().unwrap() = Some(stage(&server));
    let command = |args: &[&str]| {
        let mut command = kept.lock().unwrap().as_ref().unwrap().command(args);
        serde_json::from_slice::<Value>(&command.arg("--json").output().unwrap().stdout).unwrap()
    };
    let path = told(kept.lock().unwrap().as_ref().unwrap(), &[("user", MOCKS), ("assistant", "Rewritten.")]);
    assert_eq!(command(&["extract", &path])["saved"].as_array().unwrap().len(), 1);
    let asked = server.requests().len();
    let before = std::mem::take(&mut *known.lock().unwrap());
    assert_eq!(before.len(), 1);
    for (file, bytes) in before {
        std::fs::write(file, bytes).unwrap();
    }
    let again = command(&["extract", &path]);
    assert_eq!(
        (&again["saved"], &again["skipped"], &again["cursor"]),
        (&json!([]), &json!("nothing-new"), &json!("s1-1"))
    );
    assert_eq!(server.requests().len(), asked);
}

#[test]
fn with_review_on_what_a_model_proposes_waits() {
    let server = writes(vec![(
        "feedback_no_mocks.md".into(),
        note("feedback", "No mocks", "Integration tests never mock the database."),
    )]);
    let mut env = stage(&server);
    env.var("MEMDIR_REVIEW", "true");
    let done = env.json(&["extract", &told(&env, &[("user", MOCKS), ("assistant", "Rewritten.")])]);
    assert_eq!((&done["saved"], &done["waiting"][0]["file"]), (&json!([]), &json!("feedback_no_mocks.md")));
    assert_eq!(env.memory_files(), Vec::<String>::new());
    let inbox = env.json(&["inbox"])["proposals"].clone();
    assert_eq!((&inbox[0]["session"], &inbox[0]["message"]), (&json!("s1"), &json!("s1-0")));
    env.run(&["inbox", "accept", inbox[0]["id"].as_str().unwrap()]).ok();
    assert!(env.read_memory("feedback_no_mocks.md").contains("never mock"));
}
