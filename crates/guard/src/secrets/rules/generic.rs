//! Values without a shape of their own, known by the word before them, in English and Chinese.
//!
//! The word must be the whole name or its end (`db_password`, not `password policy`), something
//! must say that a value follows, and the value must look random. All of these are broad: a rule
//! that knows the vendor goes first.

use super::super::judge::Judge;
use super::super::rule::{SecretRule, judged};

/// From the end of a name to the value: closing quotes, perhaps "for the staging database", then
/// a sign or a word that says "is".
macro_rules! then {
    () => {
        concat!(
            r#"["'`*\]\\]{0,4}(?: (?:(?i:for|of|to|on|in|at|auf|zum)|(?u:für))\b[\w ./@'-]{0,48}?)?"#,
            r"(?:\s{0,4}(?::=|=>|={1,3}|:|\||(?u:：|＝|是|为))|\s(?i:is|was|are|ist))",
            r"[\s*(|]{0,6}(?:(?i:is|set to|now)\s)?(?:!\w+\s)?"
        )
    };
}

/// What names go on with that say which of several values this is, and nothing of another kind: not `_id`, not `_hash`.
macro_rules! which {
    () => {
        r"(?i:[_-]?(?:base|value|val|raw|str|string|prod|production|live|staging|stage|test|dev|main|primary|secondary|old|new|b64|base64|[0-9]{1,2}))?"
    };
}

/// What a person types: in quotes any printable ASCII, without them no list separators.
macro_rules! typed {
    () => {
        concat!(
            r#"(?:\\?"([!#-~]{6,}?)\\?"|\\?'([!-&(-~]{6,}?)\\?'|`([!-_a-~]{6,})`|"#,
            r"([!#-&(-+\--:<-_a-{}~]{6,}))"
        )
    };
}

/// What a machine makes.
macro_rules! made {
    () => {
        r#"[\\"'`*]{0,3}([\w+/.~-]{16,}={0,2})(?:[^\w+/.~-]|$)"#
    };
}

pub(super) const RULES: &[SecretRule] = &[
    judged(
        "generic-password",
        "password behind the word for it",
        &["passw", "passphrase", "passcode", "pwd", "_pass", "dbpass", " pw", "_pw", "pw:", "pw=", "psk"],
        concat!(r"(?i:password|passwort|passwd|passphrase|passcode|pwd|_pass|dbpass|(?:\b|_)pw\b|\bpsk\b)", then!(), typed!()),
        Judge::Password,
    )
    .broad(),
    judged(
        "generic-passphrase",
        "several words in quotes that are said to be a password",
        &["passphrase", "password"],
        r#"(?i:password|passphrase)(?: (?i:for|of|to|on)\b[\w ./@-]{0,48}?)? (?i:is|was) (?:"([!#-~ ]+?)"|'([!-&(-~ ]+?)'|`([!-_a-~ ]+?)`)"#,
        Judge::Passphrase,
    )
    .broad(),
    judged(
        "generic-password-zh",
        "password behind the Chinese word for it",
        &["密码", "口令", "密碼", "暗号"],
        concat!(
            r"(?u:密码|口令|密碼|暗号)",
            r"(?:[\s*|:=>(\]]|(?u:：|＝|是|为|為|“|「|（|改成|设为|设成|就是))+",
            typed!()
        ),
        Judge::Password,
    )
    .broad(),
    judged(
        "generic-api-key",
        "API, access or signing key behind its name",
        &["key", "密钥", "秘钥"],
        concat!(
            r"(?:(?i:(?:api|access|secret|signing|encryption|master|private|auth|service|account|admin|deploy|license)[_ -]?key)|(?u:密钥|秘钥))",
            which!(),
            then!(),
            made!()
        ),
        Judge::Unnamed,
    )
    .broad(),
    judged(
        "generic-token",
        "token behind the word for it",
        &["token", "令牌"],
        concat!(r"(?:(?i:token)|(?u:令牌))", which!(), then!(), made!()),
        Judge::Unnamed,
    )
    .broad(),
    judged(
        "generic-secret",
        "secret or credential behind the word for it",
        &["secret", "credential", "凭证", "凭据"],
        concat!(r"(?:(?i:secret|credentials?)|(?u:凭证|凭据))", which!(), then!(), made!()),
        Judge::Unnamed,
    )
    .broad(),
];
