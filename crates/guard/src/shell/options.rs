//! What each program may be told: its options one by one, and which of its words are paths.
//!
//! Enters: the words behind a program. Leaves: arguments with their roles. An option that is not
//! in the table is refused, an abbreviated long one too: GNU programs take `--fol` for `--follow`.

use super::word::{Word, shown};
use super::{Arg, ArgRole};

/// What one program takes. Names in one text stand between spaces.
struct ProgramOptions {
    program: &'static str,
    /// Letters without a value.
    flags: &'static str,
    /// Letters with one.
    valued: &'static str,
    /// Letters whose value is a path.
    paths: &'static str,
    /// Long options: without a value, or with one behind `=`.
    long: &'static str,
    /// Long options with a value, behind `=` or in the next word.
    long_valued: &'static str,
    /// Long options whose value is a path.
    long_paths: &'static str,
    /// Whether `-5` is a number of lines.
    numbers: bool,
    /// Options that are refused for a reason worth naming.
    refused: &'static [(&'static str, &'static str)],
}

const FOREVER: &str = "waits for ever";
const LINKS: &str = "follows links to anywhere; use -r";

/// Nothing is allowed; what each program takes is laid over it.
const NOTHING: ProgramOptions = ProgramOptions {
    program: "",
    flags: "",
    valued: "",
    paths: "",
    long: "",
    long_valued: "",
    long_paths: "",
    numbers: false,
    refused: &[],
};

const TABLES: [ProgramOptions; 7] = [
    ProgramOptions {
        program: "ls",
        flags: "1AaBbCcdFfGgHhiklLmNnopQqRrSstuUvXxZ",
        valued: "Iw",
        long: "all almost-all author classify color dereference directory file-type full-time \
               group-directories-first help human-readable inode kibibytes literal no-group numeric-uid-gid \
               quote-name recursive reverse show-control-chars si size version zero",
        long_valued: "block-size format hide ignore indicator-style quoting-style sort time time-style width",
        ..NOTHING
    },
    ProgramOptions {
        program: "cat",
        flags: "AbeEnstTuv",
        long: "help number number-nonblank show-all show-ends show-nonprinting show-tabs squeeze-blank version",
        ..NOTHING
    },
    ProgramOptions {
        program: "stat",
        flags: "FLflnqrstx",
        valued: "c",
        long: "dereference file-system help terse version",
        long_valued: "cached format printf",
        ..NOTHING
    },
    ProgramOptions {
        program: "wc",
        flags: "clLmw",
        long: "bytes chars help lines max-line-length version words",
        long_valued: "total",
        refused: &[("--files0-from", "reads its file names from a file; name the files")],
        ..NOTHING
    },
    ProgramOptions {
        program: "head",
        flags: "qvz",
        valued: "cn",
        long: "help quiet silent verbose version zero-terminated",
        long_valued: "bytes lines",
        numbers: true,
        ..NOTHING
    },
    ProgramOptions {
        program: "tail",
        flags: "qrvz",
        valued: "cn",
        long: "help quiet silent verbose version zero-terminated",
        long_valued: "bytes lines",
        numbers: true,
        refused: &[("-f", FOREVER), ("-F", FOREVER), ("--follow", FOREVER), ("--retry", FOREVER), ("--pid", FOREVER)],
        ..NOTHING
    },
    ProgramOptions {
        program: "grep",
        flags: "abcEFGHhIiLlnoPqrsTUuvwxyZz",
        valued: "ABCdem",
        paths: "f",
        long: "basic-regexp byte-offset color colour count extended-regexp \
               files-with-matches files-without-match fixed-strings help ignore-case initial-tab invert-match \
               line-number line-regexp no-filename no-ignore-case no-messages null null-data only-matching \
               perl-regexp quiet recursive silent text version with-filename word-regexp",
        long_valued: "after-context before-context binary-files context directories exclude exclude-dir include \
                      label max-count regexp",
        long_paths: "exclude-from file",
        numbers: true,
        refused: &[("-R", LINKS), ("--dereference-recursive", LINKS)],
    },
];

impl ProgramOptions {
    /// The role of the value that a letter takes, if it takes one.
    fn letter(&self, letter: char) -> Option<ArgRole> {
        let path = self.paths.contains(letter).then_some(ArgRole::Path);
        path.or(self.valued.contains(letter).then_some(ArgRole::Text))
    }

    /// The same for a long option.
    fn name(&self, name: &str) -> Option<ArgRole> {
        let path = listed(self.long_paths, name).then_some(ArgRole::Path);
        path.or(listed(self.long_valued, name).then_some(ArgRole::Text))
    }
}

/// Whether a name stands in a text of names.
pub(super) fn listed(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|known| known == name)
}

