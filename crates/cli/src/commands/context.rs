//! `context`: what a session starts with.

use memdir::engine::{ContextPart, ContextRequest, Memory};
use memdir::settings::Mode;

use super::CommandResult;
use crate::args::{Context, ModeArg, NotesPart};
use crate::ui::Ui;

pub(super) fn run(memory: &Memory, args: &Context, ui: &mut Ui) -> CommandResult {
    if let (Some(session), true) = (&args.session, args.reset) {
        memory.sessions().reset(session)?;
    }
    let request = ContextRequest {
        session: args.session.as_deref(),
        part: match args.part {
            NotesPart::Manual => ContextPart::Manual,
            NotesPart::Index => ContextPart::Index,
            NotesPart::Rules => ContextPart::Rules,
            NotesPart::All => ContextPart::All,
        },
        mode: args.mode.map(|mode| match mode {
            ModeArg::Normal => Mode::Normal,
            ModeArg::Team => Mode::Team,
            ModeArg::Log => Mode::Log,
        }),
        agent: args.agent.as_deref().map(|agent| (agent, args.agent_scope.into())),
        own_texts: crate::env::own_texts(memory),
    };
    let context = memory.sessions().context(&request)?;
    if ui.json {
        return Ok(ui.print_json(&context)?);
    }
    let texts: Vec<&str> = context.blocks.iter().map(|block| block.text.trim_end()).collect();
    if !texts.is_empty() {
        ui.raw(&(texts.join("\n\n") + "\n"))?;
    }
    for what in context.receipt.cut.iter().chain(&context.receipt.dropped) {
        ui.warn(format!("left out: {what}"));
    }
    Ok(())
}
