//! The known memories that a new one may be about, without a look at every file of a large store.
//!
//! Enters: a statement and the scopes to look in. Leaves: the few memories nearest to it by meaning and by words, read. In a small store
//! every file is looked at first. In a large one the journal and the times of directories say what has changed, and the search cache
//! what there is; what is compared is read from its file, and where that is not what the history says, every file is looked at.

use memdir_encoder::Encoder;

use super::duplicate_candidates::{fold, is_in};
use super::judge::KnownMemory;
use super::recall::{LOOK_AT_EACH, Neighbour, TextMeaning};
use super::{Error, Memory};
use memdir_core::kind::Scope;
use memdir_guard::confine::RelPath;
use memdir_store::history::Hash;
use memdir_store::topic::Topic;
use memdir_store::{Store, TimeSource};

/// This many of each scope are looked at by meaning, and this many by words: what is judged costs a few milliseconds each.
const BY_MEANING: usize = 5;
const BY_WORDS: usize = 3;

impl Memory {
    /// The memories of some scopes that a statement may be about, the nearest first.
    pub(super) fn nearby(
        &self,
        scopes: &[Scope],
        encoder: Encoder,
        statement: &str,
    ) -> Result<Vec<KnownMemory>, Error> {
        let stores = self.stores()?;
        if !stores.iter().any(|(_, store)| is_large(store)) {
            return self.known_near(scopes, encoder, statement);
        }
        match self.nearby_as_recorded(scopes, encoder, statement)? {
            Some(found) => Ok(found),
            // Somebody saved one of them in place: that is noticed first, and judged as it reads now.
            None => self.known_near(scopes, encoder, statement),
        }
    }

    /// The same from the search cache; `None` where a file is not what the history says.
    fn nearby_as_recorded(
        &self,
        scopes: &[Scope],
        encoder: Encoder,
        statement: &str,
    ) -> Result<Option<Vec<KnownMemory>>, Error> {
        let asked = TextMeaning::of(encoder, statement);
        let mut found: Vec<KnownMemory> = Vec::new();
        for (store_scope, store) in self.stores()? {
            let of_store = |scope: &&Scope| (store_scope == Scope::User) == (**scope == Scope::User);
            for scope in scopes.iter().filter(of_store) {
                let wanted = |path: &str| is_in(*scope, path);
                for neighbour in self.neighbours(store, &asked, (BY_MEANING, BY_WORDS), wanted)? {
                    let has_vector = neighbour.cosine.is_some();
                    let Some(mut known) = self.read_recorded(store, *scope, neighbour) else { return Ok(None) };
                    if !has_vector {
                        known.near = asked.nearness(&known.topic);
                    }
                    found.push(known);
                }
            }
        }
        found.sort_by(|a, b| b.near.total_cmp(&a.near));
        Ok(Some(found))
    }

    /// The memory of a scope that has a name.
    pub(super) fn called(&self, scope: Scope, name: &str) -> Result<Option<KnownMemory>, Error> {
        let folded = fold(name);
        for (store_scope, store) in self.stores()? {
            if (store_scope == Scope::User) != (scope == Scope::User) {
                continue;
            }
            if !is_large(store) {
                return self.known_as(scope, name);
            }
            let is_it = |path: &str, name: &str| is_in(scope, path) && fold(name) == folded;
            if folded.is_empty() {
                continue;
            }
            let Some(called) = self.first_called(store, is_it)? else { continue };
            return match self.read_recorded(store, scope, called) {
                Some(found) => Ok(Some(found)),
                None => self.known_as(scope, name),
            };
        }
        Ok(None)
    }

    /// A memory as it reads now; `None` where that is not what the history says.
    fn read_recorded(&self, store: &Store, scope: Scope, neighbour: Neighbour) -> Option<KnownMemory> {
        let Neighbour { path, cosine, written, hash } = neighbour;
        let file = RelPath::parse(&path).ok()?;
        let bytes = store.root().read(&file).ok()?.filter(|bytes| Hash::of(bytes) == hash)?;
        // The time of a file says nothing about when something was said (K6).
        let said_at = (written.source != TimeSource::FileTime).then(|| written.time(self.now.timestamp())).flatten();
        let topic = Topic::parse(bytes);
        Some(KnownMemory { said_at, ..KnownMemory::found(scope, file, topic, cosine.unwrap_or_default()) })
    }
}

