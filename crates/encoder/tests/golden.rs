//! The encoder against `PyTorch` and the Hugging Face tokenizer; `training/reference.py` made the numbers.
#![allow(clippy::unwrap_used, reason = "a test may fail that way")]

mod reference;

use memdir_encoder::{Encoder, Kernel, tokens};
use reference::Reference;
use serde_json::Value;

fn golden(text: &str) -> Vec<Value> {
    serde_json::from_str(text).unwrap()
}

fn text(entry: &Value) -> &str {
    entry["text"].as_str().unwrap()
}

/// English and Chinese texts with their vectors.
fn vectors() -> Vec<(String, Vec<f32>)> {
    means(include_str!("golden/vectors.json"))
}

fn means(file: &str) -> Vec<(String, Vec<f32>)> {
    let entries = golden(file);
    let mean = |entry: &Value| -> Vec<f32> {
        let list = entry["mean"].as_array().unwrap();
        list.iter().map(|value| value.as_f64().unwrap() as f32).collect()
    };
    entries.iter().map(|entry| (text(entry).to_owned(), mean(entry))).collect()
}

fn cosine(left: &[f32], right: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
    dot(left, right) / (dot(left, left) * dot(right, right)).sqrt()
}

#[test]
fn tokens_are_those_of_the_reference() {
    for entry in golden(include_str!("golden/tokens.json")) {
        let expected: Vec<u32> =
            entry["tokens"].as_array().unwrap().iter().map(|token| token.as_u64().unwrap() as u32).collect();
        assert_eq!(tokens(text(&entry)), expected, "{:?}", text(&entry));
    }
}

#[test]
fn the_slow_forward_pass_is_that_of_the_reference() {
    let reference = Reference::read();
    // The short texts: a long one takes seconds and shows no more.
    let short = vectors().into_iter().map(|(text, mean)| (tokens(&text), text, mean));
    for (tokens, text, mean) in short.filter(|(tokens, ..)| tokens.len() < 32) {
        let slow = reference.mean(&tokens);
        let apart = slow.iter().zip(&mean).map(|(left, right)| (left - right).abs()).fold(0.0, f32::max);
        assert!(apart < 1e-4, "{text:?} is {apart} apart");
    }
}

/// Eight-bit weights and activations turn a vector a little: its cosine with the exact one stays above 0.996, and above 0.998
/// on average. The empty text, two markers alone, is the furthest off. Other kernels give the same bits.
#[test]
fn vectors_are_near_those_of_the_reference() {
    let expected = vectors();
    let encoder = Encoder::with_kernel(Kernel::Scalar).unwrap();
    let cosine = |(text, mean): &(String, Vec<f32>)| cosine(&encoder.encode_query(text).0, mean);
    let cosines: Vec<f32> = expected.iter().map(cosine).collect();
    assert!(cosines.iter().all(|cosine| *cosine > 0.996), "{cosines:?}");
    assert!(cosines.iter().sum::<f32>() / cosines.len() as f32 > 0.998, "{cosines:?}");
}

#[test]
fn vectors_of_other_languages_are_near_those_of_the_reference() {
    let encoder = Encoder::with_kernel(Kernel::Scalar).unwrap();
    for (text, mean) in means(include_str!("golden/languages.json")) {
        let near = cosine(&encoder.encode_query(&text).0, &mean);
        assert!(near > 0.995, "{text}: {near}");
    }
}

/// Stored vectors are compared with new ones for years, on whatever machine. If this fails on purpose, raise `REVISION` in
/// `build.rs`, which renames the model and so drops the stored vectors. These texts are English and Chinese: other languages that
/// are learned leave them as they are.
#[test]
fn vectors_have_the_same_bits_on_every_machine_and_in_every_version() {
    let encoder = Encoder::new();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for (text, _) in vectors() {
        for value in encoder.encode_query(&text).0 {
            hash = (hash ^ u64::from(value.to_bits())).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(hash, 0xc379_969a_b414_a499);
}
