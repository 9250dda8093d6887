use proptest::prelude::*;

use super::*;

#[test]
fn names_are_short_and_clean() {
    for (text, want) in [
        ("Never mock the database in integration tests.", "Never mock the database"),
        ("please remember that we ship on Tuesdays, always", "We ship on Tuesdays"),
        ("**Use tabs**, not spaces, in Go files.", "Use tabs, not spaces"),
        ("- use `pnpm` here; npm rewrites the lockfile", "Use pnpm here"),
        ("pnpm-lock.yaml is generated", "pnpm-lock.yaml is generated"),
        ("Board api-latency at grafana.sable.internal/d/api-latency; check it", "Board api-latency"),
        ("# Deploys\n\n- **Never** on a Friday", "Deploys"),
        ("注释用中文，标识符用英文。", "注释用中文"),
        ("请记住:回答尽量简短,不要铺垫", "回答尽量简短"),
        ("Terse. No summary at the end of replies.", "Terse. No summary"),
        (
            "the on-call rota (gw-core, see Opsgenie) moves to Lisbon in May because of the new office there",
            "On-call rota (gw-core, see Opsgenie)",
        ),
        ("\n\n**Why:** only a reason", "Why: only a reason"),
        ("...", ""),
        ("", ""),
    ] {
        assert_eq!(title(text), want, "{text:?}");
    }
}

#[test]
fn a_long_sentence_is_called_by_its_topic_in_every_language() {
    for (text, want, file) in [
        (
            "From now on, always run the flaky payment tests three times before you call them broken",
            "Always run the flaky payment tests",
            "run flaky payment tests",
        ),
        (
            "for your memory: our staging database is reset every night at 3 am UTC by the job in infra",
            "Staging database",
            "Staging database",
        ),
        (
            "Never deploy the billing service on a Friday afternoon",
            "Never deploy the billing service",
            "Never deploy the billing service",
        ),
        (
            "Bitte merke dir, dass wir ab sofort nur noch pnpm statt npm verwenden",
            "Wir ab sofort nur noch pnpm",
            "pnpm",
        ),
        (
            "Recuerda que los despliegues a producción se hacen solo los martes",
            "Despliegues a producción",
            "Despliegues a producción",
        ),
        (
            "À partir de maintenant, écris les messages de commit en anglais même si nous parlons en français",
            "Écris les messages de commit",
            "Écris les messages de commit",
        ),
        ("从现在开始，所有的数据库迁移脚本都必须先在预发环境跑一遍", "所有的数据库迁移脚本", "所有的数据库迁移脚本"),
        ("今後はテストを書く前に必ず仕様書を確認してください", "テストを書く", "テストを書く"),
        (
            "앞으로 API 응답 형식을 바꿀 때는 반드시 모바일 팀에 먼저 알려 주세요",
            "API 응답 형식을 바꿀",
            "API 응답 형식을 바꿀",
        ),
    ] {
        let name = title(text);
        assert_eq!(name, want, "{text:?}");
        assert_eq!(file_words(&name), file, "{text:?}");
    }
}

#[test]
fn the_words_that_ask_for_it_are_no_part_of_a_fact() {
    for (text, want) in [
        ("From now on use pnpm.", "use pnpm."),
        ("Use pnpm from now on.", "Use pnpm."),
        ("Use pnpm, please", "Use pnpm"),
        ("Ok so please remember that we use pnpm, going forward!", "we use pnpm!"),
        ("Ab sofort nur pnpm", "nur pnpm"),
        ("Usa pnpm a partir de ahora", "Usa pnpm"),
        ("please", "please"),
    ] {
        assert_eq!(fact(text), want, "{text:?}");
    }
}

#[test]
fn summaries_are_whole_sentences_where_they_fit() {
    assert_eq!(summary("One. Two.\n\n**Why:** three."), "One. Two.");
    let long = format!("First one. {}.", "word ".repeat(60).trim());
    assert_eq!(summary(&long), "First one.");
    let endless = "word ".repeat(100);
    let got = summary(&endless);
    assert!(got.ends_with("word…") && got.chars().count() <= DESCRIPTION_CHARS, "{got}");
    let chinese = "这是一个很长的句子".repeat(40);
    assert_eq!(summary(&chinese).chars().count(), DESCRIPTION_CHARS);
    assert_eq!(summary("# Rule\nUse *tabs*."), "Rule Use tabs.");
}

#[test]
fn a_name_drops_its_article_and_ends_with_a_word_that_carries_it() {
    for (text, want) in [
        ("The staging server is called heron", "Staging server"),
        ("Our supplier for oak is Lindqvist & Söner, they deliver on Tuesdays", "Supplier for oak"),
        ("The key to the boathouse hangs behind the red door", "Key to the boathouse"),
        ("Mrs. Okafor prefers appointments before 10 in the morning", "Mrs. Okafor"),
        ("I am a paralegal and I have never used git", "I am a paralegal"),
        ("For patients under 12 we use the small cuff", "For patients under 12"),
        ("I don't like it when you apologise, just fix it", "I don't like it when you apologise"),
        ("Rechnungen über 5000 Euro brauchen immer zwei Unterschriften", "Rechnungen über 5000 Euro"),
        ("Die Quartalsberichte gehen bis zum 15. an Leila", "Quartalsberichte gehen"),
        ("Freitags wird nicht nach main gepusht, weil dann der Zug fährt", "Freitags wird nicht nach main gepusht"),
        ("Las facturas de más de 5000 euros necesitan dos firmas", "Facturas de más de 5000 euros"),
        ("Los precios del catálogo no incluyen IVA", "Precios del catálogo no incluyen IVA"),
        // What is meant as a name stays as it is.
        ("# The plan\n\nWe ship in May.", "The plan"),
        ("The", "The"),
    ] {
        assert_eq!(title(text), want, "{text:?}");
    }
}

proptest! {
    #[test]
    fn limits_hold_for_every_text(text in "(?s).{0,400}") {
        let title = title(&text);
        prop_assert!(title.chars().count() <= TITLE_CHARS, "{title:?}");
        prop_assert!(!title.contains('\n') && title.trim() == title);
        let summary = summary(&text);
        prop_assert!(summary.chars().count() <= DESCRIPTION_CHARS);
        prop_assert!(!summary.contains('\n'));
    }
}
