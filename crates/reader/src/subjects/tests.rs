//! Sentences as people write them, and what each of their parts does.

use super::*;

fn read(text: &str) -> Vec<(Stance, String)> {
    let clauses = Subjects::of("", "", text).clauses.into_iter();
    clauses
        .map(|clause| (clause.stance, clause.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")))
        .collect()
}

#[test]
fn v1_a_sentence_is_divided_by_what_its_parts_do() {
    use Stance::*;
    for (text, want) in [
        ("Use pnpm, never npm or yarn.", &[(Prescribes, "use pnpm"), (Forbids, "never npm or yarn")][..]),
        ("Never npm; always pnpm", &[(Forbids, "never npm"), (Prescribes, "always pnpm")]),
        ("pnpm instead of npm", &[(Prescribes, "pnpm"), (Forbids, "instead of npm")]),
        ("Instead of npm use pnpm", &[(Forbids, "instead of npm"), (Prescribes, "use pnpm")]),
        ("Files in db/migrations are never edited", &[(Forbids, "files in db/migrations are never edited")]),
        ("Force pushes are forbidden", &[(Forbids, "force pushes are forbidden")]),
        ("Run `make lint` before committing", &[(Prescribes, "run make lint"), (When, "before committing")]),
        (
            "After changing schema.prisma, run `prisma generate`",
            &[(When, "after changing schema.prisma"), (Prescribes, "run prisma generate")],
        ),
        (
            "Never push without running `make check`",
            &[(Forbids, "never push"), (Exempts, "without running make check")],
        ),
        (
            "Never force push, the release job reads the history",
            &[(Forbids, "never force push"), (Explains, "the release job reads the history")],
        ),
        ("Prefer uv over pip", &[(Prescribes, "prefer uv"), (Disfavours, "over pip")]),
        ("Niemals npm verwenden, sondern pnpm", &[(Forbids, "niemals npm verwenden sondern pnpm")]),
        ("用 pnpm，不要用 npm", &[(Prescribes, "用 pnpm"), (Forbids, "不要 用 npm")]),
        ("提交前必须运行 `make lint`", &[(When, "提交 前"), (Prescribes, "必须 运行 make lint")]),
        ("`make zebra` needs LEDGER_TLS=1", &[(Explains, "make zebra needs ledger_tls=1")]),
    ] {
        let found = read(text);
        let found: Vec<(Stance, &str)> = found.iter().map(|(stance, words)| (*stance, words.as_str())).collect();
        assert_eq!(found, want, "{text}");
    }
}

#[test]
fn v1_activities_and_files_are_known_in_several_languages() {
    for (text, activity) in [
        ("Never force-push to main", "force-push"),
        ("Erzwungene Pushes: nie; Force-Push ist verboten", "force-push"),
        ("Nunca despliegues los viernes", "deploy"),
        ("不要强制推送", "force-push"),
        ("Migrationen werden nie geändert", "migrate"),
    ] {
        let clauses = Subjects::of("", "", text).clauses;
        let forbids = clauses.iter().filter(|clause| clause.stance == Stance::Forbids);
        assert!(forbids.flat_map(|clause| &clause.activities).any(|found| found == activity), "{text}: {clauses:?}");
    }
    let subjects = Subjects::of("Lock files", "", "x");
    assert_eq!(subjects.clauses[0].files, ["lock-file"]);
    assert!(subjects.keys().contains(&"%lock-file".to_owned()));
}

#[test]
fn v1_what_is_understood_can_be_written_down() {
    let subjects = Subjects::of("Use `pnpm`", "Never NPM", "Because of the lock file.");
    let written = serde_json::to_string(&subjects).unwrap();
    assert_eq!(serde_json::from_str::<Subjects>(&written).unwrap(), subjects);
}
