use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::TimeSource;

fn entry(seed: u8, header: (Option<String>, Option<String>, bool)) -> CatalogEntry {
    let (name, description, pinned) = header;
    let kind = Type::ALL.get(usize::from(seed % 5)).copied();
    let number = u64::from(seed) + 1;
    let facts = FileStat { mtime_ns: -i64::from(seed), ctime_ns: i64::MAX, size: number, inode: number, links: 1 };
    CatalogEntry {
        facts: (!seed.is_multiple_of(3)).then_some(facts),
        hash: Hash::of(&[seed]),
        header: Header { name, description, kind, pinned, ..Header::default() },
        written: Written {
            at: jiff::Timestamp::from_second(i64::from(seed)).unwrap(),
            source: TimeSource::numbered(seed % 5),
        },
    }
}

fn texts() -> impl Strategy<Value = (Option<String>, Option<String>, bool)> {
    (proptest::option::of(".{0,12}"), proptest::option::of("\\PC{0,40}"), any::<bool>())
}

fn same(known: &KnownFile<'_>, entry: &CatalogEntry) -> bool {
    let Header { name, description, kind, pinned, .. } = &entry.header;
    known.facts == entry.facts
        && known.hash == entry.hash
        && (known.name, known.description, known.written) == (name.as_deref(), description.as_deref(), entry.written)
        && (known.kind, known.pinned) == (*kind, *pinned)
}

proptest! {
    /// Whatever is set and removed, in whatever order: it is a map, in memory and from disk.
    #[test]
    fn it_knows_what_it_was_told(
        steps in prop::collection::vec((0_u8..24, any::<u8>(), proptest::option::of(texts())), 0..80),
        ask_first in any::<bool>(),
        position in (any::<u32>(), any::<u64>()),
    ) {
        let mut catalog = Catalog::default();
        let mut model: BTreeMap<String, CatalogEntry> = BTreeMap::new();
        if ask_first {
            prop_assert!(catalog.get("n0.md").is_none());
        }
        for (file, seed, told) in steps {
            let path = format!("n{file}/ö.md");
            match told {
                Some(header) => {
                    let entry = entry(seed, header);
                    let number = catalog.set(&path, &entry).unwrap();
                    prop_assert_eq!(catalog.at(number).path, &path);
                    model.insert(path, entry);
                }
                None => {
                    catalog.remove(&path);
                    model.remove(&path);
                }
            }
        }
        catalog.position = Position { segment: position.0, offset: position.1 };
        let saved = file::decode(file::encode(&catalog).unwrap()).unwrap();
        for catalog in [&catalog, &saved] {
            prop_assert_eq!(catalog.len(), model.len());
            prop_assert_eq!(catalog.paths(), model.keys().map(String::as_str).collect::<Vec<_>>());
            for (path, entry) in &model {
                prop_assert!(same(&catalog.get(path).unwrap(), entry), "{}", path);
            }
            prop_assert!(catalog.get("unknown").is_none());
        }
        prop_assert_eq!(saved.position, catalog.position);
    }

    #[test]
    fn arranging_keeps_what_is_named_and_deals_out_new_numbers(keep in prop::collection::vec(any::<bool>(), 1..40)) {
        let mut catalog = Catalog::default();
        for at in 0..keep.len() {
            catalog.set(&format!("{at}.md"), &entry(at as u8, (None, None, false)));
        }
        let before = catalog.generation();
        let order: Vec<u32> = (0..keep.len() as u32).rev().filter(|&number| keep[number as usize]).collect();
        let wanted: Vec<String> = order.iter().map(|number| format!("{number}.md")).collect();
        catalog.arrange(&order);
        prop_assert_eq!(catalog.iter().map(|known| known.path.to_owned()).collect::<Vec<_>>(), wanted);
        prop_assert_ne!(catalog.generation(), before);
        let found: Vec<bool> = (0..keep.len()).map(|at| catalog.get(&format!("{at}.md")).is_some()).collect();
        prop_assert_eq!(found, keep);
    }

    #[test]
    fn damage_is_no_catalog(bytes in prop::collection::vec(any::<u8>(), 0..200), at in any::<prop::sample::Index>(), flip in 1_u8..) {
        prop_assert!(file::decode(bytes).is_none());
        let mut catalog = Catalog::default();
        catalog.set("a.md", &entry(1, (Some("name".into()), None, true)));
        catalog.set("b.md", &entry(250, (None, Some("was".into()), false)));
        let whole = file::encode(&catalog).unwrap();
        let cut = at.index(whole.len());
        prop_assert!(file::decode(whole[..cut].to_vec()).is_none());
        let mut rotten = whole;
        rotten[cut] ^= flip;
        prop_assert!(file::decode(rotten).is_none());
    }
}

#[test]
fn the_number_of_files_is_in_the_last_bytes() {
    let mut catalog = Catalog::default();
    for at in 0..300 {
        catalog.set(&format!("{at}.md"), &entry(7, (None, None, false)));
    }
    let bytes = file::encode(&catalog).unwrap();
    assert_eq!(file::count(&bytes[bytes.len() - file::COUNT_BYTES as usize..]), Some(300));
    assert_eq!(file::count(b"short"), None);
}
