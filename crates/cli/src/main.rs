//! The `memdir` command.

mod args;
mod browse;
mod chat;
mod commands;
mod env;
mod failure;
mod git_program;
mod hint;
mod interrupt;
mod runner;
mod shell;
mod system;
mod ui;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        // A host must not suffer from words that this version does not know.
        Err(error) if error.use_stderr() && std::env::args_os().nth(1).is_some_and(|word| word == "hook") => {
            return ExitCode::SUCCESS;
        }
        Err(error) => args::with_synonym(error).exit(),
    };
    let mut ui = ui::Ui::new(&args.global);
    match commands::run(args, &mut ui) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(&mut ui),
    }
}
