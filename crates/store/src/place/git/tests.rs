//! Layouts made by the real git, and forgeries made by hand.

use super::*;
use crate::place::sandbox::Sandbox;

/// Root and working tree, relative to the sandbox, and whether the git directories are known.
fn found(b: &Sandbox, cwd: &str) -> (String, String, bool) {
    let cwd = real(&b.path(cwd)).unwrap();
    let tree = discover(&cwd).unwrap();
    (b.relative(&tree.root), b.relative(&tree.top), tree.dirs.is_some())
}

fn own(root: &str) -> (String, String, bool) {
    (root.to_owned(), root.to_owned(), true)
}

fn alone(root: &str) -> (String, String, bool) {
    (root.to_owned(), root.to_owned(), false)
}

fn shared(root: &str, top: &str) -> (String, String, bool) {
    (root.to_owned(), top.to_owned(), true)
}

#[test]
fn p3_subdirectories_and_nested_repositories() {
    let b = Sandbox::new();
    b.repository("main");
    b.repository("main/vendor/inner");
    b.dir("plain/deep");
    assert_eq!(found(&b, "main"), own("main"));
    assert_eq!(found(&b, "main/src/deep"), own("main"));
    assert_eq!(found(&b, "main/.git/hooks"), own("main"));
    assert_eq!(found(&b, "main/vendor/inner/src"), own("main/vendor/inner"));
    assert_eq!(found(&b, "main/vendor"), own("main"));
    assert_eq!(discover(&b.path("plain/deep")), None);
}

#[test]
fn p3_worktrees_share_the_main_checkout() {
    let b = Sandbox::new();
    b.repository("main");
    b.git("main", &["worktree", "add", "-q", "../away/wt"]);
    b.git("main", &["worktree", "add", "-q", "inside"]);
    assert_eq!(found(&b, "away/wt"), shared("main", "away/wt"));
    assert_eq!(found(&b, "away/wt/src/deep"), shared("main", "away/wt"));
    assert_eq!(found(&b, "main/inside"), shared("main", "main/inside"));
}

#[test]
fn p3_worktrees_with_relative_pointers_share_it_too() {
    let b = Sandbox::new();
    b.repository("main");
    b.git("main", &["worktree", "add", "-q", "../wt"]);
    b.write("wt/.git", "gitdir: ../main/.git/worktrees/wt\n");
    b.write("main/.git/worktrees/wt/gitdir", "../../../../wt/.git\n");
    assert_eq!(found(&b, "wt/src"), shared("main", "wt"));
}

#[test]
fn p3_worktrees_of_a_bare_repository_share_the_bare_directory() {
    let b = Sandbox::new();
    b.repository("main");
    b.git("", &["clone", "-q", "--bare", "main", "bare.git"]);
    b.git("bare.git", &["worktree", "add", "-q", "../one", "main"]);
    b.git("bare.git", &["worktree", "add", "-q", "-b", "b", "../two"]);
    assert_eq!(found(&b, "one"), shared("bare.git", "one"));
    assert_eq!(found(&b, "two/src"), shared("bare.git", "two"));
    // A bare repository beside its worktrees, with a `.git` file that points to it.
    b.git("", &["clone", "-q", "--bare", "main", "hub/.bare"]);
    b.write("hub/.git", "gitdir: ./.bare\n");
    b.git("hub", &["worktree", "add", "-q", "w", "main"]);
    assert_eq!(found(&b, "hub/w"), shared("hub/.bare", "hub/w"));
    assert_eq!(found(&b, "hub"), own("hub"));
}

#[test]
fn p3_a_submodule_is_its_own_repository() {
    let b = Sandbox::new();
    b.repository("library");
    b.repository("super");
    let url = b.path("library");
    b.git("super", &["submodule", "--quiet", "add", url.to_str().unwrap(), "mod"]);
    assert_eq!(found(&b, "super/mod/src"), own("super/mod"));
    assert_eq!(found(&b, "super"), own("super"));
    b.git("super/mod", &["worktree", "add", "-q", "../../modwt"]);
    assert_eq!(found(&b, "modwt"), shared("super/mod", "modwt"));
}

#[cfg(unix)]
#[test]
fn p3_a_linked_path_is_the_real_one() {
    let b = Sandbox::new();
    b.repository("main");
    b.link(b.path("main"), "link");
    b.link(b.path("main/src"), "elsewhere/src");
    assert_eq!(found(&b, "link/src"), own("main"));
    assert_eq!(found(&b, "elsewhere/src/deep"), own("main"));
}

