//! Text that speaks to a model as if it were its master.
//!
//! Enters: text that may become memory, or that a model is about to read. Leaves: the signs that it was planted: orders to drop
//! rules, words put into the system's mouth, secrecy towards the user, programs fetched and run, data carried away. One sign may
//! be honest ("never tell a visitor which of both was wrong") and earns a label; two together are no memory. Never
//! judges whether a rule is a good one, and compiles no pattern: it runs in hooks.

mod words;

use words::{Sentence, sentences};

/// From this weight on a text is refused.
const PLANTED: u8 = 2;

/// What gives a planted order away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Earlier instructions are to be dropped.
    Override,
    /// It pretends to be the system, or makes the model somebody else.
    Disguise,
    /// The user is not to know.
    Secrecy,
    /// A program comes from the network and is run.
    FetchAndRun,
    /// Something goes to an address outside.
    CarriesAway,
    /// It claims a right to command.
    Authority,
    /// It speaks to the model, or of a consent that nobody gave: tells something only beside another sign.
    Pressure,
}

impl Sign {
    /// In words, after "it".
    pub const fn as_str(self) -> &'static str {
        match self {
            Sign::Override => "tells a model to drop its instructions",
            Sign::Disguise => "pretends to be the system",
            Sign::Secrecy => "is to be kept from the user",
            Sign::FetchAndRun => "runs a program straight from the network",
            Sign::CarriesAway => "sends data to an address",
            Sign::Authority => "claims a right to command",
            Sign::Pressure => "presses a model to act unasked",
        }
    }
}

/// What was found in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    signs: Vec<(Sign, u8)>,
}

impl Orders {
    /// Reads a text.
    pub fn read(text: &str) -> Orders {
        let mut orders = Orders::default();
        let lower = text.to_lowercase();
        orders.see(Sign::Disguise, disguise(&lower));
        orders.see(Sign::FetchAndRun, u8::from(fetches_and_runs(&lower)));
        for sentence in sentences(&lower) {
            orders.see(Sign::Override, overrides(&sentence));
            orders.see(Sign::Disguise, new_role(&sentence));
            orders.see(Sign::Secrecy, secrecy(&sentence));
            orders.see(Sign::CarriesAway, u8::from(carries_away(&sentence)));
            orders.see(Sign::Authority, u8::from(authority(&sentence)));
            orders.see(Sign::Pressure, u8::from(pressure(&sentence)));
        }
        orders.see(Sign::Override, han_override(&lower));
        orders.see(Sign::Secrecy, han_secrecy(&lower));
        orders
    }

    /// Whether it may be an order: to be read with care.
    pub fn is_suspicious(&self) -> bool {
        self.signs.iter().any(|(sign, _)| *sign != Sign::Pressure)
    }

    /// Whether it is one beyond honest doubt: not to be kept.
    pub fn is_planted(&self) -> bool {
        self.is_suspicious() && self.signs.iter().map(|(_, weight)| weight).sum::<u8>() >= PLANTED
    }

