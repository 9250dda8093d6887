//! All combinations of the switches, against the order written down in E1–E5.

use super::*;
use memdir_core::settings::SourcedWord;

fn surroundings(vars: &[(&str, Option<&str>)], bare: bool) -> Surroundings {
    let mut around = Surroundings::default();
    around.flags.bare = bare;
    for (name, value) in vars {
        if let Some(value) = value {
            around.vars.insert((*name).to_owned(), (*value).to_owned());
        }
    }
    around
}

fn host(word: Option<(bool, HostSource)>) -> HostSettings {
    let memory_enabled = word.map(|(value, source)| SourcedWord { value, source, place: String::new() });
    HostSettings { memory_enabled, ..HostSettings::default() }
}

#[test]
fn e1_to_e5_the_first_that_speaks_wins() {
    let mut seen = 0;
    for disable in [None, Some("1"), Some("0"), Some("maybe"), Some("")] {
        for bare in [false, true] {
            for simple in [None, Some("1"), Some("0")] {
                for remote in [None, Some("1"), Some("0")] {
                    for remote_dir in [None, Some("/r/m"), Some("")] {
                        for word in [None, Some(true), Some(false)] {
                            let around = surroundings(
                                &[(DISABLE, disable), (SIMPLE, simple), (REMOTE, remote), (REMOTE_DIR, remote_dir)],
                                bare,
                            );
                            let want = if disable == Some("1") {
                                (false, "disable-variable") // E1
                            } else if bare || simple == Some("1") {
                                (false, "bare") // E2
                            } else if disable == Some("0") {
                                (true, "enable-variable") // E2
                            } else if remote == Some("1") && remote_dir != Some("/r/m") {
                                (false, "remote-without-directory") // E3
                            } else if let Some(word) = word {
                                (word, "setting:user") // E4
                            } else {
                                (true, "default") // E5
                            };
                            let word = word.map(|word| (word, HostSource::User));
                            let (on, rule) = decide(&around, &host(word));
                            assert_eq!((on, rule.id()), want, "{around:?} {word:?}");
                            seen += 1;
                        }
                    }
                }
            }
        }
    }
    assert_eq!(seen, 5 * 2 * 3 * 3 * 3 * 3);
}

/// What the real client did with the same words.
#[test]
fn e1_words_of_the_switches() {
    for (name, word, on) in [
        (DISABLE, "TRUE", false),
        (DISABLE, " yes ", false),
        (DISABLE, "on", false),
        (DISABLE, "2", true),
        (DISABLE, "Off", true),
        (SIMPLE, "true", false),
        (SIMPLE, "2", true),
        (REMOTE, "true", false),
        (REMOTE, "no", true),
    ] {
        let around = surroundings(&[(name, Some(word))], false);
        assert_eq!(decide(&around, &host(None)).0, on, "{name}={word}");
    }
    let both = surroundings(&[(REMOTE, Some("yes")), (DISABLE, Some("0"))], false);
    assert_eq!(decide(&both, &host(None)), (true, EnabledRule::EnableVariable));
}

#[test]
fn e6_every_rule_has_an_id_and_a_sentence() {
    use HostSource::{Flag, Local, Managed, Project, User};
    let rules = [Managed, Flag, Local, Project, User].map(EnabledRule::Setting).into_iter().chain([
        EnabledRule::DisableVariable,
        EnabledRule::Bare,
        EnabledRule::EnableVariable,
        EnabledRule::RemoteWithoutDirectory,
        EnabledRule::Default,
    ]);
    let mut ids = std::collections::BTreeSet::new();
    for rule in rules {
        assert!(rule.sentence().ends_with('.'));
        assert!(ids.insert(rule.id()), "{}", rule.id());
        assert_eq!(serde_json::to_value(rule).unwrap(), rule.id());
    }
}

#[test]
fn an_odd_word_is_reported() {
    let around = surroundings(&[(DISABLE, Some("y\u{202e}")), (SIMPLE, Some("0"))], false);
    let warnings: Vec<Warning> = odd_words(&around).collect();
    assert_eq!(warnings.len(), 1);
    assert_eq!((warnings[0].id, warnings[0].place.as_str()), ("odd-word", DISABLE));
    assert!(warnings[0].message.contains("`y\\u{202e}`"));
}
