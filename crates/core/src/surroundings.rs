//! What the process was started with, handed in by whoever calls the library.
//!
//! Enters: nothing is looked up here; the caller fills every field. Leaves: the same values, with
//! the readings every room shares: an empty variable is an unset one, which words mean yes or no,
//! and which proxy is meant for an address. Never reads the environment, the home directory or a file.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Working directory, home, variables, platform directories and flags of one run.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The working directory, absolute.
    pub cwd: PathBuf,
    /// The user's home directory, where one is known.
    pub home: Option<PathBuf>,
    /// The environment. A value that is not UTF-8 is best passed in lossily, so that a path rule
    /// can refuse it, rather than left out, which would read as unset.
    pub vars: BTreeMap<String, String>,
    /// The platform's configuration directory (`$XDG_CONFIG_HOME`, `~/.config`, …), which holds
    /// `memdir/config.toml`.
    pub config_dir: Option<PathBuf>,
    /// The platform's state directory (`$XDG_STATE_HOME`, …), without `memdir` (P10).
    pub state_dir: Option<PathBuf>,
    /// The platform's cache directory (`$XDG_CACHE_HOME`, …), without `memdir` (P10).
    pub cache_dir: Option<PathBuf>,
    /// Where an administrator puts host settings, strongest first
    /// (`/etc/claude-code/managed-settings.json`, …).
    pub managed_settings: Vec<PathBuf>,
    /// The administrator's instruction file (`/etc/claude-code/CLAUDE.md`).
    pub managed_rules: Option<PathBuf>,
    /// What the command line said.
    pub flags: Flags,
}

/// The global flags that decide where memory is and whether it is on.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `--project`: work for this directory; may be relative to the working directory.
    pub project: Option<PathBuf>,
    /// `--memory-dir`: use this directory, no resolution; may be relative too.
    pub memory_dir: Option<PathBuf>,
    /// `--bare` (E2).
    pub bare: bool,
    /// `--offline`: no model.
    pub offline: bool,
    /// Settings given on the command line: memdir's keys, and the host's three
    /// (`autoMemoryEnabled`, `autoMemoryDirectory`, `autoDreamEnabled`).
    pub settings: Vec<(String, String)>,
}

impl Surroundings {
    /// The value of a variable; empty or blank counts as unset.
    pub fn var(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(String::as_str).filter(|value| !value.trim().is_empty())
    }

    /// Whether a variable says yes, says no, or says neither.
    pub fn switch(&self, name: &str) -> Option<bool> {
        self.var(name).and_then(truth)
    }

    /// The directory this run is about: `--project`, else the working directory.
    pub fn directory(&self) -> PathBuf {
        self.flags.project.as_deref().map_or_else(|| self.cwd.clone(), |given| self.below_cwd(given))
    }

    /// A path as the user meant it: relative ones start at the working directory.
    pub fn below_cwd(&self, path: &Path) -> PathBuf {
        self.cwd.join(path)
    }

    /// The proxy that the environment names for an address, as most programs read it.
    pub fn proxy(&self, base: &str) -> Option<String> {
        let (scheme, rest) = base.split_once("://")?;
        let host = rest.split(['/', ':']).next().unwrap_or_default().to_ascii_lowercase();
        if matches!(host.as_str(), "localhost" | "127.0.0.1" | "[") || host.starts_with("127.") {
            return None;
        }
        let var = |upper: &str| self.var(&upper.to_ascii_lowercase()).or_else(|| self.var(upper));
        let spared = var("NO_PROXY")
            .unwrap_or_default()
            .split(',')
            .map(|name| name.trim().trim_start_matches('.').to_ascii_lowercase());
        let spared = spared
            .filter(|name| !name.is_empty())
            .any(|name| name == "*" || host == name || host.ends_with(&format!(".{name}")));
        let named = if scheme.eq_ignore_ascii_case("https") { var("HTTPS_PROXY") } else { var("HTTP_PROXY") };
        named.or_else(|| var("ALL_PROXY")).filter(|_| !spared).map(str::to_owned)
    }
}

/// Reads a yes/no word as Claude Code does: `1 true yes on` and `0 false no off`, in any case.
///
/// Any other word is neither. So `CLAUDE_CODE_DISABLE_AUTO_MEMORY=2` does not disable anything;
/// the real client ignores it too, and the place reports it as a warning.
pub(crate) fn truth(word: &str) -> Option<bool> {
    let word = word.trim();
    let is = |list: [&str; 4]| list.iter().any(|known| word.eq_ignore_ascii_case(known));
    if is(["1", "true", "yes", "on"]) {
        Some(true)
    } else if is(["0", "false", "no", "off"]) {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_mean_what_the_client_takes_them_for() {
        for word in ["1", "true", "TRUE", " yes ", "On"] {
            assert_eq!(truth(word), Some(true), "{word:?}");
        }
        for word in ["0", "false", "No", "oFF\n"] {
            assert_eq!(truth(word), Some(false), "{word:?}");
        }
        for word in ["", "2", "ja", "truee", "\0", "１"] {
            assert_eq!(truth(word), None, "{word:?}");
        }
    }

    #[test]
    fn a_proxy_is_what_the_variables_name_for_the_scheme_and_none_for_this_machine() {
        for (vars, base, want) in [
            (&[("HTTPS_PROXY", "http://p:1")][..], "https://a.example/v1", Some("http://p:1")),
            (&[("https_proxy", "http://p:2"), ("HTTPS_PROXY", "http://p:1")], "https://a.example", Some("http://p:2")),
            (&[("HTTPS_PROXY", "http://p:1")], "http://a.example", None),
            (&[("ALL_PROXY", "http://p:1")], "http://a.example", Some("http://p:1")),
            (&[("ALL_PROXY", "http://p:1")], "http://127.0.0.1:8080", None),
            (&[("ALL_PROXY", "http://p:1")], "http://localhost:8080/v1", None),
            (&[("ALL_PROXY", "http://p:1"), ("NO_PROXY", "x, .example")], "https://a.example", None),
            (&[("ALL_PROXY", "http://p:1"), ("NO_PROXY", "ample")], "https://a.example", Some("http://p:1")),
        ] {
            let set = vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            let around = Surroundings { vars: set, ..Surroundings::default() };
            assert_eq!(around.proxy(base).as_deref(), want, "{vars:?} {base}");
        }
    }

    #[test]
    fn an_empty_variable_is_an_unset_one() {
        let mut around = Surroundings::default();
        around.vars.insert("A".into(), String::new());
        around.vars.insert("B".into(), "  ".into());
        around.vars.insert("C".into(), "c".into());
        assert_eq!((around.var("A"), around.var("B"), around.var("C")), (None, None, Some("c")));
    }
}
