use super::{Sample, hex, mixed, sample};

pub(super) fn samples() -> Vec<Sample> {
    vec![
        sample(
            "generic-password",
            format!("The password for the staging database is {}", mixed(14)),
            "The password for the staging database is in 1Password",
        ),
        sample("generic-password", format!("**DB password:** `{}`", mixed(10)), "password policy: min 12 characters"),
        sample("generic-password", format!("KILN_PASSWORD={} psql", mixed(12)), "PGPASSWORD=$(pass show db) psql"),
        sample(
            "generic-passphrase",
            format!("my ssh passphrase is '{} banana 77'", mixed(6)),
            "the password is 'required', \"too short\" or `not the same as before`",
        ),
        sample("generic-password-zh", format!("数据库密码是 {},别外传", mixed(12)), "密码至少 12 位,每 90 天更换"),
        sample("generic-password-zh", format!("口令：{}", mixed(9)), "口令：见密码管理器"),
        sample("generic-api-key", format!("\"apiKey\": \"{}\"", mixed(32)), "\"apiKey\": \"<your-token>\""),
        sample("generic-api-key", format!("密钥：{}", mixed(32)), "密钥：放在 SSM 参数里"),
        sample("generic-token", format!("deploy_token: {}", mixed(24)), "the token is rotated every 30 days"),
        sample("generic-token", format!("访问令牌是 {}", hex(40)), "访问令牌是 24 小时临时的"),
        sample(
            "generic-secret",
            format!("client_secret = '{}'", mixed(28)),
            "client_secret = process.env.CLIENT_SECRET",
        ),
    ]
}
