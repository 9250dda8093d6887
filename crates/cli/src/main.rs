//! The `memdir` command.

mod args;
mod commands;
mod env;
mod failure;
mod runner;
mod shell;
mod ui;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let args = args::Args::parse();
    let mut ui = ui::Ui::new(&args.global);
    match commands::run(args, &mut ui) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(&mut ui),
    }
}