/// Reads the words behind a program.
pub(super) fn args(program: &'static str, words: Vec<Word>) -> Result<Vec<Arg>, String> {
    let Some(table) = TABLES.iter().find(|table| table.program == program) else {
        return Err(format!("no option of {} is known", shown(program)));
    };
    let mut reader =
        OptionReader { table, args: Vec::new(), value: None, operand: None, patterned: false, options: true };
    for word in words {
        reader.take(word)?;
    }
    // Unless an option gave it, the first operand of `grep` is its pattern, which goes as it stands.
    if let (Some(first), false, "grep") = (reader.operand, reader.patterned, program) {
        reader.args[first].role = ArgRole::Text;
    }
    Ok(reader.args)
}

struct OptionReader<'t> {
    table: &'t ProgramOptions,
    args: Vec<Arg>,
    /// The next word is the value of an option.
    value: Option<ArgRole>,
    /// The first word that belongs to no option.
    operand: Option<usize>,
    /// An option of `grep` has given a pattern.
    patterned: bool,
    /// `--` has not come yet.
    options: bool,
}

impl OptionReader<'_> {
    fn take(&mut self, word: Word) -> Result<(), String> {
        if let Some(role) = self.value.take() {
            self.args.push(Arg { lead: String::new(), word, role });
            return Ok(());
        }
        let text = word.prefix();
        match text.as_bytes() {
            [b'-', b'-'] if self.options && !word.is_open() => {
                self.options = false;
                self.put(word, 0, ArgRole::Text);
                Ok(())
            }
            [b'-', b'-', ..] if self.options => self.long(word, &text),
            // What the caller fills in would be read as letters.
            [b'-'] if self.options && word.is_open() => Err(self.unknown(&text)),
            [b'-', _, ..] if self.options => self.short(word, &text),
            // An old way to say `-n +5`, in which an `f` can hide.
            [b'+', ..] if self.table.program == "tail" => {
                if text.len() > 1 && !word.is_open() && text[1..].bytes().all(|byte| byte.is_ascii_digit()) {
                    self.put(word, 0, ArgRole::Text);
                    return Ok(());
                }
                Err(self.unknown(&text))
            }
            _ => {
                self.operand.get_or_insert(self.args.len());
                self.put(word, 0, ArgRole::Path);
                Ok(())
            }
        }
    }

    fn long(&mut self, word: Word, text: &str) -> Result<(), String> {
        let (name, value) = match text.split_once('=') {
            Some((name, _)) => (name, true),
            None => (text, false),
        };
        let bare = &name[2..];
        if let Some(role) = self.table.name(bare) {
            self.patterned |= matches!(bare, "regexp" | "file");
            if value {
                self.put(word, name.len() + 1, role);
            } else if word.is_open() {
                return Err(self.unknown(text));
            } else {
                self.put(word, 0, ArgRole::Text);
                self.value = Some(role);
            }
            return Ok(());
        }
        if listed(self.table.long, bare) && (value || !word.is_open()) {
            self.put(word, 0, ArgRole::Text);
            return Ok(());
        }
        Err(self.unknown(name))
    }

    fn short(&mut self, word: Word, text: &str) -> Result<(), String> {
        if word.is_open() && !self.ends_in_value(text) {
            return Err(self.unknown(text));
        }
        let letters = &text[1..];
        for (at, letter) in letters.char_indices() {
            if self.table.flags.contains(letter) || (self.table.numbers && letter.is_ascii_digit()) {
                continue;
            }
            let Some(role) = self.table.letter(letter) else {
                return Err(self.unknown(&format!("-{letter}")));
            };
            self.patterned |= matches!(letter, 'e' | 'f');
            let end = 1 + at + letter.len_utf8();
            if end < text.len() || word.is_open() {
                self.put(word, end, role);
            } else {
                self.put(word, 0, ArgRole::Text);
                self.value = Some(role);
            }
            return Ok(());
        }
        self.put(word, 0, ArgRole::Text);
        Ok(())
    }

    /// Whether the first letter that is no plain flag takes the rest of the word as its value.
    fn ends_in_value(&self, text: &str) -> bool {
        let first = text[1..].chars().find(|letter| !self.table.flags.contains(*letter));
        first.is_some_and(|letter| self.table.letter(letter).is_some())
    }

    fn put(&mut self, word: Word, lead: usize, role: ArgRole) {
        let whole = word.prefix();
        let lead_text = whole.get(..lead).unwrap_or_default().to_owned();
        self.args.push(Arg { lead: lead_text, word: if lead == 0 { word } else { word.without(lead) }, role });
    }

    fn unknown(&self, option: &str) -> String {
        let program = self.table.program;
        // Abbreviations of a refused option are refused for its reason.
        let refused = self.table.refused.iter().find(|(name, _)| {
            *name == option || (option.len() > 2 && option.starts_with("--") && name.starts_with(option))
        });
        match refused {
            Some((name, why)) => format!("{program} {name} {why}"),
            None => format!("the option {} of {program} is not among those known to only read", shown(option)),
        }
    }
}
