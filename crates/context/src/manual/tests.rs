//! The manual says what it must, in every mode, and nothing that changes.

use super::*;
use proptest::prelude::*;

const DIR: &str = "/home/me/.claude/projects/-home-me-app/memory";
const TEAM: &str = "/home/me/.claude/projects/-home-me-app/memory/team";
const SEARCH: SearchDirs<'_> = SearchDirs { memory: DIR, transcripts: "/home/me/.claude/projects/-home-me-app" };
const NORMAL: ManualInput<'_> = ManualInput {
    dir: DIR,
    team_dir: None,
    mode: Mode::Normal,
    index_required: true,
    search: None,
    extra: None,
    agent: None,
};
const INDEX: &str = "- [Commits](feedback_keep_commits.md) — never squash\n";

fn manual(input: &ManualInput<'_>) -> String {
    lines(input, &mut Prompts::built_in()).unwrap()
}

/// Every manual there is, by the name of its golden file.
fn goldens() -> Vec<(&'static str, String)> {
    let agent = |scope| ManualInput { agent: Some(scope), ..NORMAL };
    let with = |input| with_index(&input, INDEX, &mut Prompts::built_in()).unwrap();
    vec![
        ("manual-normal", manual(&NORMAL)),
        ("manual-no-index", manual(&ManualInput { index_required: false, ..NORMAL })),
        (
            "manual-search-extra",
            manual(&ManualInput { search: Some(SEARCH), extra: Some("Prefer few, good memories."), ..NORMAL }),
        ),
        ("manual-team", manual(&ManualInput { mode: Mode::Team, team_dir: Some(TEAM), ..NORMAL })),
        ("manual-log", manual(&ManualInput { mode: Mode::Log, ..NORMAL })),
        ("manual-agent-user", with(agent(AgentScope::User))),
        ("manual-agent-project", with(agent(AgentScope::Project))),
        ("manual-agent-local", with(agent(AgentScope::Local))),
    ]
}

fn golden_path(name: &str) -> String {
    format!("{}/tests/snapshots/{name}.md", env!("CARGO_MANIFEST_DIR"))
}

#[test]
#[allow(clippy::disallowed_methods)] // blessing rewrites the golden files
fn manuals_are_the_golden_ones_byte_for_byte() {
    let mut changed = String::new();
    for (name, text) in goldens() {
        if option_env!("MEMDIR_BLESS").is_some() {
            std::fs::write(golden_path(name), &text).unwrap();
        }
        let golden = std::fs::read_to_string(golden_path(name)).unwrap_or_default();
        if golden != text {
            let patch = diffy::create_patch(&golden, &text).to_string();
            changed.extend(["\n", name, ".md:\n", &patch]);
        }
    }
    assert!(
        changed.is_empty(),
        "the manual changed. If that is meant, run `MEMDIR_BLESS=1 cargo test -p memdir-context golden` \
         and review the difference:\n{changed}"
    );
}

/// The text of one `##` part.
fn part<'m>(manual: &'m str, heading: &str) -> &'m str {
    let start = manual.find(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no {heading}"));
    let body = &manual[start + heading.len() + 5..];
    body.find("\n## ").map_or(body, |end| &body[..end])
}

fn between<'m>(text: &'m str, open: &str, close: &str) -> Vec<&'m str> {
    text.split(open).skip(1).map(|rest| rest.split(close).next().unwrap()).collect()
}

#[test]
fn m1_eight_parts_in_order_in_every_mode() {
    let headings = [
        "# Memory",
        "## Remember and forget",
        "## Types of memory",
        "## What not to save",
        "## How to save",
        "## When to access",
        "## Before recommending from memory",
        "## Memory, plans and tasks",
    ];
    for (name, text) in goldens() {
        let mut from = 0;
        for heading in headings {
            let line = format!("{heading}\n");
            let at = text[from..].find(&line).unwrap_or_else(|| panic!("{name}: no {heading}"));
            from += at + line.len();
        }
    }
}

