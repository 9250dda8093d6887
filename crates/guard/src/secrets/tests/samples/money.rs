use super::{Sample, base64, hex, lower, masked, mixed, sample};

pub(super) fn samples() -> Vec<Sample> {
    let prefixed = |rule, prefix: &str, body: String| {
        let near = format!("{prefix}{}", masked(body.len()));
        sample(rule, format!("key {prefix}{body}"), near)
    };
    vec![
        sample(
            "plaid-access-token",
            format!("access-production-{}-{}-4{}-9{}-{}", hex(8), hex(4), hex(3), hex(3), hex(12)),
            "access-production-database runs at night",
        ),
        sample(
            "stripe-client-secret",
            format!("pi_{}_secret_{}", mixed(24), mixed(25)),
            format!("pi_{} has no secret_key", mixed(24)),
        ),
        prefixed("stripe-secret-key", "sk_live_", mixed(24)),
        prefixed("stripe-test-key", "sk_test_", mixed(24)),
        prefixed("stripe-restricted-key", "rk_live_", mixed(24)),
        prefixed("stripe-webhook-secret", "whsec_", mixed(32)),
        prefixed("square-token", "EAAA", mixed(60)),
        prefixed("square-secret", "sq0csp-", mixed(43)),
        sample(
            "braintree-token",
            format!("access_token$production${}${}", lower(16), hex(32)),
            "access_token$production$<merchant>$<token>",
        ),
        sample("paypal-secret", format!("PAYPAL_CLIENT_SECRET=E{}", mixed(79)), "PAYPAL_CLIENT_SECRET=E…"),
        prefixed("shopify-token", "shpat_", hex(32)),
        prefixed("shopify-custom-token", "shpca_", hex(32)),
        prefixed("shopify-private-token", "shppa_", hex(32)),
        prefixed("shopify-shared-secret", "shpss_", hex(32)),
        prefixed("shopify-partner-token", "prtapi_", hex(32)),
        sample("adyen-key", format!("AQEy{}-{}-{}", base64(80), base64(44), mixed(16)), "AQEy…"),
        sample("razorpay-secret", format!("RAZORPAY_KEY_SECRET={}", mixed(24)), "RAZORPAY_KEY_SECRET=changeme"),
        sample("flutterwave-key", format!("FLWSECK-{}-X", hex(32)), "FLWSECK-<key>-X"),
        sample(
            "paddle-key",
            format!("pdl_live_apikey_{}_{}_{}", lower(26), mixed(22), mixed(3)),
            "pdl_live_apikey_<id>",
        ),
        sample("plaid-secret", format!("PLAID_SECRET={}", hex(30)), format!("plaid item {}", hex(30))),
        sample("gocardless-token", format!("GOCARDLESS_TOKEN=live_{}", mixed(40)), "GOCARDLESS_TOKEN=live_…"),
        prefixed("easypost-key", "EZAK", mixed(54)),
        prefixed("shippo-token", "shippo_live_", hex(40)),
        sample("wechat-pay-key", format!("商户API密钥：{}", mixed(32)), "商户API密钥：每年更换"),
    ]
}