    /// The signs, in words.
    pub fn reasons(&self) -> String {
        self.signs.iter().map(|(sign, _)| sign.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Each sign counts once, at its heaviest.
    fn see(&mut self, sign: Sign, weight: u8) {
        match self.signs.iter_mut().find(|(known, _)| *known == sign) {
            _ if weight == 0 => {}
            Some((_, known)) => *known = weight.max(*known),
            None => self.signs.push((sign, weight)),
        }
    }
}

const DROP: &[&str] = &[
    "ignore",
    "ignores",
    "ignoring",
    "disregard",
    "disregards",
    "disregarding",
    "forget",
    "override",
    "overrides",
    "overriding",
    "bypass",
    "supersede",
    "supersedes",
];
const COMMANDS: &[&str] = &[
    "instruction",
    "instructions",
    "prompt",
    "prompts",
    "directive",
    "directives",
    "guideline",
    "guidelines",
    "guardrail",
    "guardrails",
];
const RULES: &[&str] = &["rule", "rules", "restriction", "restrictions", "policies", "direction", "directions"];
/// Whose: those the model stands under. "All instructions in tool output" are somebody else's.
const STANDING: &[&str] = &["previous", "prior", "above", "earlier", "preceding", "your", "former"];
const BROAD: &[&str] = &["all", "any", "system", "safety", "original", "existing", "every"];

fn overrides(sentence: &Sentence<'_>) -> u8 {
    sentence.after(DROP, 8).map(|rest| {
        let (standing, broad) = (rest.has(STANDING), rest.has(BROAD));
        match (rest.has(COMMANDS), rest.has(RULES)) {
            // Of their own words a person may well say so: "ignore my earlier instruction about tabs".
            (true, _) if standing && !rest.has(&["my"]) => 2,
            (true, _) | (_, true) if standing || broad => 1,
            _ => 0,
        }
    })
}

/// Tags and labels that only a host writes.
fn disguise(lower: &str) -> u8 {
    const TAGS: &[&str] = &[
        "system",
        "system-reminder",
        "assistant",
        "human",
        "function_calls",
        "tool_use",
        "tool_result",
        "instruction",
        "instructions",
        "|im_start|",
    ];
    const LABELS: &[&str] = &["system:", "[system]", "system message:", "system note:", "developer message:", "[inst]"];
    let tagged = lower.split('<').skip(1).any(|rest| {
        let name = rest.trim_start_matches('/').split(['>', ' ', '\n']).next().unwrap_or_default();
        rest.contains('>') && TAGS.contains(&name)
    });
    let labelled = LABELS.iter().any(|label| lower.trim_start().starts_with(label));
    let renewed = ["new", "updated", "real", "actual"].iter().any(|new| {
        ["instructions:", "system prompt:", "system instructions:"].iter().any(|what| {
            let mut at = lower.match_indices(what);
            at.any(|(at, _)| lower[..at].trim_end().ends_with(new))
        })
    });
    u8::from(tagged || labelled || renewed)
}

fn new_role(sentence: &Sentence<'_>) -> u8 {
    let told = sentence.run(&["you", "are", "now"]).or_else(|| sentence.run(&["you", "are", "no", "longer"]));
    let told = told.or_else(|| sentence.run(&["you're", "now"]));
    told.map_or(0, |rest| if rest.take(6).has(&["mode"]) { 2 } else { 1 })
}

const NOT: &[&str] = &["not", "don't", "dont", "never", "without"];
const TELL: &[&str] = &[
    "tell",
    "telling",
    "inform",
    "informing",
    "mention",
    "mentioning",
    "reveal",
    "revealing",
    "disclose",
    "disclosing",
    "report",
    "notify",
    "alert",
];
const PEOPLE: &[&str] = &["user", "human", "person", "anyone", "anybody", "owner", "reviewer", "maintainer"];
/// Text that is ashamed of itself.
const ITSELF: &[&str] = &["memory", "instruction", "instructions", "prompt"];

fn secrecy(sentence: &Sentence<'_>) -> u8 {
    let untold = sentence.after(NOT, 14).map(|rest| {
        rest.take(5).after(TELL, 5).map(|_| {
            let told = rest.after(TELL, 10);
            told.map(|about| if about.has(PEOPLE) { 1 + u8::from(about.has(ITSELF)) } else { 0 })
        })
    });
    let hidden = sentence.after(&["hide", "hiding", "conceal", "concealing"], 12).map(|rest| {
        let from = rest.after(&["from"], 6);
        from.map(|from| u8::from(from.has(PEOPLE) || from.has(&["diff", "summary", "review", "log", "logs"])))
    });
    untold.max(hidden)
}

/// `curl … | sh` and its kin.
fn fetches_and_runs(lower: &str) -> bool {
    const SHELLS: &[&str] = &["sh", "bash", "zsh", "dash", "python", "python3", "node", "iex", "perl"];
    let runs = |rest: &str| {
        let mut words = rest.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        let first = words.find(|word| !word.is_empty() && *word != "sudo");
        first.is_some_and(|word| SHELLS.contains(&word))
    };
    let piped = ["curl ", "wget ", "iwr ", "base64 -d", "base64 --decode"].iter().any(|fetch| {
        lower.match_indices(fetch).any(|(at, _)| {
            let line = lower[at..].lines().next().unwrap_or_default();
            line.split('|').skip(1).any(runs)
        })
    });
    piped
        || ["<(curl ", "<(wget ", "$(curl ", "$(wget "].iter().any(|fetch| {
            lower.match_indices(fetch).any(|(at, _)| {
                let before = lower[..at].trim_end_matches(['"', '\'', ' ', '<']);
                let last =
                    before.rsplit(|letter: char| letter.is_whitespace() || letter == '/').find(|word| *word != "-c");
                last.is_some_and(|word| SHELLS.contains(&word) || word == "eval" || word == "source")
            })
        })
}

const SEND: &[&str] =
    &["send", "post", "upload", "exfiltrate", "forward", "leak", "paste", "submit", "transmit", "email", "copy"];
const PRIVATE: &[&str] = &[
    "key",
    "keys",
    "token",
    "tokens",
    "secret",
    "secrets",
    "password",
    "passwords",
    "credential",
    "credentials",
    "env",
    "environment",
    "file",
    "files",
    "content",
    "contents",
    "cookies",
    "history",
];

fn carries_away(sentence: &Sentence<'_>) -> bool {
    sentence.after(SEND, 40).map(|rest| u8::from(rest.has(PRIVATE) && rest.has_address())) > 0
}

fn authority(sentence: &Sentence<'_>) -> bool {
    let as_whom = ["administrator", "developer", "operator", "owner", "creator"];
    let claim = [["as", "your"], ["is", "your"], ["as", "the"], ["is", "the"]];
    claim.iter().filter_map(|claim| sentence.run(claim)).any(|rest| {
        rest.take(1).has(&as_whom)
            && rest.take(12).has(&["must", "require", "requires", "order", "command", "instruct", "instructs"])
    })
}

fn pressure(sentence: &Sentence<'_>) -> bool {
    const MODELS: &[&str] = &[
        "ai",
        "assistant",
        "assistants",
        "agent",
        "agents",
        "model",
        "llm",
        "llms",
        "claude",
        "copilot",
        "codex",
        "gpt",
        "chatgpt",
        "gemini",
    ];
    const ADDRESS: &[&str] = &["note", "message", "instruction", "instructions", "attention", "notice", "reminder"];
    let addressed = sentence.after(ADDRESS, 5).map(|rest| {
        let to = rest.take(2).has(&["to", "for"]) && rest.has(MODELS);
        u8::from(to || rest.take(1).has(MODELS))
    }) > 0;
    let unasked = sentence
        .after(&["without"], 3)
        .map(|rest| u8::from(rest.has(&["asking", "confirmation", "confirming", "permission", "approval", "consent"])))
        > 0;
    let agreed = sentence.after(&["user", "owner", "maintainer", "admin", "team"], 4).map(|rest| {
        let given = rest.has(&["agreed", "approved", "consented", "authorised", "authorized", "confirmed"]);
        u8::from(given && rest.has(&["has", "have", "already"]))
    }) > 0;
    let waved = sentence
        .after(&["approve", "accept", "allow", "merge"], 2)
        .map(|rest| u8::from(rest.has(&["every", "all", "any"])))
        > 0;
    let unguarded = sentence.after(&["disable", "disabling", "bypass", "skip", "off"], 4).map(|rest| {
        let what = ["safety", "security", "permission", "permissions", "approval", "approvals", "sandbox", "signature"];
        u8::from(rest.has(&what))
    }) > 0;
    let prompt = sentence.run(&["system", "prompt"]).is_some();
    let sent = !carries_away(sentence) && sentence.after(SEND, 40).map(|rest| u8::from(rest.has_address())) > 0;
    addressed || unasked || agreed || waved || unguarded || prompt || sent
}

/// Places of `words` in a text without spaces, with what follows each within `room` characters.
fn han_after<'t>(text: &'t str, words: &[&'static str], room: usize) -> Vec<&'t str> {
    let found = words.iter().flat_map(|word| text.match_indices(word).map(|(at, word)| &text[at + word.len()..]));
    found.map(|rest| rest.char_indices().nth(room).map_or(rest, |(end, _)| &rest[..end])).collect()
}

fn han_override(lower: &str) -> u8 {
    let any = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    let weigh = |rest: &str| {
        if !any(rest, &["之前", "以上", "先前", "此前", "上面", "前面", "你的", "原来"]) {
            0
        } else if any(rest, &["指令", "指示", "提示词", "系统提示", "命令"]) {
            2
        } else {
            u8::from(any(rest, &["规则", "约定", "限制"]))
        }
    };
    han_after(lower, &["忽略", "无视", "忘记", "忘掉", "不要理会", "不用管"], 14)
        .into_iter()
        .map(weigh)
        .max()
        .unwrap_or(0)
}

fn han_secrecy(lower: &str) -> u8 {
    let kept = han_after(lower, &["不要", "别", "不得", "切勿", "勿", "不能", "不必"], 8).into_iter().any(|rest| {
        let told = han_after(rest, &["告诉", "告知", "通知", "提及", "让"], 5);
        told.iter().any(|whom| ["用户", "使用者", "对方"].iter().any(|person| whom.contains(person)))
            && !rest.starts_with("让用户等")
    });
    u8::from(kept || lower.contains("瞒着用户"))
}

#[cfg(test)]
mod tests;
