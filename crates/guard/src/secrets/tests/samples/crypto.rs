use super::{Sample, base64, hex, lower, mixed, sample, upper};

fn pem(kind: &str, body: &str) -> String {
    format!("-----BEGIN {kind}-----\n{body}\n-----END {kind}-----")
}

pub(super) fn samples() -> Vec<Sample> {
    let body = format!("{}\n{}", base64(64), base64(40));
    let block = |rule, kind: &str| sample(rule, pem(kind, &body), pem(kind, "..."));
    let jwt = |head: &str, body: &str, end: &str| format!("ey{head}.ey{body}.{end}");
    vec![
        block("private-key-rsa", "RSA PRIVATE KEY"),
        block("private-key-dsa", "DSA PRIVATE KEY"),
        block("private-key-ec", "EC PRIVATE KEY"),
        block("private-key-openssh", "OPENSSH PRIVATE KEY"),
        block("private-key-pkcs8", "PRIVATE KEY"),
        block("private-key-encrypted", "ENCRYPTED PRIVATE KEY"),
        block("private-key-ssh2", "SSH2 ENCRYPTED PRIVATE KEY"),
        block("private-key-pgp", "PGP PRIVATE KEY BLOCK"),
        sample(
            "private-key-putty",
            format!(
                "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: me@host\nPublic-Lines: 1\n{}\n\
                 Private-Lines: 1\n{}\nPrivate-MAC: {}",
                base64(40),
                base64(48),
                hex(64)
            ),
            "PuTTY-User-Key-File-3: is how such a file begins",
        ),
        sample(
            "private-key-base64",
            format!("    client-key-data: {}==", base64(200)),
            "    client-key-data: DATA+OMITTED",
        ),
        sample(
            "private-key-jwk",
            format!(r#"{{"kty":"EC","crv":"P-256","x":"{}","d":"{}"}}"#, mixed(43), mixed(43)),
            format!(r#"{{"kty":"EC","crv":"P-256","x":"{}","y":"{}"}}"#, mixed(43), mixed(43)),
        ),
        sample("private-key-age", format!("AGE-SECRET-KEY-1{}", upper(58)), format!("age1{}", lower(58))),
        sample(
            "private-key-wireguard",
            format!("[Interface]\nPrivateKey = {}=", base64(43)),
            format!("[Peer]\nPublicKey = {}=", base64(43)),
        ),
        sample("private-key-wallet", format!("private key: 0x{}", hex(64)), format!("public key: 0x{}", hex(64))),
        sample(
            "jwt",
            jwt(&format!("J{}", mixed(30)), &format!("J{}", mixed(60)), &mixed(43)),
            jwt(&format!("J{}", mixed(30)), &format!("J{}", mixed(60)), "<signature>"),
        ),
        sample("password-hash-bcrypt", format!("me:$2b$12${}", mixed(53)), format!("$2b$12${}", mixed(20))),
        sample("password-hash-crypt", format!("root:$6${}${}:19000:", mixed(16), mixed(86)), "use $6$ hashes"),
        sample(
            "private-key-jwk-part",
            format!(r#"{{"d":"{}","kty":"RSA"}}"#, mixed(86)),
            format!(r#"{{"x":"{}","kid":"{}"}}"#, mixed(43), mixed(43)),
        ),
        sample("password-hash-ldap", format!("kiln:{{SSHA}}{}", base64(32)), "use {SSHA} hashes"),
        sample(
            "password-hash-web",
            format!("pbkdf2_sha256$600000${}${}=", mixed(22), base64(43)),
            "pbkdf2_sha256 with 600000 rounds",
        ),
        sample(
            "password-hash-argon2",
            format!("$argon2id$v=19$m=65536,t=3,p=4${}${}", mixed(22), mixed(43)),
            "$argon2id$v=19$m=65536,t=3,p=4$ are our parameters",
        ),
    ]
}
