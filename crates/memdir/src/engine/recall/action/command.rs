//! A command line as deeds.
//!
//! Enters: the command. Leaves: a deed for each program it calls, also behind `cd`, `sudo`, `poetry run`, `npx`, `bash -c` and
//! the like: for those a deed of their own, then what they run. Short forms become whole words, and what each program does comes
//! from the table of programs (`lexicon::programs`).

use std::collections::BTreeSet;

use memdir_guard::shell::{Call, calls};
use memdir_lexicon::programs;

use super::deed::{Deed, host_of};
use super::paths::{How, Touch, is_host, is_path};
use super::things::{has_subcommands, is_subcommand};
use super::written::Written;

/// Programs inside programs are looked into this deep.
const DEPTH: usize = 4;
/// Programs whose option `-c` is a command line.
const SHELLS: [&str; 5] = ["bash", "sh", "zsh", "dash", "fish"];
/// Options whose value is a host.
const HOST_OPTIONS: [&str; 2] = ["-h", "--host"];
/// Options whose value is the text of a commit or a release, which names things without doing them.
const PROSE_OPTIONS: [&str; 7] = ["-m", "--message", "--title", "--body", "-b", "--notes", "-t"];
/// Options whose value is a file that is written.
const OUTPUT_OPTIONS: [&str; 4] = ["-o", "--output", "-O", "--out"];

/// The deeds of a command line.
pub(super) fn deeds(command: &str, root: &str) -> Vec<Deed> {
    let mut found = Vec::new();
    add_line(command, root, "", 0, &mut found);
    found
}

fn add_line(command: &str, root: &str, folder: &str, depth: usize, found: &mut Vec<Deed>) {
    let mut folder = folder.to_owned();
    for call in calls(command) {
        if call.words.first().is_some_and(|word| word == "cd" || word == "pushd") {
            if let Some(to) = call.words.get(1) {
                folder = joined(&folder, to);
            }
            continue;
        }
        add_call(&call, root, &folder, depth, found);
    }
}

fn add_call(call: &Call, root: &str, folder: &str, depth: usize, found: &mut Vec<Deed>) {
    let mut deed = read(call, root, folder);
    let Some(called) = deed.called().map(str::to_owned) else {
        if !deed.touches.is_empty() {
            found.push(deed);
        }
        return;
    };
    if depth >= DEPTH {
        found.push(deed);
        return;
    }
    if let Some(inner) = wrapped(&call.words) {
        deed.wraps = true;
        deed.touches.clear();
        deed.told.truncate(call.words.len().saturating_sub(inner.len() + 1));
        // What it is told belongs to what it runs.
        deed.activities.clear();
        found.push(deed);
        let inner = Call {
            words: inner,
            variables: call.variables.clone(),
            outputs: call.outputs.clone(),
            input: call.input.clone(),
        };
        return add_call(&inner, root, folder, depth + 1, found);
    }
    if let Some(at) = interpreted(&called, &call.words) {
        deed.wraps = true;
        deed.touches.clear();
        deed.activities.clear();
        deed.told.clear();
        found.push(deed);
        let inner = Call { words: call.words[at..].to_vec(), ..call.clone() };
        return add_call(&inner, root, folder, depth + 1, found);
    }
    let script = script_of(&called, &call.words);
    deed.wraps = script.is_some() && SHELLS.contains(&called.as_str());
    if deed.wraps {
        deed.touches.clear();
        deed.activities.clear();
    }
    found.push(deed);
    if let Some(script) = script {
        add_line(&script, root, folder, depth + 1, found);
    }
    let exec = |word: &String| matches!(word.as_str(), "-exec" | "-execdir" | "-ok");
    if let Some(at) = call.words.iter().position(exec).filter(|_| called == "find") {
        let words =
            call.words[at + 1..].iter().take_while(|word| !matches!(word.as_str(), ";" | "+")).cloned().collect();
        let paths = call.words[1..at].iter().take_while(|word| !word.starts_with('-')).cloned();
        let mut inner = Call { words, ..Call::default() };
        inner.words.extend(paths);
        add_call(&inner, root, folder, depth + 1, found);
    }
}

