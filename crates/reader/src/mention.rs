//! Does a memory name the very command or file that is about to be used?
//!
//! Enters: a command line, or the path of a file; and the text of a memory. Leaves: the words of the
//! action that the memory says literally, or nothing. Meant to be right when it speaks: programs that
//! everybody uses all day count only together with what they are told to do, file names that every
//! project has only with their directory. Never reads a file.

use memdir_core::limits::ACTION_COMMAND_BYTES;

/// Programs that say nothing alone.
const COMMON: &[&str] = &[
    "awk", "bash", "bun", "cargo", "cat", "cd", "chmod", "cp", "curl", "date", "diff", "docker", "echo", "env",
    "export", "find", "gcc", "git", "go", "gradle", "grep", "head", "java", "jq", "kill", "kubectl", "less", "ls",
    "make", "mkdir", "mv", "mvn", "node", "npm", "npx", "pip", "pip3", "pnpm", "printf", "ps", "pwd", "python",
    "python3", "rg", "rm", "rustc", "sed", "sh", "sleep", "sort", "source", "ssh", "tail", "tar", "tee", "test",
    "touch", "true", "uniq", "uv", "wc", "wget", "which", "xargs", "yarn", "zsh",
];
/// Words before the program.
const BEFORE: &[&str] = &["sudo", "time", "nohup", "exec", "env", "command", "then", "do", "else", "!"];
/// What a program is told to do that says nothing without the next word.
const HALF: &[&str] = &["run", "exec", "compose", "tool", "x"];
/// File names that every project has.
const GENERIC: &[&str] = &[
    "__init__.py",
    "cargo.toml",
    "index.html",
    "index.js",
    "index.ts",
    "index.tsx",
    "lib.rs",
    "main.go",
    "main.py",
    "main.rs",
    "mod.rs",
    "package.json",
    "readme.md",
    "tests.rs",
];
/// A name shorter than this stands in too many texts.
const NAME_CHARS: usize = 5;

/// What an action would be called by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Words that must stand side by side: `cargo`, `build`.
    phrases: Vec<Vec<String>>,
    /// Files, with their directory or alone.
    names: Vec<String>,
    /// Programs that say something alone.
    programs: Vec<String>,
}

impl Mentions {
    /// What a command would be called by.
    pub fn of_command(command: &str, root: &str) -> Mentions {
        let command = &command[..command.floor_char_boundary(ACTION_COMMAND_BYTES)];
        let mut made = Mentions::default();
        for simple in command.split(['\n', ';', '|', '&', '(', ')', '`']) {
            made.simple_command(simple, root);
        }
        made
    }

    /// What a file would be called by.
    pub fn of_file(path: &str, root: &str) -> Mentions {
        let mut made = Mentions::default();
        made.name(path, root);
        made
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.phrases.is_empty() && self.names.is_empty() && self.programs.is_empty()
    }

    /// The same as words to search for.
    pub fn query(&self) -> String {
        let phrases = self.phrases.iter().map(|words| words.join(" "));
        phrases.chain(self.names.iter().cloned()).chain(self.programs.iter().cloned()).collect::<Vec<_>>().join(" ")
    }

    /// The words that a memory says: `head` is its name and description, `body` the rest.
    pub fn found_in(&self, head: &str, body: &str) -> Option<String> {
        let head = words(head);
        let body_words = words(body);
        let says = |phrase: &[String]| {
            [&head, &body_words].iter().any(|text| text.windows(phrase.len()).any(|at| at == phrase))
        };
        if let Some(phrase) = self.phrases.iter().find(|phrase| says(phrase)) {
            return Some(phrase.join(" "));
        }
        let ends_with = |word: &String, name: &String| {
            word == name || (word.ends_with(name.as_str()) && word[..word.len() - name.len()].ends_with('/'))
        };
        let named = |name: &&String| head.iter().chain(&body_words).any(|word| ends_with(word, name));
        if let Some(name) = self.names.iter().find(named) {
            return Some(name.clone());
        }
        let code = quoted_words(body);
        self.programs.iter().find(|program| head.contains(program) || code.contains(program)).cloned()
    }

    fn simple_command(&mut self, simple: &str, root: &str) {
        let assignment = |word: &str| word.split_once('=').is_some_and(|(name, _)| is_variable(name));
        let mut words = simple
            .split_whitespace()
            .map(|word| word.trim_matches(['"', '\'']))
            .filter(|word| !word.is_empty())
            .skip_while(|word| BEFORE.contains(word) || assignment(word));
        let Some(first) = words.next() else { return };
        let rest: Vec<&str> = words.collect();
        let program = first.rsplit('/').next().unwrap_or(first).to_lowercase();
        if first.contains('/') || first.contains('.') {
            self.name(first, root);
        }
        let mut told = rest.iter().take_while(|word| is_plain_word(word)).map(|word| word.to_lowercase());
        if let Some(what) = told.next() {
            let mut phrase = vec![program.clone(), what.clone()];
            if HALF.contains(&what.as_str()) {
                phrase.extend(told.next());
            }
            if phrase.len() > 2 || !HALF.contains(&what.as_str()) {
                push(&mut self.phrases, phrase);
            }
        }
        if program.len() >= 3 && is_plain_word(&program) && COMMON.binary_search(&program.as_str()).is_err() {
            push(&mut self.programs, program);
        }
        for word in rest {
            let value = word.split_once('=').filter(|_| word.starts_with('-')).map_or(word, |(_, value)| value);
            if value.contains(['/', '.']) && !value.starts_with('-') {
                self.name(value, root);
            }
        }
    }

