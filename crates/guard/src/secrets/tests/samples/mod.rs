//! One example and one near miss for each rule. Every value is made on the spot: no whole token
//! stands in the source, where scanners of public code would report it.

mod ai;
mod cloud;
mod code;
mod crypto;
mod generic;
mod login;
mod message;
mod money;
mod ops;
mod prefixed;
mod service;
mod shared;
mod work;

/// What a rule must find, and what it must not.
pub(super) struct Sample {
    pub(super) rule: &'static str,
    pub(super) example: String,
    pub(super) near: String,
}

pub(super) fn all() -> Vec<Sample> {
    [
        crypto::samples(),
        cloud::samples(),
        code::samples(),
        ai::samples(),
        message::samples(),
        money::samples(),
        ops::samples(),
        work::samples(),
        prefixed::samples(),
        service::samples(),
        shared::samples(),
        login::samples(),
        generic::samples(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn sample(rule: &'static str, example: impl Into<String>, near: impl Into<String>) -> Sample {
    Sample { rule, example: example.into(), near: near.into() }
}

/// Characters in no order, the same each time.
fn pick(alphabet: &str, count: usize) -> String {
    let letters: Vec<char> = alphabet.chars().collect();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64 ^ (count as u64) << 7 ^ letters.len() as u64;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            letters[(state >> 33) as usize % letters.len()]
        })
        .collect()
}

fn hex(count: usize) -> String {
    pick("0123456789abcdef", count)
}

fn digits(count: usize) -> String {
    pick("0123456789", count)
}

/// Lower-case letters and digits.
fn lower(count: usize) -> String {
    pick("abcdefghijklmnopqrstuvwxyz0123456789", count)
}

/// Upper-case letters and digits.
fn upper(count: usize) -> String {
    pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", count)
}

/// Letters and digits.
fn mixed(count: usize) -> String {
    pick("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", count)
}

fn base64(count: usize) -> String {
    pick("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", count)
}

fn uuid() -> String {
    [8, 4, 4, 4, 12].map(hex).join("-")
}

/// A value that was blanked out.
fn masked(count: usize) -> String {
    "x".repeat(count)
}