/// Whether a store is too large to be looked at whole for one memory.
pub(super) fn is_large(store: &Store) -> bool {
    !store.has_looked() && store.known_files() > LOOK_AT_EACH as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_memory::{TestMemory, topic};
    use crate::engine::{Remember, RememberOutcome};

    fn remember(memory: &Memory, text: &str) -> RememberOutcome {
        memory.files().remember(&Remember { text: text.into(), ..Remember::default() }).unwrap().action
    }

    #[test]
    fn in_a_large_store_what_is_known_is_found_without_a_look_at_every_file() {
        let bench = large();
        let ferry = "The ferry to Tallinn leaves at noon on Sundays";
        assert_eq!(remember(&bench.memory(), ferry), RememberOutcome::Created);
        let memory = bench.memory();
        assert_eq!(remember(&memory, ferry), RememberOutcome::Unchanged);
        assert!(!memory.private_store().unwrap().unwrap().has_looked(), "only what changed was looked at");
        // What somebody else puts there is known too.
        let lantern = "The lantern of the north pier burns whale oil";
        bench.put("reference_lantern.md", topic("reference", "Lantern of the north pier", lantern));
        assert_eq!(remember(&bench.memory(), lantern), RememberOutcome::Unchanged);
    }

    /// A store that is too large to be looked at whole for one save, looked at once.
    fn large() -> TestMemory {
        let bench = TestMemory::new();
        for number in 0..=LOOK_AT_EACH {
            let text = format!("pump {number} of quay {} is served by crew {}", number * 7, number * 13);
            bench.put(&format!("project_{number:05}.md"), topic("project", &format!("pump {number}"), &text));
        }
        bench.memory().files().list().unwrap();
        bench
    }

    /// The files of the last change that somebody else made.
    fn noticed(bench: &TestMemory) -> Vec<String> {
        let events = bench.memory().history().events(None, 10).unwrap();
        events.into_iter().find(|event| event.actor == "outside").map(|event| event.files).unwrap_or_default()
    }

    #[test]
    fn what_somebody_saved_in_place_is_noticed_before_a_save_in_a_large_store() {
        let bench = large();
        let ferry = "The ferry to Tallinn leaves at noon on Sundays";
        assert_eq!(remember(&bench.memory(), ferry), RememberOutcome::Created);
        // Changed where it stands, which no directory's time tells.
        let pump = bench.read("project_00007.md").replace("crew 91", "crew 92");
        bench.put("project_00007.md", &pump);
        let index = format!("{}- [Tides](tides.md) — written by hand\n", bench.read("MEMORY.md"));
        bench.put("MEMORY.md", &index);
        assert_eq!(
            remember(&bench.memory(), "Mara paints the lantern of the north pier in June"),
            RememberOutcome::Created
        );
        assert_eq!(noticed(&bench), ["MEMORY.md", "project_00007.md"]);
        assert!(bench.read("MEMORY.md").contains("written by hand"));
    }

    #[test]
    fn a_memory_that_somebody_saved_in_place_is_noticed_before_it_is_changed_or_forgotten() {
        let bench = large();
        let change: [(&str, &dyn Fn(&Memory)); 3] = [
            ("project_00011.md", &|memory| drop(memory.files().set_pinned("project_00011.md", true).unwrap())),
            ("project_00012.md", &|memory| drop(memory.files().forget_file("project_00012.md").unwrap().unwrap())),
            ("project_00013.md", &|memory| {
                assert_eq!(remember(memory, "pump 13 of quay 91 is served by crew 777"), RememberOutcome::Unchanged);
            }),
        ];
        for (file, change) in change {
            let text = topic("project", "pump", "pump 13 of quay 91 is served by crew 777");
            bench.put(file, if file == "project_00013.md" { text } else { format!("{}\nby hand\n", bench.read(file)) });
            change(&bench.memory());
            assert_eq!(noticed(&bench), [file]);
        }
    }
}
