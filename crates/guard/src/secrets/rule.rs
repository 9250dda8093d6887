//! What a rule is. Data only: [`super::find`] runs it, [`super::judge`] weighs what it matched.

use super::judge::Judge;

/// One kind of secret.
#[derive(Debug)]
pub struct SecretRule {
    /// Kebab-case, unique; stands in findings and in redacted text.
    pub name: &'static str,
    /// What it is, in words.
    pub about: &'static str,
    /// Lower-case text of which at least one piece stands in or just before every match.
    pub keywords: &'static [&'static str],
    /// A regular expression over bytes. The first group that takes part is the secret, without
    /// groups the whole match is. Secrets are matched by ASCII classes only, so that a finding
    /// begins and ends between characters.
    pub pattern: &'static str,
    pub(super) judge: Judge,
    /// Whether a more specific rule goes first where both match.
    pub(super) broad: bool,
    /// Bytes behind a keyword that a match may need, if it spans blank space.
    pub(super) reach: usize,
}

/// Bytes behind a keyword that are searched at least; then on to the next blank.
const REACH: usize = 256;

impl SecretRule {
    const fn new(
        name: &'static str,
        about: &'static str,
        keywords: &'static [&'static str],
        pattern: &'static str,
        judge: Judge,
    ) -> SecretRule {
        SecretRule { name, about, keywords, pattern, judge, broad: false, reach: REACH }
    }

    /// Whether its values are known without the words around them.
    pub(super) fn has_shape(&self) -> bool {
        matches!(self.judge, Judge::Shape | Judge::KeyBlock)
    }

    pub(super) const fn broad(mut self) -> SecretRule {
        self.broad = true;
        self
    }

    pub(super) const fn reach(mut self, bytes: usize) -> SecretRule {
        self.reach = bytes;
        self
    }
}

/// A secret whose shape gives it away: a prefix of its own, a fixed length.
pub(super) const fn shape(
    name: &'static str,
    about: &'static str,
    keywords: &'static [&'static str],
    pattern: &'static str,
) -> SecretRule {
    SecretRule::new(name, about, keywords, pattern, Judge::Shape)
}

/// A secret that looks like any other string and is known by the name before it.
pub(super) const fn named(
    name: &'static str,
    about: &'static str,
    keywords: &'static [&'static str],
    pattern: &'static str,
) -> SecretRule {
    SecretRule::new(name, about, keywords, pattern, Judge::Random)
}

/// A secret with a judge of its own.
pub(super) const fn judged(
    name: &'static str,
    about: &'static str,
    keywords: &'static [&'static str],
    pattern: &'static str,
    judge: Judge,
) -> SecretRule {
    SecretRule::new(name, about, keywords, pattern, judge)
}

/// The pattern of a value behind a vendor's name and a word such as key or token, however the two
/// are written: `FASTLY_API_TOKEN=…`, `"fastlyToken": "…"`, `Fastly API key is …`, `Fastly 密钥：…`.
macro_rules! assigned {
    ($vendor:literal, $value:literal) => {
        concat!(
            r"(?:\b|_)(?i:",
            $vendor,
            r")[\w .-]{0,16}?(?:(?i:key|token|secret|pat|password|pwd|credential)\w*|(?u:密钥|令牌|密码))",
            r#"(?:[\s"'`*|\]:=>(,]|(?u:：|＝|是|为)|(?i:\bis\b|\bwas\b))+("#,
            $value,
            r")(?:\W|$)"
        )
    };
}
pub(super) use assigned;

/// The pattern of a value that only one vendor makes, beside its name, before or behind it.
macro_rules! beside {
    ($vendor:literal, $value:literal) => {
        concat!(
            r"(?i:\b(?:",
            $vendor,
            r"))[ -~\s]{0,80}?\b(",
            $value,
            r")(?:[^\w-]|$)|\b(",
            $value,
            r")[^\w-][ -~\s]{0,80}?(?i:\b(?:",
            $vendor,
            r"))"
        )
    };
}
pub(super) use beside;

/// A UUID, as some vendors use for tokens.
macro_rules! uuid {
    () => {
        "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
    };
}
pub(super) use uuid;
