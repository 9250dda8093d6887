//! `mcp`: memory for an agent, on standard input and output.

use super::Outcome;
use crate::args::Global;
use crate::env;

pub(super) fn run(global: &Global) -> Outcome {
    Ok(memdir_serve::mcp::on_stdio(env::house(global)?)?)
}
