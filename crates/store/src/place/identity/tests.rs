//! Identities of real repositories, and the table of comparisons.

use std::cell::Cell;

use super::*;
use crate::place::sandbox::{Sandbox, run_git};

fn identity(b: &Sandbox, cwd: &str) -> Identity {
    Identity::of(&Project::find(&b.around(cwd)).unwrap(), run_git)
}

fn known(path: &str, remote: Option<&str>, commits: &[&str]) -> Identity {
    Identity {
        path: path.to_owned(),
        remote: remote.map(str::to_owned),
        root_commits: commits.iter().map(|&commit| commit.to_owned()).collect(),
    }
}

#[test]
fn p3_table_of_comparisons() {
    use Match::{Different, Same, Unknown};
    for (a, b, want) in [
        // Commits decide, whatever remote and path say.
        (known("/a", Some("h/x"), &["1"]), known("/b", Some("h/y"), &["1"]), Same),
        (known("/a", Some("h/x"), &["1"]), known("/a", Some("h/x"), &["2"]), Different),
        (known("/a", None, &["1", "2"]), known("/b", None, &["2", "3"]), Same),
        // Then remotes.
        (known("/a", Some("h/x"), &["1"]), known("/b", Some("h/x"), &[]), Same),
        (known("/a", Some("h/x"), &[]), known("/a", Some("h/y"), &["1"]), Different),
        // Then paths: equal ones are the same place, others say nothing.
        (known("/a", None, &["1"]), known("/a", None, &[]), Same),
        (known("/a", Some("h/x"), &[]), known("/a", None, &[]), Same),
        (known("/w/my-app", None, &[]), known("/w/my/app", None, &[]), Unknown),
        (known("/a", Some("h/x"), &[]), known("/b", None, &["1"]), Unknown),
    ] {
        assert_eq!(same_project(&a, &b), want, "{a:?} {b:?}");
        assert_eq!(same_project(&b, &a), want, "{b:?} {a:?}");
    }
}

#[test]
fn p3_clones_and_worktrees_are_the_same_project_and_namesakes_are_not() {
    let b = Sandbox::new();
    b.repository("w/my-app");
    b.repository("w/my/app");
    b.git("w", &["clone", "-q", "my-app", "clone"]);
    b.git("w/my-app", &["worktree", "add", "-q", "../wt"]);
    let first = identity(&b, "w/my-app");
    assert_eq!(first.root_commits.len(), 1);
    assert_eq!(identity(&b, "w/wt/src"), first);
    assert_eq!(same_project(&first, &identity(&b, "w/clone")), Match::Same);
    let namesake = identity(&b, "w/my/app");
    assert_eq!(same_project(&first, &namesake), Match::Different);
    let slug = |cwd| b.place(cwd).project.slug;
    assert_eq!(slug("w/my-app"), slug("w/my/app"), "which is why the identity is recorded");
}

#[test]
fn p3_a_branch_with_its_own_beginning_is_still_the_project() {
    let b = Sandbox::new();
    b.repository("r");
    let before = identity(&b, "r");
    b.git("r", &["checkout", "-q", "--orphan", "pages"]);
    b.git("r", &["commit", "-q", "--allow-empty", "-m", "pages"]);
    assert_eq!(same_project(&before, &identity(&b, "r")), Match::Same);
    b.git("r", &["branch", "-q", "-D", "main"]);
    assert_eq!(same_project(&before, &identity(&b, "r")), Match::Different);
}

#[test]
fn p3_a_shallow_clone_and_a_plain_directory_do_not_run_git() {
    let b = Sandbox::new();
    b.repository("full");
    b.git("full", &["commit", "-q", "--allow-empty", "-m", "second"]);
    let url = format!("file://{}", b.path("full").display());
    b.git("", &["clone", "-q", "--depth", "1", &url, "shallow"]);
    b.dir("plain");
    for (cwd, has_remote) in [("shallow", true), ("plain", false)] {
        let ran = Cell::new(false);
        let project = Project::find(&b.around(cwd)).unwrap();
        let identity = Identity::of(&project, |_, _| {
            ran.set(true);
            None
        });
        assert!(!ran.get() && identity.root_commits.is_empty(), "{cwd}");
        assert_eq!(identity.remote.is_some(), has_remote, "{cwd}");
    }
}

#[test]
fn p3_the_remote_is_origin_else_the_first_and_has_no_credentials() {
    let b = Sandbox::new();
    b.repository("r");
    assert_eq!(identity(&b, "r").remote, None);
    b.git("r", &["remote", "add", "fork", "git@Example.org:me/app.git"]);
    b.git("r", &["remote", "add", "third", "https://example.org/third"]);
    assert_eq!(identity(&b, "r").remote.as_deref(), Some("example.org/me/app"));
    b.git("r", &["remote", "add", "origin", "https://user:token@example.org:8443/us/app.git"]);
    assert_eq!(identity(&b, "r").remote.as_deref(), Some("example.org/us/app"));
    let text = serde_json::to_string(&identity(&b, "r")).unwrap();
    assert!(!text.contains("token"));
    assert_eq!(serde_json::from_str::<Identity>(&text).unwrap(), identity(&b, "r"));
}

#[test]
fn p3_a_forged_pointer_has_no_identity_but_its_path() {
    let b = Sandbox::new();
    b.repository("victim");
    b.git("victim", &["remote", "add", "origin", "https://example.org/victim"]);
    b.write("evil/.git", format!("gitdir: {}\n", b.path("victim/.git").display()));
    assert_eq!(identity(&b, "evil"), known(b.path("evil").to_str().unwrap(), None, &[]));
}

#[test]
fn p3_only_commit_ids_are_kept() {
    let id = "0123456789abcdef0123456789ABCDEF01234567";
    assert_eq!(commits(&format!("warning: x\n{id}\r\n\0\n{}\n", "f".repeat(41))), [id.to_lowercase()]);
    let many = (0..100).map(|n| format!("{n:040x}")).collect::<Vec<_>>().join("\n");
    assert_eq!(commits(&many).len(), ROOT_COMMITS);
    assert_eq!(commits(&many)[0], format!("{:040x}", 84), "the oldest are kept");
}
