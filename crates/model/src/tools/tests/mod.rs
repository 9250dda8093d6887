#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

mod printed;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use super::*;
use memdir_store::fs::Root;

/// Keeps what it should have run.
#[derive(Default)]
struct Kept(RefCell<Vec<ShellJob>>);

impl Shell for Kept {
    fn run(&self, job: &ShellJob) -> Result<JobOutput, ToolError> {
        self.0.borrow_mut().push(job.clone());
        Ok(JobOutput { text: b"printed\n".to_vec(), status: Some(0), ..JobOutput::default() })
    }
}

struct Case {
    dir: tempfile::TempDir,
    staging: Staging,
    shell: Kept,
    writes: Writes,
}

impl Case {
    fn new() -> Case {
        let dir = tempfile::tempdir().unwrap();
        let put = |file: &str, content: &[u8]| {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        };
        put("memory/a.md", b"one\ntwo\nthree\n");
        put("memory/team/t.md", b"team two\n");
        put("memory/crlf.md", b"first\r\nsecond\r\n");
        put("work/src/main.rs", b"fn main() {\n    two();\n}\n");
        put("work/data.bin", b"\0\x01two");
        put("work/node_modules/x.js", b"two\n");
        put("work/.git/config", b"two\n");
        let root = Root::open(&dir.path().join("memory")).unwrap();
        let staging = Staging::of(&root, &dir.path().join("state")).unwrap();
        Case { dir, staging, shell: Kept::default(), writes: Writes::Memories }
    }

    fn at(&self, below: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(below)
    }

    fn permissions(&self) -> Permissions {
        let roots = vec![self.at("memory")];
        Permissions { writes: self.writes.clone(), roots, cwd: self.at("work"), home: Some(self.at("")) }
    }

    fn call(&self, tool: &str, input: Value) -> ToolOutcome {
        self.call_noting(tool, input).0
    }

    fn call_noting(&self, tool: &str, input: Value) -> (ToolOutcome, Vec<DeniedCall>) {
        let mut tools = Toolbox::new(self.permissions(), &self.staging, &self.shell);
        let patience = CallLimit { cancel: Cancel::default(), until: Instant::now() + Duration::from_mins(10) };
        let input: Value =
            serde_json::from_str(&input.to_string().replace("{m}", self.at("memory").to_str().unwrap())).unwrap();
        let mut outcome = tools.call(tool, &input, &patience);
        outcome.text = outcome
            .text
            .replace(self.at("memory").to_str().unwrap(), "{m}")
            .replace(self.at("work").to_str().unwrap(), "{w}");
        (outcome, tools.denied().to_vec())
    }

    #[track_caller]
    fn gives(&self, tool: &str, input: Value, wanted: &str) {
        let outcome = self.call(tool, input);
        assert_eq!((outcome.text.as_str(), outcome.is_error), (wanted, false));
    }

    #[track_caller]
    fn fails(&self, tool: &str, input: Value, words: &str) {
        let (outcome, denied) = self.call_noting(tool, input);
        assert!(outcome.is_error && outcome.text.contains(words), "{outcome:?}");
        assert!(denied.is_empty(), "{denied:?}");
    }

    #[track_caller]
    fn denies(&self, tool: &str, input: Value, words: &str) {
        let (outcome, denied) = self.call_noting(tool, input);
        assert!(outcome.is_error && outcome.text.starts_with("Not allowed: "), "{outcome:?}");
        assert!(denied.len() == 1 && denied[0].tool == tool && denied[0].reason.contains(words), "{denied:?}");
    }

    fn write(&self, file: &str, content: &str) {
        assert!(!self.call("Write", json!({ "file_path": format!("{{m}}/{file}"), "content": content })).is_error);
    }
}

