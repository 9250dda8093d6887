//! `serve` and `mcp`: memory for other programs.

use serde_json::json;

use super::CommandResult;
use crate::args::Global;
use crate::env;
use crate::ui::Ui;

/// On standard input and output.
pub(super) fn mcp(global: &Global, hooked: bool) -> CommandResult {
    let context = memdir_serve::ServeContext { hooked, ..env::serve_context(global)? };
    Ok(memdir_serve::mcp::on_stdio(context)?)
}

/// On a port of this machine.
pub(super) fn run(global: &Global, port: u16, open: bool, ui: &mut Ui) -> CommandResult {
    let mut printed = Ok(());
    memdir_serve::http::serve(env::serve_context(global)?, port, |address| {
        printed = if ui.json {
            ui.print_json(&json!({ "url": address.url, "token": address.token, "port": address.port }))
        } else {
            ui.line(&address.url)
        };
        ui.say("This address opens your memory to whoever has it; Ctrl-C ends the server.");
        if open && ui.interactive() {
            env::open_in_browser(&address.visit);
        }
    })?;
    Ok(printed?)
}
