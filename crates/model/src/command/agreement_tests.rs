//! One table for both ways a call is decided: our own tool loop and an agent's hook decide the same about the same call.

#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Agent;
use super::gate::GateTerms;
use crate::tools::{Permissions, Writes};

/// A machine with a project, a memory directory, and traps in both.
struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for below in ["project/traps", "memory/deep", "elsewhere"] {
            std::fs::create_dir_all(root.join(below)).unwrap();
        }
        for file in ["project/a.md", "project/-delete", "memory/a.md", "elsewhere/x.md"] {
            std::fs::write(root.join(file), "x").unwrap();
        }
        let link = |to: &Path, at: &str| std::os::unix::fs::symlink(to, root.join(at)).unwrap();
        link(Path::new("/proc/self/environ"), "project/traps/env");
        link(Path::new("/proc"), "project/traps/processes");
        link(Path::new("/proc/self"), "project/traps/me");
        link(Path::new("/proc/self"), "memory/me");
        link(&root.join("elsewhere"), "memory/out");
        link(&root.join("elsewhere/x.md"), "memory/link.md");
        std::fs::hard_link(root.join("elsewhere/x.md"), root.join("memory/hard.md")).unwrap();
        Place { dir }
    }

    fn at(&self, below: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(below)
    }

    /// Whether each lane allows a call: the tool loop, then the hook.
    fn asked(&self, tool: &str, input: &Value) -> [bool; 2] {
        let (roots, cwd) = (vec![self.at("memory")], self.at("project"));
        let permissions =
            Permissions { writes: Writes::Memories, roots: roots.clone(), cwd: cwd.clone(), home: Some(self.at("")) };
        let gate = GateTerms { roots, only_edit: None, cwd: Some(cwd.clone()), mark: None };
        let call = json!({ "tool_name": tool, "tool_input": input, "cwd": cwd }).to_string();
        let answer = gate.judge(Agent::Claude, call.as_bytes(), &cwd, Some(self.at("")));
        [permissions.judge(tool, input).is_ok(), answer.denied.is_none()]
    }
}

