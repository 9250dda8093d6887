//! Which known memories are worth comparing with a new one.
//!
//! Enters: the names and descriptions of a scope. Leaves: the few memories that share the most
//! telling words with a text, however many there are. Never judges whether two memories are the
//! same: that is likeness, and likeness of texts without a common word is none.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use memdir_core::kind::Scope;
use memdir_reader::likeness::{self, Note};
use memdir_store::catalog::{Catalog, CatalogGeneration, KnownFile};
use memdir_store::history::Hash;
use memdir_team::parent_folder;

use super::listing::{FileRole, role};

/// Memories that are looked at more closely; one that says the same shares nearly all words.
const CLOSEST: usize = 48;
/// Notes that are kept; a few kilobytes each.
const NOTES: usize = 4_096;

/// The memories of one scope by their words.
#[derive(Debug)]
pub(super) struct DuplicateCandidates {
    scope: Scope,
    /// Numbers in the catalog.
    memories: Vec<u32>,
    /// By name, without its accidents.
    names: HashMap<String, Vec<u32>>,
    /// By word of name and description: places in `memories`.
    words: HashMap<String, Vec<u32>>,
    /// What was read of memories that were looked at closely, by path.
    notes: HashMap<String, (Hash, Arc<Note>)>,
    generation: CatalogGeneration,
    /// How many of the catalog's latest news were taken in.
    read: usize,
}

impl DuplicateCandidates {
    /// Takes in the memories of a scope.
    pub(super) fn of(scope: Scope, catalog: &Catalog) -> DuplicateCandidates {
        let mut candidates = DuplicateCandidates {
            scope,
            memories: Vec::new(),
            names: HashMap::new(),
            words: HashMap::new(),
            notes: HashMap::new(),
            generation: catalog.generation(),
            read: catalog.touched().len(),
        };
        catalog.numbers().for_each(|number| candidates.add(number, catalog));
        candidates
    }

    /// Takes in what is new, or everything if the catalog was made again.
    pub(super) fn follow(&mut self, catalog: &Catalog) {
        match catalog.touched().get(self.read..) {
            Some(news) if self.generation == catalog.generation() => {
                for &number in news {
                    self.add(number, catalog);
                }
                self.read += news.len();
            }
            _ => *self = DuplicateCandidates::of(self.scope, catalog),
        }
    }

    /// The memory of a name, among those that `may` be it.
    pub(super) fn named<'c>(
        &self,
        name: &str,
        catalog: &'c Catalog,
        may: impl Fn(&KnownFile<'_>) -> bool,
    ) -> Option<KnownFile<'c>> {
        let folded = fold(name);
        let same = self.names.get(&folded).into_iter().flatten();
        // An edited file may have another name by now.
        let still = |known: &KnownFile<'_>| fold(known.name.unwrap_or_default()) == folded && may(known);
        same.filter_map(|&number| catalog.still(number)).filter(still).min_by_key(|known| known.path)
    }

    /// The memories that share the most telling words with a text, the closest first.
    pub(super) fn closest<'c>(&self, text: &str, catalog: &'c Catalog) -> impl Iterator<Item = KnownFile<'c>> {
        let wanted: HashSet<String> = likeness::words(text).into_iter().collect();
        let mut scores = vec![0.0_f32; self.memories.len()];
        for have in wanted.iter().filter_map(|word| self.words.get(word)) {
            // A word that few have tells more.
            let weight = (1.0 + self.memories.len() as f32 / have.len() as f32).ln();
            for &place in have {
                scores[place as usize] += weight;
            }
        }
        let mut found: Vec<u32> = (0..scores.len() as u32).filter(|&place| scores[place as usize] > 0.0).collect();
        let by_score = |a: &u32, b: &u32| scores[*b as usize].total_cmp(&scores[*a as usize]).then(a.cmp(b));
        if found.len() > CLOSEST {
            found.select_nth_unstable_by(CLOSEST, by_score);
            found.truncate(CLOSEST);
        }
        found.sort_unstable_by(by_score);
        let numbers: Vec<u32> = found.into_iter().map(|place| self.memories[place as usize]).collect();
        numbers.into_iter().filter_map(|number| catalog.still(number))
    }

    /// A memory as a note, made by `read` unless it is known from before: one process that saves many
    /// meets the same neighbours again and again.
    pub(super) fn note(&mut self, known: &KnownFile<'_>, read: impl FnOnce() -> Option<Note>) -> Option<Arc<Note>> {
        if let Some((hash, note)) = self.notes.get(known.path)
            && *hash == known.hash
        {
            return Some(Arc::clone(note));
        }
        let note = Arc::new(read()?);
        if self.notes.len() >= NOTES {
            self.notes.clear();
        }
        self.notes.insert(known.path.to_owned(), (known.hash, Arc::clone(&note)));
        Some(note)
    }

    fn add(&mut self, number: u32, catalog: &Catalog) {
        let Some(known) = catalog.still(number).filter(|known| is_in(self.scope, known.path)) else { return };
        let (name, description) = (known.name.unwrap_or_default(), known.description.unwrap_or_default());
        let place = self.memories.len() as u32;
        self.memories.push(number);
        let folded = fold(name);
        if !folded.is_empty() {
            self.names.entry(folded).or_default().push(number);
        }
        let words: HashSet<String> = likeness::words(&format!("{name} {description}")).into_iter().collect();
        for word in words {
            self.words.entry(word).or_default().push(place);
        }
    }
}

