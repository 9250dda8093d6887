use super::{Sample, base64, digits, hex, lower, masked, mixed, pick, sample, upper};

pub(super) fn samples() -> Vec<Sample> {
    let prefixed = |rule, prefix: &str, body: String| {
        let near = format!("{prefix}{}", masked(body.len()));
        sample(rule, format!("({prefix}{body})"), near)
    };
    let base58 = |count| pick("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", count);
    let base32 = |count| pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", count);
    vec![
        prefixed("prefixed-token", "apify_api_", mixed(36)),
        prefixed("prefixed-token-short", "tk_", mixed(40)),
        sample("token-that-says-so", format!("kiln_live_{}", mixed(32)), "kiln_live_migration_of_the_orders_table"),
        sample("laravel-key", format!("APP_KEY=base64:{}=", base64(43)), "APP_KEY=base64:<key>"),
        sample("octopus-key", format!("API-{}", upper(26)), "API-REFERENCE"),
        sample("harness-token", format!("pat.{}.{}.{}", mixed(22), hex(24), mixed(20)), "pat.the.dog"),
        sample("maxmind-key", format!("{}_{}_mmk", mixed(6), mixed(29)), "the_mmk"),
        sample("clickhouse-cloud-secret", format!("4b1d{}", mixed(38)), "commit 4b1d9fceb02d0ae"),
        sample("modal-token", format!("as-{}", mixed(22)), "as-is"),
        sample("gitlab-session", format!("_gitlab_session={}", hex(32)), "_gitlab_session is a cookie"),
        sample("swarm-join-token", format!("SWMTKN-1-{}-{}", lower(50), lower(25)), "SWMTKN-1-<hash>-<secret>"),
        sample("k3s-join-token", format!("K10{}::server:{}", hex(64), hex(32)), "K10 is a mountain"),
        sample(
            "kubeadm-join-token",
            format!("kubeadm join 10.0.0.4:6443 --token {}.{}", lower(6), lower(16)),
            "kubeadm join 10.0.0.4:6443 --token $TOKEN",
        ),
        sample(
            "nostr-key",
            format!("nsec1{}", pick("023456789acdefghjklmnpqrstuvwxyz", 58)),
            format!("npub1{}", pick("023456789acdefghjklmnpqrstuvwxyz", 58)),
        ),
        sample("wallet-extended-key", format!("xprv{}", base58(107)), format!("xpub{}", base58(107))),
        sample("wallet-import-key", format!("wallet 5{}", base58(50)), "wallet 5 is the old one"),
        sample(
            "wallet-key-before-its-name",
            format!("0x{} is the private key of the deployer", hex(64)),
            format!("0x{} is the transaction", hex(64)),
        ),
        sample(
            "otpauth-secret",
            format!("otpauth://totp/Kiln?secret={}&digits=6", base32(32)),
            "otpauth://totp/Kiln?secret=<seed>",
        ),
        sample("one-time-seed", format!("TOTP secret: {}", base32(32)), "TOTP secret: ask MARA"),
        sample(
            "recovery-codes",
            format!("recovery codes: {}-{}, {}-{}", hex(5), hex(4), digits(4), hex(5)),
            "recovery codes are printed and in the safe",
        ),
        sample(
            "private-key-minisign",
            format!("minisign encrypted secret key\nRW{}", base64(100)),
            "minisign secret key is offline",
        ),
    ]
}
