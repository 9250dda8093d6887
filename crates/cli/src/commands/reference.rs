//! `reference`: docs/reference.md, made from the code it describes.
//!
//! Enters: the argument parser's own tree, the tables of settings, variables, limits, secret rules
//! and checks. Leaves: one Markdown page, the same for the same program. Never looks at the
//! machine it runs on.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory as _};
use memdir::engine::doctor::{CHECKS, Level};
use memdir::guard::secrets;
use memdir::limits;
use memdir::settings::{KEYS, Tighten};

use super::CommandResult;
use crate::args::Args;
use crate::env::VARIABLES;
use crate::failure::Failure;
use crate::ui::Ui;

const HEAD: &str = "\
# Reference

Made from the code, and a test compares the two. To make it anew: `cargo run -- reference > docs/reference.md`.

Data goes to stdout, talk to stderr. Exit 0: done. Exit 1: the request cannot be met (no such file, refused, switched
off). Exit 2: something is broken, or the command line was not understood. A FILE is a name relative to its memory
directory, with or without `.md`; `user:NAME` means the user scope.
";

pub(super) fn run(ui: &mut Ui) -> CommandResult {
    let page = page()?;
    if ui.json {
        return Ok(ui.print_json(&serde_json::json!({ "page": page }))?);
    }
    Ok(ui.raw(&page)?)
}

fn page() -> Result<String, Failure> {
    let mut root = Args::command();
    root.build();
    let mut page = HEAD.to_owned();
    commands(&root, &mut page);
    settings(&mut page);
    variables(&mut page);
    numbers(&mut page)?;
    rules(&mut page);
    checks(&mut page);
    Ok(page)
}

fn commands(root: &Command, page: &mut String) {
    page.push_str("\n## Commands\n");
    for command in root.get_subcommands().filter(|command| !command.is_hide_set()) {
        let mut parts: Vec<&Command> = command.get_subcommands().filter(|part| part.get_name() != "help").collect();
        if parts.is_empty() {
            parts.push(command);
        }
        for part in parts {
            one_command(part, page);
        }
    }
    page.push_str("\n## Global options\n\nEvery command takes them.\n\n");
    let global = root.get_arguments().filter(|arg| arg.is_global_set() && !arg.is_hide_set());
    table(&["option", "meaning"], global.map(option), page);
}

fn one_command(command: &Command, page: &mut String) {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let name = usage.split(['[', '<', '-']).next().unwrap_or(usage).trim();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    // Writing to a String cannot fail.
    let _ = write!(page, "\n### {name}\n\n{about}.\n\n```text\n{usage}\n```\n");
    let own = |arg: &&Arg| {
        !arg.is_global_set() && !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str())
    };
    let rows: Vec<_> = command.get_arguments().filter(own).map(option).collect();
    if !rows.is_empty() {
        page.push('\n');
        table(&["argument or option", "meaning"], rows.into_iter(), page);
    }
    if let Some(example) = command.get_after_help() {
        let example = example.to_string();
        let _ = write!(
            page,
            "\n```sh\n{}\n```\n",
            example.trim_start_matches("Example:").trim_matches('\n').replace("\n  ", "\n").trim()
        );
    }
}

/// One row: how an argument is written, and what it means.
fn option(arg: &Arg) -> Vec<String> {
    let values: Vec<String> = arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect();
    let takes = arg.get_action().takes_values();
    let mut written: Vec<String> = Vec::new();
    written.extend(arg.get_short().map(|short| format!("`-{short}`")));
    written.extend(
        arg.get_long()
            .map(|long| if takes { format!("`--{long} {}`", values.join(" ")) } else { format!("`--{long}`") }),
    );
    if written.is_empty() {
        written.push(format!("`{}`", values.join(" ")));
    }
    let mut meaning = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let words: Vec<String> = arg.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
    if takes && !words.is_empty() {
        let _ = write!(meaning, ": {}", words.join(", "));
    }
    let default: Vec<String> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    if takes && !default.is_empty() {
        let _ = write!(meaning, " (default `{}`)", default.join(" "));
    }
    vec![written.join(", "), meaning]
}

fn settings(page: &mut String) {
    page.push_str(
        "\n## Settings\n\nIn `memdir/config.toml` below the configuration directory, by `memdir settings KEY VALUE`, or by the \
         variable for one run. Later ones win: defaults, the host's settings, `config.toml`, a project's `.memdir.toml` as \
         far as it tightens, `MEMDIR_GATES`, variables, flags, the administrator's settings.\n\nThe keys below \
         `dream` and `notes`, and `review`, belong to jobs that this version does not have yet.\n\n",
    );
    let rows = KEYS.iter().map(|key| {
        let project = match key.tighten {
            Tighten::Never => "no",
            Tighten::Off => "off",
            Tighten::On => "on",
            Tighten::Larger => "larger",
            Tighten::Smaller => "smaller",
        };
        let default = key.default().to_string();
        vec![
            format!("`{}`", key.name),
            if default.is_empty() { "none".to_owned() } else { format!("`{default}`") },
            key.kind.accepts(),
            format!("`{}`", key.variable()),
            project.to_owned(),
            key.doc.to_owned(),
        ]
    });
    table(&["key", "default", "takes", "variable", "`.memdir.toml`", "meaning"], rows, page);
}

