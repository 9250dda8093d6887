//! The index as people, models and tools really write it.

mod drifting;
mod editing;
mod loading;
mod properties;
mod reading;

use super::{Drift, Index, PointerEdit, PointerTarget, SizeUnit, drift, load, repair};

fn index(text: &str) -> Index {
    Index::parse(text.as_bytes().to_vec())
}

fn text(index: &Index) -> &str {
    std::str::from_utf8(index.as_bytes()).unwrap()
}
