//! The ranker on a small store, with the real encoder.

use super::*;
use crate::lexical::{DeletedDocs, DocFields, Segment, SegmentBuilder};
use crate::semantic::{VectorPart, VectorRows};
use memdir_core::kind::Rating;
use memdir_encoder::Encoder;

#[derive(Clone, Copy)]
struct Note {
    file: &'static str,
    name: &'static str,
    description: &'static str,
    age_days: u32,
    experience: Experience,
}

const fn note(file: &'static str, name: &'static str, description: &'static str, age_days: u32) -> Note {
    let experience = Experience { rating: None, told: 0, followed: 0 };
    Note { file, name, description, age_days, experience }
}

const STORE: [Note; 8] = [
    note("feedback_no_mocks.md", "No database mocks", "Integration tests must hit a real Postgres, never a mock", 30),
    note("project_ci_jenkins.md", "CI on Jenkins", "The CI pipeline runs on Jenkins, job ledger-main", 300),
    note("project_ci_actions.md", "CI on GitHub Actions", "The CI pipeline moved from Jenkins to GitHub Actions", 5),
    note(
        "reference_linear_usage.md",
        "Linear tool usage",
        "Usage of the Linear tool: parameters team, state, label",
        40,
    ),
    note(
        "feedback_linear_labels.md",
        "Linear labels",
        "Never create Linear issues without a label, triage drops them",
        40,
    ),
    note("user_role.md", "Role", "Staff engineer on the ledger team, new to React", 60),
    note(
        "reference_runbook.md",
        "Payout runbook",
        "What to do when payouts stall is in the wiki under Payout runbook",
        90,
    ),
    note("project_quiet_week.md", "Quiet week", "No deploys in the week of the audit, 2026-05-11 to 2026-05-15", 3),
];

/// What the ranker makes of a prompt: the files chosen, and the files left out with the reason.
fn asked(prompt: &str, tools: &[&str], vectors: bool, surfaced: &[&str]) -> (Vec<String>, Vec<(String, String)>) {
    let kind = |note: &Note| note.file.split('_').next().and_then(Type::parse);
    let ranking = ranked(&STORE, &kind, prompt, tools, vectors, surfaced);
    let file = |doc: u32| STORE[doc as usize].file.to_owned();
    (
        ranking.selected.iter().map(|one| file(one.doc)).collect(),
        ranking.skipped.into_iter().map(|one| (file(one.doc), one.reason)).collect(),
    )
}

fn ranked(
    store: &[Note],
    kind: &dyn Fn(&Note) -> Option<Type>,
    prompt: &str,
    tools: &[&str],
    vectors: bool,
    surfaced: &[&str],
) -> Ranking {
    let encoder = Encoder::new();
    let mut builder = SegmentBuilder::default();
    let (mut rows, mut scales): ([Vec<i8>; 2], [Vec<f32>; 2]) = Default::default();
    for note in store {
        builder.add(&DocFields { key: note.file, name: note.name, description: note.description, body: "" });
        for (place, vector) in encoder.encode_memory(note.name, note.description, "").iter().enumerate() {
            let vector = vector.quantise();
            rows[place].extend(vector.values);
            scales[place].push(vector.scale);
        }
    }
    let bytes = builder.finish();
    let searcher = Searcher::new(&[Segment::open(&bytes).unwrap()], DeletedDocs::default());
    let docs: Vec<u32> = if vectors { (0..store.len() as u32).collect() } else { Vec::new() };
    let plane = |place: usize| {
        if vectors { VectorRows { rows: &rows[place], scales: &scales[place] } } else { VectorRows::default() }
    };
    let corpus = Corpus {
        searcher: &searcher,
        vectors: Vectors::of(vec![VectorPart { docs: &docs, headers: plane(1), wholes: plane(0) }]),
        known: &|doc| {
            let note = store.get(doc as usize)?;
            Some(Known {
                file: note.file,
                name: note.name,
                description: note.description,
                kind: kind(note),
                scope: Scope::Private,
                age_days: Some(note.age_days),
                uses: 0,
                pinned: false,
                experience: note.experience,
            })
        },
        surfaced: &|doc| surfaced.contains(&store[doc as usize].file),
    };
    let vector = encoder.encode_query(prompt);
    let tools = Tools::new(tools);
    rank(&Prompt { text: prompt, vector: Some(&vector), tools: &tools, times: &[] }, &corpus).unwrap()
}

fn chosen(prompt: &str) -> Vec<String> {
    asked(prompt, &[], true, &[]).0
}

#[test]
fn r1_words_and_meaning_both_find_a_memory() {
    assert_eq!(chosen("write integration tests for the refund path against postgres")[0], "feedback_no_mocks.md");
    assert_eq!(chosen("can we stub out the persistence layer in these suites?")[0], "feedback_no_mocks.md");
    assert_eq!(chosen("支付出款卡住了，该怎么处理？")[0], "reference_runbook.md");
}

#[test]
fn a_prompt_that_needs_nothing_gets_nothing() {
    for prompt in
        ["rename this variable to snake case", "why does tsc say TS2345 here", "add a newline at the end of the file"]
    {
        assert_eq!(chosen(prompt), Vec::<String>::new(), "{prompt}");
    }
}

#[test]
fn r4_what_was_shown_takes_no_slot() {
    let prompt = "write integration tests for the refund path against postgres";
    let (selected, skipped) = asked(prompt, &[], true, &["feedback_no_mocks.md"]);
    assert!(!selected.contains(&"feedback_no_mocks.md".to_owned()));
    assert!(skipped.iter().all(|(file, _)| file != "feedback_no_mocks.md"));
}

