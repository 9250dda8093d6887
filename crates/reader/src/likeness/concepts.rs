//! Words that mean the same in notes about software work, in both languages.
//!
//! Enters: a folded English word, or a place in Chinese text. Leaves: the word that stands for its
//! group. Never groups words that only belong together: `test` and `ci` are different things.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::stem;

/// One group a line; the first word stands for all.
const GROUPS: &[&str] = &[
    "mock fake stub 模拟 打桩",
    "summary recap summarise summarize 总结 小结",
    "database db postgres postgresql 数据库",
    "reply answer response 回答 回复 答复",
    "short terse brief concise 简短 简洁 精简",
    "comment 注释",
    "chinese 中文 汉语",
    "english 英文 英语",
    "commit 提交",
    "message 信息 消息",
    "test 测试",
    "integration 集成",
    "deploy deployment rollout 部署 发布 上线 发版",
    "release 版本",
    "freeze frozen 封版 冻结",
    "dashboard board 看板 仪表盘",
    "docs documentation doc document 文档",
    "repo repository 仓库",
    "prod production 生产 线上",
    "staging 预发 测试环境",
    "pipeline ci 流水线",
    "migration migrate 迁移",
    "dependency dependencies package 依赖",
    "config configuration setting 配置",
    "error exception failure 报错 异常 错误",
    "log logging 日志",
    "review 评审 审查",
    "branch 分支",
    "merge 合并",
    "customer client 客户",
    "deadline due 截止",
    "owner own 负责",
    "frontend 前端",
    "backend 后端",
    "engineer developer 工程师 开发",
    "password secret credential 密码 密钥",
    "function method 函数 方法",
    "variable 变量",
    "emoji 表情",
    "tab 制表符",
    "space 空格",
    "ask confirm 先问 确认",
    "ticket issue 工单",
    "oncall 值班",
    "alert 告警 报警",
    "latency 延迟",
    "cache 缓存",
    "queue 队列",
    "channel 频道",
    "wiki 知识库",
    "runbook 手册",
    "diff 差异",
    "line 行",
    "name 命名",
    "picture image 图片",
    "payment 支付",
    "invoice 发票",
    "order 订单",
    "audit 审计",
    "budget 预算",
    "contract 合同",
    "vendor supplier 供应商",
];

struct Table {
    english: HashMap<String, &'static str>,
    /// By first character, longest first, so that 测试环境 is not read as 测试.
    han: HashMap<char, Vec<(&'static str, &'static str)>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { english: HashMap::new(), han: HashMap::new() };
    for group in GROUPS {
        let mut members = group.split(' ');
        let head = members.next().unwrap_or_default();
        for word in std::iter::once(head).chain(members) {
            match word.chars().next() {
                Some(c) if !c.is_ascii() => table.han.entry(c).or_default().push((word, head)),
                _ => {
                    table.english.insert(stem(word), head);
                }
            }
        }
    }
    for words in table.han.values_mut() {
        words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    }
    table
});

/// The group of a folded English word.
pub(super) fn of(stem: &str) -> Option<&'static str> {
    TABLE.english.get(stem).copied()
}

/// The group of the Chinese word that `text` begins with, and how many characters it has.
pub(super) fn han(text: &str) -> Option<(&'static str, usize)> {
    let words = TABLE.han.get(&text.chars().next()?)?;
    let (word, head) = words.iter().find(|(word, _)| text.starts_with(word))?;
    Some((head, word.chars().count()))
}
