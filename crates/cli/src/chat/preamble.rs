//! What comes before every conversation: system prompt, tools, and what a session starts with.
//!
//! Enters: a memory. Leaves: texts that are built once and stay as they are until `/clear` or `/compact`, so that the
//! provider's cache holds (M3). Never looks at the clock.

use memdir::context::prompts::{PromptTemplate, Prompts};
use memdir::engine::{ContextRequest, Memory};
use memdir::model::ToolSpec;
use memdir::model::tools::specs_in;

use super::tools::MEMORY_TOOL;
use crate::env;
use crate::failure::Failure;

/// What comes before every conversation of a session.
pub(super) struct Preamble {
    pub(super) system: Vec<String>,
    pub(super) tools: Vec<ToolSpec>,
    /// Instruction files and indexes, for the first message (M4).
    pub(super) context: Option<String>,
}

impl Preamble {
    /// Whether the model may write memory by Anthropic's tool.
    pub(super) fn has_memory_tool(&self) -> bool {
        self.tools.iter().any(|tool| tool.name == MEMORY_TOOL)
    }
}

/// Builds what a session starts with, or gets what it started with (M3).
pub(super) fn preamble(memory: &Memory) -> Result<Preamble, Failure> {
    let own_texts = env::own_texts(memory);
    let mut prompts = Prompts::with_own(own_texts.iter().map(|(name, text)| (name, text)));
    let dir = memory.place.project.cwd.display().to_string();
    let who =
        prompts.render(PromptTemplate::Chat, &[("dir", &dir)]).map_err(|error| Failure::Fault(error.to_string()))?;
    let tools = own_texts.iter().find(|(name, _)| name == "tools").map_or("", |(_, text)| text.as_str());
    let mut tools = specs_in(tools);
    if memory.settings.chat_memory_tool && memory.place.enabled && memory.models().status().driver == "anthropic" {
        tools.push(ToolSpec::memory());
    }
    let session = memory.signature.session.as_deref().unwrap_or_default();
    let context = memory.sessions().context(&ContextRequest { own_texts, ..ContextRequest::of_session(session) })?;
    let (manual, rest): (Vec<_>, Vec<_>) = context.blocks.into_iter().partition(|block| block.name == "manual");
    let rest: Vec<String> = rest.into_iter().map(|block| block.text).collect();
    let system = std::iter::once(who).chain(manual.into_iter().map(|block| block.text)).collect();
    Ok(Preamble { system, tools, context: (!rest.is_empty()).then(|| reminder(&rest.join("\n\n"))) })
}

/// Words of memdir's on the user's side. They cannot be ended from inside.
pub(super) fn reminder(text: &str) -> String {
    format!("<system-reminder>\n{}\n</system-reminder>", memdir::guard::shown::for_model(text))
}
