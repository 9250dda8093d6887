//! Services whose tokens, hooks and key files have a shape of their own and no family: facts of the public rule sets (gitleaks,
//! trufflehog, detect-secrets) and of those who issue them, one alternative each.

use super::super::judge::Judge;
use super::super::rule::{SecretRule, judged, named, shape, uuid};

/// Bytes of the longest key file worth following to its end.
const FILE_BYTES: usize = 16 * 1024;

pub(super) const RULES: &[SecretRule] = &[
    shape(
        "service-token",
        "token of a service, by its exact shape",
        &[
            "sq0c", "sq0i", "bb_pr_", "bb_ma_", "bbdc-", "bbff-", "vf.", "web_", "1000.", "salad_cloud_", "nf-", "nriq-", "nrbr-",
            "-nrma", "na1.", "sk_", "bsa", "ctx7sk-", "v1.", "ucat_", "tk_", "persona_", "sec-c-", "akab-", "sqco_", "sqp_",
            "key-", "rh-api-", "thog-",
        ],
        concat!(
            r"(?:^|[^\w.])(sq0[ci][a-z]{2}-[\w-]{22,}|bb_(?:pr|ma)_[a-f0-9]{30}|BBDC-[A-Za-z0-9+/@_-]{40,}|BBFF-[A-Za-z0-9]{30}|",
            r"VF\.(?:(?:DM|WS)\.)?[a-fA-F0-9]{24}\.[A-Za-z0-9]{16}|web_[a-z0-9]{32}|1000\.[a-f0-9]{32}\.[a-f0-9]{32}|",
            r"salad_cloud_[A-Za-z0-9]{1,7}_[A-Za-z0-9]{16,}|NF-[A-Za-z0-9]{32}|NRIQ-[\w-]{25}|NRBR-[a-f0-9]{19}|",
            r"(?:AA[a-f0-9]{40}|eu01xx[a-f0-9]{36})-NRMA|na1\.[A-Za-z0-9+/]{100}|sk_(?:test_)?[0-9]{1,2}x[0-9]_[a-fA-F0-9]{64}|",
            r"BSA[A-Za-z0-9_-]{27,30}|ctx7sk-",
            uuid!(),
            r"|v1\.[a-f0-9]{40}|ucat_01[A-Z2-7]{24}|tk_[a-z0-9]{29}|persona_(?:production|sandbox)_",
            uuid!(),
            r"|sec-c-[A-Za-z0-9]{40,}|akab-[a-z0-9]{16}-[a-z0-9]{16}|sqco_[A-Za-z0-9]{59}|sq[ap]_[a-f0-9]{40}|key-[a-z0-9]{32}|",
            r"thog-(?:key|secret)-[a-f0-9]{16,})(?:[^\w]|$)",
        ),
    ),
    judged(
        "service-hook",
        "address of a hook that acts for whoever knows it",
        &[".tines.com/webhook/", ".azurewebsites.net/api/", "vercel.com/v1/integrations/deploy/", "render.com/deploy/", "/bot"],
        concat!(
            r"(?:\.tines\.com/webhook/([a-f0-9]{32}/[a-f0-9]{32})|\.azurewebsites\.net/api/[\w/-]+\?code=([\w%=+/-]{40,})|",
            r"vercel\.com/v1/integrations/deploy/(prj_[A-Za-z0-9]{20,}/[A-Za-z0-9]{8,})|render\.com/deploy/[\w-]+\?key=([\w-]{8,})|",
            r"/bot([0-9]{8,10}:[\w-]{35})(?:/|\W|$))",
        ),
        Judge::Argument,
    ),
    shape(
        "private-key-seed",
        "seed of a NATS key, which begins with its kind",
        &["sua", "sub", "suc", "sud", "saa", "sab", "sac", "sad", "soa", "sob", "sna", "snb", "sca", "scb", "sxa", "sxb"],
        r"\b(S[AOUNCX][A-D][A-Z2-7]{55})\b",
    ),
    named(
        "nkey-seed",
        "seed of a NATS key, named beside it",
        &["nkey", "nats"],
        r"(?i:nkey|nats)[ -~]{0,80}?\b(S[AOUNCX][A-Z2-7]{56})\b|\b(S[AOUNCX][A-Z2-7]{56})\b[ -~]{0,80}?(?i:nkey|nats)",
    ),
    shape(
        "private-key-age-hybrid",
        "age identity of the kind that withstands quantum computers",
        &["age-secret-key-pq-1"],
        r"AGE-SECRET-KEY-PQ-1[0-9A-Z]{50,}",
    ),
    judged(
        "private-key-body",
        "private key whose armour was cut off",
        &["ibadanbgkqhkig9w0baqefaasc", "ibaakcaqea", "ibaakcagea", "ibaakbgq", "mc4caqawbqydk2vw", "b3blbnnzac1rzxktdjea", "mhccaqee", "migkageb", "mighageamb"],
        r"(?:^|[^\w+/])(MII[A-Za-z0-9+/]{2,5}IBADANBgkqhkiG9w0BAQEFAASC[A-Za-z0-9+/=\s]{40,}|MII[A-Za-z0-9+/]{2,6}IBAAK(?:CAQEA|CAgEA|BgQ)[A-Za-z0-9+/=\s]{40,}|MC4CAQAwBQYDK2Vw[A-Za-z0-9+/=]{40,}|b3BlbnNzaC1rZXktdjEA[A-Za-z0-9+/=\s]{40,}|MHcCAQEE[A-Za-z0-9+/=\s]{40,}|MIGkAgEB[A-Za-z0-9+/=\s]{40,}|MIGHAgEAMB[A-Za-z0-9+/=\s]{40,})",
        Judge::KeyBlock,
    )
    .reach(FILE_BYTES),
    shape(
        "private-key-xml",
        "private half of a key in XML",
        &["rsakeyvalue", "<d>"],
        r"<(?:D|P|Q|DP|DQ|InverseQ)>([A-Za-z0-9+/=\s]{40,})</",
    )
    .reach(FILE_BYTES),
    shape(
        "private-key-expression",
        "private key as GnuPG keeps it",
        &["(private-key", "(protected-private-key"],
        r"\((?:protected-)?private-key\s*\((?:[^\n]|\n){0,600}?\(d\s+#([A-Fa-f0-9]{32,})#",
    )
    .reach(2048),
    shape(
        "private-key-keystore",
        "key file of a wallet; its password can be guessed offline",
        &["ciphertext"],
        r#""ciphertext"\s*:\s*"([a-f0-9]{64,})""#,
    ),
    shape(
        "private-key-openvpn",
        "static key of a VPN",
        &["openvpn static key", "tls-crypt", "tls-auth", "static key"],
        r"(?i:openvpn static key V1-----|tls-(?:crypt|auth)\b[^\n]{0,60}|static key\b[^\n]{0,60})\s*((?:[a-f0-9]{32}\s+){2,}[a-f0-9]{32})",
    )
    .reach(1024),
    shape(
        "private-key-sigstore",
        "encrypted private key of another kind; its passphrase can be guessed offline",
        &["private key-----"],
        r#"-----BEGIN [A-Z0-9 ]{2,60}PRIVATE KEY-----((?:(?:\\[rn]|[\s"'+>|#])*[A-Za-z0-9+/=]{16,})+)"#,
    )
    .broad()
    .reach(FILE_BYTES),
    shape(
        "vault-file",
        "file of Ansible Vault; its password can be guessed offline",
        &["$ansible_vault;"],
        r"\$ANSIBLE_VAULT;[0-9.]+;AES256(?:;\w+)?\s+([0-9a-f\s]{64,})",
    )
    .reach(FILE_BYTES),
    shape(
        "password-hash-dump",
        "hash of a password as a dump of accounts has it",
        &[":::", "$krb5", "$scrypt$", "scram-sha-", "$dcc2$", "$pbkdf2"],
        r"(?:\b[a-fA-F0-9]{32}:([a-fA-F0-9]{32}):::|\$krb5\w+\$[0-9]+\$[!-~]{1,80}?\$([a-f0-9]{32,}(?:\$[a-f0-9]{32,})?)|\$scrypt\$ln=[0-9]+,r=[0-9]+,p=[0-9]+\$([A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{22,})|SCRAM-SHA-(?:1|256|512)\$[0-9]+:([A-Za-z0-9+/=]{16,}\$[A-Za-z0-9+/=:]{40,})|\$DCC2\$[0-9]+#\w+#([a-f0-9]{32})|\$pbkdf2-\w+\$[0-9]+\$([\w./]{11,}\$[\w./]{22,}))",
    ),
    named(
        "password-hash-database",
        "hash of a password as MySQL keeps it",
        &["mysql", "identified by", "mariadb", "hash of"],
        r"(?:^|[^\w])(\*[A-F0-9]{40})\b",
    ),
    shape(
        "jenkins-secret",
        "secret as Jenkins keeps it",
        &["aqaaabaaaa"],
        r"\{(AQAAABAAAA[A-Za-z0-9+/=]{20,})\}",
    ),
    named(
        "fal-key",
        "key of fal.ai: an identifier and its secret",
        &["fal"],
        concat!(r"(?i:\bfal\b|\bfal_key\b)[ -~]{0,40}?\b(", uuid!(), ":[a-f0-9]{32})"),
    ),
    judged(
        "private-key-numbers",
        "private key as a list of bytes",
        &["keypair", "solana", "private key", "secret key", "wallet"],
        r"(?i:keypair|solana|private key|secret key|wallet)[^\[\n]{0,80}\[\s*((?:[0-9]{1,3}\s*,\s*){31,127}[0-9]{1,3})\s*\]",
        Judge::Argument,
    )
    .reach(1024),
    judged(
        "disk-recovery-key",
        "key that opens an encrypted disk",
        &["recovery", "bitlocker", "filevault", "wiederherstellung", "récupération", "recuperación", "恢复", "復旧"],
        r"\b((?:[0-9]{6}-){7}[0-9]{6}|(?:[A-Z0-9]{4}-){5}[A-Z0-9]{4})\b",
        Judge::Argument,
    ),
    named(
        "key-on-a-command-line",
        "key that a tool takes on its command line",
        &["wandb login", "vault operator unseal", "vault unseal", "unseal key", "rclone obscure", "hf auth login", "huggingface-cli login"],
        r"(?:\bwandb login\s+(?:--\S+\s+)*|\bvault (?:operator )?unseal\s+|(?i:\bunseal key)[ \w]{0,8}?:?\s+|\brclone obscure\s+(?:gives\s+)?|\b(?:hf auth|huggingface-cli) login\s[ -~]*?)([!#-&(-~]{8,})",
    ),
];
