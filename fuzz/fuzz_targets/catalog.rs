//! The catalog: bytes of somebody else under our name are harmless, and what is saved is loaded.
//!
//! Input: a catalog file, whose sum is not checked here, or nearly one: the trailer is put behind it.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use memdir::store::catalog::{Catalog, CatalogEntry};
use memdir::store::history::{Hash, Position};
use memdir::store::topic::Header;
use memdir::store::{TimeSource, Written};
use memdir_fuzz::scratch;

/// Bytes of one record and of the trailer, as `catalog/file.rs` of the store has them.
const RECORD: usize = 84;
const TRAILER: usize = 48;

static FILE: LazyLock<PathBuf> = LazyLock::new(|| scratch("catalog").join("catalog"));

fuzz_target!(|data: &[u8]| {
    knowing(data);
    knowing(&ended(data));
});

/// The same bytes with a trailer that fits them: as many records as there is room for, then text.
fn ended(data: &[u8]) -> Vec<u8> {
    let records = data.first().map_or(0, |first| usize::from(*first) % (data.len() / RECORD + 1));
    let numbers = [0, 1, 0, records as u64, (data.len() - records * RECORD) as u64];
    let mut whole = data.to_vec();
    numbers.iter().for_each(|number| whole.extend_from_slice(&number.to_le_bytes()));
    whole.extend_from_slice(b"mdcat\x00\x00\x02");
    assert_eq!(whole.len(), data.len() + TRAILER);
    whole
}

fn knowing(bytes: &[u8]) {
    std::fs::write(&*FILE, bytes).expect("a temporary file");
    let mut catalog = Catalog::load(&FILE);
    let count = catalog.len();
    assert!(count == 0 || Catalog::count(&FILE) == count);
    let paths: Vec<String> = catalog.paths().into_iter().map(str::to_owned).collect();
    for path in &paths {
        assert_eq!(catalog.get(path).map(|known| known.path), Some(path.as_str()), "listed and not there");
    }
    catalog.save(&FILE).expect("a temporary file");
    let again = Catalog::load(&FILE);
    assert_eq!(again.paths(), paths, "what is saved is not what is loaded");
    assert!(catalog.iter().eq(again.iter()), "what is saved is not what is loaded");
    let header = Header { name: Some("n".to_owned()), ..Header::default() };
    let written = Written { at: jiff::Timestamp::UNIX_EPOCH, source: TimeSource::Unknown };
    catalog.set("new.md", &CatalogEntry { facts: None, hash: Hash::of(b"new"), header, written });
    assert_eq!(catalog.get("new.md").and_then(|known| known.name), Some("n"));
    catalog.remove("new.md");
    assert!(catalog.get("new.md").is_none() || paths.iter().filter(|path| *path == "new.md").count() > 1);
    catalog.catch_up(&[], Position::default());
}