#[test]
fn x6_both_lanes_allow_and_refuse_the_same() {
    let place = Place::new();
    let memory = |file: &str| place.at("memory").join(file).display().to_string();
    let bash = |command: &str| ("Bash", json!({ "command": command }));
    let write = |file: &str| ("Write", json!({ "file_path": memory(file), "content": "x" }));
    let edit = |file: &str| ("Edit", json!({ "file_path": memory(file), "old_string": "x", "new_string": "y" }));
    let allowed = [
        bash("ls"),
        bash("ls ./*"),
        bash("ls -- *"),
        bash("cat a.md ./*.md"),
        bash("find . -name '*.md'"),
        bash("find a* -type f"),
        bash("grep -r --include=*.md x ."),
        bash("cat a.md 2>/dev/null"),
        ("Bash", json!({ "command": "ls", "workdir": "." })),
        ("Bash", json!({ "command": "ls", "description": "list", "timeout": 5, "workingDirectory": "" })),
        ("Read", json!({ "file_path": "a.md" })),
        ("Read", json!({ "file_path": "/etc/hosts" })),
        ("Grep", json!({ "pattern": "x", "path": "traps", "glob": "*.{md,rs}" })),
        ("Glob", json!({ "pattern": "**/*.{md,rs}" })),
        ("Glob", json!({ "pattern": memory("**") })),
        write("new.md"),
        write("deep/new.md"),
        edit("a.md"),
    ];
    let refused = [
        bash("find . [-]delete"),
        bash("find *"),
        bash("find . -name *"),
        bash("find ?delete"),
        bash("find . [!a]delete"),
        bash("find . [+-.]delete"),
        bash("find . -[d]elete"),
        bash("find . \"\"*"),
        bash("ls *"),
        bash("cat *.md"),
        bash("grep -[r] x ."),
        bash("cat /proc/self/environ"),
        bash("cat /proc/../proc/self/environ"),
        bash("cat ../../../../../../proc/self/environ"),
        bash("ls /sys"),
        bash("head -c 10 /dev/sda"),
        bash("cat /pro?/self/environ"),
        bash("cat /[p]roc/self/environ"),
        bash("ls ~/../../../../../proc"),
        bash("cat traps/env"),
        bash("cat traps/*"),
        bash("cat traps/processes/self/environ"),
        bash("grep -r key traps/processes"),
        bash("grep -f /proc/self/environ a.md"),
        bash("find . -newer /proc/self/environ"),
        bash("grep -r x /"),
        ("Bash", json!({ "command": "ls", "workdir": "/etc" })),
        ("Bash", json!({ "command": "cat self/environ", "cwd": "/proc" })),
        ("Bash", json!({ "command": "ls", "directory": ".." })),
        ("Bash", json!({ "command": "ls", "dir_path": "traps" })),
        // However an agent spells the directory.
        ("Bash", json!({ "command": "ls", "workingDirectory": "/etc" })),
        ("Bash", json!({ "command": "ls", "work_dir": "/etc" })),
        ("Bash", json!({ "command": "ls", "path": memory("") })),
        ("Bash", json!({ "command": "ls", "rootFolder": "/" })),
        // Behind a link, `..` goes up from where the link leads.
        bash("cat traps/me/../1/environ"),
        bash("cat traps/me/../*/environ"),
        bash("grep -r x traps/me/.."),
        bash("cat ~/memory/me/../1/environ"),
        ("Read", json!({ "file_path": "traps/me/../1/environ" })),
        ("Read", json!({ "file_path": memory("me/../1/environ") })),
        ("Grep", json!({ "pattern": "x", "path": "traps/me/.." })),
        // What is not there yet is where its directory is.
        ("Read", json!({ "file_path": "traps/me/none" })),
        // A search of everything searches processes as well.
        ("Grep", json!({ "pattern": "x", "path": "/" })),
        ("Glob", json!({ "pattern": "*", "path": "/" })),
        ("Glob", json!({ "pattern": "/*" })),
        ("Glob", json!({ "pattern": "/[p]roc/*/environ" })),
        ("Glob", json!({ "pattern": "traps/processes/*/environ" })),
        ("Glob", json!({ "pattern": "traps/me/../*/environ" })),
        ("Glob", json!({ "pattern": "{/proc,/sys}/*" })),
        ("Glob", json!({ "pattern": "{a,/proc}/*" })),
        // Programs that call programs.
        bash("env rm a.md"),
        bash("xargs rm"),
        bash("ls | xargs rm"),
        bash("find . -exec rm {} ;"),
        bash("find . -execdir rm {} +"),
        bash("find . -ok rm {} ;"),
        bash("command rm a.md"),
        bash("timeout 5 rm a.md"),
        bash("'r'm a.md"),
        bash("./ls"),
        bash("PATH=. ls"),
        bash("cd / && ls"),
        bash("find . -fprint a.md"),
        ("Read", json!({ "file_path": "/proc/self/environ" })),
        ("Read", json!({ "file_path": "traps/env" })),
        ("Grep", json!({ "pattern": "x", "path": "traps/processes" })),
        ("Glob", json!({ "pattern": "/proc/*/environ" })),
        write("out/new.md"),
        write("link.md"),
        write("hard.md"),
        edit("link.md"),
        edit("hard.md"),
        edit("out/x.md"),
        write("../elsewhere/x.md"),
    ];
    for (tool, input) in allowed {
        assert_eq!(place.asked(tool, &input), [true, true], "{tool} {input}");
    }
    for (tool, input) in refused {
        assert_eq!(place.asked(tool, &input), [false, false], "{tool} {input}");
    }
}

#[test]
fn x6_a_model_does_not_choose_where_the_agent_works() {
    let place = Place::new();
    let (roots, cwd) = (vec![place.at("memory")], place.at("project"));
    let gate = GateTerms { roots, only_edit: None, cwd: Some(cwd.clone()), mark: None };
    let ask = |there: &Path| {
        let call = json!({ "tool_name": "Bash", "tool_input": { "command": "ls" }, "cwd": there }).to_string();
        gate.judge(Agent::Claude, call.as_bytes(), &cwd, None).denied.is_none()
    };
    assert!(ask(&cwd));
    assert!(!ask(&place.at("elsewhere")) && !ask(Path::new("/proc")) && !ask(Path::new("/")));
}
