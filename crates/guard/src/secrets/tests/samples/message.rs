use super::{Sample, digits, hex, masked, mixed, pick, sample, upper, uuid};

pub(super) fn samples() -> Vec<Sample> {
    let slack = |rule, prefix: &str| {
        sample(rule, format!("{prefix}{}-{}-{}", digits(12), digits(12), mixed(24)), format!("{prefix}{}", masked(40)))
    };
    vec![
        slack("slack-bot-token", "xoxb-"),
        slack("slack-user-token", "xoxp-"),
        sample("slack-app-token", format!("xapp-1-A{}-{}-{}", upper(10), digits(12), hex(64)), "xapp-1-A…"),
        sample("slack-config-token", format!("xoxe.xoxp-1-{}", mixed(120)), "xoxe.xoxp-1-…"),
        slack("slack-legacy-token", "xoxa-"),
        sample("slack-session-token", format!("xoxc-{}-{}", digits(12), hex(64)), format!("xoxc-{}", masked(60))),
        sample(
            "slack-webhook",
            format!("https://hooks.slack.com/services/T{}/B{}/{}", upper(9), upper(9), mixed(24)),
            "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        ),
        sample(
            "discord-bot-token",
            format!("discord token: M{}.{}.{}", mixed(23), mixed(6), mixed(38)),
            format!("discord: {}.rs.md", mixed(20)),
        ),
        sample(
            "discord-webhook",
            format!("https://discord.com/api/webhooks/{}/{}", digits(18), mixed(68)),
            "https://discord.com/api/webhooks/<id>/<token>",
        ),
        sample("telegram-bot-token", format!("bot {}:AA{}", digits(10), mixed(33)), "12:AA:34:BB mac address"),
        sample(
            "teams-webhook",
            format!(
                "https://x.webhook.office.com/webhookb2/{}@{}/IncomingWebhook/{}/{}",
                uuid(),
                uuid(),
                hex(32),
                uuid()
            ),
            "https://x.webhook.office.com/webhookb2/<id>",
        ),
        sample(
            "feishu-webhook",
            format!("https://open.feishu.cn/open-apis/bot/v2/hook/{}", uuid()),
            "https://open.feishu.cn/open-apis/bot/v2/hook/<id>",
        ),
        sample(
            "dingtalk-webhook",
            format!("https://oapi.dingtalk.com/robot/send?access_token={}", hex(64)),
            "https://oapi.dingtalk.com/robot/send?access_token=${TOKEN}",
        ),
        sample(
            "wecom-webhook",
            format!("https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={}", uuid()),
            "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=KEY",
        ),
        sample("wechat-app-secret", format!("AppSecret：{}", hex(32)), "AppSecret：在公众平台重置"),
        sample("twilio-key", format!("SK{}", hex(32)), format!("SK{}", masked(32))),
        sample("twilio-auth-token", format!("TWILIO_AUTH_TOKEN={}", hex(32)), format!("twilio sid AC{}", hex(32))),
        sample("sendgrid-key", format!("SG.{}.{}", mixed(22), mixed(43)), format!("SG.{}.{}", masked(22), masked(43))),
        sample("mailgun-key", format!("key-{}", hex(32)), format!("key-{}", masked(32))),
        sample(
            "mailgun-key-new",
            format!("MAILGUN_API_KEY={}-{}-{}", hex(32), hex(8), hex(8)),
            "MAILGUN_API_KEY=<key>",
        ),
        sample("mailchimp-key", format!("{}-us12", hex(32)), "cluster-us1 in region us-east"),
        sample("postmark-token", format!("POSTMARK_SERVER_TOKEN={}", uuid()), format!("postmark message {}", uuid())),
        sample("brevo-key", format!("xkeysib-{}-{}", hex(64), mixed(16)), "xkeysib-…"),
        sample("resend-key", format!("re_{}_{}", mixed(8), mixed(24)), "re_export_all_symbols_of_the_module"),
        sample(
            "mailjet-secret",
            format!("MJ_APIKEY_SECRET={}", pick("0123456789abcdef", 32)),
            "MJ_APIKEY_SECRET=$SECRET",
        ),
        sample("vonage-secret", format!("vonage secret: {}", mixed(16)), "vonage secret: kept-in-the-vault"),
        sample("messagebird-key", format!("MESSAGEBIRD_KEY={}", mixed(25)), "MESSAGEBIRD_KEY=test"),
        sample("intercom-token", format!("INTERCOM_TOKEN={}", mixed(60)), "INTERCOM_TOKEN=<your-token>"),
        sample("zendesk-token", format!("zendesk api token: {}", mixed(40)), "zendesk api token: ask support"),
    ]
}
