//! The parse, and what of its tree is allowed: simple calls in pipes and lists.
//!
//! Enters: a screened command. Leaves: a [`Plan`]. Every kind of node is named here; what is not
//! named as allowed is refused.

use brush_parser::ast::{
    AndOr, Command, CommandPrefixOrSuffixItem as Item, CompoundList, IoFileRedirectKind as Kind,
    IoFileRedirectTarget as Target, IoRedirect, Pipeline, SeparatorOperator, SimpleCommand, Word as Raw,
};
use brush_parser::{ParserOptions, SourceInfo, Token, parse_tokens, uncached_tokenize_str};

use super::word::{self, Word, shown};
use super::{Invocation, PROGRAMS, Plan, Sink, Step, When, find, options};

/// Operators that a plain list of calls can have.
const OPERATORS: [&str; 14] = ["|", "|&", "||", "&&", ";", "\n", ">", ">>", "<", ">&", "<&", "&>", "&>>", ">|"];

/// Words that begin something else than a call when they stand where a program would.
const RESERVED: [&str; 22] = [
    "!", "{", "}", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if",
    "in", "select", "then", "time", "until", "while",
];

/// Directories whose programs are the system's own.
const SYSTEM: [&str; 2] = ["/bin/", "/usr/bin/"];

pub(super) fn options() -> ParserOptions {
    ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() }
}

pub(super) fn plan(command: &str) -> Result<Plan, String> {
    let tokens = uncached_tokenize_str(command, &options().tokenizer_options())
        .map_err(|error| format!("the command cannot be read: {error}"))?;
    check_tokens(&tokens)?;
    let program = parse_tokens(&tokens, &options(), &SourceInfo::default())
        .map_err(|_| "the command cannot be parsed".to_owned())?;
    let mut steps = Vec::new();
    for list in &program.complete_commands {
        add_list(list, &mut steps)?;
    }
    Ok(Plan { steps })
}

/// Leaves only flat lists to the parser, whose time grows fast with nesting.
fn check_tokens(tokens: &[Token]) -> Result<(), String> {
    let mut program_next = true;
    for token in tokens {
        match token {
            Token::Operator(operator, _) if operator == "&" => return Err(background()),
            Token::Operator(operator, _) if !OPERATORS.contains(&operator.as_str()) => {
                return Err(format!("{} is not allowed; only plain calls, pipes, &&, || and ; are", shown(operator)));
            }
            Token::Operator(operator, _) => {
                program_next = matches!(operator.as_str(), "|" | "|&" | "||" | "&&" | ";" | "\n");
            }
            Token::Word(word, _) => {
                if program_next && RESERVED.contains(&word.as_str()) {
                    return Err(format!("{} is not allowed; only plain calls, pipes, &&, || and ; are", shown(word)));
                }
                program_next = false;
            }
        }
    }
    Ok(())
}

fn background() -> String {
    "a command in the background (&) is not allowed".to_owned()
}

fn add_list(list: &CompoundList, steps: &mut Vec<Step>) -> Result<(), String> {
    for item in &list.0 {
        if matches!(item.1, SeparatorOperator::Async) {
            return Err(background());
        }
        steps.push(step(When::Always, &item.0.first)?);
        for more in &item.0.additional {
            steps.push(match more {
                AndOr::And(pipeline) => step(When::Succeeded, pipeline)?,
                AndOr::Or(pipeline) => step(When::Failed, pipeline)?,
            });
        }
    }
    Ok(())
}

fn step(when: When, pipeline: &Pipeline) -> Result<Step, String> {
    if pipeline.timed.is_some() || pipeline.bang {
        return Err("`time` and `!` are not allowed before a command".to_owned());
    }
    let calls = pipeline.seq.iter().map(|command| match command {
        Command::Simple(simple) => call(simple),
        Command::Compound(..) | Command::Function(_) | Command::ExtendedTest(..) => {
            Err("only plain calls are allowed: no loops, groups, functions or tests".to_owned())
        }
    });
    Ok(Step { when, pipeline: calls.collect::<Result<_, _>>()? })
}

