//! Team memory on a model of a store: many machines, everything that goes wrong at once.
//!
//! `PROPTEST_CASES=10000 cargo test --release -p memdir-team --test team` is the full size.

#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs)] // it is all test

mod answering;
mod converging;
mod hostile;
mod machine;
mod sharing;
