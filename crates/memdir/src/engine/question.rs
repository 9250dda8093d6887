//! The question whether a new memory takes the place of an old one, where the words do not decide it (K7).
//!
//! Enters: the new statement, the old memory, and the file in which the new one stands beside it. Leaves: a proposal in the inbox; a yes
//! makes one memory of the two. Until then both stay.

use super::inbox::Origin;
use super::judge::{KnownMemory, NewStatement, Verdict};
use super::{Error, Memory, NewProposal, ProposedFile};
use memdir_guard::confine::RelPath;

impl Memory {
    /// Leaves the question in the inbox whether a new memory takes the place of an old one.
    pub(super) fn ask_whether(
        &self,
        new: &NewStatement,
        old: &KnownMemory,
        saved: &str,
        origin: Origin,
    ) -> Result<(), Error> {
        let revised = old.after(new, &Verdict::Update(0, None));
        let (true, Some(revised)) = (origin.scope == old.scope, revised) else { return Ok(()) };
        let written = self.writable(origin.scope)?.root().read(&RelPath::parse(saved)?)?.unwrap_or_default();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let why = "the same thing may be meant".to_owned();
        let changed = ProposedFile {
            file: old.file.to_string(),
            before: Some(text(old.topic.as_bytes())),
            after: Some(text(revised.as_bytes())),
            why: why.clone(),
            ..ProposedFile::default()
        };
        let gone =
            ProposedFile { file: saved.to_owned(), before: Some(text(&written)), why, ..ProposedFile::default() };
        let reason = "one memory in place of two".to_owned();
        self.propose_once(NewProposal { kind: "remember", reason, files: vec![changed, gone] }, origin)?;
        Ok(())
    }
}
