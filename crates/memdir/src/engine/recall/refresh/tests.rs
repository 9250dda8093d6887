//! The cache follows the directory, and a change costs what changed.
#![allow(clippy::disallowed_methods)]

use std::collections::{BTreeMap, BTreeSet};

use memdir_encoder::{DIMENSIONS, Embedding};
use proptest::prelude::*;

use super::*;
use crate::engine::recall::merge::FILES;
use crate::engine::recall::vectors;
use memdir_store::Dirs;
use memdir_store::history::{Actor, Author};
use memdir_store::transaction::Intent;

const NOW: jiff::Timestamp = jiff::Timestamp::UNIX_EPOCH;

struct World {
    _dir: tempfile::TempDir,
    store: Store,
}

impl World {
    fn new(memories: usize) -> World {
        let dir = tempfile::tempdir().unwrap();
        let dirs = Dirs { state: dir.path().join("state"), cache: dir.path().join("cache") };
        let store = Store::create(&dir.path().join("memory"), &dirs).unwrap();
        let world = World { _dir: dir, store };
        for number in 0..memories {
            world.by_hand(&format!("project_{number:03}.md"), &format!("fact {number}"));
        }
        world.refresh(Depth::Everything);
        world.embed();
        world
    }

    fn path(&self, file: &str) -> std::path::PathBuf {
        self.store.root().path().join(file)
    }

    /// Saves as an editor does that writes in place.
    fn by_hand(&self, file: &str, text: &str) {
        std::fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
        std::fs::write(self.path(file), memory(text)).unwrap();
    }

    /// Saves as an editor does that writes a new file and renames it.
    fn replaced(&self, file: &str, text: &str) {
        let beside = self.path(".swp");
        std::fs::write(&beside, memory(text)).unwrap();
        std::fs::rename(beside, self.path(file)).unwrap();
    }

    fn through_the_door(&self, file: &str, text: Option<&str>) {
        let author = Author { actor: Actor::User, session: None, message: None, time: NOW };
        let path = RelPath::parse(file).unwrap();
        self.store
            .change(&author, &Intent::new("test"), |edit| match text {
                Some(text) => edit.write(&path, memory(text).into_bytes()),
                None => edit.remove(&path),
            })
            .unwrap();
    }

    fn refresh(&self, depth: Depth) -> SearchCache {
        SearchCache::refresh(&self.store, NOW, depth).unwrap()
    }

    fn embed(&self) {
        assert_eq!(
            SearchCache::embed(&self.store, &|_, _, body| [made_up(body), made_up(body)], usize::MAX, &|| false)
                .unwrap(),
            0
        );
    }

    /// What the cache says: the description of each file, each with the vectors of its own text.
    fn cached(&self) -> BTreeMap<String, String> {
        let mut cache = SearchCache::open(&self.store);
        assert!(cache.is_fresh(&self.store, NOW) && !cache.lacks_vectors(), "{:?}", cache.state);
        let vectors = cache.vectors();
        let mut found = BTreeMap::new();
        for (number, doc) in cache.docs() {
            let pair = vectors::pair(&vectors, vectors.place(number).unwrap()).unwrap();
            let right = made_up(&format!("{}\n", doc.description)).quantise();
            assert_eq!(pair.whole.values, right.values, "{} has the vectors of another", doc.path);
            assert_eq!(cache.number_of(doc.path), Some(number));
            assert!(found.insert(doc.path.to_owned(), doc.description.to_owned()).is_none(), "{} is twice", doc.path);
        }
        found
    }

    /// What the directory says.
    fn there(&self) -> BTreeMap<String, String> {
        let files = memdir_store::walk::walk(self.store.root()).unwrap().files;
        let text =
            |path: &str| Topic::parse(std::fs::read(self.path(path)).unwrap()).description().unwrap().into_owned();
        files.into_iter().map(|found| (found.path.clone(), text(&found.path))).collect()
    }

    fn files(&self) -> BTreeSet<(String, u64)> {
        let names = fs::names(&dir(&self.store)).unwrap().into_iter();
        names
            .filter(|name| name.contains('-'))
            .map(|name| {
                let path = dir(&self.store).join(&name);
                let number = fs::number(&path, &std::fs::metadata(&path).unwrap()).unwrap();
                (name, number)
            })
            .collect()
    }
}

fn memory(text: &str) -> String {
    format!("---\nname: {text}\ndescription: {text}\ntype: project\n---\n\n{text}\n")
}

fn made_up(text: &str) -> Embedding {
    let mut bytes = [0; DIMENSIONS];
    blake3::Hasher::new().update(text.trim_start().as_bytes()).finalize_xof().fill(&mut bytes);
    Embedding(bytes.map(|byte| f32::from(byte) - 127.5))
}

#[test]
fn what_memdir_writes_is_put_beside_what_is_there() {
    let world = World::new(40);
    let before = world.files();
    world.through_the_door("project_007.md", Some("another fact"));
    world.through_the_door("project_008.md", None);
    world.refresh(Depth::Changes);
    world.embed();
    let after = world.files();
    assert!(after.is_superset(&before), "{before:?} {after:?}");
    assert_eq!(after.len(), before.len() + 2, "one sheet and one file of vectors: {after:?}");
    assert_eq!(world.cached(), world.there());
}

