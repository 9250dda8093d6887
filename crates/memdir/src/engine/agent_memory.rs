//! The memory of a sub-agent: read when it starts, written by name, and confined to its own directory (G1–G3).
//!
//! Enters: the type of an agent, how far its memory reaches, and what it wants remembered. Leaves: the index of each memory that it
//! has, and a memory in the one that was named. What the project, the team or the user know is neither compared nor changed; no
//! directory is made for an agent that only starts. Never selects by a prompt, and learns from no conversation.

use super::{ContextPart, ContextRequest, Error, Files, Memory, Remember, Remembered};
use memdir_context::contents::{ContentSource, contents};
use memdir_context::prompts::Prompts;
use memdir_core::kind::{AgentScope, Scope};
use memdir_core::settings::Mode;

impl Files<'_> {
    /// Saves one memory of a sub-agent.
    pub fn remember_of_agent(&self, agent: &str, reach: AgentScope, wanted: &Remember) -> Result<Remembered, Error> {
        if wanted.scope.is_some() {
            return Err(Error::Refused("a sub-agent's memory is its own; leave the scope out".into()));
        }
        let own = self.memory.of_agent(agent, reach)?;
        // Its directory is the private one of that handle, and no other is looked at.
        let saved = own.files().remember(&Remember { scope: Some(Scope::Private), ..wanted.clone() })?;
        Ok(Remembered { scope: Scope::Agent, ..saved })
    }
}

impl Memory {
    /// The indexes of the memories that a sub-agent has, each under its label, the farthest reach first.
    pub(super) fn agent_indexes(&self, agent: &str, own_texts: &[(String, String)]) -> Result<Vec<String>, Error> {
        let mut prompts = Prompts::with_own(own_texts.iter().map(|(name, text)| (name, text)));
        let mut found = Vec::new();
        for reach in [AgentScope::User, AgentScope::Project, AgentScope::Local] {
            let path = self.place.agent_dir(agent, reach)?.join("MEMORY.md");
            if !path.is_file() {
                continue;
            }
            let request = ContextRequest {
                session: None,
                part: ContextPart::Index,
                mode: None,
                agent: Some((agent, reach)),
                own_texts: own_texts.to_vec(),
            };
            let context = self.sessions().context(&request)?;
            let block = context.blocks.iter().find(|block| block.name == ContentSource::AgentIndex.block());
            let index = block.map(|block| block.text.trim().trim_start_matches("## MEMORY.md").trim());
            if let Some(index) = index.filter(|index| !index.is_empty()) {
                let text = contents(ContentSource::AgentIndex, &path, None, index, &mut prompts);
                found.push(text.map_err(|error| Error::Refused(error.to_string()))?);
            }
        }
        Ok(found)
    }

    /// The same process on the memory of a sub-agent, as if its directory had been named.
    fn of_agent(&self, agent: &str, reach: AgentScope) -> Result<Memory, Error> {
        self.require_on()?;
        let mut around = self.around.clone();
        around.flags.memory_dir = Some(self.place.agent_dir(agent, reach)?);
        // A sub-agent keeps topics, whatever the project keeps.
        around.flags.settings.push(("mode".to_owned(), Mode::Normal.as_str().to_owned()));
        let own = Memory::open(around, self.git, self.now.clone(), self.signature.clone())?;
        Ok(Memory { own_texts: self.own_texts, ..own })
    }
}
