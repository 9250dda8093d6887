use super::{Sample, digits, hex, lower, masked, mixed, sample, upper, uuid};

pub(super) fn samples() -> Vec<Sample> {
    let prefixed = |rule, prefix: &str, body: String| {
        let near = format!("{prefix}{}", masked(body.len()));
        sample(rule, format!("({prefix}{body})"), near)
    };
    vec![
        sample("salesforce-consumer-key", format!("3MVG9{}", mixed(80)), "3MVG9 begins every consumer key"),
        sample("beamer-token", format!("beamer b_{}", mixed(44)), "beamer b_side of the record"),
        prefixed("linear-key", "lin_api_", mixed(40)),
        prefixed("notion-token", "ntn_", format!("{}{}", digits(11), mixed(35))),
        prefixed("notion-token-old", "secret_", mixed(43)),
        sample("airtable-token", format!("pat{}.{}", mixed(14), hex(64)), "patch.path.pattern"),
        sample("airtable-key", format!("AIRTABLE_API_KEY=key{}", mixed(14)), "AIRTABLE_API_KEY=keyXXXXXXXXXXXXXX"),
        sample(
            "asana-token",
            format!("asana: 1/{}:{}", digits(16), hex(32)),
            "asana: 1/2 of the tasks are done, see 1/1200000000000000",
        ),
        prefixed("atlassian-token", "ATATT3", mixed(186)),
        prefixed("figma-token", "figd_", mixed(40)),
        prefixed("dropbox-token", "sl.", mixed(140)),
        sample("dropbox-secret", format!("dropbox app secret: {}", lower(15)), "dropbox app secret: in the vault"),
        sample(
            "algolia-key",
            format!("ALGOLIA_ADMIN_KEY={}", hex(32)),
            "ALGOLIA_ADMIN_KEY=process.env.ALGOLIA_ADMIN_KEY",
        ),
        sample(
            "mapbox-token",
            format!("sk.eyJ{}.{}", mixed(60), mixed(22)),
            format!("pk.eyJ{}.{}", mixed(60), mixed(22)),
        ),
        prefixed("contentful-token", "CFPAT-", mixed(43)),
        sample("contentful-delivery-token", format!("CONTENTFUL_TOKEN={}", mixed(43)), "CONTENTFUL_TOKEN=<token>"),
        sample(
            "rapidapi-key",
            format!("{}msh{}p1{}jsn{}", hex(10), hex(15), hex(5), hex(12)),
            "a mesh, a msh file and jsn",
        ),
        sample("rapidapi-key-named", format!("X-RapidAPI-Key: {}", mixed(50)), "X-RapidAPI-Key: <your-token>"),
        prefixed("adafruit-key", "aio_", mixed(28)),
        sample("hubspot-token", format!("pat-eu1-{}", uuid()), "pat-eu1-<id>"),
        sample("salesforce-session", format!("00D{}!{}", mixed(15), mixed(90)), format!("00D{} is the org", mixed(15))),
        prefixed("clickup-token", "pk_", format!("{}_{}", digits(8), upper(32))),
        prefixed("typeform-token", "tfp_", mixed(59)),
        prefixed("readme-key", "rdme_", lower(70)),
        prefixed("frameio-token", "fio-u-", mixed(64)),
        prefixed("posthog-key", "phx_", mixed(43)),
        sample(
            "zapier-webhook",
            format!("https://hooks.zapier.com/hooks/catch/{}/{}/", digits(7), lower(7)),
            "https://hooks.zapier.com/hooks/catch/<id>/<hook>/",
        ),
        prefixed("facebook-token", "EAA", mixed(120)),
        sample("twitter-bearer-token", format!("{}{}", "A".repeat(22), mixed(80)), "A".repeat(110)),
        sample("twitter-secret", format!("TWITTER_API_SECRET={}", mixed(50)), "TWITTER_API_SECRET=${X}"),
        sample("spotify-secret", format!("SPOTIFY_CLIENT_SECRET={}", hex(32)), format!("spotify track {}", mixed(22))),
        sample("twitch-secret", format!("TWITCH_CLIENT_SECRET={}", lower(30)), "TWITCH_CLIENT_SECRET=changeme"),
        sample("amap-key", format!("高德地图的 key 是 {}", hex(32)), "高德地图的 key 是按天限额的"),
        sample("discourse-key", format!("Api-Key: {}", hex(64)), format!("digest: {}", hex(64))),
    ]
}
