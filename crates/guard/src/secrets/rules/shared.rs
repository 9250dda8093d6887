//! What two machines or services share so that one believes the other: communities, handshakes, keys of signatures, and the
//! settings of programs that keep such a thing under a word of their own.

use super::super::judge::Judge;
use super::super::rule::{SecretRule, judged, named, uuid};

pub(super) const RULES: &[SecretRule] = &[
    judged(
        "snmp-community",
        "SNMP community in a configuration",
        &["snmp-server community", "rocommunity", "rwcommunity", "com2sec"],
        r"\b(?:snmp-server community|r[ow]community6?|com2sec6?\s+[\w.-]+\s+[\w.:/-]+)\s+([!-~]{8,64})(?:\s|$)",
        Judge::Password,
    ),
    judged(
        "chap-secret",
        "secret of a CHAP or PAP login",
        &["* \""],
        r#"\*[ \t]+"([!#-~]{6,64})"[ \t]+(?:\*|[0-9])"#,
        Judge::Password,
    ),
    judged(
        "disk-passphrase",
        "passphrase piped into the program that opens a disk",
        &["cryptsetup", "zfs load-key", "veracrypt"],
        r#"\b(?:echo|printf)\s+(?:-\w+\s+)?["']?([!#-&(-_a-~]{6,}?)["']?\s*\|\s*(?:sudo\s+)?(?:cryptsetup|zfs load-key|veracrypt)\b"#,
        Judge::Argument,
    ),
    judged(
        "share-password",
        "password of a share, before its user",
        &["net use"],
        r#"\bnet use\s[ -~]{0,80}?\\\\[\w.-]+\\\S+\s+["']?([!#-&(-.0-~]{4,64}?)["']?\s+/user:"#,
        Judge::Argument,
    ),
    named(
        "rclone-password",
        "password in the settings of rclone",
        &["rclone"],
        r"\brclone[ -~\s]{0,200}?\bpass(?:word2?)?\s?=\s?([\w-]{16,})",
    ),
    named(
        "nomad-token",
        "Nomad or Consul token",
        &["nomad", "consul"],
        concat!(
            r"(?i:\bnomad|\bconsul)[\w .-]{0,24}?(?i:token|secret)(?i:[\s_-]?id)?(?:[\s`*=:>,]|",
            r#"["']|(?i:\bis\b))+("#,
            uuid!(),
            r")(?:\W|$)"
        ),
    ),
    named(
        "digest-response",
        "answer of a digest login",
        &["response=\""],
        r#"(?i:\bdigest)\s[ -~]*?\bresponse="([a-f0-9]{32,64})""#,
    ),
    named(
        "fernet-key",
        "Fernet key",
        &["fernet"],
        r#"(?i:fernet)[\w ]{0,16}?(?:[\s"'`*=:>]|(?i:\bis\b))+([\w-]{43}=)"#,
    ),
    named(
        "shared-secret",
        "secret that two services sign with",
        &["signing secret", "hmac key", "hmac secret", "shared secret", "webhook secret", "pepper"],
        concat!(
            r"(?i:\b(?:signing|shared|webhook|hmac) secret|\bhmac key|\bpepper)(?: [a-z]{1,12}){0,6}",
            r#"[ "'`:=]{1,3}([a-f0-9]{32}|[a-f0-9]{40}|[a-f0-9]{64}|[A-Za-z0-9]{20,64})(?:[\s"'`.,;)]|$)"#
        ),
    ),
];
