//! What is chosen in which surroundings, and why.

use super::*;

fn around(vars: &[(&str, &str)]) -> Surroundings {
    let vars = vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Surroundings { vars, ..Surroundings::default() }
}

fn values(set: &[(&str, &str)]) -> SettingValues {
    let mut around = around(&[]);
    around.flags.settings = set.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let sources = memdir_core::settings::Sources {
        user_file: None,
        project_file: None,
        host_dream: None,
        vars: &around.vars,
        flags: &around.flags,
    };
    let settings = memdir_core::settings::Settings::load(&sources);
    assert!(settings.warnings.is_empty(), "{:?}", settings.warnings);
    SettingValues::clone(&settings)
}

const YES: (&str, &str) = ("model.consent", "true");
const ANTHROPIC: (&str, &str) = ("ANTHROPIC_API_KEY", "key-a");
const OPENAI: (&str, &str) = ("OPENAI_API_KEY", "key-o");

#[test]
fn what_is_chosen_and_why() {
    use ChoiceReason as R;
    use Driver as D;
    let local = ("OPENAI_BASE_URL", "http://localhost:11434/v1");
    for (set, vars, driver, model, reason) in [
        (&[YES][..], &[][..], D::Offline, None, R::Nothing),
        (&[], &[], D::Offline, None, R::Nothing),
        (&[YES], &[ANTHROPIC], D::Anthropic, Some(ANTHROPIC_MODEL), R::Ready),
        (&[], &[ANTHROPIC], D::Anthropic, Some(ANTHROPIC_MODEL), R::NoConsent),
        (&[YES], &[OPENAI], D::Openai, Some(OPENAI_MODEL), R::Ready),
        (&[YES], &[OPENAI, ANTHROPIC], D::Anthropic, Some(ANTHROPIC_MODEL), R::Ready),
        (&[YES, ("model.driver", "openai")], &[OPENAI, ANTHROPIC], D::Openai, Some(OPENAI_MODEL), R::Ready),
        (&[YES, ("model.driver", "openai")], &[ANTHROPIC], D::Openai, None, R::NoKey),
        (&[YES, ("model.driver", "anthropic")], &[OPENAI], D::Anthropic, None, R::NoKey),
        (&[YES, ("model.driver", "offline")], &[ANTHROPIC], D::Offline, None, R::Offline),
        (&[YES, ("model.driver", "command")], &[ANTHROPIC], D::Command, None, R::NoAgent),
        (
            &[YES, ("model.name", "big")],
            &[ANTHROPIC, ("ANTHROPIC_MODEL", "other")],
            D::Anthropic,
            Some("big"),
            R::Ready,
        ),
        (&[YES], &[ANTHROPIC, ("ANTHROPIC_MODEL", "other")], D::Anthropic, Some("other"), R::Ready),
        (&[YES], &[local], D::Openai, None, R::NoModelName),
        (&[YES], &[local, ("OPENAI_MODEL", "qwen3:8b")], D::Openai, Some("qwen3:8b"), R::Ready),
        // A server of one's own goes before keys that happen to be there, and gets none of Anthropic's.
        (
            &[YES, ("model.base_url", "http://localhost:1/v1"), ("model.name", "m")],
            &[ANTHROPIC],
            D::Openai,
            Some("m"),
            R::Ready,
        ),
        (&[YES], &[("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")], D::Anthropic, Some(ANTHROPIC_MODEL), R::Ready),
        (&[YES], &[ANTHROPIC, ("ANTHROPIC_BASE_URL", "ftp://x")], D::Anthropic, None, R::BadBaseUrl),
        (&[YES], &[ANTHROPIC, ("ANTHROPIC_BASE_URL", "https://me:pw@x")], D::Anthropic, None, R::BadBaseUrl),
        (&[YES], &[("ANTHROPIC_API_KEY", "  ")], D::Offline, None, R::Nothing),
        (&[YES], &[("ANTHROPIC_API_KEY", "a b")], D::Anthropic, None, R::NoKey),
        (&[YES], &[ANTHROPIC, ("SSL_CERT_FILE", "/nowhere/ca.pem")], D::Anthropic, None, R::BadCertificates),
        (&[YES], &[ANTHROPIC, ("SSL_CERT_FILE", "")], D::Anthropic, Some(ANTHROPIC_MODEL), R::Ready),
        (&[YES], &[ANTHROPIC, ("MEMDIR_INSIDE", "1")], D::Offline, None, R::Inside),
    ] {
        let choice = ModelChoice::make(&values(set), &around(vars));
        assert_eq!(
            (choice.driver, choice.model.as_deref(), choice.reason),
            (driver, model, reason),
            "{set:?} {vars:?}"
        );
        assert_eq!(choice.build(None, None, Path::new("/tmp")).is_some(), reason == R::Ready, "{set:?} {vars:?}");
        let shown = format!("{choice:?}");
        assert!(!shown.contains("key-a") && !shown.contains("key-o"), "{shown}");
    }
}