/// What a wrapper runs: the words behind it, its options and its own word.
fn wrapped(words: &[String]) -> Option<Vec<String>> {
    let base = base(words.first()?);
    let fits = |wrapper: &str| {
        let mut parts = wrapper.split(' ');
        parts.next() == Some(base.as_str())
            && parts.enumerate().all(|(at, part)| words.get(at + 1).is_some_and(|word| word == part))
    };
    let (wrapper, options) =
        programs::WRAPPER.iter().filter(|(wrapper, _)| fits(wrapper)).max_by_key(|(wrapper, _)| wrapper.len())?;
    let mut rest = &words[wrapper.split(' ').count()..];
    let mut own = usize::from(options.contains("+1"));
    loop {
        match rest {
            [first, more @ ..] if first == "--" => {
                rest = more;
                // What stands before it was the wrapper's own.
                own = 0;
            }
            [first, more @ ..] if first.starts_with('-') => {
                let valued = options.split(' ').any(|option| option == first);
                rest = if valued { more.get(1..).unwrap_or_default() } else { more };
            }
            [first, more @ ..] if first.contains('=') && !first.contains('/') => rest = more,
            [_, more @ ..] if own > 0 => {
                own -= 1;
                rest = more;
            }
            _ => break,
        }
    }
    (!rest.is_empty()).then(|| rest.to_vec())
}

/// Where the script stands that an interpreter is given.
fn interpreted(called: &str, words: &[String]) -> Option<usize> {
    let interpreter =
        programs::LANGUAGE_NAME.contains(&called) || SHELLS.contains(&called) || called.starts_with("python");
    let at = words.iter().skip(1).position(|word| !word.starts_with('-'))? + 1;
    let before = words[1..at].iter().any(|word| matches!(word.as_str(), "-c" | "-e" | "-m" | "-lc"));
    let script = is_script(&words[at]) || words[at] == "artisan" || words[at].contains('/') && SHELLS.contains(&called);
    (interpreter && !before && script).then_some(at)
}

fn is_script(word: &str) -> bool {
    [".sh", ".py", ".js", ".ts", ".rb", ".mjs", ".pl", ".php", ".r", ".jl", ".lua"]
        .iter()
        .any(|end| word.to_lowercase().ends_with(end))
}

