//! An agent with memory in fifty lines: `cargo run --example embed -- "What do you know about our tests?"`
//! Needs `ANTHROPIC_API_KEY` (or another model, see `memdir status`) and `MEMDIR_MODEL_CONSENT=1`.
#![allow(clippy::print_stdout)]
use std::time::Duration;

use memdir::context::prompts::{PromptTemplate, Prompts};
use memdir::engine::{ContextRequest, LearnRequest, RecallRequest, Signature};
use memdir::model::tools::{JobOutput, Shell, ShellJob, ToolError, specs};
use memdir::model::{CallLimits, Cancel, ChatMessage, ChatRole, ContentBlock, Request};
use memdir::store::history::Actor;

/// The library starts no process; an embedder that wants read-only commands runs them here.
struct NoShell;
impl Shell for NoShell {
    fn run(&self, _: &ShellJob) -> Result<JobOutput, ToolError> {
        Err("commands are not run here".into())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let prompt = std::env::args().nth(1).ok_or("say something")?;
    let by = |actor| Signature { actor, session: Some("embed".into()), message: None };
    let mut memory = memdir::open_here()?;
    memory.signature = by(Actor::Agent);
    let model = memory.models().get(None).map_err(|status| status.reason_text)?;
    // 1. What a session starts with: the manual, instruction files, the index. The same bytes until it is reset.
    let context = memory.sessions().context(&ContextRequest::of_session("embed"))?;
    let context: Vec<String> = context.blocks.into_iter().map(|block| block.text).collect();
    let dir = memory.place.project.cwd.display().to_string();
    let system = vec![Prompts::built_in().render(PromptTemplate::Chat, &[("dir", &dir)])?, context.join("\n\n")];
    // 2. The few memories that matter for this prompt, beside it.
    let recalled =
        memory.recall().for_prompt(RecallRequest { session: Some("embed"), ..RecallRequest::new(&prompt) })?;
    let texts = [prompt.clone(), recalled.reminder].into_iter().filter(|text| !text.is_empty());
    let said = ChatMessage { role: ChatRole::User, content: texts.map(|text| ContentBlock::Text { text }).collect() };
    // 3. The answer. (An agent would call the tools that the reply names; see `memdir::model::tools`.)
    let mut parent = Request { system, tools: specs(), messages: vec![said], max_output_tokens: 2_000, schema: None };
    let call = CallLimits { timeout: Duration::from_mins(2), cancel: Cancel::default() };
    let reply = model.ask(&parent, &call, &mut |text| print!("{text}"))?;
    // 4. Learn from it: a forked agent with the same prefix, on a copy, checked, landed as one change.
    parent.messages.push(ChatMessage { role: ChatRole::Assistant, content: reply.content });
    let learn = LearnRequest::from_turn(&*model, &parent, 2, &NoShell, by(Actor::Extract));
    let learned = memory.learn().run(&learn, &mut |_| {})?;
    println!("\n{}", learned.line().unwrap_or_else(|| "nothing new was learned".into()));
    Ok(())
}