fn call(command: &SimpleCommand) -> Result<Invocation, String> {
    let (mut out, mut err) = (Sink::Output, Sink::Complaints);
    let mut words = Vec::new();
    let (before, after) = (command.prefix.as_ref().map(|list| &list.0), command.suffix.as_ref().map(|list| &list.0));
    for item in before.into_iter().flatten() {
        match item {
            Item::IoRedirect(redirect) => apply(redirect, &mut out, &mut err)?,
            Item::AssignmentWord(..) => return Err("setting a variable is not allowed".to_owned()),
            Item::Word(_) | Item::ProcessSubstitution(..) => return Err("the command cannot be parsed".to_owned()),
        }
    }
    let Some(name) = &command.word_or_name else {
        return Err("there is no program to call".to_owned());
    };
    let program = program(&read(name)?)?;
    for item in after.into_iter().flatten() {
        match item {
            Item::IoRedirect(redirect) => apply(redirect, &mut out, &mut err)?,
            // `name=value` behind a program is a word like any other.
            Item::Word(word) | Item::AssignmentWord(_, word) => words.push(read(word)?),
            Item::ProcessSubstitution(..) => {
                return Err("a command inside the command is not allowed; run it on its own".to_owned());
            }
        }
    }
    let words_only = words.iter().position(|word| program != "find" && word.prefix() == "--").unwrap_or(words.len());
    if let Some(word) = words[..words_only].iter().find(|word| word.may_become_option()) {
        let word = word.prefix();
        return Err(format!(
            "{} may stand for a file whose name is an option; write ./{word}, or quote it",
            shown(&word)
        ));
    }
    let args = if program == "find" { find::args(words)? } else { options::args(program, words)? };
    Ok(Invocation { program, args, out, err })
}

fn read(word: &Raw) -> Result<Word, String> {
    word::read(&word.value)
}

fn program(word: &Word) -> Result<&'static str, String> {
    let text = word.prefix();
    let name = SYSTEM.iter().find_map(|dir| text.strip_prefix(dir)).unwrap_or(&text);
    let known = PROGRAMS.iter().find(|known| !word.is_open() && **known == name);
    known
        .copied()
        .ok_or_else(|| format!("{} is not one of the programs that only read: {}", shown(&text), PROGRAMS.join(", ")))
}

/// Follows a redirection if it leads nowhere or only joins the two streams.
fn apply(redirect: &IoRedirect, out: &mut Sink, err: &mut Sink) -> Result<(), String> {
    let denied = || {
        let allowed = "only 2>/dev/null, >/dev/null, 2>&1 and >&2 are";
        Err(format!("reading from or writing to a file with < or > is not allowed; {allowed}"))
    };
    match redirect {
        IoRedirect::File(fd, Kind::Write | Kind::Append | Kind::Clobber, Target::Filename(file)) => {
            if !is_null(file)? {
                return denied();
            }
            match fd {
                None | Some(1) => *out = Sink::Nothing,
                Some(2) => *err = Sink::Nothing,
                Some(_) => return denied(),
            }
        }
        IoRedirect::OutputAndError(file, _) if is_null(file)? => (*out, *err) = (Sink::Nothing, Sink::Nothing),
        IoRedirect::File(fd, Kind::DuplicateOutput, target) => {
            let onto = match target {
                Target::Fd(fd) => fd.to_string(),
                Target::Duplicate(word) => read(word)?.prefix(),
                Target::Filename(_) | Target::ProcessSubstitution(..) => return denied(),
            };
            match (fd, onto.as_str()) {
                (Some(2), "1") => *err = *out,
                (None | Some(1), "2") => *out = *err,
                (None | Some(1), "1") | (Some(2), "2") => {}
                _ => return denied(),
            }
        }
        _ => return denied(),
    }
    Ok(())
}

fn is_null(file: &Raw) -> Result<bool, String> {
    let word = read(file)?;
    Ok(!word.is_open() && word.prefix() == "/dev/null")
}
