//! Authors as people type them: whether a name on a list means somebody.
//!
//! Enters: what was typed, and who wrote something. Leaves: whether that is the same person. Case, blanks, invisible characters and
//! an address behind the name do not matter; of a key nothing may be missing.

use memdir_guard::shown::{is_hidden, is_invisible};

use super::transport::Authorship;

/// Whether what was typed means this author, by name, address or key.
pub fn means(typed: &str, author: &Authorship) -> bool {
    let (name, mail) = parts(&author.name);
    let (typed_name, typed_mail) = parts(typed);
    let same = |one: &str, other: &str| !one.is_empty() && one == other;
    author.key.as_deref().is_some_and(|key| key == typed.trim())
        || same(&plain(typed), &plain(&author.name))
        || (typed_mail.is_empty() && (same(&typed_name, &name) || same(&typed_name, &mail)))
        || same(&typed_mail, &mail)
}

/// Whether this author's name or address begins with what was typed.
pub fn begins(typed: &str, author: &Authorship) -> bool {
    let (name, mail) = parts(&author.name);
    let typed = plain(typed);
    !typed.is_empty() && (name.starts_with(&typed) || mail.starts_with(&typed))
}

/// A name and the address behind it.
fn parts(name: &str) -> (String, String) {
    match name.split_once('<') {
        Some((name, mail)) => (plain(name), plain(mail.trim_end_matches(['>', ' ']))),
        None => (plain(name), String::new()),
    }
}

fn plain(name: &str) -> String {
    let seen: String = name.chars().filter(|letter| !is_invisible(*letter) && !is_hidden(*letter)).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_matched_as_people_type_them() {
        let bob =
            Authorship { name: "Bob  Ross <Bob@example.org>".into(), key: Some("age1xyz".into()), verified: false };
        for typed in
            ["bob ross", "Bob Ross <bob@example.org>", " BOB  ROSS ", "bob@example.org", "<bob@example.org>", "age1xyz"]
        {
            assert!(means(typed, &bob), "{typed}");
        }
        for typed in ["", "bob", "bob ross <ada@example.org>", "age1", "ross"] {
            assert!(!means(typed, &bob), "{typed}");
        }
        assert!(begins("Bob", &bob) && begins("bob@", &bob) && !begins("ross", &bob) && !begins(" ", &bob));
        assert!(means("bob", &Authorship { name: "B\u{200b}ob".into(), ..Authorship::default() }));
    }
}
