//! Arrows between crates, from their manifests.

use std::collections::BTreeMap;

use toml_edit::{DocumentMut, Item};

/// Every crate and those it is built on. Whoever adds an arrow adds it here, and says why in the commit.
const ALLOWED: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("encoder", &[]),
    ("lexicon", &[]),
    ("guard", &["core", "lexicon"]),
    ("reader", &["core", "lexicon"]),
    ("store", &["core", "guard", "lexicon"]),
    ("search", &["core", "encoder", "lexicon"]),
    ("context", &["core", "guard", "store"]),
    ("hosts", &["core", "guard", "store"]),
    ("model", &["context", "core", "guard", "store"]),
    ("team", &["core", "guard", "store"]),
    (
        "memdir",
        &["context", "core", "encoder", "guard", "hosts", "lexicon", "model", "reader", "search", "store", "team"],
    ),
    ("serve", &["memdir"]),
    ("cli", &["memdir", "serve"]),
    ("testkit", &["model", "team"]),
];

/// What tests may use beside what their crate is built on.
const FOR_TESTS: &[&str] = &["testkit"];

/// The crates of this workspace that a table of a manifest names.
fn own(table: Option<&Item>) -> Vec<String> {
    let names =
        table.and_then(Item::as_table_like).into_iter().flat_map(|table| table.iter().map(|(name, _)| name.to_owned()));
    let own = names.filter(|name| name == "memdir" || name.starts_with("memdir-"));
    own.map(|name| name.trim_start_matches("memdir-").to_owned()).collect()
}

/// What a manifest says, in all of its sections of this kind: for every system and for one.
fn named(manifest: &DocumentMut, kind: &str) -> Vec<String> {
    let mut found = own(manifest.get(kind));
    for (_, system) in manifest.get("target").and_then(Item::as_table_like).into_iter().flat_map(|table| table.iter()) {
        found.extend(own(system.get(kind)));
    }
    found.sort();
    found.dedup();
    found
}

fn manifests() -> BTreeMap<String, DocumentMut> {
    let dirs = std::fs::read_dir(super::crates_dir()).unwrap().map(|entry| entry.unwrap());
    dirs.map(|dir| {
        let text = std::fs::read_to_string(dir.path().join("Cargo.toml")).unwrap();
        (dir.file_name().into_string().unwrap(), text.parse().unwrap())
    })
    .collect()
}

#[test]
fn a_crate_is_built_on_what_the_table_says_and_on_nothing_else() {
    let found: Vec<_> =
        manifests().iter().map(|(name, manifest)| (name.clone(), named(manifest, "dependencies"))).collect();
    let mut allowed: Vec<_> = ALLOWED
        .iter()
        .map(|(name, on)| ((*name).to_owned(), on.iter().map(|on| (*on).to_owned()).collect::<Vec<_>>()))
        .collect();
    allowed.sort();
    assert_eq!(found, allowed);
}

#[test]
fn tests_need_no_room_above_their_own() {
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    for (name, manifest) in manifests() {
        for on in named(&manifest, "dev-dependencies") {
            let below = allowed[name.as_str()].contains(&on.as_str());
            assert!(below || FOR_TESTS.contains(&on.as_str()), "the tests of {name} are built on {on}");
        }
    }
}

#[test]
fn a_package_is_called_as_its_folder_and_says_what_it_is() {
    for (name, manifest) in manifests() {
        let said = |key: &str| manifest["package"].get(key).and_then(Item::as_str).unwrap_or_default();
        let package = if name == "memdir" { name.clone() } else { format!("memdir-{name}") };
        assert_eq!(said("name"), package);
        assert!(!said("description").is_empty(), "{name}");
    }
}

/// Each row of the table names only rows above it, so that there is no way around in a circle.
#[test]
fn arrows_go_one_way() {
    for (at, (name, on)) in ALLOWED.iter().enumerate() {
        for on in *on {
            assert!(ALLOWED[..at].iter().any(|(above, _)| above == on), "{name} knows {on}, which comes after it");
        }
    }
}
