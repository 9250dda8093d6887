//! A prompt, looked for in every store.
//!
//! Enters: what is looked for. Leaves: in the answer, the memories of each store that matter, and those that came near with the reason. A
//! cache that is damaged or behind gives what it has, and says so.

use memdir_encoder::Encoder;

use super::action::intent::PromptIntent;
use super::segment::Doc;
use super::{Recalled, SearchCache, Selected, SkippedMemory, times};
use crate::engine::listing::{FileRole, role};
use crate::engine::outside_memory::BESIDE;
use crate::engine::ratings::Ratings;
use crate::engine::uses::Uses;
use crate::engine::{Error, Memory};
use memdir_core::kind::Scope;
use memdir_core::limits::ACTION_FILES;
use memdir_search::rank::{self, Cause, Corpus, Known, Prompt};
use memdir_search::tools::Tools;
use memdir_store::Store;

/// How likely a rule about what a prompt leads to matters, beside what was found by meaning and words.
const RULED: f32 = 0.5;
/// Who said that a memory is not useful here does not hear it by such a detour.
const UNWANTED: f32 = -0.5;

/// What is looked for in every store.
#[derive(Clone, Copy)]
pub(super) struct PromptSearch<'s> {
    pub(super) text: &'s str,
    pub(super) tools: &'s Tools,
    pub(super) known: &'s dyn Fn(&str) -> bool,
    pub(super) ratings: &'s Ratings,
}

impl Memory {
    /// Looks through every store and adds what it finds to the answer.
    pub(super) fn search_stores(&self, sought: &PromptSearch<'_>, answer: &mut Recalled) -> Result<(), Error> {
        let encoder = Encoder::new();
        let vector = encoder.encode_query(sought.text);
        let times = times::named(sought.text, self.now.date());
        let prompt = Prompt { text: sought.text, vector: Some(&vector), tools: sought.tools, times: &times };
        let intent = PromptIntent::of(sought.text);
        for (scope, store) in self.recalled_stores()? {
            let mut cache = self.search_cache_of(store, &mut answer.behind)?;
            if cache.lacks_vectors() {
                let embed = |name: &str, description: &str, body: &str| encoder.encode_memory(name, description, body);
                cache = cache.with_those_for(sought.text, store, &embed);
            }
            if intent.is_some() {
                cache = cache.with_subjects_if_few(store);
            }
            answer.partial |= cache.lacks_vectors();
            answer.behind |= answer.partial;
            self.rank_store(&cache, scope, store, (&prompt, intent.as_ref()), sought, answer);
            self.put_back(store, cache);
        }
        Ok(())
    }

    /// Ranks one store's memories and adds what it finds to the answer.
    fn rank_store(
        &self,
        cache: &SearchCache,
        scope: Scope,
        store: &Store,
        (prompt, intent): (&Prompt<'_>, Option<&PromptIntent>),
        &PromptSearch { known, ratings, .. }: &PromptSearch<'_>,
        answer: &mut Recalled,
    ) {
        let root = store.root().path();
        let full = |path: &str| root.join(path).display().to_string();
        let scope_of = |path: &str| {
            if scope == Scope::Private && path.starts_with("team/") { Scope::Team } else { scope }
        };
        // A cache that is damaged gives nothing today and is rebuilt tomorrow.
        let Some(searcher) = cache.searcher() else {
            answer.behind = true;
            return;
        };
        let uses = Uses::of(store);
        // Beside the private directory only the logs are memory.
        let beside = self.is_beside(store);
        let named = |path: &str| if beside { format!("{BESIDE}{path}") } else { path.to_owned() };
        let experience = |path: &str| self.experience(&uses, ratings, path, scope_of(path));
        let corpus = Corpus {
            searcher: &searcher,
            vectors: cache.vectors(),
            known: &|doc| {
                let doc = cache.doc(doc).filter(|_| !cache.is_dead(doc))?;
                if beside && role(doc.path) != FileRole::Log {
                    return None;
                }
                Some(Known {
                    file: doc.path,
                    name: doc.name,
                    description: doc.description,
                    kind: doc.kind,
                    scope: scope_of(doc.path),
                    age_days: self.files().age(&doc.written).map(|days| u32::try_from(days).unwrap_or(u32::MAX)),
                    uses: uses.opened(doc.path),
                    pinned: doc.pinned,
                    experience: experience(doc.path),
                })
            },
            surfaced: &|doc| cache.doc(doc).is_some_and(|doc| known(&full(doc.path))),
        };
        // The same where nobody has looked yet.
        let Ok(ranking) = rank::rank(prompt, &corpus) else {
            answer.behind = true;
            return;
        };
        let selected = |doc: &Doc<'_>, score: f32, why: String, grounds: String, passage: usize| Selected {
            file: named(doc.path),
            path: full(doc.path),
            scope: scope_of(doc.path),
            kind: doc.kind,
            title: doc.name.to_owned(),
            description: doc.description.to_owned(),
            age_days: self.files().age(&doc.written),
            score,
            why,
            learned: experience(doc.path).shift(),
            grounds,
            evidence: Vec::new(),
            from: None,
            written: doc.written,
            passage,
        };
        let is_held = |cause: &Cause| matches!(cause, Cause::ToolInUse | Cause::Outdated);
        let is_free = |at: u32| {
            !cache.is_dead(at)
                && !ranking.selected.iter().any(|picked| picked.doc == at)
                && !ranking.skipped.iter().any(|skipped| skipped.doc == at && is_held(&skipped.cause))
        };
        let naming = intent.filter(|_| !beside).map_or_else(Vec::new, |intent| intent.candidates(&searcher));
        let ruled: Vec<(u32, Selected)> = naming
            .into_iter()
            .filter(|at| is_free(*at))
            .filter_map(|at| Some((at, cache.doc(at)?)))
            .filter(|(_, doc)| !known(&full(doc.path)) && experience(doc.path).shift() > UNWANTED)
            .filter_map(|(at, doc)| {
                let why = format!(
                    "it says which program does what the prompt asks for: {}",
                    intent?.ruled_by(cache.subjects_of(&doc.hash)?)?
                );
                Some((at, selected(&doc, RULED, why.clone(), why, 0)))
            })
            .take(ACTION_FILES)
            .collect();
        for picked in ranking.selected {
            let Some(doc) = cache.doc(picked.doc) else { continue };
            answer.selected.push(selected(&doc, picked.score, picked.why, picked.grounds, picked.passage));
        }
        let is_ruled = |at: u32| ruled.iter().any(|(ruled, _)| *ruled == at);
        let skipped: Vec<_> = ranking.skipped.into_iter().filter(|skipped| !is_ruled(skipped.doc)).collect();
        answer.selected.extend(ruled.into_iter().map(|(_, one)| one));
        for skipped in skipped {
            if let Some(doc) = cache.doc(skipped.doc) {
                answer.skipped.push(SkippedMemory {
                    file: named(doc.path),
                    scope: scope_of(doc.path),
                    cause: skipped.cause.into(),
                    reason: skipped.reason,
                    near: skipped.near,
                });
            }
        }
        for doc in ranking.seen.into_iter().filter_map(|doc| cache.doc(doc)) {
            answer.skipped.push(SkippedMemory::seen(named(doc.path), scope_of(doc.path)));
        }
    }
}
