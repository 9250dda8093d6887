//! `completions` and `man`: for those who package memdir.

use clap::CommandFactory as _;

use super::CommandResult;
use crate::args::Args;
use crate::ui::Ui;

pub(super) fn completions(shell: clap_complete::Shell, ui: &mut Ui) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "memdir", &mut script);
    let text = String::from_utf8_lossy(&script).into_owned();
    if ui.json {
        return Ok(ui.print_json(&serde_json::json!({ "shell": shell.to_string(), "script": text }))?);
    }
    Ok(ui.raw(&text)?)
}

pub(super) fn man(ui: &mut Ui) -> CommandResult {
    let mut command = Args::command();
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        clap_mangen::Man::new(sub.clone()).title(format!("memdir-{}", sub.get_name())).render(&mut page)?;
    }
    let text = String::from_utf8_lossy(&page).into_owned();
    if ui.json {
        return Ok(ui.print_json(&serde_json::json!({ "page": text }))?);
    }
    Ok(ui.raw(&text)?)
}
