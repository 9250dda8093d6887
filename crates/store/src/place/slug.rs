//! A path as one directory name, the way Claude Code spells it (P2).
//!
//! Enters: a canonical path. Leaves: ASCII letters, digits and dashes, at most 207 of them. Never
//! normalises Unicode (the client does not either), and never fails: what is not UTF-8 is read
//! lossily. The slug is not unique: `/w/my-app` and `/w/my/app` meet, which is why a project's
//! identity is recorded beside its memory (P3).

use std::path::Path;

use memdir_core::limits::SLUG_CHARS;

/// The directory name of a path below `projects/`.
///
/// The limit counts UTF-16 units; the slug is ASCII by then, so bytes are the same thing.
pub fn slug(path: &Path) -> String {
    let path = path.to_string_lossy();
    let mut slug = String::with_capacity(path.len());
    for ch in path.chars() {
        if ch.is_ascii_alphanumeric() {
            slug.push(ch);
        } else {
            // One dash for each UTF-16 unit: an emoji gives two.
            slug.extend(std::iter::repeat_n('-', ch.len_utf16()));
        }
    }
    if slug.len() > SLUG_CHARS {
        slug.truncate(SLUG_CHARS);
        slug.push('-');
        slug.push_str(&base36(hash(&path)));
    }
    slug
}

/// The size of the 32-bit `h*31+c` string hash; its smallest value has no positive twin in 32
/// bits, so the size is unsigned.
fn hash(text: &str) -> u32 {
    text.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit))).unsigned_abs()
}

fn base36(mut number: u32) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut digits = Vec::with_capacity(7);
    loop {
        digits.push(char::from(DIGITS[(number % 36) as usize]));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every pair was seen in a directory name made by the real client, version 2.1.325.
    #[test]
    fn p2_slugs_are_those_of_the_client() {
        let accents_and_emoji =
            format!("/srv/long/{}/{}/{}", "My Repo_v2.".repeat(6), "é😀 b".repeat(12), "z".repeat(120));
        let cut = format!("-srv-long-{}-{}-{}-cfbuto", "My-Repo-v2-".repeat(6), "----b".repeat(12), "z".repeat(62));
        for (path, slug_of_client) in [
            ("/home/me/My Repo_é.v2+x".to_owned(), "-home-me-My-Repo---v2-x".to_owned()),
            // Decomposed `é`: the letter stays, only the accent becomes a dash.
            ("/r/nfd-e\u{301}x".to_owned(), "-r-nfd-e-x".to_owned()),
            ("/w/😀".to_owned(), "-w---".to_owned()),
            (format!("/srv/long/{}", "y".repeat(190)), format!("-srv-long-{}", "y".repeat(190))),
            (format!("/srv/long/{}", "y".repeat(191)), format!("-srv-long-{}-3weo4z", "y".repeat(190))),
            (accents_and_emoji, cut),
        ] {
            assert_eq!(slug(Path::new(&path)), slug_of_client, "{path}");
        }
    }

    #[test]
    fn p2_a_windows_path_has_a_slug_on_every_system() {
        assert_eq!(slug(Path::new(r"C:\Users\me\My App")), "C--Users-me-My-App");
        assert_eq!(slug(Path::new(r"\\srv\share\app")), "--srv-share-app");
    }

    #[test]
    fn p2_two_paths_may_share_a_slug() {
        assert_eq!(slug(Path::new("/w/my-app")), slug(Path::new("/w/my/app")));
    }

    #[test]
    fn the_smallest_hash_has_a_size() {
        assert_eq!(base36(i32::MIN.unsigned_abs()), "zik0zk");
        assert_eq!((base36(0), base36(35), base36(36)), ("0".into(), "z".into(), "10".into()));
        // A known text whose hash is i32::MIN.
        assert_eq!(hash("polygenelubricants"), i32::MIN.unsigned_abs());
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_not_utf8_has_a_slug() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
        assert_eq!(slug(Path::new(OsStr::from_bytes(b"/w/\xff\xfe"))), "-w---");
    }

    proptest! {
        #[test]
        fn p2_a_slug_is_a_safe_directory_name(path in "\\PC{0,400}|(/[a-z._ é😀-]{0,30}){0,20}") {
            let made = slug(Path::new(&path));
            prop_assert!(made.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'));
            prop_assert!(made.len() <= SLUG_CHARS + 1 + 7);
            let units = path.encode_utf16().count();
            prop_assert_eq!(made.len().min(SLUG_CHARS + 1), units.min(SLUG_CHARS + 1));
        }
    }
}
