//! Addresses of repositories: which ones git may be told, and how they are shown.
//!
//! Enters: what somebody typed or a file holds. Leaves: yes, or what is wrong with it, before git sees it; and any text without
//! the names and passwords that are in addresses. Never keeps a password: whoever has one gives it to git's own keeper.

use memdir_guard::confine::RelPath;
use memdir_guard::shown::{is_hidden, is_invisible, one_line};

/// Ways to a repository that start no program of the address's choice.
const SCHEMES: &[&str] = &["https", "http", "ssh", "git", "file"];
/// Why an address with a secret in it is not used.
const PASSWORD: &str =
    "it holds a password or a token. Give that to git (`git credential approve`), and the address without it here";
/// A name longer than this before the `@` of an address is a token.
const NAME_CHARS: usize = 24;

/// Why an address, a branch or a folder is not used; nothing secret is in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadAddress(String);

/// Whether git may be told a repository, a branch and a folder of it; else why not, without what is secret in them.
pub fn check(url: &str, branch: &str, folder: &str) -> Result<(), BadAddress> {
    told(url, branch, folder).map_err(BadAddress)
}

fn told(url: &str, branch: &str, folder: &str) -> Result<(), String> {
    check_url(url)?;
    check_branch(branch)?;
    if !folder.is_empty() {
        RelPath::parse(folder.trim_matches('/')).map_err(|refusal| format!("the folder cannot be used: {refusal}"))?;
        if folder.starts_with([':', '-']) {
            return Err("a folder does not begin with a colon or a dash".to_owned());
        }
        // Git keeps its own files there, and runs some of them.
        let own = |part: &str| {
            part.trim_end_matches(['.', ' ']).eq_ignore_ascii_case(".git")
                || part.to_ascii_lowercase().starts_with("git~")
        };
        if folder.split(['/', '\\']).any(own) {
            return Err("the folder cannot be used: `.git` is git's own".to_owned());
        }
    }
    Ok(())
}

fn check_url(url: &str) -> Result<(), String> {
    let shown = one_line(&shown(url)).into_owned();
    let no = |why: &str| Err(format!("{shown} cannot be a team's repository: {why}"));
    if url.is_empty() || url.starts_with('-') {
        return no("an address does not begin with a dash");
    }
    if url.trim() != url {
        return no("an address does not begin or end with a blank");
    }
    if url.chars().any(|letter| is_hidden(letter) || is_invisible(letter) || letter.is_whitespace() && letter != ' ') {
        return no("it holds characters that do not print");
    }
    let word = url.chars().take_while(|letter| letter.is_ascii_alphanumeric() || "+.-".contains(*letter)).count();
    if word > 0 && url[word..].starts_with("::") {
        return no("an address that names a program to run is not used");
    }
    let host = match url.split_once("://") {
        Some((scheme, rest)) => {
            if !SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()) {
                return no(&format!("use one of {}", SCHEMES.join(", ")));
            }
            let (login, host) = login_of(rest);
            if login.is_some_and(|login| holds_secret(scheme, login)) || rest.contains(['?', '#']) {
                return no(PASSWORD);
            }
            host
        }
        // `user@host:path`, or a path on this machine.
        None => {
            let (login, host) = login_of_host(url);
            if login.is_some_and(|login| holds_secret("ssh", login)) {
                return no(PASSWORD);
            }
            host
        }
    };
    if host.starts_with('-') || url.contains("/-") && url.starts_with("ssh") && host.contains("/-") {
        return no("a host does not begin with a dash");
    }
    Ok(())
}

/// What git itself asks of a name, no dash in front, and no plus, which means force before a branch.
fn check_branch(branch: &str) -> Result<(), String> {
    let odd = |letter: char| is_hidden(letter) || letter.is_whitespace() || "~^:?*[\\".contains(letter);
    let bad = branch.is_empty()
        || branch.starts_with(['-', '/', '.', '+'])
        || branch.ends_with(['/', '.'])
        || branch.ends_with(".lock")
        || ["..", "@{", "//", "/."].iter().any(|part| branch.contains(part))
        || branch.len() > 200
        || branch.contains(odd);
    if bad { Err(format!("{} is not a branch name", one_line(branch))) } else { Ok(()) }
}