#[test]
fn m1_introduction_names_the_directory_and_that_it_exists() {
    for (name, text) in goldens() {
        let intro = text.split("\n## ").next().unwrap();
        assert!(intro.contains(&format!("`{DIR}`")), "{name}");
        assert!(intro.contains("already"), "{name}");
    }
}

#[test]
fn m1_save_at_once_and_forget_when_asked() {
    let text = manual(&NORMAL);
    let asked = part(&text, "Remember and forget");
    for word in ["remember", "at once", "forget", "remove"] {
        assert!(asked.contains(word), "{word}");
    }
}

#[test]
fn m1_four_types_in_the_tagged_form_with_one_example_each() {
    for (name, text) in goldens() {
        let types = between(&text, "<types>", "</types>");
        assert_eq!(types.len(), 1, "{name}");
        let blocks = between(types[0], "<type>", "</type>");
        assert_eq!(blocks.len(), 4, "{name}");
        for (block, kind) in blocks.iter().zip(Type::ALL) {
            assert_eq!(between(block, "<name>", "</name>"), [kind.as_str()]);
            for tag in ["description", "when_to_save", "how_to_use", "body_structure", "examples"] {
                let found = between(block, &format!("<{tag}>"), &format!("</{tag}>"));
                assert!(found.len() == 1 && found[0].len() > 20, "{name}: {kind}: {tag}");
            }
            let example = between(block, "<examples>", "</examples>")[0];
            assert_eq!(example.matches("\nuser: ").count(), 1, "{kind}");
            assert_eq!(example.matches(&format!("\n[save {kind} memory: ")).count(), 1, "{kind}");
        }
        // F3, F4, Z4 and the person's dignity, each in the block it belongs to.
        for structured in [blocks[1], blocks[2]] {
            assert!(structured.contains("**Why:**") && structured.contains("**How to apply:**"));
        }
        assert!(blocks[0].contains("negative judgement"));
        assert!(blocks[1].contains("confirmed") && blocks[1].contains("Silence is not"));
        assert!(blocks[2].contains("relative dates") && blocks[2].contains("YYYY-MM-DD"));
    }
}

#[test]
fn m1_exclusions_hold_on_request_with_a_question_back() {
    for (name, text) in goldens() {
        let not = part(&text, "What not to save");
        let bullets = not.lines().filter(|line| line.starts_with("- ")).count();
        assert_eq!(bullets, 6, "{name}");
        for word in ["architecture", "Git history", "Debugging", "CLAUDE.md", "current task"] {
            assert!(not.contains(word), "{name}: {word}");
        }
        let after = not.rsplit("\n- ").next().unwrap();
        for word in ["even when the user asks", "ask back", "surprising", "?"] {
            assert!(after.contains(word), "{name}: {word}");
        }
    }
}

#[test]
fn m1_two_step_save_with_flat_frontmatter_and_pointer_form() {
    let text = manual(&NORMAL);
    let save = part(&text, "How to save");
    let (first, second) = (save.find("Step one").unwrap(), save.find("Step two").unwrap());
    let frontmatter = between(save, "---\n", "---\n")[0];
    let keys: Vec<&str> = frontmatter.lines().filter_map(|l| l.split(':').next()).collect();
    assert_eq!(keys, ["name", "description", "type"]);
    for kind in Type::ALL {
        assert!(frontmatter.lines().last().unwrap().contains(kind.as_str()));
    }
    let pointer = save.find("- [Title](file.md) — hook").unwrap();
    assert!(first < second && second < pointer);
    assert!(save.contains("MEMORY.md"));
    assert!(save.contains(&format!("{INDEX_LINES} lines")));
    assert!(save.contains(&format!("{POINTER_CHARS} characters")));
}

#[test]
fn i5_without_index_there_is_one_step_and_no_pointer() {
    let text = manual(&ManualInput { index_required: false, ..NORMAL });
    let save = part(&text, "How to save");
    assert!(save.contains("name: ") && !save.contains("MEMORY.md") && !save.contains("Step"));
}

