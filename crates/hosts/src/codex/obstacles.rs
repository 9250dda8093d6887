//! What keeps Codex from running hooks that stand in its `hooks.json` (B4), as seen in version 0.166.
//!
//! Enters: that file and `config.toml`, where Codex notes which hooks the user trusts: by place in the file, with a hash of
//! the hook. Leaves: what stands in the way. Never writes there: trust is the user's to give.

use std::path::Path;

use serde_json::{Value, json};
use toml_edit::{DocumentMut, Item};

use super::hooks_file;
use crate::install::{BOM, Obstacle, PlannedFiles, Target, our_places};
use crate::table::Host;

/// The switch for all hooks, by its name of today and by its first.
const FEATURES: &[&str] = &["hooks", "codex_hooks"];

/// How long Codex waits for a hook that does not say.
const PATIENCE_SECONDS: u64 = 600;

pub(super) fn find(target: &Target<'_>, files: &PlannedFiles<'_>) -> Vec<Obstacle> {
    let path = target.file("hooks.json");
    let hooks = match files.plain_json(&path, Host::Codex) {
        Ok(Some(hooks)) => hooks,
        Ok(None) => return Vec::new(),
        Err(obstacle) => return vec![obstacle],
    };
    if let Some(refused) = files.text_with_mark(&path).and_then(|text| refused(&path, &text)) {
        return vec![refused];
    }
    let settings = target.file("config.toml");
    let config = files.text(&settings).unwrap_or_default().parse::<DocumentMut>().unwrap_or_default();
    let mut found = Vec::new();
    let is_off = |name: &&&str| {
        config.get("features").and_then(|features| features.get(**name)).and_then(Item::as_bool) == Some(false)
    };
    if let Some(name) = FEATURES.iter().find(is_off) {
        let message = format!("`features.{name} = false` in {} switches every hook of Codex off", settings.display());
        found.push(Obstacle::new(message, "take that line out"));
    }
    let (mut off, mut untrusted) = (false, false);
    for place in our_places(&hooks, super::HOST.name) {
        let event = snake(place.event);
        let state = state_of(&config, &path, &format!("{event}:{}:{}", place.group, place.call));
        off |= state.and_then(|state| state.get("enabled")).and_then(Item::as_bool) == Some(false);
        let trusted = state.and_then(|state| state.get("trusted_hash")).and_then(Item::as_str);
        untrusted |= trusted != Some(&hash(&event, place.matcher, place.hook));
    }
    if off {
        let message = format!("memdir's hooks are switched off in {}", settings.display());
        found.push(Obstacle::new(message, "open `/hooks` in Codex and switch them on"));
    }
    if untrusted {
        let message = "Codex has not been told to trust memdir's hooks as they are now, and skips them without a word";
        found.push(Obstacle::new(message, "start `codex` once and choose to trust them"));
    }
    found
}

/// A file that Codex leaves out as a whole, and says so only where nobody looks.
fn refused(path: &Path, text: &str) -> Option<Obstacle> {
    let file = path.display();
    if text.starts_with(BOM) {
        let message =
            format!("{file} begins with a byte order mark; Codex leaves the whole file out, with the hooks in it");
        return Some(Obstacle::new(message, "save it without that mark"));
    }
    let (what, line) = hooks_file::refusal(text)?;
    Some(Obstacle::new(
        format!(
            "Codex does not take {file} at line {line} ({what}); it leaves the whole file out, with the hooks in it"
        ),
        format!("correct line {line}"),
    ))
}

/// What Codex notes about one hook; it names the file as it found it, by a link or not.
fn state_of<'c>(config: &'c DocumentMut, path: &Path, place: &str) -> Option<&'c Item> {
    let states = config.get("hooks")?.get("state")?;
    let real = path.canonicalize().ok();
    let mut names = [Some(path), real.as_deref()].into_iter().flatten();
    names.find_map(|path| states.get(format!("{}:{place}", path.display())))
}

/// What Codex hashes: the hook as it understands it, keys in order.
fn hash(event: &str, matcher: Option<&str>, hook: &Value) -> String {
    let mut identity = json!({ "event_name": event, "hooks": [{
        "async": false,
        "command": hook["command"],
        "timeout": hook["timeout"].as_u64().unwrap_or(PATIENCE_SECONDS),
        "type": "command",
    }] });
    if let Some(matcher) = matcher {
        identity["matcher"] = json!(matcher);
    }
    let digest = ring::digest::digest(&ring::digest::SHA256, identity.to_string().as_bytes());
    let hex: String = digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

/// `PreToolUse` as Codex writes it in its own file: `pre_tool_use`.
fn snake(event: &str) -> String {
    let mut name = String::new();
    for letter in event.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hashes are what the real Codex 0.166 says of these hooks (`hooks/list` of its app server).
    #[test]
    fn b4_the_hash_is_codexs_own() {
        let command = "if command -v memdir >/dev/null 2>&1; then exec memdir hook codex; fi";
        let hook = json!({ "type": "command", "command": command, "timeout": 5 });
        for (event, want) in [
            ("PreToolUse", "b709b6a0b95d67ef2e5625593d09e2b08af949c4a2bff0d82b9be3e7b5216f77"),
            ("Stop", "fddd92f576205267f2cab619ab9c4ac196aba6e7b1df778115f5766342d3d546"),
            ("UserPromptSubmit", "0a9597750f5b702256e73bd362d091728c38c310b0c3889f594510c860169e60"),
        ] {
            assert_eq!(hash(&snake(event), None, &hook), format!("sha256:{want}"), "{event}");
        }
    }
}
