use memdir::model::Cancel;
use memdir::model::tools::{CallLimit, Permissions, Toolbox, Writes};
use memdir::store::fs::Root;
use memdir::store::staging::Staging;
use serde_json::json;

use super::*;

/// A memory directory, its copy, and real programs.
struct Case {
    dir: tempfile::TempDir,
    programs: Programs,
}

impl Case {
    fn new() -> Case {
        let dir = tempfile::tempdir().unwrap();
        for (file, content) in [("memory/a.md", "alpha\nbeta\n"), ("memory/b.md", "gamma\n"), ("work/-n", "dash\n")] {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        let programs = Programs::from(&std::env::var_os("PATH").unwrap(), &dir.path().join("work"));
        Case { dir, programs }
    }

    fn at(&self, below: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(below)
    }

    /// What a model is told when it runs a command; `{m}` stands for the memory directory.
    fn bash(&self, command: &str) -> (String, bool) {
        let root = Root::open(&self.at("memory")).unwrap();
        let staging = Staging::of(&root, &self.at("state")).unwrap();
        let permissions = Permissions {
            writes: Writes::Memories,
            roots: vec![self.at("memory")],
            cwd: self.at("work"),
            home: Some(self.at("")),
        };
        let mut tools = Toolbox::new(permissions, &staging, &self.programs);
        let patience = CallLimit { cancel: Cancel::default(), until: Instant::now() + Duration::from_mins(1) };
        let memory = self.at("memory").display().to_string();
        let new = json!({ "file_path": format!("{memory}/new.md"), "content": "staged only\n" });
        assert!(!tools.call("Write", &new, &patience).is_error);
        let command = command.replace("{m}", &memory);
        let outcome = tools.call("Bash", &json!({ "command": command }), &patience);
        (outcome.text.replace(&memory, "{m}"), outcome.is_error)
    }
}

#[test]
fn x6_real_programs_see_the_copy_under_the_real_path() {
    let case = Case::new();
    for (command, wanted) in [
        ("cat {m}/new.md", "staged only\n"),
        ("ls {m}", "a.md\nb.md\nnew.md\n"),
        ("ls {m}/*.md", "{m}/a.md\n{m}/b.md\n{m}/new.md\n"),
        (
            "cd {m}; ls",
            "Not allowed: `cd` is not one of the programs that only read: ls, find, grep, cat, stat, wc, head, tail",
        ),
        ("grep -rl staged {m}", "{m}/new.md\n"),
        ("grep -c a {m}/a.md", "2\n"),
        ("find {m} -path '{m}/n*'", "{m}/new.md\n"),
        ("find {m} -name '*.md' | wc -l", "3\n"),
        ("cat ~/memory/new.md", "staged only\n"),
        ("cat ../memory/new.md \"$HOME/memory/b.md\"", "staged only\ngamma\n"),
        ("cat {m}/a.md | head -1", "alpha\n"),
        ("cat {m}/none.md 2>/dev/null || cat {m}/b.md", "gamma\n"),
        ("cat {m}/none.md 2>/dev/null && cat {m}/b.md", "[exit status 1]"),
        ("grep zebra {m}/a.md", "[exit status 1]"),
        ("cat {m}/a.md >/dev/null", "(no output)"),
        ("cat {m}/a.md 2>&1 >/dev/null | wc -c", "0\n"),
        ("cat ./*", "dash\n"),
        ("cat", "(no output)"),
        ("wc -c {m}/a.md; wc -c {m}/b.md", "11 {m}/a.md\n6 {m}/b.md\n"),
    ] {
        assert_eq!(case.bash(command).0, wanted, "{command}");
    }
    let complaint = case.bash("cat {m}/none.md").0;
    assert!(complaint.contains("{m}/none.md") && complaint.ends_with("[exit status 1]"), "{complaint}");
    assert!(!case.at("memory/new.md").exists());
}

fn job(program: &'static str, args: &[&str]) -> ShellJob {
    let call = ReadyCall {
        program,
        args: args.iter().map(ToString::to_string).collect(),
        out: Sink::Output,
        err: Sink::Complaints,
    };
    let step = memdir::model::tools::ReadyStep { when: When::Always, pipeline: vec![call] };
    ShellJob {
        steps: vec![step],
        cwd: PathBuf::from("/"),
        timeout: Duration::from_mins(1),
        output_bytes: 1_000,
        cancel: Cancel::default(),
    }
}

#[test]
fn a_program_that_never_ends_is_killed() {
    let case = Case::new();
    let pipe = case.at("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut waits = job("cat", &[pipe.to_str().unwrap()]);
    waits.timeout = Duration::from_millis(100);
    let printed = case.programs.run(&waits).unwrap();
    assert!(printed.timed_out && printed.status.is_none(), "{printed:?}");
    let cancelled = job("cat", &[pipe.to_str().unwrap()]);
    cancelled.cancel.cancel();
    let printed = case.programs.run(&cancelled).unwrap();
    assert_eq!((printed.status, printed.timed_out), (None, false));
}

#[test]
fn endless_output_is_cut_and_its_program_stopped() {
    let case = Case::new();
    let printed = case.programs.run(&job("cat", &["/dev/zero"])).unwrap();
    assert!(printed.cut && printed.text.len() == 1_000);
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_of_the_environment_is_seen_and_a_checkout_brings_no_programs() {
    let case = Case::new();
    let own = case.at("work/bin");
    std::fs::create_dir_all(&own).unwrap();
    let path = std::env::join_paths([own.as_path(), Path::new("."), Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
    let programs = Programs::from(&path, &case.at("work"));
    assert_eq!(programs.path, "/usr/bin:/bin");
    // Its own environment, as the system keeps it.
    let seen = programs.run(&job("cat", &["/proc/self/environ"])).unwrap();
    assert_eq!(String::from_utf8(seen.text).unwrap().replace('\0', " "), "LC_ALL=C.UTF-8 PATH=/usr/bin:/bin ");
}