/// A `.git` that leads nowhere marks its directory as the root, as for the client, and gives no
/// git directories: nothing of any repository is read through it.
#[test]
fn p3_a_broken_pointer_is_a_root_of_its_own() {
    let b = Sandbox::new();
    b.repository("outer");
    let huge = format!("gitdir: {}", "x/../".repeat(10_000));
    for (name, text) in [
        ("nowhere", b"gitdir: /nowhere/at/all\n".as_slice()),
        ("garbage", b"hello"),
        ("empty", b""),
        ("blank", b"gitdir:  \n"),
        ("nul", b"gitdir: /a\0b\n"),
        ("binary", b"gitdir: \xff\xfe\n"),
        ("itself", b"gitdir: .git\n"),
        ("huge", huge.as_bytes()),
        ("root", b"gitdir: /\n"),
    ] {
        b.write(&format!("outer/{name}/.git"), text);
        b.dir(&format!("outer/{name}/in"));
        let root = format!("outer/{name}");
        assert_eq!(found(&b, &format!("{root}/in")), alone(&root), "{name}");
    }
    // An empty `.git` directory is the client's idea of a repository, and holds nothing.
    b.dir("outer/hollow/.git");
    assert_eq!(found(&b, "outer/hollow"), own("outer/hollow"));
}

#[cfg(unix)]
#[test]
fn p3_links_that_go_in_circles_are_passed_over() {
    let b = Sandbox::new();
    b.repository("outer");
    b.link("b", "outer/loop/a");
    b.link("a", "outer/loop/b");
    b.link("a", "outer/loop/.git");
    b.dir("outer/loop/in");
    assert_eq!(found(&b, "outer/loop/in"), own("outer"));
}

/// Every way to claim another repository's memory by what a checkout can hold.
#[cfg(unix)]
#[test]
fn p3_a_forged_pointer_gains_nothing() {
    let b = Sandbox::new();
    b.repository("victim");
    b.git("victim", &["worktree", "add", "-q", "../wt"]);
    let victim = b.path("victim/.git");
    let victim = victim.to_str().unwrap();

    // A copy of a real worktree's `.git` file.
    b.dir("copied");
    b.copy("wt/.git", "copied/.git");
    // A pointer straight into the repository, and one into its worktrees.
    b.write("straight/.git", format!("gitdir: {victim}\n"));
    b.write("worktrees/.git", format!("gitdir: {victim}/worktrees\n"));
    // A git directory of its own whose commondir names the victim.
    b.write("common/.git", "gitdir: fake\n");
    b.write("common/fake/commondir", victim);
    b.write("common/fake/gitdir", b.path("common/.git").to_str().unwrap());
    // The same, placed in a `worktrees/` of its own, reached through a link.
    b.write("nested/.git", "gitdir: git/worktrees/w\n");
    b.write("nested/git/worktrees/w/commondir", victim);
    b.write("nested/git/worktrees/w/gitdir", b.path("nested/.git").to_str().unwrap());
    b.link(victim, "linked-common/git");
    b.write("linked-common/.git", "gitdir: git/worktrees/wt\n");
    // `.git` itself is a link: to the file of a worktree, to the directory of the repository.
    b.link(b.path("wt/.git"), "linked-file/.git");
    b.link(victim, "linked-dir/.git");
    for name in ["copied", "straight", "worktrees", "common", "nested", "linked-common", "linked-file", "linked-dir"] {
        assert_eq!(found(&b, name), alone(name), "{name}");
    }
    // A repository can be a worktree of one inside itself; it gets that one and no other.
    b.write("selfmade/.git", "gitdir: hub/worktrees/w\n");
    b.write("selfmade/hub/worktrees/w/commondir", "../..");
    b.write("selfmade/hub/worktrees/w/gitdir", b.path("selfmade/.git").to_str().unwrap());
    assert_eq!(found(&b, "selfmade"), shared("selfmade/hub", "selfmade"));
    // The true worktree still works.
    assert_eq!(found(&b, "wt"), shared("victim", "wt"));
}

#[test]
fn p3_a_worktree_that_was_moved_by_hand_keeps_to_itself() {
    let b = Sandbox::new();
    b.repository("main");
    b.git("main", &["worktree", "add", "-q", "../wt"]);
    b.dir("moved");
    b.copy("wt/.git", "moved/.git");
    assert_eq!(found(&b, "moved"), alone("moved"));
    b.git("main", &["worktree", "repair", b.path("moved").to_str().unwrap()]);
    assert_eq!(found(&b, "moved"), shared("main", "moved"));
}
