//! Payments and shops.

use super::super::rule::{SecretRule, assigned, named, shape, uuid};

pub(super) const RULES: &[SecretRule] = &[
    shape("stripe-secret-key", "Stripe secret key, live", &["sk_live_"], r"sk_live_[A-Za-z0-9]{16,}"),
    shape("stripe-test-key", "Stripe secret key, test mode", &["sk_test_"], r"sk_test_[A-Za-z0-9]{16,}"),
    shape(
        "stripe-restricted-key",
        "Stripe restricted key",
        &["rk_live_", "rk_test_"],
        r"rk_(?:live|test)_[A-Za-z0-9]{16,}",
    ),
    shape("stripe-webhook-secret", "Stripe webhook signing secret", &["whsec_"], r"whsec_[A-Za-z0-9+/=]{24,}"),
    shape(
        "square-token",
        "Square access token",
        &["eaaa", "sq0atp-"],
        r"(?:^|[^\w+/])(EAAA[\w-]{60}|sq0atp-[\w-]{22,})(?:[^\w+/=-]|$)",
    ),
    shape("square-secret", "Square OAuth secret", &["sq0csp-"], r"sq0csp-[\w-]{40,}"),
    shape(
        "braintree-token",
        "PayPal Braintree access token",
        &["access_token$"],
        r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}",
    ),
    named("paypal-secret", "PayPal client secret", &["paypal"], assigned!("paypal", r"E[\w-]{79}")),
    shape("shopify-token", "Shopify access token", &["shpat_"], r"shpat_[A-Za-z0-9]{32}"),
    shape("shopify-custom-token", "Shopify custom app token", &["shpca_"], r"shpca_[A-Za-z0-9]{32}"),
    shape("shopify-private-token", "Shopify private app password", &["shppa_"], r"shppa_[A-Za-z0-9]{32}"),
    shape("shopify-shared-secret", "Shopify shared secret", &["shpss_"], r"shpss_[A-Za-z0-9]{32}"),
    shape("shopify-partner-token", "Shopify partner token", &["prtapi_"], r"prtapi_[A-Za-z0-9]{32}"),
    shape("adyen-key", "Adyen API key", &["aqe"], r"\b(AQE[a-z][A-Za-z0-9+/=]{60,}-[A-Za-z0-9+/=]{20,}-[!-~]{8,})"),
    named("razorpay-secret", "Razorpay secret", &["razorpay"], assigned!("razorpay", "[A-Za-z0-9]{24}")),
    shape("flutterwave-key", "Flutterwave secret key", &["flwseck"], r"FLWSECK(?:_TEST)?-[a-f0-9]{32}-X"),
    shape(
        "paddle-key",
        "Paddle API key",
        &["pdl_live_", "pdl_sdbx_"],
        r"pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}",
    ),
    shape(
        "plaid-access-token",
        "Plaid access token",
        &["access-"],
        concat!(r"\b(access-(?:sandbox|development|production)-", uuid!(), ")"),
    ),
    shape(
        "stripe-client-secret",
        "client secret of a Stripe payment",
        &["_secret_"],
        r"\b((?:pi|seti|cs|src|si)_[A-Za-z0-9]{14,}_secret_[A-Za-z0-9]{14,})",
    ),
    named("plaid-secret", "Plaid secret", &["plaid"], assigned!("plaid", "[a-f0-9]{30}")),
    named(
        "gocardless-token",
        "GoCardless token",
        &["gocardless"],
        assigned!("gocardless", r"(?:live|sandbox)_[\w-]{40}"),
    ),
    shape("easypost-key", "EasyPost key", &["ezak", "eztk"], r"\b(EZ[AT]K[A-Za-z0-9]{54})\b"),
    shape("shippo-token", "Shippo token", &["shippo_live_", "shippo_test_"], r"shippo_(?:live|test)_[a-f0-9]{40}"),
    named(
        "wechat-pay-key",
        "WeChat Pay merchant key",
        &["apiv3", "api_v3", "mch", "商户"],
        r#"(?:(?i:api_?v3_?key|mch\w{0,8}?_?key)|(?u:商户(?:平台)?(?:API)?密钥))(?:[\s"'`*|\]:=>(,]|(?u:：|＝|是|为)|\bis\b)+([A-Za-z0-9]{32})(?:\W|$)"#,
    ),
];
