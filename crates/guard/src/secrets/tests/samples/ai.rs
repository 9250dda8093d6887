use super::{Sample, hex, lower, masked, mixed, sample, uuid};

pub(super) fn samples() -> Vec<Sample> {
    let prefixed = |rule, prefix: &str, body: String| {
        let near = format!("{prefix}{}", masked(body.len()));
        sample(rule, format!("export KEY={prefix}{body}"), near)
    };
    vec![
        prefixed("anthropic-key", "sk-ant-api03-", mixed(95)),
        prefixed("openai-key", "sk-proj-", mixed(120)),
        sample(
            "openai-key-old",
            format!("sk-{}T3Blbk{}{}", mixed(20), "FJ", mixed(20)),
            "sk-abcdefghijklmnopqrstuvwxyz123456",
        ),
        prefixed("openrouter-key", "sk-or-v1-", hex(64)),
        prefixed("langfuse-key", "sk-lf-", uuid()),
        prefixed("model-api-key", "sk-", hex(32)),
        prefixed("huggingface-token", "hf_", mixed(34)),
        prefixed("huggingface-org-token", "api_org_", mixed(34)),
        prefixed("replicate-token", "r8_", mixed(37)),
        prefixed("groq-key", "gsk_", mixed(52)),
        prefixed("perplexity-key", "pplx-", mixed(48)),
        prefixed("xai-key", "xai-", mixed(80)),
        prefixed("cerebras-key", "csk-", lower(48)),
        prefixed("nvidia-key", "nvapi-", mixed(64)),
        prefixed("fireworks-key", "fw_", mixed(24)),
        prefixed("together-key", "tgp_v1_", mixed(43)),
        prefixed("jina-key", "jina_", format!("{}{}", hex(32), mixed(28))),
        prefixed("voyage-key", "pa-", mixed(43)),
        prefixed("elevenlabs-key", "sk_", hex(48)),
        prefixed("langsmith-key", "lsv2_pt_", format!("{}_{}", hex(32), hex(10))),
        prefixed("pinecone-key", "pcsk_", format!("{}_{}", mixed(6), mixed(63))),
        prefixed("tavily-key", "tvly-", mixed(32)),
        prefixed("firecrawl-key", "fc-", hex(32)),
        prefixed("wandb-key", "wandb_v1_", mixed(77)),
        sample("wandb-key-old", format!("WANDB_API_KEY={}", hex(40)), format!("wandb run at {}", hex(40))),
        sample(
            "mistral-key",
            format!("MISTRAL_API_KEY={}", mixed(32)),
            "MISTRAL_API_KEY=os.environ[\"MISTRAL_API_KEY\"]",
        ),
        sample("cohere-key", format!("cohere key: {}", mixed(40)), "cohere key: <your-token>"),
        sample("deepgram-key", format!("DEEPGRAM_API_KEY: \"{}\"", hex(40)), "DEEPGRAM_API_KEY: \"changeme\""),
        sample("assemblyai-key", format!("assemblyai key {}", hex(32)), format!("assembly hash {}", hex(32))),
        sample("zhipu-key", format!("智谱 key：{}.{}", hex(32), mixed(16)), "智谱 key：<在控制台申请>"),
    ]
}
