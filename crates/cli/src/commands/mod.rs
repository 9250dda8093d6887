//! One file a command, each a function from arguments to output.

mod adopt;
mod approve;
mod context;
mod demo;
mod doctor;
pub(crate) mod dream;
pub(crate) mod edit;
mod eval;
mod extract;
pub(crate) mod forget;
mod gate;
pub(crate) mod history;
mod hook;
mod import;
mod inbox;
mod init;
pub(crate) mod list;
mod log;
mod naming;
mod notes;
mod packagers;
mod pin;
mod progress;
mod recall;
mod reference;
pub(crate) mod remember;
mod remember_batch;
mod search;
mod serve;
mod settings;
mod show;
mod status;
pub(crate) mod team;
mod told;
mod work;

use memdir::engine::DreamRequest;
use memdir::kind::Rating;

use crate::args::{Args, Command, EvalCommand};
use crate::browse;
use crate::env;
use crate::failure::Failure;
use crate::ui::Ui;

/// What a command returns.
pub(crate) type CommandResult = Result<(), Failure>;

/// Runs what was asked for.
pub(crate) fn run(args: Args, ui: &mut Ui) -> CommandResult {
    let global = args.global;
    let open = || env::open(&global);
    let Some(command) = args.command else {
        return if browse::is_possible(ui) { browse::run(&global, ui) } else { status::run(&open()?, ui) };
    };
    match command {
        Command::Status { hooks: true, .. } => status::hooks(&open()?, ui),
        Command::Status { line: true, .. } => status::line(&open()?, ui),
        Command::Status { .. } => status::run(&open()?, ui),
        Command::Init(args) => init::run(&global, &args, ui),
        Command::Hook { host, event } => {
            hook::run(&global, &host, event.as_deref());
            Ok(())
        }
        Command::Settings { key, value } => settings::run(&global, key.as_deref(), value.as_deref(), ui),
        Command::Context(args) => context::run(&open()?, &args, ui),
        Command::Remember(args) => remember::run(&open()?, args, ui),
        Command::Forget { named } => forget::run(&open()?, &named.words.join(" "), ui),
        Command::Recall(args) => match (&args.not, &args.always) {
            (Some(file), _) => recall::rate(&open()?, file, Rating::NotUseful, ui),
            (None, Some(file)) => recall::rate(&open()?, file, Rating::Always, ui),
            (None, None) => recall::run(&open()?, &args, ui),
        },
        Command::Told { session, limit } => told::run(&open()?, session.as_deref(), limit, ui),
        Command::Extract(args) => extract::run(&open()?, &args, ui),
        Command::Enqueue { transcript, host, sub_agent, unattended } => {
            work::enqueue(&open()?, &transcript, host.into(), (sub_agent, unattended), ui)
        }
        Command::Work { settle } => {
            crate::system::leave_session();
            work::run(&open()?, settle, ui)
        }
        Command::Gate(args) => gate::run(args, ui),
        Command::Refresh => {
            crate::system::leave_session();
            recall::refresh(&open()?, ui)
        }
        Command::Choose { session } => {
            crate::system::leave_session();
            recall::choose(&open()?, &session, ui)
        }
        Command::Eval { command } => match command {
            EvalCommand::Actions { file, misses } => eval::actions(&file, misses, ui),
            EvalCommand::Coding { dir, answers, misses } => eval::coding(&dir, answers.as_deref(), misses, ui),
            EvalCommand::Corrections { file, said, misses } => eval::corrections(&file, said, misses, ui),
            EvalCommand::Dates { file, misses } => eval::dates(&file, misses, ui),
            EvalCommand::Recall { dir, without_session, misses } => eval::recall(&dir, !without_session, misses, ui),
            EvalCommand::Extract { dir, misses } => eval::extract(&dir, misses, ui),
            EvalCommand::Dream { dir, changes } => eval::dream(&dir, changes, ui),
        },
        Command::List { kind, scope } => list::run(&open()?, kind, scope, ui),
        Command::Show { named } => show::run(&open()?, &named.words, ui),
        Command::Edit(args) => edit::run(&open()?, args, ui),
        Command::Pin { named } => pin::run(&open()?, &named.words, true, ui),
        Command::Unpin { named } => pin::run(&open()?, &named.words, false, ui),
        Command::Move { named, scope } => pin::run_move(&open()?, &named.words, scope.into(), ui),
        Command::Search { term, transcripts, regex, limit } => {
            search::run(&open()?, &search::SearchQuery { term: &term.join(" "), transcripts, regex, limit }, ui)
        }
        Command::Log { command } => log::run(&open()?, command, ui),
        Command::History { file, limit } => history::run(&open()?, &file, limit, ui),
        Command::Diff { change } => history::run_diff(&open()?, change.as_deref(), ui),
        Command::Undo { change } => history::run_undo(&open()?, change.as_deref(), ui),
        Command::Blame { named } => history::run_blame(&open()?, &named.words, ui),
        Command::Purge { named } => forget::run_purge(&open()?, &named.words, ui),
        Command::Doctor { fix } => doctor::run(&open()?, fix, ui),
        Command::Dream { stop: true, .. } => dream::stop(&open()?, ui),
        Command::Dream { force, dry_run, .. } => {
            let yes = ui.yes;
            dream::run(&open()?, &DreamRequest { force, dry_run, yes, ..DreamRequest::default() }, ui)
        }
        Command::Notes { command } => notes::run(&open()?, command, ui),
        Command::Team { command } => team::run(&open()?, command, ui),
        Command::Inbox { command } => inbox::run(&open()?, command, ui),
        Command::Approve { file, remove } => approve::run(&open()?, file.as_deref(), remove, ui),
        Command::Adopt { from } => adopt::run(&open()?, from.as_deref(), ui),
        Command::Mcp { hooked } => serve::mcp(&global, hooked),
        Command::Serve { port, no_open } => serve::run(&global, port, !no_open, ui),
        Command::Import { source, path, dry_run } => import::run(&open()?, &source, path.as_deref(), dry_run, ui),
        Command::Export => import::export(&open()?, ui),
        Command::Chat(args) => crate::chat::run(global, args, ui),
        Command::Demo => demo::run(ui),
        Command::Completions { shell } => packagers::completions(shell, ui),
        Command::Man => packagers::man(ui),
        Command::Reference => reference::run(ui),
    }
}
