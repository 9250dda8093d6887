//! A repository's remote, as a name that is the same for everybody who cloned it.
//!
//! Enters: the shared git directory. Leaves: `host/path`, or `file:/path` for a local one. Never
//! lets a user name, password, token or query through, and never contacts anything.

use std::path::Path;

use super::{git, gitconfig, validate::clean};

/// The longest remote that is taken for one.
const LONGEST: usize = 2048;

/// The remote `origin`, else the first one with a URL.
pub(super) fn of(common: &Path, root: &Path) -> Option<String> {
    let text = git::config_of(common)?;
    let (mut origin, mut first) = (None, None);
    gitconfig::each(&text, |entry| {
        if entry.section == "remote" && entry.key == "url" && !entry.value.is_empty() {
            let slot = if entry.subsection == "origin" { &mut origin } else { &mut first };
            slot.get_or_insert_with(|| entry.value.to_owned());
        }
    });
    normal(&origin.or(first)?, root)
}

/// One spelling for all the ways to write the same remote.
fn normal(url: &str, root: &Path) -> Option<String> {
    if url.len() > LONGEST || url.chars().any(char::is_control) {
        return None;
    }
    if let Some((scheme, rest)) = url.split_once("://") {
        if scheme.eq_ignore_ascii_case("file") {
            return Some(local(rest, root));
        }
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        return host_and_path(authority, path);
    }
    // `user@host:path`, unless a slash comes before the colon or it is a drive letter.
    match url.split_once(':') {
        Some((host, path)) if !host.contains('/') && host.len() > 1 => {
            // An IPv6 address is in brackets and holds colons itself.
            match host.find('[').and(url.split_once("]:")) {
                Some((host, path)) => host_and_path(&format!("{host}]"), path),
                None => host_and_path(host, path),
            }
        }
        _ => Some(local(url, root)),
    }
}

fn host_and_path(authority: &str, path: &str) -> Option<String> {
    // A password may hold an `@` itself, so the last one counts.
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (host, port) = match host.strip_prefix('[').and_then(|inside| inside.split_once(']')) {
        Some((address, after)) => (address, after.strip_prefix(':').unwrap_or(after)),
        None => host.split_once(':').unwrap_or((host, "")),
    };
    // What is not a port there is a password that was not escaped: better no remote than that.
    if host.is_empty() || !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let path = path.split(['?', '#']).next().unwrap_or_default();
    Some(format!("{}/{}", host.to_lowercase(), bare_name(path.trim_start_matches('/'))))
}

fn local(path: &str, root: &Path) -> String {
    let path = clean(&root.join(bare_name(path)));
    format!("file:{}", path.to_string_lossy())
}

/// Without the endings that git does not care about.
fn bare_name(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.strip_suffix(".git").unwrap_or(path).trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal_of(url: &str) -> Option<String> {
        normal(url, Path::new("/w/app"))
    }

    #[test]
    fn p3_every_spelling_of_a_remote_is_one() {
        for url in [
            "https://github.com/Me/app",
            "https://GitHub.com/Me/app.git",
            "https://github.com:443/Me/app.git/",
            "https://token@github.com/Me/app",
            "https://user:pa:ss@rd@github.com/Me/app?x=1#y",
            "ssh://git@github.com:22/Me/app.git",
            "git://github.com/Me/app",
            "git@github.com:Me/app.git",
            "git@github.com:/Me/app",
            "github.com:Me/app",
        ] {
            assert_eq!(normal_of(url).as_deref(), Some("github.com/Me/app"), "{url}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn p3_different_remotes_stay_different() {
        for (url, want) in [
            ("https://github.com/me/app", Some("github.com/me/app")),
            ("ssh://git@[2001:DB8::1]:2222/x.git", Some("2001:db8::1/x")),
            ("git@[::1]:x.git", Some("::1/x")),
            ("/srv/git/app.git", Some("file:/srv/git/app")),
            ("file:///srv/git/app", Some("file:/srv/git/app")),
            ("../other.git", Some("file:/w/other")),
            ("./a:b", Some("file:/w/app/a:b")),
            ("https://host", Some("host/")),
        ] {
            assert_eq!(normal_of(url).as_deref(), want, "{url}");
        }
    }

    #[test]
    fn p3_no_credential_is_kept() {
        for url in [
            "https://me:s3cret@host/x",
            "https://me:s3@cret@host/x",
            "https://me:s3/cret@host/x",
            "https://s3cret@host:8443/x",
            "ssh://me:s3cret@host/x",
            "s3cret@host:x",
            "https://host/x?token=s3cret",
            "https://host/x#s3cret",
        ] {
            let kept = normal_of(url).unwrap_or_default();
            assert!(!kept.contains("s3") && !kept.contains("cret"), "{url} gave {kept}");
        }
        assert_eq!(normal_of("https://me:s3/cret@host/x"), None);
        assert_eq!(normal_of("https://a\nb/x"), None);
        assert_eq!(normal_of(&format!("https://h/{}", "x".repeat(5_000_000))), None);
    }
}
