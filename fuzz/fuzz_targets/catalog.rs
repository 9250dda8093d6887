//! The catalog: bytes of somebody else under our name are harmless, and what is saved is loaded.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use memdir::store::catalog::Catalog;

static FILE: LazyLock<PathBuf> = LazyLock::new(|| std::env::temp_dir().join(format!("memdir-fuzz-{}", std::process::id())));

fuzz_target!(|data: &[u8]| {
    std::fs::write(&*FILE, data).expect("a temporary file");
    let catalog = Catalog::load(&FILE);
    let paths: Vec<String> = catalog.paths().into_iter().map(str::to_owned).collect();
    catalog.save(&FILE).expect("a temporary file");
    assert_eq!(Catalog::load(&FILE).paths(), paths, "what is saved is not what is loaded");
});
