//! What a memory's words say about it: is it a usage note, a warning, news that replaces something?
//!
//! Enters: a name and a description, English or Chinese. Leaves: yes or no to each question. Judged by
//! single words, so it is a hint to be weighed with others, never a verdict.

use super::tokens::{Shape, Tokenizer};
use std::collections::HashSet;
use std::sync::LazyLock;

/// Words of notes on how a tool is called.
const USAGE: &str = "usage takes syntax parameters params arguments args cheat sheet commands flags howto manual \
     用法 参数 速查 命令 语法 调用";
/// Words of warnings and rules.
const WARNING: &str = "never always gotcha gotchas careful caution cautious warning warn beware pitfall pitfalls caveat caveats \
     known bug bugs broken breaks silently unless avoid don't dont mustn't cannot danger dangerous refuse forbidden banned \
     stale duplicate duplicates ignores ignored loses 禁止 不许 不要 不能 小心 注意 否则 必须 覆盖 丢失 失败 重复 陷阱 切勿 避免";
/// Words of a newer state of things.
const CHANGE: &str = "moved moves replaced replaces since longer switched migrated migration now instead retired removed \
     deleted successor new until ended cancelled supersedes became changed 改为 迁移 换成 不再 已经 取消 下线 替换 迁到 起用 改用 切到";
/// Words of a prompt that asks for how it was.
const PAST: &str = "previous previously formerly former earlier originally history historical legacy before past \
     以前 之前 原来 过去 历史 当时";

/// A set of terms in the spelling of the index.
pub(super) struct Lexicon(HashSet<String>);

impl Lexicon {
    fn new(words: &str) -> Lexicon {
        let mut terms = HashSet::new();
        Tokenizer::default().each(words, |token| {
            terms.insert(token.text.to_string());
        });
        Lexicon(terms)
    }

    /// How many of the terms are in it.
    pub(super) fn count(&self, terms: &HashSet<String>) -> usize {
        terms.iter().filter(|term| self.0.contains(*term)).count()
    }

    /// Whether any of the terms is in it.
    pub(super) fn any(&self, terms: &HashSet<String>) -> bool {
        terms.iter().any(|term| self.0.contains(term))
    }
}

pub(super) static USAGE_WORDS: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(USAGE));
pub(super) static WARNING_WORDS: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(WARNING));
pub(super) static CHANGE_WORDS: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(CHANGE));
pub(super) static PAST_WORDS: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(PAST));

/// The distinct terms of some texts. Identifiers come whole and in parts.
pub(super) fn terms(tokenizer: &mut Tokenizer, texts: &[&str]) -> HashSet<String> {
    let mut terms = HashSet::new();
    for text in texts {
        tokenizer.each(text, |token| {
            if token.shape != Shape::Whole || token.text.len() > 3 {
                terms.insert(token.text.to_string());
            }
        });
    }
    terms
}
