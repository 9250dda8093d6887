//! Topic files: any bytes are kept, and an edit changes its own value alone (F1, F2, F5).
//!
//! Input: key, value, file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir::kind::Type;
use memdir::store::topic::{NewTopic, Topic};
use memdir_fuzz::{parts, text};

fuzz_target!(|data: &[u8]| {
    let [key, value, file] = parts(data);
    let (key, value) = (text(key), text(value));
    let topic = Topic::parse(file.to_vec());
    assert_eq!(topic.as_bytes(), file, "reading changed the file");
    for key in topic.keys() {
        assert!(topic.get(&key).is_some(), "{key:?} is listed and not there");
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
    let mut topic = Topic::parse(file.to_vec());
    if topic.set(key, value).is_err() {
        assert_eq!(topic.as_bytes(), file, "a refused edit changed the file");
    } else {
        let stored = topic.get(key).map(String::from);
        if !matches!(key.to_ascii_lowercase().as_str(), "name" | "description") {
            assert_eq!(stored.as_deref(), Some(value), "what was set is not what is read");
        } else {
            assert!(stored.is_some_and(|stored| !stored.contains(['\n', '\r'])), "a line break got into a {key}");
        }
        assert_eq!(topic.body(), before.body(), "setting a key changed the body");
        let once = topic.as_bytes().to_vec();
        assert_eq!(topic.set(key, value), Ok(()));
        assert_eq!(topic.as_bytes(), once, "setting twice is not setting once");
    }
    let there = topic.as_bytes().to_vec();
    match topic.remove(key) {
        Ok(()) => assert_eq!(topic.get(key), None, "what was removed is still there"),
        Err(_) => assert_eq!(topic.as_bytes(), there, "a refused removal changed the file"),
    }
    assert_eq!(topic.body(), before.body(), "removing a key changed the body");
}

fn kind_and_pin(file: &[u8]) {
    for kind in Type::ALL {
        let mut topic = Topic::parse(file.to_vec());
        let body = topic.body().into_owned();
        let set = topic.set_kind(kind);
        assert!(set.is_err() || topic.kind() == Some(kind));
        let pinned = topic.set_pinned(true);
        assert!(pinned.is_err() || topic.pinned());
        assert!(set.is_err() || topic.kind() == Some(kind), "pinning changed the type");
        let once = topic.as_bytes().to_vec();
        assert_eq!(topic.set_pinned(true).is_ok(), pinned.is_ok());
        assert!(set.is_err() || topic.set_kind(kind).is_ok());
        assert!(set.is_err() || topic.as_bytes() == once);
        let pinned = topic.set_pinned(false);
        assert!(pinned.is_err() || !topic.pinned());
        assert_eq!(topic.body(), body, "a type or a pin changed the body");
    }
}

fn body(file: &[u8], body: &str) {
    let mut topic = Topic::parse(file.to_vec());
    let keys = topic.keys();
    topic.set_body(body);
    let plain = |text: &str| text.replace("\r\n", "\n").trim_end_matches(['\r', '\n']).to_owned();
    // A byte order mark belongs to a file, not to its body.
    assert_eq!(plain(&topic.body()), plain(body.trim_start_matches('\u{feff}')), "the body is not what was set");
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
    let plain = |text: &str| text.trim_end_matches(['\r', '\n']).to_owned();
    assert_eq!(plain(&topic.body()), plain(about.trim_start_matches('\u{feff}')));
}
