//! The reader against `PyTorch`: `training/train_reader.py` wrote the scores of the model before its weights were rounded.
#![allow(clippy::unwrap_used, reason = "a test may fail that way")]

use memdir_encoder::{Kernel, Reader, Relation, SentenceKind};
use serde_json::Value;

/// Rounding moves a score by at most this much.
const APART: f32 = 0.12;

fn golden(task: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("golden/reader.json")).unwrap();
    all[task].as_array().unwrap().clone()
}

fn chances(entry: &Value) -> Vec<f32> {
    entry["chances"].as_array().unwrap().iter().map(|chance| chance.as_f64().unwrap() as f32).collect()
}

fn text<'v>(entry: &'v Value, key: &str) -> &'v str {
    entry[key].as_str().unwrap()
}

#[test]
fn relations_are_those_of_the_reference() {
    let reader = Reader::new();
    for entry in golden("pairs") {
        let scores = reader.relation(text(&entry, "new"), text(&entry, "known"));
        for (relation, expected) in Relation::ALL.into_iter().zip(chances(&entry)) {
            let apart = (scores.of(relation) - expected).abs();
            assert!(apart < APART, "{entry}: {relation:?} is {} instead of {expected}", scores.of(relation));
        }
    }
}

#[test]
fn sentences_are_those_of_the_reference() {
    let reader = Reader::new();
    for entry in golden("sentences") {
        let (message, sentence) = (text(&entry, "message"), text(&entry, "sentence"));
        let start = message.find(sentence).unwrap();
        let scores = reader.sentence(text(&entry, "before"), message, start..start + sentence.len());
        for (kind, expected) in SentenceKind::ALL.into_iter().zip(chances(&entry)) {
            let apart = (scores.of(kind) - expected).abs();
            assert!(apart < APART, "{entry}: {kind:?} is {} instead of {expected}", scores.of(kind));
        }
    }
}

/// The reader never saw German; the rows of its pieces, which it shares with the encoder, carry the meaning over.
#[test]
fn a_change_is_seen_across_languages() {
    let known = "Release day. Releases go out on Thursdays after the stand-up";
    assert_eq!(Reader::new().relation("Releases gehen ab jetzt dienstags raus", known).best(), Relation::Update);
}

#[test]
fn every_kernel_gives_the_same_scores() {
    let (new, known) = ("use yarn for installs", "Package manager. Installs go through pnpm, never npm");
    let expected = Reader::with_kernel(Kernel::Scalar).unwrap().relation(new, known);
    for reader in Kernel::ALL.into_iter().filter_map(Reader::with_kernel) {
        assert_eq!(reader.relation(new, known), expected);
    }
}