#[test]
fn read_shows_numbered_lines_of_the_copy() {
    let case = Case::new();
    case.gives("Read", json!({ "file_path": "{m}/a.md" }), "     1\tone\n     2\ttwo\n     3\tthree\n");
    case.gives(
        "Read",
        json!({ "file_path": "{m}/a.md", "offset": "2", "limit": 1 }),
        "     2\ttwo\n[lines 2 to 2 of 3 are shown]\n",
    );
    case.write("a.md", "staged");
    case.gives("Read", json!({ "file_path": "~/memory/a.md" }), "     1\tstaged\n");
    case.gives("Read", json!({ "file_path": "../memory/./a.md" }), "     1\tstaged\n");
    assert_eq!(std::fs::read_to_string(case.at("memory/a.md")).unwrap(), "one\ntwo\nthree\n");
    // The rest of the machine is read as it is.
    case.gives(
        "Read",
        json!({ "file_path": "src/main.rs", "limit": 1 }),
        "     1\tfn main() {\n[lines 1 to 1 of 3 are shown]\n",
    );
}

#[test]
fn read_refuses_what_is_no_text_or_too_much() {
    let case = Case::new();
    case.fails("Read", json!({ "file_path": "{m}/none.md" }), "does not exist");
    case.fails("Read", json!({ "file_path": "{m}" }), "is a directory");
    case.fails("Read", json!({ "file_path": "data.bin" }), "not a text file");
    case.fails("Read", json!({ "file_path": "{m}/a.md", "offset": 9 }), "none numbered 9");
    case.fails("Read", json!({}), "needs file_path");
    case.fails("Read", json!({ "file_path": 7 }), "must be text");
    case.fails("Read", json!({ "file_path": "{m}/a.md", "offset": -1 }), "must be a number");
    case.fails("Read", json!(null), "needs file_path");
    case.fails("Read", json!([1, 2]), "needs file_path");
    std::fs::write(case.at("work/big.txt"), vec![b'x'; limits::TOOL_READ_BYTES + 1]).unwrap();
    case.fails("Read", json!({ "file_path": "big.txt" }), "more than");
    std::fs::write(case.at("work/wide.txt"), "y".repeat(limits::TOOL_LINE_CHARS + 5)).unwrap();
    assert!(case.call("Read", json!({ "file_path": "wide.txt" })).text.ends_with("[the line goes on]\n"));
    std::fs::write(case.at("work/long.txt"), "a line of text\n".repeat(100_000)).unwrap();
    let long = case.call("Read", json!({ "file_path": "long.txt" })).text;
    assert!(long.len() < limits::TOOL_RESULT_BYTES + 200, "{}", long.len());
}

#[test]
fn a_path_through_a_link_is_still_the_memory_directory() {
    let case = Case::new();
    memdir_testkit::link(case.at("memory"), case.at("work/alias")).unwrap();
    case.write("a.md", "staged");
    case.gives("Read", json!({ "file_path": "alias/a.md" }), "     1\tstaged\n");
    assert!(!case.call("Write", json!({ "file_path": "alias/b.md", "content": "B" })).is_error);
    assert_eq!(case.staging.read(&RelPath::parse("b.md").unwrap()).unwrap().unwrap(), b"B");
}

#[test]
fn grep_searches_the_copy_and_the_machine() {
    let case = Case::new();
    case.write("a.md", "Two birds\n");
    case.gives("Grep", json!({ "pattern": "two", "path": "{m}" }), "{m}/team/t.md\n");
    case.gives(
        "Grep",
        json!({ "pattern": "TWO", "path": "{m}", "-i": "true", "output_mode": "content" }),
        "{m}/a.md:1:Two birds\n{m}/team/t.md:1:team two\n",
    );
    case.gives(
        "Grep",
        json!({ "pattern": "t", "path": "{m}", "output_mode": "count", "glob": "*.md", "head_limit": 1 }),
        "{m}/crlf.md:1\n",
    );
    case.gives("Grep", json!({ "pattern": "^second$", "path": "{m}/crlf.md", "output_mode": "content" }), "no match\n");
    // Hidden and made directories, and what is not text, are left alone.
    case.gives("Grep", json!({ "pattern": "two" }), "{w}/src/main.rs\n");
    case.gives("Grep", json!({ "pattern": "two", "glob": "*.md" }), "no match\n");
    // From above, the copy is met where the directory is.
    case.gives("Grep", json!({ "pattern": "birds", "path": "~" }), "{m}/a.md\n");
    case.fails("Grep", json!({ "pattern": "(" }), "not a regular expression");
    case.fails("Grep", json!({ "pattern": "x", "output_mode": "lines" }), "output_mode is");
    case.fails("Grep", json!({ "pattern": "x", "path": "/nowhere/at/all" }), "does not exist");
}

