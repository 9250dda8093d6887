//! The programs that a command line calls, whatever else it does.
//!
//! Enters: a command line as a model wrote it. Leaves: each call of a program in it, in order, with its words unquoted, the
//! files that its output goes to, and what is fed to it. Lists, pipes, groups, loops, subshells and commands inside of words
//! are looked into. Never runs anything, and never says whether a call is harmless: that is [`super::judge`]. What cannot be
//! read has no calls.

use brush_parser::word::{WordPiece, WordPieceWithSource, parse};
use brush_parser::{Token, uncached_tokenize_str};

use super::list::options;
use memdir_core::limits::{ACTION_CALLS, ACTION_COMMAND_BYTES, ACTION_NESTING};

/// Words that stand before a call and are none of it.
const BEFORE: [&str; 13] = ["!", "{", "}", "do", "done", "elif", "else", "esac", "fi", "if", "then", "until", "while"];

/// One call of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// Variables that are set for it alone.
    pub variables: Vec<(String, String)>,
    /// The program and what it is told, without quotes.
    pub words: Vec<String>,
    /// Files that its output is written to.
    pub outputs: Vec<String>,
    /// The text of its here-document.
    pub input: Option<String>,
}

/// The calls of a command line.
pub fn calls(command: &str) -> Vec<Call> {
    let mut found = Vec::new();
    add_calls(&command[..command.floor_char_boundary(ACTION_COMMAND_BYTES)], 0, &mut found);
    found.truncate(ACTION_CALLS);
    found
}

fn add_calls(command: &str, depth: usize, found: &mut Vec<Call>) {
    // A parser's time doubles with each level of nesting.
    if depth > ACTION_NESTING || command.matches("$(").count() + command.matches('`').count() > 4 * ACTION_NESTING {
        return;
    }
    let read = |text: &str| uncached_tokenize_str(text, &options().tokenizer_options()).ok();
    // Of a command that was cut, or has a quote too many, the first line may still be whole.
    let Some(tokens) = read(command).or_else(|| read(command.lines().next()?)) else { return };
    let mut call = Call::default();
    let mut tokens = tokens.iter();
    let mut inner = Vec::new();
    let mut last_end = None;
    while let Some(token) = tokens.next() {
        let touches_last = last_end.replace(token.location().end.index) == Some(token.location().start.index);
        match token {
            Token::Operator(operator, _) => match operator.as_str() {
                ">" | ">>" | ">|" | "&>" | "&>>" => {
                    drop_stream(&mut call, touches_last);
                    if let Some(Token::Word(file, _)) = tokens.next() {
                        call.outputs.push(unquoted(file, &mut inner));
                    }
                }
                "<" | "<<<" | ">&" | "<&" | "<>" => {
                    drop_stream(&mut call, touches_last);
                    tokens.next();
                }
                "<<" | "<<-" => {
                    // Its mark, its text, and its mark again.
                    tokens.next();
                    if let Some(Token::Word(text, _)) = tokens.next() {
                        call.input = Some(text.clone());
                    }
                    tokens.next();
                }
                _ => finish(&mut call, found),
            },
            Token::Word(raw, _) => {
                if call.words.is_empty() && BEFORE.contains(&raw.as_str()) {
                    continue;
                }
                let word = unquoted(raw, &mut inner);
                match assignment(&word).filter(|_| call.words.is_empty()) {
                    Some(variable) => call.variables.push(variable),
                    None if !word.is_empty() => call.words.push(word),
                    None => {}
                }
            }
        }
    }
    finish(&mut call, found);
    for command in inner {
        add_calls(&command, depth + 1, found);
    }
}

fn finish(call: &mut Call, found: &mut Vec<Call>) {
    let mut done = std::mem::take(call);
    done.outputs.retain(|file| !file.starts_with("/dev/"));
    if !done.words.is_empty() || !done.outputs.is_empty() {
        found.push(done);
    }
}

/// The number of a stream directly before its redirection is no word of the call.
fn drop_stream(call: &mut Call, touches: bool) {
    if touches && call.words.last().is_some_and(|word| word.len() == 1 && word.as_bytes()[0].is_ascii_digit()) {
        call.words.pop();
    }
}

/// `NAME=value`.
fn assignment(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once('=')?;
    let is_name = !name.is_empty()
        && !name.starts_with(|letter: char| letter.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| (name.to_owned(), value.to_owned()))
}

/// A word without its quotes; commands inside of it are put aside.
fn unquoted(raw: &str, inner: &mut Vec<String>) -> String {
    let Ok(pieces) = parse(raw, &options()) else { return raw.to_owned() };
    let mut text = String::new();
    add_pieces(&pieces, raw, &mut text, inner);
    text
}

fn add_pieces(pieces: &[WordPieceWithSource], raw: &str, text: &mut String, inner: &mut Vec<String>) {
    for piece in pieces {
        match &piece.piece {
            WordPiece::Text(part) | WordPiece::SingleQuotedText(part) | WordPiece::AnsiCQuotedText(part) => {
                text.push_str(part);
            }
            WordPiece::DoubleQuotedSequence(parts) | WordPiece::GettextDoubleQuotedSequence(parts) => {
                add_pieces(parts, raw, text, inner);
            }
            WordPiece::EscapeSequence(part) => text.push_str(part.strip_prefix('\\').unwrap_or(part)),
            WordPiece::CommandSubstitution(command) | WordPiece::BackquotedCommandSubstitution(command) => {
                inner.push(command.clone());
            }
            // What only a shell knows stays as it is written.
            WordPiece::TildePrefix(_) | WordPiece::ParameterExpansion(_) | WordPiece::ArithmeticExpression(_) => {
                text.push_str(raw.get(piece.start_index..piece.end_index).unwrap_or_default());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Vec<String> {
        calls(command).iter().map(|call| call.words.join(" ")).collect()
    }

    #[test]
    fn v1_every_call_is_found_wherever_it_stands() {
        for (command, found) in [
            ("cd web && CI=1 npm i 'left pad'", &["cd web", "npm i left pad"][..]),
            ("npm ci | tee log; (git push -f)", &["npm ci", "tee log", "git push -f"]),
            ("for f in *.js; do rm \"$f\"; done", &["for f in *.js", "rm $f"]),
            ("echo $(npm view x version)", &["echo", "npm view x version"]),
            ("echo \"a `git push` b\"", &["echo a  b", "git push"]),
            ("if true; then make deploy & fi", &["true", "make deploy"]),
            ("bash -c 'npm i x'", &["bash -c npm i x"]),
            ("git commit -m \"never npm install; git push\"", &["git commit -m never npm install; git push"]),
            ("rm 'unclosed", &[]),
            ("", &[]),
        ] {
            assert_eq!(words(command), found, "{command}");
        }
    }

    #[test]
    fn v1_what_is_written_and_fed_is_known() {
        let found = calls("cat > db/x.sql <<'EOF'\nDROP TABLE a;\nEOF\nA=1 B=2 make 2>&1 >> out.log");
        assert_eq!((found[0].outputs[0].as_str(), found[0].input.as_deref()), ("db/x.sql", Some("DROP TABLE a;\n")));
        assert_eq!(found[1].variables.len(), 2);
        assert_eq!((found[1].words.join(" "), found[1].outputs.join(" ")), ("make".to_owned(), "out.log".to_owned()));
    }

    #[test]
    fn v1_deep_nesting_is_not_followed() {
        let deep = format!("{}x{}", "echo $(".repeat(200), ")".repeat(200));
        assert!(calls(&deep).len() <= ACTION_CALLS);
    }
}
