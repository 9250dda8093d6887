use super::DiscardReason::{
    Announcement, CodeStructure, Courtesy, DebugRecipe, FilePath, ForNow, GitHistory, Hearsay, NotMeant, Question,
    SmallTalk, TaskState, Undecided,
};
use super::*;

#[test]
fn f7_what_the_code_and_git_already_say() {
    let table: &[(&str, DiscardReason)] = &[
        ("the auth module is in src/auth/mod.rs", FilePath),
        ("they're computed in metrics/latency.py", FilePath),
        ("docs/glossary.md", FilePath),
        ("入口在 src/main.ts", FilePath),
        ("src/api has handlers, src/db has queries, src/jobs has workers.", CodeStructure),
        ("the class LegacyController handles /api/legacy", CodeStructure),
        ("commit abc123 renamed foo", GitHistory),
        ("PR #123, #124 merged this week", GitHistory),
        ("PRs 401, 404, 409, 415 and 420 were merged.", GitHistory),
        ("remember the list of PRs I have to review this week: 1201, 1207, 1213", GitHistory),
        ("feat/modal, feat/bulk, fix/typo are open.", GitHistory),
        ("PR #88 昨天合并", GitHistory),
        ("fixed the NPE by adding a null check in Foo.java", DebugRecipe),
        ("Added a null check in InvoiceMapper line 88.", DebugRecipe),
        ("The overflow in the fee table was fixed by checking the length first.", DebugRecipe),
        ("空指针修复了,加了判空", DebugRecipe),
        ("currently working on step 3 of the refactor", TaskState),
        ("Step 3 of 5 is done.", TaskState),
        ("TODO next: finish tests", TaskState),
        ("Finished the modal, tests are running.", TaskState),
        ("我们正在改第三步", TaskState),
        ("下一步:补测试", TaskState),
        ("User was happy with the answer.", Courtesy),
        ("User said thanks.", Courtesy),
        ("用户很满意", Courtesy),
    ];
    for (text, want) in table {
        assert_eq!(not_worth(text), Some(*want), "{text:?}");
    }
}

#[test]
fn f7_rules_reasons_decisions_people_and_pointers_are_kept() {
    for text in [
        "never touch src/legacy by hand: it is generated from the vendor's dump",
        "src/legacy/dump.rs is vendored because the supplier sends it as it is",
        "apps/lti has both paths.\n\n**Why:** two schools run an LMS from 2016.",
        "I prefer reading diffs to summaries",
        "We dropped GraphQL on 2026-04-09: three partners could not cache it",
        "Pipeline bugs are tracked in the Linear project INGEST",
        "grafana.internal/d/checkout-latency is what oncall watches",
        "Marguerite owns the pricing rules",
        "Keep pull requests below 300 changed lines",
        "Hanna is rewriting the importer until 2026-05-15, step 2 of 3",
        "Always run the linter before you commit",
        "we're in the middle of an acquisition, no new vendors until it closes",
        "灰度先放 5%,观察两天",
        "Todoist is where the team plans",
        "wipe the scratch disk of the bench every night",
        "接口文档在语雀「小程序/接口」",
        "提交信息要写清楚为什么改",
        "User was happy with the small CSV of diffs because the analysts compare it",
        "",
    ] {
        assert_eq!(not_worth(text), None, "{text:?}");
    }
}

#[test]
fn how_something_is_said_speaks_against_it_where_every_sentence_does() {
    for (text, want) in [
        ("ok", SmallTalk),
        ("scratch that", NotMeant),
        ("we might move to another cloud", Undecided),
        ("the readme says to pin versions", Hearsay),
        ("let me explain the setup", Announcement),
        ("which port is it?", Question),
        ("for now hardcode it", ForNow),
        ("ok. is it the staging one?", SmallTalk),
    ] {
        assert_eq!(not_worth(text), Some(want), "{text}");
        assert!(!want.stands_elsewhere());
    }
    assert_eq!(not_worth("is it the staging one? deploys go through the portal"), None);
}

#[test]
fn f7_a_poor_reason_saves_nothing() {
    let note = "src/api has handlers, src/db has queries.\n\n**Why:** Helps to find files.";
    assert_eq!(not_worth(note), Some(CodeStructure));
}

#[test]
fn f7_each_verdict_explains_itself_and_asks_back() {
    for kind in [
        CodeStructure,
        FilePath,
        GitHistory,
        DebugRecipe,
        TaskState,
        Courtesy,
        SmallTalk,
        NotMeant,
        Undecided,
        Hearsay,
        Announcement,
        Question,
        ForNow,
    ] {
        assert!(kind.why().ends_with('.') && kind.question().ends_with('?'));
    }
}