/// The login of what follows `://`, and the rest.
fn login_of(rest: &str) -> (Option<&str>, &str) {
    let end = rest.find('/').unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => (Some(&rest[..at]), &rest[at + 1..]),
        None => (None, rest),
    }
}

/// The same for `user@host:path`, which git takes for an address unless a slash comes first.
fn login_of_host(url: &str) -> (Option<&str>, &str) {
    match url.rsplit_once('@') {
        Some((login, host)) if host.contains(':') && !login.contains('/') => (Some(login), host),
        _ => (None, url),
    }
}

fn holds_secret(scheme: &str, login: &str) -> bool {
    login.contains(':') || (!scheme.eq_ignore_ascii_case("ssh") && login.chars().count() > NAME_CHARS)
}

/// An address without the login that may be in it, and without a query.
pub fn shown(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let host = login_of(rest).1;
            format!("{scheme}://{}", &host[..host.find(['?', '#']).unwrap_or(host.len())])
        }
        None => match login_of_host(url) {
            (Some(login), host) if holds_secret("ssh", login) => host.to_owned(),
            _ => url.to_owned(),
        },
    }
}

/// A text with every address in it without its login: git repeats what it was told.
pub(crate) fn without_logins(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        kept.push_str(&rest[..at + 3]);
        rest = &rest[at + 3..];
        let end = rest.find(|letter: char| letter.is_whitespace() || "/'\"".contains(letter)).unwrap_or(rest.len());
        let login = rest[..end].rfind('@').map_or(0, |at| at + 1);
        rest = &rest[login..];
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_git_may_be_told() {
        for url in [
            "https://example.org/a.git",
            "https://ada@example.org/a.git",
            "ssh://git@example.org:2222/a.git",
            "git@example.org:team/memory.git",
            "/srv/git/a.git",
            "../shared.git",
            "file:///srv/a b.git",
            "http://[::1]:8000/a.git",
        ] {
            assert_eq!(check(url, "main", ""), Ok(()), "{url}");
        }
        for url in [
            "",
            "-uhttps://x",
            "--upload-pack=touch /tmp/x",
            "ext::sh -c touch% /tmp/x",
            "EXT::sh",
            "fd::17",
            "file::/srv/a.git",
            "git-remote-x::y",
            "transport+x://a",
            "ssh://-oProxyCommand=x/a",
            "git@-oProxyCommand=x:a",
            "https://x.example/a\n--upload-pack=y",
            "https://x.example/\u{202e}a",
            "https://x.exam\u{200b}ple/a",
            "https://ada:hunter2@x.example/a.git",
            "https://:hunter2@x.example/a.git",
            "https://x.example/a.git?token=hunter2",
            "https://x.example/a.git#hunter2",
            "ada:hunter2@x.example:a.git",
            " ext::sh -c x",
            "https://x.example/a.git ",
            "https://ghx_0123456789abcdefghij0123456789@x.example/a.git",
            "ssh://ada:hunter2@x.example/a.git",
        ] {
            let refused = check(url, "main", "").unwrap_err().to_string();
            assert!(!refused.contains("hunter2") && !refused.contains("ghx_"), "{refused}");
        }
    }

    #[test]
    fn branches_and_folders_that_git_may_be_told() {
        for (branch, folder) in [("main", ""), ("team/memory", "docs/memory"), ("v1.2", "a")] {
            assert_eq!(check("/a/b.git", branch, folder), Ok(()), "{branch} {folder}");
        }
        for branch in
            ["", "-x", "--upload-pack=x", "a b", "a..b", "a:b", "a~1", "x.lock", "a\nb", "@{-1}", "/a", "a/", "+a"]
        {
            assert!(check("/a/b.git", branch, "").is_err(), "{branch}");
        }
        for folder in ["../x", ":(top)x", "-x", "a/../../b", ".git", "a/.GIT/hooks", ".git.", "git~1"] {
            assert!(check("/a/b.git", "main", folder).is_err(), "{folder}");
        }
    }

    #[test]
    fn what_git_says_is_repeated_without_logins() {
        let said = "fatal: unable to access 'https://ada:hunter2@x.example/a.git/': no; see https://x.example";
        assert_eq!(
            without_logins(said),
            "fatal: unable to access 'https://x.example/a.git/': no; see https://x.example"
        );
        assert_eq!(shown("https://a:b@c/d@e"), "https://c/d@e");
    }
}
