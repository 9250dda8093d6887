//! The file name of a new memory: `feedback_no_database_mocks.md`.
//!
//! Enters: a type, a name in any script, and which names are taken. Leaves: a name that every
//! file system takes and that no other file has. Never `MEMORY.md`, a hidden file, or a name
//! Windows keeps for a device.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use memdir_core::kind::Type;
use memdir_core::limits;

const EXTENSION: &str = ".md";

/// Stems that mean something else on some system: the index, and Windows' devices.
const RESERVED: [&str; 5] = ["memory", "con", "prn", "aux", "nul"];

/// Where to stop looking for a free number; nobody has this many memories of one name.
const LAST_NUMBER: usize = 99_999;

/// Makes the file name of a new memory from its type and name.
///
/// Letters and digits of every script stay, in lower case; all else becomes `_`. `taken` is asked
/// with each candidate and should compare without regard to case.
pub fn file_name(kind: Option<Type>, name: &str, taken: &dyn Fn(&str) -> bool) -> String {
    let words = snake(name);
    let stem = match kind {
        Some(kind) => {
            let kind = kind.as_str();
            let rest = words.strip_prefix(kind).filter(|rest| rest.starts_with('_'));
            let rest = rest.map_or(words.as_str(), |rest| &rest[1..]);
            if rest.is_empty() || rest == kind { format!("{kind}_note") } else { format!("{kind}_{rest}") }
        }
        None if words.is_empty() => "note".to_owned(),
        None if is_reserved(&words) => format!("note_{words}"),
        None => words,
    };
    let mut candidate = fit(&stem, "");
    for number in 2..=LAST_NUMBER {
        if !taken(&candidate) {
            break;
        }
        candidate = fit(&stem, &format!("_{number}"));
    }
    candidate
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    // Longer names are cut anyway; a hostile one is not worth walking to its end.
    let name = without_contractions(&name[..name.floor_char_boundary(4 * limits::FILE_NAME_BYTES)]);
    for letter in name.chars().flat_map(char::to_lowercase).nfc() {
        if letter.is_alphanumeric() || is_combining_mark(letter) && !out.is_empty() {
            out.push(letter);
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
    }
    out.truncate(out.trim_end_matches('_').len());
    out
}

/// The name with its contractions as one word: "don't" and "Mara's", not "l'API".
fn without_contractions(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (at, letter) in name.char_indices() {
        let behind = || name[at + letter.len_utf8()..].chars().take_while(|c| c.is_alphanumeric()).count();
        let contracts =
            matches!(letter, '\'' | '’') && out.ends_with(char::is_alphabetic) && (1..=2).contains(&behind());
        if !contracts {
            out.push(letter);
        }
    }
    out
}

fn is_reserved(stem: &str) -> bool {
    let port = ["com", "lpt"].iter().any(|port| {
        let rest = stem.strip_prefix(port).unwrap_or_default();
        matches!(rest, "¹" | "²" | "³") || rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit()
    });
    port || RESERVED.contains(&stem)
}

/// The stem cut to what fits with number and extension, at a word if that does not cost half.
fn fit(stem: &str, number: &str) -> String {
    let room = limits::FILE_NAME_BYTES - EXTENSION.len() - number.len();
    let mut kept = stem;
    if stem.len() > room {
        kept = &stem[..stem.floor_char_boundary(room)];
        if let Some(word) = kept.rfind('_').filter(|word| *word > room / 2) {
            kept = &kept[..word];
        }
        kept = kept.trim_end_matches('_');
    }
    format!("{kept}{number}{EXTENSION}")
}