/// Whether a path is a topic of a scope that memdir may write to: what came from a team above is that team's.
pub(super) fn is_in(scope: Scope, path: &str) -> bool {
    let in_team = path.starts_with("team/") && scope != Scope::User;
    (scope == Scope::Team) == in_team && role(path) == FileRole::Topic && parent_folder(path).is_none()
}

/// A name without its accidents, for "is this the same memory?".
pub(super) fn fold(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use memdir_store::catalog::CatalogEntry;
    use memdir_store::history::Hash;
    use memdir_store::topic::Header;
    use memdir_store::{TimeSource, Written};

    const UNDATED: Written = Written { at: jiff::Timestamp::UNIX_EPOCH, source: TimeSource::Unknown };

    fn catalog(memories: &[(&str, &str, &str)]) -> Catalog {
        let mut catalog = Catalog::default();
        for (path, name, description) in memories {
            let header =
                Header { name: Some((*name).into()), description: Some((*description).into()), ..Header::default() };
            catalog.set(path, &CatalogEntry { facts: None, hash: Hash::of(path.as_bytes()), header, written: UNDATED });
        }
        catalog
    }

    #[test]
    fn the_one_that_shares_the_rarest_words_is_closest() {
        let many: Vec<(String, String)> =
            (0..200).map(|at| (format!("n{at}.md"), format!("deploy region{at} with canary"))).collect();
        let mut memories: Vec<(&str, &str, &str)> =
            many.iter().map(|(path, about)| (path.as_str(), "note", about.as_str())).collect();
        memories.push(("ledger.md", "Ledger", "deploy the ledger by hand"));
        memories.push(("MEMORY.md", "Index", "ledger ledger"));
        memories.push(("team/ledger.md", "Ledger", "deploy the ledger by hand"));
        let catalog = catalog(&memories);
        let candidates = DuplicateCandidates::of(Scope::Private, &catalog);
        let text = "the ledger is deployed by hand, deploy with care";
        let closest: Vec<&str> = candidates.closest(text, &catalog).map(|known| known.path).collect();
        assert_eq!(closest[0], "ledger.md");
        assert!(closest.len() <= CLOSEST);
        assert!(!closest.iter().any(|path| path.contains('/') || *path == "MEMORY.md"));
        assert_eq!(candidates.closest("zebra", &catalog).count(), 0);
    }

    #[test]
    fn it_follows_what_is_set_and_removed() {
        let mut catalog = catalog(&[("a.md", "Alpha", "the first letter")]);
        let mut candidates = DuplicateCandidates::of(Scope::Private, &catalog);
        let header =
            Header { name: Some("Omega".into()), description: Some("the last letter".into()), ..Header::default() };
        catalog.set("z.md", &CatalogEntry { facts: None, hash: Hash::of(b"z"), header, written: UNDATED });
        candidates.follow(&catalog);
        assert_eq!(candidates.named("omega", &catalog, |_| true).map(|known| known.path), Some("z.md"));
        assert_eq!(candidates.closest("a letter", &catalog).count(), 2);
        catalog.remove("a.md");
        candidates.follow(&catalog);
        assert_eq!(candidates.closest("a letter", &catalog).count(), 1);
    }

    #[test]
    fn a_name_is_the_same_without_its_accidents() {
        let catalog = catalog(&[("b.md", "Use UTC!", ""), ("a.md", "use-utc", ""), ("c.md", "", "")]);
        let candidates = DuplicateCandidates::of(Scope::Private, &catalog);
        assert_eq!(candidates.named("Use  utc", &catalog, |_| true).map(|known| known.path), Some("a.md"));
        assert_eq!(
            candidates.named("Use  utc", &catalog, |known| known.path > "a.md").map(|known| known.path),
            Some("b.md")
        );
        // Signs alone are not names, and files without one are not all the same.
        assert!(candidates.named("!?", &catalog, |_| true).is_none());
    }
}
