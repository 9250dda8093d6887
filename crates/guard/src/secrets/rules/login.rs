//! Names and passwords where programs take them: URLs, connection strings, headers, commands.

use super::super::judge::Judge;
use super::super::rule::{SecretRule, judged, named};

/// `scheme://user:password@host`; the password is the secret.
macro_rules! in_url {
    ($schemes:literal) => {
        concat!(r"\b(?i:", $schemes, r")://[\w.~%+-]{0,80}:([!#-&(-.0-;=@A-Z^_a-~]{3,256})@[\w.\[-]")
    };
}

const fn argument(
    name: &'static str,
    about: &'static str,
    keywords: &'static [&'static str],
    pattern: &'static str,
) -> SecretRule {
    judged(name, about, keywords, pattern, Judge::Argument)
}

const fn url(
    name: &'static str,
    about: &'static str,
    keywords: &'static [&'static str],
    pattern: &'static str,
) -> SecretRule {
    judged(name, about, keywords, pattern, Judge::Url)
}

pub(super) const RULES: &[SecretRule] = &[
    url(
        "postgres-url-password",
        "password in a PostgreSQL URL",
        &["postgres://", "postgresql://", "postgresql+", "postgres+"],
        in_url!(r"postgres(?:ql)?(?:\+\w+)?"),
    ),
    url(
        "mysql-url-password",
        "password in a MySQL or MariaDB URL",
        &["mysql://", "mysqlx://", "mysql+", "mariadb://", "mariadb+"],
        in_url!(r"(?:mysqlx?|mariadb)(?:\+\w+)?"),
    ),
    url(
        "mongodb-url-password",
        "password in a MongoDB URL",
        &["mongodb://", "mongodb+srv://"],
        in_url!(r"mongodb(?:\+srv)?"),
    ),
    url(
        "redis-url-password",
        "password in a Redis URL",
        &["redis://", "rediss://", "valkey://", "valkeys://"],
        in_url!(r"rediss?|valkeys?"),
    ),
    url(
        "amqp-url-password",
        "password in an AMQP URL",
        &["amqp://", "amqps://"],
        in_url!(r"amqps?"),
    ),
    url(
        "mssql-url-password",
        "password in an SQL Server URL",
        &["mssql://", "mssql+", "sqlserver://"],
        in_url!(r"(?:mssql|sqlserver)(?:\+\w+)?"),
    ),
    url(
        "ftp-url-password",
        "password in an FTP or SSH URL",
        &["ftp://", "ftps://", "ssh://"],
        in_url!(r"s?ftps?|ssh"),
    ),
    url(
        "http-url-password",
        "password or token in an HTTP URL",
        &["http://", "https://", "ws://", "wss://"],
        in_url!(r"https?|wss?"),
    ),
    url(
        "service-url-password",
        "password in the URL of another service",
        &[
            "clickhouse://",
            "cockroachdb://",
            "kafka://",
            "ldap://",
            "ldaps://",
            "mqtt://",
            "mqtts://",
            "nats://",
            "smtp://",
            "smtps://",
            "imap://",
            "imaps://",
            "socks5://",
            "socks5h://",
            "couchdb://",
            "couchdbs://",
            "neo4j://",
            "neo4j+s://",
            "bolt://",
            "elasticsearch://",
            "db2://",
            "oracle://",
        ],
        in_url!(r"clickhouse|cockroachdb|kafka|ldaps?|mqtts?|nats|smtps?|imaps?|socks5h?|couchdbs?|neo4j(?:\+s)?|bolt|elasticsearch|db2|oracle"),
    ),
    url(
        "url-password",
        "password in a URL of any other kind",
        &["://"],
        r"\b[A-Za-z][A-Za-z0-9+.-]*://[\w.~%+=,;@-]*:([!#-&(-.0-;=?@A-Z^_a-~]{3,})@[\w.\[-]",
    )
    .broad(),
    judged(
        "url-token",
        "token in place of the user in a URL",
        &["://"],
        r"\b[A-Za-z][A-Za-z0-9+.-]*://([\w.~-]{20,})@[\w.\[-]",
        Judge::UrlToken,
    )
    .broad(),
    argument(
        "jdbc-oracle-password",
        "password in an Oracle connection",
        &["jdbc:oracle", "sqlplus", "oracle:"],
        r#"(?:jdbc:oracle:(?:thin|oci):|\bsqlplus\s+(?:-\w+\s+)?)[\w.-]{1,40}/["']?([!#-&(-.0-?A-_a-~]{3,64})["']?@"#,
    ),
    argument(
        "query-key",
        "key or token in the query of a URL",
        &["key=", "token=", "secret=", "sig="],
        r"[?&](?i:api_?key|apikey|access_?token|auth_?token|token|secret|client_secret|key)=([A-Za-z0-9_.~%+/-]{16,})",
    ),
    argument(
        "pgpass-password",
        "password in a .pgpass file",
        &[":*:", ":543", ":5432:", ":6432:"],
        r"(?:^|\s)(?:[\w.-]+|\*):(?:[0-9]{2,5}|\*):(?:[\w.-]+|\*):(?:[\w.@-]+|\*):([!-~]{4,128})(?:\s|$)",
    ),
    judged(
        "query-password",
        "password in the query of a URL",
        &["password=", "passwd=", "pwd="],
        r"[?&](?i:password|passwd|pwd)=([!#-%'-;=?-_a-~]{6,128})",
        Judge::Password,
    ),
    argument(
        "option-password",
        "password on the command line of a tool that takes it there",
        &["openssl ", "ssh-keygen", "mosquitto_", "kinit ", "smbclient ", "ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami", "net use", "--auth", "wget ", "pgpassword", "mysql_pwd", "rediscli_auth", "restic_password", "borg_passphrase", "sshpass=", "ansible_", "lftp ", "xfreerdp", "ipmitool", "--passphrase", "7z ", "zip -", "keytool", "sqlcmd", "bcp ", "psexec", "twine ", "helm ", "kubectl ", "vault login", "cifs", "az login", "rclone ", "cmdkey", "runas ", "mongodump", "mongorestore", "influx ", "clickhouse-client", "swaks", "htpasswd", "redis-cli"],
        concat!(
            r"\b(?:",
            r"openssl\s[ -~]*?(?:-k\s|-K\s|-pass(?:in|out)?\s(?:pass:)?)|",
            r#"ssh-keygen\s[ -~]*?-[NP]\s?|"#,
            r"mosquitto_\w+\s[ -~]*?-P\s|",
            r"(?:ipmitool|sqlcmd|bcp|zip|unzip)\s[ -~]*?-P\s?|",
            r"7z\s[ -~]*?-p|",
            r"kinit\s[ -~]*?<<<\s?|",
            r"smbclient\s[ -~]*?-U\s?[\w.\\-]+%|",
            r"ldap\w+\s[ -~]*?-w\s|",
            r"net use\s[ -~]*?/user:\S+\s|cmdkey\s[ -~]*?/pass:|xfreerdp\s[ -~]*?/p:|",
            r"https?\s[ -~]*?(?:--auth|-a)[ =][\w.@-]+:|",
            r"(?:PGPASSWORD|MYSQL_PWD|REDISCLI_AUTH|RESTIC_PASSWORD|BORG_PASSPHRASE|SSHPASS|ANSIBLE_VAULT_PASSWORD)=|",
            r"lftp\s[ -~]*?-u\s?[\w.@-]+,|",
            r"gpg\s[ -~]*?--passphrase[ =]|keytool\s[ -~]*?-(?:store|key)pass\s|",
            r"(?:twine|psexec|az login|mongodump|mongorestore|runas)\s[ -~]*?-p\s|",
            r"(?:wget|helm|mongodump|mongorestore|influx|clickhouse-client|rclone|redis-cli)\s[ -~]*?--?pass(?:word)?[ =]|",
            r"kubectl\s[ -~]*?--token[ =]|vault login\s(?:token=)?|",
            r"mount\s[ -~]*?pass(?:word)?=|",
            r"swaks\s[ -~]*?--auth-password[ =]|htpasswd\s+-\w*b\w*\s+\S+\s+\S+\s|",
            r"ansible\S*\s[ -~]*?ansible_(?:ssh_|become_)?pass(?:word)?=",
            r#")["']?([!#-&(-,./-_a-~0-9A-Z][!#-&(-_a-~]{3,})"#
        ),
    ),
    judged(
        "piped-password",
        "password piped into a command",
        &["sudo -s", "chpasswd", "--password-stdin", "--passphrase-fd", "passwd --stdin"],
        r#"\b(?:echo|printf)\s+(?:-\w+\s+)?["']?(?:[\w.-]+:)?([!#-&(-_a-~]{4,}?)["']?\s*\|\s*[ -~]*?(?:sudo -S|chpasswd|--password-stdin|--passphrase-fd|passwd --stdin)"#,
        Judge::Argument,
    ),
    judged(
        "default-account-password",
        "name of an account and its password with a slash between",
        &["admin", "root"],
        r"\b(?i:admin|root|administrator)\s?[/:]\s?([!#-&(-+\--:<-_a-{}~]{8,64})(?:[\s,;)]|$)",
        Judge::Noise,
    )
    .broad(),
    argument(
        "connection-string-password",
        "password in a connection string of key=value pairs",
        &["password=", "password =", "pwd=", "pwd ="],
        r#"(?i:server|data source|host|user id|uid|username|database|initial catalog)\s?=[ -~]{1,200}?;\s?(?i:password|pwd)\s?=\s?["']?([!#-&(-:<-_a-~]{3,128})"#,
    ),
    judged(
        "bearer-token",
        "bearer token in a header",
        &["bearer"],
        r"(?i:\bbearer)[ \t]+([\w.~+/-]{20,}={0,2})",
        Judge::Random,
    )
    .broad(),
    judged(
        "basic-auth",
        "user name and password in a header",
        &["basic "],
        r"(?i:\bbasic) +([A-Za-z0-9+/]{8,}={0,2})",
        Judge::Basic,
    ),
    named(
        "session-cookie",
        "cookie of a session in a header",
        &["cookie:"],
        r"(?i:cookie:)[ -~]*?=([\w.~+/%-]{24,})",
    )
    .broad(),
    named(
        "header-api-key",
        "key in a header of a request",
        &["x-api-key", "x-auth-token", "api-key", "private-token", "x-access-token"],
        r#"(?i:\bx-api-key|\bx-auth-token|\bprivate-token|\bx-access-token|\bapi-key)["']?\s?:\s?["']?([\w.~+/=-]{16,256})"#,
    )
    .broad(),
    argument(
        "curl-user-password",
        "password on a curl command line",
        &["curl"],
        r#"\bcurl\b[ -~]{0,300}?\s(?:-u|--user)[ =]?["']?[\w.@+-]{1,64}:([!#-&(-_a-~]{3,128})"#,
    ),
    argument(
        "netrc-password",
        "password in a .netrc file",
        &["machine"],
        r"\bmachine\s+[\w.-]+\s+login\s+[!-~]+\s+password\s+([!-~]{3,})",
    ),
    argument(
        "command-password",
        "password on the command line of a database or login tool",
        &["sshpass", "mysql", "redis-cli", "docker login", "mongosh"],
        r#"\b(?:sshpass\s+-p\s?|(?:mysql|mysqldump|mysqladmin)\s[ -~]{0,120}?-p|redis-cli\s[ -~]{0,80}?-a\s|docker login\s[ -~]{0,120}?(?:-p\s|--password[ =])|mongosh\s[ -~]{0,120}?-p\s)["']?([!#-&(-,.-_a-~][!#-&(-_a-~]{3,128})"#,
    ),
];
