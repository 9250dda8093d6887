//! What a prompt names outright: identifiers, paths, error codes, days. And the first prompts before the background has read a store.

use memdir_testkit::TestEnv;
use serde_json::Value;

use super::git_env;
use super::hooking::{hook, prompt};

/// A project with a dozen memories, most of which have nothing to do with any prompt here.
fn filled() -> TestEnv {
    let mut env = git_env();
    env.at("2026-11-18T09:00:00Z");
    for (file, name, body) in [
        (
            "project_drafts",
            "Numbers of drafts",
            "Drafts get their number late: createInvoiceDraft must not call nextNumber.",
        ),
        (
            "reference_peers",
            "Peer packages",
            "ERR_PNPM_PEER_DEP in CI goes away with a fresh store, never with --force.",
        ),
        ("project_tax", "Rounding of taxes", "src/billing/tax.ts rounds on every line, as the auditor wants it."),
        (
            "project_outage",
            "Queue outage",
            "On 2026-11-10 the queue lost its leader for an hour; the runbook has a new step since.",
        ),
        ("project_march", "Cellar lease", "The lease of the cellar ends 2026-03-03."),
        ("user_likes", "Answers", "Short answers, please."),
        ("reference_board", "Board", "The board of the team is on the wall beside the kitchen."),
        ("feedback_names", "Names of branches", "Branches begin with the initials of whoever made them."),
        ("project_garden", "Garden", "The garden is watered by the neighbours until the autumn."),
        ("reference_lift", "Lift", "The lift is inspected by Mr Aalto."),
        ("project_radio", "Radio", "The radio in the hall plays until six."),
        ("reference_keys", "Keys", "The keys of the archive hang in the safe."),
    ] {
        let kind = file.split('_').next().unwrap();
        let text = format!("---\nname: {name}\ndescription: {name}\ntype: {kind}\n---\n\n{body}\n");
        env.write_memory(&format!("{file}.md"), &text);
    }
    env
}

fn recalled(env: &TestEnv, session: &str, text: &str) -> String {
    hook(env, &["claude-code"], prompt(env, session, text).to_string().as_bytes())
}

#[test]
fn r1_an_identifier_a_path_or_an_error_code_brings_the_memory_that_names_it() {
    let env = filled();
    env.run(&["refresh"]).ok();
    for (at, (text, told)) in [
        ("look into createInvoiceDraft, something is off", "must not call nextNumber"),
        ("ci is red again: ERR_PNPM_PEER_DEP", "never with --force"),
        ("    at roundLine (/home/ci/build/src/billing/tax.ts:41:7)", "as the auditor wants it"),
    ]
    .into_iter()
    .enumerate()
    {
        let shown = recalled(&env, &format!("s{at}"), text);
        assert!(shown.contains(told), "{text}: {shown}");
    }
    let shown = recalled(&env, "s9", "rename the draft of the tax letter to peer review notes");
    assert!(!shown.contains("nextNumber") && !shown.contains("auditor"), "{shown}");
}

#[test]
fn r1_a_name_in_the_middle_of_a_long_paste_is_found() {
    let env = filled();
    env.run(&["refresh"]).ok();
    let line = "2026-11-18T08:00:01Z worker-7 INFO polling the socket of the pump, nothing new, sleeping for a while\n";
    let paste = format!(
        "{}Error: 409\n    at Object.createInvoiceDraft (worker.js:11:2)\n{}",
        line.repeat(90),
        line.repeat(90)
    );
    let shown = recalled(&env, "s1", &format!("what is this?\n{paste}\nany idea"));
    assert!(shown.contains("must not call nextNumber"), "{shown}");
}

#[test]
fn r1_a_day_is_looked_up_by_the_clock_of_the_session() {
    let env = filled();
    env.run(&["refresh"]).ok();
    for (at, (text, told)) in [
        ("what was that on the 10th of november?", "lost its leader"),
        ("what ended on 3 March?", "lease of the cellar"),
        ("gab es am 10. November etwas", "lost its leader"),
        ("what was there in March", "lease of the cellar"),
    ]
    .into_iter()
    .enumerate()
    {
        let shown = recalled(&env, &format!("s{at}"), text);
        assert!(shown.contains(told), "{text}: {shown}");
    }
}

#[test]
fn r1_a_short_question_about_a_day_brings_what_was_written_on_it() {
    let env = filled();
    let text = "---\nname: Paper\ndescription: Which paper is bought\ntype: project\nmodified: 2026-10-14T10:00:00Z\n---\n\nThe paper comes from the mill in Kaunas.\n";
    env.write_memory("project_paper.md", text);
    env.run(&["refresh"]).ok();
    assert!(recalled(&env, "s1", "what did we decide on 14 October?").contains("Kaunas"));
    assert!(!recalled(&env, "s2", "what did we decide on 15 October?").contains("Kaunas"));
    // Who asks for more than the day is answered by what that is.
    let long = "on 14 October the tests of the parser began to fail, so look at the log of the build and tell me why";
    assert!(!recalled(&env, "s3", long).contains("Kaunas"));
}

#[test]
fn r1_before_the_background_has_read_a_store_the_best_by_words_are_read_at_once_and_the_rest_is_said_to_come() {
    let env = filled();
    let answer: Value = env.json(&["recall", "who looks after the garden in summer?"]);
    assert_eq!(answer["selected"][0]["file"], "project_garden.md", "{answer}");
    assert!(answer["selected"][0]["why"].as_str().unwrap().contains("meaning"), "its vector is there: {answer}");
    assert_eq!(answer["partial"], true, "{answer}");
    let nothing: Value = env.json(&["recall", "write a haiku about rain"]);
    assert!(nothing["reason"].as_str().unwrap().starts_with("recall is warming up"), "{nothing}");
    recalled(&env, "s1", "write a haiku about rain and wind");
    let call = &env.json(&["status", "--hooks"])["hooks"][0];
    assert!(call.to_string().contains("recall is warming up"), "{call}");
}
