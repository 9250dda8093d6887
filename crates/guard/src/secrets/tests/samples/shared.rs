use super::{Sample, base64, hex, mixed, sample, uuid};

pub(super) fn samples() -> Vec<Sample> {
    let word = || format!("{}!{}", mixed(7), hex(5));
    vec![
        sample("snmp-community", format!("snmp-server community {} RO", word()), "snmp-server community <name> RO"),
        sample("chap-secret", format!("\"kiln\" * \"{}\" *", word()), "the lines are \"name\" * \"secret\" *"),
        sample(
            "disk-passphrase",
            format!("echo -n {} | cryptsetup open /dev/sdb1 vault -", word()),
            "pass show disk | cryptsetup open /dev/sdb1 vault -",
        ),
        sample(
            "share-password",
            format!("net use Z: \\\\filer\\share {} /user:KILN\\svc", word()),
            "net use Z: \\\\filer\\share /user:KILN\\svc",
        ),
        sample("rclone-password", format!("rclone.conf:\npass = {}", mixed(32)), "rclone asks for the pass = word"),
        sample("nomad-token", format!("nomad token secret id {}", uuid()), "nomad token info prints the secret id"),
        sample(
            "digest-response",
            format!("Authorization: Digest username=\"kiln\", response=\"{}\"", hex(32)),
            "the digest login sends response=\"…\" and a nonce",
        ),
        sample("fernet-key", format!("FERNET_KEY={}=", base64(43).replace(['+', '/'], "x")), "FERNET_KEY=$(make key)"),
        sample(
            "shared-secret",
            format!("the HMAC key we share with the bank is {}", hex(64)),
            "the shared secret of the webhook is in the vault",
        ),
    ]
}