#[cfg(unix)]
#[test]
fn an_agent_is_found_on_the_path() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().display().to_string();
    let install = |name: &str, mode: u32| {
        let file = dir.path().join(name);
        std::fs::write(&file, "").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    install("claude", 0o644);
    install("codex", 0o755);
    let vars = [("PATH", path.as_str())];
    let choice = ModelChoice::make(&values(&[YES]), &around(&vars));
    assert_eq!(
        (choice.driver, choice.model.as_deref(), choice.reason),
        (Driver::Command, Some("codex"), ChoiceReason::Ready)
    );
    assert!(choice.build(None, None, dir.path()).is_none(), "an agent needs a runner");
    let choice = ModelChoice::make(&values(&[YES, ("model.agent", "claude")]), &around(&vars));
    assert_eq!(choice.reason, ChoiceReason::Nothing);
    install("claude", 0o755);
    let choice = ModelChoice::make(&values(&[YES, ("model.name", "haiku")]), &around(&vars));
    assert_eq!(choice.model.as_deref(), Some("claude/haiku"));
    let choice = ModelChoice::make(&values(&[YES]), &around(&[("PATH", &path), ANTHROPIC]));
    assert_eq!(choice.driver, Driver::Anthropic);
}

#[test]
fn a_key_may_stand_in_a_file() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("key");
    let made = |set: &[(&str, &str)], vars: &[(&str, &str)]| {
        let around = Surroundings { home: Some(home.path().to_path_buf()), ..around(vars) };
        let choice = ModelChoice::make(&values(set), &around);
        let shown = format!("{choice:?}");
        assert!(!shown.contains("secret"), "{shown}");
        let has_key = match &choice.plan {
            Some(ChoicePlan::Anthropic(endpoint, _) | ChoicePlan::Openai(endpoint, ..)) => endpoint.key().is_some(),
            _ => false,
        };
        (choice.driver, choice.reason, has_key)
    };
    let named = ("model.key_file", "~/key");
    assert_eq!(made(&[YES, named], &[]), (Driver::Offline, ChoiceReason::Nothing, false), "no such file");
    std::fs::write(&file, "sk-ant-secret\n").unwrap();
    assert_eq!(made(&[YES, named], &[]), (Driver::Anthropic, ChoiceReason::Ready, true));
    assert_eq!(made(&[named], &[]), (Driver::Anthropic, ChoiceReason::NoConsent, true), "a key is no yes");
    let own = [YES, named, ("model.base_url", "http://localhost:1/v1"), ("model.name", "m")];
    assert_eq!(
        made(&own, &[]),
        (Driver::Openai, ChoiceReason::Ready, false),
        "another's server gets no key of Anthropic's"
    );
    std::fs::write(&file, "sk-secret").unwrap();
    assert_eq!(made(&[YES, named], &[]), (Driver::Openai, ChoiceReason::Ready, true));
    assert_eq!(made(&own, &[]), (Driver::Openai, ChoiceReason::Ready, true));
    // What the environment says goes first.
    assert_eq!(made(&[YES, named], &[ANTHROPIC]), (Driver::Anthropic, ChoiceReason::Ready, true));
    std::fs::write(&file, "two words\n").unwrap();
    assert_eq!(made(&[YES, named, ("model.driver", "openai")], &[]), (Driver::Openai, ChoiceReason::NoKey, false));
}

#[test]
fn wires_and_proxies() {
    let wire = |set: &[(&str, &str)], base| match ModelChoice::make(
        &values(set),
        &around(&[OPENAI, ("OPENAI_BASE_URL", base), ("OPENAI_MODEL", "m")]),
    )
    .plan
    {
        Some(ChoicePlan::Openai(_, _, wire)) => wire,
        other => panic!("{other:?}"),
    };
    assert_eq!(wire(&[], "https://api.openai.com/v1"), Wire::Responses);
    assert_eq!(wire(&[], "https://openrouter.ai/api/v1"), Wire::Chat);
    assert_eq!(wire(&[("model.wire", "chat")], "https://api.openai.com/v1"), Wire::Chat);
    assert_eq!(wire(&[("model.wire", "responses")], "http://localhost:1"), Wire::Responses);
}
