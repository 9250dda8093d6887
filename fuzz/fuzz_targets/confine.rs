//! Confinement: what is accepted stays below its root, however it is read (P8).

#![no_main]

use std::path::{Component, Path};

use libfuzzer_sys::fuzz_target;
use memdir::guard::confine::RelPath;
use memdir_fuzz::text;
use unicode_normalization::UnicodeNormalization as _;

fuzz_target!(|data: &[u8]| {
    let given = text(data);
    let path = match RelPath::parse(&given) {
        Ok(path) => path,
        Err(refusal) => {
            let said = refusal.to_string();
            assert!(!said.contains(|letter: char| letter.is_control()), "a refusal steers the terminal: {said:?}");
            assert!(said.chars().count() < 2_000, "a refusal repeats too much");
            return;
        }
    };
    assert_eq!(path.as_str(), given, "a path was mended");
    let below = Path::new(path.as_str());
    assert!(below.components().all(|part| matches!(part, Component::Normal(_))), "{given:?} climbs");
    assert_eq!(below.components().count(), path.components().count());
    assert!(Path::new("/root").join(below).starts_with("/root"));
    assert_eq!(Some(path.file_name()), below.file_name().and_then(|name| name.to_str()));
    assert_eq!(path.parent().unwrap_or(""), below.parent().and_then(Path::to_str).unwrap_or(""));
    // No layer below us that normalises names or ignores case makes another path of it.
    for normal in [given.nfc().collect::<String>(), given.nfd().collect(), given.nfkc().collect(), given.nfkd().collect()] {
        assert_eq!(normal.matches('/').count(), given.matches('/').count(), "{given:?} grows a separator");
        assert!(!normal.contains(['\\', ':', '\0']), "{given:?} grows a separator");
        assert!(normal.split('/').all(|part| part != "." && part != ".." && !part.is_empty()), "{given:?} climbs");
    }
    assert!(!given.split('/').next().is_some_and(|first| first != "team" && first.eq_ignore_ascii_case("team")));
});
