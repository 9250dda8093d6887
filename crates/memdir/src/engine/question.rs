//! The question whether a new memory takes the place of an old one, where the words do not decide it (K7).
//!
//! Enters: the new statement, the old memory, and the file in which the new one is beside it. Leaves: a proposal in the inbox; a yes
//! makes one memory of the two, or lets the old one go where it cannot be reworded. Until then both stay, and whoever looks over
//! memory is told of the pair.

use super::inbox::{self, ProposalOrigin};
use super::judge::{KnownMemory, NewStatement, Verdict};
use super::{Error, Memory, NewProposal, Proposal, ProposedFile};
use memdir_guard::confine::RelPath;
use memdir_reader::likeness;
use memdir_store::Store;
use memdir_store::topic::Topic;

/// Who asks, in a proposal.
const ASKS: &str = "remember";

/// Two memories of which nobody has said yet whether the later takes the place of the earlier.
pub(super) struct OpenQuestion {
    /// The earlier one; then the later one, where both are in the same directory.
    pub(super) files: Vec<String>,
    /// What both say.
    pub(super) what: String,
}

impl OpenQuestion {
    /// Whether this memory is one of the two.
    pub(super) fn is_about(&self, file: &RelPath) -> bool {
        self.files.iter().any(|one| one == file.as_str())
    }
}

impl Memory {
    /// Leaves the question in the inbox whether a new memory takes the place of an old one.
    pub(super) fn ask_whether(
        &self,
        new: &NewStatement,
        old: &KnownMemory,
        saved: &str,
        origin: ProposalOrigin,
    ) -> Result<(), Error> {
        let beside = origin.scope == old.scope;
        let revised = old.after(new, &Verdict::Update(0, None)).filter(|_| beside);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let why = format!("{saved} says “{}”; the same thing may be meant", one_line(&new.text));
        let mut changed = ProposedFile {
            file: old.file.to_string(),
            before: Some(text(old.topic.as_bytes())),
            why: why.clone(),
            ..ProposedFile::default()
        };
        let (reason, files) = match revised {
            Some(revised) => {
                let written = self.writable(origin.scope)?.root().read(&RelPath::parse(saved)?)?.unwrap_or_default();
                changed.after = Some(text(revised.as_bytes()));
                let why = "the other would take over what it says".to_owned();
                let before = Some(text(&written));
                let gone = ProposedFile { file: saved.to_owned(), before, why, ..ProposedFile::default() };
                ("one memory in place of two", vec![changed, gone])
            }
            None => {
                changed.into = beside.then(|| saved.to_owned());
                changed.outdated = beside;
                ("the later memory in place of the earlier", vec![changed])
            }
        };
        let proposal = NewProposal { kind: ASKS, reason: reason.to_owned(), files };
        self.propose_once(proposal, ProposalOrigin { scope: old.scope, ..origin })?;
        Ok(())
    }

    /// What was asked about memories of a store, is not answered, and still is so.
    pub(super) fn open_questions(&self, store: &Store) -> Vec<OpenQuestion> {
        let asked = inbox::waiting(store).into_iter().filter(|proposal| proposal.kind == ASKS);
        asked.filter_map(|proposal| open(store, &proposal)).collect()
    }
}

fn open(store: &Store, proposal: &Proposal) -> Option<OpenQuestion> {
    let stands = |file: &ProposedFile| {
        let now = RelPath::parse(&file.file).ok().and_then(|path| store.root().read(&path).ok().flatten());
        now.as_deref() == file.before.as_deref().map(str::as_bytes)
    };
    let old = proposal.files.first()?;
    if !proposal.files.iter().all(stands) {
        return None;
    }
    let body = Topic::parse(old.before.clone()?.into_bytes()).body().into_owned();
    let beside = proposal.files.get(1).map(|file| &file.file).or(old.into.as_ref());
    Some(OpenQuestion {
        files: [Some(&old.file), beside].into_iter().flatten().cloned().collect(),
        what: format!("{} says “{}”, {}", old.file, one_line(&likeness::statement_of(&body)), old.why),
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
