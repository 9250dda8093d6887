//! What memories are made of: none of it is a secret. And secrets as people drop them into prose.

use super::{names, scan};

#[test]
fn ordinary_memory_text_passes() {
    let texts = [
        "Fixed in 9fceb02d0ae598e95dc970b74767f19372d61af8, reverted by commit token parser change 3f2a1b9.",
        "Trace 4bf92f3577b34da6a3ce929d0e0e4736 and request 123e4567-e89b-12d3-a456-426614174000.",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 is the empty file.",
        "The word aGVsbG8gd29ybGQ= decodes to hello world.",
        "Versions: v1.24.3-rc.1+build.5114f85, node 20.11.1, rustc 1.95.0 (abcdef123 2026-01-02).",
        "Board: https://grafana.internal/d/api-latency?orgId=1&from=now-6h&to=now",
        "See https://www.figma.com/file/AbCdEf123456GhIjKl7890/Design and https://notion.so/Roadmap-1f2e3d4c5b6a79880011223344556677",
        "The token is rotated every 30 days; tokens live in 1Password vault 'Release2026'.",
        "password policy: min 12 characters, argon2id, rotation after 90 days",
        "Password: see 1Password item demo-eu. Secret: kv/payments/prod-db-v2. Token: ask @sec-oncall.",
        "API key: stored in AWS Secrets Manager under prod/payments/api-key-v3",
        "class passwordResetTokenService2 { validatePasswordResetToken(token: string): boolean }",
        "const token = await generateToken(user.id); let password = hashPassword(input);",
        "password: String, token: Option<SecretString>, secret_key: Vec<u8>",
        "password = os.environ[\"DB_PASSWORD\"]; api_key = process.env.API_KEY2; token = settings.github_token",
        "DB_PASSWORD: ${{ secrets.DB_PASSWORD }} and API_KEY=$(op read op://Indie/api/key1)",
        "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/payments/db-AbCdE1",
        "secretName: payments-db-credentials-v2, secretKeyRef: postgres-password, tokenSecretRef: ci-token-2",
        "max_tokens: 4096, token bucket: 20k, tokenizer: bert-base-uncased, tokens=128000",
        "The access token is a JWT (ES256, 5 minutes), the refresh token is opaque and lives 30 days.",
        "password is sha256-hashed, then base64; the key is derived with PBKDF2-HMAC-SHA512",
        "postgres://localhost:5432/app, postgres://app@db.internal/app, redis://cache:6379/0",
        "Local only: postgres://postgres:postgres@localhost:5432/app_test, amqp://guest:guest@rabbit:5672/",
        "http://localhost:3000,alice@corp.example answers",
        "Basic authentication is off; Bearer tokens only. Basic usage: run it.",
        "AKIAIOSFODNN7EXAMPLE is the key of the AWS manual.",
        "Keys look like sk-ant-api03-..., ghp_..., glpat-<20 characters>, xoxb-…",
        "primary key: 1234567890123456789, cache key: user:42:profile:v3, idempotency key: order-2026-04-10-0001",
        "public key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@host",
        concat!("The header is -----BEGIN RSA ", "PRIVATE KEY-----, so grep for it."),
        concat!("After -----BEGIN RSA ", "PRIVATE KEY----- comes the internationalizationframework of keys."),
        "token: ed25519.Ed25519PrivateKey, api key: x25519_generate_private_key, secret: standard_b64encode",
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----",
        "八月有人把 S3 密钥提交到公开仓库，之后全部改用 24 小时临时令牌",
        "密码策略:至少 12 位,每 90 天更换;账号在密码管理器。密钥放 SSM 参数 /lumio/{env}/",
        "登录密码用 bcrypt 存,令牌有效期 30 天,密钥轮换找 @sec-oncall",
        "按 token 包月计费,套餐:100 万 / 1000 万 token。口令是每季度更换",
        "task-us1-2 runs in us-east-1; pat the dog; pk_users_email_idx; re_export; sk_BUFF; fc-list; hf_hub_download",
        "Use `npm_config_registry`, `cio_worker_threads`, `dapi_server`, `rnd_generator_state_for_the_simulation`.",
        "cursor eyJpZCI6NDJ9 means id 42",
        "order token 8842-1123, ticket ORD-519, PR #20411, invoice 2026-000123",
        "basic YWJjZGVmZ2g= is not a login",
    ];
    let wrong: Vec<String> = texts
        .iter()
        .flat_map(|text| {
            scan(text).into_iter().map(move |f| format!("{}: {:?} in {text}", f.rule, &text[f.start..f.end]))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn secrets_in_prose_are_found() {
    let body = "q4W7zP2mX9rT3lKbQ4w7Zp2Mx9Rt3LkBq4W7";
    let texts = [
        (format!("Use ghp_{body} for staging."), "github-token"),
        (format!("use this:`ghp_{body}`,thanks"), "github-token"),
        (format!("令牌ghp_{body}请勿外传"), "github-token"),
        (format!("GH_TOKEN=ghp_{body}"), "github-token"),
        (
            format!("aws key: AKIA{} / fAkEs{}", "FAKEFAKEFAKE0000", "EcReTfAkEsEcReTfAkEsEcReTfAkEsEcReT"),
            "aws-secret-key-pair",
        ),
        (format!("postgres://reporter:{}@db7.internal:5432/sales", "hunter2-fake-pw"), "postgres-url-password"),
        (format!("sk-ant-api03-{}-FAKEAA", "FAKE".repeat(10)), "anthropic-key"),
        (format!("-----BEGIN {}-----\n{}", "OPENSSH PRIVATE KEY", "FAKE".repeat(8)), "private-key-openssh"),
        (
            format!("key = \"-----BEGIN {}-----\\n\" +\n  \"{}\\n\"", "PRIVATE KEY", "FAKE".repeat(8)),
            "private-key-pkcs8",
        ),
        (format!("xoxb-000000000000-{} , use it", "FAKE".repeat(6)), "slack-bot-token"),
        (format!("the admin password is {} so", "Summer2026!"), "generic-password"),
        (format!("Password: {}", "tr0ub4dor&3"), "generic-password"),
        ("password = \"hunter2\"".to_owned(), "generic-password"),
        ("{\"user\":\"x\",\"password\":\"pa,ss;w0rd\"}".to_owned(), "generic-password"),
        ("{\\\"password\\\": \\\"zebra-42-tr33ts\\\"}".to_owned(), "generic-password"),
        ("| password | Kx9#mP2vQ |".to_owned(), "generic-password"),
        ("测试库密码：Abc12345".to_owned(), "generic-password-zh"),
        ("密码是「Kx9mP2vQ」".to_owned(), "generic-password-zh"),
        (format!("https://deploy:{}@git.corp.net/x.git", "s3cr3tpw"), "http-url-password"),
        (format!("mongodb://u:{}@host.corp.net/x", "p@ss"), "mongodb-url-password"),
    ];
    for (text, rule) in texts {
        assert!(names(&scan(&text)).contains(&rule), "{rule} not in {:?} for {text}", scan(&text));
    }
}