/// A command line that stands in one word: behind `bash -c`, or for a machine elsewhere.
fn script_of(called: &str, words: &[String]) -> Option<String> {
    if called == "eval" {
        return Some(words[1..].join(" "));
    }
    if SHELLS.contains(&called) || called == "su" {
        let at =
            words.iter().position(|word| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c'))?;
        return words.get(at + 1).cloned();
    }
    if called == "ssh" || called == "mosh" {
        let at = words.iter().skip(1).position(|word| {
            !word.starts_with('-') && (word.contains('@') || word.contains('.') || !word.contains(['/', '=']))
        })?;
        let rest = words.get(at + 2..)?;
        return (!rest.is_empty()).then(|| rest.join(" "));
    }
    None
}

/// One call, read with the table of programs.
fn read(call: &Call, root: &str, folder: &str) -> Deed {
    let mut deed = Deed::default();
    let Some(first) = call.words.first() else {
        outputs(&mut deed, call, root, folder);
        return deed;
    };
    deed.programs = names(first);
    for (name, value) in &call.variables {
        deed.variables.push(format!("{name}={value}").to_lowercase());
        deed.add_pieces(value);
    }
    let mut files: Vec<String> = Vec::new();
    let mut written: Vec<String> = Vec::new();
    let mut prose = false;
    let mut before: Option<&str> = None;
    let mut only_words = false;
    for word in &call.words[1..] {
        let option = word.starts_with('-') && word.len() > 1 && !only_words;
        if word == "--" {
            only_words = true;
            continue;
        }
        if option {
            prose = PROSE_OPTIONS.contains(&word.as_str())
                && !deed.programs.iter().any(|name| name == "python" || name == "git-checkout");
            add_option(&mut deed, word);
            if let Some((name, value)) = word.split_once('=')
                && !PROSE_OPTIONS.contains(&name)
            {
                deed.add_pieces(value);
                if is_path(value) {
                    files.push(value.to_owned());
                }
            }
            before = Some(word);
            continue;
        }
        if std::mem::take(&mut prose) {
            before = None;
            continue;
        }
        deed.add_pieces(word);
        deed.hosts.extend(host_of(word));
        if is_host(word) {
            deed.hosts.extend(word.split(['/', ':']).next().map(str::to_lowercase));
        }
        let option = before.take();
        if option.is_some_and(|option| takes(&deed, option, word)) {
            continue;
        }
        if option.is_some_and(|option| OUTPUT_OPTIONS.contains(&option)) {
            written.push(word.clone());
        } else {
            files.push(word.clone());
        }
        deed.told.push(word.to_lowercase());
    }
    whole_words(&mut deed);
    add_hosts(&mut deed, &call.words);
    deed.activities = does(&deed);
    if call.words.iter().any(|word| word.contains(' ')) {
        call.words[1..].iter().filter(|word| word.contains(' ')).for_each(|word| deed.add_sql(word));
    }
    deed.shows = shows(&deed, call);
    if !deed.shows
        && let Some(text) = deed.told.iter().find(|word| word.contains(' '))
    {
        deed.written = Some(Written::of("", text, ""));
    }
    touch(&mut deed, call.words.first(), &files, root, folder);
    deed.touches.extend(written.iter().map(|file| Touch::write(&joined(folder, file), root)));
    outputs(&mut deed, call, root, folder);
    deed
}

/// Whether an option before what a program is told to do takes the word behind it.
fn takes(deed: &Deed, option: &str, word: &str) -> bool {
    let Some(called) = deed.called().filter(|_| deed.told.is_empty() && !option.contains('=')) else { return false };
    match programs::VALUED_OPTION.iter().find(|(program, _)| *program == called) {
        Some((_, options)) => options.contains(&option),
        None => has_subcommands(called) && !deed.programs.iter().any(|name| is_subcommand(name, &word.to_lowercase())),
    }
}

/// Files that the output goes to, and what is written into them.
fn outputs(deed: &mut Deed, call: &Call, root: &str, folder: &str) {
    for file in &call.outputs {
        let touch = Touch::write(&joined(folder, file), root);
        let text = call.input.clone().or_else(|| {
            let says = deed.called().is_some_and(|name| matches!(name, "echo" | "printf"));
            says.then(|| call.words[1..].join(" "))
        });
        deed.written = text.map(|text| Written::of(&touch.path, &text, ""));
        deed.touches.push(touch);
        deed.shows = false;
    }
}

/// The name of a program without its directory.
fn base(word: &str) -> String {
    word.rsplit('/').next().unwrap_or(word).to_lowercase()
}

fn names(word: &str) -> Vec<String> {
    let called = base(word);
    let same = programs::SAME_PROGRAM.iter().find(|(name, _)| *name == called).map(|(_, same)| (*same).to_owned());
    std::iter::once(called).chain(same).collect()
}

/// Adds an option as it stands, each letter of a bundle, and the whole words for them.
fn add_option(deed: &mut Deed, word: &str) {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    deed.options.insert(name.to_owned());
    if word != name {
        deed.options.insert(word.to_owned());
        deed.forms.insert(word.to_owned());
    }
    if !name.starts_with("--") && (3..=5).contains(&name.len()) {
        deed.forms.insert(name.to_owned());
        deed.options.extend(name[1..].chars().map(|letter| format!("-{letter}")));
    }
}

/// Puts whole words in place of short forms.
fn whole_words(deed: &mut Deed) {
    for name in deed.programs.clone() {
        if let Some(told) = deed.told.first()
            && let Some((_, whole)) = programs::WHOLE_WORD.iter().find(|(short, _)| **short == format!("{name} {told}"))
        {
            (*whole).clone_into(&mut deed.told[0]);
        }
    }
    let told: Vec<String> = (0..=deed.told.len().min(2)).map(|count| deed.told[..count].join(" ")).collect();
    let mut whole = BTreeSet::new();
    for option in &deed.options {
        for name in &deed.programs {
            for told in &told {
                let short = [name.as_str(), told, option]
                    .iter()
                    .filter(|part| !part.is_empty())
                    .copied()
                    .collect::<Vec<_>>()
                    .join(" ");
                if let Some((_, long)) = programs::WHOLE_OPTION.iter().find(|(form, _)| *form == short) {
                    whole.insert((*long).to_owned());
                    deed.forms.insert(option.clone());
                }
            }
        }
    }
    deed.options.extend(whole);
}

fn add_hosts(deed: &mut Deed, words: &[String]) {
    let remote = deed.called().is_some_and(|name| programs::REMOTE_SHELL.contains(&name));
    if remote && let Some(host) = deed.told.first() {
        let host = host.rsplit('@').next().unwrap_or(host).split(':').next().unwrap_or(host);
        deed.hosts.insert(host.to_owned());
    }
    for pair in words.windows(2) {
        if HOST_OPTIONS.contains(&pair[0].as_str()) {
            deed.hosts.insert(pair[1].to_lowercase());
        }
    }
}

/// What a call does: by its longest known form, by its options, and by the name of the script it runs.
fn does(deed: &Deed) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for name in &deed.programs {
        let known = |form: &str| {
            programs::DOES.binary_search_by_key(&form, |(form, _)| form).ok().map(|at| programs::DOES[at].1)
        };
        let form = |count: usize| {
            std::iter::once(name.as_str())
                .chain(deed.told[..count].iter().map(String::as_str))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let longest = deed.told.len().min(3);
        let least = usize::from(has_subcommands(name) && !deed.told.is_empty());
        if let Some(does) = (least..=longest).rev().find_map(|count| known(&form(count))) {
            found.extend(does.iter().copied());
        }
        for option in &deed.options {
            for count in 0..=longest {
                found.extend(known(&format!("{} {option}", form(count))).unwrap_or_default().iter().copied());
            }
        }
    }
    if found.is_empty()
        || deed.called().is_some_and(|name| programs::RUNS_SCRIPTS.iter().any(|(runner, _)| *runner == name))
    {
        found.extend(script(deed).into_iter().flat_map(script_does));
    }
    if found.iter().any(|does| programs::REMOVES.contains(does)) {
        found.insert("delete-file");
    }
    found
}

/// The name of the script that a call runs: of the project's own, or a file.
fn script(deed: &Deed) -> Option<&str> {
    let called = deed.called()?;
    if let Some((_, words)) = programs::RUNS_SCRIPTS.iter().find(|(runner, _)| *runner == called) {
        let first = deed.told.first()?;
        return if words.contains(&first.as_str()) {
            deed.told.get(1).map(String::as_str)
        } else {
            words.contains(&"").then_some(first)
        };
    }
    let is_script =
        |word: &str| [".sh", ".py", ".js", ".ts", ".rb", ".mjs", ".pl"].iter().any(|end| word.ends_with(end));
    if is_script(called) { Some(called) } else { deed.told.first().map(String::as_str).filter(|word| is_script(word)) }
}

fn script_does(name: &str) -> impl Iterator<Item = &'static str> {
    let stem = name.rsplit('/').next().unwrap_or(name).split('.').next().unwrap_or(name).to_owned();
    programs::SCRIPT_DOES
        .iter()
        .filter(move |(word, _)| stem.split(|letter: char| !letter.is_alphanumeric()).any(|part| part == *word))
        .flat_map(|(_, does)| does.iter().copied())
}