#[test]
fn what_came_went_or_was_replaced_by_hand_is_found_without_looking_at_every_file() {
    let world = World::new(40);
    world.by_hand("project_new.md", "new by hand");
    world.by_hand("deep/er/new.md", "new in a new directory");
    std::fs::remove_file(world.path("project_001.md")).unwrap();
    world.replaced("project_002.md", "replaced by an editor");
    world.refresh(Depth::Changes);
    world.embed();
    assert_eq!(world.cached(), world.there());
    assert_eq!(world.there().len(), 41);
    // An empty directory that is filled later, and one that goes with all that is in it.
    std::fs::create_dir(world.path("later")).unwrap();
    world.refresh(Depth::Changes);
    world.by_hand("later/one.md", "came later");
    std::fs::remove_dir_all(world.path("deep")).unwrap();
    world.refresh(Depth::Changes);
    world.embed();
    assert_eq!(world.cached(), world.there());
    // All of it is in the history, with what was there before.
    let mut before = None;
    world
        .store
        .journal()
        .newest_first(|change| {
            assert!(change.actor == Actor::Outside);
            let file = change.files.iter().find(|file| file.path == "project_002.md");
            before = before.take().or(file.and_then(|file| file.before.clone()));
            memdir_store::history::Visit::More
        })
        .unwrap();
    assert_eq!(before.unwrap().content().unwrap(), memory("fact 2").into_bytes());
}

#[test]
fn an_edit_in_place_is_found_when_every_file_is_looked_at() {
    let world = World::new(5);
    world.by_hand("project_003.md", "edited in place");
    world.refresh(Depth::Changes);
    assert_ne!(SearchCache::open(&world.store).docs().count(), 0);
    let said =
        |cache: &SearchCache| cache.doc(cache.number_of("project_003.md").unwrap()).unwrap().description.to_owned();
    assert_eq!(said(&SearchCache::open(&world.store)), "fact 3", "nothing says that it changed");
    assert_eq!(said(&world.refresh(Depth::Everything)), "edited in place");
    world.embed();
    assert_eq!(world.cached(), world.there());
}

#[test]
fn a_large_store_is_looked_at_whole_now_and_then() {
    let world = World::new(2);
    let mut cache = SearchCache::open(&world.store);
    let later = |seconds| NOW + jiff::SignedDuration::from_secs(seconds);
    assert!(!cache.look_is_due(later(86_400)), "a small one is looked at every time anyway");
    let many: Vec<String> = (0..=LOOK_AT_EACH).map(|number| format!("project_{number:05}.md")).collect();
    let mut builder = CacheSegmentBuilder::default();
    let Doc { facts, hash, written, .. } = cache.doc(0).unwrap();
    for path in &many {
        let doc = Doc { path, name: "", description: "", kind: None, pinned: false, facts, hash, written };
        builder.add(&doc, "");
    }
    cache.push(builder.finish());
    assert!(!cache.look_is_due(later(60)) && cache.look_is_due(later(3_600)) && cache.look_is_due(later(-3_600)));
}

#[test]
fn a_damaged_file_of_vectors_costs_its_own_memories_only() {
    let world = World::new(20);
    world.through_the_door("project_100.md", Some("one more"));
    world.refresh(Depth::Changes);
    world.embed();
    let names = SearchCache::open(&world.store).state.vectors;
    assert_eq!(names.len(), 2);
    std::fs::write(dir(&world.store).join(&names[1]), b"nonsense").unwrap();
    let cache = SearchCache::open(&world.store);
    assert_eq!((cache.without_vectors().len(), cache.vectors().len()), (1, 20));
    world.embed();
    assert_eq!(world.cached(), world.there());
}

#[test]
fn vectors_are_made_while_another_changes_the_cache() {
    let world = World::new(10);
    world.through_the_door("project_100.md", Some("one more"));
    world.refresh(Depth::Changes);
    let slow = |_: &str, _: &str, body: &str| {
        // While this one is encoded, it changes, and a new one comes.
        if body.contains("one more") {
            world.through_the_door("project_100.md", Some("changed meanwhile"));
            world.through_the_door("project_101.md", Some("came meanwhile"));
            world.refresh(Depth::Changes);
        }
        [made_up(body), made_up(body)]
    };
    SearchCache::embed(&world.store, &slow, usize::MAX, &|| false).unwrap();
    world.embed();
    assert_eq!(world.cached(), world.there());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn however_many_changes_there_are_the_cache_is_true_and_small(
        steps in prop::collection::vec((0_u8..5, 0_u8..30), 20..60),
    ) {
        let world = World::new(24);
        for (round, (what, which)) in steps.into_iter().enumerate() {
            let file = format!("project_{which:03}.md");
            let text = format!("round {round}");
            match what {
                0 => world.through_the_door(&file, Some(&text)),
                1 if world.path(&file).exists() => world.through_the_door(&file, None),
                2 => world.replaced(&file, &text),
                3 => std::fs::remove_file(world.path(&file)).unwrap_or_default(),
                _ => world.by_hand(&format!("sub/project_{which}_{round}.md"), &text),
            }
            world.refresh(Depth::Changes);
            if round % 3 == 0 {
                world.embed();
            }
        }
        world.embed();
        prop_assert_eq!(world.cached(), world.there());
        let cache = SearchCache::open(&world.store);
        prop_assert!(cache.state.segments.len() <= FILES && cache.state.vectors.len() <= FILES + 1);
        prop_assert_eq!(world.files().len(), cache.state.segments.len() + cache.state.vectors.len());
    }
}
