//! The credentials of a bucket: from the environment, else from the user's profile. They are kept nowhere else.

use rusty_s3::Credentials;

use memdir_core::limits;
use memdir_core::surroundings::Surroundings;

/// The credentials of the environment, else those of the user's profile.
pub(super) fn credentials(around: &Surroundings) -> Option<Credentials> {
    let make = |key: &str, secret: &str, token: Option<&str>| match token {
        Some(token) => Credentials::new_with_token(key, secret, token),
        None => Credentials::new(key, secret),
    };
    if let (Some(key), Some(secret)) = (around.var("AWS_ACCESS_KEY_ID"), around.var("AWS_SECRET_ACCESS_KEY")) {
        return Some(make(key, secret, around.var("AWS_SESSION_TOKEN")));
    }
    let file = match around.var("AWS_SHARED_CREDENTIALS_FILE") {
        Some(file) => std::path::PathBuf::from(file),
        None => around.home.as_ref()?.join(".aws").join("credentials"),
    };
    let bytes = memdir_core::read::small(&file, limits::CONFIG_BYTES).ok().flatten()?;
    let text = String::from_utf8(bytes).ok()?;
    let values = profile(&text, around.var("AWS_PROFILE").unwrap_or("default"));
    let value = |name: &str| values.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    Some(make(value("aws_access_key_id")?, value("aws_secret_access_key")?, value("aws_session_token")))
}

/// The lines of one profile.
fn profile(text: &str, name: &str) -> Vec<(String, String)> {
    let mut inside = false;
    let mut values = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            inside = section.trim() == name;
        } else if let Some((key, value)) = line.split_once('=').filter(|_| inside && !line.starts_with(['#', ';'])) {
            values.push((key.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_come_from_the_environment_or_the_profile() {
        let text =
            "[default]\naws_access_key_id = A\n# x = y\naws_secret_access_key=B\n[work]\naws_access_key_id = C\n";
        assert_eq!(
            profile(text, "default"),
            [("aws_access_key_id".into(), "A".into()), ("aws_secret_access_key".into(), "B".into())]
        );
        assert_eq!(profile(text, "work").len(), 1);
        let mut around = Surroundings::default();
        assert!(credentials(&around).is_none());
        around.vars.insert("AWS_ACCESS_KEY_ID".into(), "K".into());
        around.vars.insert("AWS_SECRET_ACCESS_KEY".into(), "S".into());
        assert_eq!(credentials(&around).unwrap().key(), "K");
    }
}
