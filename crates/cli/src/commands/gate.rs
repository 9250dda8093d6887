//! `gate`: called by an agent that memdir sent, before each of its tool calls; JSON on stdin, yes or no on stdout.
//!
//! Opens no memory and reads no settings: what may be is in a variable that the agent was started with. A fault of
//! ours is a no (exit code 2 is one for every agent).

use std::io::Read as _;

use memdir::limits::GATE_INPUT_BYTES;
use memdir::model::command::gate::GateTerms;

use super::CommandResult;
use crate::args;
use crate::env;
use crate::ui::Ui;

pub(super) fn run(args: args::GateArgs, ui: &mut Ui) -> CommandResult {
    std::panic::set_hook(Box::new(|_| std::process::exit(2)));
    let mut input = Vec::new();
    let read = std::io::stdin().lock().take(GATE_INPUT_BYTES as u64 + 1).read_to_end(&mut input);
    if read.is_err() || input.len() > GATE_INPUT_BYTES {
        input.clear();
    }
    let (cwd, home) = env::here_and_home();
    let answer = GateTerms::answer(args.agent, &env::agent_run_terms(), &input, &cwd, home);
    Ok(ui.raw(&answer.in_words_of(args.agent))?)
}
