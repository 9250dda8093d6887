//! The rules, by family. Shapes of tokens are facts published by those who issue them.
//!
//! Two public rule sets (gitleaks of 2026-07-22, trufflehog of 2026-08-21) were searched for every keyword. Those of the following rules
//! stand in neither as they are spelled here, so neither confirms their shapes: `cerebras-key fireworks-key together-key jina-key
//! tavily-key firecrawl-key wandb-key mistral-key zhipu-key aws-mws-token google-ai-key google-oauth-secret google-refresh-token
//! firebase-server-key azure-shared-access-key azure-client-secret azure-devops-token vercel-token vercel-blob-token render-key linode-token
//! hetzner-token tencent-secret-id volcengine-access-key baidu-cloud-key yandex-oauth-token gitea-token npmrc-auth-token nuget-key
//! packagist-token jenkins-token slack-session-token feishu-webhook dingtalk-webhook wecom-webhook stripe-restricted-key
//! stripe-webhook-secret square-secret braintree-token shopify-partner-token adyen-key paddle-key wechat-pay-key netbird-token
//! supabase-secret-key neon-key upstash-token honeycomb-key mongodb-atlas-secret swarm-join-token k3s-join-token kubeadm-join-token
//! nostr-key figma-token mapbox-token rapidapi-key salesforce-session twitter-bearer-token amap-key`. `prefixed` lists its own.
//!
//! A new rule goes into the family it belongs to, with an example and a near miss in the tests.

use super::rule::SecretRule;

mod ai;
mod cloud;
mod code;
mod crypto;
mod generic;
mod login;
mod message;
mod money;
mod ops;
mod prefixed;
mod service;
mod shared;
mod work;

/// Every rule, the broad ones last.
pub(super) fn all() -> impl Iterator<Item = &'static SecretRule> {
    let families: [&'static [SecretRule]; 13] = [
        crypto::RULES,
        cloud::RULES,
        code::RULES,
        ai::RULES,
        message::RULES,
        money::RULES,
        ops::RULES,
        work::RULES,
        prefixed::RULES,
        service::RULES,
        shared::RULES,
        login::RULES,
        generic::RULES,
    ];
    families.into_iter().flatten()
}
