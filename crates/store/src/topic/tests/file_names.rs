//! File names of new memories.

use proptest::prelude::*;

use super::*;
use memdir_core::limits;

#[test]
fn names_are_type_and_lower_snake() {
    let feedback = Some(Type::Feedback);
    let table = [
        (feedback, "No database mocks!", "feedback_no_database_mocks.md"),
        (feedback, "feedback: terse", "feedback_terse.md"),
        (feedback, "Feedback", "feedback_note.md"),
        (feedback, "Don't push to Mara’s branch", "feedback_dont_push_to_maras_branch.md"),
        (feedback, "Rock 'n' roll, l'API", "feedback_rock_n_roll_l_api.md"),
        (feedback, "feedback feedback", "feedback_note.md"),
        (feedback, "", "feedback_note.md"),
        (feedback, "../../etc/passwd", "feedback_etc_passwd.md"),
        (Some(Type::Project), "上线时间 2026", "project_上线时间_2026.md"),
        (Some(Type::User), "Cafe\u{301} Ünï", "user_café_ünï.md"),
        (Some(Type::User), "हिन्दी", "user_हिन्दी.md"),
        (None, "Plain", "plain.md"),
        (None, "MEMORY", "note_memory.md"),
        (None, "memory.md", "memory_md.md"),
        (None, "CON", "note_con.md"),
        (None, "com1", "note_com1.md"),
        (None, "LPT³", "note_lpt³.md"),
        (None, "...", "note.md"),
        (None, ".hidden", "hidden.md"),
        (None, "\u{301}a", "a.md"),
        (None, "a\u{202e}b\u{0}c", "a_b_c.md"),
    ];
    for (kind, name, wanted) in table {
        assert_eq!(file_name(kind, name, &|_| false), wanted, "{name:?}");
    }
}

#[test]
fn a_taken_name_gets_a_number() {
    let taken = ["user_role.md", "user_role_2.md"];
    assert_eq!(file_name(Some(Type::User), "Role", &|name| taken.contains(&name)), "user_role_3.md");
    let long = "word ".repeat(40);
    let first = file_name(None, &long, &|_| false);
    let second = file_name(None, &long, &|name| name == first);
    assert!(second.ends_with("_word_2.md"), "{second}");
    // It ends even if everything is taken.
    assert!(file_name(None, "x", &|_| true).starts_with("x_"));
}

#[test]
fn a_long_name_is_cut_at_a_word_that_costs_less_than_half() {
    let room = limits::FILE_NAME_BYTES - ".md".len();
    let made = |name: &str| file_name(None, name, &|_| false);
    let (half, rest) = ("a".repeat(room / 2), "b".repeat(room));
    assert_eq!(made(&"a".repeat(room)), format!("{}.md", "a".repeat(room)));
    assert_eq!(made(&format!("{half} {rest}")), format!("{half}_{}.md", &rest[..room - half.len() - 1]));
    assert_eq!(made(&format!("{half}a {rest}")), format!("{half}a.md"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_name_fits_everywhere(
        kind in prop::option::of(prop::sample::select(&Type::ALL)),
        name in any::<String>(),
        taken in 0..30_usize,
    ) {
        let asked = std::cell::Cell::new(0);
        let is_taken = |_: &str| asked.replace(asked.get() + 1) < taken;
        let made = file_name(kind, &name, &is_taken);
        prop_assert!(made.len() <= limits::FILE_NAME_BYTES && made.len() > 3);
        prop_assert!(!made.starts_with(['.', '_', '-']) && !made.eq_ignore_ascii_case("MEMORY.md"));
        let forbidden = |letter: char| letter.is_control() || "/\\:*?\"<>| ".contains(letter);
        prop_assert!(!made.contains(forbidden));
        let stem = made.strip_suffix(".md").unwrap();
        prop_assert!(!["con", "prn", "aux", "nul", "com1", "lpt9"].contains(&stem));
    }
}
