use super::{Sample, base64, hex, lower, masked, mixed, sample, upper, uuid};

pub(super) fn samples() -> Vec<Sample> {
    let prefixed = |rule, prefix: &str, body: String| {
        let near = format!("{prefix}{}", masked(body.len()));
        sample(rule, format!("`{prefix}{body}`"), near)
    };
    vec![
        sample("terraform-token", format!("{}.atlasv1.{}", mixed(14), mixed(67)), "x.atlasv1.y"),
        prefixed("vault-token", "hvs.", mixed(90)),
        prefixed("vault-batch-token", "hvb.", mixed(138)),
        sample("vault-token-old", format!("VAULT_TOKEN=s.{}", mixed(24)), "VAULT_TOKEN=$(vault login)"),
        prefixed("pulumi-token", "pul-", hex(40)),
        prefixed("doppler-token", "dp.st.prd.", mixed(40)),
        prefixed("onepassword-token", "ops_eyJ", base64(250)),
        sample(
            "onepassword-secret-key",
            format!("A3-{}-{}-{}-{}-{}", upper(6), upper(11), upper(5), upper(5), upper(5)),
            "A3-LANDSCAPE-POSTER",
        ),
        sample("infisical-token", format!("st.{}.{}.{}", hex(24), hex(32), hex(32)), "st.abc.def"),
        prefixed("tailscale-key", "tskey-auth-", format!("{}-{}", mixed(12), mixed(32))),
        prefixed("netbird-token", "nbp_", mixed(36)),
        sample("ngrok-token", format!("ngrok authtoken: {}_{}", mixed(27), mixed(21)), "ngrok authtoken: <token>"),
        prefixed("openshift-token", "sha256~", mixed(43)),
        prefixed("databricks-token", "dapi", hex(32)),
        sample(
            "snowflake-password",
            format!("SNOWFLAKE_PASSWORD={}!{}", mixed(8), mixed(6)),
            "SNOWFLAKE_PASSWORD=${SNOWFLAKE_PASSWORD}",
        ),
        prefixed("planetscale-token", "pscale_tkn_", mixed(43)),
        prefixed("planetscale-password", "pscale_pw_", mixed(43)),
        prefixed("supabase-token", "sbp_", hex(40)),
        prefixed("supabase-secret-key", "sb_secret_", mixed(31)),
        prefixed("neon-key", "napi_", lower(64)),
        sample("upstash-token", format!("UPSTASH_REDIS_REST_TOKEN=\"{}\"", mixed(56)), "UPSTASH_REDIS_REST_TOKEN=…"),
        sample("confluent-secret", format!("CONFLUENT_API_SECRET={}", base64(64)), "sasl password: see the vault"),
        sample("elastic-key", format!("elastic api key: {}==", mixed(58)), "elastic api key: rotated monthly"),
        prefixed("newrelic-key", "NRAK-", upper(27)),
        sample("newrelic-license-key", format!("{}NRAL", hex(36)), "GENERAL and MINERAL"),
        sample("datadog-key", format!("DD_API_KEY={}", hex(32)), format!("dd trace id {}", hex(32))),
        sample("grafana-token", format!("glsa_{}_{}", mixed(32), hex(8)), format!("glsa_{}", masked(41))),
        prefixed("grafana-cloud-token", "glc_", base64(120)),
        prefixed("grafana-key-old", "eyJrIjoi", base64(80)),
        prefixed("sentry-token", "sntryu_", hex(64)),
        sample(
            "sentry-dsn-secret",
            format!("https://{}:{}@sentry.io/42", hex(32), hex(32)),
            format!("https://{}@o1.ingest.sentry.io/42", hex(32)),
        ),
        sample("sentry-token-old", format!("SENTRY_AUTH_TOKEN={}", hex(64)), format!("sentry event {}", hex(32))),
        prefixed("honeycomb-key", "hcaik_", lower(58)),
        sample("dynatrace-token", format!("dt0c01.{}.{}", upper(24), upper(64)), "dt0c01.<id>.<secret>"),
        sample("pagerduty-key", format!("PAGERDUTY_TOKEN={}", mixed(20)), "pagerduty key: see-the-oncall-vault"),
        sample("opsgenie-key", format!("opsgenie api key {}", uuid()), format!("opsgenie alert {}", uuid())),
        prefixed("prefect-key", "pnu_", mixed(36)),
        prefixed("mongodb-atlas-secret", "mdb_sa_sk_", mixed(40)),
        sample("okta-token", format!("OKTA_API_TOKEN=00{}", mixed(40)), "OKTA_API_TOKEN=00…"),
        sample("auth0-secret", format!("AUTH0_CLIENT_SECRET={}", mixed(64)), "AUTH0_CLIENT_SECRET=<secret>"),
        sample("splunk-collector-token", format!("Authorization: Splunk {}", uuid()), "Authorization: Splunk <token>"),
    ]
}
