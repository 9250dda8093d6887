//! Chat, mail and telephony, with the webhooks that post there without a login.

use super::super::rule::{SecretRule, assigned, beside, named, shape, uuid};

pub(super) const RULES: &[SecretRule] = &[
    shape("slack-bot-token", "Slack bot token", &["xoxb-"], r"xoxb-[0-9]{8,14}-[\w-]{18,}"),
    shape("slack-user-token", "Slack user token", &["xoxp-"], r"xoxp-[0-9]{8,14}-[\w-]{18,}"),
    shape("slack-app-token", "Slack app-level token", &["xapp-"], r"xapp-[0-9]-[A-Z0-9]{8,}-[0-9]{8,}-[\w-]{18,}"),
    shape("slack-config-token", "Slack configuration token", &["xoxe"], r"xoxe(?:\.xox[bp])?-[0-9]-[\w-]{32,}"),
    shape(
        "slack-legacy-token",
        "Slack workspace or legacy token",
        &["xoxa-", "xoxr-", "xoxs-", "xoxo-"],
        r"xox[aros]-[\w-]{24,}",
    ),
    shape("slack-session-token", "Slack browser session", &["xoxc-", "xoxd-"], r"xox[cd]-[\w%-]{24,}"),
    shape(
        "slack-webhook",
        "Slack incoming webhook",
        &["hooks.slack.com"],
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/]{30,})",
    ),
    shape(
        "discord-bot-token",
        "Discord bot token",
        &["discord", "bot "],
        concat!(
            r"(?i:discord[ -~\s]{0,80}?|\bbot )\b([MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6}\.[\w-]{27,40})",
            r"|\b([MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6}\.[\w-]{27,40})[^\w-][ -~\s]{0,80}?(?i:discord)"
        ),
    ),
    shape(
        "discord-webhook",
        "Discord webhook",
        &["api/webhooks/"],
        r"discord(?:app)?\.com/api/webhooks/[0-9]{16,20}/([\w-]{50,})",
    ),
    shape(
        "telegram-bot-token",
        "Telegram bot token",
        &[":aa", "telegram"],
        r"(?:\b([0-9]{8,10}:AA[\w-]{33})|(?i:telegram)[ -~\s]{0,60}?\b([0-9]{8,10}:[\w-]{35}))(?:[^\w-]|$)",
    ),
    shape(
        "teams-webhook",
        "Microsoft Teams webhook",
        &["webhook.office.com", "outlook.office.com"],
        concat!(r"office\.com/webhook(?:b2)?/(", uuid!(), "@", uuid!(), "/IncomingWebhook/[a-f0-9]{32}/", uuid!(), ")"),
    ),
    shape(
        "feishu-webhook",
        "Feishu or Lark bot webhook",
        &["open-apis/bot"],
        concat!(r"open-apis/bot/(?:v2/)?hook/(", uuid!(), "|[a-f0-9]{32})"),
    ),
    shape(
        "dingtalk-webhook",
        "DingTalk robot webhook",
        &["oapi.dingtalk.com"],
        r"oapi\.dingtalk\.com/robot/send\?access_token=([a-f0-9]{64})",
    ),
    shape(
        "wecom-webhook",
        "WeCom robot webhook",
        &["qyapi.weixin.qq.com"],
        concat!(r"qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=(", uuid!(), ")"),
    ),
    named(
        "wechat-app-secret",
        "secret of a WeChat app",
        &["appsecret", "app_secret"],
        r#"(?i:app_?secret)(?:[\s"'`*|\]:=>(,]|(?u:：|＝|是|为)|\bis\b)+([a-f0-9]{32})(?:\W|$)"#,
    ),
    shape(
        "twilio-key",
        "Twilio API key",
        &[
            "sk0", "sk1", "sk2", "sk3", "sk4", "sk5", "sk6", "sk7", "sk8", "sk9", "ska", "skb", "skc", "skd", "ske",
            "skf",
        ],
        r"\b(SK[a-f0-9]{32})\b",
    ),
    named("twilio-auth-token", "Twilio auth token", &["twilio"], assigned!("twilio", "[a-f0-9]{32}")),
    shape("sendgrid-key", "SendGrid key", &["sg."], r"\b(SG\.[\w-]{16,32}\.[\w-]{32,64})"),
    shape("mailgun-key", "Mailgun key", &["key-"], r"\b(key-[a-f0-9]{32})\b"),
    named(
        "mailgun-key-new",
        "Mailgun key of the newer kind",
        &["mailgun"],
        beside!("mailgun", "[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}"),
    ),
    shape("mailchimp-key", "Mailchimp key", &["-us"], r"\b([a-f0-9]{32}-us[0-9]{1,2})\b"),
    named("postmark-token", "Postmark server token", &["postmark"], assigned!("postmark", "[0-9a-f]{8}-[0-9a-f-]{27}")),
    shape(
        "brevo-key",
        "Brevo (Sendinblue) key",
        &["xkeysib-", "xsmtpsib-"],
        r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}",
    ),
    shape("resend-key", "Resend key", &["re_"], r"\b(re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24})\b"),
    named("mailjet-secret", "Mailjet secret", &["mailjet", "mj_"], assigned!("mailjet|mj", "[a-f0-9]{32}")),
    named("vonage-secret", "Vonage (Nexmo) secret", &["vonage", "nexmo"], assigned!("vonage|nexmo", "[A-Za-z0-9]{16}")),
    named("messagebird-key", "MessageBird key", &["messagebird"], assigned!("messagebird", "[A-Za-z0-9]{25}")),
    named("intercom-token", "Intercom token", &["intercom"], assigned!("intercom", r"[\w=-]{56,64}")),
    named("zendesk-token", "Zendesk token", &["zendesk"], assigned!("zendesk", "[A-Za-z0-9]{40}")),
];
