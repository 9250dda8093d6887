//! There is one escape: whatever is shown to a model or on a terminal passes `guard/src/shown.rs`.

use regex::Regex;

use crate::process;

/// Who may look for such characters without showing anything, and why.
const MAY_LOOK: &[(&str, &str)] = &[
    ("guard/src/shown.rs", "the escape"),
    ("core/src/warning.rs", "a warning quotes what it ignored; core knows no other crate"),
];

#[test]
fn there_is_no_second_escape() {
    let escapes = Regex::new(
        r#"\bescape_(unicode|debug|default)\(|filter\(\|\w+\| !\w+\.is_control\(\)\)|replace\("</?[a-z]+[-_]|"<\\+/|&lt;"#,
    )
    .unwrap();
    let root = super::crates_dir();
    let (mut found, mut allowed) = (Vec::new(), 0);
    for (file, text) in process::library_sources() {
        let name = file.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        if let Some(escape) = escapes.find(text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default()) {
            if MAY_LOOK.iter().any(|(place, _)| *place == name) {
                allowed += 1;
            } else {
                found.push(format!("{name}: {}", escape.as_str()));
            }
        }
    }
    assert!(found.is_empty(), "a second escape: {found:#?}");
    assert_eq!(allowed, MAY_LOOK.len(), "an exception that nobody needs");
}