/// Whether a call only shows what is there.
fn shows(deed: &Deed, call: &Call) -> bool {
    let Some(called) = deed.called() else { return false };
    let has = |list: &[&str]| deed.options.iter().any(|option| list.contains(&option.as_str()));
    let alone = call.words.len() == 2 && matches!(call.words[1].as_str(), "-h" | "-V" | "-v");
    if alone || has(programs::ASKS_FOR_HELP) {
        return true;
    }
    if programs::SHOWN_ONLY.contains(&called) || matches!(called, "sed" | "perl") {
        let changes = has(programs::WRITTEN_WITH)
            && matches!(called, "sed" | "perl" | "awk" | "gawk" | "exiftool" | "sort")
            || deed.options.iter().any(|option| option.starts_with("-i.")) && matches!(called, "sed" | "perl")
            || called == "exiftool" && call.words.iter().any(|word| word.starts_with('-') && word.contains('='))
            || called == "find" && ["-delete", "-exec"].iter().any(|word| deed.options.contains(*word));
        return !changes;
    }
    let lists = matches!((called, deed.told.as_slice()), ("git", [word]) if matches!(word.as_str(), "branch" | "tag" | "stash"))
        && !deed.options.iter().any(|option| matches!(option.as_str(), "--delete" | "--move"))
        && deed.told.first().is_none_or(|word| word != "stash");
    lists
        || !is_script_runner(called)
            && deed.told.iter().take(2).any(|word| programs::SHOWN_BY.contains(&word.as_str()) || shown_by_start(word))
}

