//! The known memories that a statement may be about.
//!
//! Enters: a statement and the scopes to look in. Leaves: the few memories nearest to it, by meaning and by words, read. What came from
//! a further team is that team's and is left out.

use jiff::Timestamp;
use memdir_encoder::Encoder;

use super::body::Body;
use super::revise::{NewStatement, reads};
use super::verdict::Verdict;
use crate::engine::duplicate_candidates::{DuplicateCandidates, is_in};
use crate::engine::recall::TextMeaning;
use crate::engine::{Error, Memory};
use memdir_core::kind::{Scope, Type};
use memdir_guard::confine::RelPath;
use memdir_reader::subjects::{Stance, Subjects};
use memdir_store::TimeSource;
use memdir_store::catalog::Catalog;
use memdir_store::topic::Topic;

/// So many of each scope are looked at by meaning, and so many by words: what is judged costs a few milliseconds each.
const BY_MEANING: usize = 5;
const BY_WORDS: usize = 3;

/// A memory that a statement may be about.
#[derive(Clone, Debug)]
pub(in crate::engine) struct KnownMemory {
    pub(in crate::engine) scope: Scope,
    pub(in crate::engine) file: RelPath,
    pub(in crate::engine) topic: Topic,
    /// Its cosine with the statement; 1 where it was named.
    pub(in crate::engine) near: f32,
    /// When what it says was said or written, where that is noted (K6).
    pub(in crate::engine) said_at: Option<Timestamp>,
}

impl KnownMemory {
    /// A memory that was found near to a statement, with how near it is; whoever found it knows when it was said.
    pub(in crate::engine) fn found(scope: Scope, file: RelPath, topic: Topic, near: f32) -> KnownMemory {
        KnownMemory { scope, file, topic, near, said_at: None }
    }

    pub(in crate::engine) fn name(&self) -> String {
        self.topic.name().unwrap_or_default().into_owned()
    }

    pub(in crate::engine) fn description(&self) -> String {
        self.topic.description().unwrap_or_default().into_owned()
    }

    pub(in crate::engine) fn kind(&self) -> Option<Type> {
        self.topic.kind()
    }

    pub(in crate::engine) fn pinned(&self) -> bool {
        self.topic.pinned()
    }

    /// What it states, without its reasons.
    pub(in crate::engine) fn told(&self) -> String {
        Body::read(&self.topic.body()).statement
    }

    /// Whether a statement of the same brings a reason or a use where there is none, or a prohibition where nothing is forbidden: who
    /// knows how a tool is called has not been warned of it.
    pub(in crate::engine) fn lacks(&self, new: &NewStatement) -> bool {
        let told = self.topic.body();
        let body = Body::read(&told);
        let warns = || {
            let forbids = |stance: Stance| stance == Stance::Forbids;
            let advises = |stance: Stance| stance != Stance::Explains && stance != Stance::When;
            stances(&new.text).any(forbids) && !stances(&told).any(advises)
        };
        (body.why.is_none() && new.why.is_some()) || (body.apply.is_none() && new.apply.is_some()) || warns()
    }

    /// What it states under its name.
    pub(in crate::engine) fn stated(&self) -> String {
        format!("{}. {}", self.name(), self.told())
    }

    /// How it would read after a verdict; `None` where it stays as it is, or its frontmatter is too broken to be edited.
    pub(in crate::engine) fn after(&self, new: &NewStatement, verdict: &Verdict) -> Option<Topic> {
        reads(&self.topic, "", new, verdict).ok().flatten().map(|revised| revised.topic)
    }
}

/// What the parts of a text do.
fn stances(text: &str) -> impl Iterator<Item = Stance> {
    Subjects::of("", "", text).clauses.into_iter().map(|clause| clause.stance)
}

impl Memory {
    /// The memory of a scope that has a name.
    pub(in crate::engine) fn known_as(&self, scope: Scope, name: &str) -> Result<Option<KnownMemory>, Error> {
        for (store_scope, store) in self.stores()? {
            if (store_scope == Scope::User) != (scope == Scope::User) {
                continue;
            }
            store.notice_once(self.now.timestamp())?;
            let catalog = store.known()?;
            let mut all = self.duplicate_candidates.borrow_mut();
            let candidates = all.entry(scope).or_insert_with(|| DuplicateCandidates::of(scope, &catalog));
            candidates.follow(&catalog);
            let Some(known) = candidates.named(name, &catalog, |_| true) else { continue };
            let Ok(file) = RelPath::parse(known.path) else { continue };
            if let Some(bytes) = store.root().read(&file)? {
                let said_at = said_at(&catalog, known.path, self.now.timestamp());
                return Ok(Some(KnownMemory { scope, file, topic: Topic::parse(bytes), near: 1.0, said_at }));
            }
        }
        Ok(None)
    }

    /// The memories of some scopes that a statement may be about, the nearest first.
    pub(in crate::engine) fn known_near(
        &self,
        scopes: &[Scope],
        encoder: Encoder,
        statement: &str,
    ) -> Result<Vec<KnownMemory>, Error> {
        let asked = TextMeaning::of(encoder, statement);
        let mut found: Vec<KnownMemory> = Vec::new();
        for (store_scope, store) in self.stores()? {
            store.notice_once(self.now.timestamp())?;
            for &scope in scopes {
                if (store_scope == Scope::User) != (scope == Scope::User) {
                    continue;
                }
                let catalog = store.known()?;
                let mut all = self.duplicate_candidates.borrow_mut();
                let candidates = all.entry(scope).or_insert_with(|| DuplicateCandidates::of(scope, &catalog));
                candidates.follow(&catalog);
                let by_words: Vec<String> =
                    candidates.closest(statement, &catalog).take(BY_WORDS).map(|known| known.path.to_owned()).collect();
                let near = self.nearest(store, &asked, BY_MEANING, |path| is_in(scope, path), &by_words)?;
                let mut near: Vec<(String, Option<f32>)> =
                    near.into_iter().map(|(path, cosine)| (path, Some(cosine))).collect();
                for path in by_words {
                    if !near.iter().any(|(known, _)| *known == path) {
                        near.push((path, None));
                    }
                }
                for (path, cosine) in near {
                    let Ok(file) = RelPath::parse(&path) else { continue };
                    let Ok(Some(bytes)) = store.root().read(&file) else { continue };
                    let topic = Topic::parse(bytes);
                    let near = cosine.unwrap_or_else(|| asked.nearness(&topic));
                    let said_at = said_at(&catalog, &path, self.now.timestamp());
                    found.push(KnownMemory { scope, file, topic, near, said_at });
                }
            }
        }
        found.sort_by(|a, b| b.near.total_cmp(&a.near));
        Ok(found)
    }
}

/// When a memory was written, as far as somebody noted it: the time of a file says nothing (K6).
fn said_at(catalog: &Catalog, path: &str, now: Timestamp) -> Option<Timestamp> {
    let written = catalog.get(path)?.written;
    (written.source != TimeSource::FileTime).then(|| written.time(now)).flatten()
}
