//! The known memories that a new one may be about, without a look at every file of a large store.
//!
//! Enters: a statement and the scopes to look in. Leaves: the few memories nearest to it by meaning and by words, read. In a small store
//! every file is looked at first. In a large one the journal and the times of directories say what has changed, and the search cache
//! what there is; who saves an edit in place is seen by the background, and what is compared is read from its file in any case.

use memdir_encoder::Encoder;

use super::duplicate_candidates::{fold, is_in};
use super::judge::KnownMemory;
use super::recall::{LOOK_AT_EACH, Neighbour};
use super::{Error, Memory};
use memdir_core::kind::Scope;
use memdir_guard::confine::RelPath;
use memdir_store::topic::Topic;
use memdir_store::{Store, TimeSource, Written};

/// So many of each scope are looked at by meaning, and so many by words: what is judged costs a few milliseconds each.
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
        let mut found: Vec<KnownMemory> = Vec::new();
        for (store_scope, store) in stores {
            let of_store = |scope: &&Scope| (store_scope == Scope::User) == (**scope == Scope::User);
            for scope in scopes.iter().filter(of_store) {
                let wanted = |path: &str| is_in(*scope, path);
                let near = self.neighbours(store, encoder, statement, (BY_MEANING, BY_WORDS), wanted)?;
                found.extend(
                    near.into_iter().filter_map(|one| self.read_neighbour(store, *scope, one, encoder, statement)),
                );
            }
        }
        found.sort_by(|a, b| b.near.total_cmp(&a.near));
        Ok(found)
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
            let found = if folded.is_empty() { None } else { self.first_called(store, is_it)? };
            let found = found.and_then(|(path, written)| self.read_known(store, scope, &path, written, 1.0));
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn read_neighbour(
        &self,
        store: &Store,
        scope: Scope,
        neighbour: Neighbour,
        encoder: Encoder,
        statement: &str,
    ) -> Option<KnownMemory> {
        let Neighbour { path, cosine, written } = neighbour;
        let mut known = self.read_known(store, scope, &path, written, cosine.unwrap_or_default())?;
        if cosine.is_none() {
            known.near = nearness(encoder, statement, &known.topic);
        }
        Some(known)
    }

    fn read_known(&self, store: &Store, scope: Scope, path: &str, written: Written, near: f32) -> Option<KnownMemory> {
        let file = RelPath::parse(path).ok()?;
        let topic = Topic::parse(store.root().read(&file).ok()??);
        // The time of a file says nothing about when something was said (K6).
        let said_at = (written.source != TimeSource::FileTime).then(|| written.time(self.now.timestamp())).flatten();
        Some(KnownMemory { said_at, ..KnownMemory::found(scope, file, topic, near) })
    }
}

/// Whether a store is too large to be looked at whole for one memory.
pub(super) fn is_large(store: &Store) -> bool {
    !store.has_looked() && store.known_files() > LOOK_AT_EACH as usize
}

/// The cosine of a statement with a memory that has no stored vector.
fn nearness(encoder: Encoder, statement: &str, topic: &Topic) -> f32 {
    let (name, description) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
    let statement = encoder.encode_query(statement);
    let vectors = encoder.encode_memory(&name, &description, &topic.body());
    vectors.iter().map(|vector| vector.cosine(&statement)).fold(0.0, f32::max)
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
        let bench = TestMemory::new();
        for number in 0..=LOOK_AT_EACH {
            let text = format!("pump {number} of quay {} is served by crew {}", number * 7, number * 13);
            bench.put(&format!("project_{number:05}.md"), topic("project", &format!("pump {number}"), &text));
        }
        bench.memory().files().list().unwrap();
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
}