/// `describe-instances`, `get-object`, `list-buckets`.
fn shown_by_start(word: &str) -> bool {
    word.split_once('-').is_some_and(|(verb, _)| matches!(verb, "describe" | "get" | "list"))
}

fn is_script_runner(called: &str) -> bool {
    matches!(called, "make" | "just" | "task" | "rake" | "python" | "python3" | "node" | "rm" | "cp" | "mv")
}

/// How the files of a call are touched.
fn touch(deed: &mut Deed, path: Option<&String>, files: &[String], root: &str, folder: &str) {
    let Some(called) = deed.called().map(str::to_owned) else { return };
    let git = called == "git";
    let sub = deed.told.first().cloned().unwrap_or_default();
    let files = if git || programs::DOES.iter().any(|(form, _)| *form == format!("{called} {sub}")) {
        files.get(1..).unwrap_or_default()
    } else {
        files
    };
    let is = |list: &[&str]| list.contains(&called.as_str());
    let in_place = deed.options.iter().any(|option| programs::WRITTEN_WITH.contains(&option.as_str()))
        && !is(&["grep", "rg", "wc", "docker", "kubectl", "psql", "ssh", "curl"]);
    let last = files.len().saturating_sub(1);
    let how = |at: usize| {
        if is(programs::REMOVED_BY) || git && sub == "rm" || called == "find" && deed.options.contains("-delete") {
            How::Delete
        } else if is(&["mv", "rename"]) || git && sub == "mv" {
            if at == last { How::Write } else { How::Delete }
        } else if is(programs::COPIED_FROM) {
            if at == last && files.len() > 1 { How::Write } else { How::Read }
        } else if is(programs::WRITTEN_BY) || git && matches!(sub.as_str(), "checkout" | "restore") {
            How::Write
        } else if deed.shows {
            How::Read
        } else if in_place || deed.activities.contains("format-code") {
            How::Write
        } else {
            How::Use
        }
    };
    let strict = is(programs::REMOVED_BY) || is(programs::WRITTEN_BY) || is(programs::COPIED_FROM);
    let mut touches: Vec<Touch> = files
        .iter()
        .enumerate()
        .filter(|(_, file)| {
            (strict || is_path(file) || file.starts_with('.')) && !file.contains("://") && !file.contains(' ')
        })
        .map(|(at, file)| Touch::new(&joined(folder, file.strip_prefix("of=").unwrap_or(file)), root, how(at)))
        .collect();
    deed.touches.append(&mut touches);
    // A script that is called by its path is a file that is used.
    if let Some(path) = path.filter(|path| path.contains('/') || path.contains('.')) {
        deed.touches.push(Touch::new(&joined(folder, path), root, How::Use));
    }
}

fn joined(folder: &str, path: &str) -> String {
    if folder.is_empty() || path.starts_with(['/', '~', '$']) { path.to_owned() } else { format!("{folder}/{path}") }
}
