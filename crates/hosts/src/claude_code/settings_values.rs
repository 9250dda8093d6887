//! Values that Claude Code insists on in its `settings.json` (B4), as seen in version 2.1.325.
//!
//! Enters: the settings. Leaves: the first value for which it leaves the whole file out, with the hooks in it. What it passes
//! over alone is none: a key it does not know, a permission rule or a hook it does not understand. Never writes.

use serde_json::Value;

/// What a value must be.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Switch,
    Number,
    /// A whole number, one or more.
    Count,
    List,
    Object,
    SwitchOrObject,
    SwitchOrList,
    OneOf(&'static [&'static str]),
}

/// Kinds with the keys whose values must be of it; a `*` in a key is any key, or any place in a list.
const KINDS: &[(Kind, &str)] = &[
    (
        Kind::Switch,
        "agentPushNotifEnabled allowAllClaudeAiMcps allowClaudeInChromeWithManagedMcp allowManagedHooksOnly allowManagedMcpServersOnly \
         allowManagedPermissionRulesOnly alwaysThinkingEnabled autoCompactEnabled autoContinueAtUsageLimit autoDreamEnabled \
         autoMemoryEnabled autoScrollEnabled autoUploadSessions awaySummaryEnabled bashEditDiffEnabled channelsEnabled \
         clawdFileProgressEnabled disableAgentView disableAllHooks disableArtifact disableBundledSkills disableClaudeAiConnectors \
         disableCommandPluginSources disableRemoteControl disableReplyCheck disableSideloadFlags disableSkillShellExecution \
         disableWindowsBashCommandSplit disableWorkflows doneMeansMerged emojiCompletionEnabled enableAllProjectMcpServers \
         enableArtifact enableWorkflows enforceAvailableModels fastMode fastModePerSessionOptIn fileCheckpointingEnabled \
         forceRemoteSettingsRefresh idleCompaction includeCoAuthoredBy includeGitInstructions inputNeededNotifEnabled \
         isolatePeerMachines precomputeCompactionEnabled prefersReducedMotion promptSuggestionEnabled quietHours.enabled \
         remoteControlAtStartup respectGitignore respondToBashCommands responseComparisonEnabled sandbox.autoAllowBashIfSandboxed \
         sandbox.enabled showClearContextOnPlanAccept showMessageTimestamps showThinkingSummaries showTurnDuration \
         skipDangerousModePermissionPrompt skipWebFetchPreflight skipWorkflowUsageWarning spinnerTipsEnabled switchModelsOnFlag \
         syncClaudeAiPlugins syncClaudeAiSkills syntaxHighlightingDisabled terminalProgressBarEnabled terminalTitleFromRename \
         todoFeatureEnabled totalTokensReminderAfterUserTurn verbose voice.enabled wheelScrollAccelerationEnabled \
         workflowKeywordTriggerEnabled wslInheritsWindowsSettings",
    ),
    (
        Kind::Text,
        "advisorModel agent apiKeyHelper attribution.commit attribution.pr attributionProject autoMemoryDirectory availableModels.* \
         awsAuthRefresh awsCredentialExport claudeMd companyAnnouncements.* fallbackModel.* fileSuggestion.command gcpAuthRefresh \
         language minimumVersion model modelOverrides.* otelHeadersHelper outputStyle permissions.additionalDirectories.* \
         plansDirectory pluginTrustMessage prUrlTemplate processWrapper proxyAuthHelper remote.defaultEnvironmentId \
         requiredMaximumVersion requiredMinimumVersion statusLine.command timeZone",
    ),
    (Kind::Count, "cleanupPeriodDays"),
    (
        Kind::Number,
        "desktopSessionCleanupPeriodDays feedbackSurveyRate skillListingBudgetFraction skillListingMaxDescChars \
         totalTokensReminderBudget",
    ),
    (
        Kind::List,
        "allowedChannelPlugins allowedHttpHookUrls availableModels blockedMarketplaces claudeMdExcludes companyAnnouncements \
         fallbackModel httpHookAllowedEnvVars permissions.additionalDirectories permissions.allow permissions.ask permissions.deny \
         pluginSuggestionMarketplaces sandbox.excludedCommands spinnerVerbs.verbs sshConfigs strictKnownMarketplaces \
         worktree.symlinkDirectories",
    ),
    (
        Kind::Object,
        "breakReminder enabledPlugins env fileSuggestion modelOverrides permissions pluginConfigs pluginConfigs.* quietHours remote \
         remoteTools sandbox sandbox.network skillOverrides spinnerVerbs sshConfigs.* statusLine voice worktree",
    ),
    (Kind::SwitchOrObject, "attribution"),
    (Kind::SwitchOrList, "enabledPlugins.*"),
    (
        Kind::OneOf(&["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "manual", "plan"]),
        "permissions.defaultMode",
    ),
    (Kind::OneOf(&["disable"]), "disableAutoMode permissions.disableAutoMode permissions.disableBypassPermissionsMode"),
    (Kind::OneOf(&["command"]), "fileSuggestion.type statusLine.type"),
    (Kind::OneOf(&["latest", "stable", "rc"]), "autoUpdatesChannel"),
    (Kind::OneOf(&["bash", "powershell"]), "defaultShell"),
    (Kind::OneOf(&["default", "fullscreen"]), "tui"),
    (Kind::OneOf(&["append", "replace"]), "spinnerVerbs.mode"),
    (Kind::OneOf(&["notify", "quiet", "off"]), "feedbackDrafts"),
    (Kind::OneOf(&["transient", "ask"]), "daemonColdStart"),
    (Kind::OneOf(&["on", "name-only", "user-invocable-only", "off"]), "skillOverrides.*"),
    (Kind::OneOf(&["unrestricted", "small", "medium", "large"]), "workflowSizeGuideline"),
];

/// What must be there where its object is.
const REQUIRED: &[(&str, &str)] =
    &[("fileSuggestion", "command"), ("fileSuggestion", "type"), ("statusLine", "command"), ("statusLine", "type")];

impl Kind {
    fn is(self, value: &Value) -> bool {
        match self {
            Kind::Text => value.is_string(),
            Kind::Switch => value.is_boolean(),
            Kind::Number => value.is_number(),
            Kind::Count => value.as_f64().is_some_and(|number| number >= 1.0 && number.fract() == 0.0),
            Kind::List => value.is_array(),
            Kind::Object => value.is_object(),
            Kind::SwitchOrObject => value.is_boolean() || value.is_object(),
            Kind::SwitchOrList => value.is_boolean() || value.is_array(),
            Kind::OneOf(words) => value.as_str().is_some_and(|word| words.contains(&word)),
        }
    }

    fn words(self) -> String {
        match self {
            Kind::Text => "a text in quotes".to_owned(),
            Kind::Switch => "true or false".to_owned(),
            Kind::Number => "a number".to_owned(),
            Kind::Count => "a whole number, 1 or more".to_owned(),
            Kind::List => "a list".to_owned(),
            Kind::Object => "an object".to_owned(),
            Kind::SwitchOrObject => "true, false or an object".to_owned(),
            Kind::SwitchOrList => "true, false or a list".to_owned(),
            Kind::OneOf([word]) => format!("`{word}`"),
            Kind::OneOf(words) => format!("one of `{}`", words.join("`, `")),
        }
    }
}

/// The first value for which Claude Code leaves a file out: its key, and what it should be.
pub(super) fn odd_value(settings: &Value) -> Option<(String, String)> {
    for (kind, keys) in KINDS {
        for key in keys.split_whitespace() {
            let path: Vec<&str> = key.split('.').collect();
            if let Some(key) = odd(settings, &path, *kind) {
                return Some((key, kind.words()));
            }
        }
    }
    let is_missing = |(object, key): &&(&str, &str)| settings.get(object).is_some_and(|there| there.get(key).is_none());
    let (object, key) = REQUIRED.iter().find(is_missing)?;
    Some((format!("{object}.{key}"), "set".to_owned()))
}

/// The key, below a value, of what is not of this kind.
fn odd(value: &Value, path: &[&str], kind: Kind) -> Option<String> {
    let Some((first, rest)) = path.split_first() else { return (!kind.is(value)).then(String::new) };
    let below = |key: &str, value: &Value| {
        let rest = odd(value, rest, kind)?;
        Some(if rest.is_empty() { key.to_owned() } else { format!("{key}.{rest}") })
    };
    match (value, *first) {
        (Value::Object(fields), "*") => fields.iter().find_map(|(key, value)| below(key, value)),
        (Value::Array(items), "*") => items.iter().enumerate().find_map(|(at, value)| below(&at.to_string(), value)),
        (Value::Object(fields), key) => below(key, fields.get(key)?),
        _ => None,
    }
}
