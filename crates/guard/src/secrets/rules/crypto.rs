//! Key material and signed tokens: private keys, JWT, password hashes.

use super::super::judge::Judge;
use super::super::rule::{SecretRule, judged, named, shape};

/// Bytes of the longest private key worth following to its end.
const KEY_BYTES: usize = 16 * 1024;

/// An armoured block of one kind, to its end, or as far as lines of base64 go if the end was cut
/// off. Between lines may stand what quotes, comments and string literals put there.
macro_rules! armoured {
    ($kind:literal) => {
        concat!(
            "-----BEGIN ",
            $kind,
            r#"-----(?:[\w\s\\+/=:,.()<>@"'|#*-]*?-----END "#,
            $kind,
            r#"-----|(?:(?:\\[rn]|[\s"'+>|#])*[A-Za-z0-9+/=]{16,})+)"#
        )
    };
}

const fn block(
    name: &'static str,
    about: &'static str,
    keywords: &'static [&'static str],
    pattern: &'static str,
) -> SecretRule {
    judged(name, about, keywords, pattern, Judge::KeyBlock).reach(KEY_BYTES)
}

pub(super) const RULES: &[SecretRule] = &[
    block("private-key-rsa", "RSA private key", &["begin rsa private key"], armoured!("RSA PRIVATE KEY")),
    block("private-key-dsa", "DSA private key", &["begin dsa private key"], armoured!("DSA PRIVATE KEY")),
    block("private-key-ec", "elliptic curve private key", &["begin ec private key"], armoured!("EC PRIVATE KEY")),
    block(
        "private-key-openssh",
        "OpenSSH private key",
        &["begin openssh private key"],
        armoured!("OPENSSH PRIVATE KEY"),
    ),
    block("private-key-pkcs8", "private key in PKCS#8", &["begin private key"], armoured!("PRIVATE KEY")),
    block(
        "private-key-encrypted",
        "encrypted private key; its passphrase can be guessed offline",
        &["begin encrypted private key"],
        armoured!("ENCRYPTED PRIVATE KEY"),
    ),
    block(
        "private-key-ssh2",
        "SSH2 private key",
        &["begin ssh2 encrypted private key"],
        concat!(
            r"-{4,5} ?BEGIN SSH2 ENCRYPTED PRIVATE KEY ?-{4,5}",
            r#"[\w\s\\+/=:,.()<>@"'|#*-]*?END SSH2 ENCRYPTED PRIVATE KEY ?-{4,5}"#
        ),
    ),
    block(
        "private-key-pgp",
        "PGP private key block",
        &["begin pgp private key block"],
        armoured!("PGP PRIVATE KEY BLOCK"),
    ),
    judged(
        "private-key-putty",
        "PuTTY private key",
        &["putty-user-key-file"],
        r"PuTTY-User-Key-File-[0-9]: [\w\s+/=:.,@-]*?Private-Lines: [0-9]+\s+([A-Za-z0-9+/=\s]{16,}?(?:Private-MAC: [a-f0-9]+|$))",
        Judge::KeyBlock,
    )
    .reach(KEY_BYTES),
    shape(
        "private-key-base64",
        "private key in PEM, encoded once more, as in a kubeconfig",
        &["client-key-data"],
        r#"client-key-data["']?\s*[:=]\s*["']?([A-Za-z0-9+/]{100,}={0,2})"#,
    ),
    shape(
        "private-key-jwk",
        "private half of a JSON Web Key",
        &["\"kty\""],
        r#""kty"\s*:\s*"[A-Za-z]{2,3}"[\w\s",:./@+-]{0,1500}?"[dk]"\s*:\s*"([\w-]{32,})""#,
    )
    .reach(2048),
    named(
        "private-key-jwk-part",
        "private part of a JSON Web Key, named before its kind",
        &["\"d\"", "\"k\"", "\"p\"", "\"dp\""],
        r#""(?:d|k|p|q|dp|dq|qi)"\s*:\s*"([\w-]{32,})""#,
    ),
    shape(
        "private-key-minisign",
        "minisign or signify secret key",
        &["secret key"],
        r"secret key\s+(RW[A-Za-z0-9+/]{60,}={0,2})",
    ),
    shape(
        "private-key-age",
        "age identity",
        &["age-secret-key-1"],
        r"AGE-SECRET-KEY-1[0-9A-Z]{50,58}",
    ),
    named(
        "private-key-wireguard",
        "WireGuard private key",
        &["privatekey", "presharedkey", "private-key", "genkey", "genpsk"],
        r"(?i:PrivateKey|PresharedKey|private-key|wg gen(?:key|psk))(?:\s*[=:]\s*|[ -~\n]{1,24}?)([A-Za-z0-9+/]{43}=)",
    ),
    named(
        "private-key-wallet",
        "private key of a wallet or of a signer, in hex",
        &["private", "secret"],
        r#"(?i:private[_ -]?(?:key|half)|secret[_ -]key)["'`]?(?: (?i:seed|half|in hex|\(hex\)|hex)){0,3}(?:\s|[:="'`]|\bis\b){1,8}(?:0x)?([0-9a-fA-F]{128}|[0-9a-fA-F]{64})(?:\W|$)"#,
    ),
    shape(
        "jwt",
        "signed JSON Web Token",
        &["eyj"],
        r"\b(eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,})",
    ),
    shape("password-hash-bcrypt", "bcrypt hash of a password", &["$2a", "$2b", "$2x", "$2y"], r"\$2[abxy]\$[0-9]{2}\$([./A-Za-z0-9]{53})"),
    shape(
        "password-hash-crypt",
        "crypt hash of a password, as in a shadow file",
        &["$1$", "$5$", "$6$", "$y$", "$apr1$"],
        r"\$(?:1|5|6|y|apr1)\$(?:rounds=[0-9]+\$)?([./A-Za-z0-9]{1,16}\$(?:[./A-Za-z0-9]{1,64}\$)?[./A-Za-z0-9]{22,86})",
    ),
    shape(
        "password-hash-ldap",
        "hash of a password as directories and web servers keep it",
        &["{sha", "{ssha", "{smd5", "{crypt", "{pbkdf2"],
        r"\{(?i:SSHA|SHA|SMD5|SSHA256|SSHA512|PBKDF2[\w-]*|CRYPT)\}([A-Za-z0-9+/.$]{20,}={0,2})",
    ),
    shape(
        "password-hash-web",
        "hash of a password as web frameworks keep it",
        &["pbkdf2_sha", "pbkdf2:sha", "scrypt:", "bcrypt_sha256$"],
        r"(?:pbkdf2_sha(?:1|256|512)\$[0-9]+\$|pbkdf2:sha(?:1|256|512):[0-9]+\$|scrypt:[0-9]+:[0-9]+:[0-9]+\$|bcrypt_sha256\$)([\w./+$-]{30,}={0,2})",
    ),
    shape(
        "password-hash-argon2",
        "Argon2 hash of a password",
        &["$argon2"],
        r"\$argon2(?:id|i|d)\$(?:v=[0-9]+\$)?m=[0-9]+,t=[0-9]+,p=[0-9]+\$([A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{16,})",
    ),
];