fn variables(page: &mut String) {
    page.push_str("\n## Variables\n\nBesides those of the settings.\n\n");
    let rows = VARIABLES.iter().map(|(names, about)| {
        let names: Vec<String> = names.split(", ").map(|name| format!("`{name}`")).collect();
        vec![names.join(", "), (*about).to_owned()]
    });
    table(&["variable", "meaning"], rows, page);
}

fn numbers(page: &mut String) -> Result<(), Failure> {
    page.push_str("\n## Limits\n\nFixed numbers; the defaults of settings are among them.\n\n");
    let mut rows = Vec::new();
    for source in limits::SOURCES {
        rows.extend(limits_of(source).map_err(|line| Failure::Fault(format!("a limit cannot be read: {line}")))?);
    }
    table(&["name", "value", "meaning"], rows.into_iter(), page);
    Ok(())
}

/// The constants of a source with value and meaning; a constant that cannot be read is an error.
fn limits_of(source: &str) -> Result<Vec<Vec<String>>, String> {
    let mut rows = Vec::new();
    let mut about = String::new();
    for line in source.lines() {
        if let Some(words) = line.strip_prefix("///") {
            about.push_str(words);
        } else if let Some(rest) = line.strip_prefix("pub const ") {
            let about = std::mem::take(&mut about);
            let (name, value) = constant(rest).ok_or(line)?;
            rows.push(vec![format!("`{name}`"), value, without_ids(about.trim())]);
        } else {
            about.clear();
        }
    }
    Ok(rows)
}

/// A sentence without the behaviours it names in parentheses: `(I1, I6)` says nothing to a user.
fn without_ids(about: &str) -> String {
    let is_id = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_uppercase()) && word[1..].starts_with(|c: char| c.is_ascii_digit())
    };
    let mut parts = about.split(" (");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((inside, rest)) if inside.split(", ").all(is_id) => out.push_str(rest),
            _ => {
                out.push_str(" (");
                out.push_str(part);
            }
        }
    }
    out
}

/// `NAME: usize = 16 * 1024;` → the name, and the product in figures.
fn constant(rest: &str) -> Option<(&str, String)> {
    let (name, rest) = rest.split_once(": ")?;
    let value = rest.split_once(" = ")?.1.strip_suffix(';')?;
    if value.contains('.') {
        return Some((name, value.parse::<f64>().ok()?.to_string()));
    }
    let mut factors = value.split('*').map(|factor| factor.trim().replace('_', "").parse::<u64>().ok());
    let product = factors.try_fold(1_u64, |product, factor| product.checked_mul(factor?))?;
    Some((name, grouped(product)))
}

/// Figures in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn rules(page: &mut String) {
    page.push_str("\n## Secret rules\n\nA text that matches one is refused; the message gives its name.\n\n");
    table(
        &["rule", "what it finds"],
        secrets::rules().map(|rule| vec![format!("`{}`", rule.name), rule.about.to_owned()]),
        page,
    );
}

fn checks(page: &mut String) {
    page.push_str(
        "\n## Doctor's checks\n\n\
         `doctor` speaks of what hurts. How a memory is written (no frontmatter, no description, a slug for a name, another type, \
         CR LF, a byte order mark, notes in the index without a link) and permissions that only let others read are no findings. \
         Findings of one kind are one: `count` says how often, `files` lists the files, `file` is the first of them, or the index, \
         and `message` names a few. `--fix` changes MEMORY.md and permissions, never a memory, and loses no word: a link to nothing \
         leads to the only file of that name, else its line becomes a plain note; of two equal lines one goes; a file that the \
         index does not name gets a line. Long lines stay.\n\n",
    );
    let rows = CHECKS.iter().map(|check| {
        let level = match check.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Info => "note",
        };
        let fix = if check.fixable { "yes" } else { "" };
        vec![format!("`{}`", check.name), level.to_owned(), fix.to_owned(), check.about.to_owned()]
    });
    table(&["check", "level", "`--fix`", "meaning"], rows, page);
}

fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>, page: &mut String) {
    let mut row = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
        let _ = writeln!(page, "| {} |", cells.join(" | "));
    };
    row(&head.iter().map(ToString::to_string).collect::<Vec<_>>());
    row(&vec!["---".to_owned(); head.len()]);
    for cells in rows {
        row(&cells);
    }
}
