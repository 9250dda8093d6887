use super::{Sample, base64, digits, hex, pick, sample, upper};

pub(super) fn samples() -> Vec<Sample> {
    let base32 = |count| pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", count);
    let uuid = || format!("{}-{}-{}-{}-{}", hex(8), hex(4), hex(4), hex(4), hex(12));
    let numbers = (0..64).map(|at| (at * 37 % 256).to_string()).collect::<Vec<_>>().join(",");
    let groups = |count| vec![digits(6); count].join("-");
    vec![
        sample("service-token", format!("1000.{}.{}", hex(32), hex(32)), "1000.5 ms on average"),
        sample(
            "service-hook",
            format!("https://kiln.tines.com/webhook/{}/{}", hex(32), hex(32)),
            "https://kiln.tines.com/webhook/ is where hooks go",
        ),
        sample("private-key-seed", format!("SUA{}", base32(55)), "SUA is a country code"),
        sample("nkey-seed", format!("nats seed SU{}", base32(56)), "nats runs on port 4222"),
        sample("private-key-age-hybrid", format!("AGE-SECRET-KEY-PQ-1{}", upper(60)), "AGE-SECRET-KEY-PQ-1 begins it"),
        sample(
            "private-key-body",
            format!("MIIEvgIBADANBgkqhkiG9w0BAQEFAASC{}", base64(120)),
            "the head reads IBADANBgkqhkiG9w0BAQEFAASC",
        ),
        sample(
            "private-key-xml",
            format!("<RSAKeyValue><D>{}</D></RSAKeyValue>", base64(88)),
            "<RSAKeyValue> holds it",
        ),
        sample(
            "private-key-expression",
            format!("(private-key (ecc (curve Ed25519) (q #{}#) (d #{}#)))", hex(66), hex(64)),
            "(private-key (ecc (curve Ed25519)))",
        ),
        sample(
            "private-key-keystore",
            format!("{{\"ciphertext\":\"{}\"}}", hex(64)),
            "the ciphertext is in another column",
        ),
        sample(
            "private-key-openvpn",
            format!("tls-crypt key:\n{}\n{}\n{}\n", hex(32), hex(32), hex(32)),
            "tls-crypt is on since 2.4",
        ),
        sample(
            "private-key-sigstore",
            format!("-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY-----\n{}\n", base64(64)),
            "-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY----- is its first line",
        ),
        sample(
            "vault-file",
            format!("$ANSIBLE_VAULT;1.1;AES256\n{}", digits(80)),
            "$ANSIBLE_VAULT;1.1;AES256 is its first line",
        ),
        sample("password-hash-dump", format!("Administrator:500:{}:{}:::", hex(32), hex(32)), "lines end in ::: there"),
        sample("password-hash-database", format!("mysql has *{}", upper_hex(40)), "mysql has *all* of it"),
        sample("jenkins-secret", format!("{{AQAAABAAAAAw{}=}}", base64(64)), "AQAAABAAAAAw begins it"),
        sample("fal-key", format!("fal: {}:{}", uuid(), hex(32)), format!("fal request {}", uuid())),
        sample("private-key-numbers", format!("keypair [{numbers}]"), "keypair [1,2,3]"),
        sample("disk-recovery-key", format!("BitLocker recovery: {}", groups(8)), format!("recovery of {}", groups(2))),
        sample("key-on-a-command-line", format!("wandb login {}", hex(40)), "wandb login asks for the key"),
    ]
}

fn upper_hex(count: usize) -> String {
    hex(count).to_uppercase()
}
