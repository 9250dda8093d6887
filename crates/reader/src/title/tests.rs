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
            "Always run the flaky payment tests three times",
            "run flaky payment tests three",
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
            "Nur noch pnpm statt npm verwenden",
            "pnpm statt npm verwenden",
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
        ("From now on use pnpm.", "Use pnpm."),
        ("Use pnpm from now on.", "Use pnpm."),
        ("Use pnpm, please", "Use pnpm"),
        ("Ok so please remember that we use pnpm, going forward!", "We use pnpm!"),
        ("Ab sofort nur pnpm", "Nur pnpm"),
        ("Usa pnpm a partir de ahora", "Usa pnpm"),
        ("please", "please"),
        ("Hey Claude, just so you know, the demo resets at noon", "The demo resets at noon"),
        ("PSA: the proxy drops uploads over 25 MB", "The proxy drops uploads over 25 MB"),
        ("IMPORTANT!! never seed production", "Never seed production"),
        ("can you please keep in mind that our clients are dentists", "our clients are dentists"),
        ("I want you to know that the wiki is out of date, thanks!", "The wiki is out of date!"),
        ("remember we tag releases by hand", "we tag releases by hand"),
        ("remember to update the changelog", "update the changelog"),
        ("note to self: exports break without a VAT id", "exports break without a VAT id"),
        ("For what it's worth, the cache is warm at six", "The cache is warm at six"),
        ("so we use tabs", "we use tabs"),
        ("Merk dir bitte, dass der Server nachts neu startet", "Der Server nachts neu startet"),
        ("Denk bitte in Zukunft daran, Jonas zu fragen", "Jonas zu fragen"),
        ("N'oublie pas que les prix sont hors taxes, stp", "Les prix sont hors taxes"),
        ("Ten en cuenta que el proxy corta a los 30 segundos", "El proxy corta a los 30 segundos"),
        ("Tieni presente che il lunedì è festa", "Il lunedì è festa"),
        ("Lembra-te de que o proxy tem cache", "O proxy tem cache"),
        ("麻烦记住，金额单位是分", "金额单位是分"),
        // Such words can be part of the fact, too.
        ("Remember me tokens live for 30 days", "Remember me tokens live for 30 days"),
        ("Note the difference between trunk and main", "Note the difference between trunk and main"),
        ("Memory: 4 GB is all the runners have", "Memory: 4 GB is all the runners have"),
        ("So far nobody has used the v2 API", "So far nobody has used the v2 API"),
        ("First, run the linter, then the tests", "First, run the linter, then the tests"),
        ("In this case, ask Mara", "In this case, ask Mara"),
        ("Please-wait screens are banned", "Please-wait screens are banned"),
        ("In production, never seed", "In production, never seed"),
        ("En producción no se siembra nada", "En producción no se siembra nada"),
        (".env is never committed", ".env is never committed"),
        ("--force is forbidden, please", "--force is forbidden"),
        ("/etc/hosts names the staging server", "/etc/hosts names the staging server"),
        ("请求超时是 30 秒", "请求超时是 30 秒"),
        ("How to say thanks", "How to say thanks"),
        ("You can always ask Mara about prices", "You can always ask Mara about prices"),
        ("You must never push to main", "Never push to main"),
        ("Tag by hand, ok? Thanks!", "Tag by hand!"),
        ("a healthy node reports ok", "a healthy node reports ok"),
    ] {
        assert_eq!(fact(text), want, "{text:?}");
    }
}

#[test]
fn a_line_that_says_its_name_stands_for_both() {
    assert!(is_said_by("API freeze", "The API freeze starts in May"));
    assert!(is_said_by("Every new table", "make sure that every new table has an index"));
    assert!(!is_said_by("Merge freeze", "no merges until the release"));
    assert!(!is_said_by("Staging", "never deploy to staging"));
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
        ("Die Quartalsberichte gehen bis zum 15. an Leila", "Quartalsberichte"),
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

#[test]
fn a_name_ends_where_a_phrase_ends() {
    for (text, want, file) in [
        (
            "Kofi owns the search index and reviews every change",
            "Kofi owns the search index",
            "Kofi owns the search index",
        ),
        (
            "when you write SQL for the warehouse, put the partition first",
            "When you write SQL for the warehouse",
            "write SQL warehouse",
        ),
        (
            "never ever run the seed script against production",
            "Never ever run the seed script",
            "Never run seed script",
        ),
        ("Commit subjects stay below 50 characters and say why", "Commit subjects", "Commit subjects"),
        ("make sure that every new table has a created_at column", "Every new table", "Every new table"),
        ("we decided yesterday that the public API stays on v2 until summer", "Public API", "Public API"),
        ("the legacy importer still needs Python 2.7 on the old machine", "Legacy importer", "Legacy importer"),
        ("avoid the word \"simply\" in docs and comments", "Avoid the word \"simply\"", "Avoid the word \"simply\""),
        (
            ".env must never be committed to the repository",
            ".env must never be committed",
            ".env must never be committed",
        ),
        (
            "Die Lizenzen laufen am 31. Januar 2027 ab, danach geht nichts",
            "Lizenzen laufen am 31. Januar 2027 ab",
            "Lizenzen laufen 31. Januar",
        ),
        (
            "Unsere Ansprechpartnerin für den Drucker ist Frau Yilmaz im Haus",
            "Ansprechpartnerin für den Drucker",
            "Ansprechpartnerin für den Drucker",
        ),
        (
            "Ne modifie jamais les migrations déjà appliquées en production",
            "Ne modifie jamais les migrations",
            "Ne modifie jamais les migrations",
        ),
        (
            "Marisol decide los precios y nadie más los cambia",
            "Marisol decide los precios",
            "Marisol decide los precios",
        ),
        ("le immagini dei prodotti vanno sempre in formato WebP", "Immagini dei prodotti", "Immagini dei prodotti"),
        (
            "今後は変数名を英語にしてください、コメントは日本語のままで大丈夫です",
            "変数名を英語にしてください",
            "変数名を英語にしてください",
        ),
        // "no", "alle" and "usa" are small words of other languages.
        ("Alle Exporte für das Finanzamt laufen über Elster", "Alle Exporte", "Alle Exporte"),
        ("the USA office has no access to the German customer data", "USA office", "USA office"),
    ] {
        let name = title(text);
        assert_eq!(name, want, "{text:?}");
        assert_eq!(file_words(&name), file, "{text:?}");
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
