//! Topic files: any bytes are kept, and an edit changes its own value alone (F1, F2, F5).
//!
//! Input: key, value, file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir::kind::Type;
use memdir::store::topic::{Flag, NewTopic, Topic};
use memdir_fuzz::{parts, text};

fuzz_target!(|data: &[u8]| {
    let [key, value, file] = parts(data);
    let (key, value) = (text(key), text(value));
    let topic = Topic::parse(file.to_vec());
    assert_eq!(topic.as_bytes(), file, "reading changed the file");
    // A key that has the dot in its own name cannot be told from one below `metadata`.
    for key in topic.keys().iter().filter(|key| !key.starts_with("metadata.")) {
        assert!(topic.get(key).is_some(), "{key:?} is listed and not there");
    }
    let _ = (topic.flags(), topic.shape(), topic.kind(), topic.pinned());
    for line in [topic.name(), topic.description()].into_iter().flatten() {
        assert!(!line.is_empty() && !line.contains('\n'), "{line:?} is no line");
    }
    setting(file, &key, &value);
    kind_and_pin(file);
    body(file, &value);
    composing(&key, &value);
});

fn setting(file: &[u8], key: &str, value: &str) {
    let before = Topic::parse(file.to_vec());
    if key.starts_with("metadata.") && !is_in_order(&before) {
        return;
    }
    let mut topic = Topic::parse(file.to_vec());
    topic.set(key, value);
    let stored = topic.get(key).map(String::from);
    if !matches!(key.to_ascii_lowercase().as_str(), "name" | "description") {
        assert_eq!(stored.as_deref(), Some(value), "what was set is not what is read");
    } else {
        assert!(stored.is_some_and(|stored| !stored.contains(['\n', '\r'])), "a line break got into a {key}");
    }
    assert_eq!(topic.body(), before.body(), "setting a key changed the body");
    let once = topic.as_bytes().to_vec();
    topic.set(key, value);
    assert_eq!(topic.as_bytes(), once, "setting twice is not setting once");
    topic.remove(key);
    assert_eq!(topic.get(key), None, "what was removed is still there");
    // Without a closing fence the lines below a removed value may come to belong to the key above,
    // and fences with no key between them are no frontmatter.
    if !before.flags().contains(&Flag::UnclosedFence) && !topic.keys().is_empty() {
        assert_eq!(topic.body(), before.body(), "removing a key changed the body");
    }
}

/// Below `metadata` a value is only sure to land where it is read if the file is in order: braces
/// that hold no key are no mapping, braces over several lines may end anywhere, and a line that is
/// indented oddly joins the one above.
fn is_in_order(topic: &Topic) -> bool {
    let file = text(topic.as_bytes());
    let closed = |line: &str| "{[".chars().zip("}]".chars()).all(|(open, shut)| line.matches(open).count() == line.matches(shut).count());
    let mapped = topic.keys().iter().any(|key| key.starts_with("metadata."));
    let braces = topic.get("metadata").is_some_and(|metadata| metadata.starts_with('{'));
    let broken = |flag: &Flag| {
        matches!(flag, Flag::UnclosedFence | Flag::StrayLine(_) | Flag::DuplicateKey(_) | Flag::InvalidUtf8)
    };
    (mapped || !braces) && file.lines().all(closed) && !topic.flags().iter().any(broken)
}

fn kind_and_pin(file: &[u8]) {
    if !is_in_order(&Topic::parse(file.to_vec())) {
        return;
    }
    for kind in Type::ALL {
        let mut topic = Topic::parse(file.to_vec());
        topic.set_kind(kind);
        assert_eq!(topic.kind(), Some(kind));
        topic.set_pinned(true);
        assert!(topic.pinned());
        let once = topic.as_bytes().to_vec();
        topic.set_pinned(true);
        topic.set_kind(kind);
        assert_eq!(topic.as_bytes(), once);
        topic.set_pinned(false);
        assert!(!topic.pinned());
    }
}

fn body(file: &[u8], body: &str) {
    // A byte order mark at the very start of a file belongs to the file, not to its body.
    let body = body.trim_start_matches('\u{feff}');
    // Which line ending a missing last one becomes depends on the body that stood there before.
    if body.contains('\r') && !body.ends_with('\n') {
        return;
    }
    let mut topic = Topic::parse(file.to_vec());
    let keys = topic.keys();
    topic.set_body(body);
    let plain = |text: &str| text.replace("\r\n", "\n").trim_end_matches('\n').to_owned();
    assert_eq!(plain(&topic.body()), plain(body), "the body is not what was set");
    assert_eq!(topic.keys(), keys, "the body was read as frontmatter");
    let once = topic.as_bytes().to_vec();
    topic.set_body(body);
    assert_eq!(topic.as_bytes(), once);
}

fn composing(name: &str, about: &str) {
    let new = NewTopic { name, description: about, kind: Some(Type::User), body: about, pinned: true };
    let bytes = Topic::compose(&new).into_bytes();
    let topic = Topic::parse(bytes);
    assert_eq!((topic.kind(), topic.pinned()), (Some(Type::User), true));
    let ended = about.is_empty() || about.ends_with('\n');
    assert_eq!(topic.body(), if ended { about.to_owned() } else { format!("{about}\n") });
}