#[test]
fn glob_finds_files_of_the_copy() {
    let case = Case::new();
    case.write("new/n.md", "N");
    let found = |input: Value| {
        let mut lines: Vec<String> = case.call("Glob", input).text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(
        found(json!({ "pattern": "**/*.md", "path": "{m}" })),
        ["{m}/a.md", "{m}/crlf.md", "{m}/new/n.md", "{m}/team/t.md"]
    );
    assert_eq!(found(json!({ "pattern": "*.md", "path": "{m}" })), ["{m}/a.md", "{m}/crlf.md"]);
    assert_eq!(found(json!({ "pattern": "{m}/n*/*.md" })), ["{m}/new/n.md"]);
    assert_eq!(found(json!({ "pattern": "~/memory/team/*" })), ["{m}/team/t.md"]);
    assert_eq!(found(json!({ "pattern": "./src/*.rs" })), ["{w}/src/main.rs"]);
    assert_eq!(found(json!({ "pattern": "*.zig" })), ["no file matches"]);
    case.fails("Glob", json!({ "pattern": "[" }), "not a pattern");
}

#[test]
fn a_search_ends_when_time_is_up() {
    let case = Case::new();
    let mut tools = Toolbox::new(case.permissions(), &case.staging, &case.shell);
    let patience = CallLimit { cancel: Cancel::default(), until: Instant::now() };
    let outcome = tools.call("Grep", &json!({ "pattern": "two" }), &patience);
    assert!(outcome.text.contains("time was up"), "{outcome:?}");
}

#[test]
fn edit_replaces_exactly_what_is_there() {
    let case = Case::new();
    let edit = |old: &str, new: &str, all: bool| json!({ "file_path": "{m}/a.md", "old_string": old, "new_string": new, "replace_all": all });
    let outcome = case.call("Edit", edit("two", "2", false));
    assert_eq!((outcome.is_error, outcome.touched), (false, Some(RelPath::parse("a.md").unwrap())));
    case.gives("Read", json!({ "file_path": "{m}/a.md" }), "     1\tone\n     2\t2\n     3\tthree\n");
    case.fails("Edit", edit("two", "2", false), "old_string is not in a.md");
    case.fails("Edit", edit("e", "E", false), "3 times");
    case.fails("Edit", edit("one", "one", false), "the same");
    case.fails("Edit", edit("", "x", false), "is empty");
    assert!(!case.call("Edit", edit("e", "E", true)).is_error);
    case.gives("Read", json!({ "file_path": "{m}/a.md" }), "     1\tonE\n     2\t2\n     3\tthrEE\n");
    let windows = json!({ "file_path": "{m}/crlf.md", "old_string": "first\nsecond", "new_string": "1st\n2nd" });
    assert!(!case.call("Edit", windows).is_error);
    assert_eq!(case.staging.read(&RelPath::parse("crlf.md").unwrap()).unwrap().unwrap(), b"1st\r\n2nd\r\n");
    case.fails("Edit", json!({ "file_path": "{m}/none.md", "old_string": "x", "new_string": "y" }), "does not exist");
    assert!(!case.call("Edit", json!({ "file_path": "{m}/new.md", "old_string": "", "new_string": "y" })).is_error);
}

#[test]
fn x6_nothing_is_written_outside_the_memory_directory() {
    let case = Case::new();
    let write = |path: &str| json!({ "file_path": path, "content": "x" });
    for (path, why) in [
        ("{m}/../x.md", "go up with .."),
        ("{m}/sub/../../x.md", "go up with .."),
        ("../memory/a.md", "go up with .."),
        ("x.md", "only files in the memory directory"),
        ("/etc/x.md", "only files in the memory directory"),
        ("~/x.md", "only files in the memory directory"),
        ("{m}x/a.md", "only files in the memory directory"),
        ("{m}", "empty"),
        ("{m}/a.txt", "ends in .md"),
        ("{m}/.hidden.md", "begin with a dot"),
        ("{m}/.consolidate-lock", "begin with a dot"),
        ("{m}/a\\b.md", "backslash"),
        ("{m}/a\u{202e}b.md", "direction"),
        ("{m}/Team/a.md", "team"),
        ("{m}/1/2/3/4/5/6/7/8/9.md", "too deeply"),
    ] {
        case.denies("Write", write(path), why);
        case.denies("Edit", json!({ "file_path": path, "old_string": "one", "new_string": "x" }), why);
    }
    case.denies("Write", json!({ "file_path": "{m}/a.md", "content": "x".repeat(limits::TOPIC_BYTES + 1) }), "bytes");
    let real = Root::open(&case.at("memory")).unwrap();
    assert!(case.staging.changes(&real).unwrap().is_empty());
    assert!(!case.at("x.md").exists() && !case.at("work/x.md").exists());
}

#[test]
fn x6_other_tools_and_commands_are_denied_and_recorded() {
    let case = Case::new();
    for tool in ["WebFetch", "Task", "MultiEdit", "mcp__x__y", "", "bash", "read"] {
        case.denies(tool, json!({ "url": "http://x" }), "only Read, Grep");
    }
    case.denies("Bash", json!({ "command": "rm -rf {m}" }), "`rm` is not one of");
    assert!(case.shell.0.borrow().is_empty(), "a denied command must not reach the shell");
    let key = "ghp_x9K2mQ7vT4bN8cR1wZ5yL3pD6fH0jS2aE4gU";
    let (_, denied) = case.call_noting("Bash", json!({ "command": format!("curl -H token:{key} x") }));
    assert!(!denied[0].what.contains(key), "{denied:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_environment_of_a_process_cannot_be_read() {
    let case = Case::new();
    memdir_testkit::link("/proc/self", case.at("work/me")).unwrap();
    for path in ["/proc/self/environ", "/proc/1/../self/environ", "me/environ", "/dev/fd/0", "/sys/kernel"] {
        case.denies("Read", json!({ "file_path": path }), "show processes");
        case.denies("Grep", json!({ "pattern": "KEY", "path": path }), "show processes");
        case.denies("Bash", json!({ "command": format!("cat {path}") }), "show processes");
    }
    case.denies("Glob", json!({ "pattern": "/proc/*/environ" }), "show processes");
    case.denies("Bash", json!({ "command": "grep -a KEY /pro*/self/environ" }), "show processes");
    case.denies("Bash", json!({ "command": "grep -rl KEY /" }), "root directory");
    case.denies("Bash", json!({ "command": "find .. ../../../../../.. -name environ" }), "root directory");
    assert!(case.shell.0.borrow().is_empty());
}

#[test]
fn s3_notes_may_only_be_edited_and_only_the_one_file() {
    let mut case = Case::new();
    case.writes = Writes::OnlyEdit(RelPath::parse("a.md").unwrap());
    assert!(!case.call("Edit", json!({ "file_path": "{m}/a.md", "old_string": "one", "new_string": "1" })).is_error);
    case.denies("Edit", json!({ "file_path": "{m}/crlf.md", "old_string": "first", "new_string": "1" }), "only a.md");
    case.denies("Write", json!({ "file_path": "{m}/a.md", "content": "x" }), "only by Edit");
    case.writes = Writes::Nothing;
    case.denies(
        "Edit",
        json!({ "file_path": "{m}/a.md", "old_string": "one", "new_string": "1" }),
        "nothing may be written",
    );
}

/// The arguments of every program a command would call.
fn argv(case: &Case, command: &str) -> Vec<Vec<String>> {
    case.shell.0.borrow_mut().clear();
    let outcome = case.call("Bash", json!({ "command": command }));
    assert!(!outcome.is_error, "{command}: {outcome:?}");
    let jobs = case.shell.0.borrow();
    let copy = case.staging.path().display().to_string();
    let shown = |arg: &String| arg.replace(&copy, "{c}").replace(case.at("work").to_str().unwrap(), "{w}");
    let calls = jobs[0].steps.iter().flat_map(|step| &step.pipeline);
    calls.map(|call| call.args.iter().map(shown).collect()).collect()
}

#[test]
fn commands_are_made_ready_for_the_copy() {
    let case = Case::new();
    case.write("new.md", "N");
    for (command, wanted) in [
        ("ls {m} {m}/ {m}/sub/../a.md /etc", "{c} {c}/ {c}/a.md /etc"),
        ("cat ~/memory/a.md ../memory/new.md src/main.rs", "{c}/a.md {c}/new.md src/main.rs"),
        ("cat '~/memory/a.md'", "~/memory/a.md"),
        ("grep -n {m}/a.md {m}/a.md", "-n {m}/a.md {c}/a.md"),
        ("grep --file={m}/a.md x", "--file={c}/a.md x"),
        ("find {m} -path '{m}/*' -newer {m}/a.md", "{c} -path {c}/* -newer {c}/a.md"),
        ("ls {m}/*.md", "{c}/a.md {c}/crlf.md {c}/new.md"),
        ("ls {m}/*/t.md", "{c}/team/t.md"),
        ("ls src/* 'src/*' none*", "src/main.rs src/* none*"),
        ("ls ./*", "./data.bin ./node_modules ./src"),
        ("ls .*", ".git"),
        ("ls [ds]*", "data.bin src"),
        ("cat -", "-"),
    ] {
        let memory = case.at("memory").display().to_string();
        let args = argv(&case, command);
        assert_eq!(args[0].join(" ").replace(&memory, "{m}"), wanted, "{command}");
    }
    assert_eq!(argv(&case, "ls | wc -l"), [vec![], vec!["-l".to_owned()]]);
}

#[test]
fn a_file_named_like_an_option_stays_a_file() {
    let case = Case::new();
    std::fs::create_dir(case.at("work/odd")).unwrap();
    std::fs::write(case.at("work/-delete"), "").unwrap();
    std::fs::write(case.at("work/odd/-exec"), "").unwrap();
    case.denies("Bash", json!({ "command": "find -*" }), "whose name is an option");
    assert_eq!(argv(&case, "ls -- ?delete odd/*")[0], ["--", "./-delete", "odd/-exec"]);
}

#[test]
fn in_the_memory_directory_commands_run_in_the_copy() {
    let case = Case::new();
    let permissions = Permissions { cwd: case.at("memory"), ..case.permissions() };
    let mut tools = Toolbox::new(permissions, &case.staging, &case.shell);
    let patience = CallLimit { cancel: Cancel::default(), until: Instant::now() + Duration::from_mins(10) };
    tools.call("Bash", &json!({ "command": "cat a.md ../work/data.bin" }), &patience);
    let job = case.shell.0.borrow()[0].clone();
    assert_eq!(job.cwd, case.staging.path());
    let args: Vec<&Path> = job.steps[0].pipeline[0].args.iter().map(Path::new).collect();
    assert_eq!(args, [case.staging.path().join("a.md"), case.at("work/data.bin")]);
}
