use super::{Sample, hex, mixed, sample};

pub(super) fn samples() -> Vec<Sample> {
    let url = |rule, scheme: &str| {
        sample(
            rule,
            format!("{scheme}://app:{}@db.corp.net/x", mixed(12)),
            format!("{scheme}://app:${{PASSWORD}}@db.corp.net/x"),
        )
    };
    let encode = |text: &str| base64::Engine::encode(&base64::engine::general_purpose::STANDARD, text);
    vec![
        sample(
            "session-cookie",
            format!("Set-Cookie: sid={}; Path=/", mixed(40)),
            "Set-Cookie: theme=dark-with-a-very-long-name-of-it; Path=/",
        ),
        url("postgres-url-password", "postgresql+asyncpg"),
        url("mysql-url-password", "mysql"),
        url("mongodb-url-password", "mongodb+srv"),
        url("redis-url-password", "rediss"),
        url("amqp-url-password", "amqps"),
        url("mssql-url-password", "mssql+pyodbc"),
        url("ftp-url-password", "ftp"),
        url("http-url-password", "https"),
        url("service-url-password", "clickhouse"),
        url("url-password", "trino"),
        sample(
            "url-token",
            format!("https://{}@git.corp.net/x.git", mixed(40)),
            format!("https://{}@o12.ingest.sentry.io/7", hex(32)),
        ),
        sample(
            "jdbc-oracle-password",
            format!("jdbc:oracle:thin:app/{}@//db:1521/X", mixed(10)),
            "jdbc:oracle:thin:@//db:1521/X",
        ),
        sample(
            "query-key",
            format!("https://api.corp.net/v1?api_key={}", mixed(32)),
            "https://api.corp.net/v1?api_key=<key>",
        ),
        sample("pgpass-password", format!("db.corp.net:5432:x:app:{}", mixed(12)), "db.corp.net:5432 is the primary"),
        sample(
            "option-password",
            format!("mosquitto_pub -h mq -u app -P {} -t a", mixed(12)),
            "mosquitto_pub -h mq -u app -P $MQ_PASSWORD -t a",
        ),
        sample("piped-password", format!("echo '{}' | sudo -S reboot", mixed(12)), "echo $PW | sudo -S reboot"),
        sample(
            "default-account-password",
            format!("admin/{} opens the router", mixed(12)),
            "admin/settings.tsx holds the page",
        ),
        sample(
            "query-password",
            format!("jdbc:postgresql://db/x?user=app&password={}&ssl=true", mixed(12)),
            "jdbc:postgresql://db/x?user=app&password=${PASSWORD}&ssl=true",
        ),
        sample(
            "connection-string-password",
            format!("Server=db;Database=x;User Id=sa;Password={};", mixed(12)),
            "Server=db;Database=x;User Id=sa;Password=<password>;",
        ),
        sample("bearer-token", format!("Authorization: Bearer {}", mixed(40)), "Authorization: Bearer ${TOKEN}"),
        sample(
            "basic-auth",
            format!("Authorization: Basic {}", encode(&format!("app:{}", mixed(12)))),
            format!("basic authentication, as in Basic {}", encode("user:password")),
        ),
        sample("header-api-key", format!("-H 'X-Api-Key: {}'", mixed(32)), "-H 'X-Api-Key: $KEY'"),
        sample(
            "curl-user-password",
            format!("curl -sS -u deploy:{} https://ci.corp.net", mixed(12)),
            "curl -sS -u deploy:$PASSWORD https://ci.corp.net",
        ),
        sample(
            "netrc-password",
            format!("machine git.corp.net\n  login me\n  password {}", mixed(12)),
            "machine git.corp.net\n  login me\n  password <password>",
        ),
        sample("command-password", format!("sshpass -p '{}' ssh me@host", mixed(12)), "sshpass -p $PW ssh me@host"),
        sample("bearer-token", format!("bearer {}", hex(40)), "Bearer tokens expire after fifteen minutes"),
    ]
}