    fn name(&mut self, path: &str, root: &str) {
        let path = path.strip_prefix(root).filter(|_| !root.is_empty()).unwrap_or(path);
        let path = path.trim_start_matches("./").trim_matches('/').to_lowercase();
        let odd = |letter: char| matches!(letter, '*' | '?' | '{' | '$' | '<' | '>' | '~') || letter.is_whitespace();
        if path.contains("://") || path.contains("..") || path.contains(odd) || !path.contains(char::is_alphabetic) {
            return;
        }
        let base = path.rsplit('/').next().unwrap_or(&path).to_owned();
        if path.contains('/') && path.len() >= NAME_CHARS && !path.starts_with("dev/") && !path.starts_with("tmp/") {
            push(&mut self.names, path.clone());
        }
        let extension =
            base.rsplit_once('.').is_some_and(|(stem, extension)| !stem.is_empty() && !extension.is_empty());
        if extension && base.len() >= NAME_CHARS && !GENERIC.contains(&base.as_str()) {
            push(&mut self.names, base);
        }
    }
}

fn push<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// A word such as a subcommand: letters first, then letters, digits, `-`, `_`, `:`.
fn is_plain_word(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':'))
}

/// The words of a text, as they would stand in a command.
fn words(text: &str) -> Vec<String> {
    text.split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '/' | ':' | '@' | '+')))
        .map(|word| word.trim_matches(['.', ':', '-']).trim_start_matches("./").to_lowercase())
        .filter(|word| !word.is_empty())
        .collect()
}

/// The words that a text sets as code.
fn quoted_words(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).flat_map(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn command(line: &str, memory: &str) -> Option<String> {
        Mentions::of_command(line, "/w/app").found_in("", memory)
    }

    #[test]
    fn a_command_is_found_by_what_it_does() {
        for (line, memory, found) in [
            ("cargo build --release", "`cargo build` needs two flags here", Some("cargo build")),
            ("cd x && CI=1 cargo build", "cargo build needs two flags", Some("cargo build")),
            ("cargo test", "`cargo build` needs two flags here", None),
            ("cargo build", "we build with cargo", None),
            ("npm run deploy", "Never npm run deploy on Fridays", Some("npm run deploy")),
            ("npm run test", "Never npm run deploy on Fridays", None),
            ("./scripts/release.sh v2", "release.sh asks for the VPN", Some("release.sh")),
            ("bash scripts/release.sh", "run scripts/release.sh from main only", Some("scripts/release.sh")),
            ("terraform plan", "`terraform` wants -var-file=prod.tfvars", Some("terraform")),
            ("terraform plan", "we like terraform", None),
            ("git push origin main", "git push only after review", Some("git push")),
            ("ls -la", "ls is fine", None),
            ("cat src/main.rs", "main.rs is long", None),
            ("echo hello", "hello echo", None),
            ("psql -f db/schema.sql", "db/schema.sql is generated", Some("db/schema.sql")),
            ("", "anything", None),
        ] {
            assert_eq!(command(line, memory).as_deref(), found, "{line:?} in {memory:?}");
        }
    }

    #[test]
    fn a_file_is_found_by_its_name() {
        let file = |path: &str, memory: &str| Mentions::of_file(path, "/w/app").found_in("", memory);
        assert_eq!(file("/w/app/db/schema.sql", "Never edit schema.sql by hand").as_deref(), Some("schema.sql"));
        assert_eq!(file("/w/app/src/main.rs", "main.rs is long"), None);
        assert_eq!(file("/w/app/src/main.rs", "src/main.rs is generated").as_deref(), Some("src/main.rs"));
        assert_eq!(file("/w/app/a.rs", "a.rs"), None);
    }

    #[test]
    fn a_program_in_the_head_counts() {
        let made = Mentions::of_command("terraform plan", "");
        assert_eq!(made.found_in("Terraform state", "x").as_deref(), Some("terraform"));
    }

    #[test]
    fn common_programs_can_be_searched() {
        assert!(COMMON.is_sorted());
    }

    proptest! {
        #[test]
        fn any_command_and_text_is_fine(line in "\\PC{0,200}", memory in "\\PC{0,200}") {
            let _ = Mentions::of_command(&line, "/w").found_in(&memory, &memory);
            let _ = Mentions::of_file(&line, "/w").found_in(&memory, &memory);
        }
    }
}