#[test]
fn r5_a_tool_in_use_needs_no_manual_but_its_warnings() {
    let manual = "which parameters does the linear tool take for team and state?";
    assert_eq!(asked(manual, &[], true, &[]).0[0], "reference_linear_usage.md");
    let prompt = "create a linear issue with a label for the payout bug";
    let (selected, skipped) = asked(prompt, &["mcp__linear__create_issue"], true, &[]);
    assert!(selected.contains(&"feedback_linear_labels.md".to_owned()), "{selected:?}");
    let (selected, _) = asked(manual, &["mcp__linear__create_issue"], true, &[]);
    assert!(!selected.contains(&"reference_linear_usage.md".to_owned()));
    let (_, reason) = skipped.iter().find(|(file, _)| file == "reference_linear_usage.md").unwrap();
    assert!(reason.contains("linear"), "{reason}");
}

/// The score of a runbook that is so old, of such a type, in such a file, whether it is shown or not.
fn score(file: &'static str, kind: Option<Type>, age_days: u32) -> f32 {
    let mut store = STORE.to_vec();
    store[6] = Note { file, age_days, ..store[6] };
    let kind_of = |note: &Note| {
        if note.file == file { kind } else { note.file.split('_').next().and_then(Type::parse) }
    };
    let ranking = ranked(&store, &kind_of, "the payouts stall at night, who looks into refunds?", &[], true, &[]);
    let chosen = ranking.selected.iter().map(|one| (one.doc, one.score));
    let left_out = ranking.skipped.iter().map(|one| (one.doc, one.score));
    chosen.chain(left_out).find(|(doc, _)| *doc == 6).unwrap().1
}

#[test]
fn r11_recency_counts_with_today_and_yesterday_alike() {
    let aged = |days| score("reference_runbook.md", Some(Type::Reference), days);
    assert_eq!(aged(0).to_bits(), aged(1).to_bits());
    assert!(aged(1) > aged(2) && aged(2) > aged(30) && aged(30) > aged(400));
}

#[test]
fn r11_type_counts() {
    let typed = |kind| score("runbook.md", kind, 30);
    // What is going on in a project is seldom what a prompt needs, all else being equal.
    for kind in [Type::User, Type::Feedback, Type::Reference] {
        assert!(typed(Some(kind)) > typed(None) && typed(None) > typed(Some(Type::Project)), "{kind:?}");
    }
}

#[test]
fn r11_path_and_file_name_count() {
    let filed = |file| score(file, Some(Type::Reference), 30);
    let plain = filed("reference_runbook.md");
    assert!(filed("reference_refunds.md") > plain, "a word of the prompt is the file's name");
    assert!(filed("refunds/reference_runbook.md") > plain, "a word of the prompt is in its path");
}

#[test]
fn of_two_versions_of_a_fact_the_newer_is_shown() {
    let (selected, skipped) = asked("where does our ci pipeline run?", &[], true, &[]);
    assert_eq!(selected[0], "project_ci_actions.md");
    assert!(!selected.contains(&"project_ci_jenkins.md".to_owned()));
    let (_, reason) = skipped.iter().find(|(file, _)| file == "project_ci_jenkins.md").unwrap();
    assert!(reason.contains("project_ci_actions.md"), "{reason}");
}

#[test]
fn without_vectors_words_alone_decide() {
    let (selected, _) = asked("who may create linear issues without a label in triage", &[], false, &[]);
    assert_eq!(selected.first().map(String::as_str), Some("feedback_linear_labels.md"));
    assert_eq!(asked("rename this variable to snake case", &[], false, &[]).0, Vec::<String>::new());
}

#[test]
fn r6_one_word_is_too_little() {
    assert_eq!(chosen("postgres"), Vec::<String>::new());
}

#[test]
fn the_same_prompt_gets_the_same_answer() {
    assert_eq!(chosen("is a deploy on 2026-05-12 fine?"), chosen("is a deploy on 2026-05-12 fine?"));
}

#[test]
fn experience_with_one_memory_leaves_the_others_as_they_are() {
    let scores = |store: &[Note]| {
        let ranking = ranked(store, &|_| None, "how does the CI pipeline run our integration tests?", &[], true, &[]);
        let skipped = ranking.skipped.into_iter().map(|one| (one.doc, one.score));
        let mut all: Vec<(u32, f32)> =
            ranking.selected.into_iter().map(|one| (one.doc, one.score)).chain(skipped).collect();
        all.sort_by_key(|(doc, _)| *doc);
        all
    };
    let before = scores(&STORE);
    for rating in [Rating::NotUseful, Rating::Always] {
        let mut store = STORE;
        store[0].experience.rating = Some(rating);
        let after = scores(&store);
        assert_eq!(before[1..], after[1..], "{rating:?}");
        assert_eq!(before[0].1 < after[0].1, rating == Rating::Always, "{before:?} {after:?}");
    }
}

#[test]
fn r4_what_is_close_and_known_already_is_named() {
    let store = |surfaced: &[&str]| {
        ranked(&STORE, &|_| None, "may integration tests use a database mock?", &[], true, surfaced)
    };
    assert!(store(&[]).seen.is_empty());
    assert_eq!(store(&["feedback_no_mocks.md", "user_role.md"]).seen, [0], "what is far is not");
}

#[test]
fn grounds_hold_no_word_of_the_prompt() {
    let ranking = ranked(&STORE, &|_| None, "may integration tests use a database mock?", &[], true, &[]);
    let (why, grounds) = (&ranking.selected[0].why, &ranking.selected[0].grounds);
    assert!(
        why.contains("“") && !grounds.contains("“") && grounds.contains("words of the prompt"),
        "{why} / {grounds}"
    );
}