#[test]
fn m1_access_when_relevant_must_when_asked_empty_when_ignored() {
    let text = manual(&NORMAL);
    let access = part(&text, "When to access");
    for word in ["bear on the task", "must look when the user asks", "ignore", "as if it were empty"] {
        assert!(access.contains(word), "{word}");
    }
}

#[test]
fn m1_names_are_claims_to_check() {
    let text = manual(&NORMAL);
    let before = part(&text, "Before recommending from memory");
    for word in ["file", "function", "flag", "check that it is there", "search the code"] {
        assert!(before.contains(word), "{word}");
    }
}

#[test]
fn m1_plan_tasks_and_memory_are_told_apart() {
    let text = manual(&NORMAL);
    let kinds = part(&text, "Memory, plans and tasks");
    for word in ["plan", "approach", "Tasks", "this conversation", "later conversations"] {
        assert!(kinds.contains(word), "{word}");
    }
}

#[test]
fn m3_nothing_in_it_changes_with_date_clock_or_counts() {
    for (name, text) in goldens() {
        let fixed =
            text.replace(&format!("{INDEX_LINES} lines"), "").replace(&format!("{POINTER_CHARS} characters"), "");
        let digits: String = fixed.chars().filter(char::is_ascii_digit).collect();
        assert_eq!(digits, "", "{name} holds digits that are no limit");
        for word in ["{{", "}}", "today is", "yesterday", "currently"] {
            assert!(!text.to_lowercase().contains(word), "{name}: {word}");
        }
    }
}

#[test]
fn normal_manual_is_short_enough_for_a_small_model() {
    let length = manual(&NORMAL).len();
    assert!(length <= 6 * 1024, "{length} bytes");
}

#[test]
fn manuals_are_tidy_text() {
    for (name, text) in goldens() {
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{name}");
        assert!(!text.contains("\n\n\n") && !text.contains(" \n") && !text.contains('\r'), "{name}");
    }
}

#[test]
fn m2_the_levels_build_on_each_other() {
    let mut prompts = Prompts::built_in();
    let only = manual(&NORMAL);
    let whole = with_index(&NORMAL, INDEX, &mut prompts).unwrap();
    assert_eq!(whole, format!("{only}\n## MEMORY.md\n\n{INDEX}"));
    let empty = with_index(&NORMAL, " \n", &mut prompts).unwrap();
    assert!(empty.starts_with(&only) && !empty.trim_end().ends_with("MEMORY.md"));
}

#[test]
fn m5_extra_guidelines_come_last_and_as_they_are() {
    let extra = "Save nothing about {{dir}}.\n\n- really";
    let text = manual(&ManualInput { extra: Some(extra), ..NORMAL });
    assert!(text.ends_with(&format!("\n\n{extra}\n")));
    assert_eq!(manual(&ManualInput { extra: Some(" \n"), ..NORMAL }), manual(&NORMAL));
}

#[test]
fn m5_extra_guidelines_are_bounded_and_the_cut_is_said() {
    let long = "é".repeat(PROMPT_BYTES);
    let mut prompts = Prompts::built_in();
    let text = lines(&ManualInput { extra: Some(&long), ..NORMAL }, &mut prompts).unwrap();
    assert!(text.len() < manual(&NORMAL).len() + PROMPT_BYTES + 3);
    assert!(prompts.warnings()[0].to_string().contains("`extra`"));
}

#[test]
fn m6_search_goes_to_memory_first_and_to_transcripts_last() {
    let text = manual(&ManualInput { search: Some(SEARCH), ..NORMAL });
    let search = part(&text, "Searching past context");
    let memory = search.find(&format!("'*.md' -e 'TERM' {}`", SEARCH.memory)).unwrap();
    let transcripts = search.find(&format!("'*.jsonl' -e 'TERM' {}`", SEARCH.transcripts)).unwrap();
    assert!(memory < transcripts);
    assert!(search.contains("Never read a transcript whole"));
}

