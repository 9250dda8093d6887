//! What callers rely on: near texts are near, far ones far, and messages are told apart.
#![allow(clippy::unwrap_used, reason = "a test may fail that way")]

use memdir_encoder::{Encoder, LABELS, MODEL_ID, SAVE_LABELS, relevance};

const MEMORIES: [[&str; 3]; 4] = [
    ["No database mocks", "Integration tests must hit a real Postgres", "A mock hid a broken migration in March."],
    ["Terse replies", "User wants no summary after an edit", "Reads the diff instead."],
    ["Release freeze", "No merges from Thursday on, the mobile team cuts a branch", "Until 5 March."],
    ["部署流程", "上线前必须在预发环境验证", "由值班同事批准。"],
];

/// The memory that a prompt is nearest to, by the larger of its two cosines.
fn nearest(prompt: &str) -> usize {
    let encoder = Encoder::new();
    let prompt = encoder.encode_query(prompt);
    let cosine = |[name, description, body]: [&str; 3]| {
        let vectors = encoder.encode_memory(name, description, body);
        vectors.iter().map(|vector| prompt.cosine(vector)).fold(-1.0, f32::max)
    };
    let cosines = MEMORIES.map(cosine);
    (0..cosines.len()).max_by(|&left, &right| cosines[left].total_cmp(&cosines[right])).unwrap()
}

#[test]
fn prompts_find_their_memory() {
    for (prompt, memory) in [
        ("can I stub out the db in this suite?", 0),
        ("stop explaining what you changed", 1),
        ("can we still merge this on friday?", 2),
        ("how do I ship this to production", 3),
        ("可以用假的数据库写集成测试吗", 0),
    ] {
        assert_eq!(nearest(prompt), memory, "{prompt}");
    }
}

#[test]
fn prompts_in_other_languages_find_their_memory() {
    for (prompt, memory) in [
        ("kann ich die Datenbank in diesen Tests durch eine Attrappe ersetzen?", 0),
        ("puis-je simuler la base de données dans les tests d'intégration ?", 0),
        ("¿podemos integrar esto el viernes, después de que se corte la rama?", 2),
        ("posso usar um banco de dados falso nos testes de integração?", 0),
        ("можно ли использовать фальшивую базу данных в тестах?", 0),
        ("통합 테스트에서 가짜 데이터베이스를 써도 돼?", 0),
        ("データベースのモックをテストで使ってもいいですか", 0),
        ("có thể dùng cơ sở dữ liệu giả trong kiểm thử không", 0),
        ("possiamo usare un database finto nei test di integrazione?", 0),
        ("mogen we een nepdatabase gebruiken in de integratietests?", 0),
    ] {
        assert_eq!(nearest(prompt), memory, "{prompt}");
    }
}

#[test]
fn relevance_grows_with_the_cosine() {
    assert!(relevance(0.0) < 0.01 && relevance(0.6) > 0.9);
    assert!((relevance(0.412) - 0.5).abs() < 0.01);
    assert!((-10..10).all(|at| relevance(at as f32 / 10.0) < relevance((at + 1) as f32 / 10.0)));
}

#[test]
fn messages_are_told_apart() {
    for (text, before, label) in [
        ("no, never force-push here. use revert commits from now on", "I force-pushed the branch.", "correction"),
        ("what does this function return?", "", "question"),
        ("thanks, looks great :)", "Done.", "chitchat"),
        ("remember that the staging db is wiped every sunday", "", "remember"),
    ] {
        let shares = Encoder::new().utterance(text, before);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        let best = (0..shares.len()).max_by(|&left, &right| shares[left].total_cmp(&shares[right])).unwrap();
        assert_eq!(LABELS[best], label, "{text}");
    }
}

#[test]
fn labels_worth_saving_come_first() {
    let head = include_str!("../../../models/encoder/head.json");
    let head: serde_json::Value = serde_json::from_str(head).unwrap();
    assert_eq!(head["labels"], serde_json::json!(LABELS));
    assert_eq!(head["save_labels"], serde_json::json!(LABELS[..SAVE_LABELS]));
}

#[test]
fn a_memory_without_a_body_is_its_heading() {
    let [whole, heading] = Encoder::new().encode_memory("Terse replies", "No summary", "");
    assert_eq!(whole, heading);
}

#[test]
fn hostile_texts_give_finite_vectors() {
    let huge = "word ".repeat(1_000_000);
    for text in ["", "\0\u{202e}\u{feff}", "\u{10ffff}", huge.as_str()] {
        let encoder = Encoder::new();
        let [whole, heading] = encoder.encode_memory(text, text, text);
        for vector in [encoder.encode_query(text), whole, heading] {
            assert!((vector.cosine(&vector) - 1.0).abs() < 1e-4, "{text:.20}");
        }
        assert!(encoder.utterance(text, text).iter().all(|share| share.is_finite()));
    }
}

#[test]
fn the_model_has_a_name() {
    assert_ne!(MODEL_ID, [0; 16]);
}
