//! The variables of the environment that memdir looks at, for the reference.

/// Every variable memdir looks at besides `MEMDIR_<KEY>` for each setting, with what it does.
pub(crate) const VARIABLES: &[(&str, &str)] = &[
    ("CLAUDE_CONFIG_DIR", "the config home, instead of ~/.claude"),
    ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "the memory directory, whole path"),
    ("CLAUDE_CODE_REMOTE_MEMORY_DIR", "the base of the default directory, instead of the config home"),
    ("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "truthy: memory is off; falsy: it is on"),
    ("CLAUDE_CODE_SIMPLE", "bare mode: memory is off"),
    ("CODEX_HOME", "where Codex keeps its configuration, instead of ~/.codex"),
    ("CLAUDE_PROJECT_DIR, GEMINI_PROJECT_DIR", "the project, in hooks of Claude Code and Gemini CLI"),
    ("CLAUDE_CODE_REMOTE", "remote mode: memory is off without a remote memory directory"),
    ("CI, CLAUDE_CODE_ENTRYPOINT", "whether a person is there: see the setting extract.non_interactive"),
    ("CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES", "text appended to the manual"),
    ("MEMDIR_GATES", "gate names and values, separated by commas"),
    ("MEMDIR_NOW", "the clock, for tests and replays (RFC 3339)"),
    ("MEMDIR_OFFLINE", "1: no model, only the built-in engine"),
    ("MEMDIR_NO_BACKGROUND", "1: start no process in the background; a command that saves a memory encodes it itself"),
    (
        "MEMDIR_ERRAND",
        "set by memdir for an agent it starts on a task: what that agent may do, checked before each of its tool calls",
    ),
    ("MEMDIR_INSIDE", "set by memdir for an agent it starts: no model is asked, hooks do nothing"),
    (
        "ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, ANTHROPIC_MODEL",
        "the key, the address and the model of the driver `anthropic`",
    ),
    (
        "OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL",
        "the same for the driver `openai` and servers that speak like it",
    ),
    ("SSL_CERT_FILE", "the certificate authorities to trust, as PEM, instead of the usual ones"),
    ("HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY", "the proxy to a model's provider; none for this machine"),
    (
        "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN",
        "the credentials of a team's bucket; else those of ~/.aws/credentials",
    ),
    ("AWS_PROFILE, AWS_SHARED_CREDENTIALS_FILE", "which profile of which credentials file"),
    (
        "AWS_REGION, AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL",
        "where a new bucket is, unless a flag says so",
    ),
    ("USER", "your name in a team, if git knows none"),
    ("MEMDIR_SESSION", "the session a change belongs to, for the history"),
    ("USERPROFILE", "on Windows: the home directory, instead of HOME"),
    ("XDG_DATA_HOME", "where opencode and goose keep their conversations, instead of ~/.local/share"),
    ("XDG_CONFIG_HOME", "where memdir/config.toml is, instead of ~/.config"),
    ("XDG_STATE_HOME", "where history is kept, instead of ~/.local/state"),
    ("XDG_CACHE_HOME", "where caches are kept, instead of ~/.cache"),
    ("VISUAL, EDITOR", "the editor that `memdir edit` opens"),
    ("NO_COLOR", "set: no colours"),
    ("TERM", "`dumb`: no list on the whole screen"),
];