#[test]
fn m6_a_directory_cannot_become_a_command() {
    let dirs = SearchDirs { memory: "/m/$(rm -rf ~)`x`", transcripts: "/it's" };
    let text = manual(&ManualInput { search: Some(dirs), ..NORMAL });
    assert!(text.contains(r"'/m/$(rm -rf ~)`x`'"));
    assert!(text.contains(r"'/it'\''s'"));
}

#[test]
fn t2_scope_stands_in_each_block_and_secrets_never_go_to_the_team() {
    let team = manual(&ManualInput { mode: Mode::Team, team_dir: Some(TEAM), ..NORMAL });
    let want = ["always private", "private; team only", "team, unless", "usually team"];
    for (block, want) in between(&team, "<type>", "</type>").iter().zip(want) {
        let scopes = between(block, "<scope>", "</scope>");
        assert!(scopes.len() == 1 && scopes[0].starts_with(want), "{scopes:?}");
    }
    let rules = part(&team, "Private or team");
    assert!(rules.contains("Secrets never go into team memory"));
    assert!(rules.contains("personal stays private"));
    assert!(team.contains(&format!("`{TEAM}`")));
    assert!(!manual(&NORMAL).contains("<scope>"));
}

#[test]
fn t2_team_mode_needs_a_directory_and_normal_mode_ignores_one() {
    let team = ManualInput { mode: Mode::Team, ..NORMAL };
    assert_eq!(lines(&team, &mut Prompts::built_in()), Err(RenderError::NoTeamDirectory));
    assert_eq!(manual(&ManualInput { team_dir: Some(TEAM), ..NORMAL }), manual(&NORMAL));
}

#[test]
fn l1_log_mode_has_the_pattern_and_no_index_upkeep() {
    let text = manual(&ManualInput { mode: Mode::Log, dir: "/m/", ..NORMAL });
    let save = part(&text, "How to save");
    assert!(save.contains("`/m/logs/YYYY/MM/YYYY-MM-DD.md`"));
    for word in ["Append only", "- HH:MM [", "message of its own", "no pointers"] {
        assert!(save.contains(word), "{word}");
    }
    assert!(!save.contains("- [Title](file.md)"));
}

#[test]
fn g2_agents_get_the_same_manual_with_one_guideline_by_scope() {
    let normal = manual(&NORMAL);
    let mut seen = Vec::new();
    for scope in [AgentScope::User, AgentScope::Project, AgentScope::Local] {
        let text = manual(&ManualInput { agent: Some(scope), ..NORMAL });
        let added: Vec<&str> = text.lines().filter(|line| !normal.contains(line)).collect();
        assert_eq!(added.len(), 1, "{added:?}");
        seen.push(added[0].to_owned());
    }
    assert!(seen[0].contains("every project"));
    assert!(seen[1].contains("version control") && seen[1].contains("this project"));
    assert!(seen[2].contains("this machine") && seen[2].contains("not under version control"));
}

#[test]
fn an_own_part_is_used_and_a_broken_frame_is_not() {
    let mut prompts = Prompts::with_own([("where", "Notes: {{dir}}"), ("manual", "My manual.")]);
    let text = lines(&NORMAL, &mut prompts).unwrap();
    assert!(text.starts_with(&format!("# Memory\n\nNotes: {DIR}\n")));
    assert!(matches!(prompts.warnings(), [PromptWarning::Broken { name, .. }] if name == "manual"));
}

proptest! {
    #[test]
    fn any_directory_gives_stable_text_on_its_own_line(dir in r"/(\PC|\n|\{\{dir\}\}){0,20}") {
        let input = ManualInput { dir: &dir, ..NORMAL };
        let text = manual(&input);
        prop_assert_eq!(&text, &manual(&input));
        prop_assert_eq!(text.lines().count(), manual(&NORMAL).lines().count());
    }
}
